//! The decision summary of a run, own or foreign (run-documents, section 5).

mod chain;
mod diagnostic;
mod own;
mod validate;

use howfar_wire::summary::{
    DECISION_SUMMARY_SCHEMA_VERSION, DecisionSummary, DiagnosticsPage, SummaryCounts, Undecided,
};
use howfar_wire::verdict::VerdictDecision;
use howfar_wire::vocabulary::{
    DecisionVerdict, MeasurementUnit, UndecidedReason, Verdict, VerdictSource,
};
use serde_json::Value;

use super::verdict::validate_decision;
use crate::number::count;

pub use own::{OWN_PROJECT, ended_run, open_run, own_iteration};
pub use validate::validate_summary;

/// What a summary is made from. Run and iterations are stored rows of which nothing is trusted.
#[derive(Debug, Clone, Copy)]
pub struct SummaryInput<'a> {
    /// The project, for trace paths.
    pub project_id: &'a str,
    /// The run: `id`, `status`, `result?`, `summary?`, `verdictPolicyVersion?`, `verdictSummary?`,
    /// `verdictPolicyIntegrityError?`.
    pub run: &'a Value,
    /// The iterations of the page.
    pub iterations: &'a [Value],
    /// Whether the page holds every iteration of the run that did not pass.
    pub complete: bool,
    /// Where the next page begins.
    pub next_cursor: Option<&'a str>,
    /// The analyzer level of this reader.
    pub known_analyzer_version: u64,
}

/// The summary of a run. It is made as given: check it with [`validate_summary`] before it leaves.
pub fn decision_summary(input: &SummaryInput<'_>) -> DecisionSummary {
    let Established { verdict, source, counts, decision, undecided } = establish(input.run);
    DecisionSummary {
        schema_version: DECISION_SUMMARY_SCHEMA_VERSION,
        run_id: text(&input.run["id"]),
        run_status: text(&input.run["status"]),
        diagnostics: diagnostics(input),
        verdict,
        verdict_source: source,
        counts,
        decision,
        undecided,
    }
}

/// What could be established about a run.
struct Established {
    verdict: Verdict,
    source: VerdictSource,
    counts: Option<SummaryCounts>,
    decision: Option<VerdictDecision>,
    undecided: Option<Undecided>,
}

/// The first rule that applies (run-documents 5.2).
fn establish(run: &Value) -> Established {
    let status = run["status"].as_str().unwrap_or_default();
    if !matches!(status, "completed" | "failed" | "cancelled" | "timed_out") {
        return undecided(UndecidedReason::RunNotTerminal, None);
    }
    if run["verdictPolicyVersion"].as_f64() == Some(2.0) {
        return match validate_decision(&run["verdictSummary"]) {
            Ok(decision) => decided(decision),
            Err(_) => {
                let detail = non_empty(&run["verdictPolicyIntegrityError"]);
                undecided(UndecidedReason::VerdictSummaryUnavailable, detail)
            }
        };
    }
    if status != "completed" {
        return undecided(UndecidedReason::RunStatusNotAVerdict, None);
    }
    match run["result"].as_str() {
        Some("passed") => legacy(Verdict::Passed, run),
        Some("failed") => legacy(Verdict::Failed, run),
        Some(_) | None => undecided(UndecidedReason::RunResultNotAVerdict, None),
    }
}

fn undecided(reason: UndecidedReason, detail: Option<String>) -> Established {
    Established {
        verdict: Verdict::NotEstablished,
        source: VerdictSource::None,
        counts: None,
        decision: None,
        undecided: Some(Undecided { reason, detail }),
    }
}

fn decided(decision: VerdictDecision) -> Established {
    Established {
        verdict: decision.verdict.into(),
        source: VerdictSource::PolicyV2,
        counts: Some(case_counts(&decision)),
        decision: Some(decision),
        undecided: None,
    }
}

/// An older run: its own result and counts, as they are.
fn legacy(verdict: Verdict, run: &Value) -> Established {
    let count = |key: &str| count(&run["summary"][key]);
    let (total, passed, failed) = (count("total"), count("passed"), count("failed"));
    let any = total.is_some() || passed.is_some() || failed.is_some();
    let counts = SummaryCounts {
        measurement_unit: MeasurementUnit::Trial,
        total,
        passed,
        failed,
        inconclusive: None,
    };
    Established {
        verdict,
        source: VerdictSource::Legacy,
        counts: any.then_some(counts),
        decision: None,
        undecided: None,
    }
}

/// The tally of a decision's case verdicts. An inconclusive run may well hold cases that passed.
fn case_counts(decision: &VerdictDecision) -> SummaryCounts {
    let of = |verdict: DecisionVerdict| {
        Some(decision.cases.iter().filter(|case| case.verdict == verdict).count() as u64)
    };
    SummaryCounts {
        measurement_unit: MeasurementUnit::CaseVariant,
        total: Some(decision.cases.len() as u64),
        passed: of(DecisionVerdict::Passed),
        failed: of(DecisionVerdict::Failed),
        inconclusive: of(DecisionVerdict::Inconclusive),
    }
}

/// Every iteration of the page that did not pass, in input order (run-documents 5.4).
fn diagnostics(input: &SummaryInput<'_>) -> DiagnosticsPage {
    let listed = input.iterations.iter().filter(|iteration| iteration["result"] != "passed");
    let next_cursor = input.next_cursor.filter(|cursor| !cursor.is_empty());
    DiagnosticsPage {
        items: listed.map(|iteration| diagnostic::diagnostic(input, iteration)).collect(),
        complete: input.complete,
        next_cursor: next_cursor.map(str::to_owned),
        scanned_iterations: input.iterations.len() as u64,
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn non_empty(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}
