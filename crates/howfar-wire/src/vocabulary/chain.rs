//! The chain: stages, states, reasons and failure categories (derivation, section 1; labels of run-documents 1.1).

use super::vocabulary;

vocabulary! {
    /// One of the six links of the user-value chain, in chain order.
    Stage = "stages", "The six links between a user's request and its answer, in the order in which value travels." {
        /// Could the client reach the server and initialize a session?
        Connection = "connection" => "Connection",
        /// Did the client receive usable primitives and metadata?
        Discovery = "discovery" => "Discovery",
        /// Did the model choose the right tool for the request?
        Selection = "selection" => "Selection",
        /// Was the call made with usable arguments?
        Call = "call" => "Tool call",
        /// Did the server return data the model could use?
        Response = "response" => "Response",
        /// Was the user's actual request satisfied?
        UserValue = "userValue" => "User value",
    }
}

impl Stage {
    /// The position in the chain, 0 to 5.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The question this link answers.
    pub const fn question(self) -> &'static str {
        match self {
            Self::Connection => "Could the client reach the server and initialize a session?",
            Self::Discovery => "Did the client receive usable primitives and metadata?",
            Self::Selection => "Did the model choose the right tool for the request?",
            Self::Call => "Was the call made with usable arguments?",
            Self::Response => "Did the server return data the model could use?",
            Self::UserValue => "Was the user's actual request satisfied?",
        }
    }

    /// What a person sees when the link held.
    pub const fn healthy(self) -> &'static str {
        match self {
            Self::Connection => "Session connected",
            Self::Discovery => "Tools and resources discovered",
            Self::Selection => "Right tool selected",
            Self::Call => "Valid call made",
            Self::Response => "Usable response returned",
            Self::UserValue => "Request satisfied",
        }
    }
}

vocabulary! {
    /// What one trial knows about one stage. Only `passed` is a pass; the last three are three different absences.
    StageState = "stageStates", "What one trial knows about one link. Only `passed` is a pass." {
        /// Eligible evidence was inspected and the stage held.
        Passed = "passed" => "passed",
        /// Eligible evidence was inspected and the stage did not hold.
        Failed = "failed" => "failed",
        /// An earlier stage failed, so this one never ran.
        NotReached = "notReached" => "never ran (an earlier stage failed)",
        /// Nothing eligible was inspected.
        NotMeasured = "notMeasured" => "not measured",
        /// The case asserts nothing that this stage could decide.
        NotApplicable = "notApplicable" => "not applicable to this case",
    }
}

impl StageState {
    /// Whether evidence decided the stage: `passed` or `failed`.
    pub const fn is_measured(self) -> bool {
        match self {
            Self::Passed | Self::Failed => true,
            Self::NotReached | Self::NotMeasured | Self::NotApplicable => false,
        }
    }
}

vocabulary! {
    /// The bucket of a non-passing trial. A bucket is not a cause.
    FailureCategory = "failureCategories", "The bucket of a trial that did not pass, and who should look next. Not a cause." {
        /// The environment or the connection.
        Setup = "setup" => "setup",
        /// The catalog's names and descriptions.
        Metadata = "metadata" => "tool metadata",
        /// The choice of the tool.
        Selection = "selection" => "tool selection",
        /// The arguments of the call.
        Arguments = "arguments" => "call arguments",
        /// What the server sent back.
        ServerData = "serverData" => "server data",
        /// The answer to the user.
        UserValue = "userValue" => "user value",
        /// The grader, not the server.
        Evaluator = "evaluator" => "evaluator",
    }
}

impl FailureCategory {
    /// Who should look next, in the words of a decision summary's `nextAction` (run-documents 1.1).
    pub const fn next_owner(self) -> &'static str {
        match self {
            Self::Setup => "check the server connection and environment configuration",
            Self::Metadata => "review the tool metadata and descriptions in the server catalog",
            Self::Selection => "review tool selection and the tool catalog",
            Self::Arguments => "review the authored arguments against the tool input schema",
            Self::ServerData => "inspect the tool response returned by the server",
            Self::UserValue => "review whether the response answered the user's goal",
            Self::Evaluator => "check the evaluator configuration; the case was not graded",
        }
    }
}

/// How a recommendation for a reason may be worded (run-documents 1.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReasonWording {
    /// It may instruct.
    Direct,
    /// It must ask.
    CheckWhether,
    /// It must say first that nothing on the server is indicated.
    NothingToFix,
}

vocabulary! {
    /// Why a row has its state; the label completes "…because".
    StageReason = "stageReasons", "Why a link has its state. The words complete the sentence \"…because …\"." {
        /// Valid on input documents; this analyzer never emits it.
        NoSpanChannel = "noSpanChannel" => "this run captures no evidence channel for that stage",
        /// Nothing eligible was captured.
        NoEvidenceCaptured = "noEvidenceCaptured" => "nothing eligible for that stage was captured",
        /// Extra calls, and nobody said whether they are tolerated.
        MatchVerdictUnavailable = "matchVerdictUnavailable" => "extra tool calls were captured but the run did not report whether its match options tolerate them",
        /// No trace at all.
        TraceAbsent = "traceAbsent" => "the iteration recorded no trace",
        /// A trace whose executor never reports spans.
        ExecutorEmitsNoSpans = "executorEmitsNoSpans" => "the executor emitted no spans",
        /// A policy stopped the run first.
        BlockedByPolicy = "blockedByPolicy" => "a policy blocked the run before it could be measured",
        /// The grader broke.
        EvaluatorError = "evaluatorError" => "the evaluator itself failed, so the run says nothing about the server",
        /// The model provider broke.
        ProviderError = "providerError" => "the model provider failed the call, so this stage was never measured",
        /// The environment was never ready.
        SetupAborted = "setupAborted" => "the environment was never prepared, so the test never began",
        /// The server was reached and initialize failed there.
        ConnectFailed = "connectFailed" => "the configured server was reached and initialize failed there",
        /// The session started and the listing failed.
        ToolsListFailed = "toolsListFailed" => "initialize succeeded and listing tools failed",
        /// A failed connection without proof that our own network path works.
        EgressUnverified = "egressUnverified" => "the connection failed with no evidence that our own network egress works",
        /// The run was stopped.
        LifecycleStopped = "lifecycleStopped" => "the run was stopped mid-flight",
        /// Nothing authored for this stage.
        NotAuthored = "notAuthored" => "the case asserts nothing this stage could decide",
        /// An earlier stage failed.
        EarlierStageFailed = "earlierStageFailed" => "an earlier stage failed",
        /// An expected call is missing.
        MissingToolCall = "missingToolCall" => "an expected tool call was never made",
        /// A call that the case did not expect.
        UnexpectedToolCall = "unexpectedToolCall" => "a tool call was made that the case did not expect",
        /// The right tool with the wrong arguments.
        ArgumentMismatch = "argumentMismatch" => "the call arguments did not match what the case expects",
        /// The tool answered with an error.
        ToolError = "toolError" => "the server reported a tool error",
        /// The call got no result.
        ProtocolError = "protocolError" => "the call never produced a result",
        /// The widget did not render.
        RenderFailed = "renderFailed" => "the widget did not render",
        /// A required check did not hold.
        PredicateFailed = "predicateFailed" => "a check on the result did not hold",
        /// The evidence was inspected and held.
        Observed = "observed" => "the evidence was inspected and the stage held",
        /// A later stage could not have worked otherwise.
        ImpliedByLaterEvidence = "impliedByLaterEvidence" => "a later stage's success implies it",
        /// The judge's score is at or above the threshold.
        JudgeObserved = "judgeObserved" => "the LLM judge scored at or above the threshold",
        /// The judge's score is in the partial band.
        JudgePartial = "judgePartial" => "the LLM judge scored inside the partial band — at or above the floor, below the threshold",
        /// The judge's score is below the floor.
        JudgeFailed = "judgeFailed" => "the LLM judge scored below the partial floor",
        /// A judge verdict is owed.
        JudgePending = "judgePending" => "an LLM judge verdict is owed and has not arrived",
        /// No judge verdict was ever owed.
        JudgeNotRequested = "judgeNotRequested" => "no LLM judge verdict was ever owed",
    }
}

impl StageReason {
    /// How a recommendation for this reason may be worded: 9 direct, 5 ask, 15 say that nothing is to fix.
    pub const fn wording(self) -> ReasonWording {
        match self {
            Self::ConnectFailed
            | Self::ToolsListFailed
            | Self::MissingToolCall
            | Self::UnexpectedToolCall
            | Self::ArgumentMismatch
            | Self::ToolError
            | Self::ProtocolError
            | Self::RenderFailed
            | Self::PredicateFailed => ReasonWording::Direct,
            Self::JudgeObserved
            | Self::JudgePartial
            | Self::JudgeFailed
            | Self::JudgePending
            | Self::JudgeNotRequested => ReasonWording::CheckWhether,
            Self::NoSpanChannel
            | Self::NoEvidenceCaptured
            | Self::MatchVerdictUnavailable
            | Self::TraceAbsent
            | Self::ExecutorEmitsNoSpans
            | Self::BlockedByPolicy
            | Self::EvaluatorError
            | Self::ProviderError
            | Self::SetupAborted
            | Self::EgressUnverified
            | Self::LifecycleStopped
            | Self::NotAuthored
            | Self::EarlierStageFailed
            | Self::Observed
            | Self::ImpliedByLaterEvidence => ReasonWording::NothingToFix,
        }
    }
}

vocabulary! {
    /// Whether a trial got to a stage (run-documents, section 6).
    Reach = "reach", "Whether a trial got to a link at all." {
        /// The stage was reached.
        Reached = "reached" => "reached",
        /// An earlier stage failed first.
        NotReached = "notReached" => "not reached",
        /// Nothing captured decides whether it was reached.
        Unknown = "unknown" => "unknown",
        /// The stage does not apply.
        NotApplicable = "notApplicable" => "not applicable",
    }
}
