//! The providers that answer over the network, and how a model of one is built.

use crate::anthropic::AnthropicModel;
use crate::http::{Clocks, EndpointError};
use crate::model::Model;
use crate::openai::OpenAiModel;
use crate::secret::Secret;

/// The wire that a provider speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wire {
    /// OpenAI-compatible chat completions.
    OpenAiChat,
    /// Anthropic messages.
    AnthropicMessages,
}

/// Whether a provider wants a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyNeed {
    /// No call without one.
    Required,
    /// Sent when the user has one.
    Optional,
}

/// One provider: where it answers and what it needs (suite and runner, section B4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Provider {
    /// The name before the slash of a model string.
    pub name: &'static str,
    /// The wire that it speaks.
    pub wire: Wire,
    /// Where it answers when nothing else is said; `None` when a base url must be given.
    pub base_url: Option<&'static str>,
    /// The variable that holds another base url.
    pub base_url_variable: &'static str,
    /// The variables that may hold its key, in the order in which they are read.
    pub key_variables: &'static [&'static str],
    /// Whether it wants a key.
    pub key: KeyNeed,
    /// The chat request's field for the most tokens of an answer.
    pub(crate) max_tokens_field: &'static str,
    /// The request's field for a seed; `None` when its wire has none.
    pub(crate) seed_field: Option<&'static str>,
    /// Whether it demands its reasoning text back within a tool loop.
    pub(crate) wants_reasoning_back: bool,
}

const CHAT: Provider = Provider {
    name: "",
    wire: Wire::OpenAiChat,
    base_url: None,
    base_url_variable: "",
    key_variables: &[],
    key: KeyNeed::Required,
    max_tokens_field: "max_tokens",
    seed_field: None,
    wants_reasoning_back: false,
};

/// Every provider that answers over the network. `scripted` is none of them: see [`crate::ScriptedModel`].
pub const PROVIDERS: [Provider; 9] = [
    Provider {
        name: "anthropic",
        wire: Wire::AnthropicMessages,
        base_url: Some("https://api.anthropic.com"),
        base_url_variable: "ANTHROPIC_BASE_URL",
        key_variables: &["ANTHROPIC_API_KEY"],
        ..CHAT
    },
    Provider {
        name: "openai",
        base_url: Some("https://api.openai.com/v1"),
        base_url_variable: "OPENAI_BASE_URL",
        key_variables: &["OPENAI_API_KEY"],
        max_tokens_field: "max_completion_tokens",
        seed_field: Some("seed"),
        ..CHAT
    },
    Provider {
        name: "google",
        base_url: Some("https://generativelanguage.googleapis.com/v1beta/openai"),
        base_url_variable: "GOOGLE_BASE_URL",
        key_variables: &["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
        ..CHAT
    },
    Provider {
        name: "deepseek",
        base_url: Some("https://api.deepseek.com"),
        base_url_variable: "DEEPSEEK_BASE_URL",
        key_variables: &["DEEPSEEK_API_KEY"],
        wants_reasoning_back: true,
        ..CHAT
    },
    Provider {
        name: "mistral",
        base_url: Some("https://api.mistral.ai/v1"),
        base_url_variable: "MISTRAL_BASE_URL",
        key_variables: &["MISTRAL_API_KEY"],
        seed_field: Some("random_seed"),
        ..CHAT
    },
    Provider {
        name: "openrouter",
        base_url: Some("https://openrouter.ai/api/v1"),
        base_url_variable: "OPENROUTER_BASE_URL",
        key_variables: &["OPENROUTER_API_KEY"],
        seed_field: Some("seed"),
        ..CHAT
    },
    Provider {
        name: "xai",
        base_url: Some("https://api.x.ai/v1"),
        base_url_variable: "XAI_BASE_URL",
        key_variables: &["XAI_API_KEY"],
        seed_field: Some("seed"),
        ..CHAT
    },
    Provider {
        name: "ollama",
        base_url: Some("http://127.0.0.1:11434/v1"),
        base_url_variable: "OLLAMA_BASE_URL",
        key_variables: &["OLLAMA_API_KEY"],
        key: KeyNeed::Optional,
        seed_field: Some("seed"),
        ..CHAT
    },
    Provider {
        name: "openai-compatible",
        base_url_variable: "OPENAI_COMPATIBLE_BASE_URL",
        key_variables: &["OPENAI_COMPATIBLE_API_KEY"],
        key: KeyNeed::Optional,
        seed_field: Some("seed"),
        ..CHAT
    },
];

/// The provider of this exact name.
pub fn provider(name: &str) -> Option<&'static Provider> {
    PROVIDERS.iter().find(|provider| provider.name == name)
}

/// What a model is built from.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelSettings {
    /// The provider's name.
    pub provider: String,
    /// The model's id at that provider, without the provider prefix.
    pub model: String,
    /// The key; `None` or an empty one where the provider needs none.
    pub key: Option<Secret>,
    /// Where to ask instead of the provider's own address.
    pub base_url: Option<String>,
    /// The clocks of each call.
    pub clocks: Clocks,
    /// The most tokens of an answer; `None` leaves it to the provider, and is 4096 on the Anthropic wire, which wants one.
    pub max_output_tokens: Option<u32>,
}

impl ModelSettings {
    /// Settings with default clocks and nothing else.
    pub fn new(provider: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            provider: provider.into(),
            model: model.into(),
            key: None,
            base_url: None,
            clocks: Clocks::default(),
            max_output_tokens: None,
        }
    }
}

/// Why a model could not be built. Holds no key and no address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// The name is no provider of ours.
    #[error("{name:?} is not a provider that answers over the network")]
    UnknownProvider {
        /// The name as given.
        name: String,
    },
    /// There is no model id.
    #[error("the model id for the provider {provider} is empty")]
    ModelMissing {
        /// The provider's name.
        provider: &'static str,
    },
    /// The provider wants a key and got none.
    #[error("the provider {provider} needs a key; set {}", variables.join(" or "))]
    KeyMissing {
        /// The provider's name.
        provider: &'static str,
        /// The variables that may hold the key.
        variables: &'static [&'static str],
    },
    /// The provider has no address of its own and got none.
    #[error("the provider {provider} needs a base url")]
    BaseUrlMissing {
        /// The provider's name.
        provider: &'static str,
    },
    /// The address or the key cannot be used.
    #[error("the provider {provider} cannot be asked: {source}")]
    Endpoint {
        /// The provider's name.
        provider: &'static str,
        /// What is wrong.
        source: EndpointError,
    },
}

/// Builds the model of a provider that answers over the network. Asks nothing of it.
///
/// # Errors
///
/// An unknown provider, an empty model id, a missing key or base url, or one that cannot be used.
pub fn build_model(settings: &ModelSettings) -> Result<Box<dyn Model>, BuildError> {
    let name = settings.provider.as_str();
    let provider =
        provider(name).ok_or_else(|| BuildError::UnknownProvider { name: name.to_owned() })?;
    if settings.model.trim().is_empty() {
        return Err(BuildError::ModelMissing { provider: provider.name });
    }
    let key = settings.key.as_ref().filter(|key| !key.is_empty());
    if provider.key == KeyNeed::Required && key.is_none() {
        let variables = provider.key_variables;
        return Err(BuildError::KeyMissing { provider: provider.name, variables });
    }
    let base_url = settings.base_url.as_deref().or(provider.base_url);
    let base_url = base_url.ok_or(BuildError::BaseUrlMissing { provider: provider.name })?;
    let built: Result<Box<dyn Model>, EndpointError> =
        match provider.wire {
            Wire::OpenAiChat => OpenAiModel::new(provider, settings, base_url, key)
                .map(|model| Box::new(model) as _),
            Wire::AnthropicMessages => AnthropicModel::new(provider, settings, base_url, key)
                .map(|model| Box::new(model) as _),
        };
    built.map_err(|source| BuildError::Endpoint { provider: provider.name, source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(settings: &ModelSettings, expected: &str) {
        let error = build_model(settings).err().expect("the settings are refused");
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn a_missing_key_names_its_variables() {
        let settings = ModelSettings::new("google", "m");
        let expected = "the provider google needs a key; \
                        set GOOGLE_GENERATIVE_AI_API_KEY or GEMINI_API_KEY";
        check(&settings, expected);
    }

    #[test]
    fn a_blank_key_is_no_key() {
        let key = Some(Secret::new("  "));
        let settings = ModelSettings { key, ..ModelSettings::new("xai", "m") };
        check(&settings, "the provider xai needs a key; set XAI_API_KEY");
    }

    #[test]
    fn a_compatible_server_needs_an_address() {
        let settings = ModelSettings::new("openai-compatible", "m");
        check(&settings, "the provider openai-compatible needs a base url");
    }

    #[test]
    fn an_unusable_key_is_not_shown() {
        let key = Some(Secret::new("sk-\n1"));
        let settings = ModelSettings { key, ..ModelSettings::new("openai", "m") };
        check(
            &settings,
            "the provider openai cannot be asked: the key holds characters that no header can carry",
        );
    }

    #[test]
    fn ollama_needs_neither_key_nor_address() {
        assert!(build_model(&ModelSettings::new("ollama", "qwen3")).is_ok());
    }
}
