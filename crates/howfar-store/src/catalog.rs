//! Tool catalogs apart from evidence: every trial of a run sees the same ones, and they are its largest part.

use howfar_wire::evidence::TrialEvidence;
use howfar_wire::transcript::{InventoryTool, ToolDeclaration};
use serde::{Deserialize, Serialize};

/// The catalogs of a transcript. An absent list and an empty one are different facts.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Catalog {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_inventory: Option<Vec<InventoryTool>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tool_declarations: Option<Vec<ToolDeclaration>>,
}

/// The catalogs of a trial, and its evidence without them.
pub(crate) fn split<'a>(evidence: &TrialEvidence<'a>) -> (Catalog, TrialEvidence<'a>) {
    let mut rest = evidence.clone();
    let catalog = Catalog {
        tool_inventory: rest.transcript.tool_inventory.take(),
        tool_declarations: rest.transcript.tool_declarations.take(),
    };
    (catalog, rest)
}

/// Puts the catalogs of a trial back.
pub(crate) fn join(catalog: Catalog, evidence: &mut TrialEvidence<'_>) {
    evidence.transcript.tool_inventory = catalog.tool_inventory;
    evidence.transcript.tool_declarations = catalog.tool_declarations;
}
