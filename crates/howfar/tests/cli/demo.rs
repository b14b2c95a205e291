use howfar_testkit::home::Home;
use serde_json::Value;

use crate::support::{howfar, stage};

#[test]
fn tells_the_story_and_exits_0() {
    let output = Home::new().invoke(howfar()).args(["demo"]).run();
    assert_eq!(output.code, Some(0), "{}", output.stderr);
    for part in [
        "What was decided",
        "How much was measured",
        "Where the chain broke",
        "because   an expected tool call was never made",
        "review tool selection and the tool catalog",
        "on purpose",
    ] {
        assert!(output.stdout.contains(part), "no {part:?} in\n{}", output.stdout);
    }
}

#[test]
fn every_link_breaks_once() {
    let output = Home::new().invoke(howfar()).args(["demo", "--format", "json"]).run();
    let document = output.json();
    let first_failed = |run: usize, case: usize| {
        document["runs"][run]["cases"][case]["details"]["iterations"][0]["firstFailedStage"].clone()
    };
    let stages: Vec<_> = (0..5).map(|case| first_failed(0, case)).collect();
    assert_eq!(
        stages,
        [Value::Null, "selection".into(), "call".into(), "response".into(), "userValue".into()]
    );
    assert_eq!(first_failed(1, 0), "connection");
    assert_eq!(first_failed(2, 0), "discovery");
}

#[test]
fn what_was_measured_after_a_break_stays_measured() {
    let output = Home::new().invoke(howfar()).args(["demo", "--format", "json"]).run();
    let document = output.json();
    let refund = &document["runs"][0]["cases"][1]["details"]["iterations"][0];
    assert_eq!(stage(refund, 2), ("failed", "missingToolCall"));
    assert_eq!(stage(refund, 4), ("passed", "observed"));
}

#[test]
fn written_files_run_as_the_text_says() {
    let home = Home::new();
    let written = home.invoke(howfar()).args(["demo", "--write", "shop"]).run();
    assert_eq!(written.code, Some(0), "{}", written.stderr);
    let server = format!("\"{}\" demo-server", howfar().display());
    let output =
        home.invoke(howfar()).args(["run", "shop/shop.suite.yaml", "--command", &server]).run();
    assert_eq!(output.code, Some(1), "{}", output.stderr);
    assert_eq!(output.json()["summary"]["passed"], 1);
}
