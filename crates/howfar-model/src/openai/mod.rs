//! The OpenAI-compatible chat wire (`/chat/completions`), streamed.

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

/// What the last event of a stream says.
const END: &str = "[DONE]";

/// A model behind the chat wire.
#[derive(Debug)]
pub(crate) struct OpenAiModel {
    endpoint: Endpoint,
    options: body::BodyOptions,
}

impl OpenAiModel {
    pub(crate) fn new(
        provider: &'static Provider,
        settings: &ModelSettings,
        base_url: &str,
        key: Option<&Secret>,
    ) -> Result<Self, EndpointError> {
        let model = settings.model.trim().to_owned();
        let identity = ModelIdentity { provider: provider.name.to_owned(), model: model.clone() };
        let url = format!("{}/chat/completions", base_path(provider, base_url));
        let key = key.map(|key| ("authorization", "Bearer ", key));
        let endpoint = Endpoint::new(identity, &url, key, settings.clocks)?;
        let options =
            body::BodyOptions { model, max_output_tokens: settings.max_output_tokens, provider };
        Ok(Self { endpoint, options })
    }

    async fn ask(
        &self,
        request: &ModelRequest,
        cancel: &CancellationToken,
    ) -> Result<ModelTurn, ModelError> {
        let names = ToolNames::of(request);
        let body = body::chat_body(&self.options, request, &names);
        match Call::start(&self.endpoint, cancel).post(&body).await? {
            Answer::Whole(answer, waited) => {
                if let Some(fault) = ProviderFault::in_value(&answer) {
                    return Err(fault.inside_answer(&self.endpoint));
                }
                let mut assembly = Assembly::default();
                assembly.take(&answer);
                self.turn(assembly, request, &names)
                    .map(|turn| ModelTurn { time_to_first_chunk: Some(waited), ..turn })
            }
            Answer::Events(mut events) => {
                let assembly = self.read_events(&mut events).await?;
                let first = events.first_piece();
                self.turn(assembly, request, &names)
                    .map(|turn| ModelTurn { time_to_first_chunk: first, ..turn })
            }
        }
    }

    /// Reads chunks up to `[DONE]`; a stream without it broke off.
    async fn read_events(&self, events: &mut EventStream<'_>) -> Result<Assembly, ModelError> {
        let mut assembly = Assembly::default();
        while let Some(event) = events.next().await? {
            if event.data.trim() == END {
                return Ok(assembly);
            }
            let chunk = events.json(&event, END)?;
            if let Some(fault) = ProviderFault::in_value(&chunk) {
                return Err(fault.inside_answer(&self.endpoint));
            }
            assembly.take(&chunk);
        }
        Err(events.broke_off(END))
    }

    fn turn(
        &self,
        assembly: Assembly,
        request: &ModelRequest,
        names: &ToolNames,
    ) -> Result<ModelTurn, ModelError> {
        let turn = assembly
            .turn(request.messages.len(), names)
            .map_err(|message| self.endpoint.error(ModelErrorKind::Malformed, message))?;
        Ok(ModelTurn { provider: self.endpoint.identity.provider.clone(), ..turn })
    }
}

impl Model for OpenAiModel {
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

/// The base without its last slash. Ollama's own address, with or without `/api`, leads to its compatible one.
fn base_path(provider: &Provider, base_url: &str) -> String {
    let base = base_url.trim().trim_end_matches('/');
    if provider.name != "ollama" || base.ends_with("/v1") {
        return base.to_owned();
    }
    format!("{}/v1", base.strip_suffix("/api").unwrap_or(base))
}

#[cfg(test)]
mod tests {
    use super::base_path;
    use crate::provider::provider;

    #[test]
    fn every_spelling_of_ollamas_address_leads_to_its_compatible_one() {
        let ollama = provider("ollama").expect("ollama is a provider");
        for base in ["http://h:1", "http://h:1/", "http://h:1/api", "http://h:1/v1/"] {
            assert_eq!(base_path(ollama, base), "http://h:1/v1", "{base}");
        }
    }
}
