//! Closed vocabularies with their labels, document types and version constants, and `canon`: canonical JSON text,
//! digests and text order.
//!
//! Everything that crosses a border of the product (a file, a pipe, a page) has its type here, spelled as it is on the
//! wire. Nothing here reads a file, a clock or the environment, and nothing here decides anything: derivations live in
//! `howfar-core`.

pub mod analytics;
pub mod api;
pub mod canon;
pub mod cassette;
pub mod chain;
pub mod compare;
pub mod documents;
pub mod evidence;
pub mod finding;
pub mod friction;
pub mod gate;
pub mod grading;
pub mod judge;
pub mod live;
pub mod matching;
pub mod measurement;
pub mod predicate;
pub mod rate;
pub mod record;
pub mod report;
pub mod rollup;
pub mod score;
pub mod scorecard;
mod shape;
pub mod suite;
pub mod suite_gate;
pub mod summary;
pub mod transcript;
pub mod verdict;
pub mod vocabulary;

pub use vocabulary::Vocabulary;
