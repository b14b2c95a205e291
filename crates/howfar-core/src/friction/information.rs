//! What became of the identifiers that a result named (friction, section A12).

use howfar_wire::friction::{
    CallIndex, FrictionSignal, IdentifierUnused, MAX_KEY_PATHS, MAX_REPEAT_INDEXES,
    MIN_LATER_CALLS, SearchRepeated,
};

use super::carries::{WordIndex, carries};
use super::derive::Call;
use super::identifiers::{Identifiers, extract_identifiers};
use super::record::available_before;

/// The signals of every call whose result named identifiers that no later call carries.
pub(super) fn identifier_signals(calls: &[Call<'_, '_>]) -> Vec<FrictionSignal> {
    let words = WordIndex::of(calls);
    (0..calls.len()).flat_map(|at| signals_of(calls, at, &words)).collect()
}

fn signals_of(calls: &[Call<'_, '_>], at: usize, words: &WordIndex<'_>) -> Vec<FrictionSignal> {
    let info = &calls[at];
    let is_later =
        |position: usize| position != at && available_before(info.record, calls[position].record);
    let later: Vec<_> =
        (0..calls.len()).filter(|position| is_later(*position)).map(|at| &calls[at]).collect();
    if later.is_empty() {
        return Vec::new();
    }
    let is_used = |value: &String| {
        let mut candidates = words.candidates(value).iter().copied();
        candidates.any(|at| is_later(at) && carries(calls[at].arguments.whole(), value))
    };
    // One use anywhere silences both kinds.
    let unused = identifiers(info).filter(|found| !found.values.iter().any(is_used));
    let Some(mut found) = unused else { return Vec::new() };
    found.key_paths.truncate(MAX_KEY_PATHS);
    let surfaced = unused_signal(info, &found, &later);
    let repeated = repeat_signal(info, &found, &later);
    surfaced.into_iter().chain(repeated).collect()
}

/// What a named call's successful result holds; `None` when that is nothing, or was not walked to its end.
fn identifiers(info: &Call<'_, '_>) -> Option<Identifiers> {
    let result = info.record.result.as_ref()?;
    if info.record.tool_name.is_empty() || result.is_error {
        return None;
    }
    Some(extract_identifiers(result)).filter(|found| !found.values.is_empty() && !found.truncated)
}

/// The highest index that can honestly be called later than the information call; a timed trial may have none.
fn last_index(info: &Call<'_, '_>, calls: &[&Call<'_, '_>]) -> Option<CallIndex> {
    calls.iter().map(|call| call.record.index).filter(|index| *index > info.record.index).max()
}

fn unused_signal(
    info: &Call<'_, '_>,
    found: &Identifiers,
    later: &[&Call<'_, '_>],
) -> Option<FrictionSignal> {
    let later_call_count = later.len() as u64;
    let observed_at_call_index = last_index(info, later)?;
    (later_call_count >= MIN_LATER_CALLS).then(|| {
        FrictionSignal::IdentifierSurfacedUnused(IdentifierUnused {
            information_call_index: info.record.index,
            observed_at_call_index,
            tool_name: info.record.tool_name.to_owned(),
            tool_call_id: info.record.tool_call_id.map(str::to_owned),
            identifier_key_paths: found.key_paths.clone(),
            identifier_count: found.values.len() as u64,
            later_call_count,
        })
    })
}

/// Repeats ask the same tool something else: the same call again, and the next page, are none.
fn repeat_signal(
    info: &Call<'_, '_>,
    found: &Identifiers,
    later: &[&Call<'_, '_>],
) -> Option<FrictionSignal> {
    let is_repeat = |call: &&Call<'_, '_>| {
        call.record.tool_name == info.record.tool_name
            && call.arguments.without_pages() != info.arguments.without_pages()
    };
    let repeats: Vec<_> = later.iter().copied().filter(is_repeat).collect();
    let observed_at_call_index = last_index(info, &repeats)?;
    let mut repeat_call_indexes: Vec<_> = repeats
        .iter()
        .map(|call| call.record.index)
        .filter(|index| *index > info.record.index)
        .collect();
    repeat_call_indexes.sort_unstable();
    repeat_call_indexes.truncate(MAX_REPEAT_INDEXES);
    Some(FrictionSignal::SearchRepeatedAfterIdentifier(SearchRepeated {
        information_call_index: info.record.index,
        observed_at_call_index,
        tool_name: info.record.tool_name.to_owned(),
        tool_call_id: info.record.tool_call_id.map(str::to_owned),
        repeat_call_indexes,
        identifier_key_paths: found.key_paths.clone(),
        identifier_count: found.values.len() as u64,
    }))
}
