//! The tools of two runs: whether the model saw the same ones, and which of them servers declare otherwise.

use howfar_wire::canon::canonical;
use howfar_wire::compare::{CompareCatalogs, ToolChange, ToolDifference, ToolPart};
use howfar_wire::transcript::ToolDeclaration;
use howfar_wire::vocabulary::Vocabulary as _;
use indexmap::IndexMap;
use serde_json::Value;

use crate::run::side::RunSide;

/// The most tools that a comparison lists.
const MAX_TOOLS: usize = 100;

/// The tools of both runs.
pub(super) fn catalogs(base: &RunSide, compare: &RunSide) -> CompareCatalogs {
    let both = base.declarations.as_deref().zip(compare.declarations.as_deref());
    let mut tools = both.map(|(base, compare)| tool_differences(base, compare));
    let all = tools.as_ref().map_or(0, Vec::len);
    if let Some(tools) = &mut tools {
        tools.truncate(MAX_TOOLS);
    }
    let (base, compare) = (base.catalog_digest.clone(), compare.catalog_digest.clone());
    CompareCatalogs {
        changed: base.as_ref().zip(compare.as_ref()).map(|(base, compare)| base != compare),
        base,
        compare,
        tools,
        tools_left_out: all.saturating_sub(MAX_TOOLS) as u64,
    }
}

/// The entries of each tool, by server and name, in declared order. A server that repeats a name has several.
type Tools<'a> = IndexMap<(&'a str, &'a str), Vec<&'a ToolDeclaration>>;

/// The tools of the base run that are gone or declared otherwise, in declared order, then those that are new.
fn tool_differences(base: &[ToolDeclaration], compare: &[ToolDeclaration]) -> Vec<ToolDifference> {
    let (base, compare) = (by_name(base), by_name(compare));
    let of_base = base.iter().filter_map(|(key, entries)| match compare.get(key) {
        None => Some(difference(*key, ToolChange::Removed, Vec::new())),
        Some(others) => {
            let parts = changed_parts(entries, others);
            (!parts.is_empty()).then(|| difference(*key, ToolChange::Changed, parts))
        }
    });
    let added = compare.keys().filter(|key| !base.contains_key(*key));
    of_base.chain(added.map(|key| difference(*key, ToolChange::Added, Vec::new()))).collect()
}

fn by_name(declared: &[ToolDeclaration]) -> Tools<'_> {
    let mut tools = Tools::new();
    for tool in declared {
        tools.entry((tool.server_key.as_str(), tool.name.as_str())).or_default().push(tool);
    }
    tools
}

/// The parts in which the entries of one tool differ. A server that repeats a name another number of times declares every
/// part otherwise.
fn changed_parts(base: &[&ToolDeclaration], compare: &[&ToolDeclaration]) -> Vec<ToolPart> {
    let differs = |part: ToolPart| {
        let pairs = || base.iter().zip(compare);
        base.len() != compare.len()
            || pairs().any(|(base, compare)| !is_same(value(base, part), value(compare, part)))
    };
    ToolPart::ALL.iter().copied().filter(|part| differs(*part)).collect()
}

const fn value(tool: &ToolDeclaration, part: ToolPart) -> Option<&Value> {
    match part {
        ToolPart::Description => tool.description.as_ref(),
        ToolPart::InputSchema => tool.input_schema.as_ref(),
        ToolPart::OutputSchema => tool.output_schema.as_ref(),
        ToolPart::Annotations => tool.annotations.as_ref(),
    }
}

/// Whether two values are one in canonical JSON. An absent part and a null are different declarations.
fn is_same(base: Option<&Value>, compare: Option<&Value>) -> bool {
    match (base, compare) {
        (Some(base), Some(compare)) => base == compare || canonical(base) == canonical(compare),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

fn difference(
    (server, tool): (&str, &str),
    change: ToolChange,
    parts: Vec<ToolPart>,
) -> ToolDifference {
    ToolDifference { server_name: server.to_owned(), tool_name: tool.to_owned(), change, parts }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::run::fixture::{Went, run};

    /// A run whose servers declared these tools; `None` when it is not known.
    fn side(digest: &str, tools: Option<Value>) -> RunSide {
        let declarations =
            tools.map(|tools| serde_json::from_value(tools).expect("a list of declarations"));
        let catalog_digest = Some(digest.to_owned());
        RunSide { catalog_digest, declarations, ..run(digest, &[("c", &[Went::Well])]) }
    }

    fn tool(name: &str, description: &str) -> Value {
        json!({ "serverKey": "shop", "name": name, "description": description,
            "inputSchema": { "type": "object", "minProperties": 1 } })
    }

    /// `tool change parts`, one text per row.
    fn told(base: Value, compare: Value) -> Vec<String> {
        let both = catalogs(&side("a", Some(base)), &side("b", Some(compare)));
        let row = |row: &ToolDifference| {
            let parts: Vec<_> = row.parts.iter().map(|part| part.as_str()).collect();
            format!("{} {} {}", row.tool_name, row.change, parts.join("+")).trim_end().to_owned()
        };
        both.tools.expect("both are known").iter().map(row).collect()
    }

    #[test]
    fn a_tool_is_removed_changed_in_parts_or_added() {
        let mut other = tool("find", "Query.");
        other["annotations"] = json!({ "readOnlyHint": true });
        other["outputSchema"] = Value::Null;
        let base = json!([tool("drop", "Drop."), tool("find", "Find."), tool("keep", "Keep.")]);
        let rows = told(base, json!([tool("new", "New."), tool("keep", "Keep."), other]));
        let changed = "find changed description+outputSchema+annotations";
        assert_eq!(rows, ["drop removed", changed, "new added"]);
    }

    #[test]
    fn another_spelling_of_one_schema_is_no_change() {
        let mut other = tool("find", "Find.");
        other["inputSchema"] = json!({ "minProperties": 1.0, "type": "object" });
        assert_eq!(told(json!([tool("find", "Find.")]), json!([other])), Vec::<String>::new());
    }

    #[test]
    fn a_tool_of_another_server_is_another_tool() {
        let mut other = tool("find", "Find.");
        other["serverKey"] = json!("depot");
        let rows = told(json!([tool("find", "Find.")]), json!([other]));
        assert_eq!(rows, ["find removed", "find added"]);
    }

    #[test]
    fn a_catalog_that_is_not_known_is_not_unchanged() {
        let known = side("a", Some(json!([])));
        let both = catalogs(&known, &side("b", None));
        assert_eq!((both.changed, both.tools, both.tools_left_out), (Some(true), None, 0));
        assert_eq!(catalogs(&side("a", None), &known).tools, None);
    }

    #[test]
    fn what_is_not_listed_is_counted() {
        let many: Value = (0..103).map(|at| tool(&format!("t{at}"), "Text.")).collect();
        let both = catalogs(&side("a", Some(json!([]))), &side("b", Some(many)));
        assert_eq!((both.tools.map(|tools| tools.len()), both.tools_left_out), (Some(100), 3));
    }
}
