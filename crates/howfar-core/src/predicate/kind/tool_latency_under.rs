//! `toolLatencyUnder` (predicates 6.10).

use howfar_wire::canon::f64_text;
use howfar_wire::transcript::ToolCallTiming;

use super::{Check, Compiled};
use crate::number::integer_at_least;
use crate::predicate::evidence::{EmptyScope, Evidence, TIMINGS, ToolScope, coverage_note};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::template_text;

#[derive(Debug)]
struct ToolLatencyUnder {
    scope: ToolScope,
    /// The budget in milliseconds.
    ms: i64,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    let authored = fields.get("ms");
    let ms = authored.and_then(|value| integer_at_least(value, 1)).ok_or_else(|| {
        let shown = template_text(authored);
        Outcome::fail(format!("toolLatencyUnder requires a positive integer ms, got {shown}"))
    })?;
    Ok(Box::new(ToolLatencyUnder { scope: fields.scope(), ms }))
}

impl Check for ToolLatencyUnder {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let Self { scope, ms } = self;
        let timings = evidence.timings(scope);
        let Some(slowest) = slowest(&timings) else { return self.nothing_timed(evidence) };
        let timed = timings.len();
        let calls = evidence.call_count(scope);
        let (tool, took) = (&slowest.tool_name, f64_text(slowest.duration_ms));
        if slowest.duration_ms < *ms as f64 {
            let gap = if timed < calls {
                Some(format!("only {timed} of {calls} observed call(s) were timed"))
            } else {
                evidence.capture_gap(TIMINGS)
            };
            return match gap {
                Some(gap) => Outcome::error(format!(
                    "the slowest call read took {took}ms, under {ms}ms, but {gap}; a slower one may not have been read"
                )),
                None => Outcome::pass(format!(
                    "{timed} call(s) under {ms}ms (slowest \"{tool}\" at {took}ms)"
                )),
            };
        }
        let over = timings.iter().filter(|timing| timing.duration_ms >= *ms as f64).count();
        Outcome::fail(format!(
            "\"{tool}\" took {took}ms, not under {ms}ms ({over}/{timed} call(s) over budget){}",
            coverage_note(timed, calls),
        ))
    }
}

impl ToolLatencyUnder {
    fn nothing_timed(&self, evidence: Evidence<'_>) -> Outcome {
        let Self { scope, ms } = self;
        match evidence.empty_scope(TIMINGS, scope) {
            EmptyScope::Unscored(reason) => {
                Outcome::error(format!("{reason}; cannot verify latency < {ms}ms"))
            }
            EmptyScope::ScoredAbsence => Outcome::pass(format!(
                "no calls to {}; latency budget {ms}ms not exercised",
                scope.label()
            )),
        }
    }
}

/// The first of the longest.
fn slowest<'a>(timings: &[&'a ToolCallTiming]) -> Option<&'a ToolCallTiming> {
    timings.iter().copied().reduce(|slowest, timing| {
        if timing.duration_ms > slowest.duration_ms { timing } else { slowest }
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    fn check(durations: &[u32], calls: usize, capture: &str) -> String {
        let timing = |ms| json!({"toolName": "t", "durationMs": ms, "provenance": "span"});
        let transcript = json!({
            "toolCalls": vec![json!({"toolName": "t"}); calls],
            "toolCallTimings": durations.iter().map(timing).collect::<Vec<_>>(),
            "capture": {"toolCallTimings": capture},
        });
        outcome(&json!({"type": "toolLatencyUnder", "ms": 50}), transcript)
    }

    #[test]
    fn one_slow_call_is_proof() {
        assert_eq!(
            check(&[10, 60], 3, "partial"),
            "fail: \"t\" took 60ms, not under 50ms (1/2 call(s) over budget) (2 of 3 observed call(s) measured)"
        );
    }

    #[test]
    fn fast_calls_are_proof_only_when_all_were_timed() {
        assert_eq!(
            check(&[10], 1, "complete"),
            "pass: 1 call(s) under 50ms (slowest \"t\" at 10ms)"
        );
        assert!(check(&[10], 2, "complete").contains("only 1 of 2 observed call(s) were timed"));
        assert!(check(&[10], 1, "partial").contains("the capture is incomplete"));
    }

    #[test]
    fn no_calls_leave_the_budget_unused() {
        assert!(check(&[], 0, "complete").starts_with("pass: no calls to any tool; latency"));
        assert!(check(&[], 0, "absent").starts_with("error: no per-call timings captured"));
    }
}
