//! One result per authored assertion, with the pairing of the matcher (predicates 11.5).

use howfar_wire::Vocabulary as _;
use howfar_wire::matching::{
    ArgumentMatching, AssertionFailure, AssertionReport, AssertionResult, CallExpectation,
    CompiledTurn, ExtrasResult, MatchOptions, MatcherLists, NegativeResult, SequenceResult,
    ToolCallOrder, TurnAssertions,
};
use howfar_wire::predicate::EffectiveRole;
use howfar_wire::transcript::ToolCall;
use serde_json::{Map, Value};

use super::arguments::ArgumentPattern;
use super::case::{CaseMatching, TurnExpectation, is_hidden, match_turn};
use super::pairing::{Pair, Slot, pair};
use super::turn::within_cap;
use crate::number::integer_at_least;

/// Compiles the authored steps of a case: one entry per turn. A `prompt` or `toolCall` step opens a turn, everything else
/// folds into the open one; what stands before any turn opens an implicit one.
pub fn compile_assertions(steps: &[Value], matching: &CaseMatching) -> Vec<CompiledTurn> {
    let mut turns: Vec<CompiledTurn> = Vec::new();
    for (position, step) in (0_u64..).zip(steps) {
        let text = |key: &str| step.get(key).and_then(Value::as_str);
        let kind = text("kind").unwrap_or_default();
        let opens = matches!(kind, "prompt" | "toolCall");
        if opens || turns.is_empty() {
            let opened_by = text("id").filter(|_| opens).map(str::to_owned);
            turns.push(empty_turn(turns.len(), opened_by, kind == "toolCall", matching));
        }
        let open = turns.last_mut().expect("a turn was opened above");
        if let Some(expectation) = expectation(step, position, &matching.options) {
            let arguments = expectation.args.clone();
            open.legacy_expected.push(ToolCall::new(expectation.tool_name.clone(), arguments));
            open.expectations.push(expectation);
        }
    }
    turns
}

fn empty_turn(
    turn_index: usize,
    opened_by: Option<String>,
    pinned: bool,
    matching: &CaseMatching,
) -> CompiledTurn {
    CompiledTurn {
        turn_index: count(turn_index),
        opened_by,
        pinned,
        expectations: Vec::new(),
        order: matching.options.tool_call_order,
        extras_cap: matching.options.max_extra_tool_calls,
        negative: matching.is_negative_test,
        legacy_expected: Vec::new(),
        legacy_argument_matching: matching.options.argument_matching,
    }
}

/// The expectation of a required `toolCalledWith` assertion; `None` for every other step.
fn expectation(step: &Value, position: u64, options: &MatchOptions) -> Option<CallExpectation> {
    let assertion = step.get("assertion").filter(|_| step["kind"] == "assert")?;
    let is_call = assertion.get("kind").is_none() && assertion["type"] == "toolCalledWith";
    if !is_call || EffectiveRole::of(assertion) == EffectiveRole::Advisory {
        return None;
    }
    let matcher = &assertion["args"];
    let own_mode = matcher["argumentMatching"].as_str().and_then(ArgumentMatching::from_wire);
    let authored_count = assertion.get("minCount").filter(|count| !count.is_null());
    let min_count = match authored_count {
        None => Some(1),
        Some(count) => integer_at_least(count, 1).and_then(|count| u64::try_from(count).ok()),
    };
    Some(CallExpectation {
        step_id: step["id"].as_str().unwrap_or_default().to_owned(),
        position,
        tool_name: assertion["toolName"].as_str().unwrap_or_default().to_owned(),
        args: match &matcher["args"] {
            Value::Null => Value::Object(Map::new()),
            args => args.clone(),
        },
        argument_matching: own_mode.unwrap_or(options.argument_matching),
        min_count: min_count.unwrap_or(1),
        invalid_min_count: min_count.is_none().then_some(true),
    })
}

/// Evaluates every turn. A turn without observed calls has an empty list in `calls_by_turn`, or none.
pub fn evaluate_assertions(
    turns: &[CompiledTurn],
    calls_by_turn: &[Vec<ToolCall>],
    matching: &CaseMatching,
) -> AssertionReport {
    let calls = |at: usize| calls_by_turn.get(at).map_or(&[][..], Vec::as_slice);
    let turns: Vec<TurnAssertions> = turns
        .iter()
        .enumerate()
        .map(|(at, turn)| evaluate_turn(turn, calls(at), matching))
        .collect();
    AssertionReport {
        passed: turns.iter().all(|turn| turn.passed),
        matcher_equivalent: turns.iter().all(|turn| turn.matcher_equivalent),
        turns,
    }
}

/// The result of one assertion at its authored position: over the calls so far and the assertions up to it. `None` when
/// no assertion stands there.
pub fn check_at_position(
    turn: &CompiledTurn,
    position: u64,
    calls_so_far: &[ToolCall],
    matching: &CaseMatching,
) -> Option<AssertionResult> {
    let up_to: Vec<CallExpectation> = turn
        .expectations
        .iter()
        .filter(|expectation| expectation.position <= position)
        .cloned()
        .collect();
    let seen = Seen::new(calls_so_far, &up_to, matching);
    let results = Paired::new(&up_to, &seen, turn.order).results(&seen);
    results.into_iter().find(|result| result.position == position)
}

fn evaluate_turn(
    turn: &CompiledTurn,
    calls: &[ToolCall],
    matching: &CaseMatching,
) -> TurnAssertions {
    let seen = Seen::new(calls, &turn.expectations, matching);
    let paired = Paired::new(&turn.expectations, &seen, turn.order);
    let assertions = paired.results(&seen);
    let out_of_order_slots = assertions.iter().map(|result| result.out_of_order_slots).sum();
    let sequence =
        SequenceResult { passed: out_of_order_slots == 0, mode: turn.order, out_of_order_slots };
    let unpaired = if turn.pinned { 0 } else { seen.visible.len() - paired.used() };
    let exempt = turn.pinned || turn.negative;
    let extras = ExtrasResult {
        passed: exempt || within_cap(unpaired, &matching.options),
        count: count(unpaired),
        cap: turn.extras_cap,
    };
    let negative = NegativeResult {
        active: turn.negative,
        passed: !turn.negative || seen.visible.is_empty(),
        call_count: count(seen.visible.len()),
    };
    let asserted = assertions.iter().all(|result| result.passed);
    let legacy = match_turn(
        &TurnExpectation {
            expected_tool_calls: turn.legacy_expected.clone(),
            pinned: turn.pinned,
            ..TurnExpectation::default()
        },
        calls,
        matching,
    );
    TurnAssertions {
        turn_index: turn.turn_index,
        passed: asserted && sequence.passed && extras.passed && negative.passed,
        assertions,
        sequence,
        extras,
        negative,
        matcher_equivalent: legacy.passed,
        matcher: MatcherLists {
            missing: legacy.missing,
            unexpected: legacy.extra,
            argument_mismatches: legacy.argument_mismatches,
        },
    }
}

/// The calls that the engine sees, with their place among all calls of the turn.
struct Seen<'a> {
    visible: Vec<&'a ToolCall>,
    places: Vec<usize>,
}

impl<'a> Seen<'a> {
    fn new(
        calls: &'a [ToolCall],
        expectations: &[CallExpectation],
        matching: &CaseMatching,
    ) -> Self {
        let expected = |name: &str| expectations.iter().any(|own| own.tool_name == name);
        let (places, visible) = calls
            .iter()
            .enumerate()
            .filter(|(_, call)| !is_hidden(&call.tool_name, expected, matching))
            .unzip();
        Self { visible, places }
    }
}

/// The slots of every expectation, paired under the order of the case and under none.
struct Paired<'a> {
    expectations: &'a [CallExpectation],
    /// Slots per expectation, at most one more than there are calls.
    built: Vec<usize>,
    in_order: Vec<Option<Pair>>,
    anywhere: Vec<Option<Pair>>,
}

impl<'a> Paired<'a> {
    fn new(expectations: &'a [CallExpectation], seen: &Seen<'_>, order: ToolCallOrder) -> Self {
        let most = seen.visible.len() + 1;
        let built: Vec<usize> = expectations
            .iter()
            .map(|own| usize::try_from(own.min_count).map_or(most, |count| count.min(most)))
            .collect();
        let patterns: Vec<ArgumentPattern> = expectations
            .iter()
            .map(|own| ArgumentPattern::new(own.argument_matching, &own.args))
            .collect();
        let slots: Vec<Slot<'_>> = expectations
            .iter()
            .zip(&patterns)
            .zip(&built)
            .flat_map(|((own, arguments), built)| {
                std::iter::repeat_n(Slot { tool_name: &own.tool_name, arguments }, *built)
            })
            .collect();
        Self {
            expectations,
            built,
            in_order: pair(&slots, &seen.visible, order),
            anywhere: pair(&slots, &seen.visible, ToolCallOrder::Ignore),
        }
    }

    /// Calls with a partner under the order of the case.
    fn used(&self) -> usize {
        self.in_order.iter().flatten().count()
    }

    fn results(&self, seen: &Seen<'_>) -> Vec<AssertionResult> {
        let mut first = 0;
        let mut results = Vec::with_capacity(self.expectations.len());
        for (own, built) in self.expectations.iter().zip(&self.built) {
            results.push(self.result(own, first..first + built, seen));
            first += built;
        }
        results
    }

    fn result(
        &self,
        own: &CallExpectation,
        slots: std::ops::Range<usize>,
        seen: &Seen<'_>,
    ) -> AssertionResult {
        let mut missing_slots = own.min_count - count(slots.len());
        let mut argument_mismatch_slots = 0;
        let mut out_of_order_slots = 0;
        let mut partners = Vec::new();
        for slot in slots {
            let (in_order, anywhere) = (self.in_order[slot], self.anywhere[slot]);
            match (in_order, anywhere) {
                (Some(Pair { mismatch: false, .. }), _) => {}
                (_, None) => missing_slots += 1,
                (_, Some(Pair { mismatch: true, .. })) => argument_mismatch_slots += 1,
                (_, Some(Pair { mismatch: false, .. })) => out_of_order_slots += 1,
            }
            partners.extend(in_order.or(anywhere).map(|pair| pair.call));
        }
        partners.sort_unstable();
        let failure_kind = if missing_slots > 0 || own.invalid_min_count == Some(true) {
            Some(AssertionFailure::Missing)
        } else if argument_mismatch_slots > 0 {
            Some(AssertionFailure::Arguments)
        } else {
            None
        };
        let ids = partners.iter().filter_map(|at| seen.visible[*at].tool_call_id.clone());
        AssertionResult {
            step_id: own.step_id.clone(),
            position: own.position,
            passed: failure_kind.is_none(),
            failure_kind,
            missing_slots,
            argument_mismatch_slots,
            out_of_order_slots,
            paired_call_ids: ids.collect(),
            paired_call_indexes: partners.iter().map(|at| count(seen.places[*at])).collect(),
        }
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn steps(asserted: &[(&str, Value)]) -> Vec<Value> {
        let assertion = |(at, (tool, more)): (usize, &(&str, Value))| {
            let mut assertion =
                json!({"type": "toolCalledWith", "toolName": tool, "args": {"args": {}}});
            for (key, value) in more.as_object().into_iter().flatten() {
                assertion[key] = value.clone();
            }
            json!({"id": format!("s{at}"), "kind": "assert", "assertion": assertion})
        };
        let prompt = json!({"id": "p", "kind": "prompt"});
        std::iter::once(prompt).chain(asserted.iter().enumerate().map(assertion)).collect()
    }

    fn calls(names: &[&str]) -> Vec<ToolCall> {
        names.iter().map(|name| ToolCall::new(*name, json!({}))).collect()
    }

    #[test]
    fn an_invalid_count_fails_although_the_call_happened() {
        let matching = CaseMatching::default();
        let turns = compile_assertions(&steps(&[("a", json!({"minCount": 0}))]), &matching);
        let report = evaluate_assertions(&turns, &[calls(&["a"])], &matching);
        assert_eq!(turns[0].expectations[0].invalid_min_count, Some(true));
        assert_eq!(report.turns[0].assertions[0].failure_kind, Some(AssertionFailure::Missing));
    }

    #[test]
    fn a_huge_count_builds_few_slots() {
        let matching = CaseMatching::default();
        let turns = compile_assertions(&steps(&[("a", json!({"minCount": 1_000_000}))]), &matching);
        let report = evaluate_assertions(&turns, &[calls(&["a"])], &matching);
        assert_eq!(report.turns[0].assertions[0].missing_slots, 999_999);
    }

    #[test]
    fn a_check_at_its_position_ignores_later_assertions() {
        let matching = CaseMatching::default();
        let turns = compile_assertions(&steps(&[("a", json!({})), ("b", json!({}))]), &matching);
        let result = check_at_position(&turns[0], 1, &calls(&["a"]), &matching);
        assert_eq!(result.map(|result| result.passed), Some(true));
        assert_eq!(check_at_position(&turns[0], 9, &[], &matching), None);
    }

    #[test]
    fn a_step_before_any_turn_opens_one() {
        let steps = [steps(&[("a", json!({}))])[1].clone()];
        let turns = compile_assertions(&steps, &CaseMatching::default());
        assert_eq!((turns.len(), turns[0].opened_by.as_deref()), (1, None));
    }
}
