//! Matcher options in layers: suite, case, run override (predicates 11.1).

use howfar_wire::Vocabulary;
use howfar_wire::matching::{ArgumentMatching, MatchOptions, ToolCallOrder};
use serde_json::{Map, Value};

use crate::number::count;

/// Options that the merged layers do not allow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MatchOptionsError {
    /// `toolCallOrder` is none of the known words.
    #[error("toolCallOrder must be one of ignore, strict, superset")]
    ToolCallOrder,
    /// `argumentMatching` is none of the known words.
    #[error("argumentMatching must be one of partial, exact, ignore")]
    ArgumentMatching,
    /// `maxExtraToolCalls` is neither null nor an integer from 0 on.
    #[error("maxExtraToolCalls must be null or an integer of at least 0")]
    MaxExtraToolCalls,
}

/// Merges layers, the last one strongest, and settles the result.
///
/// A layer is an object as authored, or absent. Each present field overrides, so that a bad value below a good one does
/// no harm. `allowExtraToolCalls` is the older spelling of the cap (`true` no cap, `false` a cap of 0) and yields to
/// `maxExtraToolCalls` of the same layer.
///
/// # Errors
///
/// [`MatchOptionsError`] when the merged value of a field is not allowed.
pub fn resolve_match_options(layers: &[Option<&Value>]) -> Result<MatchOptions, MatchOptionsError> {
    let mut order = None;
    let mut arguments = None;
    let mut cap = None;
    for layer in layers.iter().flatten().filter_map(|layer| layer.as_object()) {
        order = layer.get("toolCallOrder").or(order);
        arguments = layer.get("argumentMatching").or(arguments);
        cap = extra_cap(layer).or(cap);
    }
    let defaults = MatchOptions::default();
    Ok(MatchOptions {
        tool_call_order: word::<ToolCallOrder>(order, defaults.tool_call_order)
            .ok_or(MatchOptionsError::ToolCallOrder)?,
        argument_matching: word::<ArgumentMatching>(arguments, defaults.argument_matching)
            .ok_or(MatchOptionsError::ArgumentMatching)?,
        max_extra_tool_calls: match cap {
            None => defaults.max_extra_tool_calls,
            Some(ExtraCap::Unbounded) => None,
            Some(ExtraCap::AtMost(cap)) => Some(cap),
            Some(ExtraCap::Bad) => return Err(MatchOptionsError::MaxExtraToolCalls),
        },
    })
}

#[derive(Debug, Clone, Copy)]
enum ExtraCap {
    Unbounded,
    AtMost(u64),
    Bad,
}

fn extra_cap(layer: &Map<String, Value>) -> Option<ExtraCap> {
    match (layer.get("maxExtraToolCalls"), layer.get("allowExtraToolCalls")) {
        (Some(Value::Null), _) | (None, Some(Value::Bool(true))) => Some(ExtraCap::Unbounded),
        (None, Some(Value::Bool(false))) => Some(ExtraCap::AtMost(0)),
        (Some(cap), _) => Some(count(cap).map_or(ExtraCap::Bad, ExtraCap::AtMost)),
        (None, _) => None,
    }
}

fn word<V: Vocabulary>(value: Option<&Value>, default: V) -> Option<V> {
    match value {
        None => Some(default),
        Some(value) => value.as_str().and_then(V::from_wire),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_last_layer_wins_field_by_field() {
        let suite = json!({"toolCallOrder": "strict", "maxExtraToolCalls": -1});
        let case = json!({"maxExtraToolCalls": 2});
        let options = resolve_match_options(&[Some(&suite), None, Some(&case)]).expect("settles");
        assert_eq!(options.tool_call_order, ToolCallOrder::Strict);
        assert_eq!(options.max_extra_tool_calls, Some(2));
    }

    #[test]
    fn the_older_spelling_yields_on_its_layer() {
        let layer = json!({"allowExtraToolCalls": false, "maxExtraToolCalls": null});
        let options = resolve_match_options(&[Some(&layer)]).expect("settles");
        assert_eq!(options.max_extra_tool_calls, None);
    }

    #[test]
    fn a_fraction_is_no_cap() {
        let layer = json!({"maxExtraToolCalls": 0.5});
        let refused = resolve_match_options(&[Some(&layer)]);
        assert_eq!(refused, Err(MatchOptionsError::MaxExtraToolCalls));
    }
}
