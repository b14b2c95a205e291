//! What a reader may do about a reason: a recommendation for each, and a shorter remedy where one exists
//! (run-documents, section 1.4). No text names a cause.
//!
//! Texts may hold `{expected}`, `{observed}` and `{errorCode}`; [`fill`] puts evidence in their place, or a neutral noun
//! where there is none, never the brace.

use super::StageReason;

/// What evidence fills the places of a text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AdviceEvidence<'a> {
    /// What the case expects, for example a tool's name.
    pub expected: Option<&'a str>,
    /// What was seen.
    pub observed: Option<&'a str>,
    /// The error code of a call.
    pub error_code: Option<&'a str>,
}

/// The text with its places filled.
pub fn fill(text: &str, evidence: AdviceEvidence<'_>) -> String {
    text.replace("{expected}", evidence.expected.unwrap_or("the expected tool"))
        .replace("{observed}", evidence.observed.unwrap_or("what was observed"))
        .replace("{errorCode}", evidence.error_code.unwrap_or("an error code"))
}

impl StageReason {
    /// What to do next, worded as [`StageReason::wording`] demands.
    pub const fn action(self) -> &'static str {
        ADVICE[self as usize].action
    }

    /// A shorter remedy; `None` for the 13 reasons that have none.
    pub const fn remedy(self) -> Option<&'static str> {
        ADVICE[self as usize].remedy
    }
}

/// The advice for one reason.
struct Advice {
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "it names the row; a test holds the order to the vocabulary")
    )]
    reason: StageReason,
    action: &'static str,
    remedy: Option<&'static str>,
}

/// One row per reason, in the order of the vocabulary.
const ADVICE: [Advice; 29] = [
    Advice {
        reason: StageReason::NoSpanChannel,
        action: "Nothing on the server is indicated. Capture the channel of this link to measure it.",
        remedy: None,
    },
    Advice {
        reason: StageReason::NoEvidenceCaptured,
        action: "Nothing on the server is indicated. Add a check that measures this link.",
        remedy: None,
    },
    Advice {
        reason: StageReason::MatchVerdictUnavailable,
        action: "Nothing on the server is indicated. State whether extra tool calls are tolerated.",
        remedy: None,
    },
    Advice {
        reason: StageReason::TraceAbsent,
        action: "Nothing on the server is indicated. Record a trace to measure this link.",
        remedy: None,
    },
    Advice {
        reason: StageReason::ExecutorEmitsNoSpans,
        action: "Nothing on the server is indicated. Use an executor that emits spans to measure this link.",
        remedy: None,
    },
    Advice {
        reason: StageReason::BlockedByPolicy,
        action: "Nothing on the server is indicated. Allow the tool in the suite's policy if the call is wanted.",
        remedy: Some("allow the tool in the suite's policy, or leave the case out"),
    },
    Advice {
        reason: StageReason::EvaluatorError,
        action: "Nothing on the server is indicated. Mend the evaluator, then grade the stored evidence again.",
        remedy: Some("mend the evaluator and grade the stored evidence again"),
    },
    Advice {
        reason: StageReason::ProviderError,
        action: "Nothing on the server is indicated. Run again when the model provider answers.",
        remedy: None,
    },
    Advice {
        reason: StageReason::SetupAborted,
        action: "Nothing on the server is indicated. Prepare the environment, then run again.",
        remedy: Some("prepare the environment and run again"),
    },
    Advice {
        reason: StageReason::ConnectFailed,
        action: "Start the server the way the binding does and follow what it prints until `initialize` is answered.",
        remedy: Some("start the server by hand and read what it prints"),
    },
    Advice {
        reason: StageReason::ToolsListFailed,
        action: "Call `tools/list` by hand after `initialize` and read the server's answer.",
        remedy: Some("list the tools by hand and read the answer"),
    },
    Advice {
        reason: StageReason::EgressUnverified,
        action: "Nothing on the server is indicated. Show that this machine's network works, then run again.",
        remedy: None,
    },
    Advice {
        reason: StageReason::LifecycleStopped,
        action: "Nothing on the server is indicated. Let the run finish.",
        remedy: Some("let the run finish"),
    },
    Advice {
        reason: StageReason::NotAuthored,
        action: "Nothing on the server is indicated. Write a check if this link matters to the case.",
        remedy: Some("write a check for this link"),
    },
    Advice {
        reason: StageReason::EarlierStageFailed,
        action: "Nothing on the server is indicated here. Look at the first failed link.",
        remedy: None,
    },
    Advice {
        reason: StageReason::MissingToolCall,
        action: "Read the request beside the name and description of {expected}, and beside those of {observed}.",
        remedy: Some("compare the request with the name and description of {expected}"),
    },
    Advice {
        reason: StageReason::UnexpectedToolCall,
        action: "Read the description of {observed} beside the request, and say in the case whether the call is welcome.",
        remedy: Some("compare the description of {observed} with what the case expects"),
    },
    Advice {
        reason: StageReason::ArgumentMismatch,
        action: "Compare the arguments that were sent with the tool's input schema and with what the case expects.",
        remedy: Some("compare the sent arguments with the tool's input schema"),
    },
    Advice {
        reason: StageReason::ToolError,
        action: "Read the tool's error, and call the tool by hand with the same arguments.",
        remedy: Some("read the tool's error"),
    },
    Advice {
        reason: StageReason::ProtocolError,
        action: "Look for {errorCode} in the server's log at the time of the call.",
        remedy: Some("look up {errorCode} in the server's log"),
    },
    Advice {
        reason: StageReason::RenderFailed,
        action: "Open the widget's resource by hand and read the console.",
        remedy: Some("open the widget's resource by hand"),
    },
    Advice {
        reason: StageReason::PredicateFailed,
        action: "Compare the check with what was returned, and decide which of the two is right.",
        remedy: Some("compare the check with what was returned"),
    },
    Advice {
        reason: StageReason::Observed,
        action: "Nothing on the server is indicated. The link held.",
        remedy: None,
    },
    Advice {
        reason: StageReason::ImpliedByLaterEvidence,
        action: "Nothing on the server is indicated. The link held, as later evidence shows.",
        remedy: None,
    },
    Advice {
        reason: StageReason::JudgeObserved,
        action: "Check whether the judge's reasons cite what happened: would a person agree?",
        remedy: None,
    },
    Advice {
        reason: StageReason::JudgePartial,
        action: "Check whether the judge's reasons name an expectation that is left open: would a person agree?",
        remedy: Some("is an expectation of the rubric left open?"),
    },
    Advice {
        reason: StageReason::JudgeFailed,
        action: "Check whether the judge's reasons hold against the evidence: would a person agree?",
        remedy: Some("does the answer meet the rubric?"),
    },
    Advice {
        reason: StageReason::JudgePending,
        action: "Check whether the judge is still running: has its verdict arrived since?",
        remedy: None,
    },
    Advice {
        reason: StageReason::JudgeNotRequested,
        action: "Check whether a judge should grade this case: is there a rubric for it?",
        remedy: None,
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::{ReasonWording, Vocabulary as _};

    #[test]
    fn the_rows_stand_in_the_order_of_the_vocabulary() {
        assert!(ADVICE.iter().map(|advice| advice.reason).eq(StageReason::ALL.iter().copied()));
    }

    #[test]
    fn every_reason_has_an_action_worded_as_its_class_demands() {
        for &reason in StageReason::ALL {
            let action = reason.action();
            match reason.wording() {
                ReasonWording::Direct => {
                    assert!(!action.is_empty() && !action.contains('?'), "{reason}")
                }
                ReasonWording::CheckWhether => assert!(action.ends_with('?'), "{reason}: {action}"),
                ReasonWording::NothingToFix => {
                    assert!(
                        action.starts_with("Nothing on the server is indicated"),
                        "{reason}: {action}"
                    );
                }
            }
        }
    }

    #[test]
    fn remedies_partition_the_reasons_16_to_13() {
        let with = StageReason::ALL.iter().filter(|reason| reason.remedy().is_some()).count();
        assert_eq!((with, StageReason::ALL.len() - with), (16, 13));
    }

    #[test]
    fn no_text_names_a_cause_or_shows_a_brace() {
        for &reason in StageReason::ALL {
            for text in [Some(reason.action()), reason.remedy()].into_iter().flatten() {
                let filled = fill(text, AdviceEvidence::default());
                assert!(!filled.contains(['{', '}']), "{filled}");
                assert!(!filled.contains("cause"), "{filled}");
            }
        }
    }
}
