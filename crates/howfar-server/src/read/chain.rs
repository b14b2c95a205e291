//! Chains: of one trial, and tallied over the trials of a case or a run.

use howfar_store::{RunId, Store, TrialGroup};
use howfar_wire::api::{
    API_SCHEMA_VERSION, ChainTally, LinkState, LinkTally, TalliedChain, TrialChain,
};
use howfar_wire::rate::Counts;
use howfar_wire::vocabulary::{MeasurementUnit, Stage, StageState, Vocabulary as _};

use super::cases::position;
use super::trials::{TrialName, trial_report};
use super::{ReadError, runs::known};

/// The six rows of one trial.
///
/// # Errors
///
/// There is no such case or trial, or the store cannot be read.
pub async fn trial_chain(
    store: &Store,
    id: &RunId,
    name: &TrialName,
) -> Result<TrialChain, ReadError> {
    let trial = trial_report(store, id, name).await?;
    Ok(TrialChain {
        schema_version: API_SCHEMA_VERSION,
        kind: "trial-chain".to_owned(),
        run_id: id.to_string(),
        case_id: name.case_id.clone(),
        iteration_number: trial.iteration_number,
        next_owner: trial.failure_category.map(|category| category.next_owner().to_owned()),
        stage_results: trial.stage_results,
        first_failed_stage: trial.first_failed_stage,
        failure_category: trial.failure_category,
        stage_analyzer_version: trial.stage_analyzer_version,
    })
}

/// The chains of a case's trials, tallied.
///
/// # Errors
///
/// There is no such case, or the store cannot be read.
pub async fn case_chain(
    store: &Store,
    id: &RunId,
    case_id: &str,
) -> Result<TalliedChain, ReadError> {
    let at = position(store, id, case_id).await?;
    let groups = store.trial_groups(id, at..at.saturating_add(1)).await?;
    Ok(tallied(id, Some(case_id), &groups))
}

/// The chains of all trials of a run, tallied.
///
/// # Errors
///
/// There is no such run, or the store cannot be read.
pub async fn run_chain(store: &Store, id: &RunId) -> Result<TalliedChain, ReadError> {
    known(store, id).await?;
    let groups = store.trial_groups(id, 0..u32::MAX).await?;
    Ok(tallied(id, None, &groups))
}

fn tallied(id: &RunId, case_id: Option<&str>, groups: &[TrialGroup]) -> TalliedChain {
    TalliedChain {
        schema_version: API_SCHEMA_VERSION,
        kind: "chain-tally".to_owned(),
        run_id: id.to_string(),
        case_id: case_id.map(str::to_owned),
        chain: chain_tally(groups),
    }
}

/// How far the trials of these groups got.
pub(super) fn chain_tally(groups: &[TrialGroup]) -> ChainTally {
    let mut tally = ChainTally {
        unit: MeasurementUnit::Trial,
        links: Stage::ALL.iter().map(|&stage| empty(stage)).collect(),
        without_chain: 0,
        first_failed_stages: Counts::new(),
        failure_categories: Counts::new(),
    };
    for group in groups {
        match &group.stage_states {
            Some(states) => {
                for (link, state) in tally.links.iter_mut().zip(states) {
                    link.states.add(*state, group.trials);
                }
            }
            None => tally.without_chain += group.trials,
        }
        if let Some(stage) = group.first_failed_stage {
            tally.first_failed_stages.add(stage, group.trials);
        }
        if let Some(category) = group.failure_category {
            tally.failure_categories.add(category, group.trials);
        }
    }
    tally
}

fn empty(stage: Stage) -> LinkTally {
    LinkTally { stage, states: Counts::new() }
}

/// The six states of a chain with the names of their links.
pub(super) fn links(states: [StageState; 6]) -> Vec<LinkState> {
    let link = |(&stage, state): (&Stage, StageState)| LinkState { stage, state };
    Stage::ALL.iter().zip(states).map(link).collect()
}
