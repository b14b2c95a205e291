//! The egress canary: positive evidence that our own network path works (suite and runner, section B5).

use std::time::Duration;

use tokio::net::{TcpListener, TcpStream};

use crate::network::{http_url, is_loopback};
use crate::{ServerBinding, SetupError};

/// What the canary found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CanaryVerdict {
    /// Our own path works.
    Verified,
    /// It was tried and does not work.
    NotVerified,
    /// It was not tried: the server is remote and no address is configured. No request leaves the machine unasked.
    NotRun,
}

/// Checks our own path to the kind of place that `binding` names, after `error` happened there.
///
/// A child process: it could be spawned. A loopback url: binding a loopback port and connecting to it works. A remote
/// url: one request to `canary_url`, any response counts; without such an address it does not run.
pub async fn egress_canary(
    binding: &ServerBinding,
    error: &SetupError,
    canary_url: Option<&str>,
    limit: Duration,
) -> CanaryVerdict {
    let remote = match binding {
        ServerBinding::Stdio(_) => return verdict(error.was_spawned()),
        ServerBinding::Http(http) => match http_url(&http.url) {
            Ok(url) => !is_loopback(&url),
            Err(_) => return CanaryVerdict::NotRun,
        },
    };
    let check = async {
        match (remote, canary_url) {
            (false, _) => verdict(loopback_works().await.is_ok()),
            (true, Some(url)) => {
                verdict(crate::transport::http::plain_client().get(url).send().await.is_ok())
            }
            (true, None) => CanaryVerdict::NotRun,
        }
    };
    tokio::time::timeout(limit, check).await.unwrap_or(CanaryVerdict::NotVerified)
}

const fn verdict(works: bool) -> CanaryVerdict {
    if works { CanaryVerdict::Verified } else { CanaryVerdict::NotVerified }
}

async fn loopback_works() -> std::io::Result<()> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = listener.local_addr()?;
    let (accepted, connected) = tokio::join!(listener.accept(), TcpStream::connect(address));
    accepted?;
    connected?;
    Ok(())
}
