//! Comparing two runs: the compare document, what its gates read, and the whole comparison with the links that moved
//! (run-documents, section 9).

mod comparison;
mod document;
mod gate_input;
mod links;
mod report;
mod tools;

pub use comparison::{
    CompareCatalogs, CompareCost, ComparePopulation, FlakyCase, FlakyCases, PassRateComparison,
    PassRateSide, RUN_COMPARISON_KIND, RUN_COMPARISON_SCHEMA_VERSION, RunComparison, UndecidedRun,
};
pub use document::{
    CompareBaseline, CompareCase, CompareCounts, CompareDocument, CompareMetrics,
    ComparePassSummary, CompareRun, CompareScoreContract, CompareScoreSide, CompareSide,
    CompareSuite, CountDiff, NumericDiff, ScoreDelta, ScoreSide, ScorerComparison,
};
pub use gate_input::{CompareInput, ScoreRegression};
pub use links::{
    BrokenLink, BucketTrials, CaseLinkSide, CaseLinks, ExcludedTrials, LinkMovement, LinkTally,
    RateDifference,
};
pub use report::{
    COMPARE_REPORT_KIND, COMPARE_REPORT_SCHEMA_VERSION, CompareReport, CompareRow, CompareSummary,
};
pub use tools::{ToolChange, ToolDifference, ToolPart};

use crate::vocabulary::vocabulary;

vocabulary! {
    /// What became of a case from the base run to the compared one.
    CompareStatus = "compareStatuses", "What became of a case from one run to the other." {
        /// Passed, then failed.
        Regressed = "regressed" => "regressed",
        /// Failed, then passed.
        Fixed = "fixed" => "fixed",
        /// The case or its evaluation changed.
        Changed = "changed" => "changed",
        /// Only in the compared run.
        NewCase = "new_case" => "new",
        /// Only in the base run.
        RemovedCase = "removed_case" => "removed",
        /// Passed in both.
        UnchangedPassed = "unchanged_passed" => "still passing",
        /// Failed in both.
        UnchangedFailed = "unchanged_failed" => "still failing",
    }
}

vocabulary! {
    /// What a row of a compare report means for a reader who merges.
    Classification = "compareClassifications", "What a row of a compare report means for whoever merges." {
        /// Something got worse.
        Breaking = "breaking" => "breaking",
        /// Nothing got worse.
        NonBreaking = "non_breaking" => "not breaking",
        /// To be looked at.
        Informational = "informational" => "informational",
    }
}

vocabulary! {
    /// How a case did in one run.
    SideOutcome = "compareSideOutcomes", "How a case did in one run." {
        /// Every decided iteration passed.
        Passed = "passed" => "passed",
        /// A decided iteration failed.
        Failed = "failed" => "failed",
        /// The run has no decided iteration of the case.
        Absent = "absent" => "absent",
    }
}

vocabulary! {
    /// One of the two runs of a comparison.
    ComparedSide = "comparedSides", "One of the two runs of a comparison." {
        /// The run that is compared with.
        Base = "base" => "the base run",
        /// The run that is compared.
        Compare = "compare" => "the compared run",
    }
}

vocabulary! {
    /// How the base run of a comparison was chosen.
    BaselinePolicy = "baselinePolicies", "How the base run of a comparison was chosen." {
        /// The newest complete run of the same suite before it.
        PreviousCompleted = "previous_completed" => "the previous complete run of the suite",
        /// By name.
        Run = "run" => "a named run",
    }
}

vocabulary! {
    /// What a difference of two pass rates means.
    PassRateVerdict = "passRateVerdicts", "What a difference of two pass rates means." {
        /// A side has too few trials.
        InsufficientData = "insufficient_data" => "too few trials to say",
        /// The rate fell by more than chance explains, and by enough to matter.
        Regression = "regression" => "fell by more than chance explains",
        /// The rate did not fall, or no more than chance explains.
        NoRegression = "no_regression" => "did not fall by more than chance explains",
    }
}

vocabulary! {
    /// How one link of one case moved between two runs.
    LinkChange = "linkChanges", "How one link of one case moved between two runs." {
        /// The measured pass rate is lower, and the whole 95 % interval of the difference is below 0.
        Fell = "fell" => "passes less often",
        /// The measured pass rate is higher, and the whole 95 % interval of the difference is above 0.
        Rose = "rose" => "passes more often",
        /// The 95 % interval of the difference holds 0.
        Unchanged = "unchanged" => "no difference beyond chance",
        /// A side has fewer measured trials than the minimum, so no interval is given.
        InsufficientData = "insufficientData" => "too few measured trials to say",
        /// A side has no measured trial.
        NotMeasured = "notMeasured" => "not measured on a side",
        /// The runs may not be compared: parity blockers, or a different population.
        Refused = "refused" => "not compared, because the runs differ in more than the server",
    }
}
