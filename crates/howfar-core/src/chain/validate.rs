//! Whether a stored derivation document is sound, and what readers see of it (derivation, section 14).

use howfar_wire::chain::{
    ChainProjection, MAX_ANALYZER_VERSION, StageDerivation, StageEvidence, StageRow,
    UnverifiedChain,
};
use howfar_wire::vocabulary::{FailureCategory, Stage, StageState, Vocabulary};
use serde_json::{Map, Value};

use crate::problem::{Problem, Problems};

/// A sound document, with unknown keys dropped at every level, or everything that is wrong with it.
///
/// Shapes come first; rows are compared with each other only when every shape is right. A reason is not compared with
/// its state, and the category with nothing.
///
/// # Errors
///
/// The problems, each with the path of the offending key; the path of the document itself is empty.
pub fn validate_derivation(document: &Value) -> Result<StageDerivation, Vec<Problem>> {
    let mut problems = Problems::default();
    let Value::Object(object) = document else {
        problems.add("", "is not an object");
        return Err(problems.into_list());
    };
    let rows = rows(object, &mut problems);
    let first_failed_stage = optional_member(object, "firstFailedStage", "", &mut problems);
    let failure_category: Option<FailureCategory> =
        optional_member(object, "failureCategory", "", &mut problems);
    let version = object.get("stageAnalyzerVersion").and_then(analyzer_version);
    if version.is_none() {
        problems.add("stageAnalyzerVersion", "is not an integer from 0 to 2^53 - 1");
    }
    let (true, Some(stage_analyzer_version)) = (problems.is_empty(), version) else {
        return Err(problems.into_list());
    };
    let rows: Result<[StageRow; 6], _> = rows.try_into();
    let Ok(stage_results) = rows else {
        problems.add("stageResults", "does not hold six rows");
        return Err(problems.into_list());
    };
    check_row_order(&stage_results, &mut problems);
    check_first_failed(&stage_results, first_failed_stage, &mut problems);
    problems.or(StageDerivation {
        stage_results,
        first_failed_stage,
        failure_category,
        stage_analyzer_version,
    })
}

/// What readers see of the chain in an iteration's metadata.
pub fn project_metadata(metadata: &Value) -> ChainProjection {
    if metadata.get("stageResults").is_none() {
        return ChainProjection::NeverMeasured {};
    }
    match validate_derivation(metadata) {
        Ok(derivation) => ChainProjection::Verified(Box::new(derivation)),
        Err(_) => ChainProjection::Unverified(UnverifiedChain {
            stage_results_unverified: true,
            stage_analyzer_version: metadata.get("stageAnalyzerVersion").and_then(analyzer_version),
        }),
    }
}

/// The analyzer version that a stored value names; `None` when it is no integer from 0 to 2^53 − 1.
pub fn analyzer_version(value: &Value) -> Option<u64> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0)?;
    let version = number as u64;
    (version <= MAX_ANALYZER_VERSION).then_some(version)
}

fn rows(object: &Map<String, Value>, problems: &mut Problems) -> Vec<StageRow> {
    let Some(Value::Array(rows)) = object.get("stageResults") else {
        problems.add("stageResults", "is not a list");
        return Vec::new();
    };
    let rows = rows.iter().enumerate();
    rows.filter_map(|(at, value)| row(value, &format!("stageResults.{at}"), problems)).collect()
}

fn row(value: &Value, path: &str, problems: &mut Problems) -> Option<StageRow> {
    let Value::Object(object) = value else {
        problems.add(path, "is not an object");
        return None;
    };
    let stage = member(object, "stage", path, problems);
    let state = member(object, "state", path, problems);
    let reason = optional_member(object, "reason", path, problems);
    let evidence = object
        .get("evidence")
        .and_then(|evidence| row_evidence(evidence, &format!("{path}.evidence"), problems));
    Some(StageRow { stage: stage?, state: state?, reason, evidence })
}

fn row_evidence(value: &Value, path: &str, problems: &mut Problems) -> Option<StageEvidence> {
    let Value::Object(object) = value else {
        problems.add(path, "is not an object");
        return None;
    };
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let number = |value: &Value| value.as_number().cloned();
    Some(StageEvidence {
        span_ids: list(object, "spanIds", path, text, problems),
        prompt_indexes: list(object, "promptIndexes", path, number, problems),
        predicate_reasons: list(object, "predicateReasons", path, text, problems),
    })
}

fn list<T>(
    object: &Map<String, Value>,
    key: &str,
    path: &str,
    read: impl Fn(&Value) -> Option<T>,
    problems: &mut Problems,
) -> Option<Vec<T>> {
    let Value::Array(values) = object.get(key)? else {
        problems.add(format!("{path}.{key}"), "is not a list");
        return None;
    };
    let mut items = Vec::with_capacity(values.len());
    for (at, value) in values.iter().enumerate() {
        match read(value) {
            Some(item) => items.push(item),
            None => problems.add(format!("{path}.{key}.{at}"), "has the wrong type"),
        }
    }
    Some(items)
}

/// A member of a closed list that must be there.
fn member<V: Vocabulary>(
    object: &Map<String, Value>,
    key: &str,
    path: &str,
    problems: &mut Problems,
) -> Option<V> {
    let found = object.get(key).and_then(Value::as_str).and_then(V::from_wire);
    if found.is_none() {
        problems.add(join(path, key), format!("is not a member of {}", V::NAME));
    }
    found
}

/// A member of a closed list that may be absent; `null` is not absent.
fn optional_member<V: Vocabulary>(
    object: &Map<String, Value>,
    key: &str,
    path: &str,
    problems: &mut Problems,
) -> Option<V> {
    if object.contains_key(key) { member(object, key, path, problems) } else { None }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

fn check_row_order(rows: &[StageRow; 6], problems: &mut Problems) {
    for (at, (row, expected)) in rows.iter().zip(Stage::ALL).enumerate() {
        if row.stage != *expected {
            problems.add(format!("stageResults.{at}.stage"), format!("is not {expected}"));
        }
    }
}

fn check_first_failed(rows: &[StageRow; 6], stated: Option<Stage>, problems: &mut Problems) {
    let first = rows.iter().find(|row| row.state == StageState::Failed).map(|row| row.stage);
    if first != stated {
        problems.add("firstFailedStage", "is not the first row that failed");
    }
}
