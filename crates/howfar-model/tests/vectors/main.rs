//! Conformance vectors of the refusal rule. The file is shared with other areas; only its section `refusal` is read here.

use std::process::ExitCode;

use howfar_model::classify_refusal;
use howfar_testkit::vectors::{VectorFile, run};
use serde_json::{Value, json};

fn main() -> ExitCode {
    let files = [VectorFile { area: "suite", file: "run-rules.json", check: check_refusals }];
    run(env!("CARGO_MANIFEST_DIR"), &files)
}

fn check_refusals(document: &Value) -> Result<(), String> {
    let vectors = document["refusal"].as_array().ok_or("the file has no section refusal")?;
    let differing: Vec<String> = vectors.iter().filter_map(|v| check_refusal(v).err()).collect();
    if differing.is_empty() { Ok(()) } else { Err(differing.join("; ")) }
}

fn check_refusal(vector: &Value) -> Result<(), String> {
    let status = vector["input"]["status"].as_u64().and_then(|status| u16::try_from(status).ok());
    let body = vector["input"]["body"].as_str().unwrap_or_default();
    let kind = classify_refusal(status, body);
    let stops_run = kind.is_some_and(|kind| kind.stops_run());
    let actual = json!({"kind": kind, "stopsRun": stops_run});
    match howfar_testkit::json::difference(&actual, &vector["expect"]) {
        None => Ok(()),
        Some(difference) => Err(format!("{}: {difference}", vector["id"])),
    }
}
