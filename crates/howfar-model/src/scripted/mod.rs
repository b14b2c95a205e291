//! The scripted provider: assistant turns written by hand (suite and runner, section B4).
//!
//! A script is a list of rules. The first rule whose `when` holds answers the newest user prompt; its turns follow each
//! other. Which turn is next is read from the conversation alone, so a script has no state, trials may run at once, and
//! the same conversation always gets the same answer. The format for authors is described in `docs/scripted-models.md`.

mod document;
mod load;
mod play;
mod rule;
mod template;

pub use load::{ScriptError, ScriptProblem};

use tokio_util::sync::CancellationToken;

use crate::conversation::{ModelRequest, ModelTurn};
use crate::error::ModelError;
use crate::model::{BoxFuture, Model, ModelIdentity};

/// The provider name of every scripted model; reports mark a run by it.
pub const SCRIPTED: &str = "scripted";

/// A checked script.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    file: String,
    rules: Vec<rule::Rule>,
}

impl Script {
    /// Reads a script from its text. `file` names it in every message.
    ///
    /// # Errors
    ///
    /// Text that is no YAML or breaks the format (one problem), or a well-formed script with impossible content (all
    /// problems at once), each with line and column.
    pub fn parse(file: &str, text: &str) -> Result<Self, ScriptError> {
        load::load(file, text)
    }
}

/// A model that answers from a script.
#[derive(Debug, Clone)]
pub struct ScriptedModel {
    identity: ModelIdentity,
    script: Script,
}

impl ScriptedModel {
    /// The model `scripted/name`.
    pub fn new(name: &str, script: Script) -> Self {
        let identity = ModelIdentity { provider: SCRIPTED.to_owned(), model: name.to_owned() };
        Self { identity, script }
    }
}

impl Model for ScriptedModel {
    fn identity(&self) -> &ModelIdentity {
        &self.identity
    }

    fn respond<'a>(
        &'a self,
        request: &'a ModelRequest,
        cancel: &'a CancellationToken,
    ) -> BoxFuture<'a, Result<ModelTurn, ModelError>> {
        Box::pin(play::answer(&self.script, &self.identity, request, cancel))
    }
}

#[cfg(test)]
mod tests;
