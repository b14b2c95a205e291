//! The command line: arguments and nothing else.

mod gates;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use howfar_wire::scorecard::Role;

use crate::commands::run::JudgeFlags;
pub(crate) use gates::{CompareArgs, GateArgs, GateReporter, OutletArgs};

/// howfar tells the author of an MCP server how far value travelled when a model used the server, which link of the
/// chain broke first, on what evidence, and who should look next.
#[derive(Debug, Parser)]
#[command(name = "howfar", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 passed · 1 a measured failure · 2 usage · 3 model key · 4 setup · \
5 not enough measured.\nFirst steps: `howfar demo`, then `howfar init --command \"…\"` for a server of yours."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the main job on an embedded MCP server and a scripted model: every link is shown breaking once.
    Demo(DemoArgs),
    /// Connect to a server, list its tools, and write a first suite that runs at once.
    Init(InitArgs),
    /// Check a suite file offline: all findings at once, and which links it measures.
    Check(CheckArgs),
    /// Run a suite and decide.
    #[command(visible_alias = "test")]
    Run(Box<RunArgs>),
    /// List the stored runs, newest first; or prune them.
    List(ListArgs),
    /// Tell the story of a stored run.
    Show(ShowArgs),
    /// Compare a stored run with an earlier one: may they be compared, which case and which link moved.
    Compare(CompareArgs),
    /// Hold a stored run to a policy.
    Gate(GateArgs),
    /// Show one trial of a stored run as it happened: messages, calls, spans.
    Trace(TraceArgs),
    /// Write a document of a stored run: JSON, JUnit XML, HTML, Markdown, its evidence or its spans.
    Export(ExportArgs),
    /// Let a judge grade the stored evidence of a run; evidence and older documents stay as they are.
    Judge(JudgeArgs),
    /// Derive stage rows from evidence documents, or a stored run again.
    Derive(DeriveArgs),
    /// Serve stored runs to a coding assistant, as an MCP server over stdio.
    Mcp(McpArgs),
    /// Explain a value, or print the whole glossary.
    Explain(ExplainArgs),
    /// Print the JSON Schema of a file or document.
    Schema(SchemaArgs),
    /// Serve the dashboard and the JSON API over the stored runs, on loopback.
    Serve(ServeArgs),
    /// The demo's own MCP server, over stdio.
    #[command(hide = true, name = "demo-server")]
    DemoServer(DemoServerArgs),
}

/// Human text or one JSON document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For a person.
    Human,
    /// One JSON document.
    Json,
}

impl Format {
    /// The format asked for, or human on a terminal and JSON in a pipe.
    pub(crate) fn or_by_stdout(asked: Option<Self>) -> Self {
        asked.unwrap_or_else(|| {
            if crate::output::stdout_is_terminal() { Self::Human } else { Self::Json }
        })
    }
}

/// What `--reporter` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reporter {
    /// The JSON run report.
    #[value(alias = "json")]
    JsonSummary,
    /// JUnit XML.
    #[value(alias = "junit")]
    JunitXml,
    /// One HTML page that needs no network.
    Html,
    /// Markdown, as in the summary of a CI job.
    Markdown,
}

/// `howfar demo`
#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Human text or one JSON document (the run reports).
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Write the demo's suite and script into this folder, to play with.
    #[arg(long, value_name = "DIR")]
    pub(crate) write: Option<PathBuf>,
}

/// `howfar demo-server`
#[derive(Debug, Args)]
pub(crate) struct DemoServerArgs {
    /// Exit with an error before the session is initialized.
    #[arg(long)]
    pub(crate) refuse_initialize: bool,
    /// Answer `tools/list` with an error.
    #[arg(long)]
    pub(crate) refuse_list: bool,
    /// Describe a tool in other words (repeatable): what a model makes of it shows in `howfar compare`.
    #[arg(long = "describe", value_name = "TOOL=TEXT")]
    pub(crate) descriptions: Vec<String>,
}

/// `howfar init`
#[derive(Debug, Args)]
#[command(
    after_help = "Without --command and --url, the server is one of .mcp.json. Nothing that exists is overwritten \
without --force, and no secret is written: values of --header and --env become ${VARIABLE} references.\n\n\
Example: howfar init --command \"npx -y @modelcontextprotocol/server-everything\""
)]
pub(crate) struct InitArgs {
    /// Start the server with this command and speak over stdio; words are split like a shell does.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// Reach the server at this URL.
    #[arg(long, conflicts_with = "command")]
    pub(crate) url: Option<String>,
    /// A header for `--url` (repeatable), for example `Authorization: Bearer …`.
    #[arg(long = "header", value_name = "NAME: VALUE", requires = "url")]
    pub(crate) headers: Vec<String>,
    /// A variable for `--command` (repeatable); without a value, the one of the environment.
    #[arg(long = "env", value_name = "NAME=VALUE", requires = "command")]
    pub(crate) env: Vec<String>,
    /// The server's name in the suite; without `--command` and `--url`, the server of `.mcp.json` that is meant.
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Option<String>,
    /// Find the server in this file instead of `./.mcp.json`.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["command", "url"])]
    pub(crate) mcp_config: Option<PathBuf>,
    /// Write a case for this tool (repeatable); without it, for up to five that look safe to call.
    #[arg(long = "tool", value_name = "NAME")]
    pub(crate) tools: Vec<String>,
    /// Try the example calls of tools that do not declare themselves read-only, too.
    #[arg(long)]
    pub(crate) try_calls: bool,
    /// Write the suite and its script into this folder; it is made if it is missing.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
    /// Overwrite files that exist.
    #[arg(long)]
    pub(crate) force: bool,
    /// The clock of each setup operation, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 30_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) setup_timeout: u64,
    /// Human text or one JSON document.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
}

/// `howfar check`
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The suite file, YAML or JSON.
    pub(crate) file: PathBuf,
    /// Human text or one JSON document.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// Let warnings fail the check.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Also connect to the suite's servers, as this file reaches them, and check names and arguments there.
    #[arg(long, value_name = "CONFIG")]
    pub(crate) against: Option<PathBuf>,
    /// The clock of each setup operation of `--against`, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 30_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) setup_timeout: u64,
}

/// Where runs are kept.
#[derive(Debug, Args)]
pub(crate) struct StoreArgs {
    /// The store, an SQLite file; without it, a file in the platform's data folder.
    #[arg(long = "store", value_name = "PATH", env = "HOWFAR_STORE")]
    pub(crate) path: Option<PathBuf>,
}

/// `howfar run`
#[derive(Debug, Args)]
pub(crate) struct RunArgs {
    /// The suite file, YAML or JSON. With `--resume`, the default is the file that the run began with.
    #[arg(required_unless_present = "resume")]
    pub(crate) file: Option<PathBuf>,
    /// Finish a stored run that was cut off, interrupted or stopped: `latest`, an id, or the beginning of one. Its own
    /// selection and settings hold, and only the trials that did not finish run.
    #[arg(long, value_name = "RUN", conflicts_with_all = ["cases", "concurrency", "iteration_timeout", "setup_timeout", "max_steps", "no_store"])]
    pub(crate) resume: Option<String>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Keep nothing: the run cannot be listed, shown or resumed.
    #[arg(long)]
    pub(crate) no_store: bool,
    /// Run only this case (its exact id; repeatable).
    #[arg(long = "case", value_name = "ID")]
    pub(crate) cases: Vec<String>,
    /// Bind a server of the suite to a URL (repeatable).
    #[arg(long = "server", value_name = "NAME=URL")]
    pub(crate) servers: Vec<String>,
    /// Bind the suite's only server to a URL.
    #[arg(long, conflicts_with = "command")]
    pub(crate) url: Option<String>,
    /// Bind the suite's only server to a command over stdio; words are split like a shell does, nothing is expanded.
    #[arg(long, value_name = "COMMAND")]
    pub(crate) command: Option<String>,
    /// A header for `--url` (repeatable), for example `Authorization: Bearer …`.
    #[arg(long = "header", value_name = "NAME: VALUE", requires = "url")]
    pub(crate) headers: Vec<String>,
    /// Read server bindings from this file instead of `./.mcp.json`.
    #[arg(long, value_name = "FILE")]
    pub(crate) mcp_config: Option<PathBuf>,
    /// Keep every exchange with models and servers in this folder, which is new or empty. Secrets are taken out.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["replay", "resume"])]
    pub(crate) record: Option<PathBuf>,
    /// Answer from what `--record` kept: no model and no server is asked, and no key or binding is needed.
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub(crate) replay: Option<PathBuf>,
    /// The script of a `scripted/NAME` model; the default is `NAME.script.yaml` beside the suite.
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// The base URL of the model's API.
    #[arg(long, value_name = "URL", env = "HOWFAR_MODEL_BASE_URL")]
    pub(crate) base_url: Option<String>,
    /// The judge's model (`provider/model`), in place of `defaults.judge.model`. It does not make a judge run.
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge_model: Option<String>,
    #[command(flatten)]
    pub(crate) judge: JudgeFlags,
    /// Run an imported, approximated case (repeatable).
    #[arg(long = "allow-approximated", value_name = "ID", requires = "approval_reason")]
    pub(crate) allow_approximated: Vec<String>,
    /// Why the approximated cases may run.
    #[arg(long, value_name = "TEXT")]
    pub(crate) approval_reason: Option<String>,
    /// Trials of one case in flight.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) concurrency: u32,
    /// The clock of one trial, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 120_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) iteration_timeout: u64,
    /// The clock of each setup operation, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 30_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) setup_timeout: u64,
    /// Model steps per prompt.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_steps: u32,
    /// Refuse the run when a server cannot be set up, instead of recording where the chain broke.
    #[arg(long)]
    pub(crate) strict_setup: bool,
    /// Ask this address whether our own network works when a remote server cannot be reached.
    #[arg(long, value_name = "URL")]
    pub(crate) egress_canary: Option<String>,
    /// Write this document to stdout; everything else goes to stderr.
    #[arg(long, value_enum)]
    pub(crate) reporter: Option<Reporter>,
    /// Write the reporter's document (JSON without one) to a file, whole or not at all.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write one evidence document per finished trial to this JSONL file, as they finish.
    #[arg(long, value_name = "FILE")]
    pub(crate) evidence: Option<PathBuf>,
    /// Human text or one JSON document.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// No progress and no talk on stderr but errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
    /// Another program watches: end in order when stdin closes, and write a line of JSON to stderr per finished trial.
    #[arg(long, hide = true)]
    pub(crate) supervised: bool,
}

/// `howfar judge`
#[derive(Debug, Args)]
#[command(
    after_help = "A judgement may leave this machine: the judge's provider gets the case and the record of the trial, \
redacted (docs/judges.md says how). Without --role and --threshold those of the run's suite hold, and without a judge \
in the suite the judge is advisory.\n\nExample: howfar judge latest --model anthropic/claude-sonnet-4-5"
)]
pub(crate) struct JudgeArgs {
    /// The run: `latest`, an id, or the beginning of one.
    #[arg(default_value = "latest")]
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Grade only this case (its exact id; repeatable); without it, every case whose judge is not switched off.
    #[arg(long = "case", value_name = "ID")]
    pub(crate) cases: Vec<String>,
    /// The judge's model (`provider/model`), in place of the one that the run's suite names.
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<String>,
    /// Whether a low score fails the trial.
    #[arg(long, value_enum)]
    pub(crate) role: Option<JudgeRole>,
    /// The score that passes, from 0 to 1.
    #[arg(long, value_name = "SCORE", value_parser = fraction)]
    pub(crate) threshold: Option<f64>,
    #[command(flatten)]
    pub(crate) judge: JudgeFlags,
    /// Begin a new grading even when the same judge graded the run before.
    #[arg(long)]
    pub(crate) again: bool,
    /// The base URL of the judge's API.
    #[arg(long, value_name = "URL", env = "HOWFAR_MODEL_BASE_URL")]
    pub(crate) base_url: Option<String>,
    /// Human text or one JSON document (the run report).
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
    /// No progress and no talk on stderr but errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// Whether a judge decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum JudgeRole {
    /// It is recorded only.
    Advisory,
    /// A low score fails the trial.
    #[value(alias = "required")]
    Gating,
}

impl From<JudgeRole> for Role {
    fn from(role: JudgeRole) -> Self {
        match role {
            JudgeRole::Advisory => Self::Advisory,
            JudgeRole::Gating => Self::Required,
        }
    }
}

fn fraction(text: &str) -> Result<f64, String> {
    let number = text.trim().parse::<f64>().ok();
    number
        .filter(|number| (0.0..=1.0).contains(number))
        .ok_or_else(|| format!("{text:?} is not a number from 0 to 1"))
}

/// `howfar list`
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// At most this many runs, the newest.
    #[arg(long, value_name = "N", conflicts_with = "prune")]
    pub(crate) limit: Option<u32>,
    /// Only runs of the suite with this declared id.
    #[arg(long, value_name = "ID", conflicts_with = "prune")]
    pub(crate) suite: Option<String>,
    /// Say which runs a retention lets go; with `--yes`, delete them.
    #[arg(long, requires = "retention")]
    pub(crate) prune: bool,
    /// Keep this many of the newest runs.
    #[arg(long, value_name = "N", group = "retention", requires = "prune")]
    pub(crate) keep: Option<u32>,
    /// Keep runs that began within this many days.
    #[arg(long, value_name = "DAYS", group = "retention", requires = "prune")]
    pub(crate) older_than: Option<u32>,
    /// Delete, instead of saying what would be deleted.
    #[arg(long, requires = "prune")]
    pub(crate) yes: bool,
    /// Show times in UTC instead of the zone of this machine; JSON is always in UTC.
    #[arg(long)]
    pub(crate) utc: bool,
    /// Read everything that is stored and say what does not read back.
    #[arg(long, conflicts_with_all = ["prune", "limit", "suite"])]
    pub(crate) check: bool,
    /// Human text or one JSON document.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
}

/// `howfar show`
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The run: `latest`, an id, or the beginning of one.
    #[arg(default_value = "latest")]
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Show trials that passed and whole texts too.
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Human text or one JSON document (the run report).
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
}

/// `howfar trace`
#[derive(Debug, Args)]
pub(crate) struct TraceArgs {
    /// The run: `latest`, an id, or the beginning of one.
    pub(crate) run: String,
    /// The case's id.
    pub(crate) case: String,
    /// The trial, from 1.
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) trial: u32,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Cut no text.
    #[arg(long, short)]
    pub(crate) verbose: bool,
    /// Human text or one JSON document.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
}

/// What `howfar export` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// The JSON run report.
    Json,
    /// JUnit XML.
    Junit,
    /// One HTML page that needs no network.
    Html,
    /// Markdown, as in the summary of a CI job.
    Markdown,
    /// One evidence document per trial and line (JSONL).
    Evidence,
    /// The spans of the trials as OTLP JSON; what was said is left out unless `--content` asks for it.
    Otlp,
}

/// `howfar export`
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The run: `latest`, an id, or the beginning of one.
    #[arg(default_value = "latest")]
    pub(crate) run: String,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// The document.
    #[arg(long, visible_alias = "as", value_enum, default_value = "json")]
    pub(crate) format: ExportFormat,
    /// With `--format otlp`: also the messages, arguments, results and error texts.
    #[arg(long)]
    pub(crate) content: bool,
    /// Write to this file, whole or not at all; without it, to stdout.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// `howfar derive`
#[derive(Debug, Args)]
pub(crate) struct DeriveArgs {
    /// A JSON or JSONL file of evidence documents; `-` or nothing reads JSONL from stdin.
    #[arg(conflicts_with = "run")]
    pub(crate) file: Option<PathBuf>,
    /// Derive a stored run again and keep the result beside the documents of other analyzers; prints the run report.
    #[arg(long, value_name = "RUN")]
    pub(crate) run: Option<String>,
    /// Print every document of the run as one: chains, measurements, friction, decision, summary, analytics.
    #[arg(long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

/// `howfar mcp`
#[derive(Debug, Args)]
#[command(
    after_help = "stdin and stdout carry the protocol; the server ends when stdin closes. In .mcp.json:\n  \
{\"mcpServers\": {\"howfar\": {\"command\": \"howfar\", \"args\": [\"mcp\"]}}}"
)]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// The folder of the suites: only files below it are read, and runs look for `.mcp.json` in it.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
}

/// The formats of the glossary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum GlossaryFormat {
    /// For a person.
    Human,
    /// One JSON document.
    Json,
    /// A reference page.
    Markdown,
    /// A skill file for coding assistants: the whole glossary with the rules of reading, and front matter.
    Skill,
}

/// `howfar explain`
#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// A wire value, for example `missingToolCall`.
    pub(crate) value: Option<String>,
    /// Human text, one JSON document, a Markdown page, or a skill file for coding assistants.
    #[arg(long, value_enum)]
    format: Option<GlossaryFormat>,
}

impl ExplainArgs {
    /// The format; the glossary is text for people, so a pipe does not change it.
    pub(crate) fn format(&self) -> GlossaryFormat {
        self.format.unwrap_or(GlossaryFormat::Human)
    }
}

/// `howfar schema`
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// The document's name; without one, the names are listed.
    pub(crate) name: Option<String>,
    /// Print every schema as one object.
    #[arg(long, conflicts_with = "name")]
    pub(crate) all: bool,
}

/// `howfar serve`
#[derive(Debug, Args)]
#[command(
    after_help = "Ctrl-C ends it. It only reads: the store may be written by runs meanwhile, and need not exist yet.\n\n\
Anybody on this machine can read what is served. An address that other machines reach needs a token; it travels \
unencrypted, so put a proxy with TLS before it where the network is not yours."
)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) store: StoreArgs,
    /// Listen on this port; 0 takes any free one.
    #[arg(long, value_name = "N", default_value_t = 7357)]
    pub(crate) port: u16,
    /// Listen on this address.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) bind: std::net::IpAddr,
    /// Let in only who knows this token. The variable keeps it out of the list of processes.
    #[arg(long, value_name = "TOKEN", env = "HOWFAR_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,
    /// With `json`, one line on stdout says where it is; a person is told on stderr.
    #[arg(long, value_enum)]
    pub(crate) format: Option<Format>,
}
