//! What holds of every derivation, whatever the evidence.

use howfar_wire::chain::{StageDerivation, StageInput, StageRow};
use howfar_wire::vocabulary::{Stage, StageReason as Reason, StageState as State};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{derive_stages, validate_derivation};

proptest! {
    #[test]
    fn every_derivation_is_valid_and_reads_back_as_itself(input in input()) {
        let derivation = derive(&input);
        let document = serde_json::to_value(&derivation).expect("rows are JSON");
        prop_assert_eq!(validate_derivation(&document), Ok(derivation));
    }

    #[test]
    fn nothing_after_the_first_failure_is_not_measured(input in input()) {
        let rows = derive(&input).stage_results;
        let after = rows.iter().skip_while(|row| row.state != State::Failed);
        prop_assert!(after.clone().all(|row| row.state != State::NotMeasured), "{rows:?}");
    }

    #[test]
    fn a_measured_row_survives_a_failure_upstream(mut input in input()) {
        let before = derive(&input).stage_results;
        let failed = json!({"passed": false, "predicate": {"type": "toolNamesUnique"}});
        input["evidence"]["predicateResults"].as_array_mut().expect("a list").push(failed);
        let after = derive(&input).stage_results;
        // A judge is not asked about a trial of which an earlier link failed (derivation, section 6, normal path, rule 2).
        let judged = [Reason::JudgeObserved, Reason::JudgePartial, Reason::JudgeFailed];
        let measured = |row: &&StageRow| {
            matches!(row.state, State::Passed | State::Failed)
                && !row.reason.is_some_and(|reason| judged.contains(&reason))
        };
        for row in before.iter().skip(2).filter(measured) {
            prop_assert_eq!(&after[row.stage.index()], row);
        }
    }

    #[test]
    fn every_row_has_a_reason_that_its_stage_and_state_admit(input in input()) {
        for row in derive(&input).stage_results {
            prop_assert!(is_admitted(&row), "{row:?}");
        }
    }
}

fn derive(input: &Value) -> StageDerivation {
    let text = input.to_string();
    let input: StageInput<'_> = serde_json::from_str(&text).expect("a generated input parses");
    derive_stages(&input)
}

/// The complete table of reasons (derivation, section 1).
fn is_admitted(row: &StageRow) -> bool {
    use Reason::*;
    let Some(reason) = row.reason else { return false };
    match row.state {
        State::NotReached => reason == EarlierStageFailed && row.stage != Stage::Connection,
        State::NotApplicable => reason == NotAuthored && row.stage.index() >= 2,
        State::Passed => match row.stage {
            Stage::Connection | Stage::Discovery => {
                matches!(reason, Observed | ImpliedByLaterEvidence)
            }
            Stage::Selection | Stage::Call | Stage::Response => reason == Observed,
            Stage::UserValue => matches!(reason, Observed | JudgeObserved),
        },
        State::Failed => match row.stage {
            Stage::Connection => reason == ConnectFailed,
            Stage::Discovery => matches!(reason, ToolsListFailed | PredicateFailed),
            Stage::Selection => matches!(reason, MissingToolCall | UnexpectedToolCall),
            Stage::Call => matches!(reason, ArgumentMismatch | ProtocolError),
            Stage::Response => matches!(reason, ToolError | PredicateFailed | RenderFailed),
            Stage::UserValue => matches!(reason, PredicateFailed | JudgePartial | JudgeFailed),
        },
        State::NotMeasured => match reason {
            BlockedByPolicy | LifecycleStopped | SetupAborted | ProviderError | TraceAbsent
            | NoEvidenceCaptured => true,
            EgressUnverified => row.stage.index() < 2,
            MatchVerdictUnavailable => row.stage == Stage::Selection,
            ExecutorEmitsNoSpans => {
                matches!(row.stage, Stage::Selection | Stage::Call | Stage::Response)
            }
            EvaluatorError | JudgePending | JudgeNotRequested => row.stage == Stage::UserValue,
            NoSpanChannel
            | ConnectFailed
            | ToolsListFailed
            | NotAuthored
            | EarlierStageFailed
            | MissingToolCall
            | UnexpectedToolCall
            | ArgumentMismatch
            | ToolError
            | ProtocolError
            | RenderFailed
            | PredicateFailed
            | Observed
            | ImpliedByLaterEvidence
            | JudgeObserved
            | JudgePartial
            | JudgeFailed => false,
        },
    }
}

fn input() -> impl Strategy<Value = Value> {
    let status = prop::sample::select(vec![
        "pending",
        "running",
        "completed",
        "failed",
        "cancelled",
        "timed_out",
        "setup_failed",
        "skipped",
    ]);
    (authored(), evidence(), status, prop::bool::weighted(0.05)).prop_map(
        |(authored, evidence, status, blocked)| {
            json!({
                "authored": authored,
                "evidence": evidence,
                "iteration": {"status": status},
                "policy": {"blocked": blocked},
            })
        },
    )
}

fn authored() -> impl Strategy<Value = Value> {
    let mode = prop::sample::select(vec!["model_driven", "model_free"]);
    let expectation = prop::sample::select(vec![
        json!(null),
        json!("required"),
        json!("not_required"),
        json!("open"),
    ]);
    (mode, any::<[bool; 4]>(), 0..2_u64, expectation).prop_map(
        |(mode, [negative, call, widget, ask], assertions, expectation)| {
            json!({
                "mode": mode,
                "isNegativeTest": negative,
                "expectsToolCall": call,
                "expectsWidgetRender": widget,
                "hasUserAsk": ask,
                "assertionCount": assertions,
                "toolExpectation": expectation,
            })
        },
    )
}

fn evidence() -> impl Strategy<Value = Value> {
    let many = |item: BoxedStrategy<Value>| prop::collection::vec(item, 0..3);
    let flags = any::<[bool; 3]>();
    let lists = (many(span()), many(prompt()), many(check()), many(tool_error()));
    let signals = (signal(), signal(), step_error(), judge());
    (flags, lists, signals).prop_map(|([no_trace, no_spans, grader], lists, signals)| {
        json!({
            "traceAbsent": no_trace,
            "traceLacksSpanChannel": no_spans,
            "evaluatorErrored": grader,
            "spans": lists.0,
            "prompts": lists.1,
            "predicateResults": lists.2,
            "toolErrors": lists.3,
            "setupSignals": {"connection": signals.0, "discovery": signals.1},
            "stepError": signals.2,
            "judgeEvidence": signals.3,
        })
    })
}

fn one_of(values: Vec<Value>) -> BoxedStrategy<Value> {
    prop::sample::select(values).boxed()
}

fn span() -> BoxedStrategy<Value> {
    one_of(vec![
        json!({"id": "a", "category": "tool", "status": "ok"}),
        json!({"id": "b", "category": "tool", "status": "error"}),
        json!({"category": "tool", "status": "error", "mcpErrorCode": -32001}),
        json!({"id": "c", "category": "llm"}),
    ])
}

fn prompt() -> BoxedStrategy<Value> {
    one_of(vec![
        json!({"promptIndex": 0, "expectedToolCalls": [1], "passed": true}),
        json!({"promptIndex": 1, "missing": [1], "passed": false}),
        json!({"unexpected": [1]}),
        json!({"promptIndex": 2, "unexpected": [1], "argumentMismatches": [1], "passed": false}),
    ])
}

fn check() -> BoxedStrategy<Value> {
    let kinds = ["toolNamesUnique", "firstToolWas", "toolInputMatches", "noToolErrors", "other"];
    let checks = kinds.iter().flat_map(|kind| {
        [true, false].map(|passed| json!({"passed": passed, "predicate": {"type": kind}}))
    });
    one_of(checks.collect())
}

fn tool_error() -> BoxedStrategy<Value> {
    one_of(vec![json!({"kind": "protocol-error"}), json!({"kind": "content-error"})])
}

fn signal() -> BoxedStrategy<Value> {
    one_of(vec![
        json!(null),
        json!({"outcome": "ok", "spanIds": ["s"]}),
        json!({"outcome": "failed", "attribution": "theirs", "egressVerified": true}),
        json!({"outcome": "failed", "attribution": "ours"}),
        json!({"outcome": "failed"}),
    ])
}

fn step_error() -> BoxedStrategy<Value> {
    one_of(vec![json!(null), json!(null), json!({"source": "model"}), json!({"source": "setup"})])
}

fn judge() -> BoxedStrategy<Value> {
    one_of(vec![
        json!(null),
        json!({"status": "scored", "verdict": "partial"}),
        json!({"status": "pending"}),
        json!({"status": "error"}),
    ])
}
