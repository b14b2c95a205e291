//! Vectors of scores and grading policies.

use howfar_core::run::grading::{self, EditError, IterationArguments};
use howfar_core::run::score::{self, OutcomeKind, ScoreOutcome};
use howfar_testkit::vectors::VectorFile;
use howfar_wire::grading::GradingPolicy;
use howfar_wire::score::{AuthoredDefinition, ScoreDefinition};
use serde_json::{Value, json};

use crate::{Outcome, equal, typed};

const AREA: &str = "run-documents";

pub(crate) const FILES: &[VectorFile] = &[
    VectorFile { area: AREA, file: "score-definition-hash.json", check: definition_hash },
    VectorFile { area: AREA, file: "evaluation-config-hash.json", check: config_hash },
    VectorFile { area: AREA, file: "run-config-hash.json", check: run_config_hash },
    VectorFile { area: AREA, file: "score-result.json", check: score_result },
    VectorFile { area: AREA, file: "score-error.json", check: score_error },
    VectorFile { area: AREA, file: "score-validate.json", check: validate },
    VectorFile { area: AREA, file: "grading-policy.json", check: grading_policy },
    VectorFile { area: AREA, file: "grading-iterations.json", check: grading_iterations },
    VectorFile { area: AREA, file: "grading-edit.json", check: grading_edit },
];

fn resolved(definition: &Value) -> Result<ScoreDefinition, String> {
    let authored: AuthoredDefinition = typed(definition)?;
    Ok(score::resolve_definition(&authored))
}

fn definition_hash(vector: &Value) -> Outcome {
    let definition = resolved(&vector["input"])?;
    let found = json!({
        "onError": definition.on_error,
        "onSkipped": definition.on_skipped,
        "hash": score::definition_hash(&definition),
    });
    equal(&found, &vector["expect"])
}

fn config_hash(vector: &Value) -> Outcome {
    let definitions = vector["input"]["definitions"].as_array().ok_or("no definitions")?;
    let definitions: Vec<_> = definitions.iter().map(resolved).collect::<Result<_, _>>()?;
    equal(&json!({"hash": score::evaluation_config_hash(&definitions)}), &vector["expect"])
}

fn run_config_hash(vector: &Value) -> Outcome {
    let hashes: Vec<String> = typed(&vector["input"]["hashes"])?;
    equal(&json!({"hash": score::run_config_hash(&hashes)}), &vector["expect"])
}

fn score_result(vector: &Value) -> Outcome {
    let outcome = &vector["input"]["outcome"];
    let text = |key: &str| outcome[key].as_str().map(str::to_owned);
    let kind = match outcome["kind"].as_str() {
        Some("scored") => OutcomeKind::Scored(outcome["value"].as_f64().unwrap_or(f64::NAN)),
        Some("skipped") => OutcomeKind::Skipped,
        _ => OutcomeKind::NotApplicable,
    };
    let evidence: Option<Vec<String>> = typed(&outcome["evidence"])?;
    let outcome = ScoreOutcome {
        kind,
        rationale: text("rationale").unwrap_or_default(),
        evidence: evidence.unwrap_or_default(),
        model: text("model"),
        prompt_hash: text("promptHash").unwrap_or_default(),
        scope: typed(&outcome["scope"])?,
    };
    let row = score::score_row(&resolved(&vector["input"]["definition"])?, &outcome);
    score::validate_score_row(&json!(row)).map_err(|problems| problems[0].to_string())?;
    equal(&row, &vector["expect"])
}

fn score_error(vector: &Value) -> Outcome {
    let error = vector["input"]["error"].as_str().ok_or("no error")?;
    let definition = resolved(&vector["input"]["definition"])?;
    equal(&score::score_error_row(&definition, error), &vector["expect"])
}

fn validate(vector: &Value) -> Outcome {
    let value = &vector["input"]["value"];
    let valid = match vector["input"]["kind"].as_str() {
        Some("result") => score::validate_score_row(value).is_ok(),
        Some("definition") => score::validate_definition(value).is_ok(),
        _ => score::validate_evaluation_config(value).is_ok(),
    };
    equal(&json!({"valid": valid}), &vector["expect"])
}

fn read_policy(source: &Value) -> Result<GradingPolicy, &'static str> {
    let value = &source["value"];
    match source["source"].as_str() {
        Some("suiteFile") => Ok(grading::of_suite_file(value)),
        Some("hostedSuite") => {
            grading::of_hosted_suite(value).map_err(|_| "perCaseDefaultsMissing")
        }
        _ => Ok(grading::of_reported_run(value)),
    }
}

fn grading_policy(vector: &Value) -> Outcome {
    match read_policy(&vector["input"]) {
        Ok(policy) => equal(&json!({"policy": policy}), &vector["expect"]),
        Err(error) => equal(&json!({"error": error}), &vector["expect"]),
    }
}

fn grading_iterations(vector: &Value) -> Outcome {
    let arguments = &vector["input"]["args"];
    let arguments = IterationArguments {
        case_iterations: arguments["caseIterations"].as_f64(),
        run_override: arguments["runOverride"].as_u64(),
        replay: arguments["replay"] == true,
    };
    let rule = typed(&vector["input"]["rule"])?;
    equal(&grading::iterations(rule, arguments), &vector["expect"])
}

fn grading_edit(vector: &Value) -> Outcome {
    let policy = read_policy(&vector["input"]["policy"])?;
    let found = match grading::plan_edit(&policy, &vector["input"]["edit"]) {
        Ok(plan) => json!({"ok": true, "settings": plan.settings, "changed": plan.changed}),
        Err(EditError::Refused(refusal)) => json!({"ok": false, "refusal": refusal.as_str()}),
        Err(EditError::Malformed) => json!({"error": "malformedEdit"}),
    };
    equal(&found, &vector["expect"])
}
