//! What the reader of suite files says, and the words of a suite file (suite and runner, sections A and B).

use super::{ExitCode, PredicateKind, Stage, vocabulary};

vocabulary! {
    /// How far a suite file came before it was refused.
    LoadStage = "loadStages", "How far a suite file came before it was refused." {
        /// The bytes: too large to read.
        Input = "input" => "reading the file",
        /// The text: not one YAML document.
        Parse = "parse" => "parsing the text",
        /// The document: not a suite.
        Contract = "contract" => "checking the suite",
    }
}

vocabulary! {
    /// The code of a finding. Codes are only ever added.
    FindingCode = "findingCodes", "The code of a finding about a suite file." {
        /// More than 1,048,576 bytes.
        TooLarge = "SUITE_FILE_TOO_LARGE" => "the file is too large",
        /// No document in the text.
        Empty = "SUITE_FILE_EMPTY" => "the file is empty",
        /// The parser refused the text.
        YamlInvalid = "SUITE_FILE_YAML_INVALID" => "the text is not valid YAML or JSON",
        /// More than one document.
        MultipleDocuments = "SUITE_FILE_MULTIPLE_DOCUMENTS" => "the file holds more than one document",
        /// The document is not a valid suite.
        Invalid = "SUITE_FILE_INVALID" => "the suite is invalid",
    }
}

impl FindingCode {
    /// The stage at which this code arises.
    pub const fn stage(self) -> LoadStage {
        match self {
            Self::TooLarge => LoadStage::Input,
            Self::Empty | Self::YamlInvalid | Self::MultipleDocuments => LoadStage::Parse,
            Self::Invalid => LoadStage::Contract,
        }
    }
}

vocabulary! {
    /// What is wrong, independent of the wording of the message.
    FindingClass = "findingClasses", "What is wrong with a suite file, independent of the wording." {
        /// The text has more bytes than are read.
        TooLarge = "tooLarge" => "too large",
        /// No document in the text.
        Empty = "empty" => "no document",
        /// More than one document.
        MultipleDocuments = "multipleDocuments" => "more than one document",
        /// The parser refused the text.
        YamlInvalid = "yamlInvalid" => "not valid YAML",
        /// A value of the wrong type, including a fraction or a non-finite number where a whole number is needed.
        WrongType = "wrongType" => "wrong type",
        /// A required field is absent.
        MissingField = "missingField" => "missing field",
        /// A closed object carries a key that it does not declare.
        UnknownField = "unknownField" => "unknown field",
        /// A key that only the other dialect declares.
        CrossDialectField = "crossDialectField" => "field of the other dialect",
        /// `schemaVersion` names no known dialect.
        UnknownVersion = "unknownVersion" => "unknown version",
        /// A value reserved for a later version.
        ReservedValue = "reservedValue" => "reserved value",
        /// Not a member of the closed set.
        WrongValue = "wrongValue" => "not one of the allowed values",
        /// A number below or above its bound.
        OutOfRange = "outOfRange" => "out of range",
        /// Text shorter than its minimum.
        TooShort = "tooShort" => "too short",
        /// Text longer than its maximum.
        TooLong = "tooLong" => "too long",
        /// A list shorter than its minimum.
        TooFew = "tooFew" => "too few entries",
        /// A list longer than its maximum.
        TooMany = "tooMany" => "too many entries",
        /// Text that does not match the required pattern.
        BadFormat = "badFormat" => "wrong format",
        /// The target names neither a server nor an environment.
        NoTarget = "noTarget" => "no target",
        /// An id already used earlier in the same scope.
        DuplicateId = "duplicateId" => "id used twice",
        /// Both names of one list are present.
        BothSpellings = "bothSpellings" => "both names of one list",
        /// A rubric with neither criteria nor instructions.
        EmptyRubric = "emptyRubric" => "empty rubric",
        /// Only white space where text is required.
        BlankText = "blankText" => "only white space",
        /// Severity without the advisory role.
        SeverityNeedsAdvisory = "severityNeedsAdvisory" => "severity without the advisory role",
        /// An observation kind without role advisory.
        ObservationMustBeAdvisory = "observationMustBeAdvisory" => "an observation that is not advisory",
        /// An assertion that carries both `kind` and `type`.
        AmbiguousAssertion = "ambiguousAssertion" => "an assertion of two families",
        /// A locator with no role, text, css or testId.
        LocatorEmpty = "locatorEmpty" => "a locator that locates nothing",
        /// A regular expression that does not compile.
        BadRegex = "badRegex" => "pattern does not compile",
        /// A case import block in a file without provenance.
        ImportWithoutProvenance = "importWithoutProvenance" => "import without provenance",
        /// An exact claim with no note.
        ExactNeedsNote = "exactNeedsNote" => "an exact claim needs a note",
    }
}

vocabulary! {
    /// Advice about a suite that loads. A warning never changes an exit code unless the user asks for it.
    WarningClass = "warningClasses", "Advice about a suite that loads; never a refusal." {
        /// A check carries a key that its kind does not declare; the key is dropped.
        UnknownPredicateKey = "unknownPredicateKey" => "unknown key in a check",
        /// A case with no assertion, no expected output and no negative flag.
        CaseAssertsNothing = "caseAssertsNothing" => "a case that asserts nothing",
        /// A blank prompt; a run refuses it.
        EmptyPrompt = "emptyPrompt" => "a blank prompt",
        /// Two target servers share a name; a local run refuses it.
        DuplicateServerName = "duplicateServerName" => "two servers share a name",
        /// An enabled case whose import status is not exact.
        NonExactEnabled = "nonExactEnabled" => "an enabled case that was not imported exactly",
        /// Every case is disabled; a run has nothing to do.
        NoEnabledCase = "noEnabledCase" => "every case is disabled",
        /// A negative case that demands a tool call; a run refuses it.
        NegativeContradiction = "negativeContradiction" => "a negative case that demands a tool call",
    }
}

vocabulary! {
    /// What a live check found where a suite and its servers disagree.
    LiveFindingCode = "liveFindingCodes", "Where a suite and its live servers disagree." {
        /// No configuration entry, or no target, has this name.
        ServerUnknown = "SERVER_UNKNOWN" => "no such server",
        /// No server lists a tool of this name.
        ToolUnknown = "TOOL_UNKNOWN" => "no such tool",
        /// The arguments do not fit the tool's input schema.
        ArgumentsMismatch = "ARGUMENTS_MISMATCH" => "arguments that the schema refuses",
        /// The tool's input schema cannot be used, so its arguments were not checked.
        ArgumentsUnchecked = "ARGUMENTS_UNCHECKED" => "arguments that could not be checked",
    }
}

vocabulary! {
    /// What can decide a link of the chain, as far as the suite alone tells.
    Measurement = "measurements", "What can decide a link of the chain, as far as a suite file alone tells." {
        /// An authored check decides it.
        Authored = "authored" => "an authored check decides it",
        /// Authored checks report on it and decide nothing.
        AdvisoryOnly = "advisoryOnly" => "only advisory checks look at it",
        /// Nobody wrote a check; the runner's own row observes it. It fills no gap.
        BuiltInOnly = "builtInOnly" => "only the built-in row observes it",
        /// Nothing looks at it.
        Nothing = "nothing" => "nothing measures it",
        /// It applies to no enabled case.
        NotApplicable = "notApplicable" => "it applies to no enabled case",
    }
}

vocabulary! {
    /// The schema generation that `schemaVersion` names.
    Dialect = "dialects", "The schema generation of a suite file, as `schemaVersion` names it." {
        /// Counts are `repetitions`, case lists are `checks`.
        One = "1" => "dialect 1",
        /// Counts are `iterations`, case lists are `assertions`.
        Two = "2" => "dialect 2",
    }
}

vocabulary! {
    /// What a step of a case does.
    StepKind = "stepKinds", "What a step of a case does." {
        /// The user says something.
        Prompt = "prompt" => "a prompt",
        /// A tool is called with fixed arguments, without a model.
        ToolCall = "toolCall" => "a fixed tool call",
        /// A widget is operated.
        Interact = "interact" => "an interaction with a widget",
        /// Something must hold at this position.
        Assert = "assert" => "an assertion",
    }
}

vocabulary! {
    /// How faithfully an imported case says what its source said.
    ImportStatus = "importStatuses", "How faithfully an imported case says what its source said." {
        /// Structure preserved, and a cited rule licenses the claim.
        Exact = "exact" => "exact",
        /// Useful but lossy.
        Approximated = "approximated" => "approximated",
        /// No safe representation.
        Unsupported = "unsupported" => "unsupported",
        /// Depends on live discovery or executed code.
        Unresolved = "unresolved" => "unresolved",
    }
}

vocabulary! {
    /// How far a tool policy restrains the model.
    ToolPolicyMode = "toolPolicyModes", "How far a tool policy restrains the model." {
        /// Everything but declared-destructive tools.
        Default = "default" => "everything but destructive tools",
        /// Declared read-only tools only.
        ReadOnly = "readOnly" => "read-only tools only",
    }
}

vocabulary! {
    /// The label that an author gives a case; it decides nothing.
    CaseKind = "caseKinds", "The author's label of a case; it decides nothing." {
        /// Something the server should become able to do.
        Capability = "capability" => "capability",
        /// Something that worked and must keep working.
        Regression = "regression" => "regression",
    }
}

vocabulary! {
    /// What an issue of a run is about.
    IssueCategory = "issueCategories", "What an issue of a run that went on is about; it contributes to the exit code." {
        /// A reporter or recorder.
        Observer = "observer" => "a reporter",
        /// Stopping servers.
        Cleanup = "cleanup" => "cleaning up",
        /// A bug of ours.
        Internal = "internal" => "an internal error",
        /// Our own document contract.
        Integrity = "integrity" => "our own documents",
        /// A model key.
        Credentials = "credentials" => "a model key",
        /// Quota or credit.
        Billing = "billing" => "quota or credit",
        /// A server.
        Setup = "setup" => "a server",
    }
}

impl IssueCategory {
    /// What the issue alone contributes to the exit code; `Success` means nothing.
    pub const fn exit_code(self) -> ExitCode {
        match self {
            Self::Observer | Self::Cleanup => ExitCode::Success,
            Self::Internal | Self::Integrity => ExitCode::Incomplete,
            Self::Credentials => ExitCode::Credentials,
            Self::Billing | Self::Setup => ExitCode::Setup,
        }
    }
}

vocabulary! {
    /// Why a case, a selection, an import or a target is refused before anything runs.
    ProblemReason = "problemReasons", "Why something is refused before anything runs." {
        /// A prompt is blank.
        EmptyPrompt = "emptyPrompt" => "a prompt is blank",
        /// A case with neither a prompt nor a fixed tool call.
        NoPrompt = "noPrompt" => "the case has no prompt and no fixed tool call",
        /// A negative case that demands a tool call.
        NegativeContradiction = "negativeContradiction" => "a negative case demands a tool call",
        /// A widget interaction.
        InteractStep = "interactStep" => "the case operates a widget",
        /// A widget assertion.
        WidgetAssertion = "widgetAssertion" => "the case asserts on a live widget",
        /// A check that reads widget renders.
        RenderAssertion = "renderAssertion" => "a check reads widget renders",
        /// A judge that gates and cannot run.
        GatingJudge = "gatingJudge" => "the case gates on a judge",
        /// A kind of check that this runner does not evaluate.
        PredicateKind = "predicateKind" => "a kind of check is not supported",
        /// A selected id that the suite does not have.
        UnknownCase = "unknownCase" => "the suite has no such case",
        /// A selected id that stands twice.
        RepeatedCase = "repeatedCase" => "the case is selected twice",
        /// A selected case that is disabled.
        DisabledCase = "disabledCase" => "the case is disabled",
        /// An empty selection.
        EmptySelection = "emptySelection" => "the selection is empty",
        /// No case of the suite is enabled.
        NoEnabledCase = "noEnabledCase" => "every case is disabled",
        /// The target names an environment and no server.
        EnvironmentOnlyTarget = "environmentOnlyTarget" => "the target names no server",
        /// A server name of only white space.
        BlankServerName = "blankServerName" => "a server name is blank",
        /// A server name that stands twice.
        DuplicateServerName = "duplicateServerName" => "two servers share a name",
        /// An approval without a case id.
        InvalidApproval = "invalid_approval" => "the approval names no case",
        /// A second approval of one case.
        DuplicateApproval = "duplicate_approval" => "the case is approved twice",
        /// An approval whose reason is blank or longer than 500 characters.
        InvalidApprovalReason = "invalid_approval_reason" => "the approval's reason is blank or too long",
        /// An imported case without a safe representation.
        UnsupportedCase = "unsupported_case" => "the source has no safe representation",
        /// An imported case that depends on something unresolved.
        UnresolvedCase = "unresolved_case" => "the import left something open",
        /// An approval of a case that needs none.
        ApprovalNotRequired = "approval_not_required" => "the case needs no approval",
        /// An approximated case without approval.
        ApprovalRequired = "approval_required" => "the case needs an approval for this run",
        /// An approval of a case that the suite does not have.
        ApprovalCaseUnknown = "approval_case_unknown" => "the approved case does not exist",
        /// An approval of a disabled case.
        ApprovalCaseDisabled = "approval_case_disabled" => "the approved case is disabled",
        /// An approval of a case outside the selection.
        ApprovalCaseNotSelected = "approval_case_not_selected" => "the approved case is not selected",
        /// An approval of a case that was not imported.
        ApprovalCaseNotImported = "approval_case_not_imported" => "the approved case was not imported",
        /// An imported case expects a tool that the catalog does not have.
        ToolNotInSnapshot = "tool_not_in_snapshot" => "an expected tool is not in the catalog",
    }
}

vocabulary! {
    /// Why an imported case may run.
    ImportDecision = "importDecisions", "Why an imported case may run." {
        /// The importer claims an exact translation.
        ClaimedExact = "claimed_exact" => "imported exactly",
        /// A person approved the approximation for this run.
        ApprovedApproximation = "approved_approximation" => "approximation approved for this run",
    }
}

vocabulary! {
    /// Where a model runs.
    ModelProvider = "modelProviders", "Where a model runs." {
        /// Anthropic.
        Anthropic = "anthropic" => "Anthropic",
        /// OpenAI.
        OpenAi = "openai" => "OpenAI",
        /// Azure OpenAI; needs deployment settings, so it is refused.
        Azure = "azure" => "Azure OpenAI",
        /// Amazon Bedrock; needs deployment settings, so it is refused.
        Bedrock = "bedrock" => "Amazon Bedrock",
        /// DeepSeek.
        DeepSeek = "deepseek" => "DeepSeek",
        /// Google.
        Google = "google" => "Google",
        /// A local Ollama.
        Ollama = "ollama" => "Ollama",
        /// Mistral.
        Mistral = "mistral" => "Mistral",
        /// OpenRouter.
        OpenRouter = "openrouter" => "OpenRouter",
        /// xAI.
        XAi = "xai" => "xAI",
        /// Any server that speaks OpenAI's protocol, at a base URL.
        OpenAiCompatible = "openai-compatible" => "an OpenAI-compatible server",
        /// A script of assistant turns in a local file; no model at all.
        Scripted = "scripted" => "a script",
    }
}

vocabulary! {
    /// A suite-standard entry that every run has and no case may suppress: two checks of the runner, and the judge.
    FixedCheckId = "fixedCheckIds", "The suite-standard entries that no case may suppress: two checks of the runner, and the judge." {
        /// The runner: the session initializes.
        ConnectionSuccess = "connection.success" => "Session connected",
        /// The runner: the tool list is answered.
        DiscoveryToolsList = "discovery.toolsList" => "Tools discovered",
        /// The judge: the user's goal is met.
        UserValueOutcome = "userValue.outcome" => "Goal completion",
    }
}

impl FixedCheckId {
    /// The link at which its row is filed.
    pub const fn stage(self) -> Stage {
        match self {
            Self::ConnectionSuccess => Stage::Connection,
            Self::DiscoveryToolsList => Stage::Discovery,
            Self::UserValueOutcome => Stage::UserValue,
        }
    }
}

vocabulary! {
    /// The fifteen suite-standard checks that a case may suppress. The ids are frozen.
    StandardCheckId = "standardCheckIds", "The suite-standard checks that a case may suppress." {
        /// Tool descriptions of at least 20 characters.
        DiscoveryDescription = "discovery.description" => "Description quality",
        /// Tool annotations.
        DiscoveryAnnotations = "discovery.annotations" => "Tool annotations",
        /// Unique tool names.
        DiscoveryCollisions = "discovery.collisions" => "Name collisions",
        /// No deprecated tool in the catalog.
        DiscoveryDeprecated = "discovery.deprecated" => "Deprecated tools exposed",
        /// Well-formed input schemas.
        CallSchema = "call.schema" => "Input schema quality",
        /// Output schemas.
        ResponseSchema = "response.schema" => "Output schema quality",
        /// Fewer than four calls.
        SelectionHops = "selection.hops" => "Tool hops before the right tool",
        /// Arguments that match the tool's schema.
        CallParameters = "call.parameters" => "Parameter validity",
        /// No repeated identical call.
        CallRepeated = "call.repeated" => "Repeated identical calls",
        /// Calls under five seconds.
        ResponsePerformance = "response.performance" => "Tool latency",
        /// Results under 64,000 bytes.
        ResponseSize = "response.size" => "Payload size",
        /// No tool error.
        ResponseErrors = "response.errors" => "Tool errors (isError)",
        /// Errors that name the input.
        ResponseRecovery = "response.recovery" => "Error messages that help recovery",
        /// Full pages that say how to continue.
        ResponsePagination = "response.pagination" => "Pagination and truncation clarity",
        /// Fewer than six turns.
        UserValueTurns = "userValue.turns" => "User turns to completion",
    }
}

impl StandardCheckId {
    /// The kind of check behind the id. Its link comes from this kind, not from the id's prefix.
    pub const fn kind(self) -> PredicateKind {
        match self {
            Self::DiscoveryDescription => PredicateKind::ToolDescriptionsPresent,
            Self::DiscoveryAnnotations => PredicateKind::ToolAnnotationsPresent,
            Self::DiscoveryCollisions => PredicateKind::ToolNamesUnique,
            Self::DiscoveryDeprecated => PredicateKind::NoDeprecatedToolExposed,
            Self::CallSchema => PredicateKind::ToolInputSchemasWellFormed,
            Self::ResponseSchema => PredicateKind::ToolOutputSchemasPresent,
            Self::SelectionHops => PredicateKind::ToolCallCountUnder,
            Self::CallParameters => PredicateKind::ArgumentsMatchToolSchema,
            Self::CallRepeated => PredicateKind::NoRepeatedIdenticalCall,
            Self::ResponsePerformance => PredicateKind::ToolLatencyUnder,
            Self::ResponseSize => PredicateKind::ToolResultSizeUnder,
            Self::ResponseErrors => PredicateKind::NoToolErrors,
            Self::ResponseRecovery => PredicateKind::ToolErrorNamesInput,
            Self::ResponsePagination => PredicateKind::FullPageHasContinuation,
            Self::UserValueTurns => PredicateKind::TurnCountUnder,
        }
    }

    /// The link at which the check is filed.
    pub const fn stage(self) -> Stage {
        self.kind().stage()
    }
}
