//! `list_iterations`: the stored trials of a run.

use howfar_wire::api::{DEFAULT_PAGE_ITEMS, IterationPage};
use howfar_wire::vocabulary::{FailureCategory, IterationStatus, Stage, StageState, TaskVerdict};
use schemars::JsonSchema;
use serde::Deserialize;

use super::super::answer::{Answer, page_within};
use super::super::catalog::{Call, ModelTool};
use super::super::failure::ToolFailure;
use crate::read::{Paging, TrialFilter, iterations, lane};

/// `list_iterations`
pub(in super::super) struct ListIterations;

/// What `list_iterations` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in super::super) struct Parameters {
    /// The run: `latest`, an id, or the beginning of one id.
    run_id: String,
    /// Only trials of the case with this declared id.
    case_id: Option<String>,
    /// Only trials with this status: whether they ran.
    status: Option<IterationStatus>,
    /// Only trials that grading decided so.
    task_verdict: Option<TaskVerdict>,
    /// Only trials whose chain broke here first: a place, not a cause.
    first_failed_stage: Option<Stage>,
    /// Only trials in this bucket.
    failure_category: Option<FailureCategory>,
    /// Together with `state`: only trials whose chain says that of this link.
    stage: Option<Stage>,
    /// Together with `stage`: the state of that link, as the funnel counts it.
    state: Option<StageState>,
    /// `true`: only trials that stand in no bar of the funnel. Not together with `stage`.
    excluded: Option<bool>,
    /// At most this many trials; 50 without it.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
}

impl ModelTool for ListIterations {
    const NAME: &'static str = "list_iterations";
    const TITLE: &'static str = "List the trials of a run";
    const DESCRIPTION: &'static str = "List the stored trials of a run, case by case: whether each ran, what grading \
         decided, the state of its six links, where it broke first, its bucket and its duration. Filter by case, status, \
         verdict, first failed link, bucket, or the state of a link; for example taskVerdict=failed for what did not pass, or \
         stage=call with state=notReached for what never got to a call. A page that ends with \
         `nextCursor` is not the whole list.";
    type Parameters = Parameters;
    type Document = IterationPage;

    fn whole(parameters: &Parameters) -> String {
        format!("howfar show {} --format json", parameters.run_id)
    }

    async fn answer(
        parameters: Parameters,
        call: Call<'_>,
    ) -> Result<Answer<IterationPage>, ToolFailure> {
        let (store, id) = call.shared.run(&parameters.run_id).await?;
        let filter = TrialFilter {
            case_id: parameters.case_id,
            status: parameters.status,
            task_verdict: parameters.task_verdict,
            first_failed_stage: parameters.first_failed_stage,
            failure_category: parameters.failure_category,
            lane: lane(parameters.stage, parameters.state, parameters.excluded)?,
        };
        let ask = |limit| {
            let paging = Paging {
                limit: Some(limit),
                cursor: parameters.cursor.clone(),
                ..Paging::default()
            };
            let (store, id, filter) = (&store, &id, &filter);
            async move { Ok(iterations(store, id, filter, &paging).await?) }
        };
        let limit = parameters.limit.unwrap_or(DEFAULT_PAGE_ITEMS);
        let items = |page: &IterationPage| page.iterations.len();
        let (document, left_out) = page_within(call.budget, limit, items, ask).await?;
        Ok(Answer { document, left_out })
    }
}
