//! A stdio peer: a shell script that reads lines and prints canned ones.
//!
//! Requests of a connection are numbered from 0: `initialize` is 0, the first request after it is 1.

use std::time::Duration;

use howfar_mcp::{
    CallAnswer, CallOptions, ConnectOptions, Connection, ServerBinding, SetupError, connect,
};
use serde_json::{Map, Value, json};

/// A script under construction.
#[derive(Default)]
pub(crate) struct Script {
    lines: Vec<String>,
}

impl Script {
    /// A script that has answered `initialize` and read the notification after it.
    pub(crate) fn initialized() -> Self {
        Self::default().reads(1).says(&initialize_answer("2025-11-25")).reads(1)
    }

    pub(crate) fn reads(mut self, count: usize) -> Self {
        self.lines.extend(std::iter::repeat_n("read -r line".to_owned(), count));
        self
    }

    pub(crate) fn says(self, message: &Value) -> Self {
        self.prints(&message.to_string())
    }

    pub(crate) fn prints(self, text: &str) -> Self {
        let quoted = text.replace('\'', r"'\''");
        self.runs(&format!("printf '%s\\n' '{quoted}'"))
    }

    pub(crate) fn runs(mut self, command: &str) -> Self {
        self.lines.push(command.to_owned());
        self
    }

    /// The binding of the script, which then waits for the end of its input.
    pub(crate) fn binding(self) -> ServerBinding {
        let script = self.runs("while read -r line; do :; done").lines.join("\n");
        ServerBinding::from_command("sh", ["-c", &script])
    }

    pub(crate) async fn connect(self) -> Result<Connection, SetupError> {
        connect("s", &self.binding(), &options()).await
    }

    pub(crate) async fn connected(self) -> Connection {
        self.connect().await.expect("the script answers initialize")
    }

    /// What comes back for one call of the tool `a`.
    pub(crate) async fn call(self) -> CallAnswer {
        call(&self.connected().await).await
    }
}

pub(crate) async fn call(connection: &Connection) -> CallAnswer {
    connection
        .call_tool("a", &Map::new(), CallOptions { timeout: Duration::from_secs(20) })
        .await
        .answer
}

pub(crate) fn options() -> ConnectOptions {
    ConnectOptions { setup_timeout: Duration::from_secs(20), ..ConnectOptions::default() }
}

pub(crate) fn initialize_answer(version: &str) -> Value {
    let info = json!({"name": "peer", "version": "1.2"});
    json!({"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": version, "capabilities": {"x": 1}, "serverInfo": info}})
}

pub(crate) fn answer(id: u64, result: Value) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "result": result})
}
