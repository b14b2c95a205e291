//! What commands share that talk to servers without running a suite.

use std::future::Future;
use std::time::Duration;

use howfar_mcp::{
    BindingError, BoundServer, Catalog, ConfigSource, ConnectOptions, Connection, connect,
};
use howfar_model::REDACTED;
use howfar_wire::vocabulary::ExitCode;
use serde_json::Value;

use super::run::{interrupted, withheld_variables};
use crate::error::CommandError;

/// A connected server with its tools.
pub(super) struct Listed {
    pub(super) connection: Connection,
    pub(super) catalog: Catalog,
}

/// Connects to a server and lists its tools.
///
/// # Errors
///
/// One message that says what, where and what next, without secrets.
pub(super) async fn list(
    bound: &BoundServer,
    setup_timeout: Duration,
    secrets: &[String],
) -> Result<Listed, String> {
    let options = ConnectOptions {
        setup_timeout,
        withheld_env: withheld_variables(),
        ..ConnectOptions::default()
    };
    let told = |error: howfar_mcp::SetupError| {
        howfar_report::sanitize(&redacted(&error.to_string(), secrets)).into_owned()
    };
    let connection = connect(&bound.name, &bound.binding, &options).await.map_err(told)?;
    match connection.list_tools().await {
        Ok(catalog) => Ok(Listed { connection, catalog }),
        Err(error) => {
            connection.shutdown().await;
            Err(told(error))
        }
    }
}

/// The text without the secrets, which stand longest first.
pub(super) fn redacted(text: &str, secrets: &[String]) -> String {
    secrets.iter().fold(text.to_owned(), |text, secret| text.replace(secret.as_str(), REDACTED))
}

/// Runs a future to its end, or to the first interrupt: then it is dropped, which ends the servers that it started.
///
/// # Errors
///
/// No runtime, or an interrupt.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> Result<T, CommandError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| {
            CommandError::new(ExitCode::Setup, format!("cannot start the runtime: {error}"))
        })?;
    let ended = runtime.block_on(async {
        tokio::select! {
            // Signals are watched before anything is started.
            biased;
            () = interrupted() => Err(CommandError::new(ExitCode::Incomplete, "interrupted")),
            value = future => Ok(value),
        }
    });
    // Child processes that a dropped future left are ended in the background; give that a moment.
    runtime.shutdown_timeout(Duration::from_secs(3));
    ended
}

/// Every problem of bindings as one error.
pub(super) fn binding_error(errors: &[BindingError]) -> CommandError {
    let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
    CommandError::new(ExitCode::Setup, messages.join("\n  "))
}

/// The names in the files, in the order in which they win. A file that cannot be read has none.
pub(super) fn server_names(configs: &[ConfigSource]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for config in configs {
        let text = config.text.as_deref().unwrap_or_default();
        let document: Value = serde_json::from_str(text).unwrap_or_default();
        let servers = document.get("mcpServers").and_then(Value::as_object);
        for name in servers.into_iter().flat_map(|servers| servers.keys()) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}
