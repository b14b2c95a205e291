//! Why a condition cannot be decided, whatever it asks (run-documents 10.3).

use howfar_wire::suite_gate::{
    CaseWeight, EvidenceBaseline, EvidenceRun, GateBaseline, SuiteGateEvidence, SuiteGatePolicy,
    SuiteGateReason as Reason, WeightPair,
};

/// Why a run's evidence decides nothing yet.
pub(super) fn of_run(run: &EvidenceRun) -> Option<Reason> {
    if !run.is_final {
        Some(Reason::EvidenceNotFinal)
    } else if run.evidence_limit_reached == Some(true) {
        Some(Reason::EvidenceLimitReached)
    } else if run.capture_complete == Some(false) {
        Some(Reason::IncompleteCapture)
    } else {
        None
    }
}

/// The two sides of a comparison, or why they cannot be compared. An absent flag never blocks.
pub(super) fn sides<'e>(
    policy: &SuiteGatePolicy,
    evidence: &'e SuiteGateEvidence,
) -> Result<(&'e EvidenceBaseline, &'e EvidenceRun), Reason> {
    if let Some(reason) = of_run(&evidence.subject) {
        return Err(reason);
    }
    match policy.baseline {
        None => return Err(Reason::ComparativeWithoutBaseline),
        Some(GateBaseline::PreviousCompleted {}) => {
            return Err(Reason::PreviousCompletedUnsupported);
        }
        Some(GateBaseline::Run { run_id: _ } | GateBaseline::CommitSha { commit_sha: _ }) => {}
    }
    let baseline = evidence.baseline.as_ref().filter(|baseline| baseline.resolved);
    let (baseline, run) = baseline
        .and_then(|baseline| Some((baseline, baseline.run.as_ref()?)))
        .ok_or(Reason::BaselineUnresolved)?;
    of_run(run).or_else(|| of_relation(baseline)).map_or(Ok((baseline, run)), Err)
}

fn of_relation(baseline: &EvidenceBaseline) -> Option<Reason> {
    let is = |flag: Option<bool>| flag == Some(true);
    let differ = |matches: Option<bool>, weights: Option<&WeightPair>| {
        matches == Some(false) || weights.is_some_and(|pair| !are_equal(pair))
    };
    let observed = baseline.observed_weights.as_ref();
    if is(baseline.quarantined) || observed.is_some_and(is_quarantined) {
        Some(Reason::Quarantined)
    } else if is(baseline.case_set_changed)
        || is(baseline.scenario_config_changed)
        || is(baseline.evaluation_config_changed)
        || baseline.iteration_weighting_equal == Some(false)
    {
        Some(Reason::PopulationIncompatible)
    } else if differ(baseline.configured_weights_match, baseline.configured_weights.as_ref()) {
        Some(Reason::ConfiguredWeightsMismatch)
    } else if differ(baseline.observed_weights_match, observed) {
        Some(Reason::ObservedWeightsMismatch)
    } else {
        None
    }
}

fn is_quarantined(weights: &WeightPair) -> bool {
    let all = weights.subject.iter().chain(&weights.baseline);
    all.into_iter().any(|weight| weight.quarantined.is_some_and(|count| count > 0))
}

/// Equally long, and every row of one side occurs on the other; their order is free.
fn are_equal(weights: &WeightPair) -> bool {
    let same = |a: &CaseWeight, b: &CaseWeight| {
        a.case_id == b.case_id && a.execution_variant == b.execution_variant && a.trials == b.trials
    };
    weights.subject.len() == weights.baseline.len()
        && weights.subject.iter().all(|a| weights.baseline.iter().any(|b| same(a, b)))
}
