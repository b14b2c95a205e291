use howfar_core::judge::{blank_judgement, judge_identity};
use howfar_store::{OpenGrading, RunId, Store};
use howfar_wire::chain::JudgeStatus;
use howfar_wire::judge::{GradedCase, Grading, JudgeRecord, Judgement};
use howfar_wire::scorecard::Role;

use crate::opening::sql;
use crate::{block_on, stored};

fn judge(role: Role) -> JudgeRecord {
    JudgeRecord {
        skip_reason: None,
        role,
        threshold: 0.7,
        model: Some("scripted/j".into()),
        scripted: true,
        script_digest: None,
        rubric: None,
        identity: judge_identity(0.7),
    }
}

/// A grading of every case of a run by one judge.
async fn begin(store: &Store, id: &RunId, judge: &JudgeRecord, again: bool) -> OpenGrading {
    let record = store.run(id).await.expect("it reads").expect("it is stored").record;
    let graded = |case: &howfar_wire::record::CaseRecord| GradedCase {
        case_id: case.id.clone(),
        judge: judge.clone(),
    };
    let grading = Grading { cases: record.cases.iter().map(graded).collect() };
    store.open_grading(id, &grading, again).await.expect("it opens")
}

/// What a judge says of the first trial.
async fn said(store: &Store, id: &RunId, judge: &JudgeRecord, score: f64) -> Judgement {
    let mut judgements = Vec::new();
    let read = store.each_evidence(id, |evidence| {
        judgements.push(blank_judgement(judge, &evidence));
        Ok::<(), howfar_store::StoreError>(())
    });
    read.await.expect("it reads");
    Judgement {
        status: JudgeStatus::Scored,
        pending_kind: None,
        score: Some(score),
        passed: Some(score >= 0.7),
        ..judgements.swap_remove(0)
    }
}

#[test]
fn a_grading_counts_when_it_is_finished_and_changes_no_evidence() {
    let (_folder, path, sample) = stored(2);
    let id = RunId::new(sample.run_id());
    block_on(async {
        let store = Store::open(&path).await.expect("it opens");
        let judge = judge(Role::Advisory);
        let mut open = begin(&store, &id, &judge, false).await;
        let judgement = said(&store, &id, &judge, 0.9).await;
        store.add_judgement(&mut open, &judgement).await.expect("it writes");
        let before = store.run_report(&id).await.expect("it reads").expect("a report");
        assert_eq!(before, sample.report());
        let derived = store.finish_grading(open).await.expect("it writes").expect("the run");
        let judged = derived.report.cases.iter().flat_map(|case| &case.details.iterations);
        assert_eq!(judged.filter(|row| row.judge.is_some()).count(), 1);
        let after = store.run_report(&id).await.expect("it reads").expect("a report");
        assert_eq!(after, derived.report);
        assert_eq!(store.damages().await.expect("it reads"), Vec::<String>::new());
        let documents = store.documents(&id).await.expect("it reads");
        let revisions: Vec<u64> = documents.iter().map(|row| row.revision).collect();
        assert_eq!(revisions, [1, 1, 0, 0]);
    });
}

#[test]
fn a_trial_has_one_judgement_in_a_grading_and_the_same_grading_goes_on() {
    let (_folder, path, sample) = stored(2);
    let id = RunId::new(sample.run_id());
    block_on(async {
        let store = Store::open(&path).await.expect("it opens");
        let judge = judge(Role::Advisory);
        let mut open = begin(&store, &id, &judge, false).await;
        let first = said(&store, &id, &judge, 0.9).await;
        let second = said(&store, &id, &judge, 0.1).await;
        store.add_judgement(&mut open, &first).await.expect("it writes");
        store.add_judgement(&mut open, &second).await.expect("it writes");
        drop(open);
        let open = begin(&store, &id, &judge, false).await;
        assert_eq!((open.revision(), open.done.len(), open.finished), (1, 1, false));
        store.finish_grading(open).await.expect("it writes");
        let kept = store.trial_evidence(&id, &first.case_id, first.iteration_number).await;
        let kept = kept.expect("it reads").and_then(|evidence| evidence.judge).expect("judged");
        assert_eq!(kept.score, Some(0.9));
    });
}

#[test]
fn another_judge_and_asking_again_begin_gradings_of_their_own() {
    let (_folder, path, sample) = stored(2);
    let id = RunId::new(sample.run_id());
    block_on(async {
        let store = Store::open(&path).await.expect("it opens");
        let open = begin(&store, &id, &judge(Role::Advisory), false).await;
        store.finish_grading(open).await.expect("it writes");
        let same = begin(&store, &id, &judge(Role::Advisory), false).await;
        assert_eq!((same.revision(), same.finished), (1, true));
        drop(same);
        let again = begin(&store, &id, &judge(Role::Advisory), true).await;
        assert_eq!((again.revision(), again.finished), (2, false));
        drop(again);
        assert_eq!(begin(&store, &id, &judge(Role::Required), false).await.revision(), 3);
    });
}

#[test]
fn a_run_is_graded_by_one_process_at_a_time() {
    let (_folder, path, sample) = stored(2);
    let id = RunId::new(sample.run_id());
    block_on(async {
        let store = Store::open(&path).await.expect("it opens");
        let _open = begin(&store, &id, &judge(Role::Advisory), false).await;
        let grading = Grading { cases: Vec::new() };
        assert!(store.open_grading(&id, &grading, false).await.is_err());
    });
}

#[test]
fn a_judgement_that_does_not_read_back_is_named() {
    let (_folder, path, sample) = stored(2);
    let id = RunId::new(sample.run_id());
    block_on(async {
        let store = Store::open(&path).await.expect("it opens");
        let mut open = begin(&store, &id, &judge(Role::Advisory), false).await;
        let judgement = said(&store, &id, &judge(Role::Advisory), 0.9).await;
        store.add_judgement(&mut open, &judgement).await.expect("it writes");
    });
    sql(&path, "UPDATE judgements SET body = x'00'");
    let damages = block_on(async { Store::open(&path).await.expect("it opens").damages().await });
    let damages = damages.expect("it reads");
    assert!(damages.iter().any(|line| line.contains("judgement")), "{damages:?}");
}
