//! What the three kinds about widget renders share (predicates 6.13). All of them fail closed.

use howfar_wire::Vocabulary as _;
use howfar_wire::transcript::{RenderObservation, RenderStatus};

use crate::predicate::evidence::{Evidence, ToolScope};
use crate::predicate::text::{first_shown, more_in_list};

/// The render observations in scope.
pub(super) fn renders<'a>(evidence: Evidence<'a>, scope: &ToolScope) -> Vec<&'a RenderObservation> {
    evidence.transcript.renders().iter().filter(|row| scope.covers(&row.tool_name)).collect()
}

/// Those that rendered.
pub(super) fn rendered<'a>(renders: &[&'a RenderObservation]) -> Vec<&'a RenderObservation> {
    renders.iter().copied().filter(|row| row.status == RenderStatus::Rendered).collect()
}

/// The words for an empty scope.
pub(super) fn nothing_rendered(scope: &ToolScope) -> String {
    match scope.tool_name() {
        None => "no widget render observations recorded".to_owned(),
        Some(_) => format!("no widget render observations recorded for {}", scope.label()),
    }
}

/// The distinct statuses, in the order in which they were first seen.
pub(super) fn statuses(renders: &[&RenderObservation]) -> String {
    let mut seen: Vec<&str> = Vec::new();
    for row in renders {
        let status = row.status.as_str();
        if !seen.contains(&status) {
            seen.push(status);
        }
    }
    format!("{}{}", first_shown(&seen, ", "), more_in_list(seen.len()))
}
