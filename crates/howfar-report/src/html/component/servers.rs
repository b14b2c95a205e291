//! The servers of a run: how each was set up.

use askama::Template;
use howfar_wire::report::ServerReport;
use howfar_wire::vocabulary::Vocabulary as _;

use super::LongText;
use crate::story::setup::what_failed;
use crate::text::count;

/// A list of servers, one line each, with the error of one that could not be set up.
#[derive(Debug, Template)]
#[template(path = "component/servers.html")]
pub struct ServerList<'a> {
    servers: Vec<Server<'a>>,
}

#[derive(Debug)]
struct Server<'a> {
    name: &'a str,
    /// What failed of its set-up; absent when nothing did.
    failed: Option<&'static str>,
    facts: String,
    error: Option<LongText<'a>>,
}

impl<'a> ServerList<'a> {
    /// The servers of a run.
    pub fn new(servers: &'a [ServerReport]) -> Self {
        Self { servers: servers.iter().map(Server::new).collect() }
    }
}

impl<'a> Server<'a> {
    fn new(server: &'a ServerReport) -> Self {
        Self {
            name: &server.name,
            failed: what_failed(server),
            facts: facts(server),
            error: server.error.as_deref().map(LongText::new),
        }
    }
}

/// "howfar-demo-shop 0.1.0 · stdio, bound by --command · protocol 2025-11-25 · 3 usable tools".
fn facts(server: &ServerReport) -> String {
    let mut facts: Vec<String> = Vec::new();
    facts.extend(server.server_info.clone());
    facts.push(format!("{}, bound by {}", server.transport, server.source));
    facts.extend(server.protocol_version.as_ref().map(|version| format!("protocol {version}")));
    facts.push(match server.tools {
        Some(tools) => count(tools, "usable tool"),
        None => "tools not measured".to_owned(),
    });
    facts.extend(server.attribution.map(|side| format!("the error points at {}", side.label())));
    facts.join(" · ")
}
