use howfar_store::{Recorder, Retention, RunId, RunQuery, Store};

use crate::{block_on, stored};
use howfar_testkit::samples::{FIRST_START_MS, Sample, setup};

/// The numbers of the runs that a retention lets go, out of runs 0 to 3, newest first.
fn check(retention: Retention, expected: &[u32]) {
    let (_folder, path, _) = stored(1);
    for number in 1..4 {
        Sample { number, trials: 1 }.save(&path, 1).expect("the store takes a run");
    }
    let runs = block_on(async {
        let store = Store::open_to_read(&path).await.expect("it opens");
        store.prunable(retention).await.expect("it reads")
    });
    let ids: Vec<_> = runs.into_iter().map(|run| run.run_id).collect();
    let expected: Vec<_> =
        expected.iter().map(|&number| Sample { number, trials: 1 }.run_id()).collect();
    assert_eq!(ids, expected);
}

#[test]
fn the_oldest_runs_go() {
    check(Retention { keep: Some(3), since_ms: None }, &[0]);
    check(Retention { keep: None, since_ms: Some(FIRST_START_MS + 120_000) }, &[1, 0]);
}

#[test]
fn a_run_that_is_being_recorded_never_goes() {
    let (_folder, path, _) = stored(1);
    let running = Sample { number: 1, trials: 1 };
    let recorder = Recorder::open(&path).expect("the store opens");
    recorder.begin(&running.record(), &setup(), "suite.yaml").expect("it takes a run");
    let goes = block_on(async {
        let store = Store::open_to_read(&path).await.expect("it opens");
        store.prunable(Retention { keep: Some(0), since_ms: None }).await.expect("it reads")
    });
    assert_eq!(goes.len(), 1);
    assert_ne!(goes[0].run_id, running.run_id());
}

#[test]
fn a_deleted_run_leaves_nothing_behind() {
    let (_folder, path, sample) = stored(2);
    block_on(async {
        let store = Store::open(&path).await.expect("it opens");
        let id = RunId::new(sample.run_id());
        assert_eq!(store.delete_runs(std::slice::from_ref(&id)).await.expect("it writes"), 1);
        assert!(store.runs(&RunQuery::default()).await.expect("it reads").is_empty());
        assert!(store.documents(&id).await.expect("it reads").is_empty());
        assert!(store.damages().await.expect("it reads").is_empty());
        store.close().await;
    });
}
