//! Which tools a starter suite asks for.

use serde_json::{Map, Value};

use super::words::name_words;

/// What is known of a tool from the server's list.
#[derive(Debug, Clone, PartialEq)]
pub struct StarterTool {
    /// The name.
    pub name: String,
    /// The description; absent when the server gave none.
    pub description: Option<String>,
    /// The input schema.
    pub input_schema: Map<String, Value>,
    /// `readOnlyHint`; absent when the tool declares nothing.
    pub read_only: Option<bool>,
    /// `destructiveHint`; absent when the tool declares nothing.
    pub destructive: Option<bool>,
}

/// How safe it looks to call a tool that nobody asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It declares that it only reads.
    ReadOnly,
    /// It declares that it destroys nothing.
    Harmless,
    /// It declares nothing, and its name does not speak of a change.
    Undeclared,
    /// It declares that it may destroy something, or declares nothing and its name speaks of a change.
    Risky,
}

/// Words of a tool's name that speak of a change.
const CHANGING_WORDS: [&str; 34] = [
    "add", "append", "cancel", "clear", "commit", "create", "delete", "deploy", "destroy", "drop",
    "edit", "exec", "execute", "insert", "kill", "merge", "modify", "move", "pay", "post",
    "publish", "purge", "push", "put", "remove", "rename", "reset", "run", "send", "set", "stop",
    "update", "upload", "write",
];

impl StarterTool {
    /// How safe it looks to call the tool unasked.
    pub fn standing(&self) -> Standing {
        match (self.read_only, self.destructive) {
            (Some(true), _) => Standing::ReadOnly,
            (_, Some(true)) => Standing::Risky,
            (_, Some(false)) => Standing::Harmless,
            (_, None) => {
                let words = name_words(&self.name);
                let changes = words.iter().any(|word| CHANGING_WORDS.contains(&word.as_str()));
                if changes { Standing::Risky } else { Standing::Undeclared }
            }
        }
    }

    fn required_arguments(&self) -> usize {
        self.input_schema.get("required").and_then(Value::as_array).map_or(0, Vec::len)
    }
}

/// The positions of the tools that a suite may ask for without being told to: those that declare that they only read;
/// only where none does, those that look harmless. Fewer required arguments come first, then the order of the list. Risky
/// tools and repeated names are left out.
pub fn rank_tools(tools: &[StarterTool]) -> Vec<usize> {
    let first = |at: &usize| tools[..*at].iter().all(|other| other.name != tools[*at].name);
    let reads = |at: &usize| tools[*at].standing() == Standing::ReadOnly;
    let mut ranked: Vec<usize> = (0..tools.len())
        .filter(first)
        .filter(|at| tools[*at].standing() != Standing::Risky)
        .collect();
    // A run makes every call of its suite: where some tools only read, the first run changes nothing.
    if ranked.iter().any(reads) {
        ranked.retain(reads);
    }
    ranked.sort_by_key(|at| (tools[*at].standing(), tools[*at].required_arguments(), *at));
    ranked
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(
        name: &str,
        required: &[&str],
        read_only: Option<bool>,
        destructive: Option<bool>,
    ) -> StarterTool {
        let schema = json!({ "type": "object", "required": required });
        let Value::Object(input_schema) = schema else { unreachable!("an object was written") };
        StarterTool {
            name: name.to_owned(),
            description: None,
            input_schema,
            read_only,
            destructive,
        }
    }

    fn check(tools: &[StarterTool], expected: &[&str]) {
        let ranked = rank_tools(tools);
        assert_eq!(ranked.iter().map(|at| tools[*at].name.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn where_some_tools_only_read_the_others_are_not_asked_for() {
        check(
            &[
                tool("echo", &[], None, None),
                tool("toggle", &[], Some(false), Some(false)),
                tool("search", &["a", "b"], Some(true), None),
                tool("read", &["a"], Some(true), None),
            ],
            &["read", "search"],
        );
    }

    #[test]
    fn declared_harmlessness_comes_before_silence_and_light_before_heavy() {
        check(
            &[
                tool("echo", &["a"], None, None),
                tool("ping", &[], None, None),
                tool("toggle", &["a", "b"], Some(false), Some(false)),
            ],
            &["toggle", "ping", "echo"],
        );
    }

    #[test]
    fn nothing_that_may_destroy_is_chosen_unasked() {
        check(
            &[
                tool("wipe", &[], Some(false), Some(true)),
                tool("dropTable", &[], None, None),
                tool("list_tables", &[], None, None),
            ],
            &["list_tables"],
        );
    }

    #[test]
    fn a_repeated_name_counts_once() {
        check(&[tool("a", &[], None, None), tool("a", &[], None, None)], &["a"]);
    }
}
