//! `howfar init`: connects to a server, lists its tools, and writes a first suite that runs at once.

mod document;
mod entry;
mod files;
mod probe;
mod source;

use std::time::Duration;

use howfar_mcp::Catalog;
use howfar_suite::starter::{
    StarterCase, StarterSuite, StarterTool, render_starter_script, render_starter_suite,
    starter_case_ids, starter_name,
};
use howfar_suite::{AuthoredSuite, SuiteParse, nearest_word, parse_suite};
use howfar_wire::vocabulary::ExitCode;

use super::live::{self, Listed};
use crate::cli::{Format, InitArgs};
use crate::error::CommandError;
use crate::output;
use document::{InitDocument, Told};
use files::{Places, config_plan, places};
use probe::{Candidate, Probe, folder_of, starter_tools};
use source::Source;

/// What was learnt from the server.
struct Asked {
    source: Source,
    info: howfar_mcp::ConnectionInfo,
    catalog: Catalog,
    tools: Vec<StarterTool>,
    candidates: Vec<Candidate>,
    places: Places,
}

pub(crate) fn run(args: &InitArgs) -> Result<ExitCode, CommandError> {
    let source = source::find(args)?;
    let asked = live::block_on(ask(args, source))??;
    let (suite, script, authored, ids) = texts(&asked)?;
    let config = config_plan(&asked.source, args.force)?;
    let written = files::write(&asked.places, &suite, &script, &config)?;
    let told = Told { asked: &asked, args, ids: &ids, authored: &authored, config: &config };
    let document = InitDocument::new(&told, &written);
    match Format::or_by_stdout(args.format) {
        Format::Json => output::json(&document)?,
        Format::Human => output::text(&document.human(&told))?,
    }
    Ok(ExitCode::Success)
}

/// Connects, chooses tools, and tries their example calls. The server is ended before anything is written.
async fn ask(args: &InitArgs, mut source: Source) -> Result<Asked, CommandError> {
    say(&format!("connecting to {} …", source.bound.name));
    let setup_timeout = Duration::from_millis(args.setup_timeout);
    let listed = live::list(&source.bound, setup_timeout, &source.secrets).await;
    let Listed { connection, catalog } =
        listed.map_err(|message| CommandError::new(ExitCode::Setup, message))?;
    let info = connection.info().clone();
    if !source.named {
        source.bound.name = starter_name(info.server_name().unwrap_or_default());
    }
    let tools = starter_tools(&catalog);
    let chosen = async {
        if tools.is_empty() {
            return Err(no_tools(&source, &catalog));
        }
        let places = places(&args.dir, &file_stem(&source), args.force)?;
        let named = positions(&tools, &args.tools)?;
        let probe = Probe {
            connection: &connection,
            tools: &tools,
            folder: folder_of(&source.bound.binding),
            try_all: args.try_calls,
            secrets: &source.secrets,
        };
        say(&format!("{} tools; trying example calls of those that only read …", tools.len()));
        let tried = if named.is_empty() { probe.chosen().await } else { probe.named(&named).await };
        let unasked = named.is_empty();
        let candidates = if unasked { probe::best(tried) } else { Ok(tried) };
        let candidates = candidates.map_err(|tried| nothing_chosen(&tools, &tried))?;
        Ok((places, candidates))
    };
    let chosen = chosen.await;
    connection.shutdown().await;
    let (places, candidates) = chosen?;
    Ok(Asked { source, info, catalog, tools, candidates, places })
}

/// The files' texts, read back before anything is written: what is written loads.
fn texts(asked: &Asked) -> Result<(String, String, AuthoredSuite, Vec<String>), CommandError> {
    let tool = |it: &Candidate| asked.tools[it.at].name.as_str();
    let ids = starter_case_ids(asked.candidates.iter().map(tool));
    let cases: Vec<StarterCase<'_>> = asked
        .candidates
        .iter()
        .zip(&ids)
        .map(|(it, id)| StarterCase {
            id,
            tool: &asked.tools[it.at],
            arguments: &it.arguments,
            misfit: it.misfit.as_deref(),
            tried: &it.tried,
        })
        .collect();
    let left_out = left_out(asked);
    let stem = file_stem(&asked.source);
    let starter = StarterSuite {
        server: &asked.source.bound.name,
        stem: &stem,
        cases: &cases,
        left_out: &left_out,
    };
    let (suite, script) = (render_starter_suite(&starter), render_starter_script(&starter));
    let authored = match parse_suite(&suite) {
        SuiteParse::Valid { suite, warnings: _ } => *suite,
        SuiteParse::Invalid { findings, .. } => {
            let told: Vec<String> = findings.iter().map(ToString::to_string).collect();
            return Err(broken(&told.join("\n  ")));
        }
    };
    howfar_model::Script::parse("script", &script).map_err(|error| broken(&error.to_string()))?;
    Ok((suite, script, authored, ids))
}

/// The names of usable tools without a case, once each.
fn left_out(asked: &Asked) -> Vec<&str> {
    let has_case = |name: &str| asked.candidates.iter().any(|it| asked.tools[it.at].name == name);
    let mut names: Vec<&str> = Vec::new();
    for tool in &asked.tools {
        if !has_case(&tool.name) && !names.contains(&tool.name.as_str()) {
            names.push(&tool.name);
        }
    }
    names
}

/// The stem of the files' names: a server's name may hold anything.
fn file_stem(source: &Source) -> String {
    starter_case_ids(std::iter::once(source.bound.name.as_str())).remove(0)
}

/// The positions of the tools that the user named.
fn positions(tools: &[StarterTool], names: &[String]) -> Result<Vec<usize>, CommandError> {
    let mut found = Vec::new();
    for name in names {
        match tools.iter().position(|tool| tool.name == *name) {
            Some(at) if found.contains(&at) => {}
            Some(at) => found.push(at),
            None => {
                let known = || tools.iter().map(|tool| tool.name.as_str());
                let hint = match nearest_word(name, known()) {
                    Some(near) => format!("did you mean {near}?"),
                    None => format!("the tools are {}", known().collect::<Vec<_>>().join(", ")),
                };
                let message = format!("--tool: the server has no tool {name:?}");
                return Err(CommandError::usage(message).hint(howfar_report::sanitize(&hint)));
            }
        }
    }
    Ok(found)
}

fn no_tools(source: &Source, catalog: &Catalog) -> CommandError {
    let message = format!("server {:?} lists no tool that can be used", source.bound.name);
    let error = CommandError::new(ExitCode::Setup, message);
    catalog.quarantined.iter().fold(error, |error, entry| {
        let name = entry.name.as_deref().unwrap_or("a tool without a name");
        let text = format!("{name}: {}", entry.reason);
        error.hint(howfar_report::sanitize(&text))
    })
}

/// No tool may be called unasked, which the user decides; or all that were gave no answer, which is the server's.
fn nothing_chosen(tools: &[StarterTool], tried: &[Candidate]) -> CommandError {
    const SHOWN: usize = 3;
    if tried.is_empty() {
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
        let hint = format!("choose with --tool NAME; the tools are {}", names.join(", "));
        return CommandError::usage("no tool looks safe to call unasked")
            .hint(howfar_report::sanitize(&hint));
    }
    let message = format!(
        "no call was answered; {} tried",
        match tried.len() {
            1 => "1 tool was".to_owned(),
            count => format!("{count} tools were"),
        }
    );
    let error = CommandError::new(ExitCode::Setup, message);
    let error = tried.iter().take(SHOWN).fold(error, |error, it| {
        let said = format!("{}: no answer, {}", tools[it.at].name, probe::said(&it.tried));
        error.hint(howfar_report::sanitize(&said))
    });
    error.hint("--tool NAME writes a case all the same")
}

/// The texts are made here, so a text that does not load is our mistake.
fn broken(detail: &str) -> CommandError {
    let detail = howfar_report::sanitize(detail);
    let message = format!("the written files would not load, a defect of howfar: {detail}");
    CommandError::new(ExitCode::Incomplete, message)
}

/// Progress, for a person who waits.
fn say(text: &str) {
    if output::stderr_is_terminal() {
        output::say(&howfar_report::sanitize(text));
    }
}
