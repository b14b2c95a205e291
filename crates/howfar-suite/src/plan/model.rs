//! Which provider and model a case uses (suite and runner, section B4). After planning there is no fallback.

use std::collections::{BTreeMap, BTreeSet};

use howfar_wire::Vocabulary as _;
use howfar_wire::canon;
use howfar_wire::finding::{Problem, Refusal};
use howfar_wire::vocabulary::{ModelProvider, RefusalCode, RefusalPhase};

use super::refusal;
use crate::{ResolvedCase, suggest};

/// What the caller found in its environment. Key values are not here: planning only needs to know which exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModelSettings {
    /// The providers for which a key is at hand.
    pub keys_for: BTreeSet<ModelProvider>,
    /// Base URLs that replace a provider's own.
    pub base_urls: BTreeMap<ModelProvider, String>,
}

/// Whether a key is needed, and there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyState {
    /// The provider takes none.
    NotNeeded,
    /// A key is at hand.
    Present,
    /// The provider needs one and there is none.
    Missing,
}

/// The model of a case, settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelPlan {
    /// The provider.
    pub provider: ModelProvider,
    /// The model's name at the provider, or the script's name.
    pub name: String,
    /// `provider/name`.
    pub effective_model: String,
    /// Whether a key is needed, and there.
    pub key: KeyState,
    /// The base URL that replaces the provider's own; absent when none was given.
    pub base_url: Option<String>,
}

/// The variables that may hold a provider's key, in order of preference; empty for a provider without key.
pub const fn provider_keys(provider: ModelProvider) -> &'static [&'static str] {
    match provider {
        ModelProvider::Anthropic => &["ANTHROPIC_API_KEY"],
        ModelProvider::OpenAi => &["OPENAI_API_KEY"],
        ModelProvider::Google => &["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
        ModelProvider::DeepSeek => &["DEEPSEEK_API_KEY"],
        ModelProvider::Mistral => &["MISTRAL_API_KEY"],
        ModelProvider::OpenRouter => &["OPENROUTER_API_KEY"],
        ModelProvider::XAi => &["XAI_API_KEY"],
        ModelProvider::Azure
        | ModelProvider::Bedrock
        | ModelProvider::Ollama
        | ModelProvider::OpenAiCompatible
        | ModelProvider::Scripted => &[],
    }
}

/// Why a model cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// A bare id and no hint.
    #[error(
        "model {model:?} names no provider; write `provider/{model}` or set `defaults.provider`"
    )]
    NoProvider {
        /// The id, trimmed.
        model: String,
    },
    /// The hint contradicts the id.
    #[error(
        "model {model:?} names provider {provider:?}, and `defaults.provider` says {hint:?}; remove one, or write \
         `{hint}/{model}` if {hint} serves it under that name"
    )]
    Conflict {
        /// The id, trimmed.
        model: String,
        /// The provider in the id.
        provider: String,
        /// The hint, in lower case.
        hint: String,
    },
    /// A provider that a local run cannot set up.
    #[error(
        "provider {provider} of model {model:?} needs deployment settings that a local run does not have"
    )]
    NeedsDeployment {
        /// The id, trimmed.
        model: String,
        /// The provider.
        provider: ModelProvider,
    },
    /// No provider of that name.
    #[error("provider {provider:?} of model {model:?} is not known{suggestion}; known are {known}")]
    UnknownProvider {
        /// The id, trimmed.
        model: String,
        /// The provider as met.
        provider: String,
        /// A near known name as a parenthesis, or nothing.
        suggestion: String,
        /// The known names.
        known: String,
    },
    /// Nothing after the slash.
    #[error("model {model:?} names no model after the slash")]
    NoName {
        /// The id, trimmed.
        model: String,
    },
    /// A provider that exists only at a base URL.
    #[error("model {model:?} needs a base URL, and none was given; pass --base-url URL")]
    NoBaseUrl {
        /// The id, trimmed.
        model: String,
    },
}

impl ModelError {
    /// The code of the refusal.
    pub const fn code(&self) -> RefusalCode {
        match self {
            Self::Conflict { .. } => RefusalCode::InferenceConflict,
            Self::NoProvider { .. }
            | Self::NeedsDeployment { .. }
            | Self::UnknownProvider { .. }
            | Self::NoName { .. }
            | Self::NoBaseUrl { .. } => RefusalCode::ModelUnsupported,
        }
    }
}

/// Settles one model id, with the provider hint of the file.
///
/// # Errors
///
/// [`ModelError`] when the id names no usable provider, or contradicts the hint.
pub fn plan_model(
    model: &str,
    hint: Option<&str>,
    settings: &ModelSettings,
) -> Result<ModelPlan, ModelError> {
    let model = canon::es_trim(model);
    let owned = || model.to_owned();
    let hint = hint.map(|hint| canon::es_trim(hint).to_lowercase()).filter(|hint| !hint.is_empty());
    let (provider, name) = match (model.split_once('/'), hint) {
        (Some((provider, _)), Some(hint)) if hint != provider => {
            return Err(ModelError::Conflict {
                model: owned(),
                provider: provider.to_owned(),
                hint,
            });
        }
        (Some((provider, name)), _) => (provider.to_owned(), name),
        (None, Some(hint)) => (hint, model),
        (None, None) => return Err(ModelError::NoProvider { model: owned() }),
    };
    let provider = known_provider(model, &provider)?;
    if canon::is_blank(name) {
        return Err(ModelError::NoName { model: owned() });
    }
    let base_url = settings.base_urls.get(&provider).cloned();
    if provider == ModelProvider::OpenAiCompatible && base_url.is_none() {
        return Err(ModelError::NoBaseUrl { model: owned() });
    }
    let key = match (provider_keys(provider), settings.keys_for.contains(&provider)) {
        ([], _) => KeyState::NotNeeded,
        (_, true) => KeyState::Present,
        (_, false) => KeyState::Missing,
    };
    let effective_model = format!("{provider}/{name}");
    Ok(ModelPlan { provider, name: name.to_owned(), effective_model, key, base_url })
}

/// Settles the model of every case, in order.
///
/// # Errors
///
/// One refusal with every problem; a conflict wins the code over an unsupported model.
pub fn plan_models(
    cases: &[&ResolvedCase],
    settings: &ModelSettings,
) -> Result<Vec<ModelPlan>, Refusal> {
    let mut plans = Vec::with_capacity(cases.len());
    let mut problems = Vec::new();
    let mut code = RefusalCode::ModelUnsupported;
    for case in cases {
        match plan_model(&case.model, case.provider.as_deref(), settings) {
            Ok(plan) => plans.push(plan),
            Err(error) => {
                if error.code() == RefusalCode::InferenceConflict {
                    code = error.code();
                }
                problems.push(Problem {
                    message: error.to_string(),
                    case_id: Some(case.id.0.clone()),
                    model: Some(case.model.clone()),
                    ..Problem::default()
                });
            }
        }
    }
    if problems.is_empty() {
        return Ok(plans);
    }
    Err(refusal(code, RefusalPhase::Validation, problems))
}

fn known_provider(model: &str, provider: &str) -> Result<ModelProvider, ModelError> {
    let model = model.to_owned();
    match ModelProvider::from_wire(provider) {
        Some(provider @ (ModelProvider::Azure | ModelProvider::Bedrock)) => {
            Err(ModelError::NeedsDeployment { model, provider })
        }
        Some(known) => Ok(known),
        None => {
            let names = ModelProvider::ALL.iter().map(|provider| provider.as_str());
            Err(ModelError::UnknownProvider {
                model,
                provider: provider.to_owned(),
                suggestion: suggest::did_you_mean(provider, names.clone()),
                known: names.collect::<Vec<_>>().join(", "),
            })
        }
    }
}
