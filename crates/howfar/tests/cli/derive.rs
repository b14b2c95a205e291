use howfar_testkit::home::Home;
use serde_json::json;

use crate::support::howfar;

const INPUT: &str = r#"{"authored":{"mode":"model_driven","expectsToolCall":true},"evidence":{"prompts":[{"promptIndex":0,"expectedToolCalls":[{"toolName":"a"}],"missing":[{"toolName":"a"}],"passed":false}]},"iteration":{"status":"completed"}}"#;

#[test]
fn each_line_in_is_a_line_out() {
    let home = Home::new();
    let output = home.invoke(howfar()).args(["derive"]).stdin(&format!("{INPUT}\n{INPUT}\n")).run();
    let lines: Vec<_> = output.stdout.lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(
        lines[0].contains(r#""firstFailedStage":"selection","failureCategory":"selection""#),
        "{}",
        lines[0]
    );
}

#[test]
fn a_document_that_is_no_evidence_is_named_by_its_line() {
    let home = Home::new();
    let output =
        home.invoke(howfar()).args(["derive"]).stdin(&format!("{INPUT}\n{{\"a\":1}}\n")).run();
    assert_eq!(output.code, Some(2));
    assert_eq!(output.stdout.lines().count(), 1);
    assert!(
        output.stderr.contains("stdin, line 2 is not an evidence document"),
        "{}",
        output.stderr
    );
}

#[test]
fn evidence_of_a_run_derives_to_its_rows() {
    let home = Home::new();
    assert_eq!(home.invoke(howfar()).args(["demo", "--write", "shop"]).run().code, Some(0));
    let server = format!("\"{}\" demo-server", howfar().display());
    let args = ["run", "shop/shop.suite.yaml", "--command", &server, "--evidence", "trials.jsonl"];
    let report = home.invoke(howfar()).args(args).run().json();
    let derived = home.invoke(howfar()).args(["derive", "trials.jsonl"]).run();
    let first: serde_json::Value =
        serde_json::from_str(derived.stdout.lines().next().unwrap_or_default())
            .expect("a derivation");
    assert_eq!(derived.stdout.lines().count(), 30);
    assert_eq!(
        first["stageResults"],
        report["cases"][0]["details"]["iterations"][0]["stageResults"]
    );
}

#[test]
fn every_document_of_a_run_comes_from_its_evidence() {
    let home = Home::new();
    assert_eq!(home.invoke(howfar()).args(["demo", "--write", "shop"]).run().code, Some(0));
    let server = format!("\"{}\" demo-server", howfar().display());
    let args = ["run", "shop/shop.suite.yaml", "--command", &server, "--evidence", "trials.jsonl"];
    let report = home.invoke(howfar()).args(args).run().json();
    let output = home.invoke(howfar()).args(["derive", "--all", "trials.jsonl"]).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    let documents = output.json();
    assert_eq!(documents["refused"], json!([]));
    assert_eq!(documents["decision"], report["metadata"]["decision"]);
    assert_eq!(documents["stageAnalytics"]["slices"], report["analytics"]["slices"]);
    assert_eq!(documents["friction"], report["friction"]);
    let summary = &documents["decisionSummary"];
    assert_eq!(
        (summary["verdict"].as_str(), summary["diagnostics"]["complete"].as_bool()),
        (Some("failed"), Some(true))
    );
    assert_eq!(summary["diagnostics"]["items"].as_array().map(Vec::len), Some(24));
    let stored = home.invoke(howfar()).args(["derive", "--all", "--run", "latest"]).run().json();
    assert_eq!(stored["decisionSummary"], documents["decisionSummary"]);
    // Evidence does not state what its checks were; a stored run does.
    assert_eq!(documents.get("scorerRollup"), None);
    let rollup = &stored["scorerRollup"];
    assert_eq!((&rollup["scoreIntegrity"], &stored["refused"]), (&json!("valid"), &json!([])));
    let entries = rollup["entries"].as_array().into_iter().flatten();
    let mut matched = entries.filter(|entry| entry["scorerId"] == "tool-match");
    assert!(matched.any(|entry| entry["countable"] == 6 && entry["passRate"] == 1.0));
}
