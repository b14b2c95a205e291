//! A row's cells in a case matrix: in each, what became of the trials at one link.

use askama::Template;
use howfar_wire::vocabulary::{Stage, StageState, Vocabulary as _};

use crate::html;
use crate::text::count;

/// Table cells, one per link. Each shows marks and counts, and says them in words on hover and to those who hear the page.
#[derive(Debug, Template)]
#[template(
    source = r#"{% for cell in cells %}<td class="cell {{ cell.class() }}">{% if cell.states.is_empty() %}<span class="note">no trial</span>{% else %}<span role="img" title="{{ cell.words() }}">{% for (state, trials) in cell.states %}{% if !loop.first %} {% endif %}{{ html::mark_of(state) }} {{ trials }}{% endfor %}</span>{% endif %}</td>{% endfor %}"#,
    ext = "html"
)]
pub struct StageCells {
    cells: Vec<Cell>,
}

#[derive(Debug)]
struct Cell {
    stage: Stage,
    /// The states that occurred, with how many trials; empty without a trial.
    states: Vec<(StageState, u64)>,
}

impl StageCells {
    /// The cells of a case: for each link the states that occurred, each with its trials.
    pub fn new(links: impl IntoIterator<Item = (Stage, Vec<(StageState, u64)>)>) -> Self {
        Self { cells: links.into_iter().map(|(stage, states)| Cell { stage, states }).collect() }
    }
}

impl Cell {
    fn class(&self) -> &'static str {
        class_of(&self.states)
    }

    fn words(&self) -> String {
        let words: Vec<String> = self
            .states
            .iter()
            .map(|(state, trials)| format!("{} {}", count(*trials, "trial"), state.label()))
            .collect();
        format!("{}: {}", self.stage.label(), words.join(", "))
    }
}

/// The look of trials in these states: `empty`, that of the one state of all, else `mixed`, and `broke` where one failed.
pub fn class_of(states: &[(StageState, u64)]) -> &'static str {
    match states {
        [] => "empty",
        [(state, _)] => state.as_str(),
        [..] if states.iter().any(|(state, _)| *state == StageState::Failed) => "mixed broke",
        [..] => "mixed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(states: &[(StageState, u64)]) -> String {
        StageCells::new([(Stage::Call, states.to_vec())]).to_string()
    }

    #[test]
    fn a_cell_says_in_words_what_its_marks_say() {
        let shown = shown(&[(StageState::Passed, 4), (StageState::Failed, 1)]);
        assert!(
            shown.contains("class=\"cell mixed broke\"") && shown.contains("✓ 4 ✗ 1"),
            "{shown}"
        );
        let words = "role=\"img\" title=\"Tool call: 4 trials passed, 1 trial failed\"";
        assert!(shown.contains(words), "{shown}");
    }

    #[test]
    fn what_was_not_reached_and_not_measured_looks_neither_passed_nor_failed() {
        let states = [(StageState::NotReached, 10), (StageState::NotMeasured, 90)];
        assert_eq!(class_of(&states), "mixed");
    }

    #[test]
    fn no_trial_is_no_zero() {
        assert!(shown(&[]).contains("no trial"));
    }
}
