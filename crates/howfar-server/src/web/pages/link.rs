//! Where every page stands. Ids come from files and stores, so each part of a path is percent-encoded.

use std::fmt::Write as _;

use howfar_report::html::component::FunnelLane;
use howfar_wire::vocabulary::{
    FailureCategory, IterationStatus, Stage, TaskVerdict, Vocabulary as _,
};

/// The page of a suite.
pub(super) fn suite(suite_id: &str) -> String {
    format!("/suites/{}", encoded(suite_id))
}

/// The page of a run.
pub(super) fn run(run_id: &str) -> String {
    format!("/runs/{}", encoded(run_id))
}

/// The page of a case of a run.
pub(super) fn case(run_id: &str, case_id: &str) -> String {
    format!("{}/cases/{}", run(run_id), encoded(case_id))
}

/// The page of a trial; `number` counts from 1.
pub(super) fn trial(run_id: &str, case_id: &str, number: u32) -> String {
    format!("{}/trials/{number}", case(run_id, case_id))
}

/// The trials of a run, all of them.
pub(super) fn trials(run_id: &str) -> String {
    format!("{}/trials", run(run_id))
}

/// The trials in one lane of the funnel.
pub(super) fn lane(run_id: &str, lane: FunnelLane) -> String {
    match lane {
        FunnelLane::State(stage, state) => {
            format!("{}?stage={}&state={}", trials(run_id), stage.as_str(), state.as_str())
        }
        FunnelLane::Excluded => format!("{}?lane=excluded", trials(run_id)),
    }
}

/// The trials whose chain broke first at a link.
pub(super) fn first_failed(run_id: &str, stage: Stage) -> String {
    format!("{}?first={}", trials(run_id), stage.as_str())
}

/// The trials that grading decided so.
pub(super) fn graded(run_id: &str, verdict: TaskVerdict) -> String {
    format!("{}?graded={}", trials(run_id), verdict.as_str())
}

/// The trials with this status.
pub(super) fn status(run_id: &str, status: IterationStatus) -> String {
    format!("{}?status={}", trials(run_id), status.as_str())
}

/// The trials in a bucket.
pub(super) fn bucket(run_id: &str, category: FailureCategory) -> String {
    format!("{}?category={}", trials(run_id), category.as_str())
}

/// The head of a run as JSON.
pub(super) fn api_run(run_id: &str) -> String {
    format!("/api/v1{}", run(run_id))
}

/// The live events of a run.
pub(super) fn events(run_id: &str) -> String {
    format!("/api/v1{}/events", run(run_id))
}

/// The comparison of a run with another, its base.
pub(super) fn compare(run_id: &str, base: &str) -> String {
    format!("/compare?run={}&base={}", encoded(run_id), encoded(base))
}

/// The entry of a value in the glossary.
pub(super) fn glossary(vocabulary: &str, value: &str) -> String {
    format!("/glossary#{}", glossary_anchor(vocabulary, value))
}

/// The anchor of a value in the glossary, without `#`.
pub(super) fn glossary_anchor(vocabulary: &str, value: &str) -> String {
    format!("{vocabulary}-{}", encoded(value))
}

/// A text as one part of a path or a query: letters, digits and `-._~` stay, every other byte is written as `%XX`.
pub(super) fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            write!(out, "%{byte:02X}").expect("writing to a string cannot fail");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_one_part_of_a_path() {
        assert_eq!(trial("r_1", "a/b?<ü>", 3), "/runs/r_1/cases/a%2Fb%3F%3C%C3%BC%3E/trials/3");
        assert_eq!(compare("a&b", "c"), "/compare?run=a%26b&base=c");
    }
}
