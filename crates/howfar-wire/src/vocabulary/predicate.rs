//! The 36 predicate kinds and the graders that are not predicates (predicates, section 1; derivation, section 5).

use super::{Stage, vocabulary};

vocabulary! {
    /// The kind of an authored check, in union order.
    PredicateKind = "predicateKinds", "The kinds of authored checks, and the link where each is filed." {
        /// Every tool of every server has a description of at least `minLength` characters (20 unless given).
        ToolDescriptionsPresent = "toolDescriptionsPresent" => "tool descriptions are present",
        /// Every tool has `annotations`; each key that `require` names is a boolean in them.
        ToolAnnotationsPresent = "toolAnnotationsPresent" => "tool annotations are present",
        /// No server lists the same tool name twice. The same name on two servers is fine.
        ToolNamesUnique = "toolNamesUnique" => "tool names are unique",
        /// No description marks its own tool as deprecated. Read from the words, so never more than advice.
        NoDeprecatedToolExposed = "noDeprecatedToolExposed" => "no deprecated tool is exposed",
        /// Every `inputSchema` has `type: object`, and every property at its top level has a description that is not
        /// blank.
        ToolInputSchemasWellFormed = "toolInputSchemasWellFormed" => "input schemas are well formed",
        /// Every tool declares an `outputSchema`.
        ToolOutputSchemasPresent = "toolOutputSchemasPresent" => "output schemas are present",
        /// The tool is called with these arguments, `minCount` times (once unless given).
        ToolCalledWith = "toolCalledWith" => "a tool is called with given arguments",
        /// The tool is called at least once, with any arguments.
        ToolCalledAtLeastOnce = "toolCalledAtLeastOnce" => "a tool is called at least once",
        /// The tool is not called at all.
        ToolNeverCalled = "toolNeverCalled" => "a tool is never called",
        /// Every call is of a tool that `toolNames` lists; an empty list allows no call.
        OnlyToolsCalled = "onlyToolsCalled" => "only the named tools are called",
        /// The first call of the trial is of this tool.
        FirstToolWas = "firstToolWas" => "a given tool is called first",
        /// The edit distance from the answer to `reference`, as a share of the longer text, is at most `maxDistance`.
        ResponseCloseTo = "responseCloseTo" => "the answer is close to a reference",
        /// The last assistant message contains `needle`, in any case unless `caseSensitive`.
        ResponseContains = "responseContains" => "the answer contains a text",
        /// The last assistant message matches `pattern`, an ECMAScript pattern without flags.
        ResponseMatches = "responseMatches" => "the answer matches a pattern",
        /// No call ends with a protocol error or with `isError`.
        NoToolErrors = "noToolErrors" => "no tool error occurs",
        /// The last assistant message has at least one character that is not blank.
        FinalAssistantMessageNonEmpty = "finalAssistantMessageNonEmpty" => "the answer is not empty",
        /// The whole trial uses fewer tokens than `tokens`. Tokens that nobody counted do not hold it.
        TokenBudgetUnder = "tokenBudgetUnder" => "token use stays under a budget",
        /// The widget of the tool renders. Needs observations of a browser.
        WidgetRendered = "widgetRendered" => "a widget renders",
        /// The widget of the tool renders in fewer milliseconds than `ms`. Needs observations of a browser.
        WidgetRenderLatencyUnder = "widgetRenderLatencyUnder" => "a widget renders in time",
        /// The widget of the tool writes no error to the console. Needs observations of a browser.
        WidgetNoConsoleErrors = "widgetNoConsoleErrors" => "a widget logs no console error",
        /// The user speaks fewer than `turns` times.
        TurnCountUnder = "turnCountUnder" => "the user needs fewer turns than a limit",
        /// The last line of the answer that is not blank does not end with `?`.
        NoEndingQuestion = "noEndingQuestion" => "the answer does not end with a question",
        /// Every call is answered in fewer milliseconds than `ms`.
        ToolLatencyUnder = "toolLatencyUnder" => "calls stay under a latency",
        /// One result contains `needle`, in its text or in its JSON.
        ToolResultContains = "toolResultContains" => "a result contains a text",
        /// Every result is JSON that `schema` accepts.
        ToolResultMatchesSchema = "toolResultMatchesSchema" => "results match a schema",
        /// Every result, as the model sees it, is smaller than `maxBytes`.
        ToolResultSizeUnder = "toolResultSizeUnder" => "results stay under a size",
        /// The arguments of every call are valid by the tool's own `inputSchema`. Valid arguments need not be those
        /// that the user meant.
        ArgumentsMatchToolSchema = "argumentsMatchToolSchema" => "arguments match the tool's input schema",
        /// No call is followed at once by the same call with the same arguments.
        NoRepeatedIdenticalCall = "noRepeatedIdenticalCall" => "no identical call is repeated back to back",
        /// There are fewer calls than `count`.
        ToolCallCountUnder = "toolCallCountUnder" => "fewer calls than a limit",
        /// Every call of `beforeToolName` has an earlier call of `toolName`.
        ToolCalledBefore = "toolCalledBefore" => "a tool is called before another",
        /// No tool is called whose description marks it as deprecated.
        NoDeprecatedToolCalled = "noDeprecatedToolCalled" => "no deprecated tool is called",
        /// Every tool that is called declares `readOnlyHint: true` or `destructiveHint: false`.
        NoDestructiveToolCalled = "noDestructiveToolCalled" => "no destructive tool is called",
        /// Every tool error names an argument of the tool, or a value that was sent, so that a model can mend its
        /// call.
        ToolErrorNamesInput = "toolErrorNamesInput" => "tool errors name the input at fault",
        /// A result with as many entries as the call asked for says how to go on, for example with `nextCursor`.
        FullPageHasContinuation = "fullPageHasContinuation" => "full pages say how to continue",
        /// The text at `path` of the arguments matches the patterns, in as many calls as `min` and `max` allow.
        ToolInputMatches = "toolInputMatches" => "arguments match patterns",
        /// The text at `path` of the results matches the patterns, in as many results as `min` and `max` allow.
        ToolResultMatches = "toolResultMatches" => "results match patterns",
    }
}

impl PredicateKind {
    /// The link where rows of this kind are filed. Where a row *decides* differs for `toolCalledWith` (derivation 5.3).
    pub const fn stage(self) -> Stage {
        match self {
            Self::ToolDescriptionsPresent
            | Self::ToolAnnotationsPresent
            | Self::ToolNamesUnique
            | Self::NoDeprecatedToolExposed
            | Self::ToolInputSchemasWellFormed
            | Self::ToolOutputSchemasPresent => Stage::Discovery,
            Self::ToolCalledWith
            | Self::ToolCalledAtLeastOnce
            | Self::ToolNeverCalled
            | Self::OnlyToolsCalled
            | Self::FirstToolWas
            | Self::ToolCallCountUnder
            | Self::ToolCalledBefore
            | Self::NoDeprecatedToolCalled
            | Self::NoDestructiveToolCalled => Stage::Selection,
            Self::ArgumentsMatchToolSchema
            | Self::NoRepeatedIdenticalCall
            | Self::ToolInputMatches => Stage::Call,
            Self::NoToolErrors
            | Self::ToolLatencyUnder
            | Self::ToolResultContains
            | Self::ToolResultMatchesSchema
            | Self::ToolResultSizeUnder
            | Self::ToolErrorNamesInput
            | Self::FullPageHasContinuation
            | Self::ToolResultMatches => Stage::Response,
            Self::ResponseCloseTo
            | Self::ResponseContains
            | Self::ResponseMatches
            | Self::FinalAssistantMessageNonEmpty
            | Self::TokenBudgetUnder
            | Self::WidgetRendered
            | Self::WidgetRenderLatencyUnder
            | Self::WidgetNoConsoleErrors
            | Self::TurnCountUnder
            | Self::NoEndingQuestion => Stage::UserValue,
        }
    }

    /// Whether the kind is an observation: a heuristic that may only be advisory.
    pub const fn is_observation(self) -> bool {
        matches!(
            self,
            Self::NoDeprecatedToolExposed
                | Self::NoEndingQuestion
                | Self::NoRepeatedIdenticalCall
                | Self::NoDeprecatedToolCalled
                | Self::ToolErrorNamesInput
                | Self::FullPageHasContinuation
        )
    }

    /// Whether the kind may be authored on one prompt turn.
    pub const fn is_turn_scopable(self) -> bool {
        matches!(
            self,
            Self::ToolCalledWith
                | Self::ToolCalledAtLeastOnce
                | Self::ToolNeverCalled
                | Self::OnlyToolsCalled
                | Self::FirstToolWas
                | Self::ResponseCloseTo
                | Self::ResponseContains
                | Self::ResponseMatches
                | Self::NoToolErrors
                | Self::FinalAssistantMessageNonEmpty
                | Self::WidgetRendered
                | Self::WidgetRenderLatencyUnder
                | Self::WidgetNoConsoleErrors
                | Self::NoEndingQuestion
                | Self::NoRepeatedIdenticalCall
                | Self::ToolCallCountUnder
                | Self::ToolCalledBefore
                | Self::ToolInputMatches
        )
    }

    /// Whether the kind reads widget render observations.
    pub const fn needs_render(self) -> bool {
        matches!(
            self,
            Self::WidgetRendered | Self::WidgetRenderLatencyUnder | Self::WidgetNoConsoleErrors
        )
    }

    /// Whether a row of this kind decides the selection stage. `toolCalledWith` does not: a required one is graded by
    /// the matcher instead.
    pub const fn decides_selection(self) -> bool {
        matches!(self.stage(), Stage::Selection) && !matches!(self, Self::ToolCalledWith)
    }

    /// The link at which a row of this kind decides (derivation 5.3).
    pub const fn decides_at(self) -> Stage {
        match self {
            Self::ToolCalledWith => Stage::UserValue,
            _ => self.stage(),
        }
    }

    /// The capture channel that must be complete before the kind can be scored; `None` when it reads none.
    pub const fn channel(self) -> Option<CaptureChannel> {
        match self {
            Self::ToolDescriptionsPresent
            | Self::ToolAnnotationsPresent
            | Self::ToolNamesUnique
            | Self::NoDeprecatedToolExposed
            | Self::ToolInputSchemasWellFormed
            | Self::ToolOutputSchemasPresent => Some(CaptureChannel::ToolDeclarations),
            Self::ToolResultContains
            | Self::ToolResultMatchesSchema
            | Self::ToolResultSizeUnder
            | Self::FullPageHasContinuation
            | Self::ToolResultMatches => Some(CaptureChannel::ToolResults),
            Self::ToolLatencyUnder => Some(CaptureChannel::ToolCallTimings),
            Self::ArgumentsMatchToolSchema
            | Self::NoDeprecatedToolCalled
            | Self::NoDestructiveToolCalled
            | Self::ToolErrorNamesInput => Some(CaptureChannel::ToolInventory),
            Self::ToolCalledWith
            | Self::ToolCalledAtLeastOnce
            | Self::ToolNeverCalled
            | Self::OnlyToolsCalled
            | Self::FirstToolWas
            | Self::ResponseCloseTo
            | Self::ResponseContains
            | Self::ResponseMatches
            | Self::NoToolErrors
            | Self::FinalAssistantMessageNonEmpty
            | Self::TokenBudgetUnder
            | Self::WidgetRendered
            | Self::WidgetRenderLatencyUnder
            | Self::WidgetNoConsoleErrors
            | Self::TurnCountUnder
            | Self::NoEndingQuestion
            | Self::NoRepeatedIdenticalCall
            | Self::ToolCallCountUnder
            | Self::ToolCalledBefore
            | Self::ToolInputMatches => None,
        }
    }
}

vocabulary! {
    /// A channel of captured evidence with a completeness of its own.
    CaptureChannel = "captureChannels", "A channel of captured evidence with a completeness of its own." {
        /// Results of tool calls.
        ToolResults = "toolResults" => "tool results",
        /// Timings of tool calls.
        ToolCallTimings = "toolCallTimings" => "per-call timings",
        /// The tools as the model saw them.
        ToolInventory = "toolInventory" => "tool inventory",
        /// The raw declarations of every server.
        ToolDeclarations = "toolDeclarations" => "raw tool declarations",
    }
}

vocabulary! {
    /// A grader that is not a predicate (derivation 5.2).
    Grader = "graders", "Graders that are not predicates." {
        /// Which tools were called.
        ToolCallsMatch = "toolCalls:match" => "expected tool calls",
        /// How the expected ones were called.
        ToolCallsArguments = "toolCalls:arguments" => "arguments of expected tool calls",
        /// Whether the goal was reached, by a judge.
        JudgeGoalCompletion = "judge:goalCompletion" => "goal completion (judge)",
        /// Whether the answer is supported, by a judge; advisory only.
        JudgeGroundedness = "judge:groundedness" => "groundedness (judge)",
        /// Rubric criteria, by a judge; advisory only.
        JudgeRubricChecks = "judge:rubricChecks" => "rubric checks (judge)",
    }
}

impl Grader {
    /// The link where the grader's row is filed.
    pub const fn stage(self) -> Stage {
        match self {
            Self::ToolCallsMatch => Stage::Selection,
            Self::ToolCallsArguments => Stage::Call,
            Self::JudgeGoalCompletion | Self::JudgeGroundedness | Self::JudgeRubricChecks => {
                Stage::UserValue
            }
        }
    }
}
