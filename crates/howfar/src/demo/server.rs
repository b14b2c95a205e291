//! The demo's MCP server: a small shop over stdio. It is a real server on the protocol crate, started as a child process
//! of the same binary.

use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Map, Value, json};

use crate::cli::DemoServerArgs;
use crate::error::CommandError;
use howfar_wire::vocabulary::ExitCode;

/// The shop.
struct Shop {
    refuse_list: bool,
    tools: Vec<Tool>,
}

/// Serves the shop on stdin and stdout until the client goes away.
pub(crate) fn run(args: &DemoServerArgs) -> Result<ExitCode, CommandError> {
    if args.refuse_initialize {
        // What a server looks like that dies while it starts.
        let message = "shop: cannot open the order database: no such file";
        return Err(CommandError::new(ExitCode::Setup, message));
    }
    let internal = |error: String| {
        CommandError::new(ExitCode::Setup, format!("the demo server stopped: {error}"))
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| internal(error.to_string()))?;
    let shop = Shop { refuse_list: args.refuse_list, tools: described(&args.descriptions)? };
    runtime.block_on(async {
        let running = shop
            .serve(rmcp::transport::stdio())
            .await
            .map_err(|error| internal(error.to_string()))?;
        running.waiting().await.map_err(|error| internal(error.to_string()))
    })?;
    Ok(ExitCode::Success)
}

impl ServerHandler for Shop {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("howfar-demo-shop", env!("CARGO_PKG_VERSION")))
            .with_instructions("A small shop: orders, refunds and parcels.")
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if self.refuse_list {
            return Err(ErrorData::internal_error("the tool registry is not loaded", None));
        }
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        call(&request.name, &arguments).map(CallToolResponse::from)
    }
}

/// The tools, some of them described in other words.
fn described(descriptions: &[String]) -> Result<Vec<Tool>, CommandError> {
    let mut tools = tools();
    for text in descriptions {
        let Some((name, description)) = text.split_once('=') else {
            return Err(CommandError::usage(format!("--describe takes TOOL=TEXT, not {text:?}")));
        };
        let Some(tool) = tools.iter_mut().find(|tool| tool.name == name) else {
            let names: Vec<_> = tools.iter().map(|tool| tool.name.to_string()).collect();
            let error = CommandError::usage(format!("the demo server has no tool {name:?}"));
            return Err(error.hint(format!("its tools are {}", names.join(", "))));
        };
        tool.description = Some(description.to_owned().into());
    }
    Ok(tools)
}

fn tools() -> Vec<Tool> {
    vec![
        tool(
            "find_order",
            "Find an order by its number and tell its state and delivery day.",
            json!({ "order": { "type": "string", "description": "The order number, for example A-100." } }),
            ToolAnnotations::new().read_only(true),
        ),
        tool(
            "refund_order",
            "Refund an order in full. The customer gets the money back within three days.",
            json!({ "order": { "type": "string", "description": "The order number, for example A-100." } }),
            ToolAnnotations::new().read_only(false).destructive(false),
        ),
        tool(
            "track_parcel",
            "Ask the carrier where a parcel is.",
            json!({ "parcel": { "type": "string", "description": "The parcel number, for example P-7." } }),
            ToolAnnotations::new().read_only(true),
        ),
    ]
}

fn tool(
    name: &'static str,
    description: &'static str,
    properties: Value,
    annotations: ToolAnnotations,
) -> Tool {
    let required: Vec<&String> =
        properties.as_object().map(|object| object.keys().collect()).unwrap_or_default();
    let schema = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    let schema = schema.as_object().cloned().unwrap_or_default();
    Tool::new(name, description, Arc::new(schema)).with_annotations(annotations)
}

fn call(tool: &str, arguments: &Map<String, Value>) -> Result<CallToolResult, ErrorData> {
    let text =
        |key: &str| arguments.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    match tool {
        "find_order" => Ok(find_order(&text("order"))),
        "refund_order" => {
            let order = text("order");
            Ok(CallToolResult::structured(
                json!({ "order": order, "refunded": true, "amount": "49.00 EUR" }),
            ))
        }
        "track_parcel" => {
            let message = format!(
                "the carrier's tracking feed is offline; parcel {} is unknown",
                text("parcel")
            );
            Ok(CallToolResult::error(vec![ContentBlock::text(message)]))
        }
        _ => Err(ErrorData::invalid_params(format!("unknown tool {tool}"), None)),
    }
}

fn find_order(order: &str) -> CallToolResult {
    let (state, day) = match order {
        "A-100" => ("shipped", "Friday"),
        "A-200" => ("being packed", "Monday"),
        _ => {
            let message = format!("there is no order {order}; order numbers look like A-100");
            return CallToolResult::error(vec![ContentBlock::text(message)]);
        }
    };
    CallToolResult::structured(json!({ "order": order, "state": state, "deliveryDay": day }))
}
