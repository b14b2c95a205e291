//! Friction signals and suspected conditions (friction, sections A2 and B1). Nothing in these lists decides anything.

use super::vocabulary;

vocabulary! {
    /// A pattern in a trial's tool calls that is worth a look. A pattern is not a fault: see
    /// [`FrictionSignalKind::benign_reading`].
    FrictionSignalKind = "frictionSignalKinds", "Patterns in a trial's tool calls that are worth a look. They report and never decide." {
        /// A result named identifiers, and no later call carried one of them.
        IdentifierSurfacedUnused = "identifierSurfacedUnused" => "Identifiers surfaced, none used later",
        /// A result named identifiers, and the same tool was asked again without one of them.
        SearchRepeatedAfterIdentifier = "searchRepeatedAfterIdentifier" => "Same tool searched again after identifiers",
        /// Two neighbouring calls of one tool with equal arguments.
        IdenticalRetry = "identicalRetry" => "Repeated with identical arguments",
        /// Two neighbouring calls of one tool with arguments that differ in more than the page.
        ChangedRetry = "changedRetry" => "Same tool called again with changed arguments",
        /// Two neighbouring calls of one tool that differ in pagination keys alone.
        PaginationContinuation = "paginationContinuation" => "Pagination continued",
    }
}

impl FrictionSignalKind {
    /// Whether the signal can be seen only where the results of all calls were retained.
    pub const fn needs_results(self) -> bool {
        match self {
            Self::IdentifierSurfacedUnused | Self::SearchRepeatedAfterIdentifier => true,
            Self::IdenticalRetry | Self::ChangedRetry | Self::PaginationContinuation => false,
        }
    }

    /// What the pattern means when nothing is amiss; shown beside the signal.
    pub const fn benign_reading(self) -> &'static str {
        match self {
            Self::IdentifierSurfacedUnused => {
                "A list, a count or a summary can be the whole answer; then its identifiers have no further use."
            }
            Self::SearchRepeatedAfterIdentifier => {
                "A request can need several searches: to compare, to narrow down, or to find a second thing."
            }
            Self::IdenticalRetry => {
                "Asking the same again is right when the answer can change in between, or after an error that passes."
            }
            Self::ChangedRetry => {
                "A request can need one tool for several inputs, or a search that is narrowed step by step."
            }
            Self::PaginationContinuation => {
                "Reading the next page is how a long list is meant to be read."
            }
        }
    }
}

vocabulary! {
    /// Why a trial's friction, or its identifier half, was not measured.
    FrictionGap = "frictionNotMeasuredReasons", "Why a trial's friction signals were not measured. Not measured is not \"none found\"." {
        /// The trial has no calls.
        NoToolCalls = "noToolCalls" => "no tool calls to look at",
        /// At least one call has no retained result.
        ResultsUnavailable = "resultsUnavailable" => "tool results were not retained",
        /// Ordering modes are mixed, or a call has none.
        OrderingUnknown = "orderingUnknown" => "the calls cannot be placed in a causal order",
        /// The producer knows of a hole, or arguments have no canonical form.
        EvidenceIncomplete = "evidenceIncomplete" => "the evidence for this trial has a known hole",
        /// More calls than are measured.
        Truncated = "truncated" => "too many tool calls to measure",
    }
}

vocabulary! {
    /// How a call is placed in time.
    CallOrdering = "callOrderings", "How a tool call is placed in time among the others." {
        /// By its position in the conversation.
        MessageOrder = "messageOrder" => "by its position in the conversation",
        /// By when it was sent and when its result arrived.
        Timed = "timed" => "by when it was sent and answered",
        /// Not at all.
        Unknown = "unknown" => "not known",
    }
}

vocabulary! {
    /// A top-level argument that turns a page. Case-sensitive.
    PaginationKey = "paginationKeys", "Top-level arguments that turn a page." {
        /// Where to go on.
        Cursor = "cursor" => "cursor",
        /// Where to go on, in other words.
        NextCursor = "nextCursor" => "next cursor",
        /// The page's number.
        Page = "page" => "page",
        /// The page's token.
        PageToken = "pageToken" => "page token",
        /// How many to skip.
        Offset = "offset" => "offset",
        /// The item before the page.
        After = "after" => "after",
        /// The item behind the page.
        Before = "before" => "before",
        /// The first item.
        Start = "start" => "start",
        /// How many at most.
        Limit = "limit" => "limit",
    }
}

vocabulary! {
    /// A condition, controlled by the server, that plausibly contributed to a signal. Suspected, never established.
    SuspectedCondition = "suspectedConditions", "Conditions of a server that plausibly contributed to a friction signal. Suspected: nothing here establishes a cause." {
        /// No condition could be named. Not "no problem found".
        Unclear = "unclear" => "could not attribute",
        /// What a follow-up call must pass is hidden far down in the result.
        IdBuriedInPayload = "idBuriedInPayload" => "identifier buried in payload",
        /// One field name stands for more than one kind of identifier.
        IdNameCollision = "idNameCollision" => "identifier name collision",
        /// Nothing in the answer ties it to the request.
        MissingQueryEcho = "missingQueryEcho" => "response does not echo the query",
        /// Output was shortened without a notice.
        SilentTruncation = "silentTruncation" => "response truncated without saying so",
        /// A reader of the error cannot decide about retrying.
        AmbiguousErrorSemantics = "ambiguousErrorSemantics" => "error text does not say whether to retry",
        /// A quantity whose unit is unknown.
        MissingUnits = "missingUnits" => "value has no stated unit",
        /// A real negative: nothing in the output accounts for the pattern.
        ResponseWasClear = "responseWasClear" => "the response was clear",
        /// The advertised text of the tool invited the wrong call.
        DescriptionMisleading = "descriptionMisleading" => "tool description points the wrong way",
    }
}

impl SuspectedCondition {
    /// What the condition says, in one sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Unclear => "No condition could be named. This does not say that there is none.",
            Self::IdBuriedInPayload => {
                "What a follow-up call must pass is hidden far down in the result."
            }
            Self::IdNameCollision => "One field name stands for more than one kind of identifier.",
            Self::MissingQueryEcho => "Nothing in the answer ties it to the request.",
            Self::SilentTruncation => "Output was shortened with no notice.",
            Self::AmbiguousErrorSemantics => "A reader of the error cannot decide about retrying.",
            Self::MissingUnits => "A quantity cannot be used because its unit is unknown.",
            Self::ResponseWasClear => "Nothing in the output accounts for the pattern.",
            Self::DescriptionMisleading => {
                "The advertised text of the tool invited the wrong call."
            }
        }
    }

    /// What the server's owner can change; `None` for the two members that name no condition.
    pub const fn lever(self) -> Option<&'static str> {
        match self {
            Self::Unclear | Self::ResponseWasClear => None,
            Self::IdBuriedInPayload => Some("move or repeat the field near the top of the result"),
            Self::IdNameCollision => Some("rename one field, or qualify it in the output schema"),
            Self::MissingQueryEcho => Some("return the effective query or filters"),
            Self::SilentTruncation => Some("return a truncation flag, a total, or a cursor"),
            Self::AmbiguousErrorSemantics => {
                Some("say whether and when to retry, and which input is wrong")
            }
            Self::MissingUnits => Some("name the unit in the field, or add a unit field"),
            Self::DescriptionMisleading => Some("edit the tool or parameter description"),
        }
    }
}

vocabulary! {
    /// How sure the reader of a window was.
    ConditionConfidence = "conditionConfidences", "How sure a judge was of a suspected condition." {
        /// Never shown with a named condition.
        Low = "low" => "low",
        /// In between.
        Medium = "medium" => "medium",
        /// Sure.
        High = "high" => "high",
    }
}

vocabulary! {
    /// Why a flagged trial was not read by a judge.
    ConditionSkip = "conditionSkipReasons", "Why a judge did not read a flagged trial." {
        /// Budget or consent was refused.
        SpendBlocked = "spendBlocked" => "spending was not allowed",
        /// A call of the window lacks its result, or the trace is partial.
        TraceIncomplete = "traceIncomplete" => "the trace is incomplete",
        /// Every result of the window is empty.
        NoEvidence = "noEvidence" => "there was nothing to read",
        /// The run's cap was reached.
        Cap = "cap" => "the run's cap was reached",
    }
}
