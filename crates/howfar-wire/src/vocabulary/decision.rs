//! What a run decided and what left its denominators (run-documents, sections 1.1 to 1.3).

use super::vocabulary;

vocabulary! {
    /// What a run or a case was found to be, as a summary shows it.
    Verdict = "verdicts", "What was decided. The last two are not failures: one was measured too little, the other was never decided." {
        /// Every measured case met its threshold.
        Passed = "passed" => "passed",
        /// A case did not meet its threshold.
        Failed = "failed" => "failed",
        /// Measured, but not well enough to decide.
        Inconclusive = "inconclusive" => "inconclusive",
        /// Nothing decided.
        NotEstablished = "notEstablished" => "no verdict established",
    }
}

vocabulary! {
    /// The verdicts that verdict policy v2 can reach, for a run and for a case.
    DecisionVerdict = "decisionVerdicts", "The verdicts that verdict policy v2 can reach." {
        /// Thresholds met.
        Passed = "passed" => "passed",
        /// A threshold missed.
        Failed = "failed" => "failed",
        /// Not measured well enough.
        Inconclusive = "inconclusive" => "inconclusive",
    }
}

impl From<DecisionVerdict> for Verdict {
    fn from(verdict: DecisionVerdict) -> Self {
        match verdict {
            DecisionVerdict::Passed => Self::Passed,
            DecisionVerdict::Failed => Self::Failed,
            DecisionVerdict::Inconclusive => Self::Inconclusive,
        }
    }
}

vocabulary! {
    /// Why no verdict could be established.
    UndecidedReason = "undecidedReasons", "Why a run has no verdict." {
        /// Still running.
        RunNotTerminal = "runNotTerminal" => "the run has not finished yet",
        /// Stopped before its end.
        RunStatusNotAVerdict = "runStatusNotAVerdict" => "the run stopped before it finished, so its recorded counts describe a sample rather than the run",
        /// Finished without a verdict.
        RunResultNotAVerdict = "runResultNotAVerdict" => "the run finished without recording a verdict",
        /// The stored decision could not be read.
        VerdictSummaryUnavailable = "verdictSummaryUnavailable" => "the run was decided under verdict policy v2 and its decision could not be read",
    }
}

vocabulary! {
    /// Which rule set a verdict comes from.
    VerdictSource = "verdictSources", "Which rule set a verdict comes from." {
        /// Verdict policy v2.
        PolicyV2 = "policyV2" => "verdict policy v2",
        /// The run's own recorded result.
        Legacy = "legacy" => "percent threshold (older run)",
        /// None.
        None = "none" => "no source",
    }
}

vocabulary! {
    /// What a count counts.
    MeasurementUnit = "measurementUnits", "What a count counts. Never mixed." {
        /// One case under one provider and model.
        CaseVariant = "caseVariant" => "case variant(s)",
        /// One repetition of one case variant.
        Trial = "trial" => "trial(s)",
    }
}

vocabulary! {
    /// What a decision found.
    VerdictDecisionReason = "verdictDecisionReasons", "What verdict policy v2 found, validity first." {
        /// Decides the run: validity comes before every case.
        ConfiguredTrialsNotAttempted = "configuredTrialsNotAttempted" => "some configured trial never ran, so the run does not cover what it was asked to",
        /// Decides the run: validity comes before every case.
        NoGradeableTrials = "noGradeableTrials" => "nothing in the run produced a gradeable verdict",
        /// Decides the run: validity comes before every case.
        EligibleTrialsBelowMinimum = "eligibleTrialsBelowMinimum" => "fewer gradeable trials than the suite's validity floor requires",
        /// Decides the run: validity comes before every case.
        CompletionRateBelowMinimum = "completionRateBelowMinimum" => "too few attempted trials completed to meet the suite's completion floor",
        /// Decides the run: validity comes before every case.
        CompletionRateNotMeasured = "completionRateNotMeasured" => "nothing was attempted, so the completion floor cannot be satisfied",
        /// Decides the run: validity comes before every case.
        EvaluatorErrorRateAboveMaximum = "evaluatorErrorRateAboveMaximum" => "the evaluator failed too often for this run to describe the server",
        /// Decides the run: validity comes before every case.
        EvaluatorErrorRateNotMeasured = "evaluatorErrorRateNotMeasured" => "nothing was attempted, so the evaluator-error ceiling cannot be satisfied",
        /// Decides the run, because validity comes first, and is the reason of such a case.
        CaseHasNoEligibleTrials = "caseHasNoEligibleTrials" => "a case graded nothing at all",
        /// Decides one case.
        CasePassRateMetThreshold = "casePassRateMetThreshold" => "the case met its pass threshold",
        /// Decides a case, and with it the run.
        CasePassRateBelowThreshold = "casePassRateBelowThreshold" => "a case did not meet its pass threshold",
        /// Decides the run.
        AllMeasuredCasesMetThreshold = "allMeasuredCasesMetThreshold" => "every measured case met its threshold",
    }
}

vocabulary! {
    /// Why a trial, or one stage of it, left a denominator of the stage analytics.
    ExclusionClass = "exclusionClasses", "Why a trial, or one link of it, left a denominator of the analytics." {
        /// No comparable observation exists: normal data loss.
        Lifecycle = "lifecycle" => "lifecycle",
        /// A chain or a measurement is missing or was rejected: a bug of ours.
        Integrity = "integrity" => "integrity",
        /// Written by something newer than this reader.
        Version = "version" => "version",
        /// The stage does not apply to the case.
        NotApplicable = "notApplicable" => "not applicable",
        /// Nothing decides whether the stage was reached.
        ReachUnknown = "reachUnknown" => "reach unknown",
        /// Reached, and nothing decided it.
        NotMeasured = "notMeasured" => "not measured",
    }
}

vocabulary! {
    /// The detail behind a whole-trial exclusion.
    ExclusionDetail = "exclusionDetails", "The detail behind a trial that was excluded whole." {
        /// Pending or running.
        NotTerminal = "notTerminal" => "not finished yet",
        /// Not run on purpose.
        Skipped = "skipped" => "not run on purpose",
        /// Cancelled by the user.
        Cancelled = "cancelled" => "cancelled",
        /// Environment not prepared.
        SetupFailed = "setupFailed" => "environment not prepared",
        /// The clock fired.
        TimedOut = "timedOut" => "ran out of time",
        /// Execution broke.
        ExecutionFailed = "executionFailed" => "execution broke",
        /// The grader failed.
        EvaluatorError = "evaluatorError" => "grader failed",
        /// No chain stored.
        ChainMissing = "chainMissing" => "no chain stored",
        /// Chain invalid.
        ChainUnverified = "chainUnverified" => "chain invalid",
        /// Chain of a newer analyzer.
        ChainVersionAhead = "chainVersionAhead" => "chain from a newer analyzer",
        /// No measurements stored.
        MeasurementsMissing = "measurementsMissing" => "no measurements stored",
        /// Measurements invalid.
        MeasurementsInvalid = "measurementsInvalid" => "measurements invalid",
        /// Measurements of a newer schema.
        MeasurementsVersionAhead = "measurementsVersionAhead" => "measurements from a newer schema",
        /// Chain and measurements disagree.
        AnalyzerMismatch = "analyzerMismatch" => "chain and measurements disagree on the analyzer",
    }
}

impl ExclusionDetail {
    /// The class under which the trial is counted (run-documents, section 7.2).
    pub const fn class(self) -> ExclusionClass {
        match self {
            Self::NotTerminal
            | Self::Skipped
            | Self::Cancelled
            | Self::SetupFailed
            | Self::TimedOut
            | Self::ExecutionFailed
            | Self::EvaluatorError => ExclusionClass::Lifecycle,
            Self::ChainVersionAhead | Self::MeasurementsVersionAhead => ExclusionClass::Version,
            Self::ChainMissing
            | Self::ChainUnverified
            | Self::MeasurementsMissing
            | Self::MeasurementsInvalid
            | Self::AnalyzerMismatch => ExclusionClass::Integrity,
        }
    }
}

vocabulary! {
    /// Why a trial is not gradeable under verdict policy v2.
    TrialExclusionReason = "trialExclusionReasons", "Why a trial is not gradeable." {
        /// Pending, running, or never reported.
        NotTerminal = "notTerminal" => "not finished",
        /// Never started because the run stopped.
        Skipped = "skipped" => "not run because the run stopped",
        /// The environment was never prepared.
        SetupFailed = "setupFailed" => "environment not prepared",
        /// The user interrupted.
        Cancelled = "cancelled" => "cancelled",
        /// The trial's clock fired.
        TimedOut = "timedOut" => "ran out of time",
        /// The execution broke.
        ExecutionFailed = "executionFailed" => "execution broke",
        /// The grader broke.
        EvaluatorError = "evaluatorError" => "grader failed",
    }
}

vocabulary! {
    /// Whether a rate has a denominator.
    RateState = "rateStates", "Whether a rate has a denominator. A zero denominator is neither 0 % nor 100 %." {
        /// Numerator over a positive denominator.
        Measured = "measured" => "measured",
        /// Nothing to divide by.
        NotMeasured = "notMeasured" => "not measured",
    }
}

vocabulary! {
    /// Whether a stage analytics document can still change.
    Materialization = "materializationStates", "Whether the counts of an analytics document can still change." {
        /// A result is still owed.
        Provisional = "provisional" => "provisional",
        /// The counts have stopped changing.
        Final = "final" => "final",
    }
}

vocabulary! {
    /// Why two analytics rows may not be compared.
    ParityBlocker = "parityBlockers", "Why two runs may not be compared. None means that they may." {
        /// No run group on a side.
        MissingRunGroup = "missingRunGroup" => "a run states no run group",
        /// Different run groups.
        DifferentRunGroup = "differentRunGroup" => "the runs belong to different run groups",
        /// No configuration identity on a side.
        MissingConfigIdentity = "missingConfigIdentity" => "a run states no configuration identity",
        /// Different configurations.
        DifferentConfigIdentity = "differentConfigIdentity" => "the runs were configured differently",
        /// No case set identity on a side.
        MissingCaseSetIdentity = "missingCaseSetIdentity" => "a run states no case set identity",
        /// Different case sets.
        DifferentCaseSetIdentity = "differentCaseSetIdentity" => "the runs ran different cases",
        /// Different analyzer levels.
        DifferentAnalyzerVersion = "differentAnalyzerVersion" => "the runs were derived by different analyzers",
        /// Different measurement schemas.
        DifferentMeasurementsVersion = "differentMeasurementsVersion" => "the runs were measured under different schemas",
        /// Different units.
        DifferentMeasurementUnit = "differentMeasurementUnit" => "the runs count different units",
        /// One run mixes versions.
        MixedSourceVersions = "mixedSourceVersions" => "a run mixes trials of several versions",
        /// A side can still change.
        Provisional = "provisional" => "a run's counts can still change",
    }
}
