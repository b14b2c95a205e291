//! Words and counts that the terminal, the page of a run and the dashboard say alike.

use howfar_wire::report::{ServerReport, TrialReport};

pub use crate::comparison::tools::{ToolWords, ToolsCompared, tools_compared};
use crate::story::{setup, trial};
use crate::text;

/// What failed of a server's set-up; `None` when nothing did.
pub fn what_failed(server: &ServerReport) -> Option<&'static str> {
    setup::what_failed(server)
}

/// One line on a trial: whether it ran, what grading decided, where the chain broke first.
pub fn what_happened(trial: &TrialReport) -> String {
    trial::what_happened(trial)
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
