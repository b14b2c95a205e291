//! What a question may say behind the `?`. A parameter that does not exist, or has no such value, is refused by name.

use howfar_wire::api::TracePart;
use howfar_wire::vocabulary::{
    FailureCategory, IterationStatus, Stage, StageState, TaskVerdict, Verdict,
};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::read::Paging;

/// No parameter.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

/// Which page.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Pages {
    /// At most this many items, 1 to 200; 50 when it is not given.
    limit: Option<u32>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
}

impl Pages {
    pub(super) fn paging(self) -> Paging {
        Paging { limit: self.limit, cursor: self.cursor, ..Paging::default() }
    }
}

/// Which runs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Runs {
    /// Only runs of the suite with this declared id.
    pub(super) suite: Option<String>,
    /// Only runs with this verdict; one that did not end has `notEstablished`.
    pub(super) verdict: Option<Verdict>,
    /// At most this many items, 1 to 200; 50 when it is not given.
    pub(super) limit: Option<u32>,
    /// The `nextCursor` of the page before.
    pub(super) cursor: Option<String>,
}

/// Which trials.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Trials {
    /// Only trials of the case with this declared id.
    pub(super) case: Option<String>,
    /// Only trials with this status.
    pub(super) status: Option<IterationStatus>,
    /// Only trials that grading decided so.
    pub(super) verdict: Option<TaskVerdict>,
    /// Only trials whose chain broke here first.
    pub(super) broke: Option<Stage>,
    /// Only trials in this bucket.
    pub(super) category: Option<FailureCategory>,
    /// Together with `state`: only trials whose chain says that of this link.
    pub(super) stage: Option<Stage>,
    /// Together with `stage`: the state of that link.
    pub(super) state: Option<StageState>,
    /// `true`: only trials that stand in no bar of the funnel.
    pub(super) excluded: Option<bool>,
    /// At most this many items, 1 to 200; 50 when it is not given.
    pub(super) limit: Option<u32>,
    /// The `nextCursor` of the page before.
    pub(super) cursor: Option<String>,
}

/// Compared with which run.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Comparison {
    /// The run to compare with; the previous complete run of the suite when it is not given.
    pub(super) base: Option<String>,
}

/// Which part of a trace.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Trace {
    /// `messages` when it is not given.
    pub(super) part: Option<TracePart>,
    /// At most this many items, 1 to 200; 50 when it is not given.
    pub(super) limit: Option<u32>,
    /// The `nextCursor` of the page before.
    pub(super) cursor: Option<String>,
}

/// Which values of the glossary.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Glossary {
    /// Only entries with this wire spelling; without it, every vocabulary.
    pub(super) value: Option<String>,
}
