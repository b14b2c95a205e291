//! `get_analytics`: the funnel of a run.

use howfar_core::run::analytics::stage_rates;
use howfar_wire::analytics::{StageAnalytics, StageRates, StageTally};
use howfar_wire::vocabulary::{MeasurementUnit, RateState, Stage};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::answer::Answer;
use super::super::catalog::{Call, ModelTool};
use super::super::failure::ToolFailure;
use crate::read::{ReadError, analytics};

/// `get_analytics`
pub(in super::super) struct GetAnalytics;

/// What `get_analytics` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in super::super) struct Parameters {
    /// The run: `latest`, an id, or the beginning of one id.
    run_id: String,
}

/// How far the trials of a run got, or that nothing says so.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct AnalyticsAnswer {
    /// The run.
    run_id: String,
    /// `notMeasured` when the run is stored and has no analytics. That is not zero: draw nothing from it.
    state: RateState,
    /// Why there are no analytics; absent when there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// The rates of the overall slice, link by link; absent without analytics.
    #[serde(skip_serializing_if = "Option::is_none")]
    rates: Option<Vec<LinkRates>>,
    /// The document; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    analytics: Option<StageAnalytics>,
}

/// The rates of one link. A rate over nothing is `notMeasured`, never 0 % and never 100 %.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct LinkRates {
    /// The link.
    stage: Stage,
    /// Always `trial`.
    unit: MeasurementUnit,
    /// Its rates, each with what left its denominator.
    rates: StageRates,
}

impl ModelTool for GetAnalytics {
    const NAME: &'static str = "get_analytics";
    const TITLE: &'static str = "Read the funnel of a run";
    const DESCRIPTION: &'static str = "Read how far the trials of a run got, link by link: applicable, reached, \
         measured, passed, failed, with everything that left a denominator by class, per slice (overall, intent, model, \
         host), and the derived rates of the overall slice. The unit is always trial. Never add tallies over links or \
         documents over runs. A run without the document answers state=notMeasured, which is not zero.";
    type Parameters = Parameters;
    type Document = AnalyticsAnswer;

    fn whole(parameters: &Parameters) -> String {
        format!("howfar show {} --format json", parameters.run_id)
    }

    async fn answer(
        parameters: Parameters,
        call: Call<'_>,
    ) -> Result<Answer<AnalyticsAnswer>, ToolFailure> {
        let (store, id) = call.shared.run(&parameters.run_id).await?;
        let mut answer = AnalyticsAnswer {
            run_id: id.to_string(),
            state: RateState::Measured,
            why: None,
            rates: None,
            analytics: None,
        };
        match analytics(&store, &id).await {
            Ok(document) => {
                answer.rates = Some(overall_rates(&document));
                answer.analytics = Some(document);
            }
            Err(ReadError::DocumentNotFound { why, .. }) => {
                answer.state = RateState::NotMeasured;
                answer.why = Some(why.to_owned());
            }
            Err(error) => return Err(error.into()),
        }
        Ok(Answer::whole(answer))
    }
}

/// The rates of the first slice, which is always the overall one.
fn overall_rates(document: &StageAnalytics) -> Vec<LinkRates> {
    let tallies = document.slices.first().map(|slice| &slice.stages[..]).unwrap_or_default();
    let row = |tally: &StageTally| LinkRates {
        stage: tally.stage,
        unit: MeasurementUnit::Trial,
        rates: stage_rates(tally),
    };
    tallies.iter().map(row).collect()
}
