//! Documents to text: the terminal story, the HTML report, the list of runs, the trace of a trial, JUnit XML, Markdown,
//! OTLP traces, annotations of a CI job, and the glossary of every wire value.
//!
//! Every renderer takes a [`howfar_wire::report::RunReport`] and writes into a `fmt::Write`; nothing here reads a file,
//! a clock or the environment, and nothing here decides anything. What servers, models and files wrote is shown through
//! [`sanitize`], so that it can neither drive a terminal nor break an XML or HTML document.

mod annotations;
mod call_groups;
mod comparison;
#[cfg(test)]
mod fixture;
mod gates;
pub mod glossary;
pub mod html;
mod junit;
mod layout;
mod markdown;
mod otlp;
mod places;
mod run_list;
mod story;
mod tally;
mod text;
mod trace;
pub mod words;

pub use annotations::{CasePlaces, render_annotations};
pub use comparison::render_comparison;
pub use gates::{GateEnding, render_gate};
pub use junit::{JunitError, render_compare_junit, render_gate_junit, render_junit};
pub use layout::TextOptions;
pub use markdown::{
    Artifact, MarkdownOptions, render_comparison_markdown, render_gates_markdown, render_markdown,
};
pub use otlp::{OtlpTraces, TraceContent};
pub use run_list::render_run_list;
pub use story::{StoryOptions, render_story};
pub use text::{sanitize, sanitize_json};
pub use trace::render_trace;
