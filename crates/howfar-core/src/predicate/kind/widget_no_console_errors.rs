//! `widgetNoConsoleErrors` (predicates 6.13).

use howfar_wire::transcript::RenderObservation;

use super::widget::{nothing_rendered, renders};
use super::{Check, Compiled};
use crate::predicate::evidence::{Evidence, ToolScope};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::{MESSAGE_CAP, scrubbed};

#[derive(Debug)]
struct WidgetNoConsoleErrors(ToolScope);

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    Ok(Box::new(WidgetNoConsoleErrors(fields.scope())))
}

impl Check for WidgetNoConsoleErrors {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let renders = renders(evidence, &self.0);
        if renders.is_empty() {
            let nothing = nothing_rendered(&self.0);
            return Outcome::fail(format!("{nothing}; cannot verify console errors"));
        }
        let all = renders.len();
        let errors: Vec<&String> = renders.iter().flat_map(|row| console_errors(row)).collect();
        let Some(first) = errors.first() else {
            return Outcome::pass(format!("no console errors across {all} observation(s)"));
        };
        let erring = renders.iter().filter(|row| !console_errors(row).is_empty()).count();
        Outcome::fail(format!(
            "{} console error(s) across {erring}/{all} observation(s); first: {}",
            errors.len(),
            scrubbed(first, MESSAGE_CAP),
        ))
    }
}

fn console_errors(row: &RenderObservation) -> &[String] {
    row.console_errors.as_deref().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn errors_of_unrendered_widgets_count() {
        let rows = json!([
            {"toolName": "t", "status": "rendered", "elapsedMs": 1},
            {"toolName": "t", "status": "mount_failed", "elapsedMs": 1, "consoleErrors": ["boom", "x"]},
        ]);
        assert_eq!(
            outcome(&json!({"type": "widgetNoConsoleErrors"}), json!({"renderObservations": rows})),
            "fail: 2 console error(s) across 1/2 observation(s); first: boom"
        );
    }
}
