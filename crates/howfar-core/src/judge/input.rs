//! What a judge reads of one trial, before redaction (suite and runner, section C2, "Input").

use howfar_wire::canon;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::judge::RubricSource;
use howfar_wire::scorecard::Role;
use howfar_wire::suite::Rubric;
use howfar_wire::vocabulary::IterationStatus;
use serde_json::{Map, Value, json};

/// The version of the evidence block.
pub const EVIDENCE_VERSION: u32 = 1;

/// How a case is judged.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalSettings {
    /// Whether a low score fails the trial.
    pub role: Role,
    /// The score that passes, a fraction.
    pub threshold: f64,
    /// The suite's rubric.
    pub rubric: Option<Rubric>,
}

/// What a judge reads of one trial.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalInput {
    /// The case's declared id; never redacted.
    pub case_key: String,
    /// The trial's name; never redacted.
    pub grading_key: String,
    /// The case's title.
    pub title: String,
    /// What the user asked, turn by turn.
    pub query: String,
    /// The expected output, when it says something.
    pub expected_output: Option<String>,
    /// The calls that the case expects, when it expects some.
    pub expected_route: Option<Value>,
    /// What it is graded against; `None` for the request alone.
    pub rubric_source: Option<RubricSource>,
    /// Whether the case passes only when no tool is called.
    pub is_negative_test: bool,
    /// The suite's rubric.
    pub suite_rubric: Option<Rubric>,
    /// The record.
    pub evidence: RecordedEvidence,
}

/// The record of one trial.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedEvidence {
    /// [`EVIDENCE_VERSION`].
    pub version: u32,
    /// Whether the trace holds all that happened.
    pub trace_complete: bool,
    /// What happened; `None` without a record.
    pub trace: Option<Map<String, Value>>,
    /// Every tool on offer, called or not.
    pub tool_definitions: Option<Value>,
    /// What surrounded the trial.
    pub context: Option<Value>,
    /// Recorded media.
    pub artifacts: Vec<Artifact>,
    /// What was seen and not recorded.
    pub uncaptured: Vec<String>,
    /// What should be there and is not; with an entry nothing is graded.
    pub unavailable: Vec<String>,
}

/// One recorded piece of media.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// Where it comes from.
    pub source_id: String,
    /// `image`, `audio`, …
    pub modality: String,
    /// Its media type.
    pub media_type: String,
    /// The recorded bytes in base64. Nothing is ever fetched.
    pub data: String,
}

impl GoalInput {
    /// Whether there is something to grade against beside the request and the route.
    pub fn has_rubric(&self) -> bool {
        let expected = self.expected_output.as_deref();
        howfar_suite::plan::has_rubric(expected, self.suite_rubric.as_ref())
    }
}

/// What a judge reads of a trial. The results of other graders are left out: they have no authority.
pub fn goal_input(evidence: &TrialEvidence<'_>, settings: &GoalSettings) -> GoalInput {
    let expected_output = evidence.case.get("expectedOutput").and_then(Value::as_str);
    let expected_output = expected_output.filter(|text| !canon::is_blank(text)).map(str::to_owned);
    let is_negative_test = evidence.authored.is_negative_test == Some(true);
    let expected_route = expected_route(evidence);
    let suite_rubric = settings.rubric.clone();
    let criteria = suite_rubric.as_ref().is_some_and(|rubric| !rubric.criteria.is_empty());
    let rubric_source = if expected_output.is_some() {
        Some(RubricSource::ExpectedOutput)
    } else if expected_route.is_some() || is_negative_test {
        Some(RubricSource::Assertions)
    } else {
        criteria.then_some(RubricSource::SuiteCriteria)
    };
    GoalInput {
        case_key: evidence.case_id.clone(),
        grading_key: format!("{}#{}", evidence.case_id, evidence.iteration_number),
        title: evidence.title.clone(),
        query: query(evidence),
        expected_output,
        expected_route,
        rubric_source,
        is_negative_test,
        suite_rubric,
        evidence: recorded(evidence),
    }
}

/// The prompts of the case; numbered when there are several.
fn query(evidence: &TrialEvidence<'_>) -> String {
    let steps = evidence.case.get("steps").and_then(Value::as_array);
    let prompts = steps.into_iter().flatten().filter_map(|step| {
        let is_prompt = step.get("kind").and_then(Value::as_str) == Some("prompt");
        step.get("prompt").and_then(Value::as_str).filter(|_| is_prompt)
    });
    let prompts: Vec<&str> = prompts.collect();
    if let [only] = prompts.as_slice() {
        return (*only).to_owned();
    }
    let turn = |(at, prompt): (usize, &&str)| format!("Turn {}: {prompt}", at + 1);
    prompts.iter().enumerate().map(turn).collect::<Vec<_>>().join("\n")
}

fn expected_route(evidence: &TrialEvidence<'_>) -> Option<Value> {
    let prompts = &evidence.evidence.prompts;
    let expected = prompts.iter().enumerate().filter(|(_, it)| !it.expected_tool_calls.is_empty());
    let turn = |(at, prompt): (usize, &howfar_wire::chain::PromptRecord<Value>)| json!({ "turn": at + 1, "calls": prompt.expected_tool_calls });
    let turns: Vec<Value> = expected.map(turn).collect();
    (!turns.is_empty()).then(|| Value::Array(turns))
}

fn recorded(evidence: &TrialEvidence<'_>) -> RecordedEvidence {
    let unavailable = unavailable(evidence);
    let inventory = evidence.transcript.tool_inventory.as_ref();
    RecordedEvidence {
        version: EVIDENCE_VERSION,
        trace_complete: evidence.iteration.status == IterationStatus::Completed
            && unavailable.is_empty(),
        trace: (!evidence.messages.is_empty()).then(|| trace(evidence)),
        tool_definitions: inventory.and_then(|tools| serde_json::to_value(tools).ok()),
        context: None,
        artifacts: Vec::new(),
        uncaptured: uncaptured(&evidence.messages),
        unavailable,
    }
}

fn trace(evidence: &TrialEvidence<'_>) -> Map<String, Value> {
    let span = |span: &howfar_wire::evidence::TimelineSpan| {
        json!({
            "name": span.name,
            "category": span.category,
            "status": span.status,
            "turn": span.prompt_index.map(|at| at + 1),
            "toolCallId": span.tool_call_id,
            "mcpErrorCode": span.mcp_error_code,
        })
    };
    let mut trace = Map::new();
    trace.insert("messages".into(), Value::Array(evidence.messages.clone()));
    trace.insert("spans".into(), evidence.timeline.iter().map(span).collect());
    if !evidence.transcript.errors().is_empty() {
        trace.insert("toolErrors".into(), json!(evidence.transcript.errors()));
    }
    if !evidence.policy_blocks.is_empty() {
        trace.insert("blockedCalls".into(), json!(evidence.policy_blocks));
    }
    trace
}

/// Calls of the model that no result answers: then the record is not all that happened.
fn unavailable(evidence: &TrialEvidence<'_>) -> Vec<String> {
    let answered: Vec<&str> = parts(&evidence.messages, "tool-result")
        .filter_map(|part| part.get("toolCallId").and_then(Value::as_str))
        .collect();
    let calls = parts(&evidence.messages, "tool-call")
        .filter_map(|part| part.get("toolCallId").and_then(Value::as_str));
    let mut missing: Vec<String> =
        calls.filter(|id| !answered.contains(id)).map(|id| format!("the result of {id}")).collect();
    if evidence.evidence.trace_absent {
        missing.push("the trace".to_owned());
    }
    missing
}

/// Media that a result named by type and size only.
fn uncaptured(messages: &[Value]) -> Vec<String> {
    let mut found = Vec::new();
    for part in parts(messages, "tool-result") {
        let tool = part.get("toolName").and_then(Value::as_str).unwrap_or_default();
        let text = part.pointer("/output/value").and_then(Value::as_str).unwrap_or_default();
        let media = text.lines().filter_map(|line| {
            let inside = line.strip_prefix('[')?.strip_suffix(" base64 characters]")?;
            let (media_type, size) = inside.split_once(", ")?;
            let known = media_type.contains('/') && size.bytes().all(|b| b.is_ascii_digit());
            known.then(|| format!("{media_type} from {tool}"))
        });
        found.extend(media);
    }
    found
}

/// The parts of a type in all messages, in order.
fn parts<'a>(messages: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    let contents = messages.iter().filter_map(|message| message.get("content"));
    contents
        .filter_map(Value::as_array)
        .flatten()
        .filter(move |part| part.get("type").and_then(Value::as_str) == Some(kind))
}
