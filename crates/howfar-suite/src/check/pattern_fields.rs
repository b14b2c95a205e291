//! The fields of the pattern kinds (predicates, section 7.2).

use howfar_wire::canon;
use howfar_wire::vocabulary::FindingClass;
use serde_json::{Map, Value};

use super::shape::{Shape, TextRule};
use super::walk::Checker;
use crate::pattern::Re2Pattern;
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
    match path_problem(path) {
        None => Some(Value::String(path.clone())),
        Some((class, message)) => {
            checker.report(class, message);
            None
        }
    }
}

/// The bounds: `min: 0` alone passes everything, and `max` may not lie below `min`.
pub(super) fn bounds(checker: &mut Checker<'_>, kind: &str, known: &Map<String, Value>) {
    let number = |name: &str| known.get(name).and_then(Value::as_f64);
    let (min, max) = (number("min"), number("max"));
    match (min, max) {
        (Some(0.0), None) if !known.contains_key("max") => {
            let unit = if kind == "toolResultMatches" { "result" } else { "call" };
            let message = format!(
                "min: 0 needs a max; on its own it passes every transcript (use max: 0 for \"no {unit} matches\")"
            );
            checker.report_at(["min".into()], FindingClass::OutOfRange, message);
        }
        (min, Some(max)) if max < min.unwrap_or(1.0) => {
            let least = canon::f64_text(min.unwrap_or(1.0));
            let default = if min.is_none() { ", the default" } else { "" };
            let message = format!("max must be at least min ({least}{default})");
            checker.report_at(["max".into()], FindingClass::OutOfRange, message);
        }
        (_, _) => {}
    }
}

fn path_problem(path: &str) -> Option<(FindingClass, &'static str)> {
    let length = canon::utf16_len(path);
    if path.is_empty() {
        return Some((FindingClass::TooShort, "path \"\" is the whole value; omit path instead"));
    }
    if !(2..=257).contains(&length) {
        let class = if length < 2 { FindingClass::TooShort } else { FindingClass::TooLong };
        return Some((
            class,
            "path must be 2 to 257 characters: \"/\" and the key, e.g. \"/elements\"",
        ));
    }
    let Some(key) = path.strip_prefix('/') else {
        let message = "path must be a JSON Pointer that starts with \"/\", e.g. \"/elements\"";
        return Some((FindingClass::BadFormat, message));
    };
    if key.contains('/') {
        let message = "path must name exactly one top-level key; nested paths are not supported yet (write a \"/\" \
                       inside a key as ~1)";
        return Some((FindingClass::BadFormat, message));
    }
    let escapes_fit = key.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    if escapes_fit {
        return None;
    }
    Some((FindingClass::BadFormat, "path has an invalid escape: \"~\" must be followed by 0 or 1"))
}
