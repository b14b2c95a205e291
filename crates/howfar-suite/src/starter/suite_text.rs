//! The text of a starter suite: commented YAML, made to be read and changed by hand.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::words::{first_sentence, one_line};
use super::{StarterCase, StarterSuite, Tried};
use crate::write::write_member;

/// The longest comment text on one line, in characters.
const COMMENT_WIDTH: usize = 110;

/// The longest sentence of a description that becomes part of a prompt, in characters.
const SENTENCE_WIDTH: usize = 160;

/// The most tools without a case that are named.
const MAX_LEFT_OUT: usize = 40;

/// What is said of the first prompt.
const PROMPT_HELP: &str = "What a user says. Write it in your users' words; the values of the expected call must be in it.";

/// What is said of the first expected call.
const CALL_HELP: &str =
    "The call that should come of it. Arguments that are left out here may have any value.";

/// What is said at the end of the first case.
const VALUE_HELP: [&str; 2] = [
    "Nothing says yet what the user must read at the end. Write it as a check of `assertions`, for example",
    "  - { type: responseContains, needle: \"…\" }",
];

/// The suite file of a starter suite, in dialect "2". Each case expects the call with its example arguments; further
/// checks are written only where the tried call says that they hold.
pub fn render_starter_suite(suite: &StarterSuite<'_>) -> String {
    let mut out = String::new();
    write_head(&mut out, suite);
    for (at, case) in suite.cases.iter().enumerate() {
        out.push('\n');
        // What to do with a case is said once, at the first.
        write_case(&mut out, case, at == 0);
    }
    write_left_out(&mut out, suite.left_out);
    out
}

fn write_head(out: &mut String, suite: &StarterSuite<'_>) {
    let (server, stem) = (suite.server, suite.stem);
    comment(
        out,
        0,
        &format!(
            "A first suite for the server \"{server}\", written by `howfar init` from its list of tools."
        ),
    );
    let _ = write!(
        out,
        "\
#
#   howfar check {stem}.suite.yaml    is the file right, and which links does it measure?
#   howfar run {stem}.suite.yaml      run it
#
# {stem}.script.yaml plays the model, so a run needs no key and costs nothing. A script always calls the right tool:
# a green run says that the server answers, not that a model finds its way. For that, write a real model below (for
# example anthropic/MODEL or openai/MODEL), export its key, and raise `iterations`.
schemaVersion: \"2\"
mode: agentWorkflow
reportingMode: standard
"
    );
    let name = format!("First suite of {}", one_line(server, 100));
    write_member(out, "suite", &json!({ "id": stem, "name": name }), 0);
    let _ = write!(
        out,
        "target:\n  servers:\n    # How to reach it stands in .mcp.json, under this name.\n"
    );
    out.push_str("    -");
    write_after_dash(out, "name", server);
    out.push_str("defaults:\n");
    write_member(out, "model", &Value::String(format!("scripted/{stem}")), 2);
    out.push_str(
        "  iterations: 1        # trials of each case
  passThreshold: 1     # the fraction of them that must pass
  validity: {}
cases:
",
    );
}

fn write_after_dash(out: &mut String, key: &str, text: &str) {
    let start = out.len();
    write_member(out, key, &Value::String(text.to_owned()), 0);
    out.insert(start, ' ');
}

fn write_case(out: &mut String, case: &StarterCase<'_>, explained: bool) {
    let tool = &case.tool.name;
    let about = case.tool.description.as_deref().unwrap_or("the server describes it with no word");
    comment(out, 2, &format!("{tool}: {about}"));
    comment(out, 2, &tried_words(case.tried));
    out.push_str("  -");
    write_after_dash(out, "id", case.id);
    write_member(out, "title", &Value::String(format!("Calls {}", one_line(tool, 100))), 4);
    if matches!(case.tried, Tried::NoAnswer { .. }) {
        out.push_str("    disabled: true       # remove this line to run the case\n");
    }
    out.push_str("    steps:\n");
    if explained {
        comment(out, 6, PROMPT_HELP);
    }
    out.push_str("      - id: ask\n        kind: prompt\n");
    write_member(out, "prompt", &Value::String(prompt(case)), 8);
    if explained {
        comment(out, 6, CALL_HELP);
    }
    out.push_str("      - id: route\n        kind: assert\n");
    let call = json!({
        "type": "toolCalledWith",
        "toolName": tool,
        "args": { "args": case.arguments },
    });
    write_member(out, "assertion", &call, 8);
    write_checks(out, case);
    if explained {
        VALUE_HELP.iter().for_each(|line| comment(out, 4, line));
    }
}

/// Checks that the tried call says hold, and what to add by hand.
fn write_checks(out: &mut String, case: &StarterCase<'_>) {
    let mut kinds = Vec::new();
    match case.misfit {
        None => kinds.push("argumentsMatchToolSchema"),
        Some(why) => {
            comment(out, 4, &format!("No argumentsMatchToolSchema: {why}"));
        }
    }
    match case.tried {
        Tried::Answered { .. } => kinds.push("noToolErrors"),
        Tried::NotTried { .. } => {
            comment(out, 4, "Once the call is known to work, add: - type: noToolErrors")
        }
        Tried::ToolError { .. } | Tried::CallFailed { .. } | Tried::NoAnswer { .. } => {
            comment(out, 4, "Once the arguments are right, add: - type: noToolErrors");
        }
    }
    if kinds.is_empty() {
        return;
    }
    out.push_str("    assertions:\n");
    for kind in kinds {
        let _ = writeln!(out, "      - type: {kind}");
    }
}

/// What a user could say to get this call: what the tool says it does, and the values.
fn prompt(case: &StarterCase<'_>) -> String {
    let described = case.tool.description.as_deref().unwrap_or_default();
    let sentence = first_sentence(described, SENTENCE_WIDTH);
    let wish = if sentence.is_empty() {
        format!("Use the tool {}", one_line(&case.tool.name, 100))
    } else {
        format!("I need this: {sentence}")
    };
    if case.arguments.is_empty() {
        return format!("{wish}.");
    }
    let value = |(name, value): (&String, &Value)| format!("{name} = {value}");
    let values: Vec<String> = case.arguments.iter().map(value).collect();
    format!("{wish}. Use {}.", values.join(", "))
}

fn tried_words(tried: &Tried) -> String {
    let (fact, said) = match tried {
        Tried::NotTried { why } => {
            return format!("Not tried: {why}. A run does call it.");
        }
        Tried::Answered { .. } => {
            return "Tried once with these arguments: it answered without an error.".to_owned();
        }
        Tried::ToolError { said } => ("it answered with an error", said),
        Tried::CallFailed { said } => ("the call failed", said),
        Tried::NoAnswer { said } => ("no answer came", said),
    };
    format!("Tried once with these arguments: {fact}: {said}")
}

fn write_left_out(out: &mut String, names: &[&str]) {
    if names.is_empty() {
        return;
    }
    out.push('\n');
    comment(
        out,
        0,
        "Tools without a case (howfar init --tool NAME --force writes one for each NAME):",
    );
    for name in names.iter().take(MAX_LEFT_OUT) {
        comment(out, 0, &format!("  {}", one_line(name, 100)));
    }
    if names.len() > MAX_LEFT_OUT {
        comment(out, 0, &format!("  and {} more", names.len() - MAX_LEFT_OUT));
    }
}

/// One comment line; foreign text in it is cut and stays on the line.
fn comment(out: &mut String, indent: usize, text: &str) {
    let lead = text.len() - text.trim_start().len();
    let line = one_line(text, COMMENT_WIDTH);
    let _ = writeln!(out, "{:indent$}# {:lead$}{line}", "", "");
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::super::StarterTool;
    use super::*;
    use crate::{AuthoredSuite, SuiteParse, parse_suite};

    fn tool(name: &str, description: &str) -> StarterTool {
        StarterTool {
            name: name.to_owned(),
            description: Some(description.to_owned()),
            input_schema: Map::new(),
            read_only: None,
            destructive: None,
        }
    }

    fn parsed(
        tool: &StarterTool,
        arguments: Value,
        tried: &Tried,
        misfit: Option<&str>,
    ) -> AuthoredSuite {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let case = StarterCase { id: "one", tool, arguments: &arguments, misfit, tried };
        let suite =
            StarterSuite { server: "it\n", stem: "it", cases: &[case], left_out: &["other"] };
        let text = render_starter_suite(&suite);
        match parse_suite(&text) {
            SuiteParse::Valid { suite, warnings: _ } => *suite,
            SuiteParse::Invalid { findings, .. } => panic!("{findings:#?}\n{text}"),
        }
    }

    fn not_tried() -> Tried {
        Tried::NotTried { why: "nobody asked".to_owned() }
    }

    fn kinds(suite: &AuthoredSuite) -> Vec<&Value> {
        let checks = suite.value()["cases"][0]["assertions"].as_array();
        checks.into_iter().flatten().map(|check| &check["type"]).collect()
    }

    #[test]
    fn checks_state_what_was_seen() {
        let echo = tool("echo", "Echoes.");
        let seen = |tried: Tried, misfit| {
            let suite = parsed(&echo, json!({"a": 1}), &tried, misfit);
            kinds(&suite).into_iter().cloned().collect::<Vec<_>>()
        };
        let answered = || Tried::Answered { has_text: true };
        assert_eq!(seen(answered(), None), ["argumentsMatchToolSchema", "noToolErrors"]);
        assert_eq!(seen(answered(), Some("it has none")), ["noToolErrors"]);
        assert_eq!(seen(not_tried(), None), ["argumentsMatchToolSchema"]);
        let failed = Tried::ToolError { said: "no such file\n# x".to_owned() };
        assert_eq!(seen(failed, None), ["argumentsMatchToolSchema"]);
    }

    #[test]
    fn the_expected_call_has_the_arguments_whatever_is_in_them() {
        let hostile = tool("a: b\n- {c", "x\u{202e}\n\"'#: - [\u{1b}[0m");
        let arguments = json!({"k: \"": ["yes", "12:00", "${results.a.text}", "\u{202e}\u{7}\n"], "n": {"x": [{}]}});
        let suite = parsed(&hostile, arguments.clone(), &not_tried(), Some("it is\n  - odd"));
        let call = &suite.value()["cases"][0]["steps"][1]["assertion"];
        assert_eq!(call["args"]["args"], arguments);
        assert_eq!(call["toolName"], "a: b\n- {c");
    }

    #[test]
    fn a_call_without_an_answer_is_disabled() {
        let suite =
            parsed(&tool("a", "b"), json!({}), &Tried::NoAnswer { said: "late".to_owned() }, None);
        assert_eq!(suite.value()["cases"][0]["disabled"], true);
    }
}
