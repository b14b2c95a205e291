//! The six cards of a trial's chain (look, "The chain").

use askama::Template;
use howfar_wire::chain::StageRow;
use howfar_wire::evidence::TimelineSpan;
use howfar_wire::vocabulary::{Stage, StageState, Vocabulary as _};

use super::StateMark;
use super::timeline::is_shown;
use crate::html::anchor;
use crate::text::{clip, count};

/// How many characters of a cited reason a card shows.
const REASON: usize = 500;

/// The six cards, joined by a line that is solid up to the last link that held and broken at the first failed one. The
/// first failed card is open; a measured card after the break keeps its own look.
#[derive(Debug, Template)]
#[template(path = "component/chain.html")]
pub struct ChainCards {
    cards: Vec<Card>,
}

#[derive(Debug)]
struct Card {
    anchor: String,
    number: usize,
    stage: Stage,
    mark: StateMark,
    /// The words after "because"; absent when no reason was recorded.
    because: Option<&'static str>,
    /// How the line reaches this card.
    join: Join,
    open: bool,
    counts: String,
    reasons: Vec<String>,
    spans: Vec<Citation>,
}

/// How the line reaches a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Join {
    Solid,
    Broken,
    Loose,
}

impl Join {
    const fn class(self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Broken => "broken",
            Self::Loose => "loose",
        }
    }
}

/// A cited span, with where it stands on the page; without a place it is only named.
#[derive(Debug)]
struct Citation {
    id: String,
    anchor: Option<String>,
}

impl ChainCards {
    /// The cards of a trial.
    ///
    /// `rows` are in chain order, `first_failed` is the trial's own first failed link, and `anchor` is the trial's
    /// anchor: the card of a link stands at `ANCHOR-LINK`. `timeline` are the spans of the [`Timeline`] on the same page,
    /// under the same anchor; none when it has no time line. A cited span that is not shown there is named, and not linked.
    ///
    /// [`Timeline`]: super::Timeline
    pub fn new(
        rows: &[StageRow],
        first_failed: Option<Stage>,
        anchor: &str,
        timeline: &[TimelineSpan],
    ) -> Self {
        let broken = first_failed.map(Stage::index);
        let last_passed = rows.iter().rposition(|row| row.state == StageState::Passed);
        let holds_up_to = broken.or(last_passed.map(|last| last + 1)).unwrap_or(0);
        let join = |index: usize| match index {
            broken_at if broken == Some(broken_at) => Join::Broken,
            held if held < holds_up_to => Join::Solid,
            _ => Join::Loose,
        };
        let card = |(index, row): (usize, &StageRow)| {
            let open = first_failed == Some(row.stage);
            Card::new(index + 1, row, join(index), open, Page { anchor, timeline })
        };
        Self { cards: rows.iter().enumerate().map(card).collect() }
    }
}

/// The page on which a card stands.
#[derive(Debug, Clone, Copy)]
struct Page<'a> {
    /// The trial's anchor.
    anchor: &'a str,
    /// The spans of its time line.
    timeline: &'a [TimelineSpan],
}

impl Card {
    fn new(number: usize, row: &StageRow, join: Join, open: bool, page: Page<'_>) -> Self {
        let evidence = row.evidence.clone().unwrap_or_default();
        let reasons = evidence.predicate_reasons.unwrap_or_default();
        let spans = evidence.span_ids.unwrap_or_default();
        let turns = evidence.prompt_indexes.unwrap_or_default();
        let counted = [(spans.len(), "span"), (turns.len(), "turn"), (reasons.len(), "reason")];
        let counted = counted.into_iter().filter(|(number, _)| *number > 0);
        let counts: Vec<_> = counted.map(|(number, unit)| count(number as u64, unit)).collect();
        let counts = match counts.is_empty() {
            true => "cites nothing".to_owned(),
            false => format!("cites {}", counts.join(" · ")),
        };
        let citation = |id: String| Citation {
            anchor: is_shown(page.timeline, &id).then(|| anchor::span(page.anchor, &id)),
            id,
        };
        Self {
            anchor: format!("{}-{}", page.anchor, row.stage.as_str()),
            number,
            stage: row.stage,
            mark: StateMark { state: row.state },
            because: row.reason.map(|reason| reason.label()),
            join,
            open,
            counts,
            reasons: reasons.iter().map(|reason| clip(reason, REASON).into_owned()).collect(),
            spans: spans.into_iter().map(citation).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use howfar_wire::vocabulary::{FailureCategory, StageReason};

    use super::*;
    use crate::fixture::{broke, cite, held, unmeasured};

    fn cards(trial: &howfar_wire::report::TrialReport) -> ChainCards {
        ChainCards::new(&trial.stage_results, trial.first_failed_stage, "t", &[])
    }

    fn joins(trial: &howfar_wire::report::TrialReport) -> Vec<&'static str> {
        cards(trial).cards.iter().map(|card| card.join.class()).collect()
    }

    #[test]
    fn the_line_breaks_at_the_first_failed_link() {
        let broke = broke(Stage::Call, StageReason::ArgumentMismatch, FailureCategory::Arguments);
        assert_eq!(joins(&broke), ["solid", "solid", "solid", "broken", "loose", "loose"]);
        assert_eq!(joins(&held()), ["solid"; 6]);
        let nothing = unmeasured(
            howfar_wire::vocabulary::IterationStatus::TimedOut,
            StageReason::LifecycleStopped,
        );
        assert_eq!(joins(&nothing), ["loose"; 6]);
    }

    #[test]
    fn only_the_first_failed_card_is_open_and_says_because() {
        let mut broke = broke(Stage::Call, StageReason::ToolError, FailureCategory::ServerData);
        cite(&mut broke, Stage::Call, &["<b>no</b>"]);
        let shown = cards(&broke).to_string();
        assert_eq!(shown.matches("<details open").count(), 1, "{shown}");
        assert!(shown.contains("because the server reported a tool error"), "{shown}");
        assert!(shown.contains("&#60;b&#62;no&#60;/b&#62;"), "{shown}");
        assert!(shown.contains("id=\"t-call\""), "{shown}");
    }
}
