//! Where the document of a comparison or a gate goes: stdout carries one document, a file is written whole.

use howfar_wire::vocabulary::ExitCode;
use serde::Serialize;

use crate::cli::{Format, GateReporter, OutletArgs};
use crate::error::CommandError;
use crate::output;

/// One document in its three forms.
pub(super) struct Delivery<'a, T> {
    pub(super) document: &'a T,
    /// For a person, in the look of stdout.
    pub(super) human: &'a str,
    /// As JUnit XML.
    pub(super) junit: &'a dyn Fn() -> String,
}

impl<T: Serialize> Delivery<'_, T> {
    /// Writes the document where it was asked for. A file that cannot be written is a setup error.
    pub(super) fn deliver(&self, args: &OutletArgs) -> Result<(), CommandError> {
        if let Some(out) = &args.out {
            let text = self.text(args.reporter.unwrap_or(GateReporter::JsonSummary));
            output::write_atomically(out, text.as_bytes()).map_err(|error| {
                let message =
                    format!("the document could not be written to {}: {error}", out.display());
                CommandError::new(ExitCode::Setup, message)
            })?;
        }
        match (args.reporter, Format::or_by_stdout(args.format)) {
            (Some(reporter), _) => {
                output::say(self.human.trim_end());
                match args.out.is_some() && output::stdout_is_terminal() {
                    true => Ok(()),
                    false => output::text(&self.text(reporter)),
                }
            }
            (None, Format::Json) => output::json(self.document),
            (None, Format::Human) => output::text(self.human),
        }
    }

    fn text(&self, reporter: GateReporter) -> String {
        match reporter {
            GateReporter::JsonSummary => {
                let mut text = serde_json::to_string(self.document)
                    .expect("a document holds nothing but JSON");
                text.push('\n');
                text
            }
            GateReporter::JunitXml => (self.junit)(),
        }
    }
}
