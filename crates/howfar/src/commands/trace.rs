//! `howfar trace RUN CASE TRIAL`: one stored trial as it happened.

use howfar_report::render_trace;
use howfar_store::{RunId, TrialQuery};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::vocabulary::ExitCode;

use super::stored::OpenStore;
use crate::cli::{Format, TraceArgs};
use crate::error::CommandError;
use crate::output;

pub(crate) fn run(args: &TraceArgs) -> Result<ExitCode, CommandError> {
    let store = OpenStore::to_read(&args.store)?;
    let id = store.find(&args.run)?;
    let evidence = store.ask(|store| store.trial_evidence(&id, &args.case, args.trial))?;
    let Some(evidence) = evidence else { return Err(not_stored(&store, &id, args)?) };
    match Format::or_by_stdout(args.format) {
        Format::Json => output::json(&document(&evidence))?,
        Format::Human => {
            let mut text = String::new();
            render_trace(&evidence, &output::text_options(), args.verbose, &mut text)
                .expect("writing into a String cannot fail");
            output::text(&text)?;
        }
    }
    Ok(ExitCode::Success)
}

/// What happened, without what was derived or checked: `howfar export --format evidence` has all of it.
fn document(evidence: &TrialEvidence<'_>) -> serde_json::Value {
    serde_json::json!({
        "schemaVersion": 1,
        "kind": "trial-trace",
        "runId": evidence.run_id,
        "suiteId": evidence.suite_id,
        "caseId": evidence.case_id,
        "title": evidence.title,
        "iterationNumber": evidence.iteration_number,
        "iteration": evidence.iteration,
        "durationMs": evidence.duration_ms,
        "messages": evidence.messages,
        "calls": evidence.calls,
        "timeline": evidence.timeline,
    })
}

/// The run is there and the trial is not: says which trials are.
fn not_stored(
    store: &OpenStore,
    id: &RunId,
    args: &TraceArgs,
) -> Result<CommandError, CommandError> {
    let every = TrialQuery::default();
    let trials = store.ask(|store| store.trials(id, &every))?;
    let of_case = trials.iter().filter(|trial| trial.case_id == args.case).count();
    if of_case > 0 {
        let message = format!("the run {id} holds no trial {} of case {}", args.trial, args.case);
        return Ok(CommandError::usage(message)
            .hint(format!("the case has {}, from 1", output::counted(of_case, "stored trial"))));
    }
    let mut cases: Vec<&str> = trials.iter().map(|trial| trial.case_id.as_str()).collect();
    cases.dedup();
    let error = CommandError::usage(format!("the run {id} holds no trial of case {:?}", args.case));
    Ok(error.hint(format!("its cases are {}", cases.join(", "))))
}
