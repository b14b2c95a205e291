//! `argumentsMatchToolSchema` (predicates 6.7).

use std::collections::HashMap;

use howfar_wire::canon::enumeration_order;
use howfar_wire::transcript::ToolCall;
use howfar_wire::vocabulary::CaptureChannel;
use serde_json::{Map, Value};

use super::{Check, Compiled};
use crate::predicate::evidence::{Evidence, ToolScope, object_of};
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::schema::{CompiledSchema, SchemaError, SharedSchema, Violation};
use crate::predicate::text::{ITEMS_SHOWN, first_shown, more_in_brackets};

#[derive(Debug)]
struct ArgumentsMatchToolSchema(ToolScope);

pub(super) fn compile(fields: Fields<'_>) -> Compiled {
    Ok(Box::new(ArgumentsMatchToolSchema(fields.scope())))
}

/// A called tool's contract.
struct Contract<'a> {
    declared: &'a Value,
    compiled: SharedSchema,
}

impl Check for ArgumentsMatchToolSchema {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        if !evidence.is_complete(CaptureChannel::ToolInventory) {
            return Outcome::error(
                "no tool inventory captured; cannot compare arguments against a schema the run never recorded",
            );
        }
        let mut calls = 0_usize;
        let mut contracts = HashMap::new();
        let mut undeclared: Vec<&str> = Vec::new();
        let mut violations = Vec::new();
        for call in evidence.calls(&self.0) {
            calls += 1;
            let name = call.tool_name.as_str();
            let contract = match contracts.get(name) {
                Some(contract) => contract,
                None => match contract_of(name, evidence) {
                    Ok(contract) => contracts.entry(name).or_insert(contract),
                    Err(outcome) => return outcome,
                },
            };
            note_undeclared_keys(&mut undeclared, contract.declared, call);
            let found = contract.compiled.as_ref().as_ref();
            match found.map_err(Clone::clone).and_then(|schema| violations_of(schema, call)) {
                Ok(found) => violations.extend(found),
                Err(error) => return unreadable(name, &error),
            }
        }
        if calls == 0 {
            return Outcome::pass(format!("no calls to {} to validate", self.0.label()));
        }
        summary(calls, &violations, &undeclared)
    }
}

fn contract_of<'a>(name: &str, evidence: Evidence<'a>) -> Result<Contract<'a>, Outcome> {
    let tool = evidence.inventory_tool(name).ok_or_else(|| {
        Outcome::error(format!(
            "tool \"{name}\" was called but is not in the captured inventory; cannot validate its arguments"
        ))
    })?;
    let declared = tool.input_schema.as_ref().ok_or_else(|| {
        Outcome::error(format!(
            "tool \"{name}\" declares no inputSchema; there is no contract to validate against"
        ))
    })?;
    Ok(Contract { declared, compiled: evidence.context.schemas.compiled(declared) })
}

/// Notes argument keys that a schema with properties does not declare, whether or not the schema is closed.
fn note_undeclared_keys<'a>(noted: &mut Vec<&'a str>, declared: &Value, call: &'a ToolCall) {
    let properties = declared.get("properties").and_then(Value::as_object);
    let Some(properties) = properties.filter(|properties| !properties.is_empty()) else { return };
    for (key, _) in enumeration_order(object_of(&call.arguments)) {
        if !properties.contains_key(key) && !noted.contains(&key.as_str()) {
            noted.push(key);
        }
    }
}

fn violations_of(schema: &CompiledSchema, call: &ToolCall) -> Result<Vec<String>, SchemaError> {
    let empty = Value::Object(Map::new());
    let arguments = if call.arguments.is_null() { &empty } else { &call.arguments };
    let shown = |violation: &Violation| {
        let class = violation.class.as_str();
        match violation.at.as_str() {
            "#" => format!("\"{}\" {class}", call.tool_name),
            at => format!("\"{}\" {class} at {at}", call.tool_name),
        }
    };
    Ok(schema.violations(arguments)?.iter().take(ITEMS_SHOWN).map(shown).collect())
}

fn unreadable(name: &str, error: &SchemaError) -> Outcome {
    match error {
        SchemaError::UnsupportedDialect(dialect) => Outcome::error(format!(
            "tool \"{name}\" declares JSON Schema dialect \"{dialect}\", which this validator does not carry"
        )),
        SchemaError::Unusable(message) => {
            Outcome::error(format!("tool \"{name}\" declares an unusable inputSchema: {message}"))
        }
    }
}

fn summary(calls: usize, violations: &[String], undeclared: &[&str]) -> Outcome {
    let note = if undeclared.is_empty() {
        String::new()
    } else {
        format!(" (undeclared keys, allowed by the schema: {})", first_shown(undeclared, ", "))
    };
    if violations.is_empty() {
        return Outcome::pass(format!(
            "{calls} call(s) match the declared inputSchema{note}; schema validity does not establish that the arguments match the user's intent"
        ));
    }
    Outcome::fail(format!(
        "{} schema violation(s): {}{}{note}",
        violations.len(),
        first_shown(violations, "; "),
        more_in_brackets(violations.len()),
    ))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::testing::outcome;
    use super::*;

    fn check(schema: Value, arguments: Value) -> String {
        let transcript = json!({
            "toolCalls": [{"toolName": "t", "arguments": arguments}],
            "toolInventory": [{"name": "t", "inputSchema": schema}],
            "capture": {"toolInventory": "complete"},
        });
        outcome(&json!({"type": "argumentsMatchToolSchema"}), transcript)
    }

    #[test]
    fn undeclared_keys_are_noted_although_allowed() {
        let schema = json!({"type": "object", "properties": {"a": {}}});
        assert!(check(schema, json!({"b": 1})).starts_with(
            "pass: 1 call(s) match the declared inputSchema (undeclared keys, allowed by the schema: b);"
        ));
    }

    #[test]
    fn a_missing_argument_is_a_violation_at_the_root() {
        let schema = json!({"type": "object", "required": ["a"]});
        assert_eq!(check(schema, json!({})), "fail: 1 schema violation(s): \"t\" missing-required");
    }

    #[test]
    fn an_unusable_schema_is_no_failure() {
        assert_eq!(
            check(Value::Null, json!({})),
            "error: tool \"t\" declares an unusable inputSchema: schema must be an object or a boolean"
        );
    }
}
