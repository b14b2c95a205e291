//! What a run tells, in which order, and how many trials are in flight.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use howfar_testkit::hostile::{self, Mode};
use howfar_wire::vocabulary::{IterationStatus, Termination, Verdict};
use serde_json::json;
use tokio::sync::Barrier;

use crate::support::{
    PlayedModel, calls, case, echoes, good, one_case, request, run_to_end, says, statuses, suite,
};

#[test]
fn a_run_tells_everything_in_order() {
    let cases = suite(&json!([case("one", 2), case("two", 1)]));
    let (report, observed) = run_to_end(request(&cases, PlayedModel::answering(echoes), &good()));
    let told = [
        "started",
        "set up",
        "case one: 2",
        "trial 1 of one",
        "trial 2 of one",
        "case two: 1",
        "trial 1 of two",
    ];
    assert_eq!(observed.told, told);
    let report = report.expect("the run is not refused");
    assert_eq!(report.verdict, Verdict::Passed);
    assert_eq!(report.metadata.termination, Termination::Completed);
    assert_eq!(statuses(&report), [IterationStatus::Completed; 3]);
}

#[test]
fn as_many_trials_as_allowed_are_in_flight_and_no_more() {
    let together = Arc::new(Barrier::new(3));
    let (running, most) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
    let model = PlayedModel::playing({
        let most = Arc::clone(&most);
        move |_, _| {
            let (together, running, most) =
                (Arc::clone(&together), Arc::clone(&running), Arc::clone(&most));
            Box::pin(async move {
                let now = running.fetch_add(1, Ordering::SeqCst) + 1;
                most.fetch_max(now, Ordering::SeqCst);
                // With fewer than three at once nobody would get past this.
                together.wait().await;
                running.fetch_sub(1, Ordering::SeqCst);
                says("done")
            })
        }
    });
    let mut request = request(&one_case(9), model, &good());
    request.options.concurrency = 3;
    let (report, observed) = run_to_end(request);
    assert_eq!(statuses(&report.expect("the run is not refused")).len(), 9);
    assert_eq!(observed.evidence.len(), 9);
    assert_eq!(most.load(Ordering::SeqCst), 3);
}

#[test]
fn a_model_that_always_calls_gets_only_its_steps() {
    let model = PlayedModel::answering(|_| calls("echo", &json!({"text": "again"})));
    let mut request = request(&one_case(1), model, &good());
    request.options.max_steps = 4;
    let (report, observed) = run_to_end(request);
    assert_eq!(statuses(&report.expect("the run is not refused")), [IterationStatus::Completed]);
    assert_eq!(observed.evidence[0].calls.len(), 4);
}

#[test]
fn every_trial_begins_with_an_empty_conversation() {
    let model = PlayedModel::answering(|request| {
        assert_eq!(request.prompts(), 1, "another trial's messages are in the conversation");
        echoes(request)
    });
    let (report, _) = run_to_end(request(&one_case(3), model, &good()));
    assert_eq!(report.expect("the run is not refused").verdict, Verdict::Passed);
}

#[test]
fn a_denied_tool_is_blocked_and_not_called() {
    let mut restricted = one_case(1);
    restricted["defaults"]["toolPolicy"] = json!({"mode": "readOnly", "deny": ["echo"]});
    let (_, observed) = run_to_end(request(&restricted, PlayedModel::answering(echoes), &good()));
    let evidence = &observed.evidence[0];
    let blocked: Vec<_> =
        evidence.policy_blocks.iter().map(|block| block.tool_name.as_str()).collect();
    assert_eq!(blocked, ["echo"]);
    assert!(evidence.calls.iter().all(|call| call.duration_ms.is_none()), "{:?}", evidence.calls);
}

#[test]
fn a_secret_that_a_server_echoes_is_in_no_evidence() {
    let model = PlayedModel::answering(|request| match request.turns_since_prompt() {
        0 => calls("echo", &json!({"text": "the key is sesame-4711-opens"})),
        _ => says("it said sesame-4711-opens"),
    });
    let mut request = request(&one_case(1), model, &good());
    request.secrets = vec!["sesame-4711-opens".to_owned()];
    let (report, observed) = run_to_end(request);
    let evidence = serde_json::to_string(&observed.evidence[0]).expect("evidence can be written");
    assert!(!evidence.contains("sesame"), "{evidence}");
    let report = serde_json::to_string(&report.expect("the run is not refused"))
        .expect("a report can be written");
    assert!(!report.contains("sesame"), "{report}");
}

#[test]
fn a_server_that_ends_during_a_call_serves_the_next_trial_again() {
    let crashing = hostile::command(Mode::Crash);
    let (report, observed) =
        run_to_end(request(&one_case(2), PlayedModel::answering(echoes), &crashing));
    assert_eq!(statuses(&report.expect("the run is not refused")).len(), 2);
    // Both trials reached the call: the second one was not left with a dead server.
    assert!(
        observed.evidence.iter().all(|evidence| evidence.calls.len() == 1),
        "{:?}",
        observed.told
    );
}
