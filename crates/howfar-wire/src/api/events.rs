//! What the live view of runs is told, one server-sent event each.

use serde::{Deserialize, Serialize};

use super::runs::RunTally;
use super::trials::IterationRow;
use crate::record::RunListRow;

/// How far a run is: the event `progress` of one run. The first one says where the run stands, and each later one that
/// something changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunProgress {
    /// The run as the list shows it. As long as it runs, no verdict is established.
    pub run: RunListRow,
    /// Its stored trials by what became of them.
    pub trials: RunTally,
    /// The trials that finished since the event before, in the order in which they were stored; empty in the first
    /// event, and at most 200.
    pub finished: Vec<IterationRow>,
}

/// A run that began, went on or ended: the event `run` of all runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct RunChange {
    /// The run as the list shows it now.
    pub run: RunListRow,
}
