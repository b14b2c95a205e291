//! Cases (suite and runner, section A7).

use howfar_wire::canon;
use howfar_wire::vocabulary::{Dialect, FindingClass};
use serde_json::{Map, Value};

use super::defaults::{TRIALS, unique_ids};
use super::file::OPAQUE_ID;
use super::predicate::CASE_CHECK;
use super::shape::{Format, ListRule, ObjectRule, Shape, TextRule, WordRule, optional, required};
use super::step::STEPS;
use super::walk::Checker;
use crate::yaml::Child;

pub(super) static CASES: ListRule = ListRule {
    of: "cases",
    min: 1,
    max: Some(500),
    item: Shape::Object(&CASE),
    after: Some(|checker, _, items| unique_ids(checker, items, "case")),
};

static CASE: ObjectRule = ObjectRule {
    name: "a case",
    common: &[],
    fields: &[
        required("id", OPAQUE_ID),
        required("title", Shape::text(1, 200)),
        optional("intent", Shape::NullOr(&Shape::Text(INTENT))),
        optional("kind", Shape::NullOr(&Shape::Word(&CASE_KIND))),
        required("steps", Shape::List(&STEPS)),
        optional("assertions", Shape::List(&CASE_CHECKS)),
        optional("checks", Shape::List(&CASE_CHECKS)).only_in(Dialect::One, "assertions"),
        optional("suppressedSuiteStandardCheckIds", Shape::List(&SUPPRESSED)),
        optional("judge", Shape::Object(&CASE_JUDGE)),
        optional("expectedOutput", Shape::ANY_TEXT),
        optional("isNegativeTest", Shape::Bool),
        optional("model", Shape::NAME),
        optional("iterations", TRIALS).only_in(Dialect::Two, "repetitions"),
        optional("repetitions", TRIALS).only_in(Dialect::One, "iterations"),
        optional("passThreshold", Shape::FRACTION),
        optional("disabled", Shape::Bool),
        optional("import", Shape::Object(&IMPORT)),
    ],
    open: false,
    after: Some(one_spelling_of_the_list),
};

const INTENT: TextRule = TextRule::new(1, Some(64)).format(Format {
    holds: |text| text.is_empty() || (canon::es_trim(text) == text),
    class: FindingClass::BadFormat,
    message: "must not start or end with white space",
});

static CASE_KIND: WordRule = WordRule { members: &["capability", "regression"], reserved: &[] };

static CASE_CHECKS: ListRule = ListRule::new("checks", 0, Some(50), CASE_CHECK);

static SUPPRESSED: ListRule = ListRule::new(
    "suite-standard checks",
    0,
    Some(crate::standard::MAX_SUPPRESSED),
    Shape::Word(&STANDARD_CHECK),
);

static STANDARD_CHECK: WordRule = WordRule {
    members: &[
        "discovery.description",
        "discovery.annotations",
        "discovery.collisions",
        "discovery.deprecated",
        "call.schema",
        "response.schema",
        "selection.hops",
        "call.parameters",
        "call.repeated",
        "response.performance",
        "response.size",
        "response.errors",
        "response.recovery",
        "response.pagination",
        "userValue.turns",
    ],
    reserved: &[],
};

static CASE_JUDGE: ObjectRule =
    ObjectRule::closed("a case's `judge`", &[optional("enabled", Shape::Bool)]);

static IMPORT: ObjectRule = ObjectRule {
    name: "`import`",
    common: &[],
    fields: &[
        required("status", Shape::Word(&IMPORT_STATUS)),
        optional("sourceCaseKey", Shape::Text(TextRule::new(1, Some(512)).no_blank())),
        optional("note", Shape::Text(TextRule::new(1, Some(2000)).no_blank())),
    ],
    open: false,
    after: Some(exact_needs_note),
};

static IMPORT_STATUS: WordRule =
    WordRule { members: &["exact", "approximated", "unsupported", "unresolved"], reserved: &[] };

/// Two lists would be two gradings, and neither wins.
fn one_spelling_of_the_list(checker: &mut Checker<'_>, case: Child, _: &Map<String, Value>) {
    if checker.dialect == Dialect::One
        && checker.has(case, "checks")
        && checker.has(case, "assertions")
    {
        let message = "stands beside `assertions`, which is the older name of the same list; keep one of them";
        checker.report_at(["checks".into()], FindingClass::BothSpellings, message);
    }
}

fn exact_needs_note(checker: &mut Checker<'_>, import: Child, known: &Map<String, Value>) {
    let exact = known.get("status").and_then(Value::as_str) == Some("exact");
    if exact && !checker.has(import, "note") {
        let message = "is missing; an exact claim cites the rules that license it";
        checker.report_at(["note".into()], FindingClass::ExactNeedsNote, message);
    }
}

#[cfg(test)]
mod tests {
    use howfar_wire::Vocabulary as _;
    use howfar_wire::vocabulary::{CaseKind, ImportStatus, StandardCheckId};

    use super::*;

    fn check<V: howfar_wire::Vocabulary>(rule: &WordRule) {
        let members: Vec<_> = V::ALL.iter().map(|member| member.as_str()).collect();
        assert_eq!(rule.members, members, "{}", V::NAME);
    }

    #[test]
    fn word_tables_agree_with_their_vocabularies() {
        check::<StandardCheckId>(&STANDARD_CHECK);
        check::<ImportStatus>(&IMPORT_STATUS);
        check::<CaseKind>(&CASE_KIND);
        assert_eq!(CaseKind::ALL.len(), 2);
    }
}
