//! Whatever a server, a model or a file wrote is text on the page.

use howfar_wire::scorecard::Scorecard;
use howfar_wire::transcript::ToolCall;

use super::*;
use crate::fixture::{check, turn};

const HOSTILE: &str = "</style></details><script>alert(1)</script><img src=x onerror=alert(1)>\u{1b}[31m\u{202e}\" onclick=\"x";

/// A report that has the hostile text wherever a report has foreign text.
fn hostile() -> (RunReport, Kept) {
    let mut trial = broke(Stage::Call, StageReason::ToolError, FailureCategory::ServerData);
    let mut failed = call(HOSTILE, &json!({HOSTILE: HOSTILE}));
    failed.error = Some(HOSTILE.to_owned());
    failed.server_name = Some(HOSTILE.to_owned());
    trial.tool_calls = vec![failed];
    trial.turns = vec![howfar_wire::report::TurnReport {
        missing: vec![ToolCall::new(HOSTILE, json!({HOSTILE: [HOSTILE]}))],
        ..turn()
    }];
    trial.final_message = Some(HOSTILE.to_owned());
    let mut row = check(Stage::Call, HOSTILE, howfar_wire::scorecard::CheckOutcome::Failed);
    row.reason = HOSTILE.to_owned();
    trial.scorecard = Scorecard::new(vec![row]);
    crate::fixture::cite(&mut trial, Stage::Call, &[HOSTILE]);
    let mut report = report(vec![case(HOSTILE, HOSTILE, vec![trial])]);
    report.metadata.suite.name = HOSTILE.to_owned();
    report.metadata.warnings = vec![HOSTILE.to_owned()];
    let server = &mut report.metadata.execution.servers[0];
    server.name = HOSTILE.to_owned();
    server.server_info = Some(HOSTILE.to_owned());
    server.error = Some(HOSTILE.to_owned());
    let mut kept = Kept::default();
    let messages = [json!({"role": HOSTILE, "content": HOSTILE})];
    let mut document: Value =
        serde_json::from_str(&evidence(HOSTILE, 1, &messages, 0.0)).expect("a document");
    document["timeline"][0]["name"] = json!(HOSTILE);
    kept.0.insert((HOSTILE.to_owned(), 1), document.to_string());
    (report, kept)
}

#[test]
fn no_markup_of_others_is_markup_here() {
    let (report, mut kept) = hostile();
    let page = page(&report, &mut kept);
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("\" onclick"));
    assert!(!page.contains('\u{1b}') && !page.contains('\u{202e}'));
    assert_eq!(page.matches("</style>").count(), 1);
    assert!(page.matches("&#60;script&#62;").count() > 12, "the text is there to be read");
}

#[test]
fn only_parts_and_the_stylesheet_are_trusted() {
    // What a template marks safe is another template, the stylesheet, or text that a part has escaped.
    let trusted = [
        "arguments",
        "raw",
        "call.arguments()",
        "error",
        "mismatch.expected",
        "mismatch.actual",
        "card.mark",
        "row.outcome",
        "text",
        "input",
        "value",
        "style",
        "decided",
        "measured",
        "broke",
        "evidence",
        "next",
        "notes",
        "mini",
        "record.strip",
        "detail",
        "record.body",
        "chain",
        "calls",
        "friction",
        "scorecard",
        "funnel",
        "matrix",
        "row.verdict",
        "row.error",
        "row.cells",
        "servers",
        "story.view()",
        "verdict",
    ];
    for (name, template) in templates() {
        for marked in template.split("{{").skip(1).filter_map(|rest| rest.split("}}").next()) {
            if let Some(expression) = marked.trim().strip_suffix("|safe") {
                assert!(trusted.contains(&expression), "{name}: {expression}");
            }
        }
    }
}

/// Every template of the page.
fn templates() -> Vec<(&'static str, &'static str)> {
    macro_rules! files { ($($name:literal),+ $(,)?) => { vec![$(($name, include_str!(concat!("../", $name)))),+] } }
    files![
        "page.html",
        "story.html",
        "detail.html",
        "component/calls.html",
        "component/chain.html",
        "component/friction.html",
        "component/funnel.html",
        "component/messages.html",
        "component/scorecard.html",
        "component/servers.html",
        "component/text.html",
        "component/timeline.html",
        "section/broke.html",
        "section/decided.html",
        "section/evidence.html",
        "section/matrix.html",
        "section/measured.html",
        "section/next.html",
        "section/notes.html",
    ]
}
