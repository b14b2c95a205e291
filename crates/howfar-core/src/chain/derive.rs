//! The algorithm: which rules apply to a trial, in which order (derivation, section 6).

use howfar_wire::chain::{STAGE_ANALYZER_VERSION, StageDerivation, StageInput, StageRow};
use howfar_wire::vocabulary::{
    FailureCategory, IterationStatus, Stage, StageReason as Reason, StageState as State,
    Vocabulary as _,
};

use super::facts::{Applicable, Facts};
use super::rows::{not_applicable, not_measured, not_reached};
use super::{call, category, connection, discovery, provider, response, selection, user_value};

/// The six rows, the first failed stage and the failure category of one finished trial.
///
/// Never fails: evidence that is missing becomes a state with a reason. Equal input gives equal output, byte for byte.
pub fn derive_stages<D>(input: &StageInput<'_, D>) -> StageDerivation {
    let facts = Facts::of(input);
    let applicable = Applicable::of(&input.authored, &facts);
    let status = input.iteration.status;
    let blocked = input.policy.as_ref().is_some_and(|policy| policy.blocked);

    if blocked {
        finish(&facts, all_not_measured(applicable, Reason::BlockedByPolicy), None)
    } else if is_setup_abort(status, &facts) {
        finish(&facts, setup_abort_rows(&facts, applicable), Some(FailureCategory::Setup))
    } else if let Some(reason) = stop_reason(status) {
        finish(&facts, all_not_measured(applicable, reason), Some(FailureCategory::Setup))
    } else {
        finish(&facts, measured_rows(&facts, applicable), None)
    }
}

/// Whether the trial broke before anything could be recorded (derivation 6, step C).
fn is_setup_abort<D>(status: IterationStatus, facts: &Facts<'_, '_, D>) -> bool {
    let broke = match status {
        IterationStatus::Failed | IterationStatus::SetupFailed => true,
        IterationStatus::Pending
        | IterationStatus::Running
        | IterationStatus::Completed
        | IterationStatus::Cancelled
        | IterationStatus::TimedOut
        | IterationStatus::Skipped => false,
    };
    broke
        && facts.evidence.trace_absent
        && facts.evidence.spans.is_empty()
        && facts.evidence.prompts.is_empty()
        && !facts.checks.any_deciding()
}

/// Why nothing of a stopped trial is measured; `None` for a trial that was not stopped (derivation 6, step D).
const fn stop_reason(status: IterationStatus) -> Option<Reason> {
    match status {
        IterationStatus::SetupFailed => Some(Reason::SetupAborted),
        IterationStatus::Cancelled | IterationStatus::TimedOut | IterationStatus::Skipped => {
            Some(Reason::LifecycleStopped)
        }
        IterationStatus::Pending
        | IterationStatus::Running
        | IterationStatus::Completed
        | IterationStatus::Failed => None,
    }
}

fn all_not_measured(applicable: Applicable, reason: Reason) -> [StageRow; 6] {
    STAGES.map(|stage| {
        if applicable.holds(stage) { not_measured(stage, reason) } else { not_applicable(stage) }
    })
}

/// The rows of a trial that was aborted in setup (derivation 6, step E).
fn setup_abort_rows<D>(facts: &Facts<'_, '_, D>, applicable: Applicable) -> [StageRow; 6] {
    if facts.connection_signal.is_none() && facts.discovery_signal.is_none() {
        return all_not_measured(applicable, Reason::SetupAborted);
    }
    let connection = connection::row(facts);
    let mut discovery = discovery::row(facts);
    if connection.state == State::Failed && discovery.state == State::NotMeasured {
        discovery = not_reached(Stage::Discovery);
    }
    let failed = connection.state == State::Failed || discovery.state == State::Failed;
    let later = |stage| {
        if !applicable.holds(stage) {
            not_applicable(stage)
        } else if failed {
            not_reached(stage)
        } else {
            not_measured(stage, Reason::SetupAborted)
        }
    };
    [
        connection,
        discovery,
        later(Stage::Selection),
        later(Stage::Call),
        later(Stage::Response),
        later(Stage::UserValue),
    ]
}

/// The rows of a trial that ran (derivation 6, normal path). The order of withdrawal and overlay is part of the rule.
fn measured_rows<D>(facts: &Facts<'_, '_, D>, applicable: Applicable) -> [StageRow; 6] {
    let when = |stage, row: fn(&Facts<'_, '_, D>) -> StageRow| {
        if applicable.holds(stage) { row(facts) } else { not_applicable(stage) }
    };
    let connection = connection::row(facts);
    let discovery = discovery::row(facts);
    let selection = when(Stage::Selection, selection::row);
    let call = when(Stage::Call, call::row);
    let response = when(Stage::Response, response::row);
    let failed = [&connection, &discovery, &selection, &call, &response]
        .iter()
        .any(|row| row.state == State::Failed);
    let judge = facts.evidence.judge_evidence.as_ref().filter(|_| !failed);
    let user_value = if applicable.holds(Stage::UserValue) {
        user_value::row(facts, judge)
    } else {
        not_applicable(Stage::UserValue)
    };
    let mut rows = [connection, discovery, selection, call, response, user_value];
    provider::withdraw(facts, &mut rows);
    overlay(&mut rows);
    rows
}

/// What stands after the first failure and was not measured was never reached.
fn overlay(rows: &mut [StageRow; 6]) {
    let unmeasured_after_failure = rows
        .iter_mut()
        .skip_while(|row| row.state != State::Failed)
        .filter(|row| row.state == State::NotMeasured);
    for row in unmeasured_after_failure {
        *row = not_reached(row.stage);
    }
}

/// Withdrawal once more, first failed stage, category and metadata merge (derivation 6, step F).
fn finish<D>(
    facts: &Facts<'_, '_, D>,
    mut rows: [StageRow; 6],
    forced: Option<FailureCategory>,
) -> StageDerivation {
    provider::withdraw(facts, &mut rows);
    let first_failed = rows.iter().find(|row| row.state == State::Failed);
    let first_failed_stage = first_failed.map(|row| row.stage);
    let failure_category = forced.or_else(|| category::of(facts, first_failed));
    if failure_category == Some(FailureCategory::Metadata) {
        category::merge_metadata(facts, &mut rows[Stage::Selection.index()]);
    }
    StageDerivation {
        stage_results: rows,
        first_failed_stage,
        failure_category,
        stage_analyzer_version: u64::from(STAGE_ANALYZER_VERSION),
    }
}

const STAGES: [Stage; 6] = {
    let all = Stage::ALL;
    [all[0], all[1], all[2], all[3], all[4], all[5]]
};
