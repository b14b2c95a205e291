//! Building the request of a judge (suite and runner, section C2, rules 1 to 6); whether it fits is [`super::fit`].

use howfar_wire::canon;
use howfar_wire::judge::{JudgeErrorCode, JudgeManifest};
use howfar_wire::suite::Rubric;
use serde_json::{Map, Value, json};

use super::input::{Artifact, EVIDENCE_VERSION, GoalInput, RecordedEvidence};
use super::manifest::manifest;
use super::policy::{SYSTEM, scaffold};
use super::{JudgeFault, PlaceholderRedactor};

/// What a judge is asked, redacted.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalRequest {
    /// The policy.
    pub system: String,
    /// The case, the record and the task.
    pub user: String,
    /// Recorded media, to be sent beside the text.
    pub artifacts: Vec<Artifact>,
    /// What the judge is shown.
    pub manifest: JudgeManifest,
    /// SHA-256 over the evidence block as the judge reads it.
    pub evidence_hash: String,
}

/// Builds the request for one trial.
///
/// # Errors
///
/// `judge_call_failed` for a threshold that is no fraction; `judge_evidence_unavailable` for a record that is missing, of
/// another version or not complete, and for broken media.
pub fn build_request(input: &GoalInput, threshold: f64) -> Result<GoalRequest, JudgeFault> {
    threshold_is_a_fraction(threshold)?;
    let trace = record_is_complete(&input.evidence)?;
    artifacts_are_whole(&input.evidence.artifacts)?;
    let redacted = redact(input, trace);
    let evidence_hash = canon::canonical_digest(&redacted.evidence);
    let user = scaffold(
        threshold,
        &block(&redacted.authored),
        &block(&redacted.evidence),
        &artifact_list(&redacted.artifacts),
    );
    let system = SYSTEM.to_owned();
    let input_bytes = (system.len() + user.len()) as u64;
    let manifest = manifest(&input.evidence, trace, input_bytes);
    Ok(GoalRequest { system, user, artifacts: redacted.artifacts, manifest, evidence_hash })
}

/// Rule 1.
fn threshold_is_a_fraction(threshold: f64) -> Result<(), JudgeFault> {
    if (0.0..=1.0).contains(&threshold) {
        return Ok(());
    }
    let message = format!("the threshold {threshold} is not between 0 and 1");
    Err(JudgeFault::new(JudgeErrorCode::CallFailed, message))
}

/// Rule 2: the judge never grades a truncated record.
fn record_is_complete(evidence: &RecordedEvidence) -> Result<&Map<String, Value>, JudgeFault> {
    let fault = |message: &str| JudgeFault::new(JudgeErrorCode::EvidenceUnavailable, message);
    if evidence.version != EVIDENCE_VERSION {
        return Err(fault("the record is of another version"));
    }
    let trace = evidence.trace.as_ref().ok_or_else(|| fault("the trial left no messages"))?;
    match evidence.unavailable.as_slice() {
        [] if evidence.trace_complete => Ok(trace),
        [] => Err(fault("the record does not hold all that happened")),
        missing => Err(fault(&format!("{} part(s) of the record are missing", missing.len()))),
    }
}

/// Rule 3.
fn artifacts_are_whole(artifacts: &[Artifact]) -> Result<(), JudgeFault> {
    let whole = |artifact: &Artifact| {
        !canon::is_blank(&artifact.source_id)
            && !canon::is_blank(&artifact.media_type)
            && is_base64(&artifact.data)
    };
    if artifacts.iter().all(whole) {
        return Ok(());
    }
    let message = "recorded media has no source, no media type or broken bytes";
    Err(JudgeFault::new(JudgeErrorCode::EvidenceUnavailable, message))
}

fn is_base64(data: &str) -> bool {
    let content = data.trim_end_matches('=');
    let padding = data.len() - content.len();
    let known = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
    !content.is_empty()
        && data.len().is_multiple_of(4)
        && padding <= 2
        && content.bytes().all(known)
}

/// The two blocks and the media after redaction.
struct Redacted {
    authored: Value,
    evidence: Value,
    artifacts: Vec<Artifact>,
}

/// Rule 4: one redactor over the task, the record and what is said of the media. Our identifiers are added afterwards.
fn redact(input: &GoalInput, trace: &Map<String, Value>) -> Redacted {
    let task = task(input);
    let record = record(&input.evidence, trace);
    let media = json!(input.evidence.artifacts.iter().map(|it| &it.source_id).collect::<Vec<_>>());
    let mut redactor = PlaceholderRedactor::reserving([&task, &record, &media]);
    let mut authored = Map::new();
    authored.insert("caseKey".into(), json!(input.case_key));
    authored.insert("gradingKey".into(), json!(input.grading_key));
    if let Value::Object(task) = redactor.value(&task) {
        authored.extend(task);
    }
    if let Some(rubric) = &input.suite_rubric {
        authored.insert("suiteRubric".into(), rubric_block(rubric, &mut redactor));
    }
    let evidence = redactor.value(&record);
    let redacted = |artifact: &Artifact| Artifact {
        source_id: redactor.text(&artifact.source_id),
        ..artifact.clone()
    };
    let artifacts = input.evidence.artifacts.iter().map(redacted).collect();
    Redacted { authored: Value::Object(authored), evidence, artifacts }
}

fn task(input: &GoalInput) -> Value {
    let mut task = json!({ "title": input.title, "request": input.query });
    let against = input.rubric_source.map_or_else(|| json!("request"), |source| json!(source));
    task["gradedAgainst"] = against;
    if let Some(expected) = &input.expected_output {
        task["expectedOutput"] = json!(expected);
    }
    if let Some(route) = &input.expected_route {
        task["expectedRoute"] = route.clone();
    }
    task["isNegativeTest"] = json!(input.is_negative_test);
    task
}

/// Ids of criteria are ours and stay.
fn rubric_block(rubric: &Rubric, redactor: &mut PlaceholderRedactor) -> Value {
    let mut block = Map::new();
    let criterion = |criterion: &howfar_wire::suite::Criterion| {
        let mut entry = Map::new();
        entry.insert("id".into(), json!(criterion.id));
        entry.insert("label".into(), json!(redactor.text(&criterion.label)));
        if let Some(description) = &criterion.description {
            entry.insert("description".into(), json!(redactor.text(description)));
        }
        entry.insert("required".into(), json!(criterion.required.unwrap_or(false)));
        Value::Object(entry)
    };
    let criteria: Vec<Value> = rubric.criteria.iter().map(criterion).collect();
    if !criteria.is_empty() {
        block.insert("criteria".into(), Value::Array(criteria));
    }
    if let Some(instructions) = &rubric.instructions {
        block.insert("instructions".into(), json!(redactor.text(instructions)));
    }
    Value::Object(block)
}

fn record(evidence: &RecordedEvidence, trace: &Map<String, Value>) -> Value {
    let mut record = json!({
        "version": evidence.version,
        "traceComplete": evidence.trace_complete,
        "trace": trace,
    });
    let optional = [
        ("toolDefinitions", evidence.tool_definitions.clone()),
        ("context", evidence.context.clone()),
        ("uncaptured", (!evidence.uncaptured.is_empty()).then(|| json!(evidence.uncaptured))),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            record[name] = value;
        }
    }
    record
}

/// Rule 5: every `<` is escaped, so that no content can forge a marker.
fn block(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

fn artifact_list(artifacts: &[Artifact]) -> String {
    if artifacts.is_empty() {
        return "none".to_owned();
    }
    let entry = |artifact: &Artifact| json!({ "sourceId": artifact.source_id, "mediaType": artifact.media_type });
    block(&artifacts.iter().map(entry).collect())
}
