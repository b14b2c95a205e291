//! Lists of checks: the case, its turns, the gate and the verdict (predicates, section 8).

use howfar_wire::canon::is_blank;
use howfar_wire::predicate::{EffectiveRole, PredicateRow, RowScope};
use howfar_wire::transcript::Transcript;

use super::check::{EvaluationContext, Predicate, evaluate};

/// The rows of a list of checks, in authored order.
pub fn evaluate_all(
    predicates: &[Predicate],
    transcript: &Transcript,
    context: &EvaluationContext,
) -> Vec<PredicateRow> {
    predicates.iter().map(|predicate| evaluate(predicate, transcript, context)).collect()
}

/// The checks that were authored on one prompt turn, with the turn's slice of the transcript.
#[derive(Debug, Clone, Copy)]
pub struct TurnChecks<'a> {
    /// The turn's index, from 0.
    pub prompt_index: u64,
    /// The authored checks.
    pub checks: &'a [Predicate],
    /// The calls, errors, answer, use and renders of the turn alone.
    pub transcript: &'a Transcript,
}

/// The rows of checks that were authored on turns, each tagged with its turn. Kinds that cannot be scoped to a turn, and
/// unknown ones, are dropped.
pub fn evaluate_turns(turns: &[TurnChecks<'_>], context: &EvaluationContext) -> Vec<PredicateRow> {
    let mut rows = Vec::new();
    for turn in turns {
        let scopable = turn
            .checks
            .iter()
            .filter(|check| check.kind().is_some_and(|kind| kind.is_turn_scopable()));
        rows.extend(scopable.map(|check| PredicateRow {
            scope: Some(RowScope::Turn { prompt_index: turn.prompt_index }),
            ..evaluate(check, turn.transcript, context)
        }));
    }
    rows
}

/// Whether every row passed or is advisory. A gating row that could not be measured does not pass the gate, although it
/// fails no link.
pub fn gate_passes(rows: &[PredicateRow]) -> bool {
    rows.iter().all(|row| match row.role() {
        EffectiveRole::Advisory => true,
        EffectiveRole::Gating => row.passed,
    })
}

/// What decides whether a trial's case passed.
#[derive(Debug, Clone, Copy)]
pub struct CaseVerdictInput<'a> {
    /// What the tool-call matcher found.
    pub match_passed: bool,
    /// The rows of every check.
    pub rows: &'a [PredicateRow],
    /// Whether a tool failure or an error of the trial fails the case.
    pub fail_on_tool_error: bool,
    /// The trial's error text, where it has one.
    pub iteration_error: Option<&'a str>,
    /// Whether the trace shows a tool failure.
    pub trace_failed: bool,
}

/// Whether the case passed.
pub fn case_passes(input: &CaseVerdictInput<'_>) -> bool {
    if !gate_passes(input.rows) {
        return false;
    }
    if !input.fail_on_tool_error {
        return input.match_passed;
    }
    let errored = input.iteration_error.is_some_and(|error| !is_blank(error));
    !errored && !input.trace_failed && input.match_passed
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn rows(checks: serde_json::Value) -> Vec<PredicateRow> {
        let checks: Vec<Predicate> =
            checks.as_array().into_iter().flatten().map(Predicate::compile).collect();
        evaluate_all(&checks, &Transcript::default(), &EvaluationContext::new())
    }

    #[test]
    fn an_unmeasured_gating_row_does_not_pass_the_gate() {
        assert!(!gate_passes(&rows(json!([{"type": "argumentsMatchToolSchema"}]))));
        assert!(gate_passes(&rows(
            json!([{"type": "argumentsMatchToolSchema", "role": "advisory"}])
        )));
        assert!(gate_passes(&[]));
    }

    #[test]
    fn checks_of_a_turn_are_tagged_and_case_wide_kinds_dropped() {
        let checks = [
            Predicate::compile(&json!({"type": "turnCountUnder", "turns": 1})),
            Predicate::compile(&json!({"type": "noToolErrors"})),
        ];
        let transcript = Transcript::default();
        let turn = TurnChecks { prompt_index: 3, checks: &checks, transcript: &transcript };
        let rows = evaluate_turns(&[turn], &EvaluationContext::new());
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].scope, Some(RowScope::Turn { prompt_index: 3 }));
    }

    #[test]
    fn a_tool_failure_fails_the_case_unless_switched_off() {
        let input = CaseVerdictInput {
            match_passed: true,
            rows: &[],
            fail_on_tool_error: true,
            iteration_error: Some(" "),
            trace_failed: true,
        };
        assert!(!case_passes(&input));
        assert!(case_passes(&CaseVerdictInput { fail_on_tool_error: false, ..input }));
        assert!(case_passes(&CaseVerdictInput { trace_failed: false, ..input }));
    }
}
