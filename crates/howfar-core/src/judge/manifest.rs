//! What a judge was shown, in names and counts (suite and runner, section C2, rule 6).

use howfar_wire::judge::JudgeManifest;
use serde_json::{Map, Value};

use super::input::RecordedEvidence;

/// The manifest of a request of `input_bytes` bytes over a complete record.
pub(super) fn manifest(
    evidence: &RecordedEvidence,
    trace: &Map<String, Value>,
    input_bytes: u64,
) -> JudgeManifest {
    let mut trace_fields: Vec<String> = trace.keys().cloned().collect();
    trace_fields.sort();
    JudgeManifest {
        version: evidence.version,
        trace_complete: evidence.trace_complete,
        trace_fields,
        messages: entries(trace, "messages"),
        spans: entries(trace, "spans"),
        artifact_sources: evidence.artifacts.iter().map(|it| it.source_id.clone()).collect(),
        uncaptured: evidence.uncaptured.clone(),
        input_bytes,
    }
}

fn entries(trace: &Map<String, Value>, field: &str) -> u64 {
    trace.get(field).and_then(Value::as_array).map_or(0, |items| items.len() as u64)
}
