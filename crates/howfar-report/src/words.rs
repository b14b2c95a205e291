//! Sentences and counts that the terminal, the page of a run and the dashboard say in the same words.

use howfar_wire::report::{RunReport, TrialReport};

use crate::story::{decided, measured, trial};
use crate::text;

/// The models that answered, in the order of the cases: "no model" when no case needs one.
pub fn models(report: &RunReport) -> String {
    decided::models(report)
}

/// "3 of 5 case variants passed · 1 failed · 1 inconclusive". Needs no trial of the report.
pub fn case_counts(report: &RunReport) -> String {
    decided::case_counts(report)
}

/// Why the verdict is what it is, or why none is established. Needs no trial of the report.
pub fn sentences(report: &RunReport) -> Vec<String> {
    decided::sentences(report)
}

/// Floors of the policy that the run missed, with what was measured. Needs no trial of the report.
pub fn missed_floors(report: &RunReport) -> Vec<String> {
    measured::missed_floors(report)
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
