//! Vectors of the scorer roll-up.

use howfar_core::run::rollup::{self, ScorerKey};
use howfar_testkit::vectors::VectorFile;
use howfar_wire::rollup::ScorerRollup;
use serde_json::{Value, json};

use crate::{Outcome, equal, typed};

const AREA: &str = "run-documents";

pub(crate) const FILES: &[VectorFile] = &[
    VectorFile { area: AREA, file: "scorer-rollup-fingerprint.json", check: fingerprint },
    VectorFile { area: AREA, file: "scorer-rollup-parity.json", check: parity },
    VectorFile { area: AREA, file: "scorer-rollup-validate.json", check: validate },
];

fn fingerprint(vector: &Value) -> Outcome {
    let value = &vector["input"]["value"];
    let found = match vector["input"]["kind"].as_str() {
        Some("configuredTrials") => rollup::configured_trial_fingerprint(&typed::<Vec<_>>(value)?),
        Some("observedPopulation") => {
            rollup::observed_population_fingerprint(&typed::<Vec<_>>(value)?)
        }
        _ => rollup::execution_fingerprint(&typed(value)?),
    };
    equal(&found, &vector["expect"])
}

fn parity(vector: &Value) -> Outcome {
    let (a, b): (ScorerRollup, ScorerRollup) =
        (typed(&vector["input"]["a"])?, typed(&vector["input"]["b"])?);
    let key = &vector["input"]["key"];
    let key = key["scorerId"]
        .as_str()
        .map(|scorer_id| ScorerKey { scorer_id, definition_hash: key["definitionHash"].as_str() });
    equal(&rollup::rollup_blockers(&a, &b, key), &vector["expect"])
}

fn validate(vector: &Value) -> Outcome {
    let valid = rollup::validate_rollup(&vector["input"]).is_ok();
    equal(&json!({"valid": valid}), &vector["expect"])
}
