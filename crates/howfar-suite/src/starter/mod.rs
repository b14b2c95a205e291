//! A first suite for a server, written from its list of tools: which tools to ask for, example arguments from their
//! input schemas, the text of the suite and of its scripted model.
//!
//! Nothing here calls a tool. What came of trying one is an argument ([`Tried`]), and decides which checks are written:
//! the suite states what was seen, and guesses nothing.

mod choose;
mod example;
mod number;
mod pattern;
mod schema;
mod script_text;
mod suite_text;
mod text;
mod words;

use serde_json::{Map, Value};

pub use choose::{Standing, StarterTool, rank_tools};
pub use example::{ExampleHints, example_arguments};
pub use script_text::render_starter_script;
pub use suite_text::render_starter_suite;
pub use words::{starter_case_ids, starter_name};

/// A starter suite before it is text.
#[derive(Debug, Clone, PartialEq)]
pub struct StarterSuite<'a> {
    /// The server's name, the target of the suite. See [`starter_name`].
    pub server: &'a str,
    /// The suite's id, which is also what the files' names start with: `STEM.suite.yaml` and `STEM.script.yaml`.
    pub stem: &'a str,
    /// The cases, in order; at least one.
    pub cases: &'a [StarterCase<'a>],
    /// Usable tools of the server that get no case, in the order of the listing.
    pub left_out: &'a [&'a str],
}

/// One case: a prompt and the call that it is expected to lead to.
#[derive(Debug, Clone, PartialEq)]
pub struct StarterCase<'a> {
    /// The case's id, unique in the suite. See [`starter_case_ids`].
    pub id: &'a str,
    /// The tool.
    pub tool: &'a StarterTool,
    /// The example arguments, those of the schema's required properties.
    pub arguments: &'a Map<String, Value>,
    /// Why the arguments cannot be checked against the tool's schema, or do not fit it; absent when they fit.
    pub misfit: Option<&'a str>,
    /// What came of trying the call.
    pub tried: &'a Tried,
}

/// What came of calling a tool once with its example arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tried {
    /// It was not called.
    NotTried {
        /// Why not.
        why: String,
    },
    /// It answered, without an error.
    Answered {
        /// Whether the answer has text that is not blank.
        has_text: bool,
    },
    /// It answered with an error of the tool.
    ToolError {
        /// What it said.
        said: String,
    },
    /// The call itself was refused, or its answer cannot be read.
    CallFailed {
        /// What is known.
        said: String,
    },
    /// No answer came.
    NoAnswer {
        /// What is known.
        said: String,
    },
}
