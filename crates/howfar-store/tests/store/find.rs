use howfar_store::{FindError, RunId, RunQuery};

use crate::{ask, block_on, stored};
use howfar_testkit::samples::Sample;

#[test]
fn runs_are_listed_newest_first() {
    let (_folder, path, first) = stored(1);
    let second = Sample { number: 1, trials: 1 };
    second.save(&path, 1).expect("the store takes a second run");
    let runs = ask(&path, |store| async move { store.runs(&RunQuery::default()).await });
    let ids: Vec<_> =
        runs.expect("it opens").expect("it reads").into_iter().map(|run| run.run_id).collect();
    assert_eq!(ids, [second.run_id(), first.run_id()]);
}

#[test]
fn a_run_is_found_by_latest_by_its_id_and_by_the_beginning_of_it() {
    let (_folder, path, sample) = stored(1);
    let id = RunId::new(sample.run_id());
    for name in ["latest", id.as_str(), &id.as_str()[..10]] {
        let found = ask(&path, |store| async move { store.find_run(name).await });
        assert_eq!(found.expect("it opens").expect("the run is found"), id, "{name}");
    }
}

#[test]
fn a_name_of_no_run_and_a_name_of_several_are_told_apart() {
    let (_folder, path, _) = stored(1);
    Sample { number: 1, trials: 1 }.save(&path, 1).expect("the store takes a second run");
    let find = |name: &'static str| {
        ask(&path, |store| async move { store.find_run(name).await }).expect("it opens")
    };
    assert!(matches!(find("r_ff"), Err(FindError::NotFound { .. })));
    assert!(matches!(find(""), Err(FindError::Ambiguous { .. })));
    assert!(matches!(find("r_"), Err(FindError::Ambiguous { ids, .. }) if ids.len() == 2));
}

#[test]
fn a_run_that_is_not_there_is_no_run_with_nothing_in_it() {
    let (_folder, path, _) = stored(1);
    let id = RunId::new("r_other");
    block_on(async {
        let store = howfar_store::Store::open_to_read(&path).await.expect("it opens");
        assert_eq!(store.run(&id).await.expect("it reads"), None);
        assert_eq!(store.run_report(&id).await.expect("it reads"), None);
        assert_eq!(store.trial_evidence(&id, "c_0000", 1).await.expect("it reads"), None);
    });
}
