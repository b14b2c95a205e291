//! The parts of a page. Each takes documents, holds what it shows, and writes itself with `Display`; the report page and
//! the dashboard are made of the same parts and the same stylesheet.
//!
//! A part is embedded in a template with `|safe`: it has escaped its own texts already.

mod calls;
mod cells;
mod chain;
mod friction;
mod funnel;
mod json;
mod messages;
mod scorecard;
mod servers;
mod state;
mod text;
mod timeline;

pub use calls::CallsPanel;
pub use cells::{StageCells, class_of};
pub use chain::ChainCards;
pub use friction::FrictionPanel;
pub use funnel::{FunnelChart, FunnelLane};
pub use json::JsonView;
pub use messages::Conversation;
pub use scorecard::ScorecardTable;
pub use servers::ServerList;
pub use state::{CaseVerdictMark, MiniChain, OutcomeMark, StateMark, VerdictMark};
pub use text::LongText;
pub use timeline::{Timeline, TimelineStrip};

/// Where the heading of a part stands among the headings of its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Below a section of the page.
    Section,
    /// Below a case, of several in a section.
    Case,
}

impl Level {
    /// The element of the heading.
    const fn heading(self) -> &'static str {
        match self {
            Self::Section => "h3",
            Self::Case => "h5",
        }
    }

    /// The element of a heading below it.
    const fn below(self) -> &'static str {
        match self {
            Self::Section => "h4",
            Self::Case => "h6",
        }
    }
}
