//! `compare_runs`: two runs of a suite, case by case.

use howfar_core::run::compare::comparison_outcome;
use howfar_wire::api::DEFAULT_PAGE_ITEMS;
use howfar_wire::compare::{BaselinePolicy, CompareCase, CompareStatus, RunComparison};
use howfar_wire::gate::{Asked, GateOutcome, GatePolicy, PassRateRegression};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::answer::{Answer, page_within};
use super::super::catalog::{Call, ModelTool};
use super::super::failure::ToolFailure;
use crate::read::{ReadError, comparison};

/// `compare_runs`
pub(in super::super) struct CompareRuns;

/// What `compare_runs` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in super::super) struct Parameters {
    /// The run: `latest`, an id, or the beginning of one id.
    run_id: String,
    /// The run to compare it with, named the same way; without it, the newest complete run of the suite before it.
    base_run_id: Option<String>,
    /// At most this many cases in detail; 50 without it.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<u32>,
    /// The `nextCursor` of the page before: where the cases in detail go on.
    cursor: Option<String>,
}

/// Two runs side by side, or that there is nothing to compare with.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct ComparisonAnswer {
    /// The run that is compared.
    run_id: String,
    /// How the base run was chosen.
    baseline: BaselinePolicy,
    /// The base run; absent when the suite has no complete run before this one. That is no failure: nothing was compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    base_run_id: Option<String>,
    /// What the comparison comes to, over the gates `noDeterministicRegressions` and `passRateRegression`; `incomplete`
    /// when nothing could be compared.
    outcome: GateOutcome,
    /// Every case with what became of it, on every page; absent without a base run.
    #[serde(skip_serializing_if = "Option::is_none")]
    cases: Option<Vec<CaseOutline>>,
    /// The comparison, parity blockers first; absent without a base run. Its `links` and `compare.cases` hold the cases of
    /// this page.
    #[serde(skip_serializing_if = "Option::is_none")]
    comparison: Option<RunComparison>,
    /// Where the cases in detail go on; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// One case in one line.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct CaseOutline {
    /// The case.
    case_key: String,
    /// What became of it.
    status: CompareStatus,
}

impl ModelTool for CompareRuns {
    const NAME: &'static str = "compare_runs";
    const TITLE: &'static str = "Compare two runs";
    const DESCRIPTION: &'static str = "Compare a run with the complete run of the same suite before it, or with a named \
         one: may they be compared (parityBlockers; an empty list is the only yes), cases that regressed or were fixed, how \
         each link moved, pass rates with intervals, changed tools, flaky cases. While a blocker stands no rates are put \
         side by side. A difference is a difference: it says where something moved, never what it comes from.";
    type Parameters = Parameters;
    type Document = ComparisonAnswer;

    fn whole(parameters: &Parameters) -> String {
        let base = parameters.base_run_id.as_deref().unwrap_or_default();
        format!("howfar compare {} {base} --format json", parameters.run_id)
    }

    async fn answer(
        parameters: Parameters,
        call: Call<'_>,
    ) -> Result<Answer<ComparisonAnswer>, ToolFailure> {
        let (store, id) = call.shared.run(&parameters.run_id).await?;
        let base = parameters.base_run_id.as_deref();
        let comparison = match comparison(&store, id.as_str(), base, policy()).await {
            Ok(comparison) => Some(comparison),
            Err(ReadError::DocumentNotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let baseline = match base {
            Some(_) => BaselinePolicy::Run,
            None => BaselinePolicy::PreviousCompleted,
        };
        let whole = Whole { run_id: id.to_string(), baseline, comparison };
        let from = position(parameters.cursor.as_deref())?;
        let ask = |limit| std::future::ready(Ok(whole.page(from, limit as usize)));
        let limit = parameters.limit.unwrap_or(DEFAULT_PAGE_ITEMS);
        let items = |page: &ComparisonAnswer| {
            page.comparison.as_ref().map_or(0, |comparison| comparison.compare.cases.len())
        };
        let (document, left_out) = page_within(call.budget, limit, items, ask).await?;
        Ok(Answer { document, left_out })
    }
}

/// A comparison with all its cases.
struct Whole {
    run_id: String,
    baseline: BaselinePolicy,
    comparison: Option<RunComparison>,
}

impl Whole {
    /// The comparison with the cases of one page in detail.
    fn page(&self, from: usize, limit: usize) -> ComparisonAnswer {
        let mut comparison = self.comparison.clone();
        let (mut cases, mut next_cursor) = (None, None);
        if let Some(comparison) = &mut comparison {
            let all = std::mem::take(&mut comparison.compare.cases);
            let outline = |case: &CompareCase| CaseOutline {
                case_key: case.case_key.clone(),
                status: case.status,
            };
            cases = Some(all.iter().map(outline).collect());
            let next = from.saturating_add(limit);
            next_cursor = (next < all.len()).then(|| format!("cases-{next}"));
            comparison.compare.cases = all.into_iter().skip(from).take(limit).collect();
            let shown: Vec<&str> =
                comparison.compare.cases.iter().map(|case| case.case_key.as_str()).collect();
            comparison.links.retain(|row| shown.contains(&row.case_key.as_str()));
        }
        ComparisonAnswer {
            run_id: self.run_id.clone(),
            baseline: self.baseline,
            base_run_id: self.comparison.as_ref().and_then(base_run_id),
            outcome: self.comparison.as_ref().map_or(GateOutcome::Incomplete, comparison_outcome),
            cases,
            comparison,
            next_cursor,
        }
    }
}

fn position(cursor: Option<&str>) -> Result<usize, ToolFailure> {
    let Some(cursor) = cursor else { return Ok(0) };
    let invalid =
        || ToolFailure::parameter("cursor", "is not one that a page of this list gave out");
    cursor.strip_prefix("cases-").and_then(|position| position.parse().ok()).ok_or_else(invalid)
}

fn base_run_id(comparison: &RunComparison) -> Option<String> {
    comparison.compare.baseline.as_ref().map(|baseline| baseline.base_run_id.clone())
}

/// The gates that every comparison of this tool asks for.
fn policy() -> GatePolicy {
    GatePolicy {
        no_deterministic_regressions: Some(Asked(Some(true))),
        pass_rate_regression: Some(Asked(Some(PassRateRegression::default()))),
        ..GatePolicy::default()
    }
}
