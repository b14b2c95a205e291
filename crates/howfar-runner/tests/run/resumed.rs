//! A run that goes on where an earlier part of it ended.

use howfar_core::run::report::derive_trial;
use howfar_runner::Resumed;
use howfar_wire::vocabulary::{IterationStatus, RefusalCode, Verdict};

use crate::support::{PlayedModel, echoes, good, one_case, request, run_to_end, statuses};

#[test]
fn trials_that_finished_are_reported_and_not_run_again() {
    let suite = one_case(3);
    let (_, before) = run_to_end(request(&suite, PlayedModel::answering(echoes), &good()));
    let model = PlayedModel::answering(|request| {
        assert_eq!(request.trial.trial, 2, "only the missing trial runs");
        echoes(request)
    });
    let mut request = request(&suite, model, &good());
    let finished = before.evidence.iter().filter(|evidence| evidence.iteration_number != 2);
    request.resumed =
        Resumed { trials: finished.map(derive_trial).collect(), ..Resumed::default() };
    let (report, observed) = run_to_end(request);
    assert_eq!(observed.told, ["started", "set up", "case c: 1", "trial 2 of c"]);
    let report = report.expect("the run is not refused");
    assert_eq!(statuses(&report), [IterationStatus::Completed; 3]);
    assert_eq!(report.verdict, Verdict::Passed);
}

#[test]
fn trials_over_another_catalog_are_not_mixed_in() {
    let mut request = request(&one_case(1), PlayedModel::answering(echoes), &good());
    request.resumed = Resumed { catalog_digest: Some("0".repeat(64)), ..Resumed::default() };
    let (report, observed) = run_to_end(request);
    let refusal = report.expect_err("the run is refused");
    assert_eq!(refusal.code, RefusalCode::SetupFailed);
    assert!(refusal.problems[0].message.contains("begin a new run"), "{refusal:?}");
    assert_eq!(observed.told, ["started"]);
}
