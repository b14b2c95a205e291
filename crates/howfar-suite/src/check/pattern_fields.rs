//! The fields of the pattern kinds (predicates, section 7.2).

use howfar_wire::canon;
use howfar_wire::vocabulary::FindingClass;
use serde_json::{Map, Value};

use super::shape::{Shape, TextRule};
use super::walk::Checker;
use crate::pattern::{BoundsProblem, MatchBounds, PathProblem, Re2Pattern, path_key};
use crate::yaml::{Child, Content, Scalar};

/// One pattern: bounded, and it must compile.
pub(super) fn pattern(checker: &mut Checker<'_>, child: Child) -> Option<Value> {
    let value = checker.value(child, Shape::Text(TextRule::new(1, Some(512)).code_points()))?;
    let text = value.as_str().unwrap_or_default();
    if let Err(error) = Re2Pattern::new(text, "") {
        let message = format!("does not compile as an RE2 pattern: {error}");
        checker.report(FindingClass::BadRegex, message);
        return None;
    }
    Some(value)
}

/// The one key that a pattern kind looks at.
pub(super) fn matching_path(checker: &mut Checker<'_>, child: Child) -> Option<Value> {
    let Content::Scalar(Scalar::Text(path)) = checker.document.content(child) else {
        checker.report(FindingClass::WrongType, "path must be a string");
        return None;
    };
    match path_key(path) {
        Ok(_) => Some(Value::String(path.clone())),
        Err(problem) => {
            checker.report(finding_class(problem, path), problem.to_string());
            None
        }
    }
}

const fn finding_class(problem: PathProblem, path: &str) -> FindingClass {
    match problem {
        PathProblem::Empty => FindingClass::TooShort,
        // Only one character is shorter than a slash and a key.
        PathProblem::Length if path.len() < 4 => FindingClass::TooShort,
        PathProblem::Length => FindingClass::TooLong,
        PathProblem::Start | PathProblem::Nested | PathProblem::Escape => FindingClass::BadFormat,
    }
}

/// The bounds: `min: 0` alone passes everything, and `max` may not lie below `min`.
pub(super) fn bounds(checker: &mut Checker<'_>, kind: &str, known: &Map<String, Value>) {
    let unit = if kind == "toolResultMatches" { "result" } else { "call" };
    // A bound that was refused on its own is not looked at again.
    let count = |name: &str| match known.get(name) {
        None => Ok(None),
        Some(value) => whole_number(value).map(Some).ok_or(()),
    };
    let (Ok(min), Ok(max)) = (count("min"), count("max")) else { return };
    if let Err(problem) = MatchBounds::new(min, max, unit) {
        let field = match problem {
            BoundsProblem::MinAlone { .. } => "min",
            BoundsProblem::MaxBelowMin { .. } => "max",
        };
        checker.report_at([field.into()], FindingClass::OutOfRange, problem.to_string());
    }
}

/// A count as authored, `2.0` included.
fn whole_number(value: &Value) -> Option<u64> {
    let number = value.as_f64().filter(|number| number.fract() == 0.0 && *number >= 0.0)?;
    canon::f64_text(number).parse().ok()
}
