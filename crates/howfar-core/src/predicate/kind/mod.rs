//! One file per kind of check; [`compile`] registers each with one line.

mod arguments_match_tool_schema;
mod catalog;
mod final_assistant_message_non_empty;
mod first_tool_was;
mod full_page_has_continuation;
mod no_deprecated_tool_called;
mod no_deprecated_tool_exposed;
mod no_destructive_tool_called;
mod no_ending_question;
mod no_repeated_identical_call;
mod no_tool_errors;
mod only_tools_called;
mod response_close_to;
mod response_contains;
mod response_matches;
mod token_budget_under;
mod tool_annotations_present;
mod tool_call_count_under;
mod tool_called_at_least_once;
mod tool_called_before;
mod tool_called_with;
mod tool_descriptions_present;
mod tool_error_names_input;
mod tool_input_matches;
mod tool_input_schemas_well_formed;
mod tool_latency_under;
mod tool_names_unique;
mod tool_never_called;
mod tool_output_schemas_present;
mod tool_result_contains;
mod tool_result_matches;
mod tool_result_matches_schema;
mod tool_result_size_under;
mod turn_count_under;
mod widget;
mod widget_no_console_errors;
mod widget_render_latency_under;
mod widget_rendered;

use std::borrow::Cow;
use std::fmt::Debug;

use howfar_wire::vocabulary::PredicateKind;
use serde_json::Value;

use super::evidence::Evidence;
use super::fields::Fields;
use super::outcome::Outcome;

pub use no_ending_question::ends_with_question;

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
        Kind::ToolDescriptionsPresent => tool_descriptions_present::compile(fields),
        Kind::ToolAnnotationsPresent => tool_annotations_present::compile(fields),
        Kind::ToolNamesUnique => tool_names_unique::compile(fields),
        Kind::NoDeprecatedToolExposed => no_deprecated_tool_exposed::compile(fields),
        Kind::ToolInputSchemasWellFormed => tool_input_schemas_well_formed::compile(fields),
        Kind::ToolOutputSchemasPresent => tool_output_schemas_present::compile(fields),
        Kind::ToolCalledWith => tool_called_with::compile(fields),
        Kind::ToolCalledAtLeastOnce => tool_called_at_least_once::compile(fields),
        Kind::ToolNeverCalled => tool_never_called::compile(fields),
        Kind::OnlyToolsCalled => only_tools_called::compile(fields),
        Kind::FirstToolWas => first_tool_was::compile(fields),
        Kind::ResponseCloseTo => response_close_to::compile(fields),
        Kind::ResponseContains => response_contains::compile(fields),
        Kind::ResponseMatches => response_matches::compile(fields),
        Kind::NoToolErrors => no_tool_errors::compile(fields),
        Kind::FinalAssistantMessageNonEmpty => final_assistant_message_non_empty::compile(fields),
        Kind::TokenBudgetUnder => token_budget_under::compile(fields),
        Kind::WidgetRendered => widget_rendered::compile(fields),
        Kind::WidgetRenderLatencyUnder => widget_render_latency_under::compile(fields),
        Kind::WidgetNoConsoleErrors => widget_no_console_errors::compile(fields),
        Kind::TurnCountUnder => turn_count_under::compile(fields),
        Kind::NoEndingQuestion => no_ending_question::compile(fields),
        Kind::ToolLatencyUnder => tool_latency_under::compile(fields),
        Kind::ToolResultContains => tool_result_contains::compile(fields),
        Kind::ToolResultMatchesSchema => tool_result_matches_schema::compile(fields),
        Kind::ToolResultSizeUnder => tool_result_size_under::compile(fields),
        Kind::ArgumentsMatchToolSchema => arguments_match_tool_schema::compile(fields),
        Kind::NoRepeatedIdenticalCall => no_repeated_identical_call::compile(fields),
        Kind::ToolCallCountUnder => tool_call_count_under::compile(fields),
        Kind::ToolCalledBefore => tool_called_before::compile(fields),
        Kind::NoDeprecatedToolCalled => no_deprecated_tool_called::compile(fields),
        Kind::NoDestructiveToolCalled => no_destructive_tool_called::compile(fields),
        Kind::ToolErrorNamesInput => tool_error_names_input::compile(fields),
        Kind::FullPageHasContinuation => full_page_has_continuation::compile(fields),
        Kind::ToolInputMatches => tool_input_matches::compile(fields),
        Kind::ToolResultMatches => tool_result_matches::compile(fields),
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
