//! Two stored runs compared.

use howfar_core::run::compare::{CompareOptions, compare_runs};
use howfar_core::run::side::RunSide;
use howfar_store::{RunId, Store};
use howfar_wire::compare::{BaselinePolicy, RunComparison};
use howfar_wire::gate::GatePolicy;

use super::{ReadError, find_run};

/// Two runs compared (run-documents, section 9), and the gates of `policy` decided; the default policy asks for none. Each
/// run is named as [`find_run`] takes names; without a base, the previous complete run of the suite is the base.
///
/// # Errors
///
/// A name answers to no run or to several, there is no run to compare with, or the store cannot be read.
pub async fn comparison(
    store: &Store,
    run: &str,
    base: Option<&str>,
    policy: GatePolicy,
) -> Result<RunComparison, ReadError> {
    let run = find_run(store, run).await?;
    let (base, baseline) = match base {
        Some(name) => (find_run(store, name).await?, BaselinePolicy::Run),
        None => (previous(store, &run).await?, BaselinePolicy::PreviousCompleted),
    };
    let options = CompareOptions { baseline, policy };
    let (base, run) = (side(store, &base).await?, side(store, &run).await?);
    Ok(compare_runs(&base, &run, &options))
}

async fn previous(store: &Store, run: &RunId) -> Result<RunId, ReadError> {
    let previous = store.previous_complete_run(run).await?;
    previous.ok_or_else(|| ReadError::DocumentNotFound {
        run_id: run.to_string(),
        document: "comparison",
        why: "no complete run of its suite began before it",
    })
}

async fn side(store: &Store, id: &RunId) -> Result<RunSide, ReadError> {
    let side = store.run_side(id).await?;
    side.ok_or_else(|| ReadError::RunNotFound { name: id.to_string() })
}
