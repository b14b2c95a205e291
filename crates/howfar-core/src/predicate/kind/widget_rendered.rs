//! `widgetRendered` (predicates 6.13).

use super::widget::{nothing_rendered, rendered, renders, statuses};
use super::{Check, Compiled};
use crate::predicate::evidence::{Evidence, ToolScope};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;

#[derive(Debug)]
struct WidgetRendered(ToolScope);

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    Ok(Box::new(WidgetRendered(fields.scope())))
}

impl Check for WidgetRendered {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let renders = renders(evidence, &self.0);
        let all = renders.len();
        match (all, rendered(&renders).len()) {
            (0, _) => Outcome::fail(nothing_rendered(&self.0)),
            (_, 0) => Outcome::fail(format!(
                "no widget rendered across {all} observation(s); statuses: {}",
                statuses(&renders)
            )),
            (_, good) => Outcome::pass(format!("widget rendered ({good}/{all} observation(s))")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn statuses_are_named_when_nothing_rendered() {
        let row = |status| json!({"toolName": "t", "status": status, "elapsedMs": 1});
        let rows = json!([row("mount_failed"), row("render_error"), row("mount_failed")]);
        assert_eq!(
            outcome(&json!({"type": "widgetRendered"}), json!({"renderObservations": rows})),
            "fail: no widget rendered across 3 observation(s); statuses: mount_failed, render_error"
        );
    }
}
