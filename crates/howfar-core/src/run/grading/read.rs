//! A grading policy from each of its sources (run-documents 3.1 and 3.2). Sources are JSON of which nothing is trusted.

use howfar_wire::grading::{
    CaseOverride, GradingPolicy, IterationRule, PassCriterion, PolicyOrigin, Population,
    ValidityRule,
};
use howfar_wire::suite::Validity;
use howfar_wire::verdict::VerdictPolicy;
use serde_json::Value;

/// A hosted suite that names verdict policy v2 and has no defaults for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the suite names verdict policy 2 and has no defaults for it")]
pub struct PerCaseDefaultsMissing;

/// The policy of a suite file `{defaults: {iterations, passThreshold, validity?}, cases?}`.
pub fn of_suite_file(file: &Value) -> GradingPolicy {
    let defaults = &file["defaults"];
    per_case(defaults, "iterations", &file["cases"], PolicyOrigin::SuiteFile)
}

/// The policy of a hosted suite: per case under verdict policy v2, else suite-wide.
///
/// # Errors
///
/// When the suite names verdict policy v2 and has no defaults for it.
pub fn of_hosted_suite(suite: &Value) -> Result<GradingPolicy, PerCaseDefaultsMissing> {
    if suite["verdictPolicyVersion"].as_f64() != Some(2.0) {
        return Ok(suite_wide_hosted(suite));
    }
    let defaults = &suite["verdictPolicyDefaults"];
    if !defaults.is_object() {
        return Err(PerCaseDefaultsMissing);
    }
    Ok(per_case(defaults, "repetitions", &suite["cases"], PolicyOrigin::HostedPerCase))
}

/// The policy of a run that somebody reported, `{minimumPassRate?, producer}`.
pub fn of_reported_run(run: &Value) -> GradingPolicy {
    let population = if run["producer"] == "hosted" {
        Population::CasesIgnoringExecutionVariant
    } else {
        Population::Iterations
    };
    GradingPolicy {
        pass_criterion: PassCriterion::SuiteWide {
            threshold_percent: run["minimumPassRate"].as_f64().unwrap_or(100.0),
            population,
            empty_population_rate: 0,
        },
        iteration_rule: IterationRule::CaseCountWithFloor { minimum_iterations: None },
        validity: ValidityRule { enforced: false, declared: None, resolved: None },
        case_overrides: Vec::new(),
        origin: PolicyOrigin::RunReporting,
    }
}

fn per_case(
    defaults: &Value,
    count_key: &str,
    cases: &Value,
    origin: PolicyOrigin,
) -> GradingPolicy {
    let validity = &defaults["validity"];
    let declared = Validity {
        min_eligible_trials: validity["minEligibleTrials"].as_u64(),
        min_completion_rate: validity["minCompletionRate"].as_f64(),
        max_evaluator_error_rate: validity["maxEvaluatorErrorRate"].as_f64(),
    };
    GradingPolicy {
        pass_criterion: PassCriterion::PerCase {
            threshold: defaults["passThreshold"].as_f64().unwrap_or(1.0),
        },
        iteration_rule: IterationRule::DefaultCount {
            iterations: defaults[count_key].as_u64().unwrap_or(1),
        },
        validity: ValidityRule {
            enforced: true,
            declared: Some(declared),
            resolved: Some(VerdictPolicy::of(declared)),
        },
        case_overrides: overrides(cases, |case| {
            (case[count_key].as_u64(), case["passThreshold"].as_f64())
        }),
        origin,
    }
}

fn suite_wide_hosted(suite: &Value) -> GradingPolicy {
    let floor = suite["minIterations"].as_f64().map(|floor| floor.floor().clamp(1.0, 10.0) as u64);
    GradingPolicy {
        pass_criterion: PassCriterion::SuiteWide {
            threshold_percent: suite["defaultPassCriteria"]["minimumPassRate"]
                .as_f64()
                .unwrap_or(100.0),
            population: Population::Iterations,
            empty_population_rate: 1,
        },
        iteration_rule: IterationRule::CaseCountWithFloor { minimum_iterations: floor },
        validity: ValidityRule { enforced: false, declared: None, resolved: None },
        case_overrides: overrides(&suite["cases"], |case| (case["runs"].as_u64(), None)),
        origin: PolicyOrigin::HostedSuiteWide,
    }
}

/// The cases that say otherwise. A case without id and title cannot be named, and its override is dropped.
fn overrides(
    cases: &Value,
    read: impl Fn(&Value) -> (Option<u64>, Option<f64>),
) -> Vec<CaseOverride> {
    let cases = cases.as_array().map_or(&[][..], Vec::as_slice);
    let one = |case: &Value| {
        let (iterations, pass_threshold) = read(case);
        let says_something = iterations.is_some() || pass_threshold.is_some();
        let case_ref = case["id"].as_str().or(case["title"].as_str())?.to_owned();
        says_something.then_some(CaseOverride { case_ref, iterations, pass_threshold })
    };
    cases.iter().filter_map(one).collect()
}
