//! The six cells of a row of a case matrix: in each, what became of the trials at one link.

use askama::Template;
use howfar_report::words::count;
use howfar_wire::api::{ChainTally, LinkTally};
use howfar_wire::vocabulary::{StageState, Vocabulary as _};

/// Six table cells in chain order.
#[derive(Debug, Template)]
#[template(
    source = r#"{% for cell in cells %}<td class="cell {{ cell.class }}" title="{{ cell.words }}">{% for (mark, trials) in cell.states %}{% if !loop.first %} {% endif %}<span>{{ mark }} {{ trials }}</span>{% endfor %}{% if cell.states.is_empty() %}<span class="note">no trial</span>{% endif %}</td>{% endfor %}"#,
    ext = "html"
)]
pub(in crate::web::pages) struct StageCells {
    cells: Vec<Cell>,
}

#[derive(Debug)]
struct Cell {
    class: &'static str,
    words: String,
    states: Vec<(&'static str, u64)>,
}

impl StageCells {
    /// The cells of a tally.
    pub(in crate::web::pages) fn new(tally: &ChainTally) -> Self {
        Self { cells: tally.links.iter().map(Cell::new).collect() }
    }
}

impl Cell {
    fn new(link: &LinkTally) -> Self {
        let states: Vec<(StageState, u64)> = link.states.iter().collect();
        let class = match states.as_slice() {
            [] => "empty",
            [(state, _)] => state.as_str(),
            [_, ..] => "mixed",
        };
        let words: Vec<String> = states
            .iter()
            .map(|(state, trials)| format!("{} {}", count(*trials, "trial"), state.label()))
            .collect();
        Self {
            class,
            words: format!("{}: {}", link.stage.label(), words.join(", ")),
            states: states.into_iter().map(|(state, trials)| (mark(state), trials)).collect(),
        }
    }
}

/// The mark of a state.
pub(in crate::web::pages) const fn mark(state: StageState) -> &'static str {
    match state {
        StageState::Passed => "✓",
        StageState::Failed => "✗",
        StageState::NotReached => "⇥",
        StageState::NotMeasured => "?",
        StageState::NotApplicable => "–",
    }
}
