//! `howfar list`: the stored runs, retention, integrity.

use howfar_report::render_run_list;
use howfar_store::{Retention, RunId, RunQuery};
use howfar_wire::record::{RunList, RunListRow};
use howfar_wire::vocabulary::ExitCode;
use jiff::tz::TimeZone;

use super::stored::OpenStore;
use crate::cli::{Format, ListArgs};
use crate::error::CommandError;
use crate::output;

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

pub(crate) fn run(args: &ListArgs) -> Result<ExitCode, CommandError> {
    if args.check {
        check(args)
    } else if args.prune {
        prune(args)
    } else {
        list(args)
    }
}

fn list(args: &ListArgs) -> Result<ExitCode, CommandError> {
    let format = Format::or_by_stdout(args.format);
    let query = RunQuery { limit: args.limit, suite_id: args.suite.clone(), ..RunQuery::default() };
    let store = OpenStore::to_read(&args.store)?;
    let runs = store.ask(|store| store.runs(&query))?;
    match format {
        Format::Json => output::json(&RunList::new(runs))?,
        Format::Human if runs.is_empty() => {
            output::text(&nothing(args))?;
        }
        Format::Human => output::text(&lines(&runs, args.utc))?,
    }
    Ok(ExitCode::Success)
}

/// An empty list says what would fill it.
fn nothing(args: &ListArgs) -> String {
    match &args.suite {
        Some(suite) => format!(
            "No run of the suite {} is stored here. `howfar list` shows the runs of every suite; `howfar run SUITE` \
             records one.\n",
            howfar_report::sanitize(suite)
        ),
        None => "No run is stored here. `howfar run SUITE` records one.\n".to_owned(),
    }
}

/// The list in the reader's zone, or in UTC.
fn lines(runs: &[RunListRow], utc: bool) -> String {
    let zone = if utc { TimeZone::UTC } else { output::zone() };
    let mut text = String::new();
    render_run_list(runs, &zone, &output::text_options(), &mut text)
        .expect("writing into a String cannot fail");
    text
}

/// Says what goes; deletes only when told to.
fn prune(args: &ListArgs) -> Result<ExitCode, CommandError> {
    let now = u64::try_from(jiff::Timestamp::now().as_millisecond()).unwrap_or_default();
    let since = |days: u32| now.saturating_sub(u64::from(days) * DAY_MS);
    let retention = Retention { keep: args.keep, since_ms: args.older_than.map(since) };
    let store = match args.yes {
        true => OpenStore::to_write(&args.store)?,
        false => OpenStore::to_read(&args.store)?,
    };
    let runs = store.ask(|store| store.prunable(retention))?;
    let ids: Vec<RunId> = runs.iter().map(|run| RunId::new(run.run_id.clone())).collect();
    let deleted = match args.yes && !ids.is_empty() {
        true => store.ask(|store| store.delete_runs(&ids))?,
        false => 0,
    };
    match Format::or_by_stdout(args.format) {
        Format::Json => output::json(&RunList::new(runs))?,
        Format::Human => output::text(&lines(&runs, args.utc))?,
    }
    output::say(&match (args.yes, ids.len()) {
        (_, 0) => "No run goes: the retention keeps them all.".to_owned(),
        (true, _) => format!("Runs deleted: {deleted}."),
        (false, 1) => "1 run would go. Add --yes to delete it.".to_owned(),
        (false, goes) => format!("{goes} runs would go. Add --yes to delete them."),
    });
    Ok(ExitCode::Success)
}

/// Everything that does not read back is a finding; the command says each.
fn check(args: &ListArgs) -> Result<ExitCode, CommandError> {
    let store = OpenStore::to_read(&args.store)?;
    let damages = store.ask(|store| store.damages())?;
    match Format::or_by_stdout(args.format) {
        Format::Json => {
            output::json(&serde_json::json!({ "sound": damages.is_empty(), "damages": damages }))?;
        }
        Format::Human if damages.is_empty() => {
            output::text("The store is sound: everything reads back as it was written.\n")?;
        }
        Format::Human => {
            let line = |damage: &String| format!("{}\n", howfar_report::sanitize(damage));
            output::text(&damages.iter().map(line).collect::<String>())?;
        }
    }
    Ok(if damages.is_empty() { ExitCode::Success } else { ExitCode::Incomplete })
}
