//! The fields of the 36 kinds of checks, in union order (predicates, section 1).

use howfar_wire::vocabulary::FindingClass;

use super::pattern_fields::{matching_path, pattern};
use super::predicate::{any_schema, argument_matcher, ecma_pattern};
use super::shape::{
    Field, ListRule, ObjectRule, Shape, TaggedRule, TextRule, WordRule, optional, required,
};

/// The kinds. Checks are open objects: an unknown key is dropped with a warning.
pub(super) static KINDS: TaggedRule = TaggedRule {
    family: "kind of check",
    tag: "type",
    variants: &[
        ("toolDescriptionsPresent", kind(&[optional("minLength", Shape::POSITIVE)])),
        ("toolAnnotationsPresent", kind(&[optional("require", Shape::List(&ANNOTATIONS))])),
        ("toolNamesUnique", kind(&[])),
        ("noDeprecatedToolExposed", kind(&[])),
        ("toolInputSchemasWellFormed", kind(&[])),
        ("toolOutputSchemasPresent", kind(&[])),
        (
            "toolCalledWith",
            kind(&[
                TOOL_NAME,
                required("args", Shape::Special(argument_matcher)),
                optional("minCount", Shape::POSITIVE),
            ]),
        ),
        ("toolCalledAtLeastOnce", kind(&[TOOL_NAME])),
        ("toolNeverCalled", kind(&[TOOL_NAME])),
        ("onlyToolsCalled", kind(&[required("toolNames", Shape::List(&TOOL_NAMES))])),
        ("firstToolWas", kind(&[TOOL_NAME])),
        (
            "responseCloseTo",
            kind(&[
                required("reference", Shape::Text(TextRule::new(0, Some(100_000)).code_points())),
                required("maxDistance", Shape::FRACTION),
                CASE_SENSITIVE,
                optional("normalizeWhitespace", Shape::Bool),
            ]),
        ),
        ("responseContains", kind(&[required("needle", Shape::NAME), CASE_SENSITIVE])),
        ("responseMatches", kind(&[required("pattern", Shape::Special(ecma_pattern))])),
        ("noToolErrors", kind(&[])),
        ("finalAssistantMessageNonEmpty", kind(&[])),
        ("tokenBudgetUnder", kind(&[required("tokens", Shape::POSITIVE)])),
        ("widgetRendered", kind(&[ANY_TOOL_NAME])),
        ("widgetRenderLatencyUnder", kind(&[required("ms", Shape::POSITIVE), ANY_TOOL_NAME])),
        ("widgetNoConsoleErrors", kind(&[ANY_TOOL_NAME])),
        ("turnCountUnder", kind(&[required("turns", Shape::POSITIVE)])),
        ("noEndingQuestion", kind(&[])),
        ("toolLatencyUnder", kind(&[required("ms", Shape::POSITIVE), ANY_TOOL_NAME])),
        (
            "toolResultContains",
            kind(&[
                required("needle", Shape::Text(TextRule::new(1, Some(1000)).code_points())),
                CASE_SENSITIVE,
                ANY_TOOL_NAME,
            ]),
        ),
        (
            "toolResultMatchesSchema",
            kind(&[required("schema", Shape::Special(any_schema)), ANY_TOOL_NAME]),
        ),
        ("toolResultSizeUnder", kind(&[required("maxBytes", Shape::POSITIVE), ANY_TOOL_NAME])),
        ("argumentsMatchToolSchema", kind(&[ANY_TOOL_NAME])),
        ("noRepeatedIdenticalCall", kind(&[ANY_TOOL_NAME])),
        ("toolCallCountUnder", kind(&[required("count", Shape::POSITIVE), ANY_TOOL_NAME])),
        ("toolCalledBefore", kind(&[TOOL_NAME, required("beforeToolName", Shape::NAME)])),
        ("noDeprecatedToolCalled", kind(&[])),
        ("noDestructiveToolCalled", kind(&[])),
        ("toolErrorNamesInput", kind(&[ANY_TOOL_NAME])),
        ("fullPageHasContinuation", kind(&[ANY_TOOL_NAME])),
        ("toolInputMatches", kind(&[TOOL_NAME, PATTERNS, FLAGS, PATH, MIN, MAX])),
        ("toolResultMatches", kind(&[ANY_TOOL_NAME, PATTERNS, FLAGS, PATH, MIN, MAX])),
    ],
    missing: "is missing; a check names its kind in `type` (widget assertions, which have `kind`, stand in steps only)",
};

/// What every kind has.
const POLICY_FIELDS: &[Field] = &[
    required("type", Shape::ANY_TEXT),
    optional("role", Shape::Word(&ROLE)),
    optional("severity", Shape::Word(&super::defaults::SEVERITY)),
];

static ROLE: WordRule = WordRule { members: &["gating", "required", "advisory"], reserved: &[] };

const fn kind(fields: &'static [Field]) -> ObjectRule {
    ObjectRule {
        name: "this kind of check",
        common: POLICY_FIELDS,
        fields,
        open: true,
        after: Some(super::predicate::rules_over_fields),
    }
}

const TOOL_NAME: Field = required("toolName", Shape::NAME);
const ANY_TOOL_NAME: Field = optional("toolName", Shape::NAME);
const CASE_SENSITIVE: Field = optional("caseSensitive", Shape::Bool);

const PATTERNS: Field = required("patterns", Shape::List(&PATTERN_LIST));
const FLAGS: Field = optional("flags", Shape::Word(&PATTERN_FLAGS));
const PATH: Field = optional("path", Shape::Special(matching_path));
const MIN: Field = optional("min", Shape::COUNT);
const MAX: Field = optional("max", Shape::COUNT);

static PATTERN_LIST: ListRule = ListRule::new("patterns", 1, Some(8), Shape::Special(pattern));

static PATTERN_FLAGS: WordRule =
    WordRule { members: &["i", "m", "s", "im", "is", "ms", "ims"], reserved: &[] };

static TOOL_NAMES: ListRule = ListRule::new("tool names", 0, None, Shape::NAME);

static ANNOTATIONS: ListRule = ListRule {
    of: "annotations",
    min: 0,
    max: Some(2),
    item: Shape::Word(&ANNOTATION),
    after: Some(|checker, _, items| {
        if let [first, second, ..] = items
            && first == second
            && first.is_string()
        {
            let message = "names an annotation that already stands in the list; name each once";
            checker.report_at([1.into()], FindingClass::DuplicateId, message);
        }
    }),
};

static ANNOTATION: WordRule =
    WordRule { members: &["readOnlyHint", "destructiveHint"], reserved: &[] };

#[cfg(test)]
mod tests {
    use howfar_wire::Vocabulary as _;
    use howfar_wire::vocabulary::PredicateKind;

    use super::*;

    #[test]
    fn every_kind_has_its_row() {
        let mut rows: Vec<_> = KINDS.variants.iter().map(|(name, _)| *name).collect();
        let mut kinds: Vec<_> = PredicateKind::ALL.iter().map(|kind| kind.as_str()).collect();
        rows.sort_unstable();
        kinds.sort_unstable();
        assert_eq!(rows, kinds);
    }
}
