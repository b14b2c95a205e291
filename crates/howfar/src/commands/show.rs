//! `howfar show`: the story of a stored run.

use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::ExitCode;

use super::run::{Telling, exit_of, story};
use super::stored::OpenStore;
use crate::cli::{Format, ShowArgs};
use crate::error::CommandError;
use crate::output;

/// Tells the run. Reading succeeded, so the exit code is 0; the story says what the run's own was.
pub(crate) fn run(args: &ShowArgs) -> Result<ExitCode, CommandError> {
    let store = OpenStore::to_read(&args.store)?;
    let id = store.find(&args.run)?;
    let report = store.report(&id)?;
    match Format::or_by_stdout(args.format) {
        Format::Json => output::json(&report)?,
        Format::Human => {
            let more = more(&report, args);
            let telling = Telling {
                terminal: output::stdout_is_terminal(),
                verbose: args.verbose,
                more: Some(&more),
            };
            output::text(&story(&report, exit_of(&report), &telling))?;
        }
    }
    Ok(ExitCode::Success)
}

/// The command that goes on from here.
fn more(report: &RunReport, args: &ShowArgs) -> String {
    let id = &report.metadata.run_id;
    match (report.metadata.complete, args.verbose) {
        (false, _) => format!("howfar run --resume {id}"),
        (true, false) => format!("howfar show {id} --verbose"),
        (true, true) => format!("howfar export {id} --format evidence"),
    }
}
