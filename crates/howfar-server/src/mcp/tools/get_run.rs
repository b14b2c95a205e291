//! `get_run`: what was decided about one run, and how much was measured.

use howfar_wire::api::{CasePage, DEFAULT_PAGE_ITEMS, RunHead};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::answer::{Answer, bytes_of, page_within};
use super::super::catalog::{Call, ModelTool};
use super::super::failure::ToolFailure;
use crate::read::{Paging, cases, run_head};

/// `get_run`
pub(in super::super) struct GetRun;

/// What `get_run` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in super::super) struct Parameters {
    /// The run: `latest`, an id, or the beginning of one id.
    run_id: String,
    /// At most this many cases; 50 without it.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
    /// The `cases.nextCursor` of the page before: where the cases go on.
    cursor: Option<String>,
    /// The most bytes of JSON that the answer may have; 32000 without it.
    #[schemars(range(min = 4000, max = 400_000))]
    max_bytes: Option<u32>,
}

/// One run and a page of its cases.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct RunAnswer {
    /// What was decided, how much was measured, and what affected the run.
    head: RunHead,
    /// A page of its cases, in file order.
    cases: CasePage,
}

impl ModelTool for GetRun {
    const NAME: &'static str = "get_run";
    const TITLE: &'static str = "Read a run";
    const DESCRIPTION: &'static str = "Read one run: the verdict with its reasons and validity, the population (trials \
         executed of configured, and what was excluded), issues, and its cases with verdict, counts and a tally of their \
         chains. Counts of cases have the unit caseVariant, tallies the unit trial. `inconclusive` and `notEstablished` are \
         no failures of the server: `undecided` and `decision.reasons` say why. For single trials go on with \
         list_iterations and get_chain.";
    type Parameters = Parameters;
    type Document = RunAnswer;

    fn max_bytes(parameters: &Parameters) -> Option<u32> {
        parameters.max_bytes
    }

    fn whole(parameters: &Parameters) -> String {
        format!("howfar show {} --format json", parameters.run_id)
    }

    async fn answer(
        parameters: Parameters,
        call: Call<'_>,
    ) -> Result<Answer<RunAnswer>, ToolFailure> {
        let (store, id) = call.shared.run(&parameters.run_id).await?;
        let head = run_head(&store, &id).await?;
        let budget = call.budget.less(bytes_of(&head));
        let ask = |limit| {
            let paging = Paging { limit: Some(limit), cursor: parameters.cursor.clone() };
            let (store, id) = (&store, &id);
            async move { Ok(cases(store, id, &paging).await?) }
        };
        let limit = parameters.limit.unwrap_or(DEFAULT_PAGE_ITEMS);
        let items = |page: &CasePage| page.cases.len();
        let (cases, left_out) = page_within(budget, limit, items, ask).await?;
        Ok(Answer { document: RunAnswer { head, cases }, left_out })
    }
}
