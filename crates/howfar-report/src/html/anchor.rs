//! Where things stand on a page: every case, trial, link of a trial and lane of the funnel has an address.

use std::fmt::Write as _;

use howfar_wire::vocabulary::{Stage, StageState, Vocabulary as _};

/// The anchor of a case, without `#`.
pub fn case(case_id: &str) -> String {
    format!("case-{}", slug(case_id))
}

/// The anchor of a trial, without `#`; `number` counts from 1.
pub fn trial(case_id: &str, number: u32) -> String {
    format!("case-{}-trial-{number}", slug(case_id))
}

/// The anchor of a span on the time line of the trial with the anchor `trial`, without `#`.
pub(super) fn span(trial: &str, id: &str) -> String {
    format!("{trial}-span-{}", slug(id))
}

/// The anchor of the trials in one lane of the funnel, without `#`.
pub fn lane(stage: Stage, state: StageState) -> String {
    format!("lane-{}-{}", stage.as_str(), state.as_str())
}

/// An id as a fragment: letters, digits, `_`, `-` and `.` stay, anything else becomes `~` and its code point.
fn slug(id: &str) -> String {
    let mut out = String::with_capacity(id.len());
    for character in id.chars() {
        if character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.') {
            out.push(character);
        } else {
            write!(out, "~{:x}", u32::from(character)).expect("writing to a string cannot fail");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_is_one_word() {
        assert_eq!(trial("c_refund", 12), "case-c_refund-trial-12");
        assert_eq!(case("a b\"<"), "case-a~20b~22~3c");
        assert_eq!(lane(Stage::UserValue, StageState::NotReached), "lane-userValue-notReached");
    }
}
