//! What stops a run, and what does not.

use std::sync::atomic::{AtomicU32, Ordering};

use howfar_wire::vocabulary::{IterationStatus, RefusalCode, RefusalKind, Termination, Verdict};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::support::{
    Answer, PlayedModel, case, echoes, good, one_case, refused, request, run_to_end, run_with,
    statuses, suite,
};

/// A model whose second trial is answered by `second`.
fn second_trial(second: impl Fn() -> Answer + Send + Sync + 'static) -> PlayedModel {
    PlayedModel::answering(
        move |request| if request.trial.trial == 2 { second() } else { echoes(request) },
    )
}

#[test]
fn a_rate_limit_ends_its_trial_and_no_other() {
    let model = second_trial(|| refused(RefusalKind::RateLimited));
    let (report, observed) = run_to_end(request(&one_case(3), model, &good()));
    let report = report.expect("the run is not refused");
    let expected =
        [IterationStatus::Completed, IterationStatus::Failed, IterationStatus::Completed];
    assert_eq!(statuses(&report), expected);
    assert_eq!(report.metadata.termination, Termination::Completed);
    assert_ne!(report.verdict, Verdict::Failed);
    assert_eq!(observed.evidence[1].refusal, Some(RefusalKind::RateLimited));
}

#[test]
fn a_rejected_key_stops_the_run_and_skips_the_rest() {
    let cases = suite(&json!([case("one", 3), case("two", 1)]));
    let model = second_trial(|| refused(RefusalKind::Credentials));
    let (report, observed) = run_to_end(request(&cases, model, &good()));
    let report = report.expect("the run is not refused");
    let expected = [
        IterationStatus::Completed,
        IterationStatus::Failed,
        IterationStatus::Skipped,
        IterationStatus::Skipped,
    ];
    assert_eq!(statuses(&report), expected);
    assert_eq!(report.metadata.termination, Termination::Stopped);
    assert!(
        observed.told.contains(&"issue CREDENTIALS_REJECTED".to_owned()),
        "{:?}",
        observed.told
    );
}

#[test]
fn an_empty_account_stops_the_run_once() {
    let model = PlayedModel::answering(|_| refused(RefusalKind::Billing));
    let mut request = request(&one_case(4), model, &good());
    request.options.concurrency = 2;
    let (report, observed) = run_to_end(request);
    assert_eq!(report.expect("the run is not refused").metadata.termination, Termination::Stopped);
    let issues = observed.told.iter().filter(|told| told.starts_with("issue")).count();
    assert_eq!(issues, 1, "{:?}", observed.told);
}

#[test]
fn an_interrupt_keeps_what_finished_and_withdraws_the_rest() {
    let cancel = CancellationToken::new();
    let user = cancel.clone();
    let model = PlayedModel::playing(move |request, told| {
        let user = user.clone();
        Box::pin(async move {
            if request.trial.trial == 1 {
                return echoes(&request);
            }
            user.cancel();
            told.cancelled().await;
            std::future::pending().await
        })
    });
    let (report, _) = run_with(request(&one_case(3), model, &good()), &cancel);
    let report = report.expect("the run is not refused");
    let expected =
        [IterationStatus::Completed, IterationStatus::Cancelled, IterationStatus::Cancelled];
    assert_eq!(statuses(&report), expected);
    assert_eq!(report.metadata.termination, Termination::Aborted);
    assert_ne!(report.verdict, Verdict::Failed);
}

#[test]
fn a_run_that_is_interrupted_during_setup_asks_no_model() {
    let asked = std::sync::Arc::new(AtomicU32::new(0));
    let count = std::sync::Arc::clone(&asked);
    let model = PlayedModel::answering(move |request| {
        count.fetch_add(1, Ordering::SeqCst);
        echoes(request)
    });
    let cancel = CancellationToken::new();
    cancel.cancel();
    let (report, _) = run_with(request(&one_case(2), model, &good()), &cancel);
    assert_eq!(report.expect_err("nothing ran").code, RefusalCode::Cancelled);
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}
