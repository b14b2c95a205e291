//! What a reader of one trial is told (friction, section A17). Texts that came from a server stand in the clauses as
//! they are; a renderer makes them safe for its medium.

use howfar_wire::friction::{CallIndex, FrictionDocument, FrictionSignal, Retry};
use howfar_wire::vocabulary::FrictionGap;

/// What a reader of one trial is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrictionReading {
    /// Nothing: there is no document, or nothing was seen.
    Silent,
    /// "Not measured", with the reason's words; never "none found".
    NotMeasured(FrictionGap),
    /// One line.
    Seen(FrictionLine),
}

/// One line about one trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrictionLine {
    /// The heading, by what the signals can amount to.
    pub heading: FrictionHeading,
    /// One clause per signal, in document order.
    pub clauses: Vec<FrictionClause>,
    /// Why the identifier kinds were not measured; to be said too.
    pub identifier_gap: Option<FrictionGap>,
}

/// What is said about one signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrictionClause {
    /// The facts: tool, key paths, and calls by their position from 0.
    pub text: String,
    /// What the pattern means when nothing is amiss; beside the signal in long form.
    pub benign_reading: &'static str,
}

/// What the signals of a trial can amount to, the most first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FrictionHeading {
    /// Some identifier kind was seen.
    PossibleDetour,
    /// A tool was called again.
    Retry,
    /// Pages were turned, and nothing else.
    Pagination,
}

impl FrictionHeading {
    /// The heading's words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::PossibleDetour => "possible detour",
            Self::Retry => "a tool was called again",
            Self::Pagination => "pages were read on",
        }
    }
}

/// What to tell a reader of a trial.
pub fn friction_reading(document: Option<&FrictionDocument>) -> FrictionReading {
    let Some(document) = document else { return FrictionReading::Silent };
    if let Some(reason) = document.gap() {
        return FrictionReading::NotMeasured(reason);
    }
    let Some(heading) = document.signals.iter().map(heading).min() else {
        return FrictionReading::Silent;
    };
    FrictionReading::Seen(FrictionLine {
        heading,
        clauses: document.signals.iter().map(clause).collect(),
        identifier_gap: document.identifier_gap(),
    })
}

const fn heading(signal: &FrictionSignal) -> FrictionHeading {
    match signal {
        FrictionSignal::IdentifierSurfacedUnused(_)
        | FrictionSignal::SearchRepeatedAfterIdentifier(_) => FrictionHeading::PossibleDetour,
        FrictionSignal::IdenticalRetry(_) | FrictionSignal::ChangedRetry(_) => {
            FrictionHeading::Retry
        }
        FrictionSignal::PaginationContinuation(_) => FrictionHeading::Pagination,
    }
}

fn clause(signal: &FrictionSignal) -> FrictionClause {
    let tool = signal.tool_name();
    let text = match signal {
        FrictionSignal::IdentifierSurfacedUnused(unused) => format!(
            "{tool}: no later call used an identifier of call {}{}",
            unused.information_call_index,
            at_paths(&unused.identifier_key_paths)
        ),
        FrictionSignal::SearchRepeatedAfterIdentifier(repeated) => format!(
            "{tool}: asked again in {} after call {} gave identifiers",
            calls(&repeated.repeat_call_indexes),
            repeated.information_call_index
        ),
        FrictionSignal::IdenticalRetry(retry) => {
            format!("{tool}: call {} repeats the call before{}", retry.call_index, after(retry))
        }
        FrictionSignal::ChangedRetry(retry) => format!(
            "{tool}: call {} asks again with other arguments{}",
            retry.call_index,
            after(retry)
        ),
        FrictionSignal::PaginationContinuation(page) => {
            let keys: Vec<_> = page.pagination_keys.iter().map(ToString::to_string).collect();
            format!("{tool}: call {} reads on by {}", page.call_index, keys.join(", "))
        }
    };
    FrictionClause { text, benign_reading: signal.kind().benign_reading() }
}

fn at_paths(paths: &[String]) -> String {
    if paths.is_empty() { String::new() } else { format!(" ({})", paths.join(", ")) }
}

fn calls(indexes: &[CallIndex]) -> String {
    let word = if indexes.len() == 1 { "call" } else { "calls" };
    let indexes: Vec<_> = indexes.iter().map(ToString::to_string).collect();
    format!("{word} {}", indexes.join(", "))
}

const fn after(retry: &Retry) -> &'static str {
    if retry.after_error { ", after an error" } else { "" }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::friction::{FrictionInput, derive_friction};

    fn reading(input: &Value) -> FrictionReading {
        let input = FrictionInput::parse(input).expect("an input");
        friction_reading(Some(&derive_friction(&input).expect("a sound document")))
    }

    fn line(input: &Value) -> FrictionLine {
        match reading(input) {
            FrictionReading::Seen(line) => line,
            other => panic!("no line: {other:?}"),
        }
    }

    #[test]
    fn nothing_seen_is_silent_and_not_measured_is_said() {
        assert_eq!(friction_reading(None), FrictionReading::Silent);
        assert_eq!(reading(&json!({"toolsCalled": [{"name": "t"}]})), FrictionReading::Silent);
        let gap = FrictionReading::NotMeasured(FrictionGap::NoToolCalls);
        assert_eq!(reading(&json!({"toolsCalled": []})), gap);
    }

    #[test]
    fn the_heading_is_by_consequence_and_not_by_the_first_signal() {
        let page = |at: u32| json!({"name": "t", "arguments": {"page": at}});
        let pages = line(&json!({"toolsCalled": [page(1), page(2)]}));
        assert_eq!(pages.heading, FrictionHeading::Pagination);
        let both = line(&json!({"toolsCalled": [page(1), page(2), page(2)]}));
        assert_eq!(both.heading, FrictionHeading::Retry);
        assert_eq!(both.clauses[0].text, "t: call 1 reads on by page");
        assert_eq!(both.identifier_gap, Some(FrictionGap::ResultsUnavailable));
    }

    #[test]
    fn clauses_state_facts_and_blame_nobody() {
        let call =
            |at: u32| json!({"name": "t", "toolCallId": at.to_string(), "arguments": {"q": at}});
        let results = json!({
            "0": {"raw": {"structuredContent": {"id": "A-1"}}}, "1": {"raw": "", "isError": true},
            "2": {"raw": ""},
        });
        let line = line(&json!({"toolsCalled": [call(0), call(1), call(2)], "results": results}));
        let texts: Vec<_> = line.clauses.iter().map(|clause| &*clause.text).collect();
        assert_eq!(
            texts,
            [
                "t: call 1 asks again with other arguments",
                "t: no later call used an identifier of call 0 (id)",
                "t: asked again in calls 1, 2 after call 0 gave identifiers",
                "t: call 2 asks again with other arguments, after an error",
            ]
        );
        let words = ["wasted", "unnecessary", "caused", "server"];
        assert!(texts.iter().all(|text| words.iter().all(|word| !text.contains(word))));
    }
}
