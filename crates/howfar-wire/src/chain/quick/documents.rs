//! The documents of the chain, key by key. A key that is missing here does not compile; that each is spelled as serde
//! spells it is tested.

use super::super::{
    Authored, AuthoredMode, Evidence, Iteration, JudgeEvidence, JudgeStatus, JudgeVerdict,
    MetadataAttribution, PendingKind, Policy, PredicateRef, PredicateResult, PromptRecord,
    RenderObservation, SetupSignal, SetupSignals, Span, StageInput, StepError, StepErrorSource,
    ToolErrorRecord, ToolExpectation, ToolSignals,
};
use super::cursor::Cursor;
use super::{Doubt, Doubtful, Quick, word};
use crate::vocabulary::{Attribution, IterationStatus, SetupOutcome};

/// Reads a struct by key. Keys before the semicolon must be there, the others may be absent.
macro_rules! object {
    (
        [$($generics:tt)*] $name:ty {
            $( $needed_key:literal => $needed:ident, )* ;
            $( $key:literal => $field:ident, )*
        }
    ) => {
        impl<$($generics)*> Quick<'a> for $name {
            #[inline]
            fn quick(cursor: &mut Cursor<'a>) -> Doubtful<Self> {
                $( let mut $needed = None; )*
                $( let mut $field = None; )*
                let mut more = cursor.open(b'{', b'}')?;
                while more {
                    $( if cursor.pass_key(concat!("\"", $needed_key, "\":")) {
                        once(&mut $needed, cursor)?;
                    } else )*
                    $( if cursor.pass_key(concat!("\"", $key, "\":")) {
                        once(&mut $field, cursor)?;
                    } else )* {
                        cursor.skip_other_key()?;
                        cursor.skip()?;
                    }
                    more = cursor.next_entry(b'}')?;
                }
                Ok(Self {
                    $( $needed: $needed.ok_or(Doubt)?, )*
                    $( $field: $field.unwrap_or_default(), )*
                })
            }
        }
    };
}

/// The value of a key, which must be the first with that key.
#[inline]
fn once<'a, T: Quick<'a>>(slot: &mut Option<T>, cursor: &mut Cursor<'a>) -> Doubtful<()> {
    if slot.is_some() {
        return Err(Doubt);
    }
    *slot = Some(T::quick(cursor)?);
    Ok(())
}

macro_rules! words {
    ($( $name:ty, )+) => {
        $( impl Quick<'_> for $name {
            fn quick(cursor: &mut Cursor<'_>) -> Doubtful<Self> {
                word(cursor)
            }
        } )+
    };
}

words! {
    Attribution, AuthoredMode, IterationStatus, JudgeStatus, JudgeVerdict, PendingKind, SetupOutcome,
    StepErrorSource, ToolExpectation,
}

object! { ['a, D: Quick<'a>] StageInput<'a, D> {
    "authored" => authored,
    "evidence" => evidence,
    "iteration" => iteration,
    ;
    "policy" => policy,
} }

object! { ['a] Iteration<'a> {
    "status" => status,
    ;
    "error" => error,
} }

object! { ['a] Policy<'a> {
    ;
    "blocked" => blocked,
    "reason" => reason,
} }

object! { ['a] Authored {
    "mode" => mode,
    ;
    "isNegativeTest" => is_negative_test,
    "expectsToolCall" => expects_tool_call,
    "expectsWidgetRender" => expects_widget_render,
    "assertionCount" => assertion_count,
    "hasUserAsk" => has_user_ask,
    "toolExpectation" => tool_expectation,
} }

object! { ['a, D: Quick<'a>] Evidence<'a, D> {
    ;
    "traceAbsent" => trace_absent,
    "traceLacksSpanChannel" => trace_lacks_span_channel,
    "spans" => spans,
    "prompts" => prompts,
    "toolSignals" => tool_signals,
    "predicateResults" => predicate_results,
    "toolErrors" => tool_errors,
    "stepError" => step_error,
    "renderObservations" => render_observations,
    "setupSignals" => setup_signals,
    "evaluatorErrored" => evaluator_errored,
    "judgeEvidence" => judge_evidence,
    "metadataAttribution" => metadata_attribution,
} }

object! { ['a] Span<'a> {
    ;
    "id" => id,
    "category" => category,
    "status" => status,
    "toolName" => tool_name,
    "promptIndex" => prompt_index,
    "mcpErrorCode" => mcp_error_code,
} }

object! { ['a, D: Quick<'a>] PromptRecord<D> {
    ;
    "promptIndex" => prompt_index,
    "expectedToolCalls" => expected_tool_calls,
    "missing" => missing,
    "unexpected" => unexpected,
    "argumentMismatches" => argument_mismatches,
    "passed" => passed,
} }

object! { ['a] PredicateResult<'a> {
    ;
    "passed" => passed,
    "reason" => reason,
    "status" => status,
    "predicate" => predicate,
} }

object! { ['a] PredicateRef<'a> {
    ;
    "type" => kind,
    "toolName" => tool_name,
    "role" => role,
} }

object! { ['a] ToolErrorRecord<'a> {
    ;
    "kind" => kind,
    "toolName" => tool_name,
} }

object! { ['a] StepError<'a> {
    ;
    "source" => source,
    "code" => code,
    "httpStatus" => http_status,
} }

object! { ['a] RenderObservation<'a> {
    ;
    "status" => status,
} }

object! { ['a] ToolSignals {
    ;
    "toolsTotalBefore" => tools_total_before,
    "toolsExposed" => tools_exposed,
} }

object! { ['a] SetupSignals<'a> {
    ;
    "connection" => connection,
    "discovery" => discovery,
} }

object! { ['a] SetupSignal<'a> {
    "outcome" => outcome,
    ;
    "attribution" => attribution,
    "egressVerified" => egress_verified,
    "spanIds" => span_ids,
    "durationMs" => duration_ms,
    "reasons" => reasons,
} }

object! { ['a] JudgeEvidence<'a> {
    "status" => status,
    ;
    "pendingKind" => pending_kind,
    "verdict" => verdict,
    "reasons" => reasons,
} }

object! { ['a] MetadataAttribution<'a> {
    "status" => status,
    ;
    "pendingKind" => pending_kind,
    "attributed" => attributed,
    "reasons" => reasons,
} }
