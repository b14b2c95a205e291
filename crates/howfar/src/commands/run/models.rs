//! The models of a run: keys and addresses from the environment, scripts from files (suite and runner, section B4).

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use howfar_model::provider::{PROVIDERS, provider};
use howfar_model::{Model, ModelIdentity, Script, ScriptedModel, Secret, build_model};
use howfar_runner::CaseModel;
use howfar_suite::plan::{KeyState, ModelPlan, ModelSettings, provider_keys, refusal};
use howfar_wire::Vocabulary as _;
use howfar_wire::canon::sha256_hex;
use howfar_wire::finding::{Problem, Refusal};
use howfar_wire::vocabulary::{ModelProvider, RefusalCode, RefusalPhase};

use super::cassette::{self, Cassette};
use super::prepare::{PrepareError, ScriptSource};
use crate::error::CommandError;

/// What the environment says about models.
pub(crate) struct ModelEnvironment {
    keys: BTreeMap<ModelProvider, String>,
    /// What planning needs to know.
    pub(crate) settings: ModelSettings,
}

impl ModelEnvironment {
    /// Reads keys and addresses. `base_url` replaces the address of every provider.
    pub(crate) fn read(base_url: Option<&str>) -> Self {
        let variable =
            |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
        let mut keys = BTreeMap::new();
        let mut settings = ModelSettings::default();
        for &known in ModelProvider::ALL {
            let Some(provider) = provider(known.as_str()) else { continue };
            if let Some(key) = provider.key_variables.iter().find_map(|name| variable(name)) {
                keys.insert(known, key);
                settings.keys_for.insert(known);
            }
            let address =
                base_url.map(str::to_owned).or_else(|| variable(provider.base_url_variable));
            if let Some(address) = address {
                settings.base_urls.insert(known, address);
            }
        }
        Self { keys, settings }
    }

    /// The same for a run that asks no model: nothing is missing.
    pub(super) fn without_asking(mut self) -> Self {
        self.settings.keys_for.extend(ModelProvider::ALL);
        let address = "http://replayed.invalid".to_owned();
        self.settings.base_urls.entry(ModelProvider::OpenAiCompatible).or_insert(address);
        self
    }

    /// The values that must not leave the run.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = String> + '_ {
        self.keys.values().cloned()
    }

    /// The variables that no server inherits.
    pub(crate) fn key_variables() -> Vec<String> {
        let names = PROVIDERS.iter().flat_map(|provider| provider.key_variables);
        names.map(|name| (*name).to_owned()).collect()
    }

    /// Refuses a run whose models lack keys, all at once, before any call.
    pub(crate) fn check_keys(plans: &[ModelPlan]) -> Result<(), Refusal> {
        let mut problems: Vec<Problem> = Vec::new();
        for plan in plans.iter().filter(|plan| plan.key == KeyState::Missing) {
            let variables = provider_keys(plan.provider).join(" or ");
            let message = format!("model {} needs a key: set {variables}", plan.effective_model);
            if !problems.iter().any(|problem| problem.message == message) {
                let model = Some(plan.effective_model.clone());
                problems.push(Problem { message, model, ..Problem::default() });
            }
        }
        if problems.is_empty() {
            return Ok(());
        }
        Err(refusal(RefusalCode::CredentialsMissing, RefusalPhase::Setup, problems))
    }
}

/// Builds each planned model once.
pub(crate) struct ModelShelf<'a> {
    environment: &'a ModelEnvironment,
    scripts: &'a ScriptSource,
    /// The most tokens of an answer; `None` leaves it to the provider.
    output_tokens: Option<u32>,
    cassette: Cassette,
    /// Whether the models grade, and not answer.
    judges: bool,
    built: BTreeMap<String, CaseModel>,
}

impl<'a> ModelShelf<'a> {
    pub(crate) const fn new(environment: &'a ModelEnvironment, scripts: &'a ScriptSource) -> Self {
        Self {
            environment,
            scripts,
            output_tokens: None,
            cassette: Cassette::Off,
            judges: false,
            built: BTreeMap::new(),
        }
    }

    /// The same for models whose answers have at most so many tokens.
    pub(crate) fn with_output_tokens(self, tokens: u32) -> Self {
        Self { output_tokens: Some(tokens), ..self }
    }

    /// The same for models whose exchanges a cassette keeps or gives.
    pub(super) fn with_cassette(self, cassette: &Cassette) -> Self {
        Self { cassette: cassette.clone(), ..self }
    }

    /// The same for the models of judges.
    pub(super) fn of_judges(self) -> Self {
        Self { judges: true, ..self }
    }

    /// The model of a plan.
    pub(crate) fn model(&mut self, plan: &ModelPlan) -> Result<CaseModel, PrepareError> {
        if let Some(model) = self.built.get(&plan.effective_model) {
            return Ok(model.clone());
        }
        let scripted = plan.provider == ModelProvider::Scripted;
        let name = match self.judges {
            true => cassette::judge_name(&plan.effective_model),
            false => plan.effective_model.clone(),
        };
        let (model, script_digest) = match &self.cassette {
            Cassette::Off => self.live(plan)?,
            Cassette::Record(writer) => {
                let (model, digest) = self.live(plan)?;
                (cassette::recorded(name, model, Arc::clone(writer) as _), digest)
            }
            Cassette::Replay(player) => {
                let provider = plan.provider.as_str().to_owned();
                let identity = ModelIdentity { provider, model: plan.name.clone() };
                cassette::replayed(name, identity, player)
            }
        };
        let model = CaseModel {
            effective: plan.effective_model.clone(),
            provider: plan.provider.as_str().to_owned(),
            scripted,
            script_digest,
            model,
        };
        self.built.insert(plan.effective_model.clone(), model.clone());
        Ok(model)
    }

    /// The model itself, and the digest of its script.
    fn live(&self, plan: &ModelPlan) -> Result<(Arc<dyn Model>, Option<String>), CommandError> {
        if plan.provider == ModelProvider::Scripted {
            let (model, digest) = self.scripted(&plan.name)?;
            return Ok((Arc::new(model), Some(digest)));
        }
        Ok((Arc::from(self.network(plan)?), None))
    }

    /// The scripted model, and the digest of its script.
    fn scripted(&self, name: &str) -> Result<(ScriptedModel, String), CommandError> {
        let (file, text) = self.scripts.read(name)?;
        let script = Script::parse(&file, &text).map_err(|error| {
            CommandError::usage(error.to_string())
                .hint("docs/scripted-models.md describes the file")
        })?;
        Ok((ScriptedModel::new(name, script), sha256_hex(text.as_bytes())))
    }

    fn network(&self, plan: &ModelPlan) -> Result<Box<dyn Model>, CommandError> {
        let mut settings = howfar_model::ModelSettings::new(plan.provider.as_str(), &plan.name);
        settings.key = self.environment.keys.get(&plan.provider).map(|key| Secret::new(key));
        settings.base_url.clone_from(&plan.base_url);
        settings.max_output_tokens = self.output_tokens;
        build_model(&settings).map_err(|error| {
            let (keys, address) = provider(plan.provider.as_str())
                .map(|known| (known.key_variables.join(" or "), known.base_url_variable))
                .unwrap_or_default();
            CommandError::usage(error.to_string()).hint(format!(
                "the key is read from {keys}, the address from --base-url or {address}"
            ))
        })
    }
}

impl ScriptSource {
    /// The script of `scripted/NAME`: its name for messages and its text.
    fn read(&self, name: &str) -> Result<(String, String), CommandError> {
        match self {
            Self::Text { name, text } => Ok((name.clone(), text.clone())),
            Self::File(path) => read_script(path),
            Self::Beside(folder) => {
                if name.contains(['/', '\\']) {
                    let message = format!("the script name {name:?} may not contain a path");
                    return Err(CommandError::usage(message)
                        .hint("pass --script FILE to read it from elsewhere"));
                }
                read_script(&folder.join(format!("{name}.script.yaml")))
            }
        }
    }
}

fn read_script(path: &Path) -> Result<(String, String), CommandError> {
    let shown = path.display().to_string();
    match std::fs::read_to_string(path) {
        Ok(text) => Ok((shown, text)),
        Err(error) => Err(CommandError::usage(format!("cannot read the script {shown}: {error}"))
            .hint("write NAME.script.yaml beside the suite, or pass --script FILE")),
    }
}
