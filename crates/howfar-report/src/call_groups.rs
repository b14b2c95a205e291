//! The four groups of a turn's expected and actual calls: missing, extra, out of order, argument mismatch.

use howfar_wire::matching::ArgumentMismatch;
use howfar_wire::report::TurnReport;
use howfar_wire::transcript::ToolCall;

/// The four groups. A call stands in one of them.
#[derive(Debug)]
pub(crate) struct CallGroups<'a> {
    /// Expected and never made.
    pub(crate) missing: Vec<&'a ToolCall>,
    /// Made and not expected; in a turn that passed they were tolerated.
    pub(crate) extra: Vec<&'a ToolCall>,
    /// Expected and made, with the same arguments, at another place.
    pub(crate) out_of_order: Vec<&'a ToolCall>,
    /// The right tool with other arguments.
    pub(crate) mismatches: &'a [ArgumentMismatch],
}

impl<'a> CallGroups<'a> {
    /// The groups of a turn. The matcher lists a call at another place as missing and as unexpected.
    pub(crate) fn of(turn: &'a TurnReport) -> Self {
        let made = |call: &&ToolCall| turn.unexpected.iter().any(|other| same_call(call, other));
        let out_of_order: Vec<_> = turn.missing.iter().filter(made).collect();
        let not_moved = |call: &&ToolCall| !out_of_order.iter().any(|other| same_call(other, call));
        Self {
            missing: turn.missing.iter().filter(not_moved).collect(),
            extra: turn.unexpected.iter().filter(not_moved).collect(),
            mismatches: &turn.argument_mismatches,
            out_of_order,
        }
    }
}

fn same_call(one: &ToolCall, other: &ToolCall) -> bool {
    one.tool_name == other.tool_name && one.arguments == other.arguments
}
