//! `--record DIR` and `--replay DIR`: the exchanges of a run in a file, and a run answered from one.

mod player;
mod writer;

use std::path::Path;
use std::sync::Arc;

use howfar_mcp::{BoundServer, ServerBinding};
use howfar_model::{Model, ModelIdentity, RecordingModel, ReplayModel};
use howfar_runner::RunRequest;
use howfar_wire::cassette::{
    CASSETTE_VERSION, CassetteHeader, CassetteModel, CassetteServer, ExchangeSink, ExchangeSource,
    Traffic,
};
use howfar_wire::vocabulary::ExitCode;
use tokio_util::sync::CancellationToken;

use crate::cli::RunArgs;
use crate::error::CommandError;
use player::Player;
use writer::Writer;

/// The file of a cassette, in its folder.
const FILE: &str = "cassette.jsonl";

/// What the command line asks for.
#[derive(Clone)]
pub(crate) enum Cassette {
    /// Neither.
    Off,
    /// `--record`.
    Record(Arc<Writer>),
    /// `--replay`.
    Replay(Arc<Player>),
}

impl Cassette {
    /// Opens what was asked for. A replay that misses a recording cancels `cancel`.
    pub(super) fn open(args: &RunArgs, cancel: &CancellationToken) -> Result<Self, CommandError> {
        match (&args.record, &args.replay) {
            (Some(folder), _) => Ok(Self::Record(Arc::new(Writer::new(folder)?))),
            (None, Some(folder)) => Ok(Self::Replay(Arc::new(Player::open(folder, cancel)?))),
            (None, None) => Ok(Self::Off),
        }
    }

    /// Where the exchanges of the run come from and go to.
    pub(super) fn traffic(&self) -> Traffic {
        match self {
            Self::Off => Traffic::Live,
            Self::Record(writer) => Traffic::Recorded(Arc::clone(writer) as Arc<dyn ExchangeSink>),
            Self::Replay(player) => {
                Traffic::Replayed(Arc::clone(player) as Arc<dyn ExchangeSource>)
            }
        }
    }

    /// The folder that answers, as the user named it.
    pub(super) fn replayed_from(&self) -> Option<String> {
        match self {
            Self::Off | Self::Record(_) => None,
            Self::Replay(player) => Some(player.folder().to_owned()),
        }
    }

    /// Begins to keep the exchanges of a run; from here on its secrets are known.
    pub(super) fn begin(&self, request: &RunRequest) -> Result<(), CommandError> {
        match self {
            Self::Off | Self::Replay(_) => Ok(()),
            Self::Record(writer) => writer.begin(header(request), &request.secrets),
        }
    }

    /// Ends a recording; what went wrong with it, for the person.
    pub(super) fn finish(&self, complete: bool) -> Option<String> {
        match self {
            Self::Off | Self::Replay(_) => None,
            Self::Record(writer) => writer.finish(complete),
        }
    }

    /// The error that requests without a recording make of a run.
    pub(super) fn missed(&self, request_hash: &str) -> Option<CommandError> {
        match self {
            Self::Off | Self::Record(_) => None,
            Self::Replay(player) => player.missed(request_hash),
        }
    }
}

impl Player {
    /// The servers that were recorded, as reports name them. Nothing of such a binding is ever started or asked.
    pub(super) fn bindings(&self, targets: &[String]) -> Result<Vec<BoundServer>, CommandError> {
        let bound = |target: &String| {
            let known = self.header().servers.iter().find(|server| server.name == *target);
            let Some(server) = known else {
                let message = format!("the cassette in {} has no server {target:?}", self.folder());
                return Err(CommandError::new(ExitCode::Setup, message).hint(RECORD_AGAIN));
            };
            let binding = match server.transport.as_str() {
                "http" => ServerBinding::from_url("http://replayed.invalid"),
                _ => ServerBinding::from_command("replayed", std::iter::empty::<String>()),
            };
            Ok(BoundServer { name: target.clone(), source_label: server.source.clone(), binding })
        };
        targets.iter().map(bound).collect()
    }
}

/// A model whose exchanges are kept under a name.
pub(super) fn recorded(
    name: String,
    model: Arc<dyn Model>,
    sink: Arc<dyn ExchangeSink>,
) -> Arc<dyn Model> {
    Arc::new(RecordingModel::new(name, model, sink))
}

/// The model that was recorded under a name, and the digest of its script.
pub(super) fn replayed(
    name: String,
    identity: ModelIdentity,
    player: &Arc<Player>,
) -> (Arc<dyn Model>, Option<String>) {
    let known = player.header().models.iter().find(|model| model.name == name);
    let digest = known.and_then(|model| model.script_digest.clone());
    let source = Arc::clone(player) as Arc<dyn ExchangeSource>;
    (Arc::new(ReplayModel::new(name, identity, source)), digest)
}

/// The name under which the exchanges of a judge's model are kept: one model can answer in a case and grade another.
pub(super) fn judge_name(model: &str) -> String {
    format!("judge {model}")
}

/// What to do about a cassette that does not fit.
const RECORD_AGAIN: &str = "record the run again: `howfar run … --record DIR` with a new folder";

fn header(request: &RunRequest) -> CassetteHeader {
    let server = |bound: &BoundServer| CassetteServer {
        name: bound.name.clone(),
        source: bound.source_label.clone(),
        transport: bound.binding.transport().as_str().to_owned(),
    };
    let mut models: Vec<CassetteModel> = Vec::new();
    for case in &request.cases {
        let model = case.model.as_ref().map(|model| CassetteModel {
            name: model.effective.clone(),
            script_digest: model.script_digest.clone(),
        });
        let judge = case.judge.as_ref().and_then(|judge| {
            let name = judge_name(judge.record.model.as_ref()?);
            Some(CassetteModel { name, script_digest: judge.record.script_digest.clone() })
        });
        for model in model.into_iter().chain(judge) {
            if !models.contains(&model) {
                models.push(model);
            }
        }
    }
    CassetteHeader {
        version: CASSETTE_VERSION,
        product_version: env!("CARGO_PKG_VERSION").to_owned(),
        suite_id: request.suite.id.clone(),
        source_hash: request.suite.source_hash.clone(),
        servers: request.bindings.iter().map(server).collect(),
        models,
    }
}

/// The path of a cassette's file, for messages and for opening it.
fn file_of(folder: &Path) -> std::path::PathBuf {
    folder.join(FILE)
}
