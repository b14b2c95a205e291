//! A model that answers from a recording.

use std::sync::Arc;

use howfar_wire::cassette::{ExchangeAnswer, ExchangeMethod, ExchangeSource, Question};
use tokio_util::sync::CancellationToken;

use super::request::{request_value, trial_ref};
use super::turn::{live_error, live_turn};
use crate::conversation::{ModelRequest, ModelTurn};
use crate::error::{ModelError, ModelErrorKind};
use crate::model::{BoxFuture, Model, ModelIdentity};

/// Gives recorded answers and asks nobody. A request without a recording gets no answer at all: it waits for the end of
/// the run, which the source brings about.
pub struct ReplayModel {
    name: String,
    identity: ModelIdentity,
    source: Arc<dyn ExchangeSource>,
}

impl ReplayModel {
    /// Answers for the model that was recorded as `name`.
    pub fn new(
        name: impl Into<String>,
        identity: ModelIdentity,
        source: Arc<dyn ExchangeSource>,
    ) -> Self {
        Self { name: name.into(), identity, source }
    }

    fn recorded(&self, request: &ModelRequest) -> Option<Result<ModelTurn, ModelError>> {
        let exchange = self.source.take(Question {
            method: ExchangeMethod::Respond,
            name: self.name.clone(),
            trial: Some(trial_ref(request)),
            request: request_value(request),
        })?;
        match exchange.answer {
            ExchangeAnswer::Turn(turn) => Some(Ok(live_turn(turn))),
            ExchangeAnswer::ModelError(error) => Some(Err(live_error(error))),
            // Nothing had come when the trial was given up; its clock fires here too. The other answers are of servers
            // and are under other methods.
            ExchangeAnswer::Unanswered
            | ExchangeAnswer::Connected(_)
            | ExchangeAnswer::SetupFailed(_)
            | ExchangeAnswer::Page { .. }
            | ExchangeAnswer::Result { .. }
            | ExchangeAnswer::RpcError { .. }
            | ExchangeAnswer::Malformed { .. }
            | ExchangeAnswer::TransportFailed { .. }
            | ExchangeAnswer::TimedOut { .. }
            | ExchangeAnswer::Canary { .. } => None,
        }
    }
}

impl Model for ReplayModel {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn respond<'a>(
        &'a self,
        request: &'a ModelRequest,
        cancel: &'a CancellationToken,
    ) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(async move {
            if let Some(answer) = self.recorded(request) {
                return answer;
            }
            cancel.cancelled().await;
            let message = "the call was cancelled";
            Err(ModelError::new(ModelErrorKind::Cancelled, &self.identity.provider, message))
        })
    }
}
