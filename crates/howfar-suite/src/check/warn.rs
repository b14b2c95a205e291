//! Advice about a suite that loads (suite and runner, section A10). Nothing here refuses anything.

use std::collections::BTreeSet;

use howfar_wire::canon;
use howfar_wire::finding::{PathSegment, Warning, pointer};
use howfar_wire::suite::{Case, Predicate, Step, SuiteFile};
use howfar_wire::vocabulary::{Dialect, ImportStatus, PredicateKind, WarningClass};

/// Everything odd about a valid suite, in no order.
pub(crate) fn advice(file: &SuiteFile, has_checks: impl Fn(usize) -> bool) -> Vec<Warning> {
    let mut warnings = Vec::new();
    duplicate_server_names(file, &mut warnings);
    if file.cases.iter().all(|case| case.disabled == Some(true)) {
        let message = "every case is disabled, so a run has nothing to do";
        warnings.push(warning(WarningClass::NoEnabledCase, vec!["cases".into()], message));
    }
    for (at, case) in file.cases.iter().enumerate() {
        let list = match (file.schema_version, has_checks(at)) {
            (Dialect::One, true) => "checks",
            (Dialect::One | Dialect::Two, _) => "assertions",
        };
        case_asserts_nothing(case, at, &mut warnings);
        non_exact_enabled(case, at, &mut warnings);
        empty_prompts(case, at, &mut warnings);
        negative_contradictions(case, at, list, &mut warnings);
    }
    warnings
}

fn duplicate_server_names(file: &SuiteFile, warnings: &mut Vec<Warning>) {
    let mut seen = BTreeSet::new();
    for (at, server) in file.target.servers.iter().enumerate() {
        if !seen.insert(server.name.as_str()) {
            let path = vec!["target".into(), "servers".into(), at.into(), "name".into()];
            let message = format!(
                "{:?} already names a server of this target; a local run matches by name and refuses it",
                server.name
            );
            warnings.push(warning(WarningClass::DuplicateServerName, path, message));
        }
    }
}

fn case_asserts_nothing(case: &Case, at: usize, warnings: &mut Vec<Warning>) {
    if case.disabled == Some(true) {
        return;
    }
    let asserts = case.steps.iter().any(|step| matches!(step, Step::Assert { .. }))
        || !case.assertions.is_empty()
        || case.expected_output.is_some()
        || case.is_negative_test == Some(true);
    if !asserts {
        let message = "asserts nothing, so no trial of it can fail a check; add an assertion, an `expectedOutput` or \
                       `isNegativeTest: true`";
        let path = vec!["cases".into(), at.into()];
        warnings.push(warning(WarningClass::CaseAssertsNothing, path, message));
    }
}

fn non_exact_enabled(case: &Case, at: usize, warnings: &mut Vec<Warning>) {
    let Some(import) = &case.import else { return };
    if import.status == ImportStatus::Exact || case.disabled == Some(true) {
        return;
    }
    let message = format!(
        "the case is enabled although its import is {}; a run refuses it without an approval, so disable it until it \
         is reviewed",
        import.status
    );
    let path = vec!["cases".into(), at.into(), "import".into(), "status".into()];
    warnings.push(warning(WarningClass::NonExactEnabled, path, message));
}

fn empty_prompts(case: &Case, at: usize, warnings: &mut Vec<Warning>) {
    for (step_at, step) in case.steps.iter().enumerate() {
        if let Step::Prompt { id: _, prompt } = step
            && canon::is_blank(prompt)
        {
            let path =
                vec!["cases".into(), at.into(), "steps".into(), step_at.into(), "prompt".into()];
            let message = "is blank; a run refuses the case";
            warnings.push(warning(WarningClass::EmptyPrompt, path, message));
        }
    }
}

fn negative_contradictions(case: &Case, at: usize, list: &str, warnings: &mut Vec<Warning>) {
    if case.is_negative_test != Some(true) {
        return;
    }
    let demands = |check: &Predicate| check.kind() == PredicateKind::ToolCalledWith;
    let message = "demands a tool call, and the case is negative: it passes only when no tool is called; a run refuses \
                   the case";
    let steps =
        case.steps.iter().enumerate().filter(|(_, step)| step.predicate().is_some_and(demands));
    for (step_at, _) in steps {
        let path =
            vec!["cases".into(), at.into(), "steps".into(), step_at.into(), "assertion".into()];
        warnings.push(warning(WarningClass::NegativeContradiction, path, message));
    }
    for (check_at, _) in case.assertions.iter().enumerate().filter(|(_, check)| demands(check)) {
        let path = vec!["cases".into(), at.into(), list.into(), check_at.into()];
        warnings.push(warning(WarningClass::NegativeContradiction, path, message));
    }
}

fn warning(class: WarningClass, path: Vec<PathSegment>, message: impl Into<String>) -> Warning {
    let pointer = pointer(&path);
    Warning { class, path, pointer, message: message.into(), keys: Vec::new(), location: None }
}
