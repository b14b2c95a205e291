//! The clock of a trial.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use howfar_testkit::hostile::{self, Mode};
use howfar_wire::vocabulary::{IterationStatus, Termination, Verdict};

use crate::support::{PlayedModel, echoes, good, one_case, request, run_to_end, statuses};

#[test]
fn a_model_that_never_answers_is_told_to_stop() {
    let stopped = Arc::new(AtomicBool::new(false));
    let model = PlayedModel::playing({
        let stopped = Arc::clone(&stopped);
        move |_, told| {
            let stopped = Arc::clone(&stopped);
            Box::pin(async move {
                told.cancelled().await;
                stopped.store(true, Ordering::SeqCst);
                std::future::pending().await
            })
        }
    });
    let mut request = request(&one_case(1), model, &good());
    request.options.iteration_timeout = Duration::from_millis(1);
    let (report, _) = run_to_end(request);
    let report = report.expect("the run is not refused");
    assert_eq!(statuses(&report), [IterationStatus::TimedOut]);
    assert_eq!(report.metadata.termination, Termination::Completed);
    assert_ne!(
        report.verdict,
        Verdict::Failed,
        "a clock of ours measured nothing about the server"
    );
    assert!(stopped.load(Ordering::SeqCst));
}

#[test]
fn what_was_recorded_before_the_clock_fired_is_kept() {
    let silent_in_calls = hostile::command(Mode::Hang);
    let mut request = request(&one_case(1), PlayedModel::answering(echoes), &silent_in_calls);
    request.options.iteration_timeout = Duration::from_millis(500);
    let (report, observed) = run_to_end(request);
    assert_eq!(statuses(&report.expect("the run is not refused")), [IterationStatus::TimedOut]);
    let evidence = &observed.evidence[0];
    assert!(!evidence.messages.is_empty(), "the prompt and the model's turn were said");
}
