//! `defaults`, with validity, tool policy and judge (suite and runner, sections A4 and A5).

use howfar_wire::vocabulary::{Dialect, FindingClass};
use serde_json::{Map, Value};

use super::file::is_id_byte;
use super::shape::{Format, ListRule, ObjectRule, Shape, TextRule, WordRule, optional, required};
use super::walk::Checker;
use crate::yaml::Child;

/// How often a case is tried.
pub(super) const TRIALS: Shape = Shape::Whole { min: 1.0, max: 100.0 };

pub(super) static DEFAULTS: ObjectRule = ObjectRule::closed(
    "`defaults`",
    &[
        required("model", Shape::NAME),
        optional("provider", Shape::NAME),
        optional("systemPrompt", Shape::ANY_TEXT),
        optional("temperature", Shape::Number { min: f64::NEG_INFINITY, max: f64::INFINITY }),
        required("iterations", TRIALS).only_in(Dialect::Two, "repetitions"),
        required("repetitions", TRIALS).only_in(Dialect::One, "iterations"),
        optional("judge", Shape::Object(&JUDGE)),
        required("passThreshold", Shape::FRACTION),
        required("validity", Shape::Object(&VALIDITY)),
        optional("toolPolicy", Shape::Object(&TOOL_POLICY)),
        optional("captureLevel", Shape::Word(&CAPTURE_LEVEL)),
    ],
);

static CAPTURE_LEVEL: WordRule =
    WordRule { members: &["full"], reserved: &["metadataOnly", "none"] };

static VALIDITY: ObjectRule = ObjectRule::closed(
    "`validity`",
    &[
        optional("minEligibleTrials", Shape::POSITIVE),
        optional("minCompletionRate", Shape::FRACTION),
        optional("maxEvaluatorErrorRate", Shape::FRACTION),
    ],
);

static TOOL_POLICY: ObjectRule = ObjectRule::closed(
    "`toolPolicy`",
    &[
        required("mode", Shape::Word(&POLICY_MODE)),
        optional("allow", Shape::List(&TOOL_NAMES)),
        optional("deny", Shape::List(&TOOL_NAMES)),
    ],
);

static POLICY_MODE: WordRule = WordRule { members: &["default", "readOnly"], reserved: &[] };

static TOOL_NAMES: ListRule = ListRule::new("tool names", 0, None, Shape::NAME);

static JUDGE: ObjectRule = ObjectRule {
    name: "`judge`",
    common: &[],
    fields: &[
        optional("enabled", Shape::Bool),
        optional("model", Shape::Text(TextRule::new(1, None).trimmed())),
        optional("autoRun", Shape::Bool),
        optional("threshold", Shape::FRACTION),
        optional("role", Shape::Word(&JUDGE_ROLE)),
        optional("severity", Shape::Word(&SEVERITY)),
        optional("rubric", Shape::NullOr(&Shape::Object(&RUBRIC))),
    ],
    open: false,
    after: Some(severity_needs_advisory),
};

static JUDGE_ROLE: WordRule =
    WordRule { members: &["advisory", "gating", "required"], reserved: &[] };

pub(super) static SEVERITY: WordRule = WordRule { members: &["warn"], reserved: &[] };

static RUBRIC: ObjectRule = ObjectRule {
    name: "`rubric`",
    common: &[],
    fields: &[
        optional("criteria", Shape::List(&CRITERIA)),
        optional("instructions", Shape::Text(TextRule::new(1, Some(2000)).trimmed())),
    ],
    open: false,
    after: Some(rubric_says_something),
};

static CRITERIA: ListRule = ListRule {
    of: "criteria",
    min: 1,
    max: Some(25),
    item: Shape::Object(&CRITERION),
    after: Some(|checker, _, items| unique_ids(checker, items, "criterion")),
};

static CRITERION: ObjectRule = ObjectRule::closed(
    "a criterion",
    &[
        required("id", Shape::Text(CRITERION_ID)),
        required("label", Shape::Text(TextRule::new(1, Some(200)).trimmed())),
        optional("description", Shape::text(0, 1000)),
        optional("required", Shape::Bool),
    ],
);

const CRITERION_ID: TextRule = TextRule::new(0, None).format(Format {
    holds: |text| (1..=64).contains(&text.len()) && text.bytes().all(is_id_byte),
    class: FindingClass::BadFormat,
    message: "must be 1 to 64 letters, digits, `_` and `-`",
});

/// Reports every id that stands earlier in the list, at the later place.
pub(super) fn unique_ids(checker: &mut Checker<'_>, items: &[Value], scope: &str) {
    let mut seen = std::collections::HashMap::new();
    for (at, item) in items.iter().enumerate() {
        let Some(id) = item.get("id").and_then(Value::as_str) else { continue };
        match seen.entry(id) {
            std::collections::hash_map::Entry::Vacant(slot) => {
                slot.insert(at);
            }
            std::collections::hash_map::Entry::Occupied(first) => {
                let number = first.get() + 1;
                let message = format!(
                    "{id:?} is already the id of {scope} number {number}; give each its own"
                );
                checker.report_at([at.into(), "id".into()], FindingClass::DuplicateId, message);
            }
        }
    }
}

/// A judge's severity stands with an advisory role, and advisory is the default.
fn severity_needs_advisory(checker: &mut Checker<'_>, judge: Child, known: &Map<String, Value>) {
    let role = known.get("role").and_then(Value::as_str);
    let advisory = match role {
        Some(role) => role == "advisory",
        None => true,
    };
    if known.contains_key("severity") && !advisory && checker.has(judge, "role") {
        let message = "stands only with an advisory judge; remove it, or set `role: advisory`";
        checker.report_at(["severity".into()], FindingClass::SeverityNeedsAdvisory, message);
    }
}

fn rubric_says_something(checker: &mut Checker<'_>, rubric: Child, _: &Map<String, Value>) {
    if !checker.has(rubric, "criteria") && !checker.has(rubric, "instructions") {
        let message =
            "says nothing; add `criteria` or `instructions`, or write `rubric: null` to clear it";
        checker.report(FindingClass::EmptyRubric, message);
    }
}
