use howfar_store::{RunId, Store};
use howfar_wire::chain::STAGE_ANALYZER_VERSION;

use crate::opening::sql;
use crate::{block_on, stored};

#[test]
fn deriving_again_gives_the_same_report() {
    let (_folder, path, sample) = stored(120);
    let id = RunId::new(sample.run_id());
    let derived = block_on(async {
        let store = Store::open(&path).await.expect("it opens");
        store.derive_run(&id).await.expect("it writes").expect("the run is stored")
    });
    assert_eq!(derived.report, sample.report());
    assert_eq!(derived.kept, [u64::from(STAGE_ANALYZER_VERSION)]);
}

#[test]
fn documents_of_an_older_analyzer_stay() {
    let (_folder, path, sample) = stored(2);
    sql(&path, "UPDATE run_documents SET analyzer_version = 7");
    sql(&path, "UPDATE trial_documents SET analyzer_version = 7");
    let id = RunId::new(sample.run_id());
    let (derived, documents) = block_on(async {
        let store = Store::open(&path).await.expect("it opens");
        let derived = store.derive_run(&id).await.expect("it writes");
        (derived.expect("the run is stored"), store.documents(&id).await.expect("it reads"))
    });
    assert_eq!(derived.kept, [u64::from(STAGE_ANALYZER_VERSION), 7]);
    let old: Vec<_> = documents.iter().filter(|row| row.analyzer_version == 7).collect();
    assert_eq!(old.iter().map(|row| row.documents).collect::<Vec<_>>(), [1, 2]);
}
