//! Pairing expected with observed calls: first by name and arguments, then by name alone (predicates 11.2).

use howfar_wire::matching::ToolCallOrder;
use howfar_wire::transcript::ToolCall;

use super::arguments::ArgumentPattern;

/// One expected call.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot<'a> {
    pub(super) tool_name: &'a str,
    pub(super) arguments: &'a ArgumentPattern,
}

impl Slot<'_> {
    fn fits(&self, call: &ToolCall) -> bool {
        self.tool_name == call.tool_name && self.arguments.fits(&call.arguments)
    }
}

/// The partner of an expected call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    /// The index of the observed call.
    pub(super) call: usize,
    /// Whether the names agree and the arguments do not.
    pub(super) mismatch: bool,
}

/// The partner of each expected call, in order; each observed call is used at most once.
pub(super) fn pair(
    slots: &[Slot<'_>],
    calls: &[&ToolCall],
    order: ToolCallOrder,
) -> Vec<Option<Pair>> {
    let mut state = Pairing { pairs: vec![None; slots.len()], used: vec![false; calls.len()] };
    let starts = match order {
        ToolCallOrder::Ignore => state.fit_anywhere(slots, calls),
        ToolCallOrder::Strict => state.fit_in_place(slots, calls),
        ToolCallOrder::Superset => state.fit_forward(slots, calls),
    };
    state.pair_by_name(slots, calls, &starts);
    state.pairs
}

struct Pairing {
    pairs: Vec<Option<Pair>>,
    used: Vec<bool>,
}

/// Where the second pass may look for a slot: from `first` up to, not including, `end`.
struct Window {
    first: usize,
    end: usize,
}

impl Pairing {
    fn take(&mut self, slot: usize, call: usize, mismatch: bool) {
        self.used[call] = true;
        self.pairs[slot] = Some(Pair { call, mismatch });
    }

    /// `ignore`: the earliest unused call that fits. Greedy, not optimal.
    fn fit_anywhere(&mut self, slots: &[Slot<'_>], calls: &[&ToolCall]) -> Vec<Window> {
        for (at, slot) in slots.iter().enumerate() {
            let found = (0..calls.len()).find(|&call| !self.used[call] && slot.fits(calls[call]));
            if let Some(call) = found {
                self.take(at, call, false);
            }
        }
        slots.iter().map(|_| Window { first: 0, end: calls.len() }).collect()
    }

    /// `strict`: the call of the same index.
    fn fit_in_place(&mut self, slots: &[Slot<'_>], calls: &[&ToolCall]) -> Vec<Window> {
        for (at, slot) in slots.iter().enumerate().take(calls.len()) {
            if slot.fits(calls[at]) {
                self.take(at, at, false);
            }
        }
        let window = |at: usize| Window { first: at, end: (at + 1).min(calls.len()) };
        (0..slots.len()).map(window).collect()
    }

    /// `superset`: one cursor over the calls that never goes back; a call that does not fit is passed over for good.
    fn fit_forward(&mut self, slots: &[Slot<'_>], calls: &[&ToolCall]) -> Vec<Window> {
        let mut cursor = 0;
        let mut windows = Vec::with_capacity(slots.len());
        for (at, slot) in slots.iter().enumerate() {
            windows.push(Window { first: cursor, end: calls.len() });
            let found = (cursor..calls.len()).find(|&call| slot.fits(calls[call]));
            if let Some(call) = found {
                self.take(at, call, false);
            }
            cursor = found.map_or(calls.len(), |call| call + 1);
        }
        windows
    }

    fn pair_by_name(&mut self, slots: &[Slot<'_>], calls: &[&ToolCall], windows: &[Window]) {
        for (at, slot) in slots.iter().enumerate() {
            if self.pairs[at].is_some() {
                continue;
            }
            let Window { first, end } = windows[at];
            let found = (first..end)
                .find(|&call| !self.used[call] && slot.tool_name == calls[call].tool_name);
            if let Some(call) = found {
                self.take(at, call, true);
            }
        }
    }
}
