//! Scores: hashes of definitions, rows from outcomes, and what holds up (run-documents, section 2).

use howfar_wire::canon;
use howfar_wire::score::{
    AuthoredDefinition, EvaluationConfig, ScoreDefinition, ScorePolicy, ScoreRow, ScoreScope,
    ScoreStatus,
};
use howfar_wire::vocabulary::Vocabulary as _;
use serde_json::{Map, Value, json};

use crate::problem::{Problem, Problems, read_closed};

const MAX_RATIONALE_UNITS: usize = 2000;
const MAX_EVIDENCE_ENTRIES: usize = 20;
const MAX_EVIDENCE_UNITS: usize = 300;
const MAX_ERROR_UNITS: usize = 500;
const MAX_SCORER_ID_UNITS: usize = 128;

/// A definition with nothing left open: a missing score fails a scorer that decides, and is ignored otherwise.
pub fn resolve_definition(authored: &AuthoredDefinition) -> ScoreDefinition {
    let by_role = if authored.role.decides() { ScorePolicy::Fail } else { ScorePolicy::Ignore };
    ScoreDefinition {
        scorer_id: authored.scorer_id.clone(),
        id_source: authored.id_source,
        scorer_version: authored.scorer_version.clone(),
        implementation_hash: authored.implementation_hash.clone(),
        label: authored.label.clone(),
        deterministic: authored.deterministic,
        pass_threshold: authored.pass_threshold,
        role: authored.role,
        on_error: authored.on_error.unwrap_or(by_role),
        on_skipped: authored.on_skipped.unwrap_or(by_role),
        model: authored.model.clone(),
        scope: authored.scope,
    }
}

/// The digest of a definition: everything but its label.
pub fn definition_hash(definition: &ScoreDefinition) -> String {
    canon::canonical_digest(&projection(definition))
}

/// The digest of the definitions of a case; their order does not matter, and duplicates count.
pub fn evaluation_config_hash(definitions: &[ScoreDefinition]) -> String {
    let mut texts: Vec<_> =
        definitions.iter().map(|it| canon::canonical(&projection(it))).collect();
    texts.sort_by(|a, b| canon::utf16_cmp(a, b));
    canon::sha256_hex(format!("[{}]", texts.join(",")).as_bytes())
}

/// The digest of the evaluation configurations of several cases; their order does not matter, and duplicates count.
pub fn run_config_hash(hashes: &[String]) -> String {
    let mut hashes: Vec<&str> = hashes.iter().map(String::as_str).collect();
    hashes.sort_by(|a, b| canon::utf16_cmp(a, b));
    canon::canonical_digest(&json!(hashes))
}

/// The definitions of a run with their digest.
pub fn evaluation_config(definitions: Vec<ScoreDefinition>) -> EvaluationConfig {
    EvaluationConfig { hash: evaluation_config_hash(&definitions), definitions }
}

/// What an evaluator reports about one trial.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ScoreOutcome {
    /// What became of it.
    pub kind: OutcomeKind,
    /// Why.
    pub rationale: String,
    /// What it looked at.
    pub evidence: Vec<String>,
    /// The model that scored; absent means the definition's.
    pub model: Option<String>,
    /// Digest of the prompt that it was asked with; empty for none.
    pub prompt_hash: String,
    /// The part of the case it looked at; absent means the definition's.
    pub scope: Option<ScoreScope>,
}

/// What became of a score.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum OutcomeKind {
    /// A value; one that is no fraction becomes an error and is never clamped.
    Scored(f64),
    /// Left out on purpose.
    #[default]
    Skipped,
    /// Nothing to score.
    NotApplicable,
}

/// The row of an outcome.
pub fn score_row(definition: &ScoreDefinition, outcome: &ScoreOutcome) -> ScoreRow {
    let mut row = bare_row(definition);
    row.scope = outcome.scope.or(definition.scope);
    match outcome.kind {
        OutcomeKind::Scored(value) if !(0.0..=1.0).contains(&value) => {
            row.error = Some(format!("the score {value} is not between 0 and 1"));
            return row;
        }
        OutcomeKind::Scored(value) => {
            row.status = ScoreStatus::Scored;
            row.value = Some(value);
            row.passed = Some(value >= definition.pass_threshold);
            row.model = outcome.model.clone().or_else(|| definition.model.clone());
        }
        OutcomeKind::Skipped => row.status = ScoreStatus::Skipped,
        OutcomeKind::NotApplicable => row.status = ScoreStatus::NotApplicable,
    }
    let evidence = outcome.evidence.iter().take(MAX_EVIDENCE_ENTRIES);
    let evidence: Vec<_> =
        evidence.map(|entry| canon::shortened(entry, MAX_EVIDENCE_UNITS).into_owned()).collect();
    row.rationale =
        non_empty(canon::shortened(&outcome.rationale, MAX_RATIONALE_UNITS).into_owned());
    row.evidence = Some(evidence).filter(|evidence| !evidence.is_empty());
    row.prompt_hash = non_empty(outcome.prompt_hash.clone());
    row
}

/// The row of an evaluator that broke.
pub fn score_error_row(definition: &ScoreDefinition, error: &str) -> ScoreRow {
    let error = if canon::is_blank(error) { "unknown error" } else { error };
    ScoreRow {
        error: Some(canon::shortened(error, MAX_ERROR_UNITS).into_owned()),
        ..bare_row(definition)
    }
}

/// A resolved definition that holds up, or everything that is wrong with it.
///
/// # Errors
///
/// The problems; a wrong shape is the only problem reported.
pub fn validate_definition(document: &Value) -> Result<ScoreDefinition, Vec<Problem>> {
    let definition: ScoreDefinition = read_closed(document)?;
    let mut problems = Problems::default();
    check_definition(&definition, "", &mut problems);
    problems.or(definition)
}

/// A snapshot of definitions that holds up, or everything that is wrong with it.
///
/// # Errors
///
/// The problems; a wrong shape is the only problem reported.
pub fn validate_evaluation_config(document: &Value) -> Result<EvaluationConfig, Vec<Problem>> {
    let config: EvaluationConfig = read_closed(document)?;
    let mut problems = Problems::default();
    for (at, definition) in config.definitions.iter().enumerate() {
        let path = format!("definitions.{at}.");
        check_definition(definition, &path, &mut problems);
        let earlier = &config.definitions[..at];
        let unique = earlier.iter().all(|other| other.scorer_id != definition.scorer_id);
        problems.check(unique, format!("{path}scorerId"), "stands twice");
    }
    let hash = config.hash == evaluation_config_hash(&config.definitions);
    problems.check(hash, "hash", "is not the digest of the definitions");
    problems.or(config)
}

/// A score row that holds up, or everything that is wrong with it.
///
/// # Errors
///
/// The problems; a wrong shape is the only problem reported.
pub fn validate_score_row(document: &Value) -> Result<ScoreRow, Vec<Problem>> {
    let row: ScoreRow = read_closed(document)?;
    let mut problems = Problems::default();
    check_id(&row.scorer_id, "", &mut problems);
    check_text(Some(&row.scorer_version), "scorerVersion", &mut problems);
    check_text(Some(&row.definition_hash), "definitionHash", &mut problems);
    check_text(row.model.as_deref(), "model", &mut problems);
    check_text(row.prompt_hash.as_deref(), "promptHash", &mut problems);
    problems.check(is_fraction(row.pass_threshold), "passThreshold", "is not from 0 to 1");
    let score = match (row.status, row.value, row.passed) {
        (ScoreStatus::Scored, Some(value), Some(passed)) => {
            is_fraction(value) && passed == (value >= row.pass_threshold)
        }
        (ScoreStatus::Scored, Some(_) | None, Some(_) | None) => false,
        (ScoreStatus::Error | ScoreStatus::Skipped | ScoreStatus::NotApplicable, value, passed) => {
            value.is_none() && passed.is_none()
        }
    };
    problems.check(score, "value", "or `passed` contradicts the status");
    let error = match (row.status, row.error.as_deref()) {
        (ScoreStatus::Error, Some(error)) => fits(error, MAX_ERROR_UNITS) && !error.is_empty(),
        (ScoreStatus::Error, None) => false,
        (ScoreStatus::Scored | ScoreStatus::Skipped | ScoreStatus::NotApplicable, error) => {
            error.is_none()
        }
    };
    problems.check(error, "error", "contradicts the status");
    let rationale = row.rationale.as_deref().is_none_or(|it| fits(it, MAX_RATIONALE_UNITS));
    problems.check(rationale, "rationale", "is too long");
    let evidence = row.evidence.as_deref().unwrap_or_default();
    let short = evidence.len() <= MAX_EVIDENCE_ENTRIES
        && evidence.iter().all(|entry| fits(entry, MAX_EVIDENCE_UNITS));
    problems.check(short, "evidence", "is too long");
    problems.or(row)
}

/// What is hashed of a definition: absent members are left out, and so is the label.
fn projection(definition: &ScoreDefinition) -> Value {
    let mut members = Map::new();
    let mut put = |key: &str, value: Value| members.insert(key.to_owned(), value);
    put("scorerId", json!(definition.scorer_id));
    put("idSource", json!(definition.id_source.as_str()));
    put("scorerVersion", json!(definition.scorer_version));
    put("implementationHash", json!(definition.implementation_hash));
    put("deterministic", json!(definition.deterministic));
    put("passThreshold", json!(definition.pass_threshold));
    put("role", json!(definition.role.as_str()));
    put("onError", json!(definition.on_error.as_str()));
    put("onSkipped", json!(definition.on_skipped.as_str()));
    if let Some(model) = &definition.model {
        put("model", json!(model));
    }
    if let Some(scope) = definition.scope {
        put("scope", json!(scope));
    }
    Value::Object(members)
}

/// The row of a definition, still an error without a text.
fn bare_row(definition: &ScoreDefinition) -> ScoreRow {
    ScoreRow {
        scorer_id: definition.scorer_id.clone(),
        scorer_version: definition.scorer_version.clone(),
        definition_hash: definition_hash(definition),
        pass_threshold: definition.pass_threshold,
        deterministic: definition.deterministic,
        status: ScoreStatus::Error,
        value: None,
        passed: None,
        rationale: None,
        evidence: None,
        error: None,
        model: definition.model.clone(),
        prompt_hash: None,
        scope: definition.scope,
    }
}

fn check_definition(definition: &ScoreDefinition, path: &str, problems: &mut Problems) {
    let at = |key: &str| format!("{path}{key}");
    check_id(&definition.scorer_id, path, problems);
    check_text(Some(&definition.scorer_version), &at("scorerVersion"), problems);
    check_text(Some(&definition.implementation_hash), &at("implementationHash"), problems);
    check_text(definition.label.as_deref(), &at("label"), problems);
    check_text(definition.model.as_deref(), &at("model"), problems);
    let threshold = is_fraction(definition.pass_threshold);
    problems.check(threshold, at("passThreshold"), "is not from 0 to 1");
}

fn check_id(id: &str, path: &str, problems: &mut Problems) {
    let fits = !id.is_empty() && fits(id, MAX_SCORER_ID_UNITS);
    problems.check(fits, format!("{path}scorerId"), "is empty or too long");
}

fn check_text(text: Option<&str>, path: &str, problems: &mut Problems) {
    problems.check(text != Some(""), path, "is empty");
}

fn is_fraction(number: f64) -> bool {
    (0.0..=1.0).contains(&number)
}

fn fits(text: &str, units: usize) -> bool {
    canon::utf16_len(text) <= units
}

fn non_empty(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}
