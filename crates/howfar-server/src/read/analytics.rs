//! The run-level documents about trials: how far they got, and what friction they met.

use howfar_store::{RunId, Store};
use howfar_wire::analytics::StageAnalytics;
use howfar_wire::friction::FrictionRollup;
use howfar_wire::report::RunReport;

use super::{ReadError, runs::known};

/// The most trials whose evidence is read to answer one question: about a run that did not end, and so has no documents
/// of its own yet. Larger ones answer when they have ended.
pub const MAX_DERIVED_TRIALS: u64 = 500;

/// How far the trials of a run got: the funnel (run-documents, section 7).
///
/// # Errors
///
/// There is no such run, it has no such document, or the store cannot be read.
pub async fn analytics(store: &Store, id: &RunId) -> Result<StageAnalytics, ReadError> {
    let document = "stage analytics";
    let report = report(store, id, document).await?;
    report.analytics.ok_or_else(|| no_document(id, document, "no trial of it is stored"))
}

/// The friction of a run: report-only patterns over its gradeable trials.
///
/// # Errors
///
/// There is no such run, it has no such document, or the store cannot be read.
pub async fn friction(store: &Store, id: &RunId) -> Result<FrictionRollup, ReadError> {
    let document = "friction document";
    let report = report(store, id, document).await?;
    let why = "no trial of it has a friction document";
    report.friction.ok_or_else(|| no_document(id, document, why))
}

/// The report of a run without its trials.
async fn report(store: &Store, id: &RunId, document: &'static str) -> Result<RunReport, ReadError> {
    let run = known(store, id).await?;
    if let Some(report) = store.decided_head(id).await? {
        return Ok(report);
    }
    if run.stored_trials > MAX_DERIVED_TRIALS {
        let why = "it has no end yet, and it is too large to be derived on the way; \
                   `howfar run --resume` ends a run that was cut off";
        return Err(no_document(id, document, why));
    }
    let report = store.run_head(id).await?;
    report.ok_or_else(|| ReadError::RunNotFound { name: id.to_string() })
}

fn no_document(id: &RunId, document: &'static str, why: &'static str) -> ReadError {
    ReadError::DocumentNotFound { run_id: id.to_string(), document, why }
}
