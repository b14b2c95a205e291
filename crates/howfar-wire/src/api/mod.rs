//! Answers about stored runs: what the dashboard's JSON API and the MCP server give out (suite and runner, sections E
//! and F4).
//!
//! Answers are pages or single documents, made for the question; documents that the product derives (analytics, rows,
//! scorecards) are in them as they are. Every count carries its unit in its name or in `unit`. A page never ends
//! silently: `nextCursor` is there as long as something follows. Three absences are three different [`Problem`]s: no
//! such run, a run without the document, and a document that this build does not serve (run-documents, section 7.10).

mod cases;
mod chain;
mod events;
mod glossary;
mod problem;
mod runs;
mod suites;
mod trace;
mod trials;

pub use cases::{CasePage, CaseRow, CaseTrials};
pub use chain::{ChainTally, LinkState, LinkTally, TalliedChain, TrialChain};
pub use events::{RunChange, RunProgress};
pub use glossary::{GlossaryEntry, GlossaryPage, GlossarySection};
pub use problem::{Problem, ProblemType};
pub use runs::{DecisionHead, RunHead, RunIdentity, RunPage, RunTally};
pub use suites::{SuiteList, SuiteRow, SuiteTrend, TrendBreak, TrendPoint};
pub use trace::{TracePage, TracePart};
pub use trials::{IterationPage, IterationRow, TrialDetail};

/// The version of every answer. An added optional key does not raise it.
pub const API_SCHEMA_VERSION: u32 = 1;

/// The most items that one page has.
pub const MAX_PAGE_ITEMS: u32 = 200;

/// The items of a page when nobody asks for a number.
pub const DEFAULT_PAGE_ITEMS: u32 = 50;
