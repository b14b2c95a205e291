//! Marks with their words: a state, a verdict or an outcome is never told by colour alone (look, "The five states").

use askama::Template;
use howfar_wire::chain::StageRow;
use howfar_wire::scorecard::CheckOutcome;
use howfar_wire::vocabulary::{CaseVerdict, Stage, StageState, Verdict, Vocabulary as _};

use crate::html;

/// The mark and the whole words of a stage state.
#[derive(Debug, Template)]
#[template(
    source = r#"<span class="mark {{ state.as_str() }}"><i aria-hidden="true">{{ html::mark_of(state) }}</i> {{ state.label() }}</span>"#,
    ext = "html"
)]
pub struct StateMark {
    /// The state.
    pub state: StageState,
}

/// The mark and the words of a run's verdict. The four never share a fill.
#[derive(Debug, Template)]
#[template(
    source = r#"<span class="verdict v-{{ verdict.as_str() }}"><i aria-hidden="true">{{ self.mark() }}</i> {{ verdict.label() }}</span>"#,
    ext = "html"
)]
pub struct VerdictMark {
    /// The verdict.
    pub verdict: Verdict,
}

impl VerdictMark {
    /// The mark alone; the words always stand beside it.
    pub const fn mark(&self) -> &'static str {
        match self.verdict {
            Verdict::Passed => "✓",
            Verdict::Failed => "✗",
            Verdict::Inconclusive => "?",
            Verdict::NotEstablished => "□",
        }
    }
}

/// The mark and the words of a case's verdict.
#[derive(Debug, Template)]
#[template(
    source = r#"<span class="verdict small v-{{ self.class() }}"><i aria-hidden="true">{{ self.mark() }}</i> {{ verdict.label() }}</span>"#,
    ext = "html"
)]
pub struct CaseVerdictMark {
    /// The verdict.
    pub verdict: CaseVerdict,
}

impl CaseVerdictMark {
    const fn mark(&self) -> &'static str {
        match self.verdict {
            CaseVerdict::Passed => "✓",
            CaseVerdict::Failed => "✗",
            CaseVerdict::Inconclusive => "?",
            CaseVerdict::NotRun => "□",
        }
    }

    /// A case that was not run looks like a run without a verdict: outlined, never filled.
    pub const fn class(&self) -> &'static str {
        match self.verdict {
            CaseVerdict::Passed => "passed",
            CaseVerdict::Failed => "failed",
            CaseVerdict::Inconclusive => "inconclusive",
            CaseVerdict::NotRun => "notEstablished",
        }
    }
}

/// The mark and the words of a check's outcome.
#[derive(Debug, Template)]
#[template(
    source = r#"<span class="mark {{ self.class() }}"><i aria-hidden="true">{{ self.mark() }}</i> {{ outcome.label() }}</span>"#,
    ext = "html"
)]
pub struct OutcomeMark {
    /// The outcome.
    pub outcome: CheckOutcome,
}

impl OutcomeMark {
    const fn mark(&self) -> &'static str {
        match self.outcome {
            CheckOutcome::Passed => "✓",
            CheckOutcome::Failed => "✗",
            CheckOutcome::Error => "!",
            CheckOutcome::NotMeasured => "?",
        }
    }

    const fn class(&self) -> &'static str {
        match self.outcome {
            CheckOutcome::Passed => "passed",
            CheckOutcome::Failed => "failed",
            CheckOutcome::Error => "unmeasurable",
            CheckOutcome::NotMeasured => "notMeasured",
        }
    }
}

/// The six states of a trial as six small marks, with their words for those who hear the page.
#[derive(Debug, Template)]
#[template(
    source = r#"<span class="mini" role="img" aria-label="{{ self.words() }}">{% for (_, state) in links %}<i class="{{ state.as_str() }}">{{ html::mark_of(state) }}</i>{% endfor %}</span>"#,
    ext = "html"
)]
pub struct MiniChain {
    links: Vec<(Stage, StageState)>,
}

impl MiniChain {
    /// The chain of a derivation.
    pub fn of_rows(rows: &[StageRow]) -> Self {
        Self { links: rows.iter().map(|row| (row.stage, row.state)).collect() }
    }

    /// The states of a chain, in its order.
    pub fn of_states(states: &[StageState; 6]) -> Self {
        Self { links: Stage::ALL.iter().copied().zip(states.iter().copied()).collect() }
    }

    fn words(&self) -> String {
        let word =
            |(stage, state): &(Stage, StageState)| format!("{} {}", stage.label(), state.label());
        self.links.iter().map(word).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_a_mark_of_its_own_beside_its_words() {
        let mut marks: Vec<&str> = StageState::ALL.iter().map(html::mark_of).collect();
        marks.dedup();
        assert_eq!(marks.len(), StageState::ALL.len());
        for &state in StageState::ALL {
            let shown = StateMark { state }.to_string();
            assert!(
                shown.contains(state.label()) && shown.contains(html::mark_of(&state)),
                "{shown}"
            );
        }
    }

    #[test]
    fn the_four_verdicts_share_no_class() {
        let shown = |verdict: &Verdict| VerdictMark { verdict: *verdict }.to_string();
        let all: std::collections::BTreeSet<String> = Verdict::ALL.iter().map(shown).collect();
        assert_eq!(all.len(), 4);
    }
}
