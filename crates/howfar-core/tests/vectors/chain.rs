//! Vectors of the stage derivation.

use howfar_core::chain;
use howfar_testkit::json::difference;
use howfar_testkit::vectors::VectorFile;
use howfar_wire::chain::StageInput;
use serde_json::Value;

const AREA: &str = "derivation";

pub(crate) const FILES: &[VectorFile] = &[
    VectorFile { area: AREA, file: "derive-cases.json", check: derive },
    VectorFile { area: AREA, file: "random-derive.jsonl", check: derive },
];

fn derive(vector: &Value) -> Result<(), String> {
    let text = vector["input"].to_string();
    let input: StageInput<'_> = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    same(&chain::derive_stages(&input), &vector["expect"])
}

/// The document equals the expectation, keys in the same order too.
fn same(found: &impl serde::Serialize, expected: &Value) -> Result<(), String> {
    let text = serde_json::to_string(found).map_err(|error| error.to_string())?;
    let found: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    if let Some(difference) = difference(&found, expected) {
        return Err(difference);
    }
    let expected = expected.to_string();
    if text == expected { Ok(()) } else { Err(format!("{text} is not byte for byte {expected}")) }
}
