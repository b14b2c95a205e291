//! A whole case, turn by turn (predicates 11.3).

use howfar_wire::matching::{CaseMatch, MatchOptions, MatchResult, PromptSummary};
use howfar_wire::transcript::ToolCall;

use super::turn::{cloned, match_visible, within_cap};

/// Tools that load skills. While skill tools are active the matcher does not see calls to them, unless the turn expects
/// one by name.
pub const SKILL_TOOLS: [&str; 4] = ["listSkills", "loadSkill", "listSkillFiles", "readSkillFile"];

/// What one turn expects.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TurnExpectation {
    /// The prompt's text.
    pub prompt: String,
    /// The expected calls; empty when the turn expects none.
    pub expected_tool_calls: Vec<ToolCall>,
    /// The outcome that the author described, where there is one.
    pub expected_output: Option<String>,
    /// Whether the turn is a pinned tool call: it passes and nothing is compared.
    pub pinned: bool,
}

/// What decides how the turns of a case are matched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CaseMatching {
    /// The settled options.
    pub options: MatchOptions,
    /// Whether any call at all fails the case.
    pub is_negative_test: bool,
    /// Whether skill tools are offered to the model.
    pub skill_tools_active: bool,
}

/// Matches every turn and rolls the turns up. A turn without observed calls has an empty list in `calls_by_turn`, or none.
pub fn match_case(
    turns: &[TurnExpectation],
    calls_by_turn: &[Vec<ToolCall>],
    matching: &CaseMatching,
) -> CaseMatch {
    let mut case = empty_case();
    for (at, turn) in turns.iter().enumerate() {
        let calls = calls_by_turn.get(at).map_or(&[][..], Vec::as_slice);
        let result = match_turn(turn, calls, matching);
        add_turn(&mut case, u64::try_from(at).unwrap_or(u64::MAX), turn, calls, result, matching);
    }
    case.passed = case.failed_turn_count == 0;
    case
}

/// Matches one turn: pinned turns pass, skill calls are hidden, a turn without expectations fails on the cap alone.
pub(super) fn match_turn(
    turn: &TurnExpectation,
    calls: &[ToolCall],
    matching: &CaseMatching,
) -> MatchResult {
    let passing = |passed: bool, extra: Vec<ToolCall>| MatchResult {
        missing: Vec::new(),
        extra,
        out_of_order: Vec::new(),
        argument_mismatches: Vec::new(),
        passed,
    };
    if turn.pinned {
        return passing(true, Vec::new());
    }
    let expected = &turn.expected_tool_calls;
    let visible = visible_calls(calls, |name| expects(expected, name), matching);
    if expected.is_empty() && !matching.is_negative_test {
        let passed = within_cap(visible.len(), &matching.options);
        return passing(passed, if passed { Vec::new() } else { cloned(&visible) });
    }
    match_visible(expected, &visible, &matching.options, matching.is_negative_test)
}

fn expects(expected: &[ToolCall], name: &str) -> bool {
    expected.iter().any(|call| call.tool_name == name)
}

/// The calls that the matcher sees.
fn visible_calls<'a>(
    calls: &'a [ToolCall],
    is_expected: impl Fn(&str) -> bool,
    matching: &CaseMatching,
) -> Vec<&'a ToolCall> {
    calls.iter().filter(|call| !is_hidden(&call.tool_name, &is_expected, matching)).collect()
}

/// Whether the matcher does not see calls of this tool.
pub(super) fn is_hidden(
    name: &str,
    is_expected: impl Fn(&str) -> bool,
    matching: &CaseMatching,
) -> bool {
    matching.skill_tools_active && SKILL_TOOLS.contains(&name) && !is_expected(name)
}

fn add_turn(
    case: &mut CaseMatch,
    prompt_index: u64,
    turn: &TurnExpectation,
    calls: &[ToolCall],
    result: MatchResult,
    matching: &CaseMatching,
) {
    // A negative case asserts that nothing is called; what its turns expect is not looked at.
    let expected = if matching.is_negative_test { &[][..] } else { &turn.expected_tool_calls };
    let MatchResult { missing, extra, out_of_order: _, argument_mismatches, passed } = result;
    case.expected_tool_calls.extend_from_slice(expected);
    case.tools_called.extend_from_slice(calls);
    case.missing.extend_from_slice(&missing);
    case.unexpected.extend_from_slice(&extra);
    case.argument_mismatches.extend_from_slice(&argument_mismatches);
    case.turn_count += 1;
    if !passed {
        case.failed_turn_count += 1;
        case.first_failed_turn_index.get_or_insert(prompt_index);
    }
    case.prompt_summaries.push(PromptSummary {
        prompt_index,
        prompt: turn.prompt.clone(),
        expected_output: turn.expected_output.clone(),
        actual_tool_calls: calls.to_vec(),
        expected_tool_calls: expected.to_vec(),
        missing,
        unexpected: extra,
        argument_mismatches,
        passed,
    });
}

fn empty_case() -> CaseMatch {
    CaseMatch {
        expected_tool_calls: Vec::new(),
        tools_called: Vec::new(),
        missing: Vec::new(),
        unexpected: Vec::new(),
        argument_mismatches: Vec::new(),
        passed: true,
        prompt_summaries: Vec::new(),
        turn_count: 0,
        failed_turn_count: 0,
        first_failed_turn_index: None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn call(name: &str) -> ToolCall {
        ToolCall::new(name, json!({}))
    }

    #[test]
    fn a_case_without_turns_passes() {
        let case = match_case(&[], &[], &CaseMatching::default());
        assert!(case.passed);
        assert_eq!(case.first_failed_turn_index, None);
    }

    #[test]
    fn a_pinned_turn_passes_unseen() {
        let turn = TurnExpectation {
            pinned: true,
            expected_tool_calls: vec![call("a")],
            ..Default::default()
        };
        assert!(match_case(&[turn], &[vec![call("b")]], &CaseMatching::default()).passed);
    }

    #[test]
    fn a_cap_binds_a_turn_that_expects_nothing() {
        let options = MatchOptions { max_extra_tool_calls: Some(0), ..MatchOptions::default() };
        let matching = CaseMatching { options, ..CaseMatching::default() };
        let case = match_case(&[TurnExpectation::default()], &[vec![call("b")]], &matching);
        assert_eq!(case.unexpected, [call("b")]);
        assert_eq!(case.first_failed_turn_index, Some(0));
    }

    #[test]
    fn skill_calls_are_hidden_unless_expected() {
        let matching = CaseMatching {
            skill_tools_active: true,
            is_negative_test: true,
            ..CaseMatching::default()
        };
        let turn = TurnExpectation::default();
        assert!(match_turn(&turn, &[call("loadSkill")], &matching).passed);
    }
}
