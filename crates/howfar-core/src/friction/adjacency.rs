//! What two neighbouring calls show (friction, section A11).

use howfar_wire::friction::{FrictionSignal, MAX_PAGINATION_KEYS, PaginationContinuation, Retry};

use super::arguments::changed_pages;
use super::derive::Call;

/// At most one signal per pair of neighbours.
pub(super) fn adjacency_signals(calls: &[Call<'_, '_>]) -> Vec<FrictionSignal> {
    let pair = |pair: &[Call<'_, '_>]| match pair {
        [prior, current] => adjacency_signal(prior, current),
        _ => None,
    };
    calls.windows(2).filter_map(pair).collect()
}

fn adjacency_signal(prior: &Call<'_, '_>, current: &Call<'_, '_>) -> Option<FrictionSignal> {
    let tool_name = current.record.tool_name;
    if tool_name.is_empty() || prior.record.tool_name != tool_name {
        return None;
    }
    let retry = || Retry {
        call_index: current.record.index,
        prior_call_index: prior.record.index,
        tool_name: tool_name.to_owned(),
        after_error: prior.record.is_error(),
    };
    if prior.arguments.whole() == current.arguments.whole() {
        return Some(FrictionSignal::IdenticalRetry(retry()));
    }
    let page = page_turn(prior, current).map(FrictionSignal::PaginationContinuation);
    Some(page.unwrap_or_else(|| FrictionSignal::ChangedRetry(retry())))
}

/// The turn of a page: something about the page changed, and nothing else did.
fn page_turn(prior: &Call<'_, '_>, current: &Call<'_, '_>) -> Option<PaginationContinuation> {
    if prior.arguments.without_pages() != current.arguments.without_pages() {
        return None;
    }
    let changed = changed_pages(prior.record.arguments, current.record.arguments);
    let pagination_keys: Vec<_> = changed.take(MAX_PAGINATION_KEYS).collect();
    (!pagination_keys.is_empty()).then(|| PaginationContinuation {
        call_index: current.record.index,
        prior_call_index: prior.record.index,
        tool_name: current.record.tool_name.to_owned(),
        pagination_keys,
    })
}
