//! A case variant as it was given, before its shape is trusted.

use std::collections::{HashMap, HashSet};

use howfar_wire::canon;
use howfar_wire::verdict::{ExecutionVariant, TrialObservation, VerdictCase};
use howfar_wire::vocabulary::{IterationStatus, TaskVerdict, Vocabulary as _};
use serde_json::Value;

use super::{MAX_CASE_VARIANTS, MAX_CASES, VerdictRefusal};

/// A case variant that may still be refused.
pub(super) struct Candidate<'a> {
    pub(super) case_id: &'a str,
    pub(super) variant: Option<VariantCandidate<'a>>,
    /// `None` when it is not a whole number.
    pub(super) configured_trials: Option<u64>,
    /// Not a number when none was given.
    pub(super) threshold: f64,
    /// `None` for a trial whose status is unknown.
    pub(super) trials: Vec<Option<TrialObservation>>,
}

/// Provider and model that may still be refused.
pub(super) struct VariantCandidate<'a> {
    model: &'a str,
    provider: Option<&'a str>,
    /// Whether the shape was right; its lengths are not checked yet.
    well_formed: bool,
}

/// What tells case variants apart: an empty provider counts as an absent one.
type Key<'a> = (&'a str, Option<(&'a str, &'a str)>);

pub(super) fn of_case(case: &VerdictCase) -> Candidate<'_> {
    Candidate {
        case_id: &case.case_id,
        variant: case.execution_variant.as_ref().map(VariantCandidate::of),
        configured_trials: Some(case.configured_trials),
        threshold: case.effective_pass_threshold,
        trials: case.trials.iter().copied().map(Some).collect(),
    }
}

pub(super) fn of_document(case: &Value) -> Candidate<'_> {
    let trials = case["trials"].as_array().map_or(&[][..], Vec::as_slice);
    Candidate {
        case_id: case["caseId"].as_str().unwrap_or_default(),
        variant: case.get("executionVariant").map(VariantCandidate::of_document),
        configured_trials: case["configuredTrials"].as_u64(),
        threshold: case["effectivePassThreshold"].as_f64().unwrap_or(f64::NAN),
        trials: trials.iter().map(trial).collect(),
    }
}

fn trial(trial: &Value) -> Option<TrialObservation> {
    let status = trial["status"].as_str().and_then(IterationStatus::from_wire)?;
    let task_verdict = trial["taskVerdict"].as_str().and_then(TaskVerdict::from_wire);
    let evaluator_error = trial["evaluatorError"] == true;
    Some(TrialObservation { status, task_verdict, evaluator_error })
}

impl<'a> VariantCandidate<'a> {
    pub(super) fn of(variant: &'a ExecutionVariant) -> Self {
        let ExecutionVariant { model, provider } = variant;
        Self { model, provider: provider.as_deref(), well_formed: true }
    }

    fn of_document(variant: &'a Value) -> Self {
        let well_formed = serde_json::from_value::<ExecutionVariant>(variant.clone()).is_ok();
        let model = variant["model"].as_str().unwrap_or_default();
        Self { model, provider: variant["provider"].as_str(), well_formed }
    }

    pub(super) fn is_valid(&self) -> bool {
        let fits = |text: &str| !text.is_empty() && canon::utf16_len(text) <= 200;
        self.well_formed && fits(self.model) && self.provider.is_none_or(fits)
    }

    pub(super) fn to_variant(&self) -> ExecutionVariant {
        let provider = self.provider.map(str::to_owned);
        ExecutionVariant { model: self.model.to_owned(), provider }
    }

    fn key(&self) -> (&'a str, &'a str) {
        (self.provider.unwrap_or_default(), self.model)
    }
}

/// Whether the case variants are there, few enough, and told apart (run-documents 4.6, rules 2 to 4).
pub(super) fn check_identities<'a>(
    variants: impl ExactSizeIterator<Item = (&'a str, Option<&'a VariantCandidate<'a>>)> + Clone,
) -> Result<(), VerdictRefusal> {
    if variants.len() == 0 {
        return Err(VerdictRefusal::NoCases);
    }
    if variants.len() > MAX_CASE_VARIANTS {
        return Err(VerdictRefusal::TooManyCases);
    }
    let mut keys: HashSet<Key<'_>> = HashSet::with_capacity(variants.len());
    for (case_id, variant) in variants.clone() {
        if !keys.insert((case_id, variant.map(VariantCandidate::key))) {
            return Err(VerdictRefusal::DuplicateAggregate { case_id: case_id.to_owned() });
        }
    }
    let mut with_variant: HashMap<&str, bool> = HashMap::new();
    for (case_id, variant) in variants {
        if *with_variant.entry(case_id).or_insert(variant.is_some()) != variant.is_some() {
            return Err(VerdictRefusal::MixedVariantKeys { case_id: case_id.to_owned() });
        }
    }
    if with_variant.len() > MAX_CASES { Err(VerdictRefusal::TooManyCases) } else { Ok(()) }
}

/// 1 to 128 letters, digits, `_` and `-` (run-documents, section 0).
pub(crate) fn is_opaque_id(id: &str) -> bool {
    (1..=128).contains(&id.len())
        && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}
