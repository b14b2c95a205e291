//! What is known of a stored chain (run-documents 5.7).

use howfar_wire::summary::{AnalyzerVersionAhead, DiagnosticChain};
use serde_json::{Map, Value};

use crate::chain::{analyzer_version, validate_derivation};

const KEYS: [&str; 4] =
    ["stageResults", "firstFailedStage", "failureCategory", "stageAnalyzerVersion"];

/// The chain of a stored iteration. A key that is present and `null` is present.
pub(super) fn chain(iteration: &Value, known: u64) -> DiagnosticChain {
    let present =
        KEYS.iter().filter_map(|&key| Some((key.to_owned(), iteration.get(key)?.clone())));
    let document = Value::Object(present.collect::<Map<_, _>>());
    let ahead =
        |reported: u64| (reported > known).then_some(AnalyzerVersionAhead { reported, known });
    if let Ok(derivation) = validate_derivation(&document) {
        let version = derivation.stage_analyzer_version;
        return DiagnosticChain::Verified {
            stages: Box::new(derivation.stage_results),
            first_failed_stage: derivation.first_failed_stage,
            failure_category: derivation.failure_category,
            analyzer_version: version,
            analyzer_version_ahead: ahead(version),
        };
    }
    let quarantined = iteration["stageResultsUnverified"] == true;
    if quarantined || document.get("stageResults").is_some() {
        let version = document.get("stageAnalyzerVersion").and_then(analyzer_version);
        return DiagnosticChain::Unverified {
            analyzer_version: version,
            analyzer_version_ahead: version.and_then(ahead),
        };
    }
    DiagnosticChain::Absent {}
}
