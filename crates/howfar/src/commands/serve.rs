//! `howfar serve`: the dashboard and the JSON API over the stored runs.

use std::net::SocketAddr;

use howfar_server::read::Source;
use howfar_server::web::{Access, AccessError, App, BindError, Bound};
use howfar_wire::vocabulary::ExitCode;
use serde_json::json;

use super::stored::store_path;
use crate::cli::{Format, ServeArgs};
use crate::error::CommandError;
use crate::output;

pub(crate) fn run(args: &ServeArgs) -> Result<ExitCode, CommandError> {
    let source = Source::new(store_path(&args.store)?);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        CommandError::new(ExitCode::Setup, format!("cannot start the runtime: {error}"))
    })?;
    runtime.block_on(serve(args, source))?;
    Ok(ExitCode::Success)
}

async fn serve(args: &ServeArgs, source: Source) -> Result<(), CommandError> {
    let asked = SocketAddr::new(args.bind, args.port);
    let token = args.token.as_deref().filter(|token| !token.is_empty());
    // Nothing listens before it is known who may ask, and nothing is served that cannot be read.
    Access::new(asked, token)?;
    source.store().await?;
    let bound = Bound::to(asked).await?;
    let access = Access::new(bound.address(), token)?;
    tell(args, &source, &bound)?;
    let app = App::new(source, jiff::tz::TimeZone::system(), access);
    let end = end_signal()?;
    bound.serve(app, end).await.map_err(|error| {
        CommandError::new(ExitCode::Setup, format!("the dashboard broke off: {error}"))
    })
}

/// Says where the dashboard is, and what is missing.
fn tell(args: &ServeArgs, source: &Source, bound: &Bound) -> Result<(), CommandError> {
    let (url, store) = (bound.url(), source.path().display().to_string());
    output::say(&format!("The dashboard is at {url} until Ctrl-C."));
    if args.token.as_deref().is_some_and(|token| !token.is_empty()) {
        output::say(&format!("A browser lets itself in with {url}login?token=TOKEN."));
    }
    if !source.is_there() {
        output::say(&format!(
            "Nothing is stored at {store} yet; `howfar run SUITE` records a run."
        ));
    }
    match args.format {
        Some(Format::Json) => {
            output::json(&json!({ "kind": "serving", "url": url, "store": store }))
        }
        Some(Format::Human) | None => Ok(()),
    }
}

/// Ends when the user or the system asks for it.
fn end_signal() -> Result<impl Future<Output = ()> + Send + 'static, CommandError> {
    #[cfg(unix)]
    let mut terminate = {
        use tokio::signal::unix::{SignalKind, signal};
        signal(SignalKind::terminate()).map_err(no_signals)?
    };
    Ok(async move {
        #[cfg(unix)]
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        #[cfg(not(unix))]
        let _ = tokio::signal::ctrl_c().await;
    })
}

#[cfg(unix)]
fn no_signals(error: std::io::Error) -> CommandError {
    CommandError::new(ExitCode::Setup, format!("cannot wait for signals: {error}"))
}

impl From<AccessError> for CommandError {
    fn from(error: AccessError) -> Self {
        let message = error.to_string();
        match error {
            AccessError::TokenMissing { .. } => {
                Self::usage(message).hint("set HOWFAR_TOKEN to one, or leave --bind out")
            }
            AccessError::TokenTooShort | AccessError::TokenNotText => {
                Self::usage(message).hint("`openssl rand -hex 16` makes one")
            }
        }
    }
}

impl From<BindError> for CommandError {
    fn from(error: BindError) -> Self {
        let message = error.to_string();
        match error {
            BindError::InUse { .. } => Self::new(ExitCode::Setup, message)
                .hint("--port N names another port, and --port 0 takes any free one"),
            BindError::Refused { .. } => {
                Self::new(ExitCode::Setup, message).hint("--bind ADDRESS names another address")
            }
        }
    }
}
