//! The top level: identity, target, provenance (suite and runner, sections A2, A3 and A6).

use howfar_wire::Vocabulary as _;
use howfar_wire::finding::{Finding, Warning};
use howfar_wire::vocabulary::{Dialect, FindingClass};
use serde_json::{Map, Value};

use super::case::CASES;
use super::defaults::DEFAULTS;
use super::shape::{
    Field, Format, ListRule, ObjectRule, Shape, TextRule, WordRule, optional, required,
};
use super::walk::Checker;
use crate::yaml::{Child, Content, Document, Scalar};

/// Checks a whole document. The value is complete when there is no finding.
pub(crate) fn check_file(document: &Document) -> (Option<Value>, Vec<Finding>, Vec<Warning>) {
    let root = document.root();
    // Until the version is known, only the version is read.
    let mut checker = Checker::new(document, Dialect::Two);
    let value = version(&mut checker, root).and_then(|dialect| {
        checker.dialect = dialect;
        checker.object(root, &FILE)
    });
    (value, checker.findings, checker.warnings)
}

pub(super) const OPAQUE_ID: Shape = Shape::Text(TextRule::new(1, Some(128)).format(Format {
    holds: |text| text.bytes().all(is_id_byte) && !text.is_empty(),
    class: FindingClass::BadFormat,
    message: "may hold only letters, digits, `_` and `-`",
}));

pub(super) const fn is_id_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

/// A name for display.
const NAME: Shape = Shape::text(1, 200);

static FILE: ObjectRule = ObjectRule {
    name: "the suite file",
    common: &[],
    fields: &[
        required("schemaVersion", Shape::NAME),
        required("mode", Shape::Word(&MODE)),
        required("reportingMode", Shape::Word(&REPORTING_MODE)),
        required("suite", Shape::Object(&SUITE)),
        required("target", Shape::Object(&TARGET)),
        required("defaults", Shape::Object(&DEFAULTS)),
        optional("provenance", Shape::Object(&PROVENANCE)),
        required("cases", Shape::List(&CASES)),
    ],
    open: false,
    after: Some(import_needs_provenance),
};

static MODE: WordRule = WordRule { members: &["agentWorkflow"], reserved: &["serverContract"] };

static REPORTING_MODE: WordRule =
    WordRule { members: &["standard"], reserved: &["restricted", "summary"] };

static SUITE: ObjectRule = ObjectRule::closed(
    "`suite`",
    &[required("id", OPAQUE_ID), required("name", NAME), optional("description", Shape::ANY_TEXT)],
);

static TARGET: ObjectRule = ObjectRule {
    name: "`target`",
    common: &[],
    fields: &[
        optional("servers", Shape::List(&SERVERS)),
        optional("environment", Shape::NAME),
        optional("hosts", Shape::List(&HOSTS)),
    ],
    open: false,
    after: Some(target_names_something),
};

const SERVER_FIELDS: &[Field] = &[required("name", NAME), optional("id", OPAQUE_ID)];

static SERVER: ObjectRule = ObjectRule::closed("a server", SERVER_FIELDS);

static SERVERS: ListRule = ListRule::new("servers", 1, None, Shape::Object(&SERVER));

static HOST_SERVERS: ListRule = ListRule::new("servers", 0, None, Shape::Object(&SERVER));

static HOSTS: ListRule = ListRule::new(
    "hosts",
    1,
    None,
    Shape::Object(&ObjectRule {
        name: "a host",
        common: SERVER_FIELDS,
        fields: &[optional("servers", Shape::List(&HOST_SERVERS))],
        open: false,
        after: None,
    }),
);

static PROVENANCE: ObjectRule = ObjectRule::closed(
    "`provenance`",
    &[
        required("sourceHash", Shape::NAME),
        required("sourceFormat", Shape::NAME),
        optional("sourceFormatVersion", Shape::NAME),
        optional("converter", Shape::NAME),
        optional("converterVersion", Shape::NAME),
        optional("model", Shape::NAME),
        optional("discoverySnapshotHash", Shape::NAME),
        required("reportHash", Shape::NAME),
        optional("importedAt", Shape::Text(IMPORTED_AT)),
    ],
);

const IMPORTED_AT: TextRule = TextRule::new(0, None).format(Format {
    holds: is_utc_time,
    class: FindingClass::BadFormat,
    message: "must be an existing date and a time in UTC, such as 2026-08-17T09:30Z; the zone is always `Z`",
});

/// An unknown version is the only finding: a file of a later version is not wrong, this reader is too old for it.
fn version(checker: &mut Checker<'_>, root: Child) -> Option<Dialect> {
    let Some(members) = checker.members(root) else {
        checker
            .wrong_type(checker.document.content(root), "an object: a suite file has named fields");
        return None;
    };
    let found = members.get("schemaVersion").map(|entry| checker.document.content(entry.value));
    let (dialect, found) = match found {
        Some(Content::Scalar(Scalar::Text(text))) => {
            (Dialect::from_wire(text), format!("is \"{text}\""))
        }
        Some(Content::Scalar(Scalar::Number(value))) => {
            (None, format!("is the number {value}, and must be text in quotes"))
        }
        Some(_) => (None, "is not text".to_owned()),
        None => (None, "is missing".to_owned()),
    };
    if dialect.is_none() {
        let message = format!(
            "{found}; this reader knows \"1\" and \"2\". If the file was written for a later version, upgrade the \
             reader instead of editing the file"
        );
        checker.report_at(["schemaVersion".into()], FindingClass::UnknownVersion, message);
    }
    dialect
}

/// Where neither key is written, the target says nothing; an empty list or name has a finding of its own.
fn target_names_something(checker: &mut Checker<'_>, target: Child, _: &Map<String, Value>) {
    if !checker.has(target, "servers") && !checker.has(target, "environment") {
        let message = "names no server and no environment; add `servers` with the name of the server under test";
        checker.report(FindingClass::NoTarget, message);
    }
}

fn import_needs_provenance(checker: &mut Checker<'_>, root: Child, _: &Map<String, Value>) {
    if checker.has(root, "provenance") {
        return;
    }
    let cases = checker.members(root).and_then(|members| members.get("cases"));
    let Some(Content::List(cases)) = cases.map(|cases| checker.document.content(cases.value))
    else {
        return;
    };
    for (at, case) in cases.iter().enumerate() {
        if checker.has(*case, "import") {
            let message = "needs `provenance` at the top of the file: a claim about an import points at its report";
            let path = ["cases".into(), at.into(), "import".into()];
            checker.report_at(path, FindingClass::ImportWithoutProvenance, message);
        }
    }
}

/// An existing calendar date, `T`, hour and minute, optional seconds, an optional fraction after seconds, and `Z`.
fn is_utc_time(text: &str) -> bool {
    let Some((date, time)) = text.strip_suffix('Z').and_then(|text| text.split_once('T')) else {
        return false;
    };
    is_date(date) && is_time(time)
}

fn is_date(date: &str) -> bool {
    let parts: Vec<&str> = date.split('-').collect();
    let [year, month, day] = parts.as_slice() else {
        return false;
    };
    let (Some(year), Some(month), Some(day)) = (digits(year, 4), digits(month, 2), digits(day, 2))
    else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=days).contains(&day)
}

fn is_time(time: &str) -> bool {
    let (clock, fraction) = match time.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (time, None),
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let within = |text: &str, end: u32| digits(text, 2).is_some_and(|value| value < end);
    let clock_fits = match parts.as_slice() {
        [hour, minute] => within(hour, 24) && within(minute, 60) && fraction.is_none(),
        [hour, minute, second] => within(hour, 24) && within(minute, 60) && within(second, 60),
        _ => false,
    };
    let fraction_fits = fraction.is_none_or(|fraction| {
        !fraction.is_empty() && fraction.bytes().all(|byte| byte.is_ascii_digit())
    });
    clock_fits && fraction_fits
}

fn digits(text: &str, count: usize) -> Option<u32> {
    let fits = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    fits.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::is_utc_time;

    #[test]
    fn times_are_utc_and_exist() {
        for text in ["2026-08-17T09:30Z", "2024-02-29T23:59:59Z", "2000-02-29T00:00:00.123456Z"] {
            assert!(is_utc_time(text), "{text}");
        }
    }

    #[test]
    fn offsets_bare_dates_and_missing_days_are_refused() {
        for text in [
            "2026-08-17",
            "2026-08-17T09:30",
            "2026-08-17T09:30+00:00",
            "2026-02-29T09:30Z",
            "1900-02-29T09:30Z",
            "2026-04-31T09:30Z",
            "2026-08-17T24:00Z",
            "2026-08-17T09:30.5Z",
            "2026-08-17T09:30:60Z",
            "2026-08-17 09:30Z",
            "26-08-17T09:30Z",
        ] {
            assert!(!is_utc_time(text), "{text}");
        }
    }
}
