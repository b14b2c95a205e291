//! Role and severity of an authored check, apart from the rule itself (predicates, section 3).

use serde_json::Value;

/// The check without role and severity, as it is hashed and identified.
pub fn without_policy(check: &Value) -> Value {
    let mut rule = check.clone();
    if let Some(members) = rule.as_object_mut() {
        members.shift_remove("role");
        members.shift_remove("severity");
    }
    rule
}

/// The check as it is stored: `role: "required"` becomes an absent role, everything else stays as written.
pub fn stored_form(check: &Value) -> Value {
    let mut stored = check.clone();
    if check.get("role").and_then(Value::as_str) == Some("required")
        && let Some(members) = stored.as_object_mut()
    {
        members.shift_remove("role");
    }
    stored
}

/// Whether the check is written as required: without a role, or as `required` or `gating`.
pub fn is_written_as_required(check: &Value) -> bool {
    match check.get("role") {
        None => true,
        Some(role) => matches!(role.as_str(), Some("required" | "gating")),
    }
}

/// Whether the check is an advisory one that warns.
pub fn warns(check: &Value) -> bool {
    let is = |key: &str, word: &str| check.get(key).and_then(Value::as_str) == Some(word);
    is("role", "advisory") && is("severity", "warn")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn policy_is_no_part_of_the_rule() {
        let check = json!({"type": "a", "role": "advisory", "x": 1, "severity": "warn"});
        assert_eq!(without_policy(&check), json!({"type": "a", "x": 1}));
        assert!(warns(&check));
    }

    #[test]
    fn required_is_stored_as_an_absent_role() {
        assert_eq!(stored_form(&json!({"type": "a", "role": "required"})), json!({"type": "a"}));
        let gating = json!({"type": "a", "role": "gating"});
        assert_eq!(stored_form(&gating), gating);
    }

    #[test]
    fn a_misspelled_role_gates_without_being_required() {
        assert!(is_written_as_required(&json!({"type": "a"})));
        assert!(!is_written_as_required(&json!({"type": "a", "role": "Advisory"})));
    }
}
