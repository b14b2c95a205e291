//! Why a question about stored runs has no answer.

use howfar_store::{FindError, StoreError};
use howfar_wire::api::{Problem, ProblemType};

/// Why a question has no answer. The three absences of run-documents, section 7.10 are three members.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The store holds no such run, or there is no store.
    #[error("no stored run answers to {name:?}")]
    RunNotFound {
        /// What was asked for.
        name: String,
    },
    /// The run is stored, and has no such document. It is unmeasured, and not zero.
    #[error("run {run_id} has no {document}: {why}")]
    DocumentNotFound {
        /// The run.
        run_id: String,
        /// The document, in words.
        document: &'static str,
        /// Why there is none.
        why: &'static str,
    },
    /// This build does not serve the document.
    #[error("this build does not serve a document {document:?}")]
    NotServed {
        /// The document, as it was asked for.
        document: String,
    },
    /// The beginning of an id names several runs.
    #[error("{name:?} names more than one run: {}", ids.join(", "))]
    AmbiguousRun {
        /// What was asked for.
        name: String,
        /// Some of the ids.
        ids: Vec<String>,
    },
    /// The run is stored, and has no such case.
    #[error("run {run_id} has no case {case_id:?}")]
    CaseNotFound {
        /// The run.
        run_id: String,
        /// What was asked for.
        case_id: String,
    },
    /// The case is there, and no such trial is stored.
    #[error("run {run_id} holds no trial {iteration} of case {case_id:?}")]
    TrialNotFound {
        /// The run.
        run_id: String,
        /// The case.
        case_id: String,
        /// What was asked for.
        iteration: u32,
    },
    /// No run of such a suite is stored.
    #[error("no run of a suite {suite_id:?} is stored")]
    SuiteNotFound {
        /// What was asked for.
        suite_id: String,
    },
    /// A parameter has an impossible value.
    #[error("the parameter {name} {why}")]
    InvalidParameter {
        /// The parameter.
        name: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ReadError {
    /// The kind of problem that it is on the wire.
    pub const fn kind(&self) -> ProblemType {
        match self {
            Self::RunNotFound { .. } => ProblemType::RunNotFound,
            Self::DocumentNotFound { .. } => ProblemType::DocumentNotFound,
            Self::NotServed { .. } => ProblemType::NotServed,
            Self::AmbiguousRun { .. } => ProblemType::AmbiguousRun,
            Self::CaseNotFound { .. } => ProblemType::CaseNotFound,
            Self::TrialNotFound { .. } => ProblemType::TrialNotFound,
            Self::SuiteNotFound { .. } => ProblemType::SuiteNotFound,
            Self::InvalidParameter { .. } => ProblemType::InvalidParameter,
            Self::Store(_) => ProblemType::StoreUnreadable,
        }
    }

    /// What to do next, when something helps.
    pub const fn hint(&self) -> Option<&'static str> {
        match self {
            Self::RunNotFound { .. } | Self::SuiteNotFound { .. } => {
                Some("`howfar list` shows what is stored, `howfar run SUITE` records a run")
            }
            Self::AmbiguousRun { .. } => Some("give more of the id"),
            Self::Store(StoreError::Damaged { .. }) => {
                Some("`howfar list --check` names everything that does not read back")
            }
            Self::DocumentNotFound { .. }
            | Self::NotServed { .. }
            | Self::CaseNotFound { .. }
            | Self::TrialNotFound { .. }
            | Self::InvalidParameter { .. }
            | Self::Store(_) => None,
        }
    }

    /// The problem as it goes out.
    pub fn problem(&self) -> Problem {
        let hint = self.hint().map(str::to_owned);
        Problem::new(self.kind(), self.to_string(), hint)
    }
}

impl From<FindError> for ReadError {
    fn from(error: FindError) -> Self {
        match error {
            FindError::Empty => Self::RunNotFound { name: "latest".to_owned() },
            FindError::NotFound { name } => Self::RunNotFound { name },
            FindError::Ambiguous { name, ids } => Self::AmbiguousRun { name, ids },
            FindError::Store(error) => Self::Store(error),
        }
    }
}
