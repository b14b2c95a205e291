//! The reader: accepted files with their digests and resolved values, refused files with their findings.

use std::path::PathBuf;

use howfar_suite::{ResolvedCase, SuiteParse, parse_suite_bytes, resolve, source_hash};
use howfar_testkit::vectors::VECTORS_VARIABLE;
use howfar_wire::finding::Finding;
use serde_json::{Map, Value, json};

use crate::{same, section, verdict};

pub(crate) fn index(index: &Value) -> Result<(), String> {
    let mut failures = section("index", "vectors", &index["vectors"], file_vector);
    failures.extend(section("index", "synthetic", &index["synthetic"], synthetic));
    verdict(&failures)
}

fn file_vector(row: &Value) -> Result<(), String> {
    let bytes = bytes_of(row["file"].as_str().unwrap_or_default())?;
    if let Some(expected) = row.get("sourceSha256") {
        same(&json!(source_hash(&bytes)), expected)?;
    }
    let parse = parse_suite_bytes(&bytes).map_err(|error| error.to_string())?;
    outcome(&parse, row)
}

fn outcome(parse: &SuiteParse, row: &Value) -> Result<(), String> {
    match (parse.suite(), row["outcome"].as_str()) {
        (Some(_), Some("accepted")) => accepted(parse, row),
        (None, Some("rejected")) => rejected(parse, row),
        (Some(_), _) => Err("accepted".to_owned()),
        (None, _) => Err(format!("refused: {:?}", parse.findings())),
    }
}

fn accepted(parse: &SuiteParse, row: &Value) -> Result<(), String> {
    let Some(suite) = parse.suite() else { return Err("refused".to_owned()) };
    if let Some(expected) = row.get("canonicalSha256") {
        same(&json!(suite.digest()), expected)?;
    }
    if let Some(expected) = row.get("resolved") {
        let resolved = resolve(suite);
        let enabled: Vec<_> = resolved.enabled_cases().map(|case| json!(case.id)).collect();
        let validity = resolved.defaults.validity;
        let found = json!({
            "schemaVersion": resolved.dialect,
            "suiteId": resolved.suite.id,
            "iterations": resolved.defaults.iterations,
            "passThreshold": resolved.defaults.pass_threshold,
            "captureLevel": "full",
            "validity": {
                "coverage": validity.coverage,
                "minCompletionRate": validity.min_completion_rate,
                "maxEvaluatorErrorRate": validity.max_evaluator_error_rate,
            },
            "cases": resolved.cases.iter().map(case_row).collect::<Vec<_>>(),
            "enabledCaseIds": enabled,
        });
        same(&found, expected)?;
    }
    let written = howfar_suite::write_suite(suite);
    let again = howfar_suite::parse_suite(&written);
    if again.suite().map(howfar_suite::AuthoredSuite::value) != Some(suite.value()) {
        return Err(format!("writing it back gives another suite: {:?}", again.findings()));
    }
    wanted_warnings(parse, row)
}

fn wanted_warnings(parse: &SuiteParse, row: &Value) -> Result<(), String> {
    let Some(wanted) = row["wantedWarnings"].as_array() else { return Ok(()) };
    let found: Vec<Value> = parse
        .warnings()
        .iter()
        .map(|warning| {
            let mut row =
                json!({"path": warning.path, "class": warning.class, "pointer": warning.pointer});
            if !warning.keys.is_empty() {
                row["keys"] = json!(warning.keys);
            }
            row
        })
        .collect();
    same(&json!(found), &json!(wanted))
}

fn rejected(parse: &SuiteParse, row: &Value) -> Result<(), String> {
    let SuiteParse::Invalid { stage, findings, warnings: _ } = parse else {
        return Err("accepted".to_owned());
    };
    same(&json!(stage), &row["stage"])?;
    if let Some(code) = row.get("code") {
        findings.iter().try_for_each(|finding| same(&json!(finding.code), code))?;
    }
    if let Some(class) = row.get("class") {
        findings.iter().try_for_each(|finding| same(&json!(finding.class), class))?;
    }
    if row["match"] == "within" {
        return within(findings, row);
    }
    let Some(expected) = row["findings"].as_array() else { return Ok(()) };
    let found: Vec<Value> = findings
        .iter()
        .zip(expected.iter().chain(std::iter::repeat(&Value::Null)))
        .map(finding_row)
        .collect();
    same(&json!(found), &json!(expected))
}

fn within(findings: &[Finding], row: &Value) -> Result<(), String> {
    let empty = Vec::new();
    let prefix = row["path"].as_array().unwrap_or(&empty);
    let classes = row["classes"].as_array().unwrap_or(&empty);
    let fits = |finding: &&Finding| {
        let path = json!(finding.path);
        let path = path.as_array().map(Vec::as_slice).unwrap_or_default();
        path.starts_with(prefix) && classes.contains(&json!(finding.class))
    };
    let Some(finding) = findings.iter().find(fits) else {
        return Err(format!("no finding fits: {findings:?}"));
    };
    row.get("keys").map_or(Ok(()), |keys| same(&json!(finding.keys), keys))
}

/// A finding with the members that the expectation names.
fn finding_row((finding, expected): (&Finding, &Value)) -> Value {
    let mut row = Map::new();
    row.insert("path".to_owned(), json!(finding.path));
    row.insert("class".to_owned(), json!(finding.class));
    if expected.get("pointer").is_some() {
        row.insert("pointer".to_owned(), json!(finding.pointer));
    }
    if !finding.keys.is_empty() {
        row.insert("keys".to_owned(), json!(finding.keys));
    }
    Value::Object(row)
}

fn case_row(case: &ResolvedCase) -> Value {
    let mut row = json!({
        "id": case.id,
        "stepKinds": case.steps.iter().map(howfar_wire::suite::Step::kind).collect::<Vec<_>>(),
        "assertionCount": case.assertions.len(),
        "isNegativeTest": case.is_negative_test,
        "model": case.model,
        "iterations": case.iterations,
        "passThreshold": case.pass_threshold,
        "disabled": case.disabled,
    });
    let optional = [
        ("intent", json!(case.intent)),
        ("kind", json!(case.kind)),
        ("provider", json!(case.provider)),
    ];
    for (key, value) in optional {
        if !value.is_null() {
            row[key] = value;
        }
    }
    row
}

/// Files that are described instead of stored.
fn synthetic(row: &Value) -> Result<(), String> {
    let base = row["base"].as_str().unwrap_or("files/ok-minimal-v2.yaml");
    let mut bytes = bytes_of(base)?;
    let id = row["id"].as_str().unwrap_or_default();
    if let Some(total) = row["totalBytes"].as_u64() {
        pad(&mut bytes, usize::try_from(total).map_err(|error| error.to_string())?);
    } else if id.ends_with("byte-order-mark") {
        bytes.splice(0..0, [0xef, 0xbb, 0xbf]);
    } else if id.ends_with("invalid-utf8") {
        let at = find(&bytes, b"title: ")? + 7;
        bytes.splice(at..at, [0xc3, 0x28]);
        return if parse_suite_bytes(&bytes).is_err() { Ok(()) } else { Err("decoded".to_owned()) };
    } else {
        let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        bytes = changed_suite(&text, row, id)?.to_string().into_bytes();
    }
    let parse = parse_suite_bytes(&bytes).map_err(|error| error.to_string())?;
    outcome(&parse, row)
}

fn changed_suite(text: &str, row: &Value, id: &str) -> Result<Value, String> {
    let parse = howfar_suite::parse_suite(text);
    let mut suite = parse.suite().ok_or("the base is invalid")?.value().clone();
    if let Some(count) = row["repeatCase"]["count"].as_u64() {
        let pattern = row["repeatCase"]["idPattern"].as_str().unwrap_or_default();
        let case = suite["cases"][0].clone();
        let copy = |n: u64| {
            let mut case = case.clone();
            case["id"] = json!(pattern.replace("{n}", &n.to_string()));
            case
        };
        suite["cases"] = (1..=count).map(copy).collect();
    } else if let Some(step) = row.get("step") {
        let mut step = step.clone();
        let told = step["arguments"]["x"].as_str().unwrap_or_default();
        let count = told.split(' ').find_map(|word| word.parse().ok()).ok_or("no count")?;
        step["arguments"]["x"] = json!("a".repeat(count));
        suite["cases"][0]["steps"].as_array_mut().ok_or("no steps")?.push(step);
    } else if let Some(count) = told_number(id, "syn-steps-") {
        let step = |n: usize| json!({"id": format!("s{n}"), "kind": "prompt", "prompt": "x"});
        suite["cases"][0]["steps"] = (0..count).map(step).collect();
    } else if id == "syn-title-200-emoji" {
        suite["cases"][0]["title"] = json!("\u{1f600}".repeat(101));
        if howfar_suite::parse_suite(&suite.to_string()).suite().is_some() {
            return Err("101 characters of two units are accepted".to_owned());
        }
        suite["cases"][0]["title"] = json!("\u{1f600}".repeat(100));
    } else {
        return Err("nobody knows how to make this file".to_owned());
    }
    Ok(suite)
}

fn told_number(id: &str, prefix: &str) -> Option<usize> {
    id.strip_prefix(prefix)?.parse().ok()
}

fn pad(bytes: &mut Vec<u8>, total: usize) {
    bytes.push(b'#');
    bytes.resize(total - 1, b'x');
    bytes.push(b'\n');
}

fn find(bytes: &[u8], needle: &[u8]) -> Result<usize, String> {
    bytes.windows(needle.len()).position(|it| it == needle).ok_or_else(|| "no such text".to_owned())
}

/// A vector's file: of this crate if it has one of that name, else of the larger set.
fn bytes_of(file: &str) -> Result<Vec<u8>, String> {
    let own = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("vectors/suite").join(file);
    let larger =
        std::env::var_os(VECTORS_VARIABLE).map(|root| PathBuf::from(root).join("suite").join(file));
    let path = if own.is_file() { own } else { larger.unwrap_or(own) };
    std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
}
