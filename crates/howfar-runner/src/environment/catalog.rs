//! The frozen catalog: what the model sees, and the raw declarations behind it.

use std::collections::HashMap;

use howfar_mcp::{Catalog, ToolEntry};
use howfar_model::ToolSpec;
use howfar_wire::report::Issue;
use howfar_wire::transcript::{CaptureState, InventoryTool, ToolDeclaration};
use howfar_wire::vocabulary::{IssueCode, RefusalCategory, RefusalPhase};
use serde_json::Value;

/// The catalogs of all servers, merged for the model.
pub(super) struct MergedCatalog {
    pub(super) owners: HashMap<String, usize>,
    pub(super) specs: Vec<ToolSpec>,
    pub(super) inventory: Vec<InventoryTool>,
    pub(super) declarations: Vec<ToolDeclaration>,
    pub(super) state: CaptureState,
    pub(super) issues: Vec<Issue>,
    /// Tools that two servers expose, with both servers.
    pub(super) collisions: Vec<(String, String, String)>,
}

/// Merges catalogs in file order. A tool name that two servers expose belongs to the one that stands first; the raw
/// declarations keep both.
pub(super) fn merge(catalogs: &[(usize, &Catalog)], expected: usize) -> MergedCatalog {
    let complete =
        catalogs.len() == expected && catalogs.iter().all(|(_, catalog)| catalog.complete);
    let mut merged = MergedCatalog {
        owners: HashMap::new(),
        specs: Vec::new(),
        inventory: Vec::new(),
        declarations: Vec::new(),
        state: if complete { CaptureState::Complete } else { CaptureState::Partial },
        issues: Vec::new(),
        collisions: Vec::new(),
    };
    let mut owner_names: HashMap<String, String> = HashMap::new();
    for (at, catalog) in catalogs {
        add_findings(&mut merged, catalog);
        for tool in &catalog.tools {
            merged.declarations.push(declaration(&catalog.server, tool));
            match owner_names.get(&tool.name) {
                // The same server repeats the name: the listing has said so.
                Some(owner) if *owner == catalog.server => {}
                Some(owner) => {
                    let collision = (tool.name.clone(), owner.clone(), catalog.server.clone());
                    merged.collisions.push(collision);
                }
                None => {
                    owner_names.insert(tool.name.clone(), catalog.server.clone());
                    merged.owners.insert(tool.name.clone(), *at);
                    merged.specs.push(spec(tool));
                    merged.inventory.push(inventory_tool(tool));
                }
            }
        }
    }
    let collisions: Vec<_> = merged.collisions.iter().map(collision_issue).collect();
    merged.issues.extend(collisions);
    merged
}

/// An issue about a catalog.
pub(super) fn catalog_issue(server: &str, message: String) -> Issue {
    Issue {
        code: IssueCode::CatalogFinding,
        phase: RefusalPhase::Setup,
        category: RefusalCategory::Setup,
        message,
        case_id: None,
        iteration_number: None,
        server: Some(server.to_owned()),
    }
}

fn add_findings(merged: &mut MergedCatalog, catalog: &Catalog) {
    let server = &catalog.server;
    let findings =
        catalog.findings.iter().map(|finding| catalog_issue(server, finding.text.clone()));
    merged.issues.extend(findings);
    if catalog.tools.is_empty() {
        let message = format!(
            "server {server:?} advertises no usable tool; nothing that a case expects of it can be selected"
        );
        merged.issues.push(catalog_issue(server, message));
    }
}

fn collision_issue((tool, first, second): &(String, String, String)) -> Issue {
    let message = format!(
        "servers {first:?} and {second:?} both expose a tool named {tool:?}; the model gets the one of {first:?}"
    );
    catalog_issue(second, message)
}

fn spec(tool: &ToolEntry) -> ToolSpec {
    ToolSpec {
        name: tool.name.clone(),
        description: tool.description.clone(),
        input_schema: Value::Object(tool.input_schema.clone()),
    }
}

fn inventory_tool(tool: &ToolEntry) -> InventoryTool {
    InventoryTool {
        name: tool.name.clone(),
        description: tool.raw.get("description").cloned(),
        input_schema: tool.raw.get("inputSchema").cloned(),
        annotations: tool.raw.get("annotations").cloned(),
    }
}

fn declaration(server: &str, tool: &ToolEntry) -> ToolDeclaration {
    ToolDeclaration {
        server_key: server.to_owned(),
        name: tool.name.clone(),
        description: tool.raw.get("description").cloned(),
        input_schema: tool.raw.get("inputSchema").cloned(),
        output_schema: tool.raw.get("outputSchema").cloned(),
        annotations: tool.raw.get("annotations").cloned(),
    }
}
