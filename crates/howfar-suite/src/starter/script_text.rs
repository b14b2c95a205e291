//! The text of the script that plays the model of a starter suite.

use std::fmt::Write as _;

use serde_json::Value;

use super::{StarterCase, StarterSuite, Tried};
use crate::write::shows;

/// The script of `scripted/STEM`: for each case its expected call, then an answer made from the result.
pub fn render_starter_script(suite: &StarterSuite<'_>) -> String {
    let stem = suite.stem;
    let mut out = format!(
        "\
# Plays the model `scripted/{stem}` of {stem}.suite.yaml: the first rule whose `when` holds answers.
# It also reacts to results and to the catalog: see docs/scripted-models.md.
scripts:
"
    );
    for case in suite.cases {
        write_rule(&mut out, case);
    }
    out
}

fn write_rule(out: &mut String, case: &StarterCase<'_>) {
    let tool = Value::String(case.tool.name.clone());
    let mut arguments = Value::Object(case.arguments.clone());
    escape_references(&mut arguments);
    let _ = writeln!(out, "  - when: {{ case: {} }}", quoted(case.id));
    let _ = writeln!(out, "    turns:");
    let _ =
        writeln!(out, "      - call: {{ tool: {}, arguments: {} }}", flow(&tool), flow(&arguments));
    let _ = writeln!(out, "      - say: {}", quoted(&answer(case)));
}

/// What the script says when the result is there. A result without text cannot be quoted.
fn answer(case: &StarterCase<'_>) -> String {
    let name = &case.tool.name;
    let quotable = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    match case.tried {
        Tried::Answered { has_text: true } if quotable => {
            format!("The server says: ${{results.{name}.text}}")
        }
        Tried::Answered { .. }
        | Tried::NotTried { .. }
        | Tried::ToolError { .. }
        | Tried::CallFailed { .. }
        | Tried::NoAnswer { .. } => "The server was asked.".to_owned(),
    }
}

/// `${` in an argument is meant as it stands, not as a reference.
fn escape_references(value: &mut Value) {
    match value {
        Value::String(text) => *text = text.replace("${", "$${"),
        Value::Array(items) => items.iter_mut().for_each(escape_references),
        Value::Object(members) => members.values_mut().for_each(escape_references),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn quoted(text: &str) -> String {
    flow(&Value::String(text.to_owned()))
}

/// JSON on one line, which is YAML too; characters that do not show are written as escapes.
fn flow(value: &Value) -> String {
    let mut out = String::new();
    for c in value.to_string().chars() {
        if shows(c) {
            out.push(c);
        } else {
            // Characters beyond the first plane all count as shown, so four digits are enough.
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::super::StarterTool;
    use super::*;

    fn check(name: &str, arguments: Value, tried: &Tried, expected: &str) {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let (description, input_schema) = (None, Map::new());
        let (read_only, destructive) = (None, None);
        let tool = StarterTool {
            name: name.to_owned(),
            description,
            input_schema,
            read_only,
            destructive,
        };
        let case =
            StarterCase { id: "one", tool: &tool, arguments: &arguments, misfit: None, tried };
        let text = render_starter_script(&StarterSuite {
            server: "s",
            stem: "s",
            cases: &[case],
            left_out: &[],
        });
        let rule = text.split_once("turns:\n").map(|(_, rule)| rule);
        assert_eq!(rule, Some(expected));
    }

    #[test]
    fn a_rule_calls_and_quotes_the_result() {
        check(
            "echo",
            json!({"message": "hello"}),
            &Tried::Answered { has_text: true },
            "      - call: { tool: \"echo\", arguments: {\"message\":\"hello\"} }\n      \
             - say: \"The server says: ${results.echo.text}\"\n",
        );
    }

    #[test]
    fn references_and_hidden_characters_are_escaped() {
        check(
            "a.b",
            json!({"x": "${user}\u{202e}"}),
            &Tried::Answered { has_text: true },
            "      - call: { tool: \"a.b\", arguments: {\"x\":\"$${user}\\u202e\"} }\n      \
             - say: \"The server was asked.\"\n",
        );
    }
}
