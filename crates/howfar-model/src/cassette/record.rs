//! A model that is asked and whose exchanges are kept.

use std::sync::Arc;
use std::time::Instant;

use howfar_wire::cassette::{Exchange, ExchangeAnswer, ExchangeMethod, ExchangeSink, TrialRef};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::request::{request_value, trial_ref};
use super::turn::{recorded_error, recorded_turn};
use crate::conversation::{ModelRequest, ModelTurn};
use crate::error::ModelError;
use crate::model::{BoxFuture, Model, ModelIdentity};

/// Asks another model, and keeps every exchange.
pub struct RecordingModel {
    name: String,
    model: Arc<dyn Model>,
    sink: Arc<dyn ExchangeSink>,
}

impl RecordingModel {
    /// Keeps the exchanges of `model` under `name`, which is `provider/model` as planned.
    pub fn new(
        name: impl Into<String>,
        model: Arc<dyn Model>,
        sink: Arc<dyn ExchangeSink>,
    ) -> Self {
        Self { name: name.into(), model, sink }
    }
}

impl Model for RecordingModel {
    fn identity(&self) -> &ModelIdentity {
        self.model.identity()
    }

    fn respond<'a>(
        &'a self,
        request: &'a ModelRequest,
        cancel: &'a CancellationToken,
    ) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(async move {
            let mut open = OpenExchange {
                model: self,
                trial: trial_ref(request),
                request: request_value(request),
                answer: ExchangeAnswer::Unanswered,
                began: Instant::now(),
            };
            let answer = self.model.respond(request, cancel).await;
            open.answer = match &answer {
                Ok(turn) => ExchangeAnswer::Turn(recorded_turn(turn)),
                // A call that we ended ourselves has no answer; nor has it one in a replay.
                Err(error) => recorded_error(error)
                    .map_or(ExchangeAnswer::Unanswered, ExchangeAnswer::ModelError),
            };
            answer
        })
    }
}

/// An exchange that is kept when it ends, also when its caller stops waiting.
struct OpenExchange<'a> {
    model: &'a RecordingModel,
    trial: TrialRef,
    request: Value,
    answer: ExchangeAnswer,
    began: Instant,
}

impl Drop for OpenExchange<'_> {
    fn drop(&mut self) {
        self.model.sink.keep(Exchange {
            method: ExchangeMethod::Respond,
            name: self.model.name.clone(),
            trial: Some(self.trial.clone()),
            request: std::mem::take(&mut self.request),
            answer: std::mem::replace(&mut self.answer, ExchangeAnswer::Unanswered),
            duration_ms: self.began.elapsed().as_secs_f64() * 1000.0,
            findings: Vec::new(),
        });
    }
}
