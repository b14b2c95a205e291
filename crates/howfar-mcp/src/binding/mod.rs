//! How a server is reached: the binding of a name to a command or an url (suite and runner, section B3).
//!
//! Everything here is a function over text and an environment look-up; nothing reads a file or the environment.

mod config;
mod error;
mod expand;
mod precedence;
mod secret;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

pub use config::{ConfigSource, parse_command_line};
pub use error::BindingError;
pub use precedence::{BindingSources, BoundServer, SingleTarget, bind_servers};

/// How one server is reached. `Debug` prints no argument, value or url: they may carry credentials.
#[derive(Clone, PartialEq, Eq)]
pub enum ServerBinding {
    /// A child process that speaks on its standard streams.
    Stdio(StdioBinding),
    /// An url.
    Http(HttpBinding),
}

/// A child process.
#[derive(Clone, PartialEq, Eq)]
pub struct StdioBinding {
    /// The program, looked up on `PATH` when it has no slash. Never passed to a shell.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables added to the inherited environment.
    pub env: BTreeMap<String, String>,
    /// Its working directory; absent = the one of this process.
    pub cwd: Option<PathBuf>,
}

/// An HTTP server.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpBinding {
    /// The endpoint, `http` or `https`.
    pub url: String,
    /// Headers sent with every request.
    pub headers: BTreeMap<String, String>,
    /// Which HTTP transport is spoken.
    pub flavor: HttpFlavor,
}

/// Which HTTP transport is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HttpFlavor {
    /// `http`: streamable HTTP, and the 2024-11-05 transport when the server refuses it with 400, 404 or 405.
    #[default]
    Auto,
    /// `streamable-http`: streamable HTTP only.
    Streamable,
    /// `sse`: the 2024-11-05 HTTP+SSE transport only.
    Sse,
}

/// The transport as reports spell it; reports say nothing else about a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransportKind {
    /// A child process.
    Stdio,
    /// An url, whatever the HTTP transport.
    Http,
}

impl TransportKind {
    /// The spelling in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stdio => "stdio",
            Self::Http => "http",
        }
    }
}

impl ServerBinding {
    /// An HTTP binding without headers.
    pub fn from_url(url: impl Into<String>) -> Self {
        Self::Http(HttpBinding {
            url: url.into(),
            headers: BTreeMap::new(),
            flavor: HttpFlavor::Auto,
        })
    }

    /// A stdio binding without variables of its own, in the working directory of this process.
    pub fn from_command(
        command: impl Into<String>,
        args: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let args = args.into_iter().map(Into::into).collect();
        Self::Stdio(StdioBinding { command: command.into(), args, env: BTreeMap::new(), cwd: None })
    }

    /// The transport as reports spell it.
    pub const fn transport(&self) -> TransportKind {
        match self {
            Self::Stdio(_) => TransportKind::Stdio,
            Self::Http(_) => TransportKind::Http,
        }
    }

    /// Every value that must never reach a document: header and variable values whose name or shape marks a
    /// credential, credentials in arguments and in the url. Longest first, so that a value that contains another is
    /// replaced whole.
    pub fn secrets(&self) -> Vec<String> {
        secret::secrets_of(self)
    }
}

impl fmt::Debug for ServerBinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdio(stdio) => stdio.fmt(f),
            Self::Http(http) => http.fmt(f),
        }
    }
}

impl fmt::Debug for StdioBinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StdioBinding")
            .field("command", &self.command)
            .field("args", &self.args.len())
            .field("env", &self.env.keys().collect::<Vec<_>>())
            .field("cwd", &self.cwd)
            .finish()
    }
}

impl fmt::Debug for HttpBinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpBinding")
            .field("host", &crate::network::host_of(&self.url))
            .field("headers", &self.headers.keys().collect::<Vec<_>>())
            .field("flavor", &self.flavor)
            .finish()
    }
}
