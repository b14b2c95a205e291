//! Where an authored check decides (derivation, section 5).

use howfar_wire::chain::PredicateResult;
use howfar_wire::vocabulary::{PredicateKind, Stage, Vocabulary as _};

/// The kind of a check result; `None` for an unknown kind and for a result without one.
pub(super) fn kind_of(result: &PredicateResult<'_>) -> Option<PredicateKind> {
    let kind = result.predicate.as_ref().and_then(|predicate| predicate.kind.as_deref());
    kind.and_then(PredicateKind::from_wire)
}

/// The one stage at which a check of this kind decides. Unknown kinds, and results without one, decide at the last link.
pub const fn decides_at(kind: Option<PredicateKind>) -> Stage {
    match kind {
        Some(kind) => kind.decides_at(),
        None => Stage::UserValue,
    }
}

/// Whether a check of this kind makes a tool call expected (derivation, section 3).
pub const fn makes_call_expected(kind: Option<PredicateKind>) -> bool {
    matches!(kind, Some(PredicateKind::ToolCalledAtLeastOnce | PredicateKind::FirstToolWas))
}
