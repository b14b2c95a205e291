//! Comparing expected with observed tool calls (predicates, sections 9.1, 11 and 14).
//!
//! One pairing serves the matcher of a turn, the roll-up of a case and the engine that gives one result per authored
//! assertion. Promotion of authored assertions to expected calls happens where suites are read, not here.

mod arguments;
mod assertions;
mod case;
mod options;
mod pairing;
mod turn;
mod validators;

pub use arguments::{ArgumentPattern, arguments_match};
pub use assertions::{check_at_position, compile_assertions, evaluate_assertions};
pub use case::{CaseMatching, SKILL_TOOLS, TurnExpectation, match_case};
pub use options::{MatchOptionsError, resolve_match_options};
pub use turn::{match_tool_calls, score_text};
pub use validators::{
    match_any_tool_call, match_no_tool_calls, match_tool_argument, match_tool_call_count,
    match_tool_call_with_args, match_tool_call_with_partial_args, match_tool_calls_equal,
    match_tool_calls_subset,
};

pub(crate) use arguments::deep_equal;
