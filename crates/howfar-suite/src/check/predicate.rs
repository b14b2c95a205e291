//! One check at its write boundary (predicates, sections 2 and 3; suite and runner, section A9).

use howfar_wire::Vocabulary as _;
use howfar_wire::canon;
use howfar_wire::finding::PathSegment;
use howfar_wire::vocabulary::{Dialect, FindingClass, PredicateKind};
use serde_json::{Map, Value};

use super::kinds::KINDS;
use super::pattern_fields;
use super::shape::{ObjectRule, Shape, WordRule, optional, required};
use super::walk::Checker;
use crate::pattern::EcmaPattern;
use crate::yaml::{Child, Content, Document, Scalar};

/// The largest schema of `toolResultMatchesSchema`, as compact JSON in UTF-8 bytes.
const MAX_SCHEMA_BYTES: usize = 16_384;

/// A check in a case's own list.
pub(super) const CASE_CHECK: Shape = Shape::Tagged(&KINDS);
/// A check in an `assert` step.
pub(super) const STEP_CHECK: Shape = Shape::Tagged(&KINDS);

/// Why one check is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PredicateIssue {
    /// Where in the check; empty for the check itself.
    pub path: Vec<PathSegment>,
    /// What is wrong.
    pub class: FindingClass,
    /// What is wrong and what to do next.
    pub message: String,
}

impl PredicateIssue {
    /// The path as a JSON pointer without escapes, `/` for the check itself.
    pub fn pointer(&self) -> String {
        if self.path.is_empty() {
            return "/".to_owned();
        }
        let segment = |segment: &PathSegment| match segment {
            PathSegment::Index(index) => format!("/{index}"),
            PathSegment::Name(name) => format!("/{name}"),
        };
        self.path.iter().map(segment).collect()
    }
}

/// Checks one check outside a file. Empty when it is accepted; unknown keys are ignored.
pub fn check_predicate(predicate: &Value) -> Vec<PredicateIssue> {
    let document = Document::from_json(predicate);
    let mut checker = Checker::new(&document, Dialect::Two);
    checker.value(document.root(), CASE_CHECK);
    checker.findings.sort_by(howfar_wire::finding::Finding::order);
    let issue = |finding: howfar_wire::finding::Finding| PredicateIssue {
        path: finding.path,
        class: finding.class,
        message: finding.message,
    };
    checker.findings.into_iter().map(issue).collect()
}

/// The rules over several fields of a check. Each runs when the fields that it reads are well-formed.
pub(super) fn rules_over_fields(
    checker: &mut Checker<'_>,
    check: Child,
    known: &Map<String, Value>,
) {
    let Some(kind) = known.get("type").and_then(Value::as_str).and_then(PredicateKind::from_wire)
    else {
        return;
    };
    policy(checker, check, kind, known);
    match kind {
        PredicateKind::ToolInputMatches | PredicateKind::ToolResultMatches => {
            pattern_fields::bounds(checker, kind.as_str(), known);
        }
        PredicateKind::ResponseCloseTo => reference_remains(checker, check, known),
        _ => {}
    }
}

/// Section 3: severity needs a written advisory role, and an observation needs it too.
fn policy(
    checker: &mut Checker<'_>,
    check: Child,
    kind: PredicateKind,
    known: &Map<String, Value>,
) {
    let role = known.get("role").and_then(Value::as_str);
    let malformed_role = role.is_none() && checker.has(check, "role");
    if malformed_role || role == Some("advisory") {
        return;
    }
    if known.contains_key("severity") {
        let message = "severity requires role: \"advisory\"";
        checker.report_at(["severity".into()], FindingClass::SeverityNeedsAdvisory, message);
    }
    if kind.is_observation() {
        let message = format!(
            "\"{kind}\" is an observation (a heuristic) and cannot gate; set role: \"advisory\""
        );
        checker.report_at(["role".into()], FindingClass::ObservationMustBeAdvisory, message);
    }
}

/// Section 6.12: a reference that normalization empties could never be compared.
fn reference_remains(checker: &mut Checker<'_>, check: Child, known: &Map<String, Value>) {
    let Some(reference) = known.get("reference").and_then(Value::as_str) else { return };
    let normalizes = known.get("normalizeWhitespace") == Some(&Value::Bool(true));
    if !normalizes && checker.has(check, "normalizeWhitespace") && !reference.is_empty() {
        return;
    }
    if reference.is_empty() || (normalizes && canon::is_blank(reference)) {
        let class =
            if reference.is_empty() { FindingClass::TooShort } else { FindingClass::BlankText };
        let message = "reference must remain non-empty after normalization";
        checker.report_at(["reference".into()], class, message);
    }
}

/// `{args, argumentMatching?}`; other keys are dropped like those of a check.
pub(super) fn argument_matcher(checker: &mut Checker<'_>, child: Child) -> Option<Value> {
    checker.value(child, Shape::Object(&ARGUMENT_MATCHER))
}

static ARGUMENT_MATCHER: ObjectRule = ObjectRule {
    name: "`args`",
    common: &[],
    fields: &[
        required("args", Shape::OpenObject { max_units: None }),
        optional("argumentMatching", Shape::Word(&ARGUMENT_MATCHING)),
    ],
    open: true,
    after: None,
};

static ARGUMENT_MATCHING: WordRule =
    WordRule { members: &["exact", "partial", "ignore"], reserved: &[] };

/// Any JSON, bounded.
pub(super) fn any_schema(checker: &mut Checker<'_>, child: Child) -> Option<Value> {
    let value = checker.json(child)?;
    let bytes = canon::stringify(&value).len();
    if bytes > MAX_SCHEMA_BYTES {
        let message =
            format!("is {bytes} bytes of JSON; a schema may have at most {MAX_SCHEMA_BYTES}");
        checker.report(FindingClass::TooLong, message);
        return None;
    }
    Some(value)
}

/// An ECMAScript pattern without flags that must compile.
pub(super) fn ecma_pattern(checker: &mut Checker<'_>, child: Child) -> Option<Value> {
    let value = checker.value(child, Shape::NAME)?;
    let Content::Scalar(Scalar::Text(pattern)) = checker.document.content(child) else {
        return Some(value);
    };
    if let Err(error) = EcmaPattern::new(pattern) {
        let message = format!("does not compile as an ECMAScript pattern: {error}");
        checker.report(FindingClass::BadRegex, message);
        return None;
    }
    Some(value)
}
