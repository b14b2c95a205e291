//! The tools that servers declared otherwise in the other run.

use serde::{Deserialize, Serialize};

use crate::vocabulary::vocabulary;

vocabulary! {
    /// What became of a declared tool from the base run to the compared one.
    ToolChange = "toolChanges", "What became of a declared tool from the base run to the compared one." {
        /// Only the compared run's server declares it.
        Added = "added" => "added",
        /// Only the base run's server declares it.
        Removed = "removed" => "removed",
        /// Both declare it, not alike.
        Changed = "changed" => "changed",
    }
}

vocabulary! {
    /// A part of a tool's declaration. A title outside the annotations is not recorded.
    ToolPart = "toolParts", "A part of a tool's declaration." {
        /// What it says it does.
        Description = "description" => "description",
        /// What its arguments look like.
        InputSchema = "inputSchema" => "input schema",
        /// What its structured results look like.
        OutputSchema = "outputSchema" => "output schema",
        /// Hints such as `readOnlyHint`, with the title among them.
        Annotations = "annotations" => "annotations",
    }
}

/// One tool that its server declares otherwise in the other run. It is a fact about the server; what moved in the run may
/// or may not come from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolDifference {
    /// The server, as the suite names it.
    pub server_name: String,
    /// The tool, as the server names it.
    pub tool_name: String,
    /// What became of it.
    pub change: ToolChange,
    /// The parts that are declared otherwise, in vocabulary order; empty unless `change` is `changed`.
    pub parts: Vec<ToolPart>,
}
