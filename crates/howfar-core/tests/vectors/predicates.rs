//! Vectors of checks and the tool-call matcher.

mod evaluation;
mod evidence;
mod grading;
mod macros;
mod matching;
mod pattern;

use howfar_testkit::json::difference;
use howfar_testkit::vectors::{Check, VectorFile};
use serde_json::Value;

const AREA: &str = "predicates";

const fn file(file: &'static str, check: Check) -> VectorFile {
    VectorFile { area: AREA, file, check }
}

pub(crate) const FILES: &[VectorFile] = &[
    file("argumentsMatchToolSchema.json", evaluation::evaluate),
    file("finalAssistantMessageNonEmpty.json", evaluation::evaluate),
    file("firstToolWas.json", evaluation::evaluate),
    file("noEndingQuestion.json", evaluation::evaluate),
    file("noToolErrors.json", evaluation::evaluate),
    file("onlyToolsCalled.json", evaluation::evaluate),
    file("responseContains.json", evaluation::evaluate),
    file("toolCallCountUnder.json", evaluation::evaluate),
    file("toolCalledAtLeastOnce.json", evaluation::evaluate),
    file("toolCalledBefore.json", evaluation::evaluate),
    file("toolCalledWith.json", evaluation::evaluate),
    file("toolLatencyUnder.json", evaluation::evaluate),
    file("toolNeverCalled.json", evaluation::evaluate),
    file("toolResultContains.json", evaluation::evaluate),
    file("toolResultSizeUnder.json", evaluation::evaluate),
    file("turnCountUnder.json", evaluation::evaluate),
    file("toolDescriptionsPresent.json", evaluation::evaluate),
    file("toolAnnotationsPresent.json", evaluation::evaluate),
    file("toolNamesUnique.json", evaluation::evaluate),
    file("noDeprecatedToolExposed.json", evaluation::evaluate),
    file("toolInputSchemasWellFormed.json", evaluation::evaluate),
    file("toolOutputSchemasPresent.json", evaluation::evaluate),
    file("responseCloseTo.json", evaluation::evaluate),
    file("responseMatches.json", evaluation::evaluate),
    file("tokenBudgetUnder.json", evaluation::evaluate),
    file("widgetRendered.json", evaluation::evaluate),
    file("widgetRenderLatencyUnder.json", evaluation::evaluate),
    file("widgetNoConsoleErrors.json", evaluation::evaluate),
    file("toolResultMatchesSchema.json", evaluation::evaluate),
    file("noRepeatedIdenticalCall.json", evaluation::evaluate),
    file("noDeprecatedToolCalled.json", evaluation::evaluate),
    file("noDestructiveToolCalled.json", evaluation::evaluate),
    file("toolErrorNamesInput.json", evaluation::evaluate),
    file("fullPageHasContinuation.json", evaluation::evaluate),
    file("toolInputMatches.json", evaluation::evaluate),
    file("toolResultMatches.json", evaluation::evaluate),
    file("unknown-kind.json", evaluation::evaluate),
    file("response-distance.json", evaluation::distance),
    file("turn-checks.json", evaluation::evaluate_turns),
    file("list.json", evaluation::evaluate_all),
    file("case-verdict.json", evaluation::case_verdict),
    file("schema-validator.json", evaluation::schema),
    file("build-transcript.json", evidence::build),
    file("final-message.json", evidence::final_message),
    file("tool-errors.json", evidence::tool_errors),
    file("case-can-fail.json", grading::case_can_fail),
    file("kind-table.json", grading::kind),
    file("policy.json", grading::policy),
    file("tool-expectations.json", matching::assertions),
    file("arg-match.json", matching::arg_match),
    file("arg-validators.json", matching::argument_validators),
    file("match-options.json", matching::options),
    file("matcher.json", matching::matcher),
    file("multi-turn.json", matching::multi_turn),
    file("canonical-bounded.json", pattern::canonical_within),
    file("match-path.json", pattern::path),
    file("match-verdict.json", pattern::verdict),
    file("pattern-engine.json", pattern::engine),
    file("name-validators.json", matching::name_validators),
];

/// The input of a vector with its macros expanded.
fn input(vector: &Value) -> Value {
    macros::expanded(&vector["input"])
}

fn same(found: &Value, expected: &Value) -> Result<(), String> {
    difference(found, expected).map_or(Ok(()), Err)
}

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| format!("{error} in {value}"))
}
