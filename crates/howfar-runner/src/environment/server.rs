//! One server of a run and its connection.

use std::time::Duration;

use howfar_mcp::{BoundServer, ConnectOptions, Connection, connect};
use tokio::sync::Mutex;

use crate::options::CLEANUP_LIMIT;

/// One server. Its connection is replaced when it was lost between trials.
pub(super) struct Server {
    pub(super) name: String,
    binding: BoundServer,
    options: ConnectOptions,
    connection: Mutex<Option<Connection>>,
}

impl Server {
    pub(super) fn new(
        binding: BoundServer,
        options: ConnectOptions,
        connection: Option<Connection>,
    ) -> Self {
        let name = binding.name.clone();
        Self { name, binding, options, connection: Mutex::new(connection) }
    }

    /// A handle on the connection; `None` when there is none.
    pub(super) async fn connection(&self) -> Option<Connection> {
        self.connection.lock().await.clone()
    }

    /// Opens the connection again when the child process behind it has ended. A server that was never connected stays
    /// so.
    pub(super) async fn revive(&self) -> Result<(), String> {
        let mut slot = self.connection.lock().await;
        let lost = slot.as_ref().is_some_and(Connection::is_lost);
        if lost {
            let fresh = connect(&self.name, &self.binding.binding, &self.options).await;
            *slot = Some(fresh.map_err(|error| format!("lost between trials: {error}"))?);
        }
        Ok(())
    }

    /// Closes the connection and ends its child process.
    pub(super) async fn shut_down(&self) -> Result<(), String> {
        let Some(connection) = self.connection.lock().await.take() else { return Ok(()) };
        let closing = tokio::time::timeout(CLEANUP_LIMIT, connection.shutdown()).await;
        closing.map_err(|_| format!("did not stop within {} s", limit_seconds(CLEANUP_LIMIT)))
    }
}

const fn limit_seconds(limit: Duration) -> u64 {
    limit.as_secs()
}
