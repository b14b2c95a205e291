//! One trial that did not pass (run-documents 5.5 and 5.6).

use std::collections::HashSet;
use std::fmt::Write as _;
use std::hash::Hash;

use howfar_wire::chain::{EVIDENCE_TRIGGERED_RESPONSE, StageEvidence, StageRow};
use howfar_wire::summary::{
    Diagnostic, DiagnosticChain, DiagnosticEvidence, ExpectedTools, ObservedTools,
};
use howfar_wire::vocabulary::{StageState, TaskVerdict, Vocabulary as _};
use serde_json::{Number, Value};

use super::chain::chain;
use super::{SummaryInput, non_empty, text};
use crate::number::count;
use crate::run::verdict::is_opaque_id;

const INSPECT_TRACE: &str = "inspect the case trace; no failure category was recorded";
const DISAGREEMENT: &str =
    "the recorded verdict disagrees with the measured chain; inspect the case trace";
const STALE_DISAGREEMENT: &str = "the recorded verdict disagrees with the measured chain; this run's chain was derived by an older analyzer that measures less than the current one — re-run the case before investigating further";

pub(super) fn diagnostic(input: &SummaryInput<'_>, iteration: &Value) -> Diagnostic {
    let result = iteration["result"].as_str().and_then(TaskVerdict::from_wire);
    let chain = chain(iteration, input.known_analyzer_version);
    let expected = tool_names(&iteration["expectedToolCalls"]);
    let observed = ObservedTools {
        tool_names: tool_names(&iteration["actualToolCalls"]),
        failure: non_empty(&iteration["error"]),
    };
    let seen = observed.tool_names.is_some() || observed.failure.is_some();
    Diagnostic {
        iteration_id: text(&iteration["id"]),
        iteration_number: iteration["iterationNumber"]
            .as_number()
            .cloned()
            .unwrap_or_else(|| Number::from(0)),
        case_id: non_empty(&iteration["caseId"]).filter(|id| is_opaque_id(id)),
        test_case_id: non_empty(&iteration["testCaseId"]),
        title: non_empty(&iteration["title"]),
        status: text(&iteration["status"]),
        result,
        expected: expected.map(|tool_names| ExpectedTools { tool_names }),
        observed: seen.then_some(observed),
        evidence: evidence(input, iteration, &chain),
        next_action: next_action(&chain, result).to_owned(),
        chain,
    }
}

/// The names of the called tools, each once; `None` when there are none.
fn tool_names(calls: &Value) -> Option<Vec<String>> {
    let calls = calls.as_array().map_or(&[][..], Vec::as_slice);
    let name =
        |call: &Value| ["toolName", "tool", "name"].iter().find_map(|key| non_empty(&call[*key]));
    distinct(calls.iter().filter_map(name))
}

fn evidence(
    input: &SummaryInput<'_>,
    iteration: &Value,
    chain: &DiagnosticChain,
) -> DiagnosticEvidence {
    let (run_id, iteration_id) = (text(&input.run["id"]), text(&iteration["id"]));
    let failed = failed_row(chain);
    let cited = failed.and_then(|row| row.evidence.as_ref());
    let texts = |list: Option<&Vec<String>>| {
        distinct(list.into_iter().flatten().filter(|text| !text.is_empty()).cloned())
    };
    let indexes = |it: &StageEvidence| {
        let numbers = it.prompt_indexes.iter().flatten();
        distinct(numbers.filter_map(|index| count(&Value::Number(index.clone()))))
    };
    DiagnosticEvidence {
        trace_path: format!(
            "/projects/{}/eval-runs/{}/iterations/{}/trace",
            percent_encoded(input.project_id),
            percent_encoded(&run_id),
            percent_encoded(&iteration_id),
        ),
        run_id,
        iteration_id,
        stage: failed.map(|row| row.stage),
        span_ids: texts(cited.and_then(|it| it.span_ids.as_ref())),
        prompt_indexes: cited.and_then(indexes),
        reasons: texts(cited.and_then(|it| it.predicate_reasons.as_ref())),
    }
}

/// The row of the first failed stage of a sound chain.
fn failed_row(chain: &DiagnosticChain) -> Option<&StageRow> {
    match chain {
        DiagnosticChain::Verified {
            stages,
            first_failed_stage,
            failure_category: _,
            analyzer_version: _,
            analyzer_version_ahead: _,
        } => first_failed_stage.map(|stage| &stages[stage.index()]),
        DiagnosticChain::Unverified { analyzer_version: _, analyzer_version_ahead: _ }
        | DiagnosticChain::Absent {} => None,
    }
}

/// Who should look next.
fn next_action(chain: &DiagnosticChain, result: Option<TaskVerdict>) -> &'static str {
    let (stages, category, version) = match chain {
        DiagnosticChain::Verified {
            stages,
            first_failed_stage: _,
            failure_category,
            analyzer_version,
            analyzer_version_ahead: _,
        } => (stages, failure_category, *analyzer_version),
        DiagnosticChain::Unverified { analyzer_version: _, analyzer_version_ahead: _ }
        | DiagnosticChain::Absent {} => return INSPECT_TRACE,
    };
    if let Some(category) = category {
        return category.next_owner();
    }
    if result != Some(TaskVerdict::Failed) || !is_all_well(stages) {
        return INSPECT_TRACE;
    }
    if version < u64::from(EVIDENCE_TRIGGERED_RESPONSE) { STALE_DISAGREEMENT } else { DISAGREEMENT }
}

/// At least one stage passed, and every stage passed or does not apply.
fn is_all_well(stages: &[StageRow; 6]) -> bool {
    let is = |state: StageState| move |row: &StageRow| row.state == state;
    stages.iter().any(is(StageState::Passed))
        && stages
            .iter()
            .all(|row| is(StageState::Passed)(row) || is(StageState::NotApplicable)(row))
}

/// Each item once, in first order; `None` when there are none.
fn distinct<T: Clone + Eq + Hash>(items: impl Iterator<Item = T>) -> Option<Vec<T>> {
    let mut seen = HashSet::new();
    let distinct: Vec<T> = items.filter(|item| seen.insert(item.clone())).collect();
    Some(distinct).filter(|distinct| !distinct.is_empty())
}

/// A path segment: every byte but letters, digits and `-_.!~*'()` is encoded.
fn percent_encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}
