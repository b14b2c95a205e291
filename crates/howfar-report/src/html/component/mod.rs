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
