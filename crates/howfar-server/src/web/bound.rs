//! The dashboard on a socket.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use tokio::net::TcpListener;

use super::{App, router};

/// How long open requests may take after the end was asked for.
const GRACE: Duration = Duration::from_secs(3);

/// Why an address cannot be listened on.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program listens there.
    #[error("port {} of {} is in use by another program", address.port(), address.ip())]
    InUse {
        /// The address.
        address: SocketAddr,
    },
    /// The system refused.
    #[error("cannot listen on {address}: {source}")]
    Refused {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        source: io::Error,
    },
}

/// A socket that listens and does not answer yet.
#[derive(Debug)]
pub struct Bound {
    listener: TcpListener,
    address: SocketAddr,
}

impl Bound {
    /// Listens on an address; port 0 is any free one.
    ///
    /// # Errors
    ///
    /// The port is in use, or the system refused.
    pub async fn to(address: SocketAddr) -> Result<Self, BindError> {
        let refused = |source: io::Error| match source.kind() {
            io::ErrorKind::AddrInUse => BindError::InUse { address },
            _ => BindError::Refused { address, source },
        };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        Ok(Self { listener, address })
    }

    /// The address with the port that was found.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Where a browser finds the first page. A server on every address is found on this machine by loopback.
    pub fn url(&self) -> String {
        let ip = match self.address.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
            IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1]),
            ip => ip,
        };
        format!("http://{}/", SocketAddr::new(ip, self.address.port()))
    }

    /// Answers until `end`; then ends the live streams, lets other requests finish for a moment, and returns.
    ///
    /// # Errors
    ///
    /// The socket broke.
    pub async fn serve(
        self,
        app: App,
        end: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        let (ended, mut ending) = tokio::sync::watch::channel(false);
        let streams = app.clone();
        let end = async move {
            end.await;
            streams.end_streams();
            ended.send_replace(true);
        };
        let serving = axum::serve(self.listener, router(app)).with_graceful_shutdown(end);
        let too_long = async move {
            let _ = ending.wait_for(|ended| *ended).await;
            tokio::time::sleep(GRACE).await;
        };
        tokio::select! {
            served = serving => served,
            () = too_long => Ok(()),
        }
    }
}
