//! `mcpServers` configuration text, and command lines given as one text.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Map, Value};

use super::expand::expand;
use super::{BindingError, HttpBinding, HttpFlavor, ServerBinding, StdioBinding};
use crate::network::http_url;

/// The text of one configuration file, read by the caller. Not `Debug`: the text may carry credentials.
#[derive(Clone)]
pub struct ConfigSource {
    /// How reports and messages call it, for example `.mcp.json`.
    pub label: String,
    /// The folder that relative `cwd` paths start at.
    pub folder: PathBuf,
    /// The text, or why it could not be read. A file that does not exist and was not named by the user is simply not
    /// a source.
    pub text: Result<String, String>,
    /// Whether the user named the file: then it must be valid even when no server needs it.
    pub explicit: bool,
}

/// The `mcpServers` object of a configuration text.
pub(super) fn parse_config(source: &ConfigSource) -> Result<Map<String, Value>, BindingError> {
    let label = || source.label.clone();
    let invalid = |detail: String| BindingError::InvalidFile { source_label: label(), detail };
    let text = source.text.as_ref().map_err(|detail| BindingError::Unreadable {
        source_label: label(),
        detail: detail.clone(),
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let document: Value = serde_json::from_str(text).map_err(|error| {
        // serde_json's message ends with the position, which is what the user needs; it quotes no value.
        invalid(format!("not valid JSON: {error}"))
    })?;
    match document {
        Value::Object(mut members) => match members.remove("mcpServers") {
            Some(Value::Object(servers)) => Ok(servers),
            Some(_) => {
                Err(invalid("\"mcpServers\" must be an object of servers by name".to_owned()))
            }
            None => Err(invalid(format!(
                "no \"mcpServers\" object{}; expected {{\"mcpServers\": {{\"name\": {{…}}}}}}",
                instead(&members)
            ))),
        },
        _ => Err(invalid("expected an object with \"mcpServers\"".to_owned())),
    }
}

/// The binding of one winning entry, variables expanded.
pub(super) fn binding_of_entry(
    server: &str,
    entry: &Value,
    source: &ConfigSource,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<ServerBinding, BindingError> {
    let reader = EntryReader { server, source, env };
    let Value::Object(entry) = entry else {
        return Err(reader.invalid("an entry must be an object with \"command\" or \"url\""));
    };
    let spelled = reader.transport(entry)?;
    match (entry.contains_key("command"), entry.contains_key("url"), spelled) {
        (true, true, _) => Err(reader.invalid("both \"command\" and \"url\" are given; keep one")),
        (false, false, _) => {
            let there = instead(entry);
            Err(reader.invalid(format!("neither \"command\" nor \"url\" is given{there}")))
        }
        (true, false, None | Some(Spelled::Stdio)) => reader.stdio(entry).map(ServerBinding::Stdio),
        (true, false, Some(Spelled::Http(_))) => {
            Err(reader.invalid("an HTTP transport needs \"url\", not \"command\""))
        }
        (false, true, Some(Spelled::Stdio)) => {
            Err(reader.invalid("the stdio transport needs \"command\", not \"url\""))
        }
        (false, true, None) => reader.http(entry, HttpFlavor::Auto).map(ServerBinding::Http),
        (false, true, Some(Spelled::Http(flavor))) => {
            reader.http(entry, flavor).map(ServerBinding::Http)
        }
    }
}

/// What an object has in place of what it should, for messages.
fn instead(members: &Map<String, Value>) -> String {
    const SHOWN: usize = 6;
    let names: Vec<String> = members.keys().take(SHOWN).map(|name| format!("{name:?}")).collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!(", only {}", names.join(", ")),
    }
}

enum Spelled {
    Stdio,
    Http(HttpFlavor),
}

struct EntryReader<'a> {
    server: &'a str,
    source: &'a ConfigSource,
    env: &'a dyn Fn(&str) -> Option<String>,
}

impl EntryReader<'_> {
    fn invalid(&self, detail: impl Into<String>) -> BindingError {
        BindingError::InvalidEntry {
            server: self.server.to_owned(),
            source_label: self.source.label.clone(),
            detail: detail.into(),
        }
    }

    /// `type` or `transport`; both may be written when they agree.
    fn transport(&self, entry: &Map<String, Value>) -> Result<Option<Spelled>, BindingError> {
        let mut found: Option<&str> = None;
        for member in ["type", "transport"] {
            match entry.get(member) {
                None => {}
                Some(Value::String(text)) if found.is_none_or(|other| other == text) => {
                    found = Some(text)
                }
                Some(Value::String(_)) => {
                    return Err(self.invalid("\"type\" and \"transport\" contradict each other"));
                }
                Some(_) => return Err(self.invalid(format!("\"{member}\" must be text"))),
            }
        }
        match found {
            None => Ok(None),
            Some("stdio") => Ok(Some(Spelled::Stdio)),
            Some("http") => Ok(Some(Spelled::Http(HttpFlavor::Auto))),
            Some("streamable-http") => Ok(Some(Spelled::Http(HttpFlavor::Streamable))),
            Some("sse") => Ok(Some(Spelled::Http(HttpFlavor::Sse))),
            Some(other) => Err(self.invalid(format!(
                "unknown transport \"{other}\"; expected stdio, http, sse or streamable-http"
            ))),
        }
    }

    fn stdio(&self, entry: &Map<String, Value>) -> Result<StdioBinding, BindingError> {
        let command = self.text(entry.get("command"), "command")?;
        if command.trim().is_empty() {
            return Err(self.invalid("\"command\" is empty"));
        }
        let args = match entry.get("args") {
            None | Some(Value::Null) => Vec::new(),
            Some(Value::Array(items)) => items
                .iter()
                .enumerate()
                .map(|(index, item)| self.text(Some(item), &format!("args[{index}]")))
                .collect::<Result<_, _>>()?,
            Some(_) => return Err(self.invalid("\"args\" must be a list of texts")),
        };
        let cwd = match entry.get("cwd") {
            None | Some(Value::Null) => None,
            Some(value) => Some(self.source.folder.join(self.text(Some(value), "cwd")?)),
        };
        let env = self.pairs(entry, "env")?;
        if let Some(name) = env.keys().find(|name| name.is_empty() || name.contains(['=', '\0'])) {
            return Err(
                self.invalid(format!("\"env\" has {name:?}, which no variable can be named"))
            );
        }
        Ok(StdioBinding { command, args, env, cwd })
    }

    fn http(
        &self,
        entry: &Map<String, Value>,
        flavor: HttpFlavor,
    ) -> Result<HttpBinding, BindingError> {
        let url = self.text(entry.get("url"), "url")?;
        http_url(&url).map_err(|detail| self.invalid(format!("\"url\" {detail}")))?;
        Ok(HttpBinding { url, headers: self.pairs(entry, "headers")?, flavor })
    }

    fn pairs(
        &self,
        entry: &Map<String, Value>,
        member: &str,
    ) -> Result<BTreeMap<String, String>, BindingError> {
        match entry.get(member) {
            None | Some(Value::Null) => Ok(BTreeMap::new()),
            Some(Value::Object(pairs)) => pairs
                .iter()
                .map(|(name, value)| {
                    Ok((name.clone(), self.text(Some(value), &format!("{member}.{name}"))?))
                })
                .collect(),
            Some(_) => Err(self.invalid(format!("\"{member}\" must be an object of texts"))),
        }
    }

    /// A text member, expanded.
    fn text(&self, value: Option<&Value>, field: &str) -> Result<String, BindingError> {
        let Some(Value::String(text)) = value else {
            return Err(self.invalid(format!("\"{field}\" must be text")));
        };
        expand(text, self.env).map_err(|variable| BindingError::UnsetVariable {
            server: self.server.to_owned(),
            source_label: self.source.label.clone(),
            variable,
            field: field.to_owned(),
        })
    }
}

/// A command line split into words: white space separates, single and double quotes group, a backslash outside single
/// quotes keeps the next character. Nothing is expanded.
///
/// # Errors
/// A message when a quote does not end, or there is no word.
pub fn parse_command_line(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().extend(characters.next()),
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!("the quote {open} does not end"));
    }
    words.extend(word);
    if words.is_empty() { Err("the command is empty".to_owned()) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(json: &str) -> Result<ServerBinding, String> {
        let source = ConfigSource {
            label: "c.json".into(),
            folder: "/proj".into(),
            text: Ok(String::new()),
            explicit: true,
        };
        let env = |name: &str| (name == "TOKEN").then(|| "s3cret".to_owned());
        let value: Value = serde_json::from_str(json).expect("test JSON");
        binding_of_entry("s", &value, &source, &env).map_err(|error| error.to_string())
    }

    #[test]
    fn a_relative_cwd_starts_at_the_folder_of_the_file() {
        let Ok(ServerBinding::Stdio(stdio)) =
            entry(r#"{"command":"node","args":["a"],"cwd":"sub"}"#)
        else {
            panic!("a stdio entry")
        };
        assert_eq!(stdio.cwd, Some(PathBuf::from("/proj/sub")));
    }

    #[test]
    fn headers_expand_and_debug_hides_them() {
        let binding = entry(
            r#"{"type":"http","url":"http://h.test/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}}"#,
        );
        let binding = binding.expect("a valid entry");
        assert_eq!(binding.secrets(), ["Bearer s3cret", "s3cret"]);
        assert!(!format!("{binding:?}").contains("s3cret"));
    }

    #[test]
    fn an_unset_variable_names_server_source_field_and_variable() {
        let error = entry(r#"{"command":"node","env":{"K":"${NOPE}"}}"#).expect_err("unset");
        for part in ["\"s\"", "c.json", "env.K", "NOPE"] {
            assert!(error.contains(part), "{error}");
        }
    }

    #[test]
    fn a_misspelled_member_is_named() {
        let error = entry(r#"{"comand":"node"}"#).expect_err("no command");
        assert!(
            error.ends_with(r#"neither "command" nor "url" is given, only "comand""#),
            "{error}"
        );
    }

    #[test]
    fn contradictions_are_refused() {
        for json in [
            r#"{"command":"a","url":"http://b"}"#,
            r#"{}"#,
            r#"{"type":"http","command":"a"}"#,
            r#"{"type":"carrier-pigeon","command":"a"}"#,
            r#"{"url":"ftp://b"}"#,
            r#"{"url":"127.0.0.1:3000/mcp"}"#,
            r#"{"command":"a","env":{"A=B":"c"}}"#,
            r#"[]"#,
        ] {
            assert!(entry(json).is_err(), "{json}");
        }
    }

    #[test]
    fn a_command_line_is_split_without_a_shell() {
        assert_eq!(
            parse_command_line(r#"node "a b" 'c\d' $X e\ f"#),
            Ok(["node", "a b", r"c\d", "$X", "e f"].map(String::from).to_vec())
        );
        assert!(parse_command_line("  ").is_err());
        assert!(parse_command_line("a 'b").is_err());
    }
}
