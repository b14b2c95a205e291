//! What a command line says about a server, as an entry of `.mcp.json`: without a secret in it.

use howfar_mcp::ServerBinding;
use serde_json::{Map, Value, json};

use crate::error::CommandError;

/// A variable that the entry refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variable {
    /// Its name.
    pub(super) name: String,
    /// What the command line gave; absent when it comes from the environment.
    pub(super) value: Option<String>,
    /// Where it was given, in words.
    pub(super) given_by: String,
}

/// An entry and what it refers to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    /// The entry as it is written.
    pub(super) value: Value,
    /// The variables that it refers to because of a flag.
    pub(super) variables: Vec<Variable>,
}

/// The entry of `--command` and `--env`.
pub(super) fn of_command(command: &str, env: &[String]) -> Result<Entry, CommandError> {
    let invalid = |detail: String| CommandError::usage(format!("--command: {detail}"));
    let words = howfar_mcp::parse_command_line(command).map_err(invalid)?;
    let Some((program, args)) = words.split_first() else {
        return Err(invalid("the command is empty".to_owned()));
    };
    let mut hider = Hider::new(&ServerBinding::from_command(program, args), "--command");
    let args: Vec<String> = args.iter().map(|arg| hider.hide(arg)).collect();
    let mut entry = json!({ "command": program, "args": args });
    let mut variables = hider.used;
    let mut named = Map::new();
    for pair in env {
        let (name, value) = match pair.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (pair.as_str(), None),
        };
        if !is_variable_name(name) {
            return Err(CommandError::usage(format!("--env: {name:?} is no name of a variable"))
                .hint("write --env NAME=VALUE"));
        }
        named.insert(name.to_owned(), Value::String(reference(name)));
        variables.push(Variable { name: name.to_owned(), value, given_by: "--env".to_owned() });
    }
    if !named.is_empty() {
        entry["env"] = Value::Object(named);
    }
    Ok(Entry { value: entry, variables })
}

/// The entry of `--url` and `--header`.
pub(super) fn of_url(url: &str, headers: &[String]) -> Result<Entry, CommandError> {
    let mut hider = Hider::new(&ServerBinding::from_url(url), "--url");
    let mut entry = json!({ "type": "http", "url": hider.hide(url) });
    let mut variables = hider.used;
    let mut named = Map::new();
    for header in headers {
        let Some((name, value)) = header.split_once(':') else {
            return Err(CommandError::usage("--header: expected `NAME: VALUE`"));
        };
        let (name, value) = (name.trim(), value.trim());
        // Who writes a reference has the value in a variable already.
        if value.contains("${") {
            named.insert(name.to_owned(), Value::String(value.to_owned()));
            continue;
        }
        let variable = format!("MCP_{}", variable_name(name));
        named.insert(name.to_owned(), Value::String(reference(&variable)));
        let given_by = format!("--header {name}");
        variables.push(Variable { name: variable, value: Some(value.to_owned()), given_by });
    }
    if !named.is_empty() {
        entry["headers"] = Value::Object(named);
    }
    Ok(Entry { value: entry, variables })
}

/// Replaces the credentials of a binding by references to variables.
struct Hider {
    /// Longest first, so that one that contains another goes whole.
    secrets: Vec<String>,
    given_by: &'static str,
    used: Vec<Variable>,
}

impl Hider {
    fn new(binding: &ServerBinding, given_by: &'static str) -> Self {
        Self { secrets: binding.secrets(), given_by, used: Vec::new() }
    }

    fn hide(&mut self, text: &str) -> String {
        let mut hidden = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            match self.secrets.iter().find(|secret| rest.starts_with(secret.as_str())).cloned() {
                Some(secret) => {
                    rest = &rest[secret.len()..];
                    hidden.push_str(&reference(&self.variable(secret)));
                }
                None => {
                    hidden.push(c);
                    rest = &rest[c.len_utf8()..];
                }
            }
        }
        hidden
    }

    fn variable(&mut self, secret: String) -> String {
        if let Some(known) = self.used.iter().find(|it| it.value.as_ref() == Some(&secret)) {
            return known.name.clone();
        }
        let name = match self.used.len() {
            0 => "MCP_SECRET".to_owned(),
            count => format!("MCP_SECRET_{}", count + 1),
        };
        let given_by = self.given_by.to_owned();
        self.used.push(Variable { name: name.clone(), value: Some(secret), given_by });
        name
    }
}

fn reference(variable: &str) -> String {
    format!("${{{variable}}}")
}

fn is_variable_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn variable_name(header: &str) -> String {
    let word = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    header.chars().map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        entry: Result<Entry, CommandError>,
        expected: Value,
        variables: &[(&str, Option<&str>)],
    ) {
        let entry = entry.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(entry.value, expected);
        let found: Vec<_> =
            entry.variables.iter().map(|it| (it.name.as_str(), it.value.as_deref())).collect();
        assert_eq!(found, variables);
    }

    #[test]
    fn a_plain_command_is_written_as_it_is() {
        check(
            of_command("npx -y 'a b'", &[]),
            json!({"command": "npx", "args": ["-y", "a b"]}),
            &[],
        );
    }

    #[test]
    fn credentials_become_references() {
        check(
            of_command("srv --token s3cret-1 --key=k-99 --again s3cret-1", &[]),
            json!({"command": "srv", "args": ["--token", "${MCP_SECRET}", "--key=${MCP_SECRET_2}", "--again", "${MCP_SECRET}"]}),
            &[("MCP_SECRET", Some("s3cret-1")), ("MCP_SECRET_2", Some("k-99"))],
        );
        check(
            of_url(
                "https://u:pass99@h.test/mcp",
                &["X-API-Key: k".to_owned(), "A: Bearer ${T}".to_owned()],
            ),
            json!({
                "type": "http", "url": "https://u:${MCP_SECRET}@h.test/mcp",
                "headers": {"X-API-Key": "${MCP_X_API_KEY}", "A": "Bearer ${T}"},
            }),
            &[("MCP_SECRET", Some("pass99")), ("MCP_X_API_KEY", Some("k"))],
        );
    }

    #[test]
    fn variables_keep_their_names_and_lose_their_values() {
        check(
            of_command("srv", &["FILE=/tmp/x".to_owned(), "TOKEN".to_owned()]),
            json!({"command": "srv", "args": [], "env": {"FILE": "${FILE}", "TOKEN": "${TOKEN}"}}),
            &[("FILE", Some("/tmp/x")), ("TOKEN", None)],
        );
        assert!(of_command("srv", &["=x".to_owned()]).is_err());
    }
}
