//! Suite-standard checks (suite and runner, section F3; predicates, sections 8 and 8.1).

use howfar_wire::Vocabulary as _;
use howfar_wire::suite::Predicate;
use howfar_wire::vocabulary::{PredicateKind, Stage, StandardCheckId};
use serde_json::{Value, json};

/// The most ids that a case may suppress, repetitions counted.
pub const MAX_SUPPRESSED: usize = 64;

/// One suite-standard check. Always advisory, with severity `warn`.
#[derive(Debug, Clone, PartialEq)]
pub struct StandardCheck {
    /// The frozen id.
    pub id: StandardCheckId,
    /// The name that a person reads.
    pub name: &'static str,
    /// The link at which its row is filed; it comes from the kind, not from the id's prefix.
    pub stage: Stage,
    /// The check.
    pub predicate: Predicate,
}

/// The fifteen checks, in contract order.
pub fn standard_checks() -> Vec<StandardCheck> {
    StandardCheckId::ALL.iter().copied().map(standard_check).collect()
}

/// How a case's own list meets the suite's (predicates, section 8).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListMode {
    /// The suite's list alone.
    Inherit,
    /// The case's list alone.
    Replace,
    /// The suite's list, then the case's; nothing is merged.
    Extend,
}

/// The list that holds for a case.
pub fn effective_list<T: Clone>(suite: &[T], mode: ListMode, case: &[T]) -> Vec<T> {
    match mode {
        ListMode::Inherit => suite.to_vec(),
        ListMode::Replace => case.to_vec(),
        ListMode::Extend => suite.iter().chain(case).cloned().collect(),
    }
}

/// Suppressed ids as they are stored: distinct, sorted by code unit; `None` for none.
pub fn stored_suppressions(ids: &[StandardCheckId]) -> Option<Vec<StandardCheckId>> {
    let mut ids = ids.to_vec();
    ids.sort_by_key(|id| id.as_str());
    ids.dedup();
    (!ids.is_empty()).then_some(ids)
}

/// Whether a suite default of this kind is left out: suppressing an id removes every suite default of its kind.
pub fn is_suppressed(kind: PredicateKind, ids: &[StandardCheckId]) -> bool {
    ids.iter().any(|id| id.kind() == kind)
}

fn standard_check(id: StandardCheckId) -> StandardCheck {
    let mut value = json!({"type": id.kind()});
    if let (Some((field, limit)), Value::Object(object)) = (preset(id), &mut value) {
        object.insert(field.to_owned(), json!(limit));
    }
    if let Value::Object(object) = &mut value {
        object.insert("role".to_owned(), json!("advisory"));
        object.insert("severity".to_owned(), json!("warn"));
    }
    let predicate = Predicate::try_from(value).expect("the type is a member of the kinds");
    StandardCheck { id, name: id.label(), stage: id.stage(), predicate }
}

/// The field and the limit that a preset sets; `None` for a check without a field.
const fn preset(id: StandardCheckId) -> Option<(&'static str, u32)> {
    match id {
        StandardCheckId::DiscoveryDescription => Some(("minLength", 20)),
        StandardCheckId::SelectionHops => Some(("count", 4)),
        StandardCheckId::ResponsePerformance => Some(("ms", 5000)),
        StandardCheckId::ResponseSize => Some(("maxBytes", 64_000)),
        StandardCheckId::UserValueTurns => Some(("turns", 6)),
        StandardCheckId::DiscoveryAnnotations
        | StandardCheckId::DiscoveryCollisions
        | StandardCheckId::DiscoveryDeprecated
        | StandardCheckId::CallSchema
        | StandardCheckId::ResponseSchema
        | StandardCheckId::CallParameters
        | StandardCheckId::CallRepeated
        | StandardCheckId::ResponseErrors
        | StandardCheckId::ResponseRecovery
        | StandardCheckId::ResponsePagination => None,
    }
}

#[cfg(test)]
mod tests {
    use howfar_wire::predicate::EffectiveRole;

    use super::*;

    #[test]
    fn every_standard_check_is_advisory() {
        let checks = standard_checks();
        assert_eq!(checks.len(), 15);
        assert!(checks.iter().all(|check| check.predicate.role() == EffectiveRole::Advisory));
    }

    #[test]
    fn the_link_comes_from_the_kind_not_from_the_id() {
        assert_eq!(StandardCheckId::CallSchema.stage(), Stage::Discovery);
        assert_eq!(StandardCheckId::ResponseSchema.stage(), Stage::Discovery);
    }
}
