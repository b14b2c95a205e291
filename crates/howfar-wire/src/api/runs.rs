//! Runs: the list, and what is known of one without its cases and trials.

use serde::{Deserialize, Serialize};

use crate::rate::Counts;
use crate::record::RunListRow;
use crate::report::{Execution, Issue, Population, Selection, SuiteIdentity};
use crate::summary::{SummaryCounts, Undecided};
use crate::verdict::RunValidity;
use crate::vocabulary::{
    DecisionVerdict, FailureCategory, IterationStatus, MeasurementUnit, Stage, TaskVerdict,
    VerdictDecisionReason,
};

/// Stored runs, newest first. They stand side by side; nothing is added up over them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunPage {
    /// [`super::API_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `run-page`.
    pub kind: String,
    /// The runs of this page.
    pub runs: Vec<RunListRow>,
    /// How many runs the question selects, on all pages.
    pub total_runs: u64,
    /// Where the next page begins; absent on the last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// What is known of one run without its cases and trials: what was decided, and how much was measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunHead {
    /// [`super::API_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `run-head`.
    pub kind: String,
    /// The run as the list shows it: its state, its verdict, how it ended.
    pub run: RunListRow,
    /// Whether the run ended by itself and every case completed; absent when it did not end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub complete: Option<bool>,
    /// Counts of case variants by their verdicts; absent when nothing was decided. Of a run that is not complete they
    /// describe a sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<SummaryCounts>,
    /// The decision without its cases; absent when nothing was decided. Of a run that is not complete it describes a
    /// sample, and the verdict is `notEstablished`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionHead>,
    /// Why no verdict is established; absent when one is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undecided: Option<Undecided>,
    /// How many trials there were, of how many configured.
    pub population: Population,
    /// The stored trials by what became of them.
    pub trials: RunTally,
    /// What affected the run and did not stop it.
    pub issues: Vec<Issue>,
    /// The suite file.
    pub suite: SuiteIdentity,
    /// What a run has to share with another to be compared with it.
    pub identity: RunIdentity,
    /// Who ran what, with which settings.
    pub execution: Execution,
    /// The selected and skipped cases.
    pub selection: Selection,
    /// Wall time in milliseconds; of a run that did not end, as far as it is known.
    pub duration_ms: f64,
    /// Advice about the suite file; never changes the verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A decision of verdict policy v2 without its cases (run-documents, section 4).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct DecisionHead {
    /// [`crate::verdict::VERDICT_POLICY_VERSION`].
    pub verdict_policy_version: u32,
    /// What was decided.
    pub verdict: DecisionVerdict,
    /// What was found, in contract order.
    pub reasons: Vec<VerdictDecisionReason>,
    /// Whether the run was measured well enough, and how well. Counts are trials.
    pub validity: RunValidity,
}

/// The stored trials of a run by what became of them. The four lists count the same trials in four ways; they are not
/// added up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunTally {
    /// Always `trial`.
    pub unit: MeasurementUnit,
    /// Stored trials.
    pub stored: u64,
    /// Whether they ran.
    pub statuses: Counts<IterationStatus>,
    /// What grading decided; trials that cannot be graded are in no count.
    pub task_verdicts: Counts<TaskVerdict>,
    /// Where their chains broke first; trials whose chain did not break are in no count. A place, not a cause.
    pub first_failed_stages: Counts<Stage>,
    /// The buckets of trials that did not pass; others are in no count.
    pub failure_categories: Counts<FailureCategory>,
}

/// What a run has to share with another to be compared with it (run-documents, section 7.9). What is absent was not
/// stated, and nothing can be compared by it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunIdentity {
    /// The group of runs that may be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_group_id: Option<String>,
    /// The identity of the run's configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config_revision: Option<String>,
    /// The identity of the cases that ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_set_fingerprint: Option<String>,
    /// The newest analyzer level among the trials that the analytics include.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage_analyzer_version: Option<u64>,
}
