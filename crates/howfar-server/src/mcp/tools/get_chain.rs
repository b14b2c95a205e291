//! `get_chain`: where one trial broke, or how often trials broke where.

use howfar_wire::api::{TalliedChain, TrialChain};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::answer::Answer;
use super::super::catalog::{Call, ModelTool};
use super::super::failure::ToolFailure;
use crate::read::{TrialName, case_chain, run_chain, trial_chain};

/// `get_chain`
pub(in super::super) struct GetChain;

/// What `get_chain` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in super::super) struct Parameters {
    /// The run: `latest`, an id, or the beginning of one id.
    run_id: String,
    /// The case's declared id; without it, all trials of the run are tallied.
    case_id: Option<String>,
    /// The trial, from 1; without it, all trials of the case are tallied. Needs `caseId`.
    #[schemars(range(min = 1))]
    iteration: Option<u32>,
}

/// Exactly one of the two.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct ChainAnswer {
    /// The six rows of one trial, each with state, reason and evidence; absent when no trial was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    trial: Option<TrialChain>,
    /// Trials by state, link by link; absent when one trial was named. Never add tallies over links.
    #[serde(skip_serializing_if = "Option::is_none")]
    tally: Option<TalliedChain>,
}

impl ModelTool for GetChain {
    const NAME: &'static str = "get_chain";
    const TITLE: &'static str = "Read the chain";
    const DESCRIPTION: &'static str = "Read how far value travelled. With caseId and iteration: the six rows of one \
         trial, each with state, reason and the evidence that it cites, where it broke first, its bucket and who should \
         look next. Without iteration: how many trials of the case, or of the run, have which state at each link. The first \
         failed link is a place, not a cause; notReached, notMeasured and notApplicable are not passes.";
    type Parameters = Parameters;
    type Document = ChainAnswer;

    fn whole(parameters: &Parameters) -> String {
        format!("howfar show {} --format json", parameters.run_id)
    }

    async fn answer(
        parameters: Parameters,
        call: Call<'_>,
    ) -> Result<Answer<ChainAnswer>, ToolFailure> {
        let (store, id) = call.shared.run(&parameters.run_id).await?;
        let mut document = ChainAnswer::default();
        match (parameters.case_id, parameters.iteration) {
            (Some(case_id), Some(iteration)) => {
                let name = TrialName { case_id, iteration };
                document.trial = Some(trial_chain(&store, &id, &name).await?);
            }
            (Some(case_id), None) => {
                document.tally = Some(case_chain(&store, &id, &case_id).await?);
            }
            (None, None) => document.tally = Some(run_chain(&store, &id).await?),
            (None, Some(iteration)) => {
                let why = format!(
                    "is {iteration}, but the trials of which case is not said; name `caseId` too"
                );
                return Err(ToolFailure::parameter("iteration", why));
            }
        }
        Ok(Answer::whole(document))
    }
}
