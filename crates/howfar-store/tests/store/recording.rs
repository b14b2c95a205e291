use howfar_core::run::report::derive_trial;
use howfar_store::{Recorder, RunId, RunQuery, StoreError, TrialQuery};
use howfar_wire::vocabulary::{IterationStatus, RunState, Stage, Verdict};

use crate::{ask, stored};
use howfar_testkit::samples::{Sample, case_id, setup};

#[test]
fn the_report_of_a_stored_run_is_the_one_that_was_recorded() {
    let (_folder, path, sample) = stored(150);
    let id = RunId::new(sample.run_id());
    let read = ask(&path, |store| async move { store.run_report(&id).await }).expect("it opens");
    assert_eq!(read.expect("it reads"), Some(sample.report()));
}

#[test]
fn evidence_reads_back_with_its_catalogs() {
    let (_folder, path, sample) = stored(3);
    let id = RunId::new(sample.run_id());
    let read = ask(&path, |store| async move { store.trial_evidence(&id, &case_id(0), 2).await });
    let read = read.expect("it opens").expect("it reads").expect("the trial is stored");
    assert_eq!(read, sample.evidence((0, 2)));
    assert_eq!(read.transcript.inventory().len(), 20);
}

#[test]
fn declarations_without_a_word_that_they_are_complete_are_not_known() {
    let (_folder, path, sample) = stored(3);
    let id = RunId::new(sample.run_id());
    let side = ask(&path, |store| async move { store.run_side(&id).await }).expect("it opens");
    let side = side.expect("it reads").expect("the run is stored");
    assert_eq!(sample.evidence((0, 1)).transcript.tool_declarations, Some(Vec::new()));
    assert!(side.catalog_digest.is_some());
    assert_eq!(side.declarations, None);
}

#[test]
fn a_head_is_the_report_without_its_trials() {
    let (_folder, path, sample) = stored(3);
    let id = RunId::new(sample.run_id());
    let head = ask(&path, |store| async move { store.run_head(&id).await }).expect("it opens");
    let head = head.expect("it reads").expect("the run is stored");
    assert!(head.cases[0].details.iterations.is_empty());
    assert_eq!(head.analytics, sample.report().analytics);
}

#[test]
fn trials_are_listed_by_page_and_by_where_their_chain_broke() {
    let (_folder, path, sample) = stored(25);
    let id = RunId::new(sample.run_id());
    let numbers = |query: TrialQuery| {
        let id = id.clone();
        let rows = ask(&path, |store| async move { store.trials(&id, &query).await });
        let rows = rows.expect("it opens").expect("it reads");
        rows.into_iter().map(|row| row.iteration).collect::<Vec<_>>()
    };
    let page = TrialQuery { offset: 22, limit: Some(2), ..TrialQuery::default() };
    assert_eq!(numbers(page), [23, 24]);
    let stage = Some(Stage::Selection);
    let broken = TrialQuery { first_failed_stage: stage, ..TrialQuery::default() };
    assert_eq!(numbers(broken), [10, 20]);
}

#[test]
fn a_row_is_read_alone() {
    let (_folder, path, sample) = stored(3);
    let id = RunId::new(sample.run_id());
    let row = ask(&path, |store| async move { store.trial_report(&id, &case_id(0), 3).await });
    let expected = sample.report().cases[0].details.iterations[2].clone();
    assert_eq!(row.expect("it opens").expect("it reads"), Some(expected));
}

#[test]
fn a_run_without_an_end_establishes_no_verdict() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("howfar.db");
    let sample = Sample { number: 0, trials: 5 };
    sample.save(&path, 5 - 1).expect("a new store takes a run");
    let id = RunId::new(sample.run_id());
    let report = ask(&path, |store| async move { store.run_report(&id).await });
    let report = report.expect("it opens").expect("it reads").expect("the run is stored");
    assert_eq!(report.verdict, Verdict::NotEstablished);
    assert_eq!(report.cases[0].details.iterations.len(), 4);
    assert!(!report.metadata.complete);
}

#[test]
fn a_run_is_running_while_it_is_recorded_and_cut_off_after() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("howfar.db");
    let sample = Sample { number: 0, trials: 2 };
    let recorder = Recorder::open(&path).expect("a new store opens");
    recorder.begin(&sample.record(), &setup(), "suite.yaml").expect("it takes a run");
    let state = || {
        let runs = ask(&path, |store| async move { store.runs(&RunQuery::default()).await });
        runs.expect("it opens").expect("it reads")[0].state
    };
    assert_eq!(state(), RunState::Running);
    drop(recorder);
    assert_eq!(state(), RunState::CutOff);
}

#[test]
fn a_run_goes_on_only_in_one_process() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("howfar.db");
    let sample = Sample { number: 0, trials: 2 };
    let first = Recorder::open(&path).expect("a new store opens");
    first.begin(&sample.record(), &setup(), "suite.yaml").expect("it takes a run");
    let second = Recorder::open(&path).expect("the store opens twice");
    let error = second.go_on(&sample.record(), &setup());
    assert!(matches!(error, Err(StoreError::InUse { .. })), "{error:?}");
}

#[test]
fn a_withdrawn_trial_is_recorded_again_when_the_run_goes_on() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("howfar.db");
    let sample = Sample { number: 0, trials: 2 };
    let mut withdrawn = sample.evidence((0, 2));
    withdrawn.iteration.status = IterationStatus::Cancelled;
    let recorder = Recorder::open(&path).expect("a new store opens");
    recorder.begin(&sample.record(), &setup(), "suite.yaml").expect("it takes a run");
    for evidence in [sample.evidence((0, 1)), withdrawn] {
        recorder.trial(&evidence, &derive_trial(&evidence).row, 5.0).expect("it takes a trial");
    }
    drop(recorder);
    let recorder = Recorder::open(&path).expect("the store opens");
    recorder.go_on(&sample.record(), &setup()).expect("nobody records the run");
    let again = sample.evidence((0, 2));
    recorder.trial(&again, &derive_trial(&again).row, 9.0).expect("it takes the trial");
    recorder.finish(&sample.report()).expect("it takes the report");
    let id = RunId::new(sample.run_id());
    let report = ask(&path, |store| async move { store.run_report(&id).await });
    assert_eq!(report.expect("it opens").expect("it reads"), Some(sample.report()));
}
