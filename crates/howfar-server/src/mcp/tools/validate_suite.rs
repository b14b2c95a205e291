//! `validate_suite`: everything that is wrong with a suite file, and which links it measures.

use howfar_suite::{SuiteParse, parse_suite, parse_suite_bytes};
use howfar_wire::finding::SuiteCheckDocument;
use schemars::JsonSchema;
use serde::Deserialize;

use super::super::answer::Answer;
use super::super::catalog::{Call, ModelTool};
use super::super::failure::ToolFailure;

/// `validate_suite`
pub(in super::super) struct ValidateSuite;

/// What `validate_suite` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in super::super) struct Parameters {
    /// A suite file below the folder of this server, as list_suites names it. Either this or `text`.
    path: Option<String>,
    /// The text of a suite, YAML or JSON, that need not be a file. Either this or `path`.
    text: Option<String>,
}

impl ModelTool for ValidateSuite {
    const NAME: &'static str = "validate_suite";
    const TITLE: &'static str = "Check a suite";
    const DESCRIPTION: &'static str = "Check a suite file, or the text of one, offline: every finding at once with its \
         code, place, line and column, warnings, and which links its enabled cases measure. Valid does not mean runnable: \
         servers, tools and model keys are not checked.";
    type Parameters = Parameters;
    type Document = SuiteCheckDocument;

    fn whole(parameters: &Parameters) -> String {
        format!("howfar check {}", parameters.path.as_deref().unwrap_or("FILE"))
    }

    async fn answer(
        parameters: Parameters,
        call: Call<'_>,
    ) -> Result<Answer<SuiteCheckDocument>, ToolFailure> {
        let document = match (parameters.path, parameters.text) {
            (Some(path), None) => {
                let file = call.shared.folder.find(&path)?;
                read_suite(&file, &path)?.document(&call.shared.folder.name_of(&file))
            }
            (None, Some(text)) => parse_suite(&text).document("text"),
            (Some(_), Some(_)) | (None, None) => {
                let what = "give exactly one of `path` and `text`";
                return Err(ToolFailure::new(
                    "invalid_parameter",
                    what,
                    "list_suites shows the files",
                ));
            }
        };
        Ok(Answer::whole(document))
    }
}

/// Reads a suite file of the folder.
pub(super) fn read_suite(file: &std::path::Path, name: &str) -> Result<SuiteParse, ToolFailure> {
    let next = "list_suites shows the suite files that this server can read";
    let unreadable =
        |why: String| ToolFailure::new("file_not_found", format!("{name:?}: {why}"), next);
    let bytes = std::fs::read(file).map_err(|error| unreadable(error.to_string()))?;
    parse_suite_bytes(&bytes).map_err(|error| unreadable(error.to_string()))
}
