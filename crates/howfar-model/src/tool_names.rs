//! Tool names that a wire accepts, mapped back and forth within one request.

use std::collections::{HashMap, HashSet};

use crate::conversation::{Message, ModelRequest};

/// The longest name that every wire accepts.
const MAX_NAME: usize = 64;

/// The names of one request on the wire. A name that the wire accepts stays as it is.
#[derive(Debug, Default)]
pub(crate) struct ToolNames {
    to_wire: HashMap<String, String>,
    from_wire: HashMap<String, String>,
}

impl ToolNames {
    /// The names of the catalog and of every call in the history.
    pub(crate) fn of(request: &ModelRequest) -> Self {
        let catalog = request.tools.iter().map(|tool| tool.name.as_str());
        let history = request.messages.iter().flat_map(|message| match message {
            Message::Assistant(assistant) => assistant.tool_calls.as_slice(),
            Message::User(_) | Message::ToolResults(_) => &[],
        });
        let names: Vec<&str> = catalog.chain(history.map(|call| call.name.as_str())).collect();
        let mut taken: HashSet<String> =
            names.iter().filter(|name| is_accepted(name)).map(|name| (*name).to_owned()).collect();
        let mut mapped = Self::default();
        for name in names {
            if is_accepted(name) || mapped.to_wire.contains_key(name) {
                continue;
            }
            let wire = free_name(name, &taken);
            taken.insert(wire.clone());
            mapped.from_wire.insert(wire.clone(), name.to_owned());
            mapped.to_wire.insert(name.to_owned(), wire);
        }
        mapped
    }

    /// The name to send.
    pub(crate) fn wire<'a>(&'a self, name: &'a str) -> &'a str {
        self.to_wire.get(name).map_or(name, String::as_str)
    }

    /// The name that the model meant; a name that was never sent is kept as the model wrote it.
    pub(crate) fn original(&self, wire: &str) -> String {
        self.from_wire.get(wire).map_or(wire, String::as_str).to_owned()
    }
}

fn is_accepted(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_name_byte)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'
}

/// The name with every refused character replaced, numbered until it is free.
fn free_name(name: &str, taken: &HashSet<String>) -> String {
    let replaced =
        name.chars().map(|c| if u8::try_from(c).is_ok_and(is_name_byte) { c } else { '_' });
    let mut base: String = replaced.take(MAX_NAME).collect();
    if base.is_empty() {
        base.push('_');
    }
    let numbered = (2u32..).map(|number| {
        let suffix = format!("_{number}");
        let kept = base.len().min(MAX_NAME - suffix.len());
        format!("{}{suffix}", &base[..kept])
    });
    std::iter::once(base.clone())
        .chain(numbered)
        .find(|candidate| !taken.contains(candidate))
        .expect("there are more numbers than names")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversation::{ToolSpec, TrialContext};

    #[track_caller]
    fn check(names: &[&str], expected: &[&str]) {
        let tool = |name: &&str| ToolSpec {
            name: (*name).to_owned(),
            description: None,
            input_schema: serde_json::json!({}),
        };
        let request = ModelRequest {
            system: None,
            messages: Vec::new(),
            tools: names.iter().map(tool).collect(),
            temperature: None,
            trial: TrialContext { case_id: String::new(), trial: 1, seed: None },
        };
        let mapped = ToolNames::of(&request);
        let wire: Vec<_> = names.iter().map(|name| mapped.wire(name)).collect();
        assert_eq!(wire, expected);
        for (name, wire) in names.iter().zip(expected) {
            assert_eq!(mapped.original(wire), *name);
        }
    }

    #[test]
    fn accepted_names_stay() {
        check(&["get-sum", "read_file"], &["get-sum", "read_file"]);
    }

    #[test]
    fn refused_characters_are_replaced_without_collision() {
        check(&["a.b", "a_b", "a/b"], &["a_b_2", "a_b", "a_b_3"]);
    }

    #[test]
    fn long_names_are_cut_to_the_limit() {
        let (one, two) = ("x".repeat(65), "x".repeat(66));
        let (cut, numbered) = ("x".repeat(64), format!("{}_2", "x".repeat(62)));
        check(&[&one, &two], &[&cut, &numbered]);
    }
}
