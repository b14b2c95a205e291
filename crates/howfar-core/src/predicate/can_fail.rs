//! Whether a case can fail at all: its checks graded against an empty answer (predicates, section 13).

use howfar_wire::Vocabulary as _;
use howfar_wire::predicate::{EffectiveRole, PredicateRow, RowScope};
use howfar_wire::transcript::{Capture, CaptureState, Transcript, Usage};
use howfar_wire::vocabulary::PredicateKind;
use serde_json::Value;

use super::check::{EvaluationContext, Predicate};
use super::list::{TurnChecks, evaluate_all, evaluate_turns};

/// What a case is graded by.
#[derive(Debug, Clone, Copy, Default)]
pub struct CaseGraders<'a> {
    /// Whether any call at all fails the case.
    pub is_negative_test: bool,
    /// How many calls are expected.
    pub expected_tool_calls: usize,
    /// The checks of the case.
    pub predicates: &'a [Predicate],
    /// The checks of its turns: the turn's index and its checks.
    pub turn_checks: &'a [(u64, Vec<Predicate>)],
    /// The number of user turns; 1 when the case does not say.
    pub user_turns: u64,
    /// The names of required graders that run outside, such as a judge.
    pub external: &'a [String],
}

/// What a required judge of goal completion is called among [`CaseGraders::external`].
pub const REQUIRED_JUDGE: &str = "required goal-completion judge";

/// Whether a case can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CanFail {
    /// Failing on an empty answer is not the question.
    NotApplicable,
    /// An empty answer fails.
    CanFail,
    /// Something cannot be graded without an answer.
    CannotTell,
    /// An empty answer passes.
    Vacuous,
}

impl CanFail {
    /// The spelling in documents.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotApplicable => "not_applicable",
            Self::CanFail => "can_fail",
            Self::CannotTell => "cannot_tell",
            Self::Vacuous => "vacuous",
        }
    }
}

/// The answer with its reason.
#[derive(Debug, Clone, PartialEq)]
pub struct CanFailReport {
    /// Whether the case can fail.
    pub verdict: CanFail,
    /// Why.
    pub reason: String,
    /// What cannot be graded without an answer.
    pub unmeasured: Vec<String>,
    /// The rows of every gating check over an empty answer.
    pub rows: Vec<PredicateRow>,
}

/// Grades a case against an empty answer.
pub fn case_can_fail(case: &CaseGraders<'_>) -> CanFailReport {
    let rows = gating_rows(case);
    let (failed, unmeasured) = sorted_out(&rows, case.external);
    let all: Vec<String> = rows.iter().map(label).collect();
    let (verdict, reason) = if case.is_negative_test {
        let reason = "negative test: passing with no tool calls is its design".to_owned();
        (CanFail::NotApplicable, reason)
    } else if case.expected_tool_calls > 0 {
        let calls = case.expected_tool_calls;
        (CanFail::CanFail, format!("an empty answer misses {calls} expected tool call(s)"))
    } else if !failed.is_empty() {
        (CanFail::CanFail, format!("an empty answer fails {}", failed.join(", ")))
    } else if !unmeasured.is_empty() {
        let list = unmeasured.join(", ");
        let reason =
            format!("no check fails on an empty answer, but {list} cannot be graded without one");
        (CanFail::CannotTell, reason)
    } else if rows.is_empty() {
        let reason =
            "the case has no gating check and no expected tool call, so an empty answer passes";
        (CanFail::Vacuous, reason.to_owned())
    } else {
        let reason = format!("an empty answer passes every gating check ({})", all.join(", "));
        (CanFail::Vacuous, reason)
    };
    CanFailReport { verdict, reason, unmeasured, rows }
}

fn gating_rows(case: &CaseGraders<'_>) -> Vec<PredicateRow> {
    let context = EvaluationContext::new();
    let answer = empty_answer(case.user_turns);
    let turns: Vec<TurnChecks<'_>> = case
        .turn_checks
        .iter()
        .map(|(prompt_index, checks)| TurnChecks {
            prompt_index: *prompt_index,
            checks,
            transcript: &answer,
        })
        .collect();
    let mut rows = evaluate_all(case.predicates, &answer, &context);
    rows.extend(evaluate_turns(&turns, &context));
    rows.retain(|row| row.role() == EffectiveRole::Gating);
    rows
}

/// The rows that an empty answer fails, and what cannot be graded without an answer.
fn sorted_out(rows: &[PredicateRow], external: &[String]) -> (Vec<String>, Vec<String>) {
    let mut failed = Vec::new();
    let mut unmeasured = Vec::new();
    for row in rows {
        if row.is_error() || !is_fed(row) {
            unmeasured.push(label(row));
        } else if !row.passed {
            failed.push(label(row));
        }
    }
    unmeasured.extend_from_slice(external);
    (failed, unmeasured)
}

fn label(row: &PredicateRow) -> String {
    let kind = row.kind_text().unwrap_or_default();
    match row.scope {
        Some(RowScope::Turn { prompt_index }) => format!("{kind} (turn {})", prompt_index + 1),
        None => kind.to_owned(),
    }
}

/// Whether an empty answer holds everything that the row's kind reads. Catalogs, renders and timings come from
/// elsewhere.
fn is_fed(row: &PredicateRow) -> bool {
    let Some(kind) = row.kind_text().and_then(PredicateKind::from_wire) else { return true };
    !matches!(
        kind,
        PredicateKind::ToolDescriptionsPresent
            | PredicateKind::ToolAnnotationsPresent
            | PredicateKind::ToolNamesUnique
            | PredicateKind::NoDeprecatedToolExposed
            | PredicateKind::ToolInputSchemasWellFormed
            | PredicateKind::ToolOutputSchemasPresent
            | PredicateKind::WidgetRendered
            | PredicateKind::WidgetRenderLatencyUnder
            | PredicateKind::WidgetNoConsoleErrors
            | PredicateKind::ToolLatencyUnder
            | PredicateKind::ArgumentsMatchToolSchema
            | PredicateKind::NoDeprecatedToolCalled
            | PredicateKind::NoDestructiveToolCalled
    )
}

fn empty_answer(user_turns: u64) -> Transcript {
    let complete = CaptureState::Complete;
    Transcript {
        tool_calls: Vec::new(),
        tool_errors: Some(Vec::new()),
        final_assistant_message: Some(String::new()),
        usage: Some(Usage {
            input_tokens: Some(0.0),
            output_tokens: Some(0.0),
            total_tokens: Some(0.0),
        }),
        render_observations: None,
        turn_count: Some(Value::from(user_turns)),
        tool_results: Some(Vec::new()),
        tool_call_timings: Some(Vec::new()),
        tool_inventory: Some(Vec::new()),
        tool_declarations: Some(Vec::new()),
        capture: Some(Capture {
            tool_results: complete,
            tool_call_timings: complete,
            tool_inventory: complete,
            tool_declarations: Some(complete),
        }),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn report(checks: Value, external: &[String]) -> CanFailReport {
        let predicates: Vec<Predicate> =
            checks.as_array().into_iter().flatten().map(Predicate::compile).collect();
        case_can_fail(&CaseGraders {
            predicates: &predicates,
            external,
            user_turns: 1,
            ..CaseGraders::default()
        })
    }

    #[test]
    fn a_check_that_nothing_can_fail_is_vacuous() {
        let report = report(json!([{"type": "noToolErrors"}]), &[]);
        assert_eq!(report.verdict, CanFail::Vacuous);
        assert_eq!(report.reason, "an empty answer passes every gating check (noToolErrors)");
    }

    #[test]
    fn advisory_checks_do_not_count() {
        let checks = json!([{"type": "finalAssistantMessageNonEmpty", "role": "advisory"}]);
        assert!(report(checks, &[]).reason.starts_with("the case has no gating check"));
    }

    #[test]
    fn a_required_judge_leaves_it_open() {
        assert_eq!(report(json!([]), &[REQUIRED_JUDGE.to_owned()]).verdict, CanFail::CannotTell);
    }
}
