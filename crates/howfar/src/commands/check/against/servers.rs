//! The servers of a suite, listed.

use std::path::Path;
use std::time::Duration;

use howfar_mcp::{BindingSources, BoundServer, Catalog, ConfigSource, ToolEntry, bind_servers};
use howfar_wire::live::{LiveFinding, LiveServer};
use howfar_wire::suite::Target;
use howfar_wire::vocabulary::LiveFindingCode;
use tokio::task::JoinSet;

use super::{did_you_mean, finding};
use crate::commands::live::{binding_error, block_on, list, server_names};
use crate::commands::run::config_sources;
use crate::error::CommandError;

/// The targets of a suite with what they list.
pub(super) struct Servers {
    /// The catalogs, in the order of the targets; `None` for a target that could not be listed.
    catalogs: Vec<(String, Option<Catalog>)>,
    pub(super) reports: Vec<LiveServer>,
    /// Targets that the configuration does not know.
    pub(super) findings: Vec<LiveFinding>,
}

/// Connects to every target that the configuration knows, all at once, and lists its tools.
///
/// # Errors
///
/// A configuration that cannot be read at all, and an interrupt. A server that cannot be reached is a result.
pub(super) fn list_servers(
    target: &Target,
    config: &Path,
    setup_timeout: Duration,
) -> Result<Servers, CommandError> {
    let configs = config_sources(Some(config));
    // Without a name to bind, only the file itself can be wrong.
    bind(&[], &configs).map_err(|errors| binding_error(&errors))?;
    let known = server_names(&configs);
    let mut servers = Servers { catalogs: Vec::new(), reports: Vec::new(), findings: Vec::new() };
    let mut bound: Vec<Option<BoundServer>> = Vec::new();
    for (at, server) in target.servers.iter().enumerate() {
        let mut report = LiveServer { name: server.name.clone(), tools: None, error: None };
        if known.contains(&server.name) {
            let binding = bind(std::slice::from_ref(&server.name), &configs);
            report.error = binding.as_ref().err().map(|errors| binding_error(errors).message());
            bound.push(binding.ok().and_then(|bound| bound.into_iter().next()));
        } else {
            let near = did_you_mean(&server.name, known.iter().map(String::as_str));
            let message = format!("{} has no server \"{}\"{near}", config.display(), server.name);
            let path = ["target".into(), "servers".into(), at.into(), "name".into()];
            servers.findings.push(finding(LiveFindingCode::ServerUnknown, &path, message));
            bound.push(None);
        }
        servers.reports.push(report);
    }
    let listed = block_on(list_all(bound, setup_timeout))?;
    for (report, listed) in servers.reports.iter_mut().zip(listed) {
        let catalog = match listed {
            Some(Ok(catalog)) => Some(catalog),
            Some(Err(error)) => {
                report.error = Some(error);
                None
            }
            None => None,
        };
        report.tools = catalog.as_ref().map(|catalog| catalog.tools.len());
        servers.catalogs.push((report.name.clone(), catalog));
    }
    Ok(servers)
}

fn bind(
    names: &[String],
    configs: &[ConfigSource],
) -> Result<Vec<BoundServer>, Vec<howfar_mcp::BindingError>> {
    let sources = BindingSources { servers: Vec::new(), single: None, configs: configs.to_vec() };
    bind_servers(names, &sources, &|name| std::env::var(name).ok())
}

/// One result per server, in order; `None` for one without a binding.
async fn list_all(
    bound: Vec<Option<BoundServer>>,
    setup_timeout: Duration,
) -> Vec<Option<Result<Catalog, String>>> {
    let mut results: Vec<_> = bound.iter().map(|_| None).collect();
    let mut listing = JoinSet::new();
    for (at, bound) in bound.into_iter().enumerate() {
        let Some(bound) = bound else { continue };
        listing.spawn(async move {
            let secrets = bound.binding.secrets();
            let listed = list(&bound, setup_timeout, &secrets).await;
            let catalog = match listed {
                Ok(listed) => {
                    listed.connection.shutdown().await;
                    Ok(listed.catalog)
                }
                Err(error) => Err(error),
            };
            (at, catalog)
        });
    }
    while let Some(joined) = listing.join_next().await {
        if let Ok((at, result)) = joined {
            results[at] = Some(result);
        }
    }
    results
}

impl Servers {
    /// The names of the targets.
    pub(super) fn targets(&self) -> impl Iterator<Item = &str> {
        self.catalogs.iter().map(|(name, _)| name.as_str())
    }

    pub(super) fn is_target(&self, name: &str) -> bool {
        self.targets().any(|target| target == name)
    }

    /// The tool of a server, or the first of this name.
    pub(super) fn tool(&self, server: Option<&str>, name: &str) -> Option<&ToolEntry> {
        self.catalogs_of(server).flat_map(|catalog| &catalog.tools).find(|tool| tool.name == name)
    }

    /// The names of a server's tools, or of all.
    pub(super) fn tool_names(&self, server: Option<&str>) -> impl Iterator<Item = &str> {
        self.catalogs_of(server).flat_map(|catalog| &catalog.tools).map(|tool| tool.name.as_str())
    }

    /// The first server that has a tool of this name.
    pub(super) fn owner_of(&self, name: &str) -> Option<&str> {
        let has = |catalog: &Catalog| catalog.tools.iter().any(|tool| tool.name == name);
        let owner = self.catalogs.iter().find(|(_, catalog)| catalog.as_ref().is_some_and(has));
        owner.map(|(name, _)| name.as_str())
    }

    /// Whether a server's listing, or every one, is there and whole.
    pub(super) fn are_complete(&self, server: Option<&str>) -> bool {
        let mut meant = self.catalogs.iter().filter(|(name, _)| server.is_none_or(|it| it == name));
        meant.all(|(_, catalog)| catalog.as_ref().is_some_and(|catalog| catalog.complete))
    }

    fn catalogs_of<'a>(&'a self, server: Option<&str>) -> impl Iterator<Item = &'a Catalog> {
        let meant: Vec<&Catalog> = self
            .catalogs
            .iter()
            .filter(|(name, _)| server.is_none_or(|server| server == name))
            .filter_map(|(_, catalog)| catalog.as_ref())
            .collect();
        meant.into_iter()
    }
}
