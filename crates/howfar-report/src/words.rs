//! Words and counts that the terminal, the page of a run and the dashboard say alike.

use howfar_wire::report::TrialReport;

pub use crate::comparison::owners::{ComparedOwner, compared_owners};
pub use crate::comparison::tools::{ToolWords, ToolsCompared, tools_compared};
use crate::html::units;
use crate::story::trial;
use crate::text;

/// One line on a trial: whether it ran, what grading decided, where the chain broke first.
pub fn what_happened(trial: &TrialReport) -> String {
    trial::what_happened(trial)
}

/// "3 ms · 2 calls · 120 tokens"; tokens that no provider reported are not zero, and are not shown.
pub fn trial_facts(trial: &TrialReport) -> String {
    let calls = count(trial.tool_calls.len() as u64, "call");
    let mut facts = format!("{} · {calls}", units::duration(trial.duration_ms));
    if let Some(tokens) = trial.tokens.filter(|tokens| tokens.total > 0) {
        facts.push_str(&format!(" · {} tokens", units::grouped(tokens.total)));
    }
    facts
}

/// "1 trial", "12 trials".
pub fn count(number: u64, unit: &str) -> String {
    text::count(number, unit)
}

/// A fraction in percent: "66.67 %".
pub fn percent(fraction: f64) -> String {
    text::percent(fraction)
}

/// "2 of 3 (66.67 %)"; over nothing there is neither a quotient nor a percent: "not measured".
pub fn share(numerator: u64, denominator: u64) -> String {
    text::share(numerator, denominator)
}

/// A text of at most so many characters; a longer one is cut and says its length.
pub fn clip(text: &str, limit: usize) -> std::borrow::Cow<'_, str> {
    text::clip(text, limit)
}
