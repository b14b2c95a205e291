//! What a value may look like.

use howfar_wire::vocabulary::{Dialect, FindingClass};
use serde_json::{Map, Value};

use super::walk::Checker;
use crate::yaml::Child;

/// What a value may look like.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Text(TextRule),
    Bool,
    /// A whole number.
    Whole {
        min: f64,
        max: f64,
    },
    /// A finite number.
    Number {
        min: f64,
        max: f64,
    },
    Word(&'static WordRule),
    List(&'static ListRule),
    Object(&'static ObjectRule),
    /// An object whose other fields depend on one of them.
    Tagged(&'static TaggedRule),
    /// `null`, which clears, or a value.
    NullOr(&'static Shape),
    /// An object with any keys, bounded as compact JSON in UTF-16 code units.
    OpenObject {
        max_units: Option<usize>,
    },
    /// A rule of its own.
    Special(fn(&mut Checker<'_>, Child) -> Option<Value>),
}

/// The largest whole number that a double holds exactly with all its neighbours.
pub(super) const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

impl Shape {
    /// Text of at least one character.
    pub(super) const NAME: Self = Self::Text(TextRule::new(1, None));
    /// Any text.
    pub(super) const ANY_TEXT: Self = Self::Text(TextRule::new(0, None));
    /// A fraction.
    pub(super) const FRACTION: Self = Self::Number { min: 0.0, max: 1.0 };
    /// A whole number of at least one.
    pub(super) const POSITIVE: Self = Self::Whole { min: 1.0, max: MAX_SAFE };
    /// A whole number of at least zero.
    pub(super) const COUNT: Self = Self::Whole { min: 0.0, max: MAX_SAFE };

    /// Text between two lengths.
    pub(super) const fn text(min: usize, max: usize) -> Self {
        Self::Text(TextRule::new(min, Some(max)))
    }
}

/// A rule over several fields of an object, given the well-formed ones.
pub(super) type FieldsRule = fn(&mut Checker<'_>, Child, &Map<String, Value>);

/// A rule over a whole list, given its well-formed items; the others are null.
pub(super) type ItemsRule = fn(&mut Checker<'_>, Child, &[Value]);

/// A rule for text.
#[derive(Clone, Copy)]
pub(super) struct TextRule {
    pub(super) min: usize,
    pub(super) max: Option<usize>,
    /// What the bounds count.
    pub(super) unit: Unit,
    /// Whether white space around the text is taken away before anything is counted or kept.
    pub(super) trimmed: bool,
    /// Whether text of only white space is refused.
    pub(super) no_blank: bool,
    pub(super) format: Option<Format>,
}

/// What the length of a text counts.
#[derive(Clone, Copy)]
pub(super) enum Unit {
    /// UTF-16 code units, as the reference counts in the file itself.
    Utf16,
    /// Code points, as the write boundary counts in checks.
    CodePoints,
}

/// What a text has to look like.
#[derive(Clone, Copy)]
pub(super) struct Format {
    pub(super) holds: fn(&str) -> bool,
    pub(super) class: FindingClass,
    pub(super) message: &'static str,
}

impl TextRule {
    pub(super) const fn new(min: usize, max: Option<usize>) -> Self {
        Self { min, max, unit: Unit::Utf16, trimmed: false, no_blank: false, format: None }
    }

    pub(super) const fn code_points(self) -> Self {
        Self { unit: Unit::CodePoints, ..self }
    }

    pub(super) const fn trimmed(self) -> Self {
        Self { trimmed: true, no_blank: true, ..self }
    }

    pub(super) const fn no_blank(self) -> Self {
        Self { no_blank: true, ..self }
    }

    pub(super) const fn format(self, format: Format) -> Self {
        Self { format: Some(format), ..self }
    }
}

/// One of a closed set of words.
pub(super) struct WordRule {
    pub(super) members: &'static [&'static str],
    /// Words kept for a later version.
    pub(super) reserved: &'static [&'static str],
}

/// A list.
pub(super) struct ListRule {
    /// What one entry is, in words.
    pub(super) of: &'static str,
    pub(super) min: usize,
    pub(super) max: Option<usize>,
    pub(super) item: Shape,
    pub(super) after: Option<ItemsRule>,
}

impl ListRule {
    pub(super) const fn new(of: &'static str, min: usize, max: Option<usize>, item: Shape) -> Self {
        Self { of, min, max, item, after: None }
    }
}

/// An object.
pub(super) struct ObjectRule {
    /// What the object is, in words.
    pub(super) name: &'static str,
    /// Fields that it shares with others of its family.
    pub(super) common: &'static [Field],
    pub(super) fields: &'static [Field],
    /// Whether unknown keys are dropped with a warning instead of refused.
    pub(super) open: bool,
    pub(super) after: Option<FieldsRule>,
}

impl ObjectRule {
    pub(super) const fn closed(name: &'static str, fields: &'static [Field]) -> Self {
        Self { name, common: &[], fields, open: false, after: None }
    }

    /// Every field.
    pub(super) fn all_fields(&self) -> impl Iterator<Item = &'static Field> + use<> {
        self.common.iter().chain(self.fields)
    }
}

/// An object whose fields depend on the word in `tag`.
pub(super) struct TaggedRule {
    /// What the tag chooses between, in words.
    pub(super) family: &'static str,
    pub(super) tag: &'static str,
    pub(super) variants: &'static [(&'static str, ObjectRule)],
    /// What to do when the tag is missing, in words.
    pub(super) missing: &'static str,
}

/// One field of an object.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) shape: Shape,
    /// The only dialect that has the field, and what the other one calls it.
    pub(super) only: Option<(Dialect, &'static str)>,
}

pub(super) const fn required(name: &'static str, shape: Shape) -> Field {
    Field { name, required: true, shape, only: None }
}

pub(super) const fn optional(name: &'static str, shape: Shape) -> Field {
    Field { name, required: false, shape, only: None }
}

impl Field {
    pub(super) const fn only_in(self, dialect: Dialect, other_name: &'static str) -> Self {
        Self { only: Some((dialect, other_name)), ..self }
    }

    /// Whether a dialect has this field.
    pub(super) fn is_in(&self, dialect: Dialect) -> bool {
        self.only.is_none_or(|(only, _)| only == dialect)
    }
}
