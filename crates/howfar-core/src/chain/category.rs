//! The bucket of a trial that did not pass (derivation, section 7).

use howfar_wire::canon;
use howfar_wire::chain::{JudgeStatus, StageRow};
use howfar_wire::vocabulary::{FailureCategory as Category, Stage, StageReason as Reason};

use super::facts::Facts;
use super::rows::bounded_reasons;

/// The category, unless a rule forced one.
pub(super) fn of<D>(facts: &Facts<'_, '_, D>, first_failed: Option<&StageRow>) -> Option<Category> {
    let Some(row) = first_failed else {
        return without_failure(facts);
    };
    Some(match row.stage {
        Stage::Connection | Stage::Discovery => Category::Setup,
        Stage::Selection if blames_metadata(facts) => Category::Metadata,
        Stage::Selection => Category::Selection,
        Stage::Call if row.reason == Some(Reason::ArgumentMismatch) => Category::Arguments,
        Stage::Call if facts.spans.transport_local => Category::Setup,
        Stage::Call | Stage::Response => Category::ServerData,
        Stage::UserValue => Category::UserValue,
    })
}

/// Gives the selection row the attribution's reasons, in place of its own (derivation 7.1).
pub(super) fn merge_metadata<D>(facts: &Facts<'_, '_, D>, selection: &mut StageRow) {
    let evidence = selection.evidence.get_or_insert_default();
    evidence.predicate_reasons = bounded_reasons(attribution_reasons(facts));
}

fn without_failure<D>(facts: &Facts<'_, '_, D>) -> Option<Category> {
    if facts.evidence.evaluator_errored {
        Some(Category::Evaluator)
    } else if facts.model_failed() {
        Some(Category::Setup)
    } else {
        None
    }
}

fn blames_metadata<D>(facts: &Facts<'_, '_, D>) -> bool {
    let attribution = facts.evidence.metadata_attribution.as_ref();
    attribution.is_some_and(|it| it.status == JudgeStatus::Scored && it.attributed == Some(true))
        && attribution_reasons(facts).any(|reason| !canon::is_blank(reason))
}

fn attribution_reasons<'i, D>(facts: &Facts<'i, '_, D>) -> impl Iterator<Item = &'i str> {
    let attribution = facts.evidence.metadata_attribution.as_ref();
    attribution.into_iter().flat_map(|it| it.reasons.iter().map(|reason| &**reason))
}
