//! One file per kind of check; [`compile`] registers each with one line.

mod arguments_match_tool_schema;
mod final_assistant_message_non_empty;
mod first_tool_was;
mod no_ending_question;
mod no_tool_errors;
mod only_tools_called;
mod response_contains;
mod response_matches;
mod tool_call_count_under;
mod tool_called_at_least_once;
mod tool_called_before;
mod tool_called_with;
mod tool_latency_under;
mod tool_never_called;
mod tool_result_contains;
mod tool_result_size_under;
mod turn_count_under;

use std::borrow::Cow;
use std::fmt::Debug;

use howfar_wire::vocabulary::PredicateKind;
use serde_json::Value;

use super::evidence::Evidence;
use super::fields::Fields;
use super::outcome::Outcome;

/// A compiled check of one kind.
pub(super) trait Check: Debug + Send + Sync {
    /// What the check says about one transcript.
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome;
}

/// A compiled check, or the outcome that it has on every transcript.
pub(super) type Compiled = Result<Box<dyn Check>, Outcome>;

/// Compiles a check of a known kind.
pub(super) fn compile(kind: PredicateKind, fields: Fields<'_>) -> Compiled {
    use PredicateKind as Kind;
    match kind {
        Kind::ToolCalledWith => tool_called_with::compile(fields),
        Kind::ToolCalledAtLeastOnce => tool_called_at_least_once::compile(fields),
        Kind::ToolNeverCalled => tool_never_called::compile(fields),
        Kind::OnlyToolsCalled => only_tools_called::compile(fields),
        Kind::FirstToolWas => first_tool_was::compile(fields),
        Kind::ResponseContains => response_contains::compile(fields),
        Kind::ResponseMatches => response_matches::compile(fields),
        Kind::NoToolErrors => no_tool_errors::compile(fields),
        Kind::FinalAssistantMessageNonEmpty => final_assistant_message_non_empty::compile(fields),
        Kind::TurnCountUnder => turn_count_under::compile(fields),
        Kind::NoEndingQuestion => no_ending_question::compile(fields),
        Kind::ToolLatencyUnder => tool_latency_under::compile(fields),
        Kind::ToolResultContains => tool_result_contains::compile(fields),
        Kind::ToolResultSizeUnder => tool_result_size_under::compile(fields),
        Kind::ArgumentsMatchToolSchema => arguments_match_tool_schema::compile(fields),
        Kind::ToolCallCountUnder => tool_call_count_under::compile(fields),
        Kind::ToolCalledBefore => tool_called_before::compile(fields),
        _ => Err(Outcome::malformed("not evaluated yet")),
    }
}

/// The check as its row repeats it (predicates 5.5).
pub(super) fn echoed(kind: PredicateKind, authored: &Value) -> Cow<'_, Value> {
    if kind == PredicateKind::ToolCalledWith {
        Cow::Owned(tool_called_with::echoed(authored))
    } else {
        Cow::Borrowed(authored)
    }
}

#[cfg(test)]
pub(super) mod testing {
    //! What the tests of every kind share.

    use howfar_wire::transcript::Transcript;
    use serde_json::Value;

    use crate::predicate::{EvaluationContext, Predicate, evaluate};

    /// `pass:`, `fail:` or `error:` and the reason of a check over a transcript.
    pub(crate) fn outcome(check: &Value, transcript: Value) -> String {
        let transcript: Transcript = serde_json::from_value(transcript).expect("a transcript");
        let row = evaluate(&Predicate::compile(check), &transcript, &EvaluationContext::new());
        let head = match (row.passed, row.is_error()) {
            (true, _) => "pass",
            (false, false) => "fail",
            (false, true) => "error",
        };
        format!("{head}: {}", row.reason)
    }
}
