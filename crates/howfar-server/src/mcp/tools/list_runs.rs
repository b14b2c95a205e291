//! `list_runs`: the stored runs, newest first.

use howfar_wire::api::{DEFAULT_PAGE_ITEMS, RunPage};
use howfar_wire::vocabulary::Verdict;
use schemars::JsonSchema;
use serde::Deserialize;

use super::super::answer::{Answer, page_within};
use super::super::catalog::{Call, ModelTool};
use super::super::failure::ToolFailure;
use crate::read::{Paging, RunFilter, runs};

/// `list_runs`
pub(in super::super) struct ListRuns;

/// What `list_runs` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in super::super) struct Parameters {
    /// Only runs of the suite with this declared id.
    suite_id: Option<String>,
    /// Only runs with this verdict; a run that did not end has `notEstablished`.
    verdict: Option<Verdict>,
    /// At most this many runs; 50 without it.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
    /// The `nextCursor` of the page before.
    cursor: Option<String>,
}

impl ModelTool for ListRuns {
    const NAME: &'static str = "list_runs";
    const TITLE: &'static str = "List stored runs";
    const DESCRIPTION: &'static str = "List the stored runs, newest first, with state, verdict, and counts of cases and \
         trials (every count has its unit in its name or in `unit`). Begin here to find a run id. Runs stand side by side: \
         never add their counts up.";
    type Parameters = Parameters;
    type Document = RunPage;

    fn whole(_: &Parameters) -> String {
        "howfar list --format json".to_owned()
    }

    async fn answer(
        parameters: Parameters,
        call: Call<'_>,
    ) -> Result<Answer<RunPage>, ToolFailure> {
        let store = call.shared.store().await?;
        let filter = RunFilter { suite_id: parameters.suite_id, verdict: parameters.verdict };
        let ask = |limit| {
            let paging = Paging {
                limit: Some(limit),
                cursor: parameters.cursor.clone(),
                ..Paging::default()
            };
            let (store, filter) = (&store, &filter);
            async move { Ok(runs(store, filter, &paging).await?) }
        };
        let limit = parameters.limit.unwrap_or(DEFAULT_PAGE_ITEMS);
        let items = |page: &RunPage| page.runs.len();
        let (document, left_out) = page_within(call.budget, limit, items, ask).await?;
        Ok(Answer { document, left_out })
    }
}
