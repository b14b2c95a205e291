//! Reading the authored fields of a check. A field of a wrong type is not refused here: the kind decides what it means.

use serde_json::{Map, Value};

use super::evidence::ToolScope;
use super::outcome::Outcome;

/// The members of an authored check.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields<'a>(pub(super) &'a Map<String, Value>);

impl<'a> Fields<'a> {
    /// A member as authored.
    pub(super) fn get(self, key: &str) -> Option<&'a Value> {
        self.0.get(key)
    }

    /// A textual member, the empty text included.
    pub(super) fn text(self, key: &str) -> Option<&'a str> {
        self.get(key).and_then(Value::as_str)
    }

    /// A textual member that is not empty.
    pub(super) fn non_empty(self, key: &str) -> Option<&'a str> {
        self.text(key).filter(|text| !text.is_empty())
    }

    /// A textual member without which the check cannot be interpreted.
    pub(super) fn required_text(self, key: &str) -> Result<&'a str, Outcome> {
        self.text(key).ok_or_else(|| Outcome::malformed(format_args!("{key} must be a string")))
    }

    /// A number without which the check cannot be interpreted.
    pub(super) fn required_number(self, key: &str) -> Result<f64, Outcome> {
        self.get(key)
            .and_then(Value::as_f64)
            .ok_or_else(|| Outcome::malformed(format_args!("{key} must be a number")))
    }

    /// A switch; anything but `true` is off.
    pub(super) fn flag(self, key: &str) -> bool {
        self.get(key) == Some(&Value::Bool(true))
    }

    /// Calls to `toolName`, or to any tool when it is absent.
    pub(super) fn scope(self) -> ToolScope {
        ToolScope::new(self.text("toolName"))
    }
}
