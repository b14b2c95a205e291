//! The scripted provider: rules, references, simulated failures, messages.

use howfar_wire::vocabulary::RefusalKind;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{Script, ScriptedModel};
use crate::conversation::{
    AssistantMessage, ContentPart, Message, ModelRequest, ModelTurn, ToolResult, ToolSpec,
    TrialContext,
};
use crate::error::{ModelError, ModelErrorKind};
use crate::model::Model;

const SUM: &str = r#"
scripts:
  - when: { user: "sum" }
    turns:
      - call: { tool: get-sum, arguments: { a: 2, b: 3 } }
        usage: { input: 10, output: 4 }
      - say: "The sum is ${results.get-sum.json/total}, as ${results.get-sum.text}."
"#;

fn model(text: &str) -> ScriptedModel {
    ScriptedModel::new("demo", Script::parse("demo.script.yaml", text).expect("the script loads"))
}

fn request(prompt: &str) -> ModelRequest {
    ModelRequest {
        system: None,
        messages: vec![Message::User(prompt.to_owned())],
        tools: Vec::new(),
        temperature: None,
        trial: TrialContext { case_id: "case-1".to_owned(), trial: 1, seed: None },
    }
}

fn ask(text: &str, request: &ModelRequest) -> Result<ModelTurn, ModelError> {
    ask_until(text, request, &CancellationToken::new())
}

fn ask_until(
    text: &str,
    request: &ModelRequest,
    cancel: &CancellationToken,
) -> Result<ModelTurn, ModelError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("a runtime can be built");
    runtime.block_on(model(text).respond(request, cancel))
}

fn with_result(mut request: ModelRequest, tool: &str, structured: Option<Value>) -> ModelRequest {
    request.messages.push(Message::Assistant(AssistantMessage::default()));
    request.messages.push(Message::ToolResults(vec![ToolResult {
        call_id: "1".to_owned(),
        tool_name: tool.to_owned(),
        content: vec![ContentPart::Text("five".to_owned())],
        structured,
        is_error: false,
    }]));
    request
}

fn problems(text: &str) -> String {
    Script::parse("demo.script.yaml", text).expect_err("the script has a problem").to_string()
}

#[test]
fn the_first_turn_calls_with_usage() {
    let turn = ask(SUM, &request("please sum")).expect("a turn");
    assert_eq!(turn.tool_calls[0].arguments_text, r#"{"a":2,"b":3}"#);
    assert_eq!(turn.usage.map(|usage| usage.total()), Some(14));
    assert_eq!(turn.finish_reason.as_deref(), Some("tool_calls"));
}

#[test]
fn the_second_turn_refers_to_the_result() {
    let request = with_result(request("sum"), "get-sum", Some(json!({"total": 5})));
    let turn = ask(SUM, &request).expect("a turn");
    assert_eq!(turn.text, "The sum is 5, as five.");
    assert_eq!(turn.usage, None);
}

#[test]
fn a_lone_reference_keeps_its_type() {
    let script = r#"
scripts:
  - turns:
      - say: first
      - call: { tool: double, arguments: { of: "${results.get.json/n}", note: "n=${trial}" } }
"#;
    let request = with_result(request("go"), "get", Some(json!({"n": [1]})));
    let turn = ask(script, &request).expect("a turn");
    assert_eq!(turn.tool_calls[0].arguments_text, r#"{"of":[1],"note":"n=1"}"#);
}

#[test]
fn a_missing_result_names_the_line_and_the_tool() {
    let request = with_result(request("sum"), "other", None);
    let error = ask(SUM, &request).expect_err("nothing to refer to");
    assert_eq!(error.kind, ModelErrorKind::Script);
    assert!(error.message.contains("demo.script.yaml:7"), "{error}");
    assert!(error.message.contains("\"get-sum\""), "{error}");
}

#[test]
fn a_rule_reacts_to_a_changed_description() {
    let script = r#"
scripts:
  - when: { catalog: { tool: find, descriptionContains: "exact" } }
    turns: [{ say: exact }]
  - turns: [{ say: vague }]
"#;
    let tool = |description: &str| ToolSpec {
        name: "find".to_owned(),
        description: Some(description.to_owned()),
        input_schema: json!({}),
    };
    let mut request = request("go");
    request.tools = vec![tool("Finds something")];
    assert_eq!(ask(script, &request).expect("a turn").text, "vague");
    request.tools = vec![tool("Finds the exact row")];
    assert_eq!(ask(script, &request).expect("a turn").text, "exact");
}

#[test]
fn rules_match_prompt_and_trial() {
    let script = r#"
scripts:
  - when: { prompt: 2, trials: [1, 3] }
    turns: [{ say: second }]
  - turns: [{ say: first }]
"#;
    let mut request = request("one");
    assert_eq!(ask(script, &request).expect("a turn").text, "first");
    request.messages.push(Message::Assistant(AssistantMessage::default()));
    request.messages.push(Message::User("two".to_owned()));
    assert_eq!(ask(script, &request).expect("a turn").text, "second");
}

#[test]
fn malformed_arguments_stay_verbatim() {
    let script = r#"{scripts: [{turns: [{call: {tool: t, argumentsText: '{"a":'}}]}]}"#;
    let turn = ask(script, &request("go")).expect("a turn");
    assert_eq!(turn.tool_calls[0].arguments_text, "{\"a\":");
    assert!(turn.tool_calls[0].arguments.is_err());
}

#[test]
fn a_simulated_rate_limit_is_a_refusal() {
    let error = ask("scripts: [{turns: [{error: rateLimited}]}]", &request("go"));
    let error = error.expect_err("the script fails");
    assert_eq!((error.refusal(), error.status), (Some(RefusalKind::RateLimited), Some(429)));
}

#[test]
fn no_matching_rule_names_file_case_and_prompt() {
    let error = ask(SUM, &request("multiply")).expect_err("no rule");
    for part in ["demo.script.yaml", "case-1", "multiply"] {
        assert!(error.message.contains(part), "{error}");
    }
}

#[test]
fn a_script_that_ran_out_says_so() {
    let request = with_result(with_result(request("sum"), "get-sum", None), "get-sum", None);
    let error = ask(SUM, &request).expect_err("only two turns");
    assert!(error.message.contains("turn 3 of prompt 1"), "{error}");
}

#[test]
fn a_cancelled_call_gives_no_turn() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let error = ask_until(SUM, &request("sum"), &cancel);
    assert_eq!(error.expect_err("cancelled").kind, ModelErrorKind::Cancelled);
}

#[test]
fn an_unknown_field_has_line_and_column() {
    let text = "scripts:\n  - turns:\n      - sey: hello\n";
    let shown = problems(text);
    assert!(shown.starts_with("demo.script.yaml:3:"), "{shown}");
    assert!(shown.contains("sey"), "{shown}");
}

#[test]
fn all_impossible_contents_come_at_once() {
    let text = "scripts:\n  - turns: []\n  - turns:\n      - {}\n      - say: \"${result.x}\"\n";
    let shown = problems(text);
    let lines: Vec<_> = shown.lines().map(|line| &line[..20]).collect();
    let expected = ["2:5:", "3:5:", "4:9:", "5:9:"];
    assert_eq!(lines, expected.map(|at| format!("demo.script.yaml:{}", &at[..3])), "{shown}");
}

#[test]
fn an_escaped_reference_is_text() {
    let turn = ask("scripts: [{turns: [{say: 'a $${user} b'}]}]", &request("go"));
    assert_eq!(turn.expect("a turn").text, "a ${user} b");
}

#[test]
fn broken_yaml_has_line_and_column() {
    let shown = problems("scripts:\n  - turns: [{ say: 'open }]\n");
    assert!(shown.starts_with("demo.script.yaml:2:"), "{shown}");
}

#[test]
fn a_duplicate_key_is_refused() {
    let shown = problems("scripts:\n  - turns:\n      - say: a\n        say: b\n");
    assert!(shown.starts_with("demo.script.yaml:4:9: duplicate"), "{shown}");
}

#[test]
fn the_script_of_the_manual_works() {
    let manual = include_str!("../../../../docs/scripted-models.md");
    let (_, rest) = manual.split_once("```yaml\n").expect("the manual holds a script");
    let (script, _) = rest.split_once("```").expect("the script ends");
    let mut request = request("sum");
    let tool = |name: &str, description: &str| ToolSpec {
        name: name.to_owned(),
        description: Some(description.to_owned()),
        input_schema: json!({}),
    };
    request.tools = vec![tool("get-sum", "Adds")];
    assert_eq!(ask(script, &request).expect("a turn").text, "I will add them.");
    request.tools = vec![tool("add", "Gives the sum of two numbers")];
    assert_eq!(ask(script, &request).expect("a turn").text, "I found no tool named get-sum.");
}

#[test]
fn the_message_of_the_manual_is_real() {
    let manual = include_str!("../../../../docs/scripted-models.md");
    let shown = problems("scripts:\n  - turns:\n      - say: a\n      - sey: b\n");
    let shown = shown.replace("demo.", "sum.");
    assert!(manual.contains(&shown), "the manual should show: {shown}");
}
