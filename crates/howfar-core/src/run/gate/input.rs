//! What gates read, from a stored run (run-documents 8.1). Rows are JSON of which nothing is trusted.

use howfar_wire::gate::{GateInput, GateIterations, GateTotals, ScoreIntegrity};
use howfar_wire::score::ScoreDefinition;
use howfar_wire::vocabulary::Vocabulary as _;
use serde_json::Value;

use crate::run::score::{definition_hash, evaluation_config};

/// What the gates of a stored run read.
///
/// `iterations` are the run's rows when the list is complete, and `None` otherwise: a partial list contributes nothing.
pub fn gate_input(run: &Value, iterations: Option<&[Value]>) -> GateInput {
    let count = |key: &str| run["summary"][key].as_u64().unwrap_or(0);
    let mut input = GateInput {
        iterations: GateIterations { total: count("total"), passed: count("passed") },
        score_integrity: run["scoreIntegrity"].as_str().and_then(ScoreIntegrity::from_wire),
        ..GateInput::default()
    };
    if let Some(rows) = iterations {
        let definitions = merged_definitions(rows);
        input.evaluation_config = (!definitions.is_empty()).then(|| evaluation_config(definitions));
        input.scores = Some(rows.iter().flat_map(|row| parsed(&row["scores"])).collect());
        let totals = totals(rows);
        input.totals = (totals != GateTotals::default()).then_some(totals);
    }
    input
}

/// Percentile `percent` of `values`, by linear interpolation between neighbours; `None` without values.
pub fn percentile(values: &[f64], percent: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let index = percent / 100.0 * last as f64;
    let low = index.floor();
    let at = |index: f64| sorted[(index as usize).min(last)];
    if index == low {
        return Some(at(low));
    }
    let weight = index - low;
    Some(at(low) * (1.0 - weight) + at(low + 1.0) * weight)
}

/// The definitions of all rows, each once, in the order in which they were first seen.
fn merged_definitions(rows: &[Value]) -> Vec<ScoreDefinition> {
    let mut hashes = Vec::new();
    let mut merged = Vec::new();
    for row in rows {
        for definition in parsed::<ScoreDefinition>(&row["evaluationConfig"]["definitions"]) {
            let hash = definition_hash(&definition);
            if !hashes.contains(&hash) {
                hashes.push(hash);
                merged.push(definition);
            }
        }
    }
    merged
}

/// The entries of a list that have the right shape.
fn parsed<T: serde::de::DeserializeOwned>(list: &Value) -> Vec<T> {
    let entries = list.as_array().map_or(&[][..], Vec::as_slice);
    entries.iter().filter_map(|entry| serde_json::from_value(entry.clone()).ok()).collect()
}

/// A sum over rows of which one lacks its part is unknown.
fn totals(rows: &[Value]) -> GateTotals {
    let numbers =
        |key: &str| -> Option<Vec<f64>> { rows.iter().map(|row| row[key].as_f64()).collect() };
    GateTotals {
        // An empty sum of doubles is -0.
        tokens: numbers("tokensUsed").map(|tokens| tokens.iter().sum::<f64>() + 0.0),
        e2e_p95_ms: numbers("durationMs").and_then(|durations| percentile(&durations, 95.0)),
        cost: None,
    }
}
