//! `get_run`: what was decided about one run, and how much was measured.

use howfar_wire::api::{DEFAULT_PAGE_ITEMS, RunHead};
use howfar_wire::summary::DecisionSummary;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::answer::{Answer, Budget, LeftOut, bytes_of, page_within};
use super::super::catalog::{Call, ModelTool};
use super::super::failure::ToolFailure;
use crate::read::{Paging, decision_summary, run_head};

/// `get_run`
pub(in super::super) struct GetRun;

/// What `get_run` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in super::super) struct Parameters {
    /// The run: `latest`, an id, or the beginning of one id.
    run_id: String,
    /// At most this many diagnostics: trials that did not pass; 50 without it.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
    /// The `summary.diagnostics.nextCursor` of the page before: where the diagnostics go on.
    cursor: Option<String>,
}

/// One run and a page of the trials that did not pass.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct RunAnswer {
    /// How much was measured, and what affected the run.
    head: RunHead,
    /// What was decided, by which rule set and case by case, and a page of the trials that did not pass.
    summary: DecisionSummary,
}

impl ModelTool for GetRun {
    const NAME: &'static str = "get_run";
    const TITLE: &'static str = "Read a run";
    const DESCRIPTION: &'static str = "Read one run: the verdict with its reasons and validity, the decision of every \
         case, the population (trials executed of configured, and what was excluded), issues, and the trials that did not \
         pass with chain, evidence and next owner, a page at a time: `diagnostics.complete` says whether they are all. \
         Counts of cases have the unit caseVariant, tallies the unit trial. `inconclusive` and `notEstablished` are no \
         failures of the server: `undecided` and `decision.reasons` say why. get_chain has the tally of a case, \
         list_iterations every trial.";
    type Parameters = Parameters;
    type Document = RunAnswer;

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
            let paging = Paging {
                limit: Some(limit),
                cursor: parameters.cursor.clone(),
                ..Paging::default()
            };
            let (store, id) = (&store, &id);
            async move { Ok(within_half(decision_summary(store, id, &paging).await?, budget)) }
        };
        let limit = parameters.limit.unwrap_or(DEFAULT_PAGE_ITEMS);
        let items = |page: &DecisionSummary| page.diagnostics.items.len();
        let (summary, mut left_out) = page_within(budget, limit, items, ask).await?;
        left_out.extend(left_out_cases(&summary));
        Ok(Answer { document: RunAnswer { head, summary }, left_out })
    }
}

/// Keeps the decisions of the first cases, as many as half of the budget holds: the diagnostics have the other half.
fn within_half(mut summary: DecisionSummary, budget: Budget) -> DecisionSummary {
    let Some(decision) = &mut summary.decision else { return summary };
    let mut room = budget.half();
    let fitting = decision.cases.iter().take_while(|case| {
        let bytes = bytes_of(case) + 1;
        let fits = bytes <= room;
        room = room.saturating_sub(bytes);
        fits
    });
    let fitting = fitting.count();
    decision.cases.truncate(fitting);
    summary
}

/// What [`within_half`] left out, by the count of the decision.
fn left_out_cases(summary: &DecisionSummary) -> Option<LeftOut> {
    let kept = summary.decision.as_ref()?.cases.len() as u64;
    let all = summary.counts.as_ref()?.total?;
    (kept < all).then(|| LeftOut {
        what: format!("/summary/decision/cases: the last {} of {all} case variants", all - kept),
        how:
            "call again with a larger `maxBytes`; get_chain with `caseId` has the tally of one case"
                .to_owned(),
    })
}
