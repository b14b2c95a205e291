//! Conformance vectors of the suite reader and of the planning rules.

#![expect(clippy::print_stdout, reason = "a count per section is what this target is for")]

mod checks;
mod loader;
mod run_rules;

use std::process::ExitCode;

use howfar_testkit::vectors::{VectorFile, run};
use serde_json::Value;

fn main() -> ExitCode {
    let file = |area, file, check| VectorFile { area, file, check };
    run(
        env!("CARGO_MANIFEST_DIR"),
        &[
            file("suite", "index.json", loader::index),
            file("suite", "run-rules.json", run_rules::sections),
            file("predicates", "authoring-schema.json", checks::authoring),
            file("predicates", "case-envelope.json", checks::envelope),
            file("predicates", "standard-checks.json", checks::suppressed),
        ],
    )
}

/// Checks every vector of a section, prints how many hold, and gives the failures.
fn section(
    file: &str,
    name: &str,
    vectors: &Value,
    check: impl Fn(&Value) -> Result<(), String>,
) -> Vec<String> {
    let vectors = vectors.as_array().map(Vec::as_slice).unwrap_or_default();
    let failures: Vec<String> = vectors
        .iter()
        .filter_map(|vector| check(vector).err().map(|error| format!("{}: {error}", vector["id"])))
        .collect();
    println!("suite/{file}#{name}: {} of {}", vectors.len() - failures.len(), vectors.len());
    failures
}

/// The failures as one error.
fn verdict(failures: &[String]) -> Result<(), String> {
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n    ")) }
}

/// Compares two JSON values.
fn same(found: &Value, expected: &Value) -> Result<(), String> {
    howfar_testkit::json::difference(found, expected).map_or(Ok(()), Err)
}
