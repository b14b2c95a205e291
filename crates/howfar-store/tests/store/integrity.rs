use crate::opening::sql;
use crate::{ask, stored};

fn damages(path: &std::path::Path) -> Vec<String> {
    ask(path, |store| async move { store.damages().await }).expect("it opens").expect("it reads")
}

#[test]
fn a_sound_store_has_no_damage() {
    let (_folder, path, _) = stored(3);
    assert_eq!(damages(&path), Vec::<String>::new());
}

#[test]
fn changed_evidence_is_found() {
    let (_folder, path, _) = stored(3);
    sql(&path, "UPDATE trials SET evidence_digest = 'other' WHERE iteration = 2");
    let found = damages(&path);
    assert!(found[0].starts_with("the evidence of trial 2 of case c_0000"), "{found:?}");
    assert!(found[0].ends_with("is not what was written"), "{found:?}");
}

#[test]
fn a_cut_document_is_found() {
    let (_folder, path, _) = stored(3);
    sql(&path, "UPDATE run_documents SET body = x'00'");
    let found = damages(&path);
    assert!(found[0].starts_with("a run-report of run r_"), "{found:?}");
}

#[test]
fn a_missing_catalog_is_found() {
    let (_folder, path, _) = stored(3);
    sql(&path, "DELETE FROM catalogs");
    assert!(damages(&path).iter().all(|damage| damage == "a row of trials belongs to nothing"));
    assert_eq!(damages(&path).len(), 3);
}
