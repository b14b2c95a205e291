//! The tools as a list: how each is described to a client, and how a call reaches it.

use std::any::Any;
use std::future::Future;

use futures::future::BoxFuture;
use rmcp::RoleServer;
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use rmcp::service::RequestContext;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::answer::{Answer, Budget, tool_result};
use super::failure::ToolFailure;
use super::parameters;
use super::server::Shared;
use super::tools::{
    CompareRuns, GetAnalytics, GetChain, GetRun, GetTrace, ListIterations, ListRuns, ListSuites,
    RunSuiteTool, ValidateSuite,
};

/// One tool: what it takes, what it answers, and how.
pub(super) trait ModelTool {
    /// The name in the protocol.
    const NAME: &'static str;
    /// The name for people.
    const TITLE: &'static str;
    /// What it does, for a model that chooses a tool.
    const DESCRIPTION: &'static str;
    /// What it takes.
    type Parameters: DeserializeOwned + JsonSchema + Any + Send;
    /// What it answers.
    type Document: Serialize + JsonSchema + Any + Send;

    /// What a client may assume. Reading is the rule.
    fn annotations() -> ToolAnnotations {
        ToolAnnotations::with_title(Self::TITLE).read_only(true).idempotent(true).open_world(false)
    }

    /// Where the whole document is, on the command line.
    fn whole(parameters: &Self::Parameters) -> String;

    /// The answer.
    fn answer(
        parameters: Self::Parameters,
        call: Call<'_>,
    ) -> impl Future<Output = Result<Answer<Self::Document>, ToolFailure>> + Send;
}

/// One call of a tool.
pub(super) struct Call<'a> {
    /// What the tools share.
    pub(super) shared: &'a Shared,
    /// The request: its cancellation and its progress.
    pub(super) context: RequestContext<RoleServer>,
    /// How large the answer may be.
    pub(super) budget: Budget,
}

type CallFuture<'a> = BoxFuture<'a, Result<CallToolResult, ToolFailure>>;

/// A row of the list.
pub(super) struct Entry {
    /// The name in the protocol.
    pub(super) name: &'static str,
    /// How it is described to a client.
    pub(super) describe: fn() -> Tool,
    /// How it is called.
    pub(super) call:
        for<'a> fn(&'a Shared, JsonObject, RequestContext<RoleServer>) -> CallFuture<'a>,
}

/// Every tool, in the order in which a reader needs them.
pub(super) const TOOLS: &[Entry] = &[
    entry::<ListSuites>(),
    entry::<ValidateSuite>(),
    entry::<ListRuns>(),
    entry::<GetRun>(),
    entry::<ListIterations>(),
    entry::<GetTrace>(),
    entry::<GetChain>(),
    entry::<GetAnalytics>(),
    entry::<CompareRuns>(),
    entry::<RunSuiteTool>(),
];

const fn entry<T: ModelTool>() -> Entry {
    Entry { name: T::NAME, describe: describe::<T>, call: called::<T> }
}

fn describe<T: ModelTool>() -> Tool {
    let input = parameters::input_schema::<T::Parameters>();
    let output = parameters::output_schema::<Answer<T::Document>>();
    Tool::new(T::NAME, T::DESCRIPTION, input)
        .with_title(T::TITLE)
        .with_raw_output_schema(output)
        .with_annotations(T::annotations())
}

fn called<T: ModelTool>(
    shared: &Shared,
    arguments: JsonObject,
    context: RequestContext<RoleServer>,
) -> CallFuture<'_> {
    Box::pin(async move {
        let (parameters, budget) = parameters::read::<T::Parameters>(T::NAME, arguments)?;
        let whole = T::whole(&parameters);
        let answer = T::answer(parameters, Call { shared, context, budget }).await?;
        tool_result(&answer, budget, &whole)
    })
}
