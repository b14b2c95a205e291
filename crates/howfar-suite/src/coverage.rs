//! Which links of the chain a suite measures, read from the suite alone (derivation, sections 5, 6 and 13).

use std::collections::BTreeSet;

use howfar_wire::Vocabulary;
use howfar_wire::finding::{CheckCount, StageCoverage};
use howfar_wire::predicate::EffectiveRole;
use howfar_wire::suite::{Predicate, Step};
use howfar_wire::vocabulary::{Grader, Measurement, PredicateKind, Stage};
use indexmap::IndexMap;

use crate::plan::is_promoted;
use crate::{ResolvedCase, ResolvedSuite};

/// What the enabled cases say about each link, in chain order. Suite-standard checks and the runner's own rows fill no
/// gap, so they are not counted.
pub fn coverage(suite: &ResolvedSuite) -> [StageCoverage; 6] {
    let cases: Vec<CaseChecks> =
        suite.enabled_cases().map(|case| CaseChecks::of(suite, case)).collect();
    let stage = |index: usize| {
        let mut found = stage_coverage(Stage::ALL[index], &cases);
        if found.stage == Stage::UserValue && judge_lacks_model(suite) {
            found.line.push_str(
                "; a judge should run and no model is named for it: write `defaults.judge.model: provider/model`",
            );
        }
        found
    };
    [stage(0), stage(1), stage(2), stage(3), stage(4), stage(5)]
}

/// Whether a judge should run by itself and nobody says which model it is.
fn judge_lacks_model(suite: &ResolvedSuite) -> bool {
    suite
        .enabled_cases()
        .map(|case| suite.effective_judge(case))
        .any(|judge| judge.skip.is_none() && judge.model.is_none())
}

/// One grader of a case, at the link where it counts.
struct Check {
    stage: Stage,
    name: &'static str,
    decides: bool,
}

/// What a case says about the chain.
struct CaseChecks {
    checks: Vec<Check>,
    /// Whether a model chooses tools.
    model: bool,
    /// Whether a call is expected, pinned, or expected not to happen.
    calls: bool,
    /// Whether anything but the choice of tools is asserted.
    asserts: bool,
}

impl CaseChecks {
    fn of(suite: &ResolvedSuite, case: &ResolvedCase) -> Self {
        let mut checks = Vec::new();
        let mut expected_calls = case.is_negative_test;
        for predicate in case.steps.iter().filter_map(Step::predicate) {
            if is_promoted(predicate) {
                expected_calls = true;
                checks.push(Check::grader(Grader::ToolCallsArguments, true));
            } else {
                checks.push(Check::predicate(predicate));
            }
        }
        checks.extend(case.assertions.iter().map(Check::predicate));
        if expected_calls {
            checks.push(Check::grader(Grader::ToolCallsMatch, true));
        }
        let judge = suite.effective_judge(case);
        let model = case.steps.iter().any(|step| matches!(step, Step::Prompt { .. }));
        // A judge without a request to grade is not asked. An advisory one decides nothing.
        if judge.skip.is_none() && model {
            let decides = judge.role == EffectiveRole::Gating;
            checks.push(Check::grader(Grader::JudgeGoalCompletion, decides));
        }
        let has = |kind: PredicateKind| checks.iter().any(|check| check.name == kind.as_str());
        let pinned = case.steps.iter().any(|step| matches!(step, Step::ToolCall { .. }));
        let calls = expected_calls
            || pinned
            || has(PredicateKind::ToolCalledAtLeastOnce)
            || has(PredicateKind::FirstToolWas)
            || has(PredicateKind::ToolCalledWith);
        let mut predicates = case.steps.iter().filter_map(Step::predicate).chain(&case.assertions);
        let asserts = case.expected_output.is_some()
            || predicates.any(|predicate| !predicate.kind().decides_selection());
        Self { checks, model, calls, asserts }
    }

    /// Whether the link applies to the case (derivation, section 6 A).
    fn applies(&self, stage: Stage) -> bool {
        let deciding = || self.decides(stage);
        match stage {
            Stage::Connection | Stage::Discovery => true,
            Stage::Selection => self.model,
            Stage::Call | Stage::Response => self.calls || deciding(),
            Stage::UserValue => self.model || self.asserts,
        }
    }

    fn decides(&self, stage: Stage) -> bool {
        self.checks.iter().any(|check| check.stage == stage && check.decides)
    }
}

impl Check {
    fn predicate(predicate: &Predicate) -> Self {
        let kind = predicate.kind();
        let decides = predicate.role() == EffectiveRole::Gating;
        // An advisory check is shown where it is filed; it decides nowhere.
        let stage = if decides { kind.decides_at() } else { kind.stage() };
        Self { stage, name: kind.as_str(), decides }
    }

    fn grader(grader: Grader, decides: bool) -> Self {
        Self { stage: grader.stage(), name: grader.as_str(), decides }
    }
}

fn stage_coverage(stage: Stage, cases: &[CaseChecks]) -> StageCoverage {
    let applicable: Vec<&CaseChecks> = cases.iter().filter(|case| case.applies(stage)).collect();
    let measured_cases = applicable.iter().filter(|case| case.decides(stage)).count();
    let mut counts: IndexMap<&str, CheckCount> = IndexMap::new();
    for check in applicable.iter().flat_map(|case| &case.checks).filter(|it| it.stage == stage) {
        let count = counts.entry(check.name).or_insert_with(|| CheckCount {
            check: check.name.to_owned(),
            required: 0,
            advisory: 0,
        });
        if check.decides {
            count.required += 1;
        } else {
            count.advisory += 1;
        }
    }
    let measurement = if applicable.is_empty() && !cases.is_empty() {
        Measurement::NotApplicable
    } else if measured_cases > 0 {
        Measurement::Authored
    } else if !counts.is_empty() {
        Measurement::AdvisoryOnly
    } else if has_built_in_row(stage) && !cases.is_empty() {
        Measurement::BuiltInOnly
    } else {
        Measurement::Nothing
    };
    let mut coverage = StageCoverage {
        stage,
        measurement,
        measured_cases,
        applicable_cases: applicable.len(),
        enabled_cases: cases.len(),
        checks: counts.into_values().collect(),
        line: String::new(),
    };
    coverage.line = line(&coverage);
    coverage
}

/// The links that the runner observes by itself (derivation, section 13).
const fn has_built_in_row(stage: Stage) -> bool {
    match stage {
        Stage::Connection | Stage::Discovery | Stage::Call | Stage::Response => true,
        Stage::Selection | Stage::UserValue => false,
    }
}

fn line(coverage: &StageCoverage) -> String {
    let StageCoverage { stage, measured_cases, applicable_cases, checks, .. } = coverage;
    let label = stage.label();
    let names: BTreeSet<&str> = checks.iter().map(|count| count.check.as_str()).collect();
    let names = names.into_iter().collect::<Vec<_>>().join(", ");
    match coverage.measurement {
        Measurement::Authored => {
            let cases = cases_of(*measured_cases, *applicable_cases);
            format!("{label}: measured in {cases}, by {names}")
        }
        Measurement::AdvisoryOnly => {
            format!(
                "{label}: only advisory checks look at it ({names}), and they decide nothing; {}",
                remedy(*stage)
            )
        }
        Measurement::BuiltInOnly => {
            format!("{label}: no check is written for it; the runner's own row observes it")
        }
        Measurement::Nothing => format!("{label}: nothing measures it; {}", remedy(*stage)),
        Measurement::NotApplicable => {
            format!("{label}: it applies to no enabled case; {}", occasion(*stage))
        }
    }
}

fn cases_of(measured: usize, applicable: usize) -> String {
    match (measured, applicable) {
        (1, 1) => "the one case that it applies to".to_owned(),
        (measured, applicable) if measured == applicable => {
            format!("all {applicable} cases that it applies to")
        }
        (measured, applicable) => format!("{measured} of {applicable} cases that it applies to"),
    }
}

/// What to write so that the link is measured.
const fn remedy(stage: Stage) -> &'static str {
    match stage {
        Stage::Connection => "a run observes it",
        Stage::Discovery => {
            "add a required `toolDescriptionsPresent` or another check of the catalog"
        }
        Stage::Selection => "add a required `toolCalledAtLeastOnce` or `toolCalledWith`",
        Stage::Call => {
            "add a required `toolCalledWith` with arguments, or `argumentsMatchToolSchema`"
        }
        Stage::Response => "add a required `noToolErrors` or `toolResultContains`",
        Stage::UserValue => {
            "add a required `responseContains` or `responseMatches`, or a required judge (`judge: { role: gating, \
             autoRun: true, model: … }`)"
        }
    }
}

/// What makes the link apply.
const fn occasion(stage: Stage) -> &'static str {
    match stage {
        Stage::Connection | Stage::Discovery => "enable a case",
        Stage::Selection => "only a case with a prompt lets a model choose",
        Stage::Call | Stage::Response => "no case expects a call",
        Stage::UserValue => "no case asks for anything",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::{parse_suite, resolve};

    fn check(steps: &Value, assertions: &Value, expected: [Measurement; 6]) {
        let suite = json!({
            "schemaVersion": "2", "mode": "agentWorkflow", "reportingMode": "standard",
            "suite": {"id": "s", "name": "s"}, "target": {"servers": [{"name": "s"}]},
            "defaults": {"model": "scripted/s", "iterations": 1, "passThreshold": 1, "validity": {}},
            "cases": [{"id": "c", "title": "c", "steps": steps, "assertions": assertions}],
        });
        let parse = parse_suite(&suite.to_string());
        let suite = parse.suite().unwrap_or_else(|| panic!("{:?}", parse.findings()));
        let found = coverage(&resolve(suite)).map(|stage| stage.measurement);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_prompt_alone_measures_nothing() {
        use Measurement::{BuiltInOnly, NotApplicable, Nothing};
        let steps = json!([{"id": "p", "kind": "prompt", "prompt": "x"}]);
        let none = [BuiltInOnly, BuiltInOnly, Nothing, NotApplicable, NotApplicable, Nothing];
        check(&steps, &json!([]), none);
    }

    #[test]
    fn an_expected_call_measures_selection_and_call() {
        use Measurement::{Authored, BuiltInOnly, Nothing};
        let call = json!({"type": "toolCalledWith", "toolName": "t", "args": {"args": {}}});
        let steps = json!([
            {"id": "p", "kind": "prompt", "prompt": "x"},
            {"id": "a", "kind": "assert", "assertion": call},
        ]);
        check(
            &steps,
            &json!([]),
            [BuiltInOnly, BuiltInOnly, Authored, Authored, BuiltInOnly, Nothing],
        );
    }

    #[test]
    fn an_advisory_check_fills_no_gap() {
        use Measurement::{AdvisoryOnly, BuiltInOnly, NotApplicable, Nothing};
        let steps = json!([{"id": "p", "kind": "prompt", "prompt": "x"}]);
        let checks = json!([{"type": "responseContains", "needle": "x", "role": "advisory"}]);
        let expected =
            [BuiltInOnly, BuiltInOnly, Nothing, NotApplicable, NotApplicable, AdvisoryOnly];
        check(&steps, &checks, expected);
    }

    #[test]
    fn a_judge_fills_the_gap_only_where_it_decides() {
        let found = |judge: Value| {
            let suite = json!({
                "schemaVersion": "2", "mode": "agentWorkflow", "reportingMode": "standard",
                "suite": {"id": "s", "name": "s"}, "target": {"servers": [{"name": "s"}]},
                "defaults": {"model": "scripted/s", "iterations": 1, "passThreshold": 1, "validity": {}, "judge": judge},
                "cases": [{"id": "c", "title": "c", "steps": [{"id": "p", "kind": "prompt", "prompt": "x"}]}],
            });
            let parse = parse_suite(&suite.to_string());
            let [.., user_value] = coverage(&resolve(parse.suite().expect("a valid suite")));
            user_value
        };
        let gating = found(json!({"autoRun": true, "role": "gating", "model": "scripted/j"}));
        assert_eq!(gating.measurement, Measurement::Authored);
        let advisory = found(json!({"autoRun": true}));
        assert_eq!(advisory.measurement, Measurement::AdvisoryOnly);
        assert!(advisory.line.contains("defaults.judge.model"), "{}", advisory.line);
        assert_eq!(found(json!({"role": "gating"})).measurement, Measurement::Nothing);
    }

    #[test]
    fn a_fixed_call_leaves_nothing_to_select() {
        use Measurement::{Authored, BuiltInOnly, NotApplicable, Nothing};
        let steps = json!([{"id": "t", "kind": "toolCall", "serverName": "s", "toolName": "t", "arguments": {}}]);
        let checks = json!([{"type": "toolResultContains", "needle": "x"}]);
        let expected = [BuiltInOnly, BuiltInOnly, NotApplicable, BuiltInOnly, Authored, Nothing];
        check(&steps, &checks, expected);
    }
}
