//! `howfar mcp`: stored runs as an MCP server over stdio. stdout carries the protocol and nothing else.

mod child;

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::sync::Arc;

use howfar_server::mcp::{McpServer, McpServerError};
use howfar_wire::vocabulary::ExitCode;

use super::stored::store_path;
use crate::cli::McpArgs;
use crate::error::CommandError;
use crate::output;
use child::ChildRuns;

/// What a person sees who starts the server by hand.
const TALK: &str = "howfar mcp speaks MCP on stdin and stdout: let a client start it, for example with this .mcp.json\n  \
     {\"mcpServers\": {\"howfar\": {\"command\": \"howfar\", \"args\": [\"mcp\"]}}}";

/// Serves one client until it closes stdin.
pub(crate) fn run(args: &McpArgs) -> Result<ExitCode, CommandError> {
    let absolute = |path: &PathBuf| {
        std::path::absolute(path).map_err(|error| {
            CommandError::usage(format!("cannot tell where {} is: {error}", path.display()))
        })
    };
    let store = absolute(&store_path(&args.store)?)?;
    let folder = absolute(&args.dir)?;
    let runs = ChildRuns::new(folder.clone(), store.clone())?;
    let server = McpServer::new(&store, &folder, Arc::new(runs)).map_err(stopped)?;
    if std::io::stdin().is_terminal() {
        output::say(TALK);
    }
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| {
        CommandError::new(ExitCode::Setup, format!("cannot start the runtime: {error}"))
    })?;
    let served = runtime.block_on(server.serve(tokio::io::stdin(), tokio::io::stdout()));
    // A read of stdin that is still under way must not hold the process.
    runtime.shutdown_background();
    served.map_err(stopped)?;
    Ok(ExitCode::Success)
}

fn stopped(error: McpServerError) -> CommandError {
    let message = error.to_string();
    match error {
        McpServerError::Folder { path: _, source } => {
            CommandError::usage(format!("--dir: {message}: {source}"))
                .hint("name a folder that exists")
        }
        McpServerError::NoSession(_) | McpServerError::Broken(_) => {
            CommandError::new(ExitCode::Setup, message)
        }
    }
}
