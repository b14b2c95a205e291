//! Why a question has no answer, as one JSON shape (`application/problem+json`).

use serde::{Deserialize, Serialize};

/// What kind of problem. The first three are the three absences of run-documents, section 7.10: they are different facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ProblemType {
    /// 404: the store holds no such run.
    RunNotFound,
    /// 404: the run is stored, and has no such document: it is unmeasured, and not zero.
    DocumentNotFound,
    /// 501: this build does not serve the document.
    NotServed,
    /// 404: the run is stored, and has no such case.
    CaseNotFound,
    /// 404: the case is stored, and has no such trial.
    TrialNotFound,
    /// 404: no run of such a suite is stored.
    SuiteNotFound,
    /// 404: nothing is served at this path.
    NoRoute,
    /// 400: a parameter has an impossible value.
    InvalidParameter,
    /// 400: the beginning of an id names several runs.
    AmbiguousRun,
    /// 405: only GET and HEAD are served.
    MethodNotAllowed,
    /// 403: the request names another host, or comes from another origin.
    ForeignRequest,
    /// 401: the token is missing or wrong.
    Unauthorized,
    /// 503: as many live streams as are allowed are open.
    TooManyStreams,
    /// 500: the store cannot be read, or is damaged.
    StoreUnreadable,
}

impl ProblemType {
    /// The HTTP status.
    pub const fn status(self) -> u16 {
        match self {
            Self::RunNotFound
            | Self::DocumentNotFound
            | Self::CaseNotFound
            | Self::TrialNotFound
            | Self::SuiteNotFound
            | Self::NoRoute => 404,
            Self::NotServed => 501,
            Self::InvalidParameter | Self::AmbiguousRun => 400,
            Self::MethodNotAllowed => 405,
            Self::ForeignRequest => 403,
            Self::Unauthorized => 401,
            Self::TooManyStreams => 503,
            Self::StoreUnreadable => 500,
        }
    }

    /// The kind in words.
    pub const fn title(self) -> &'static str {
        match self {
            Self::RunNotFound => "no such run",
            Self::DocumentNotFound => "the run has no such document",
            Self::NotServed => "not served by this build",
            Self::CaseNotFound => "no such case",
            Self::TrialNotFound => "no such trial",
            Self::SuiteNotFound => "no such suite",
            Self::NoRoute => "nothing is served here",
            Self::InvalidParameter => "a parameter is invalid",
            Self::AmbiguousRun => "several runs answer to the name",
            Self::MethodNotAllowed => "only GET and HEAD are served",
            Self::ForeignRequest => "the request is foreign",
            Self::Unauthorized => "a token is needed",
            Self::TooManyStreams => "too many live streams",
            Self::StoreUnreadable => "the store cannot be read",
        }
    }
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// What kind of problem.
    #[serde(rename = "type")]
    pub problem: ProblemType,
    /// The kind in words.
    pub title: String,
    /// The HTTP status.
    pub status: u16,
    /// What is the matter here.
    pub detail: String,
    /// What to do next; absent when nothing helps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
}

impl Problem {
    /// A problem of this kind.
    pub fn new(problem: ProblemType, detail: String, hint: Option<String>) -> Self {
        let (title, status) = (problem.title().to_owned(), problem.status());
        Self { problem, title, status, detail, hint }
    }
}
