//! Verdict policy v2: what it reads, and the decision it writes (run-documents, section 4).

use serde::{Deserialize, Serialize};

use crate::rate::Rate;
use crate::shape::present;
use crate::suite::Validity;
use crate::vocabulary::{
    DecisionVerdict, IterationStatus, MeasurementUnit, TaskVerdict, TrialExclusionReason,
    VerdictDecisionReason,
};

/// The version of the policy, and of its decisions. Anything else is an older run, never upgraded.
pub const VERDICT_POLICY_VERSION: u32 = 2;

/// When a run measured the server well enough to decide anything. Rates are fractions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VerdictPolicy {
    /// How much of the run must have been measured.
    pub coverage: Coverage,
    /// The lowest acceptable share of attempted trials that completed.
    pub min_completion_rate: f64,
    /// The highest acceptable share of attempted trials whose grader broke.
    pub max_evaluator_error_rate: f64,
}

impl Default for VerdictPolicy {
    fn default() -> Self {
        Self {
            coverage: Coverage::default(),
            min_completion_rate: 0.8,
            max_evaluator_error_rate: 0.1,
        }
    }
}

impl VerdictPolicy {
    /// What declared floors come to (run-documents, section 3.2). Leaving out the number of eligible trials is the
    /// stricter rule.
    pub fn of(declared: Validity) -> Self {
        let default = Self::default();
        let Validity { min_eligible_trials, min_completion_rate, max_evaluator_error_rate } =
            declared;
        Self {
            coverage: min_eligible_trials.map_or(default.coverage, |min_eligible_trials| {
                Coverage::MinEligibleTrials { min_eligible_trials }
            }),
            min_completion_rate: min_completion_rate.unwrap_or(default.min_completion_rate),
            max_evaluator_error_rate: max_evaluator_error_rate
                .unwrap_or(default.max_evaluator_error_rate),
        }
    }

    /// The floors as a file would declare them: the first coverage rule is written as absence, both rates always (suite
    /// and runner, section A4).
    pub const fn declared(self) -> Validity {
        let min_eligible_trials = match self.coverage {
            Coverage::AllConfiguredTrialsAttempted { min_gradeable_trials: _ } => None,
            Coverage::MinEligibleTrials { min_eligible_trials } => Some(min_eligible_trials),
        };
        Validity {
            min_eligible_trials,
            min_completion_rate: Some(self.min_completion_rate),
            max_evaluator_error_rate: Some(self.max_evaluator_error_rate),
        }
    }
}

/// How much of a run must have been measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    tag = "kind",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Coverage {
    /// Every configured trial was attempted, and one was gradeable: the rule when none is declared, and the stricter.
    AllConfiguredTrialsAttempted {
        /// Always 1.
        min_gradeable_trials: u64,
    },
    /// This many trials were gradeable.
    MinEligibleTrials {
        /// At least 1.
        min_eligible_trials: u64,
    },
}

impl Default for Coverage {
    fn default() -> Self {
        Self::AllConfiguredTrialsAttempted { min_gradeable_trials: 1 }
    }
}

/// What a run measured, case variant by case variant.
#[derive(Debug, Clone, PartialEq)]
pub struct VerdictInput {
    /// When the run counts at all.
    pub policy: VerdictPolicy,
    /// The case variants, in the order of the decision.
    pub cases: Vec<VerdictCase>,
}

/// One case under one provider and model, with its trials.
#[derive(Debug, Clone, PartialEq)]
pub struct VerdictCase {
    /// The case's id: 1 to 128 letters, digits, `_` and `-`.
    pub case_id: String,
    /// Provider and model; absent when the case is not told apart by them.
    pub execution_variant: Option<ExecutionVariant>,
    /// How many trials were asked for, 1 to 100.
    pub configured_trials: u64,
    /// The share of gradeable trials that must pass, a fraction.
    pub effective_pass_threshold: f64,
    /// The trials that were reported; a configured trial that is missing here was not finished.
    pub trials: Vec<TrialObservation>,
}

/// Provider and model of a case variant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExecutionVariant {
    /// 1 to 200 UTF-16 units.
    pub model: String,
    /// 1 to 200 UTF-16 units; absent when the model alone tells.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub provider: Option<String>,
}

/// What a verdict reads of one trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrialObservation {
    /// Whether the trial ran.
    pub status: IterationStatus,
    /// What grading decided; only on completed trials, and required there unless the grader broke.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub task_verdict: Option<TaskVerdict>,
    /// Whether the grader broke on a completed trial; absent means no.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub evaluator_error: bool,
}

/// What verdict policy v2 decided about a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VerdictDecision {
    /// [`VERDICT_POLICY_VERSION`].
    pub verdict_policy_version: u32,
    /// What was decided.
    pub verdict: DecisionVerdict,
    /// What was found, in contract order; 1 to 11 members.
    pub reasons: Vec<VerdictDecisionReason>,
    /// Whether the run was measured well enough, and how well.
    pub validity: RunValidity,
    /// The case variants, in input order.
    pub cases: Vec<CaseDecision>,
}

/// Whether a run was measured well enough. Counts are trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunValidity {
    /// The policy that was applied.
    pub policy: VerdictPolicy,
    /// Whether every check of it held.
    pub holds: bool,
    /// Trials asked for.
    pub configured_trials: u64,
    /// Trials that began.
    pub attempted_trials: u64,
    /// Trials that grading decided.
    pub eligible_trials: u64,
    /// Completed among attempted.
    pub completion_rate: Rate<TrialExclusionReason>,
    /// Grader errors among attempted.
    pub evaluator_error_rate: Rate<TrialExclusionReason>,
}

/// What was decided about one case variant. Counts are trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseDecision {
    /// The case's id.
    pub case_id: String,
    /// Provider and model, when the case is told apart by them.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub execution_variant: Option<ExecutionVariant>,
    /// Trials asked for.
    pub configured_trials: u64,
    /// Trials that began.
    pub attempted_trials: u64,
    /// Trials that grading decided.
    pub eligible_trials: u64,
    /// Of those, passed.
    pub passed_trials: u64,
    /// Of those, failed.
    pub failed_trials: u64,
    /// The share of eligible trials that must pass, a fraction.
    pub effective_pass_threshold: f64,
    /// Passed among eligible.
    pub pass_rate: Rate<TrialExclusionReason>,
    /// Completed among attempted.
    pub completion_rate: Rate<TrialExclusionReason>,
    /// The larger of passed and failed among eligible.
    pub observed_stability: Rate<TrialExclusionReason>,
    /// Whether some trials passed and some failed.
    pub mixed_verdict: bool,
    /// What was decided.
    pub verdict: DecisionVerdict,
    /// Why.
    pub reason: VerdictDecisionReason,
}

/// How often trials passed, beside a decision. Reported, never gating.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrialStatistics {
    /// Always `caseVariant`.
    pub unit: MeasurementUnit,
    /// Eligible trials of all case variants.
    pub eligible_trials: u64,
    /// Passed trials of all case variants.
    pub passed_trials: u64,
    /// The case variants, in the decision's order.
    pub cases: Vec<CaseStatistics>,
}

/// How often the trials of one case variant passed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CaseStatistics {
    /// The case's id.
    pub case_id: String,
    /// Provider and model, when the case is told apart by them.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub execution_variant: Option<ExecutionVariant>,
    /// Trials that grading decided.
    pub eligible_trials: u64,
    /// Of those, passed.
    pub passed_trials: u64,
    /// How many trials are drawn: all eligible ones.
    pub k: u64,
    /// The chance that one of `k` drawn trials passes; `null` when nothing can be drawn.
    #[serde(deserialize_with = "crate::shape::nullable")]
    pub pass_at_k: Option<f64>,
    /// The chance that all of `k` drawn trials pass; `null` when nothing can be drawn.
    #[serde(deserialize_with = "crate::shape::nullable")]
    pub pass_hat_k: Option<f64>,
    /// Where the true pass rate may lie; `null` without eligible trials.
    #[serde(deserialize_with = "crate::shape::nullable")]
    pub pass_rate_interval: Option<PassRateInterval>,
}

/// A Wilson interval of a pass rate; fractions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PassRateInterval {
    /// Always 0.95.
    pub confidence: f64,
    /// The lower end; exactly 0 when nothing passed.
    pub lower: f64,
    /// The upper end; exactly 1 when everything passed.
    pub upper: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_policy_turns_back_to_what_a_file_would_declare() {
        let omitted = VerdictPolicy::of(Validity::default()).declared();
        assert_eq!((omitted.min_eligible_trials, omitted.min_completion_rate), (None, Some(0.8)));
        let named = Validity { min_eligible_trials: Some(4), ..Validity::default() };
        assert_eq!(VerdictPolicy::of(named).declared().min_eligible_trials, Some(4));
    }
}
