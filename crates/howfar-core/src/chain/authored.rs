//! What a case asserts, inferred from the case (derivation, section 3).

use howfar_wire::chain::{Authored, AuthoredMode};
use howfar_wire::vocabulary::PredicateKind;

use super::routing::makes_call_expected;

/// The parts of a case from which [`infer_authored`] infers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuthoredSource {
    /// Whether the case needs a model.
    pub case_needs_model: bool,
    /// The case's own flag, when it has one; a `false` is kept.
    pub is_negative_test: Option<bool>,
    /// Whether an expected output is authored, even an empty one.
    pub has_expected_output: bool,
    /// Whether the case, or any of its turns, lists an expected tool call.
    pub lists_expected_calls: bool,
    /// Whether the case is of the type `widget_probe`.
    pub is_widget_probe: bool,
    /// The steps, in order.
    pub steps: Vec<AuthoredStep>,
    /// The checks of the case as a whole.
    pub success_predicates: Vec<AuthoredCheck>,
}

/// A step, as far as the chain needs to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthoredStep {
    /// A direct tool call.
    ToolCall,
    /// An assertion.
    Assert(AuthoredCheck),
    /// Anything else.
    Other,
}

/// A check, as far as the chain needs to know. Its role is not looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuthoredCheck {
    /// An assertion about a widget.
    Widget,
    /// A predicate; `None` for a kind that is absent or unknown.
    Predicate(Option<PredicateKind>),
}

/// What the case asserts.
pub fn infer_authored(source: &AuthoredSource) -> Authored {
    let mode =
        if source.case_needs_model { AuthoredMode::ModelDriven } else { AuthoredMode::ModelFree };
    Authored {
        is_negative_test: source.is_negative_test,
        expects_tool_call: Some(expects_tool_call(source)),
        expects_widget_render: Some(expects_widget_render(source)),
        assertion_count: Some(assertion_count(source)),
        ..Authored::new(mode)
    }
}

fn expects_tool_call(source: &AuthoredSource) -> bool {
    source.lists_expected_calls
        || source.steps.contains(&AuthoredStep::ToolCall)
        || checks(source).any(|check| makes_call_expected(kind(check)))
}

fn expects_widget_render(source: &AuthoredSource) -> bool {
    source.is_widget_probe || source.steps.contains(&AuthoredStep::Assert(AuthoredCheck::Widget))
}

/// Every check counts but those which decide the selection; an expected output counts once.
fn assertion_count(source: &AuthoredSource) -> u64 {
    let decides_selection =
        |check: &AuthoredCheck| kind(*check).is_some_and(PredicateKind::decides_selection);
    let checks = checks(source).filter(|check| !decides_selection(check)).count();
    checks as u64 + u64::from(source.has_expected_output)
}

/// The assertions at steps, and the checks of the case.
fn checks(source: &AuthoredSource) -> impl Iterator<Item = AuthoredCheck> {
    let asserted = source.steps.iter().filter_map(|step| match step {
        AuthoredStep::Assert(check) => Some(*check),
        AuthoredStep::ToolCall | AuthoredStep::Other => None,
    });
    asserted.chain(source.success_predicates.iter().copied())
}

const fn kind(check: AuthoredCheck) -> Option<PredicateKind> {
    match check {
        AuthoredCheck::Widget => None,
        AuthoredCheck::Predicate(kind) => kind,
    }
}
