//! `toolResultSizeUnder` (predicates 6.10).

use howfar_wire::canon::f64_text;
use howfar_wire::transcript::{ResultSize, ToolResultRow};

use super::{Check, Compiled};
use crate::predicate::evidence::{EmptyScope, Evidence, RESULTS, ToolScope, coverage_note};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::{grouped, grouped_f64};

#[derive(Debug)]
struct ToolResultSizeUnder {
    scope: ToolScope,
    max_bytes: f64,
}

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    Ok(Box::new(ToolResultSizeUnder {
        scope: fields.scope(),
        max_bytes: fields.required_number("maxBytes")?,
    }))
}

impl Check for ToolResultSizeUnder {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        let Self { scope, max_bytes } = self;
        let results = evidence.results(scope);
        if results.is_empty() {
            return self.nothing_returned(evidence);
        }
        let sizes: Vec<(&ToolResultRow, ResultSize)> = results
            .iter()
            .filter_map(|row| row.size.filter(|size| size.complete).map(|size| (*row, size)))
            .collect();
        if let Some(unmeasured) = self.unmeasured(&results, sizes.len()) {
            return unmeasured;
        }
        let (row, size) = sizes
            .into_iter()
            .reduce(|largest, other| if other.1.bytes > largest.1.bytes { other } else { largest })
            .expect("results is not empty and each has a size");
        let held = (size.bytes as f64) < *max_bytes;
        let (bytes, max) = (grouped(size.bytes), grouped_f64(*max_bytes));
        if let Some(gap) = evidence.capture_gap(RESULTS).filter(|_| held) {
            return Outcome::error(format!(
                "the largest result read is {bytes} bytes, under {max}, but {gap}; a larger one may not have been read"
            ));
        }
        let (head, verb) = if held { ("largest result", "under") } else { ("result", "not under") };
        let tokens = grouped(size.bytes.div_ceil(4));
        let coverage = coverage_note(results.len(), evidence.call_count(scope));
        Outcome::scored(
            held,
            format!(
                "{head} \"{}\" is {bytes} bytes ({}, ≈{tokens} tokens (estimate)), {verb} {max}{coverage}",
                row.tool_name, size.basis,
            ),
        )
    }
}

impl ToolResultSizeUnder {
    fn nothing_returned(&self, evidence: Evidence<'_>) -> Outcome {
        let max = f64_text(self.max_bytes);
        match evidence.empty_scope(RESULTS, &self.scope) {
            EmptyScope::Unscored(reason) => {
                Outcome::error(format!("{reason}; cannot verify size < {max} bytes"))
            }
            EmptyScope::ScoredAbsence => Outcome::pass(format!(
                "no results from {}; size budget {max} bytes not exercised",
                self.scope.label()
            )),
        }
    }

    fn unmeasured(&self, results: &[&ToolResultRow], measured: usize) -> Option<Outcome> {
        let first = results.iter().find(|row| !row.size.is_some_and(|size| size.complete))?;
        Some(Outcome::error(format!(
            "{}/{} result(s) carry no complete size measurement (first: \"{}\"); cannot verify size < {} bytes",
            results.len() - measured,
            results.len(),
            first.tool_name,
            f64_text(self.max_bytes),
        )))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;

    fn check(bytes: &[u64], capture: &str) -> String {
        let row = |bytes: &u64| {
            let size = json!({"bytes": bytes, "basis": "raw_result", "complete": *bytes > 0});
            json!({"toolName": "t", "size": size})
        };
        let transcript = json!({
            "toolResults": bytes.iter().map(row).collect::<Vec<_>>(),
            "capture": {"toolResults": capture},
        });
        outcome(&json!({"type": "toolResultSizeUnder", "maxBytes": 2000}), transcript)
    }

    #[test]
    fn the_largest_result_decides() {
        assert_eq!(
            check(&[5, 2001], "partial"),
            "fail: result \"t\" is 2,001 bytes (raw_result, ≈501 tokens (estimate)), not under 2,000"
        );
    }

    #[test]
    fn a_result_without_measurement_is_no_pass() {
        assert!(check(&[0, 5], "complete").starts_with("error: 1/2 result(s) carry no complete"));
    }
}
