//! How many iterations a case runs (run-documents 3.3).

use howfar_wire::grading::IterationRule;

/// What a single case and a single run say.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct IterationArguments {
    /// The case's own number.
    pub case_iterations: Option<f64>,
    /// The run's number for every case; always wins.
    pub run_override: Option<u64>,
    /// Whether the run repeats an earlier one, where no floor applies.
    pub replay: bool,
}

/// How many iterations a case runs; at least one unless the run says otherwise.
pub fn iterations(rule: IterationRule, arguments: IterationArguments) -> u64 {
    let IterationArguments { case_iterations, run_override, replay } = arguments;
    if let Some(number) = run_override {
        return number;
    }
    let own = case_iterations.map(|number| number.floor().max(1.0) as u64);
    match rule {
        IterationRule::DefaultCount { iterations } => own.unwrap_or(iterations),
        IterationRule::CaseCountWithFloor { minimum_iterations: _ } if replay => own.unwrap_or(1),
        IterationRule::CaseCountWithFloor { minimum_iterations } => {
            own.unwrap_or(1).max(minimum_iterations.unwrap_or(1))
        }
    }
}
