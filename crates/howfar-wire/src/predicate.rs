//! The row of one evaluated check and the authored policy of a check (predicates, sections 3 and 5.1).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::vocabulary::vocabulary;

/// The outcome of one check.
///
/// Three outcomes exist: `passed` without status (it held), not `passed` without status (it did not hold), and not
/// `passed` with [`RowStatus::Error`] (it could not be measured, which blames no server).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct PredicateRow {
    /// The check as authored. `toolCalledWith` repeats its arguments redacted, so never evaluate an echoed check.
    pub predicate: Value,
    /// Whether the check held.
    pub passed: bool,
    /// Absent when the check was scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<RowStatus>,
    /// Why, in at most 600 UTF-16 code units and a note of what was cut.
    #[serde(default)]
    pub reason: String,
    /// The turn that the check was authored on; absent for a check of the whole case.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scope: Option<RowScope>,
}

impl PredicateRow {
    /// Whether the check could not be measured.
    pub fn is_error(&self) -> bool {
        self.status == Some(RowStatus::Error)
    }

    /// The role that the authored check has for readers of the row.
    pub fn role(&self) -> EffectiveRole {
        EffectiveRole::of(&self.predicate)
    }

    /// The authored kind, also when it is none of the known ones; absent when the check has no textual `type`.
    pub fn kind_text(&self) -> Option<&str> {
        self.predicate.get("type").and_then(Value::as_str)
    }
}

vocabulary! {
    /// Whether a check was scored. An absent status means `scored`.
    RowStatus = "rowStatuses", "Whether a check was scored; absent means scored." {
        /// It was measured: it held or it did not.
        Scored = "scored" => "scored",
        /// It could not be measured.
        Error = "error" => "could not be measured",
    }
}

/// The scope of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum RowScope {
    /// One prompt turn.
    Turn {
        /// The turn's index, from 0.
        prompt_index: u64,
    },
}

vocabulary! {
    /// What a failed row of a check means to a reader.
    EffectiveRole = "effectiveRoles", "What a failed check means for the trial." {
        /// A failed row fails the trial.
        Gating = "gating" => "required",
        /// The row is recorded only.
        Advisory = "advisory" => "advisory",
    }
}

impl EffectiveRole {
    /// The role of an authored check: advisory exactly when `role` is the text `advisory`; everything else gates.
    pub fn of(check: &Value) -> Self {
        match check.get("role").and_then(Value::as_str) {
            Some("advisory") => Self::Advisory,
            Some(_) | None => Self::Gating,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_the_exact_word_is_advisory() {
        let role = |role: Value| EffectiveRole::of(&json!({"type": "noToolErrors", "role": role}));
        assert_eq!(role(json!("advisory")), EffectiveRole::Advisory);
        assert_eq!(role(json!("Advisory")), EffectiveRole::Gating);
        assert_eq!(role(json!(["advisory"])), EffectiveRole::Gating);
        assert_eq!(role(Value::Null), EffectiveRole::Gating);
    }

    #[test]
    fn a_turn_scope_is_spelled_on_the_row() {
        let scope = serde_json::to_value(RowScope::Turn { prompt_index: 2 }).expect("writes");
        assert_eq!(scope, json!({"kind": "turn", "promptIndex": 2}));
    }
}
