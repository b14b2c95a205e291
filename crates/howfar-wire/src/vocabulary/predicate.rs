//! The 36 predicate kinds and the graders that are not predicates (predicates, section 1; derivation, section 5).

use super::{Stage, vocabulary};

vocabulary! {
    /// The kind of an authored check, in union order.
    PredicateKind = "predicateKinds", "The kinds of authored checks, and the link where each is filed." {
        /// Tool descriptions are present.
        ToolDescriptionsPresent = "toolDescriptionsPresent" => "tool descriptions are present",
        /// Tool annotations are present.
        ToolAnnotationsPresent = "toolAnnotationsPresent" => "tool annotations are present",
        /// Tool names are unique.
        ToolNamesUnique = "toolNamesUnique" => "tool names are unique",
        /// No deprecated tool is exposed.
        NoDeprecatedToolExposed = "noDeprecatedToolExposed" => "no deprecated tool is exposed",
        /// Input schemas are well formed.
        ToolInputSchemasWellFormed = "toolInputSchemasWellFormed" => "input schemas are well formed",
        /// Output schemas are present.
        ToolOutputSchemasPresent = "toolOutputSchemasPresent" => "output schemas are present",
        /// A tool is called with given arguments.
        ToolCalledWith = "toolCalledWith" => "a tool is called with given arguments",
        /// A tool is called at least once.
        ToolCalledAtLeastOnce = "toolCalledAtLeastOnce" => "a tool is called at least once",
        /// A tool is never called.
        ToolNeverCalled = "toolNeverCalled" => "a tool is never called",
        /// Only the named tools are called.
        OnlyToolsCalled = "onlyToolsCalled" => "only the named tools are called",
        /// A given tool is called first.
        FirstToolWas = "firstToolWas" => "a given tool is called first",
        /// The answer is close to a reference.
        ResponseCloseTo = "responseCloseTo" => "the answer is close to a reference",
        /// The answer contains a text.
        ResponseContains = "responseContains" => "the answer contains a text",
        /// The answer matches a pattern.
        ResponseMatches = "responseMatches" => "the answer matches a pattern",
        /// No tool error occurs.
        NoToolErrors = "noToolErrors" => "no tool error occurs",
        /// The answer is not empty.
        FinalAssistantMessageNonEmpty = "finalAssistantMessageNonEmpty" => "the answer is not empty",
        /// Token use stays under a budget.
        TokenBudgetUnder = "tokenBudgetUnder" => "token use stays under a budget",
        /// A widget renders.
        WidgetRendered = "widgetRendered" => "a widget renders",
        /// A widget renders in time.
        WidgetRenderLatencyUnder = "widgetRenderLatencyUnder" => "a widget renders in time",
        /// A widget logs no console error.
        WidgetNoConsoleErrors = "widgetNoConsoleErrors" => "a widget logs no console error",
        /// The user needs fewer turns than a limit.
        TurnCountUnder = "turnCountUnder" => "the user needs fewer turns than a limit",
        /// The answer does not end with a question.
        NoEndingQuestion = "noEndingQuestion" => "the answer does not end with a question",
        /// Calls stay under a latency.
        ToolLatencyUnder = "toolLatencyUnder" => "calls stay under a latency",
        /// A result contains a text.
        ToolResultContains = "toolResultContains" => "a result contains a text",
        /// Results match a schema.
        ToolResultMatchesSchema = "toolResultMatchesSchema" => "results match a schema",
        /// Results stay under a size.
        ToolResultSizeUnder = "toolResultSizeUnder" => "results stay under a size",
        /// Arguments match the tool's input schema.
        ArgumentsMatchToolSchema = "argumentsMatchToolSchema" => "arguments match the tool's input schema",
        /// No identical call is repeated back to back.
        NoRepeatedIdenticalCall = "noRepeatedIdenticalCall" => "no identical call is repeated back to back",
        /// Fewer calls than a limit.
        ToolCallCountUnder = "toolCallCountUnder" => "fewer calls than a limit",
        /// A tool is called before another.
        ToolCalledBefore = "toolCalledBefore" => "a tool is called before another",
        /// No deprecated tool is called.
        NoDeprecatedToolCalled = "noDeprecatedToolCalled" => "no deprecated tool is called",
        /// No destructive tool is called.
        NoDestructiveToolCalled = "noDestructiveToolCalled" => "no destructive tool is called",
        /// Tool errors name the input at fault.
        ToolErrorNamesInput = "toolErrorNamesInput" => "tool errors name the input at fault",
        /// Full pages say how to continue.
        FullPageHasContinuation = "fullPageHasContinuation" => "full pages say how to continue",
        /// Arguments match patterns.
        ToolInputMatches = "toolInputMatches" => "arguments match patterns",
        /// Results match patterns.
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
