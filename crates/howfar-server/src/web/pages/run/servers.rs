//! The servers of a run: how each was set up.

use howfar_report::html::component::LongText;
use howfar_report::words::what_failed;
use howfar_wire::report::ServerReport;
use howfar_wire::vocabulary::Vocabulary as _;

/// One server.
pub(super) struct Server<'a> {
    pub(super) name: &'a str,
    /// What failed of its set-up; absent when nothing did.
    pub(super) failed: Option<&'static str>,
    pub(super) facts: String,
    pub(super) error: Option<LongText<'a>>,
}

impl<'a> Server<'a> {
    pub(super) fn new(server: &'a ServerReport) -> Self {
        let mut facts: Vec<String> = Vec::new();
        facts.extend(server.server_info.clone());
        facts.push(format!("{}, bound by {}", server.transport, server.source));
        facts.extend(server.protocol_version.as_ref().map(|version| format!("protocol {version}")));
        facts.push(match server.tools {
            Some(1) => "1 usable tool".to_owned(),
            Some(tools) => format!("{tools} usable tools"),
            None => "tools not measured".to_owned(),
        });
        facts
            .extend(server.attribution.map(|side| format!("the error points at {}", side.label())));
        Self {
            name: &server.name,
            failed: what_failed(server),
            facts: facts.join(" · "),
            error: server.error.as_deref().map(LongText::new),
        }
    }
}
