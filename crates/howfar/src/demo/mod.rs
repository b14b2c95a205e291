//! `howfar demo`: the main job on an embedded MCP server and a scripted model. Real stdio transport, every link shown
//! breaking once, offline, no key.

pub(crate) mod server;

use std::path::{Path, PathBuf};

use howfar_mcp::BoundServer;
use howfar_runner::{RunOptions, RunRequest};
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::{ExitCode, Verdict};
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::cli::{DemoArgs, Format};
use crate::commands::run::{
    BindingFlags, Cassette, JudgeChoice, JudgeFlags, Prepare, PrepareError, ScriptSource, Stop,
    SuiteSource, Telling, execute, prepare, refusal_error, story,
};
use crate::error::CommandError;
use crate::output;

const SUITE: &str = include_str!("shop.suite.yaml");
/// The suite that is written runs often enough for an interval in `howfar compare`.
const WRITTEN_ITERATIONS: &str = "  iterations: 6\n";
const SETUP_SUITE: &str = include_str!("setup.suite.yaml");
const SCRIPT: &str = include_str!("shop.script.yaml");

/// What is said before, between and after the three stories.
const INTRODUCTION: &str = "\
howfar demo: a small shop as an MCP server (a child process over stdio) and a scripted model.
Five cases run twice each. One passes; in each of the others one link breaks, on purpose.
";
const CONNECTION_BREAKS: &str =
    "The same question to a server that dies while it starts: the connection breaks.\n";
const DISCOVERY_BREAKS: &str =
    "The same question to a server that cannot list its tools: discovery breaks.\n";

/// The demo's runs, in one document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DemoDocument<'a> {
    schema_version: u32,
    kind: &'static str,
    runs: &'a [RunReport],
}

pub(crate) fn run(args: &DemoArgs) -> Result<ExitCode, CommandError> {
    if let Some(folder) = &args.write {
        return write_files(folder);
    }
    let runs = [
        run_one(SUITE, "shop.suite.yaml", &[])?,
        run_one(SETUP_SUITE, "setup.suite.yaml", &["--refuse-initialize"])?,
        run_one(SETUP_SUITE, "setup.suite.yaml", &["--refuse-list"])?,
    ];
    match args.format.unwrap_or(Format::Human) {
        Format::Json => {
            output::json(&DemoDocument { schema_version: 1, kind: "howfar-demo", runs: &runs })?
        }
        Format::Human => output::text(&tell(&runs))?,
    }
    check(&runs)
}

/// Runs one suite against the demo's own server.
fn run_one(suite: &str, name: &str, server_flags: &[&str]) -> Result<RunReport, CommandError> {
    let mut request = prepared(suite, name)?;
    request.bindings = vec![own_server(server_flags)?];
    match execute(request, &CancellationToken::new(), &mut |_| {})? {
        Ok(report) => Ok(report),
        Err(Stop::Refused(refusal)) => Err(refusal_error(&refusal)),
        Err(Stop::Interrupted) => Err(CommandError::new(ExitCode::Incomplete, "interrupted")),
    }
}

fn prepared(suite: &str, name: &str) -> Result<RunRequest, CommandError> {
    let request = prepare(Prepare {
        source: SuiteSource { name: name.to_owned(), bytes: suite.as_bytes().to_vec() },
        cases: None,
        approvals: Vec::new(),
        options: RunOptions::default(),
        scripts: ScriptSource::Text {
            name: "shop.script.yaml".to_owned(),
            text: SCRIPT.to_owned(),
        },
        base_url: None,
        // Replaced by the demo's own server; the name has to be bound to something to be prepared.
        bindings: BindingFlags {
            command: Some("howfar demo-server".to_owned()),
            ..BindingFlags::default()
        },
        judges: JudgeChoice {
            model: None,
            flags: JudgeFlags::default(),
            scripts: ScriptSource::Beside(PathBuf::from(".")),
        },
        cassette: Cassette::Off,
    });
    request.map_err(|error| match error {
        PrepareError::Command(error) => error,
        PrepareError::Refused(refusal) => refusal_error(&refusal),
    })
}

/// This binary as the server.
fn own_server(flags: &[&str]) -> Result<BoundServer, CommandError> {
    let program = std::env::current_exe().map_err(|error| {
        CommandError::new(
            ExitCode::Setup,
            format!("cannot find the howfar binary to start the demo server: {error}"),
        )
    })?;
    let words = std::iter::once("demo-server").chain(flags.iter().copied());
    Ok(BoundServer {
        name: "shop".to_owned(),
        source_label: "demo".to_owned(),
        binding: howfar_mcp::ServerBinding::from_command(program.display().to_string(), words),
    })
}

fn tell(runs: &[RunReport; 3]) -> String {
    let [shop, connection, discovery] = runs;
    let terminal = output::stdout_is_terminal();
    let telling = Telling { terminal, ..Telling::default() };
    let told = |report: &RunReport, exit| story(report, exit, &telling);
    let parts = [
        INTRODUCTION.to_owned(),
        told(shop, ExitCode::MeasuredFailure),
        CONNECTION_BREAKS.to_owned(),
        told(connection, ExitCode::Setup),
        DISCOVERY_BREAKS.to_owned(),
        told(discovery, ExitCode::Setup),
        closing(),
    ];
    parts.join("\n")
}

fn closing() -> String {
    "The demo did what it should: its runs failed on purpose, so it exits 0 where `howfar run` would exit 1 and 4.\n\
     Next: `howfar demo --write DIR` puts the suite and the script into a folder to play with,\n\
     `howfar explain VALUE` explains any value above, and the README shows a first suite for your own server.\n"
        .to_owned()
}

/// The demo fails only when it did not show what it promises.
fn check(runs: &[RunReport; 3]) -> Result<ExitCode, CommandError> {
    let [shop, connection, discovery] = runs;
    let as_promised = shop.verdict == Verdict::Failed
        && shop.summary.passed == 1
        && [connection, discovery].iter().all(|run| run.verdict == Verdict::Inconclusive);
    if as_promised {
        return Ok(ExitCode::Success);
    }
    let message = "the demo did not go as it should; the stories above say where";
    Err(CommandError::new(ExitCode::Incomplete, message))
}

fn write_files(folder: &Path) -> Result<ExitCode, CommandError> {
    let cannot = |path: &Path, error: std::io::Error| {
        CommandError::usage(format!("cannot write {}: {error}", path.display()))
    };
    std::fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
    let suite = SUITE.replace("  iterations: 2\n", WRITTEN_ITERATIONS);
    for (name, text) in [("shop.suite.yaml", suite.as_str()), ("shop.script.yaml", SCRIPT)] {
        let path: PathBuf = folder.join(name);
        if path.exists() {
            let error = CommandError::usage(format!("{} exists already", path.display()));
            return Err(error.hint("name another folder, or move the file away"));
        }
        output::write_atomically(&path, text.as_bytes()).map_err(|error| cannot(&path, error))?;
    }
    let shown = folder.display();
    output::text(&format!(
        "Wrote {shown}/shop.suite.yaml and {shown}/shop.script.yaml. Run them with\n  \
         howfar run {shown}/shop.suite.yaml --command \"howfar demo-server\"\n\
         Then change the description of a tool, run again, and see which link moved:\n  \
         howfar run {shown}/shop.suite.yaml --command \"howfar demo-server --describe 'find_order=Query orders.'\"\n  \
         howfar compare --gate-regressions\n"
    ))?;
    Ok(ExitCode::Success)
}
