//! What happened to trials, cases and runs (suite and runner, sections B2, B6, B8, B11, B12; derivation, section 10).

use super::vocabulary;

vocabulary! {
    /// Whether a trial ran. Says nothing about its grading.
    IterationStatus = "iterationStatuses", "Whether a trial ran. What grading decided is a different fact." {
        /// Planned, not started.
        Pending = "pending" => "not started",
        /// In flight.
        Running = "running" => "running",
        /// The executor finished, whatever the grading says.
        Completed = "completed" => "completed",
        /// The execution broke: model or provider error, crash, unreadable evidence.
        Failed = "failed" => "execution failed",
        /// The user interrupted.
        Cancelled = "cancelled" => "cancelled",
        /// The trial's clock fired.
        TimedOut = "timed_out" => "timed out",
        /// The environment was never prepared.
        SetupFailed = "setup_failed" => "setup failed",
        /// Never started because the run stopped.
        Skipped = "skipped" => "skipped",
    }
}

impl IterationStatus {
    /// Whether the trial is a fact of its run. The others did not start, are in flight, or were withdrawn when an
    /// interrupt or a stop overtook them: a resumed run runs them again.
    pub const fn is_settled(self) -> bool {
        match self {
            Self::Completed | Self::Failed | Self::TimedOut | Self::SetupFailed => true,
            Self::Pending | Self::Running | Self::Cancelled | Self::Skipped => false,
        }
    }
}

vocabulary! {
    /// What grading decided about a gradeable, completed trial.
    TaskVerdict = "taskVerdicts", "What grading decided about a gradeable, completed trial." {
        /// Every required check held.
        Passed = "passed" => "passed",
        /// A required check did not hold.
        Failed = "failed" => "failed",
    }
}

vocabulary! {
    /// How far a case got.
    CaseState = "caseStates", "How far a case got." {
        /// Every configured trial ended.
        Completed = "completed" => "completed",
        /// Stopped between trials.
        Interrupted = "interrupted" => "interrupted",
        /// No trial started.
        NotStarted = "notStarted" => "not started",
    }
}

vocabulary! {
    /// A case's verdict in a run report.
    CaseVerdict = "caseVerdicts", "A case's verdict in a run report." {
        /// Threshold met.
        Passed = "passed" => "passed",
        /// Threshold missed.
        Failed = "failed" => "failed",
        /// Nothing gradeable.
        Inconclusive = "inconclusive" => "inconclusive",
        /// No trial ran.
        NotRun = "notRun" => "not run",
    }
}

vocabulary! {
    /// How a run ended.
    Termination = "terminations", "How a run ended." {
        /// By itself.
        Completed = "completed" => "completed",
        /// By the user.
        Aborted = "aborted" => "interrupted by the user",
        /// By a refusal: credentials or billing.
        Stopped = "stopped" => "stopped by a refusal",
    }
}

vocabulary! {
    /// Whether a stored run ended.
    RunState = "runStates", "Whether a stored run ended. What was decided about it is a different fact." {
        /// It has an end: by itself, by the user or by a refusal.
        Ended = "ended" => "ended",
        /// A process records it right now.
        Running = "running" => "running",
        /// It has no end, and nobody records it: its process was cut off.
        CutOff = "cutOff" => "cut off",
    }
}

vocabulary! {
    /// Whether a setup phase worked.
    SetupOutcome = "setupOutcomes", "Whether a setup phase worked." {
        /// It worked.
        Ok = "ok" => "ok",
        /// It did not.
        Failed = "failed" => "failed",
    }
}

vocabulary! {
    /// Whose side a setup failure lies on, as far as the error alone can say.
    Attribution = "attributions", "Whose side a setup failure lies on, as far as the error alone can say." {
        /// Our side: credentials, name resolution, our own cancellation.
        Ours = "ours" => "our side",
        /// The server's side.
        Theirs = "theirs" => "the server's side",
        /// The error does not say.
        Unknown = "unknown" => "neither side",
    }
}

vocabulary! {
    /// A tool's safety class, from its annotations; annotations are the server's own claim.
    SafetyClass = "safetyClasses", "A tool's safety class by its own annotations." {
        /// Declared read-only.
        ReadOnly = "readOnly" => "declared read-only",
        /// Declared destructive.
        Destructive = "destructive" => "declared destructive",
        /// Undeclared or contradictory.
        Unknown = "unknown" => "undeclared",
    }
}

vocabulary! {
    /// Why the tool policy allowed or denied a call; the first rule that matches, in this order.
    PolicyReason = "policyReasons", "Why the tool policy allowed or denied a call." {
        /// Named in `deny`.
        DenyList = "denyList" => "named in deny",
        /// Named in `allow`.
        AllowList = "allowList" => "named in allow",
        /// Declares `destructiveHint` and is not exempt.
        DestructiveDefaultDeny = "destructiveDefaultDeny" => "declares itself destructive",
        /// Read-only mode, declared read-only.
        ReadOnlyModeClassified = "readOnlyModeClassified" => "declared read-only",
        /// Read-only mode, not declared read-only.
        ReadOnlyModeUnclassified = "readOnlyModeUnclassified" => "not declared read-only",
        /// Nothing objects.
        ModeDefault = "modeDefault" => "no rule objects",
        /// Not in the catalog when the run began.
        UnknownAtLaunch = "unknownAtLaunch" => "not in the catalog when the run began",
    }
}

vocabulary! {
    /// What kind of refusal a failed model call is. A model failure is never a failing check.
    RefusalKind = "refusalKinds", "What kind of refusal a failed model call is." {
        /// The key is missing, invalid or not allowed.
        Credentials = "credentials" => "the provider rejected the key",
        /// Quota or credit is used up.
        Billing = "billing" => "quota or credit is used up",
        /// Too many requests.
        RateLimited = "rateLimited" => "the provider limited the rate",
        /// The provider is down.
        Unavailable = "unavailable" => "the provider is unavailable",
    }
}

impl RefusalKind {
    /// Whether later cases are not started: no later call could fare better.
    pub const fn stops_run(self) -> bool {
        match self {
            Self::Credentials | Self::Billing => true,
            Self::RateLimited | Self::Unavailable => false,
        }
    }
}

vocabulary! {
    /// When a refusal happened.
    RefusalPhase = "refusalPhases", "When a run was refused." {
        /// Before any connection.
        Validation = "validation" => "validation",
        /// While preparing servers and models.
        Setup = "setup" => "setup",
        /// While running cases.
        Execution = "execution" => "execution",
        /// While writing the report.
        Reporting = "reporting" => "reporting",
    }
}

vocabulary! {
    /// What a refusal is about; decides the exit code.
    RefusalCategory = "refusalCategories", "What a refusal is about; it decides the exit code." {
        /// The command line or a file.
        Usage = "usage" => "usage",
        /// Something this version does not run.
        Unsupported = "unsupported" => "unsupported",
        /// An imported case.
        Import = "import" => "import",
        /// The tool policy.
        Policy = "policy" => "policy",
        /// A model key.
        Credentials = "credentials" => "credentials",
        /// Quota or credit.
        Billing = "billing" => "billing",
        /// A server or its binding.
        Setup = "setup" => "setup",
        /// The user interrupted.
        Cancelled = "cancelled" => "cancelled",
        /// Our own document contract.
        Integrity = "integrity" => "integrity",
        /// A bug of ours.
        Internal = "internal" => "internal",
    }
}

vocabulary! {
    /// Why a run was refused before it executed anything.
    RefusalCode = "refusalCodes", "Why a run was refused before it executed anything." {
        /// An option has an impossible value.
        OptionsInvalid = "OPTIONS_INVALID" => "an option is invalid",
        /// The suite file does not load.
        SuiteFileInvalid = "SUITE_FILE_INVALID" => "the suite file is invalid",
        /// The selection names no case that can run.
        CaseSelectionInvalid = "CASE_SELECTION_INVALID" => "the case selection is invalid",
        /// A case cannot be turned into prompts and checks.
        CaseInvalid = "CASE_INVALID" => "a case cannot be run as written",
        /// A case needs something that this version lacks.
        CaseUnsupported = "CASE_UNSUPPORTED" => "a case needs something this version does not run",
        /// A case gates on a judge that cannot run here.
        JudgeUnsupported = "JUDGE_UNSUPPORTED" => "a case gates on a judge that cannot run",
        /// An imported case may not run.
        ImportIneligible = "IMPORT_INELIGIBLE" => "an imported case may not run",
        /// The target cannot be run locally.
        TargetUnsupported = "TARGET_UNSUPPORTED" => "the target cannot be run locally",
        /// The model cannot be used.
        ModelUnsupported = "MODEL_UNSUPPORTED" => "the model cannot be used",
        /// Model id and provider contradict.
        InferenceConflict = "INFERENCE_CONFLICT" => "the model id and the provider contradict each other",
        /// A binding for a server that the suite does not name.
        ServerBindingInvalid = "SERVER_BINDING_INVALID" => "a server binding is invalid",
        /// No binding for a server that the suite names.
        ServerBindingMissing = "SERVER_BINDING_MISSING" => "a server has no binding",
        /// A model key is missing.
        CredentialsMissing = "CREDENTIALS_MISSING" => "a model key is missing",
        /// A model key was rejected.
        CredentialsRejected = "CREDENTIALS_REJECTED" => "a model key was rejected",
        /// A server could not be connected (with `--strict-setup`).
        ServerConnectFailed = "SERVER_CONNECT_FAILED" => "a server could not be connected",
        /// A catalog could not be listed (with `--strict-setup`, or under a tool policy).
        ToolCatalogFailed = "TOOL_CATALOG_FAILED" => "a tool catalog could not be listed",
        /// Two servers expose one tool name (with `--strict-setup`).
        ToolNameConflict = "TOOL_NAME_CONFLICT" => "two servers expose one tool name",
        /// Setup ran out of time (with `--strict-setup`).
        SetupTimeout = "SETUP_TIMEOUT" => "setup ran out of time",
        /// Any other setup failure.
        SetupFailed = "SETUP_FAILED" => "setup failed",
        /// A `deny` name matches no tool.
        ToolPolicyInvalid = "TOOL_POLICY_INVALID" => "the tool policy names a tool that does not exist",
        /// Interrupted before execution.
        Cancelled = "CANCELLED" => "interrupted before anything ran",
        /// The report failed its own contract.
        ReportInvalid = "REPORT_INVALID" => "the report failed its own contract",
        /// A bug of ours.
        InternalError = "INTERNAL_ERROR" => "an internal error",
    }
}

vocabulary! {
    /// Something that affected a run that went on.
    IssueCode = "issueCodes", "Something that affected a run that went on." {
        /// A reporter or recorder broke.
        ObserverFailed = "OBSERVER_FAILED" => "a reporter failed",
        /// A server did not stop cleanly.
        CleanupFailed = "CLEANUP_FAILED" => "cleaning up failed",
        /// A bug of ours.
        InternalError = "INTERNAL_ERROR" => "an internal error",
        /// Evidence that does not fit its contract.
        EvidenceInvalid = "EVIDENCE_INVALID" => "evidence is invalid",
        /// Evidence was cut.
        CaptureLimitExceeded = "CAPTURE_LIMIT_EXCEEDED" => "a capture limit was exceeded",
        /// A key was rejected mid-run.
        CredentialsRejected = "CREDENTIALS_REJECTED" => "a model key was rejected",
        /// Quota or credit ran out mid-run.
        BillingRefused = "BILLING_REFUSED" => "quota or credit ran out",
        /// The decision could not be formed.
        DecisionInvalid = "DECISION_INVALID" => "the decision could not be formed",
        /// A server could not be connected or listed; the chain shows where.
        SetupFailed = "SETUP_FAILED" => "a server could not be set up",
        /// A finding about a catalog: a quarantined entry, a repeated cursor, a name collision, an empty catalog.
        CatalogFinding = "CATALOG_FINDING" => "a finding about a tool catalog",
    }
}
