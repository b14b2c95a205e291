//! Vectors of the run documents.

use howfar_core::run::analytics::{self, ParitySide};
use howfar_core::run::{self, SummaryInput, verdict};
use howfar_testkit::vectors::VectorFile;
use howfar_wire::analytics::{AnalyticsRun, AnalyticsTrial, PhaseSignal, StageTally};
use howfar_wire::chain::StageRow;
use howfar_wire::measurement::{StageMeasurements, TimedSpan};
use howfar_wire::vocabulary::{ExclusionDetail, IterationStatus, Vocabulary as _};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::{Outcome, equal, typed};

const AREA: &str = "run-documents";

pub(crate) const FILES: &[VectorFile] = &[
    VectorFile { area: AREA, file: "excluded-detail.json", check: excluded_detail },
    VectorFile { area: AREA, file: "verdict-run.json", check: verdict_run },
    VectorFile { area: AREA, file: "trial-observation.json", check: trial_observation },
    VectorFile { area: AREA, file: "verdict-decision-validate.json", check: validate_decision },
    VectorFile { area: AREA, file: "pass-statistics.json", check: pass_statistics },
    VectorFile { area: AREA, file: "passes-needed.json", check: passes_needed },
    VectorFile { area: AREA, file: "stage-measurements.json", check: measurements },
    VectorFile {
        area: AREA,
        file: "stage-measurements-validate.json",
        check: validate_measurements,
    },
    VectorFile { area: AREA, file: "stage-measurements-agreement.json", check: agreement },
    VectorFile { area: AREA, file: "stage-analytics.json", check: stage_analytics },
    VectorFile { area: AREA, file: "stage-analytics-validate.json", check: validate_analytics },
    VectorFile { area: AREA, file: "stage-rates.json", check: stage_rates },
    VectorFile { area: AREA, file: "stage-parity.json", check: stage_parity },
    VectorFile { area: AREA, file: "decision-summary.json", check: decision_summary },
    VectorFile { area: AREA, file: "decision-summary-validate.json", check: validate_summary },
];

fn excluded_detail(vector: &Value) -> Outcome {
    let stored = &vector["input"];
    let count = |detail: &ExclusionDetail| Some((*detail, stored[detail.as_str()].as_u64()?));
    let listed =
        analytics::exclusion_details(&ExclusionDetail::ALL.iter().filter_map(count).collect());
    let listed: Vec<_> =
        listed.iter().map(|(key, count)| json!({"key": key, "count": count})).collect();
    equal(&listed, &vector["expect"])
}

fn verdict_run(vector: &Value) -> Outcome {
    let found = match verdict::decide_document(&vector["input"]) {
        Ok(decision) => {
            verdict::validate_decision(&json!(decision))
                .map_err(|problems| format!("its own decision is invalid: {}", problems[0]))?;
            let statistics = run::trial_statistics(&decision);
            json!({"decision": decision, "trialStatistics": statistics})
        }
        Err(refusal) => json!({"error": refusal.kind()}),
    };
    equal(&found, &vector["expect"])
}

fn trial_observation(vector: &Value) -> Outcome {
    let row = &vector["input"];
    let status = row["status"].as_str().and_then(IterationStatus::from_wire);
    let status = status.ok_or("unknown status")?;
    match verdict::trial_observation(status, row["result"].as_str(), &row["metadata"]) {
        Ok(observation) => equal(&observation, &vector["expect"]),
        Err(_) => equal(&json!({"error": "completedWithoutVerdict"}), &vector["expect"]),
    }
}

fn validate_decision(vector: &Value) -> Outcome {
    validity(verdict::validate_decision(&vector["input"]), vector)
}

fn validity<T, P: std::fmt::Debug>(result: Result<T, P>, vector: &Value) -> Outcome {
    let problems = result.as_ref().err().map(|problems| format!("{problems:?}"));
    let outcome = equal(&json!({"valid": result.is_ok()}), &vector["expect"]);
    outcome.map_err(|difference| format!("{difference} {}", problems.unwrap_or_default()))
}

fn pass_statistics(vector: &Value) -> Outcome {
    let number = |key: &str| vector["input"][key].as_f64().unwrap_or(f64::NAN);
    let (n, c, k) = (number("eligibleTrials"), number("passedTrials"), number("k"));
    let found = match run::pass_statistics(n, c, k) {
        Ok(statistics) => json!({
            "passAtK": statistics.pass_at_k,
            "passHatK": statistics.pass_hat_k,
            "passRateInterval": statistics.pass_rate_interval,
        }),
        Err(refusal) => json!({"error": refusal.kind()}),
    };
    equal(&found, &vector["expect"])
}

fn passes_needed(vector: &Value) -> Outcome {
    let number = |key: &str| vector["input"][key].as_f64().unwrap_or(f64::NAN);
    let needed = run::passes_needed(number("configuredTrials"), number("passThreshold"));
    equal(&needed, &vector["expect"])
}

fn measurements(vector: &Value) -> Outcome {
    let input = &vector["input"];
    let rows: Vec<StageRow> = optional(&input["stageResults"])?.unwrap_or_default();
    let spans: Vec<TimedSpan> = optional(&input["spans"])?.unwrap_or_default();
    let analyzer = input["stageAnalyzerVersion"].as_u64();
    equal(&run::derive_measurements(&rows, analyzer, &spans), &vector["expect"])
}

fn optional<T: DeserializeOwned>(value: &Value) -> Result<Option<T>, String> {
    typed(value)
}

fn validate_measurements(vector: &Value) -> Outcome {
    validity(run::validate_measurements(&vector["input"]), vector)
}

fn agreement(vector: &Value) -> Outcome {
    let input = &vector["input"];
    let measurements: StageMeasurements = typed(&input["measurements"])?;
    let rows: Vec<StageRow> = typed(&input["stageResults"])?;
    let analyzer = input["stageAnalyzerVersion"].as_u64().ok_or("no analyzer")?;
    let found = run::disagreements(&measurements, &rows, analyzer);
    equal(&json!({"disagreements": found.len()}), &vector["expect"])
}

fn stage_analytics(vector: &Value) -> Outcome {
    let input = &vector["input"];
    let about: AnalyticsRun = typed(&input["run"])?;
    let trials: Vec<AnalyticsTrial> = typed(&input["trials"])?;
    let signals: Vec<PhaseSignal> = optional(&input["setupSignals"])?.unwrap_or_default();
    let document = analytics::stage_analytics(&about, &trials, &signals);
    analytics::validate_analytics(&json!(document))
        .map_err(|problems| format!("its own document is invalid: {}", problems[0]))?;
    equal(&document, &vector["expect"])
}

fn validate_analytics(vector: &Value) -> Outcome {
    validity(analytics::validate_analytics(&vector["input"]), vector)
}

fn stage_rates(vector: &Value) -> Outcome {
    let stored = &vector["input"];
    let found = analytics::stage_rates_of_document(stored);
    if let Ok(tally) = typed::<StageTally>(stored) {
        equal(&analytics::stage_rates(&tally), &json!(found))?;
    }
    equal(&found, &vector["expect"])
}

fn stage_parity(vector: &Value) -> Outcome {
    let (a, b) = (parity_side(&vector["input"]["a"])?, parity_side(&vector["input"]["b"])?);
    equal(&analytics::parity_blockers(&a, &b), &vector["expect"])
}

fn parity_side(side: &Value) -> Result<ParitySide<'_>, String> {
    let mixed = |key: &str| side.get(key).is_some();
    let version = |key: &str| side[key].as_u64().ok_or(format!("no {key}"));
    Ok(ParitySide {
        run_group_id: side["runGroupId"].as_str(),
        config_revision: side["configRevision"].as_str(),
        case_set_fingerprint: side["caseSetFingerprint"].as_str(),
        stage_analyzer_version: version("stageAnalyzerVersion")?,
        measurements_schema_version: version("measurementsSchemaVersion")?,
        has_mixed_versions: mixed("sourceStageAnalyzerVersions")
            || mixed("sourceMeasurementsSchemaVersions"),
        measurement_unit: side["measurementUnit"].as_str().unwrap_or_default(),
        materialization_state: typed(&side["materializationState"])?,
    })
}

fn decision_summary(vector: &Value) -> Outcome {
    let input = &vector["input"];
    let summary = run::decision_summary(&SummaryInput {
        project_id: input["projectId"].as_str().ok_or("no project")?,
        run: &input["run"],
        iterations: input["iterations"].as_array().ok_or("no iterations")?,
        complete: input["page"]["complete"] == true,
        next_cursor: input["page"]["nextCursor"].as_str(),
        known_analyzer_version: input["knownAnalyzerVersion"].as_u64().ok_or("no analyzer")?,
    });
    let valid = run::validate_summary(&json!(summary)).is_ok();
    equal(&json!({"summary": summary, "valid": valid}), &vector["expect"])
}

fn validate_summary(vector: &Value) -> Outcome {
    validity(run::validate_summary(&vector["input"]), vector)
}
