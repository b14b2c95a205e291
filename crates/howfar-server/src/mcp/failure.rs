//! Errors of tools: what is wrong, where, and what to do next. They are results that a model reads, not protocol errors.

use std::fmt;

use howfar_report::sanitize;
use howfar_wire::api::ProblemType;
use rmcp::model::{CallToolResult, ContentBlock};

use crate::read::ReadError;

/// Why a tool gives no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToolFailure {
    /// A stable word for programs.
    code: String,
    /// What is wrong, and where.
    what: String,
    /// What to do next.
    next: String,
}

impl ToolFailure {
    /// A failure of any kind.
    pub(super) fn new(
        code: impl Into<String>,
        what: impl Into<String>,
        next: impl Into<String>,
    ) -> Self {
        Self { code: code.into(), what: what.into(), next: next.into() }
    }

    /// A parameter has an impossible value.
    pub(super) fn parameter(name: &str, why: impl fmt::Display) -> Self {
        let next = format!("call again with another `{name}`, or without it");
        Self::new("invalid_parameter", format!("the parameter `{name}` {why}"), next)
    }

    /// The answer cannot be made to keep its budget.
    pub(super) fn too_large(bytes: usize, how: &str) -> Self {
        let what =
            format!("the answer has {bytes} bytes, more than its budget, and cannot be shortened");
        Self::new("answer_too_large", what, how)
    }

    /// Something that should not happen.
    pub(super) fn internal(error: &dyn fmt::Display) -> Self {
        let next = "this is a bug of howfar; the command line may answer the same question";
        Self::new("internal_error", error.to_string(), next)
    }

    /// The failure as the result of a tool.
    pub(super) fn into_result(self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(self.to_string())])
    }
}

impl fmt::Display for ToolFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}\nNext: {}", self.code, sanitize(&self.what), sanitize(&self.next))
    }
}

impl From<ReadError> for ToolFailure {
    fn from(error: ReadError) -> Self {
        let kind = error.kind();
        let code = serde_json::to_value(kind).ok();
        let code = code.as_ref().and_then(|code| code.as_str()).unwrap_or("store_unreadable");
        Self::new(code, error.to_string(), next_step(kind))
    }
}

/// What helps after a question without an answer, in the words of these tools.
const fn next_step(kind: ProblemType) -> &'static str {
    match kind {
        ProblemType::RunNotFound => {
            "list_runs shows the stored runs; run_suite, or `howfar run SUITE`, records one"
        }
        ProblemType::DocumentNotFound => {
            "it is unmeasured, and not zero; get_run says how far the run came"
        }
        ProblemType::CaseNotFound => "`head.selection` of get_run names the cases of the run",
        ProblemType::TrialNotFound => "list_iterations lists the stored trials of the run",
        ProblemType::SuiteNotFound => "list_suites shows the suites and their last runs",
        ProblemType::InvalidParameter => "call again with a valid value, or without the parameter",
        ProblemType::AmbiguousRun => "give more of the id; list_runs shows whole ids",
        ProblemType::StoreUnreadable => {
            "`howfar list --check` on the command line names what does not read back"
        }
        ProblemType::NotServed
        | ProblemType::NoRoute
        | ProblemType::MethodNotAllowed
        | ProblemType::ForeignRequest
        | ProblemType::Unauthorized
        | ProblemType::TooManyStreams => "this is not about a tool; the command line may answer it",
    }
}
