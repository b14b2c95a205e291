//! Steps, widget actions, locators and widget assertions (suite and runner, section A8).

use howfar_wire::vocabulary::FindingClass;
use serde_json::{Map, Value};

use super::defaults::unique_ids;
use super::predicate::STEP_CHECK;
use super::shape::{Field, ListRule, ObjectRule, Shape, TaggedRule, WordRule, optional, required};
use super::walk::Checker;
use crate::yaml::Child;

pub(super) static STEPS: ListRule = ListRule {
    of: "steps",
    min: 1,
    max: Some(200),
    item: Shape::Tagged(&STEP),
    after: Some(|checker, _, items| unique_ids(checker, items, "step")),
};

/// The longest compact JSON of a fixed call's arguments, in UTF-16 code units.
const MAX_ARGUMENTS: usize = 100_000;

/// What every step has. The tag was checked when the variant was chosen.
const STEP_FIELDS: &[Field] = &[required("id", Shape::ANY_TEXT), required("kind", Shape::ANY_TEXT)];

static STEP: TaggedRule = TaggedRule {
    family: "kind of step",
    tag: "kind",
    variants: &[
        ("prompt", step("a prompt step", &[required("prompt", Shape::ANY_TEXT)])),
        ("toolCall", step("a toolCall step", TOOL_CALL_FIELDS)),
        (
            "interact",
            step(
                "an interact step",
                &[required("toolName", Shape::NAME), required("action", Shape::Tagged(&ACTION))],
            ),
        ),
        ("assert", step("an assert step", &[required("assertion", Shape::Special(assertion))])),
    ],
    missing: "is missing; a step is a `prompt`, a `toolCall`, an `interact` or an `assert`",
};

const TOOL_CALL_FIELDS: &[Field] = &[
    optional("serverId", Shape::NAME),
    required("serverName", Shape::NAME),
    required("toolName", Shape::NAME),
    required("arguments", Shape::OpenObject { max_units: Some(MAX_ARGUMENTS) }),
    optional("renderTimeoutMs", Shape::Whole { min: 1.0, max: 120_000.0 }),
];

const fn step(name: &'static str, fields: &'static [Field]) -> ObjectRule {
    ObjectRule { name, common: STEP_FIELDS, fields, open: false, after: None }
}

/// What every action has.
const ACTION_FIELDS: &[Field] = &[required("kind", Shape::ANY_TEXT)];

const TARGET: Field = required("target", Shape::Object(&LOCATOR));

static ACTION: TaggedRule = TaggedRule {
    family: "kind of action",
    tag: "kind",
    variants: &[
        ("click", action(&[TARGET, optional("clickType", Shape::Word(&CLICK_TYPE))])),
        ("type", action(&[TARGET, required("text", Shape::text(0, 5000))])),
        ("key", action(&[required("key", Shape::NAME)])),
        (
            "scroll",
            action(&[
                required("direction", Shape::Word(&DIRECTION)),
                optional("amount", Shape::POSITIVE),
            ]),
        ),
        ("wait", action(&[required("ms", Shape::Whole { min: 1.0, max: 30_000.0 })])),
    ],
    missing: "is missing; an action is a `click`, a `type`, a `key`, a `scroll` or a `wait`",
};

const fn action(fields: &'static [Field]) -> ObjectRule {
    ObjectRule { name: "this action", common: ACTION_FIELDS, fields, open: false, after: None }
}

static CLICK_TYPE: WordRule = WordRule { members: &["left", "double", "right"], reserved: &[] };

static DIRECTION: WordRule = WordRule { members: &["up", "down"], reserved: &[] };

static LOCATOR: ObjectRule = ObjectRule {
    name: "a locator",
    common: &[],
    fields: &[
        optional("role", Shape::Object(&LOCATOR_ROLE)),
        optional("text", Shape::NAME),
        optional("css", Shape::NAME),
        optional("testId", Shape::NAME),
        optional("nth", Shape::COUNT),
    ],
    open: false,
    after: Some(locator_locates),
};

static LOCATOR_ROLE: ObjectRule = ObjectRule::closed(
    "a locator's `role`",
    &[required("role", Shape::NAME), optional("name", Shape::NAME), optional("exact", Shape::Bool)],
);

/// What every widget assertion has.
const WIDGET_FIELDS: &[Field] =
    &[required("kind", Shape::ANY_TEXT), required("toolName", Shape::NAME)];

static WIDGET_ASSERTION: TaggedRule = TaggedRule {
    family: "kind of widget assertion",
    tag: "kind",
    variants: &[
        ("textVisible", widget(&[required("text", Shape::text(1, 5000))])),
        ("elementVisible", widget(&[TARGET])),
        ("elementHidden", widget(&[TARGET])),
        ("inputValue", widget(&[TARGET, required("equals", Shape::text(0, 5000))])),
        ("widgetToolCalled", widget(&[required("calledToolName", Shape::NAME)])),
    ],
    missing: "is missing",
};

const fn widget(fields: &'static [Field]) -> ObjectRule {
    ObjectRule {
        name: "this widget assertion",
        common: WIDGET_FIELDS,
        fields,
        open: false,
        after: None,
    }
}

/// An assertion of a step: of a widget when it has `kind`, of the transcript when it has `type`, refused when it has
/// both.
fn assertion(checker: &mut Checker<'_>, child: Child) -> Option<Value> {
    match (checker.has(child, "kind"), checker.has(child, "type")) {
        (true, true) => {
            let message =
                "has both `kind` (a widget assertion) and `type` (a check); keep one, neither wins";
            checker.report(FindingClass::AmbiguousAssertion, message);
            None
        }
        (true, false) => checker.value(child, Shape::Tagged(&WIDGET_ASSERTION)),
        (false, _) => checker.value(child, STEP_CHECK),
    }
}

fn locator_locates(checker: &mut Checker<'_>, locator: Child, _: &Map<String, Value>) {
    if !["role", "text", "css", "testId"].iter().any(|key| checker.has(locator, key)) {
        let message = "locates nothing; add `role`, `text`, `css` or `testId`";
        checker.report(FindingClass::LocatorEmpty, message);
    }
}
