//! The command line: arguments and nothing else.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

/// howfar tells the author of an MCP server how far value travelled when a model used the server, which link of the
/// chain broke first, on what evidence, and who should look next.
#[derive(Debug, Parser)]
#[command(name = "howfar", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 passed · 1 a measured failure · 2 usage · 3 model key · 4 setup · \
5 not enough measured."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Derive stage rows from evidence documents.
    Derive(DeriveArgs),
    /// Explain a value, or print the whole glossary.
    Explain(ExplainArgs),
    /// Print the JSON Schema of a file or document.
    Schema(SchemaArgs),
}

/// `howfar derive`
#[derive(Debug, Args)]
pub(crate) struct DeriveArgs {
    /// A JSON or JSONL file of evidence documents; `-` or nothing reads JSONL from stdin.
    pub(crate) file: Option<PathBuf>,
}

/// The formats of the glossary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GlossaryFormat {
    /// For a person.
    Human,
    /// One JSON document.
    Json,
    /// A reference page.
    Markdown,
}

/// `howfar explain`
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// A wire value, for example `missingToolCall`.
    pub(crate) value: Option<String>,
    /// Human text, one JSON document or a Markdown page.
    #[arg(long, value_enum)]
    format: Option<GlossaryFormat>,
}

impl ExplainArgs {
    /// The format; the glossary is text for people, so a pipe does not change it.
    pub(crate) fn format(&self) -> GlossaryFormat {
        self.format.unwrap_or(GlossaryFormat::Human)
    }
}

/// `howfar schema`
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The document's name; without one, the names are listed.
    pub(crate) name: Option<String>,
    /// Print every schema as one object.
    #[arg(long, conflicts_with = "name")]
    pub(crate) all: bool,
}
