//! References in scripted text: `${results.TOOL.text}`, `${results.TOOL.json/POINTER}`, `${user}`, `${trial}`.

use serde_json::{Map, Value};

use crate::conversation::{Message, ModelRequest, ToolResult};

/// A text with references.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Template(Vec<Piece>);

#[derive(Debug, Clone, PartialEq)]
enum Piece {
    Text(String),
    Reference(Reference),
}

#[derive(Debug, Clone, PartialEq)]
enum Reference {
    /// The newest user prompt.
    User,
    /// The trial's number.
    Trial,
    /// The text of a tool's last result.
    ResultText { tool: String },
    /// A value in a tool's last result; an empty pointer is the whole.
    ResultJson { tool: String, pointer: String },
}

/// An argument value whose texts may hold references.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ArgumentTemplate {
    Plain(Value),
    Text(Template),
    List(Vec<ArgumentTemplate>),
    Object(Vec<(String, ArgumentTemplate)>),
}

impl Template {
    /// Reads `${…}` references; `$${` is a literal `${`. The error says what is wrong with one.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("${") {
            let (before, after) = (&rest[..at], &rest[at + 2..]);
            if let Some(escaped) = before.strip_suffix('$') {
                literal.push_str(escaped);
                literal.push_str("${");
                rest = after;
                continue;
            }
            literal.push_str(before);
            let end = after.find('}').ok_or("a reference `${` without its `}`")?;
            if !literal.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut literal)));
            }
            pieces.push(Piece::Reference(Reference::parse(&after[..end])?));
            rest = &after[end + 1..];
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        Ok(Self(pieces))
    }

    /// The text with every reference filled in; a referenced value that is not text stands as its JSON.
    pub(super) fn text(&self, request: &ModelRequest) -> Result<String, String> {
        let mut text = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(literal) => text.push_str(literal),
                Piece::Reference(reference) => match reference.value(request)? {
                    Value::String(value) => text.push_str(&value),
                    value => text.push_str(&value.to_string()),
                },
            }
        }
        Ok(text)
    }

    /// As an argument: a lone reference keeps the type of its value.
    fn value(&self, request: &ModelRequest) -> Result<Value, String> {
        match self.0.as_slice() {
            [Piece::Reference(reference)] => reference.value(request),
            _ => self.text(request).map(Value::String),
        }
    }
}

impl ArgumentTemplate {
    /// Reads the references in every text of the value.
    pub(super) fn parse(value: Value) -> Result<Self, String> {
        Ok(match value {
            Value::String(text) => Self::Text(Template::parse(&text)?),
            Value::Array(items) => {
                Self::List(items.into_iter().map(Self::parse).collect::<Result<_, _>>()?)
            }
            Value::Object(members) => {
                let parse = |(name, member)| Ok::<_, String>((name, Self::parse(member)?));
                Self::Object(members.into_iter().map(parse).collect::<Result<_, _>>()?)
            }
            plain @ (Value::Null | Value::Bool(_) | Value::Number(_)) => Self::Plain(plain),
        })
    }

    /// The value with every reference filled in.
    pub(super) fn value(&self, request: &ModelRequest) -> Result<Value, String> {
        Ok(match self {
            Self::Plain(value) => value.clone(),
            Self::Text(template) => template.value(request)?,
            Self::List(items) => {
                items.iter().map(|item| item.value(request)).collect::<Result<_, _>>()?
            }
            Self::Object(members) => {
                let fill = |(name, member): &(String, Self)| {
                    Ok::<_, String>((name.clone(), member.value(request)?))
                };
                Value::Object(members.iter().map(fill).collect::<Result<Map<_, _>, _>>()?)
            }
        })
    }
}

impl Reference {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "user" => return Ok(Self::User),
            "trial" => return Ok(Self::Trial),
            _ => {}
        }
        let unknown = || {
            format!(
                "`${{{text}}}` is no reference: write `${{results.TOOL.text}}`, \
                 `${{results.TOOL.json/POINTER}}`, `${{user}}` or `${{trial}}`"
            )
        };
        let result = text.strip_prefix("results.").ok_or_else(unknown)?;
        if let Some(tool) = result.strip_suffix(".text").filter(|tool| !tool.is_empty()) {
            return Ok(Self::ResultText { tool: tool.to_owned() });
        }
        let (tool, pointer) = match result.split_once(".json/") {
            Some((tool, pointer)) => (tool, format!("/{pointer}")),
            None => (result.strip_suffix(".json").ok_or_else(unknown)?, String::new()),
        };
        if tool.is_empty() {
            return Err(unknown());
        }
        Ok(Self::ResultJson { tool: tool.to_owned(), pointer })
    }

    fn value(&self, request: &ModelRequest) -> Result<Value, String> {
        match self {
            Self::User => Ok(request.last_prompt().unwrap_or_default().into()),
            Self::Trial => Ok(request.trial.trial.into()),
            Self::ResultText { tool } => Ok(last_result(request, tool)?.text().into()),
            Self::ResultJson { tool, pointer } => {
                let whole = result_json(last_result(request, tool)?)?;
                whole.pointer(pointer).cloned().ok_or_else(|| {
                    format!("the last result of the tool {tool:?} holds nothing at {pointer:?}")
                })
            }
        }
    }
}

fn last_result<'a>(request: &'a ModelRequest, tool: &str) -> Result<&'a ToolResult, String> {
    let results = request.messages.iter().rev().filter_map(|message| match message {
        Message::ToolResults(results) => Some(results),
        Message::User(_) | Message::Assistant(_) => None,
    });
    results
        .flat_map(|results| results.iter().rev())
        .find(|result| result.tool_name == tool)
        .ok_or_else(|| format!("the conversation holds no result of the tool {tool:?}"))
}

fn result_json(result: &ToolResult) -> Result<Value, String> {
    if let Some(structured) = &result.structured {
        return Ok(structured.clone());
    }
    serde_json::from_str(&result.text()).map_err(|_| {
        format!(
            "the last result of the tool {:?} has no structured content and its text is not JSON",
            result.tool_name
        )
    })
}
