//! The Anthropic messages wire (`/v1/messages`), streamed.

mod answer;
mod body;

use tokio_util::sync::CancellationToken;

use self::answer::Assembly;
use crate::conversation::{ModelRequest, ModelTurn};
use crate::error::{ModelError, ModelErrorKind};
use crate::http::{Answer, Call, Endpoint, EndpointError, EventStream, ProviderFault};
use crate::model::{BoxFuture, Model, ModelIdentity};
use crate::provider::{ModelSettings, Provider};
use crate::secret::Secret;
use crate::tool_names::ToolNames;

/// The type of the last event of a stream.
const END: &str = "message_stop";
const VERSION: &str = "2023-06-01";
/// The wire wants a limit; this one is accepted by every model.
const DEFAULT_MAX_TOKENS: u32 = 4096;

/// A model behind the messages wire.
#[derive(Debug)]
pub(crate) struct AnthropicModel {
    endpoint: Endpoint,
    max_tokens: u32,
}

impl AnthropicModel {
    pub(crate) fn new(
        provider: &'static Provider,
        settings: &ModelSettings,
        base_url: &str,
        key: Option<&Secret>,
    ) -> Result<Self, EndpointError> {
        let model = settings.model.trim().to_owned();
        let identity = ModelIdentity { provider: provider.name.to_owned(), model };
        let base = base_url.trim().trim_end_matches('/');
        let base = base.strip_suffix("/v1").unwrap_or(base);
        let key = key.map(|key| ("x-api-key", "", key));
        let endpoint =
            Endpoint::new(identity, &format!("{base}/v1/messages"), key, settings.clocks)?
                .with_header("anthropic-version", VERSION);
        let max_tokens = settings.max_output_tokens.unwrap_or(DEFAULT_MAX_TOKENS);
        Ok(Self { endpoint, max_tokens })
    }

    async fn ask(
        &self,
        request: &ModelRequest,
        cancel: &CancellationToken,
    ) -> Result<ModelTurn, ModelError> {
        let names = ToolNames::of(request);
        let model = &self.endpoint.identity.model;
        let body = body::messages_body(model, self.max_tokens, request, &names);
        let (assembly, first) = match Call::start(&self.endpoint, cancel).post(&body).await? {
            Answer::Whole(answer, waited) => {
                if let Some(fault) = ProviderFault::in_value(&answer) {
                    return Err(fault.inside_answer(&self.endpoint));
                }
                (Assembly::whole(&answer), Some(waited))
            }
            Answer::Events(mut events) => {
                let assembly = self.read_events(&mut events).await?;
                (assembly, events.first_piece())
            }
        };
        let turn = assembly.turn(request.messages.len(), &names).ok_or_else(|| {
            self.endpoint.error(ModelErrorKind::Malformed, "the answer is not a message")
        })?;
        let provider = self.endpoint.identity.provider.clone();
        Ok(ModelTurn { provider, time_to_first_chunk: first, ..turn })
    }

    /// Reads events up to `message_stop`; a stream without it broke off.
    async fn read_events(&self, events: &mut EventStream<'_>) -> Result<Assembly, ModelError> {
        let mut assembly = Assembly::default();
        while let Some(event) = events.next().await? {
            let event = events.json(&event, END)?;
            if let Some(fault) = ProviderFault::in_value(&event) {
                return Err(fault.inside_answer(&self.endpoint));
            }
            if assembly.take(&event) {
                return Ok(assembly);
            }
        }
        Err(events.broke_off(END))
    }
}

impl Model for AnthropicModel {
    fn identity(&self) -> &ModelIdentity {
        &self.endpoint.identity
    }

    fn respond<'a>(
        &'a self,
        request: &'a ModelRequest,
        cancel: &'a CancellationToken,
    ) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(self.ask(request, cancel))
    }
}
