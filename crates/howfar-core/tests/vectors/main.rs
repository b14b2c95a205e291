//! Conformance vectors of the pure part, one module per area.

mod chain;
mod friction;
mod gates;
mod judges;
mod predicates;
mod rollups;
mod run;
mod scores;
mod suite_gates;

use std::process::ExitCode;

use howfar_testkit::json::difference;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What checking one vector gives: nothing, or how the result differs.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let files = [
        chain::FILES,
        friction::FILES,
        gates::FILES,
        judges::FILES,
        predicates::FILES,
        rollups::FILES,
        run::FILES,
        scores::FILES,
        suite_gates::FILES,
    ]
    .concat();
    howfar_testkit::vectors::run(env!("CARGO_MANIFEST_DIR"), &files)
}

/// The document equals the expectation, byte for byte in compact JSON.
fn same(found: &impl Serialize, expected: &Value) -> Outcome {
    let text = serde_json::to_string(found).map_err(|error| error.to_string())?;
    let found = typed(&serde_json::from_str(&text).map_err(|error| error.to_string())?)?;
    if let Some(difference) = difference(&found, expected) {
        return Err(difference);
    }
    let expected = expected.to_string();
    if text == expected { Ok(()) } else { Err(format!("{text} is not byte for byte {expected}")) }
}

/// The document equals the expectation as a JSON value.
fn equal(found: &impl Serialize, expected: &Value) -> Outcome {
    let found = serde_json::to_value(found).map_err(|error| error.to_string())?;
    difference(&found, expected).map_or(Ok(()), Err)
}

/// The vector's part as a typed value.
fn typed<T: DeserializeOwned>(value: &Value) -> Result<T, String> {
    serde_json::from_value(value.clone()).map_err(|error| error.to_string())
}
