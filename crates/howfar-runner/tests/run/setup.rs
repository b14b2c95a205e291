//! Servers that cannot be set up.

use howfar_testkit::hostile::{self, Mode};
use howfar_testkit::program::ProgramSpec;
use howfar_wire::vocabulary::{IterationStatus, RefusalCode, StageState, Verdict};

use crate::support::{PlayedModel, echoes, one_case, request, run_to_end, statuses};

#[test]
fn a_server_that_refuses_initialize_breaks_the_first_link_of_every_trial() {
    let refusing = hostile::command(Mode::InitErr);
    let (report, _) = run_to_end(request(&one_case(2), PlayedModel::answering(echoes), &refusing));
    let report = report.expect("the failure is recorded, not refused");
    assert_eq!(statuses(&report), [IterationStatus::SetupFailed; 2]);
    let rows = &report.cases[0].details.iterations[0].stage_results;
    assert_eq!(rows[0].state, StageState::Failed);
    assert!(rows[1..].iter().all(|row| row.state != StageState::Passed), "{rows:?}");
}

#[test]
fn a_program_that_does_not_exist_is_no_measured_failure() {
    let missing = ProgramSpec::new("/nowhere/at-all");
    let (report, _) = run_to_end(request(&one_case(1), PlayedModel::answering(echoes), &missing));
    assert_ne!(report.expect("the failure is recorded, not refused").verdict, Verdict::Failed);
}

#[test]
fn a_strict_run_is_refused_before_any_trial() {
    let refusing = hostile::command(Mode::InitErr);
    let mut request = request(&one_case(2), PlayedModel::answering(echoes), &refusing);
    request.options.strict_setup = true;
    let (report, observed) = run_to_end(request);
    assert_eq!(report.expect_err("the run is refused").code, RefusalCode::ServerConnectFailed);
    assert_eq!(observed.told, ["started"]);
}
