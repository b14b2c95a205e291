use std::path::Path;

use howfar_store::{RunId, Store, StoreError, TrialQuery};
use howfar_wire::vocabulary::StageState;

use crate::{block_on, stored};

fn open_to_read(path: &Path) -> StoreError {
    block_on(Store::open_to_read(path)).expect_err("it does not open")
}

#[test]
fn a_store_that_was_never_made_is_missing() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let error = open_to_read(&folder.path().join("howfar.db"));
    assert!(matches!(error, StoreError::Missing { .. }), "{error}");
}

#[test]
fn an_empty_store_reads_and_touches_nothing() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("howfar.db");
    let runs = block_on(async {
        Store::empty(&path).await?.run_count(&howfar_store::RunQuery::default()).await
    });
    assert_eq!(runs.expect("it reads"), 0);
    assert!(!path.exists());
}

#[test]
fn a_file_of_another_kind_is_no_store() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("notes.txt");
    std::fs::write(&path, "notes ".repeat(1000)).expect("the temporary folder is writable");
    for error in [open_to_read(&path), block_on(Store::open(&path)).expect_err("it does not open")]
    {
        assert!(matches!(error, StoreError::NotAStore { .. }), "{error}");
    }
    let text = std::fs::read_to_string(&path).expect("it is still there");
    assert!(text.starts_with("notes "), "the file was written over");
}

#[test]
fn a_store_of_a_newer_howfar_is_left_alone() {
    let (_folder, path, _) = stored(1);
    sql(
        &path,
        "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time) \
         VALUES (99, 'later', TRUE, x'00', 0)",
    );
    for error in [open_to_read(&path), block_on(Store::open(&path)).expect_err("it does not open")]
    {
        assert!(matches!(error, StoreError::Newer { found: 99, .. }), "{error}");
    }
}

#[test]
fn a_read_only_store_reads() {
    use std::os::unix::fs::PermissionsExt as _;
    let (folder, path, _) = stored(1);
    let set = |path: &Path, mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(path, permissions).expect("the file is ours");
    };
    set(&path, 0o444);
    set(folder.path(), 0o555);
    let runs = block_on(async {
        let store = Store::open_to_read(&path).await?;
        store.runs(&howfar_store::RunQuery::default()).await
    });
    set(folder.path(), 0o755);
    assert_eq!(runs.expect("it reads").len(), 1);
}

#[test]
fn two_processes_may_make_the_same_store() {
    let folder = tempfile::tempdir().expect("the temporary folder is writable");
    let path = folder.path().join("howfar.db");
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let path = path.clone();
            std::thread::spawn(move || block_on(Store::open(&path)).map(|_| ()))
        })
        .collect();
    for thread in threads {
        thread.join().expect("no panic").expect("it opens");
    }
}

#[test]
fn a_store_without_listing_columns_gains_them() {
    let (_folder, path, sample) = stored(10);
    sql(
        &path,
        "DROP INDEX trials_listing; DROP INDEX runs_suite; \
         ALTER TABLE trials DROP COLUMN stage_states; \
         DROP TABLE judgements; DROP TABLE gradings; \
         DELETE FROM _sqlx_migrations WHERE version >= 2",
    );
    let trials = block_on(async {
        let store = Store::open_to_read(&path).await?;
        store.trials(&RunId::new(sample.run_id()), &TrialQuery::default()).await
    });
    let trials = trials.expect("it reads");
    let failed = trials.iter().filter_map(|trial| trial.stage_states);
    assert_eq!(failed.clone().count(), 10);
    let failed = failed.filter(|states| states.contains(&StageState::Failed));
    assert_eq!(failed.count(), 1);
}

/// Runs a statement behind the store's back.
pub(crate) fn sql(path: &Path, statement: &'static str) {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(path).foreign_keys(false);
    block_on(async {
        use sqlx::{ConnectOptions as _, Connection as _};
        let mut connection = options.connect().await.expect("it opens");
        sqlx::query(statement).execute(&mut connection).await.expect("it runs");
        connection.close().await.expect("it closes");
    });
}
