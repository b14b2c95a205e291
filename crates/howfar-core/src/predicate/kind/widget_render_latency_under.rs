//! `widgetRenderLatencyUnder` (predicates 6.13).

use howfar_wire::canon::f64_text;

use super::widget::{nothing_rendered, rendered, renders, statuses};
use super::{Check, Compiled};
use crate::number::integer_at_least;
use crate::predicate::evidence::{Evidence, ToolScope};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::template_text;

#[derive(Debug)]
struct WidgetRenderLatencyUnder {
    scope: ToolScope,
    /// The budget in milliseconds.
    ms: i64,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let authored = fields.get("ms");
    let ms = authored.and_then(|value| integer_at_least(value, 1)).ok_or_else(|| {
        let shown = template_text(authored);
        Outcome::fail(format!("invalid ms {shown}; expected a positive integer ≥ 1"))
    })?;
    Ok(Box::new(WidgetRenderLatencyUnder { scope: fields.scope(), ms }))
}

impl Check for WidgetRenderLatencyUnder {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let Self { scope, ms } = self;
        let renders = renders(evidence, scope);
        if renders.is_empty() {
            let nothing = nothing_rendered(scope);
            return Outcome::fail(format!("{nothing}; cannot verify render latency < {ms}ms"));
        }
        let rendered = rendered(&renders);
        let Some(slowest) = rendered.iter().map(|row| row.elapsed_ms).reduce(f64::max) else {
            return Outcome::fail(format!(
                "no widget rendered; cannot verify render latency < {ms}ms; statuses: {}",
                statuses(&renders)
            ));
        };
        let (all, took) = (rendered.len(), f64_text(slowest));
        if slowest < *ms as f64 {
            return Outcome::pass(format!(
                "all {all} rendered widget(s) under {ms}ms (slowest {took}ms)"
            ));
        }
        let over = rendered.iter().filter(|row| row.elapsed_ms >= *ms as f64).count();
        Outcome::fail(format!(
            "widget render took {took}ms, not under {ms}ms ({over}/{all} rendered widget(s) over budget)"
        ))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    #[test]
    fn only_rendered_widgets_are_timed() {
        let row = |status, ms: u32| json!({"toolName": "t", "status": status, "elapsedMs": ms});
        let rows = json!([row("mount_failed", 900), row("rendered", 10)]);
        assert_eq!(
            outcome(
                &json!({"type": "widgetRenderLatencyUnder", "ms": 50}),
                json!({"renderObservations": rows})
            ),
            "pass: all 1 rendered widget(s) under 50ms (slowest 10ms)"
        );
    }
}
