//! `howfar run --resume RUN`: the same suite, the same settings, only the trials that did not finish.

use std::path::PathBuf;
use std::time::Duration;

use howfar_runner::{Resumed, RunIdentity, RunOptions, RunRequest};
use howfar_store::StoredRun;
use howfar_wire::cassette::Traffic;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::record::RunRecord;
use howfar_wire::suite::CaseId;
use howfar_wire::vocabulary::{ExitCode, RunState};

use super::prepare::{self, PrepareError};
use crate::cli::RunArgs;
use crate::commands::stored::{OpenStore, gone};
use crate::error::CommandError;

/// Prepares what is left of a stored run.
pub(super) fn prepare(args: &RunArgs, name: &str) -> Result<RunRequest, PrepareError> {
    let store = OpenStore::to_read(&args.store)?;
    let id = store.find(name)?;
    let run = store.ask(|store| store.run(&id))?.ok_or_else(|| gone(&id))?;
    let mut trials = store.ask(|store| store.derived_trials(&id))?;
    trials.retain(|trial| trial.row.status.is_settled());
    let owed = store.ask(|store| store.owed_judgements(&id))?;
    trials.retain(|trial| {
        let same = |it: &TrialEvidence<'_>| it.iteration_number == trial.row.iteration_number;
        !owed.iter().any(|it| it.case_id == trial.case_id && same(it))
    });
    check_unfinished(&run, trials.len() as u64)?;
    check_not_replayed(&run.record)?;
    let file = args.file.clone().unwrap_or_else(|| PathBuf::from(&run.origin));
    let selected = run.record.selection.requested.as_ref();
    let cases = selected.map(|ids| ids.iter().cloned().map(CaseId).collect());
    let mut prepare = prepare::from_file(args, &file, cases, options(args, &run))?;
    let judges = run.record.cases.iter().filter_map(|case| case.judge.as_ref());
    let judge_model = judges.filter_map(|judge| judge.model.clone()).next();
    prepare.judges.model = prepare.judges.model.or(judge_model);
    let mut request = prepare::prepare(prepare)?;
    request.identity = RunIdentity {
        run_id: run.record.run_id.clone(),
        suite_id: run.record.suite.id.clone(),
        started_at: run.record.started_at.clone(),
        started_at_ms: run.record.started_at_ms,
    };
    same_run(&run.record, &request.record())?;
    request.resumed = Resumed {
        trials,
        owed,
        elapsed_ms: run.elapsed_ms,
        catalog_digest: run.setup.catalog_digest,
    };
    Ok(request)
}

/// The settings of the run that is resumed. Setup is strict: a server that is down now is no fact of the run.
fn options(args: &RunArgs, run: &StoredRun) -> RunOptions {
    let settings = &run.record.settings;
    RunOptions {
        concurrency: settings.concurrency,
        iteration_timeout: Duration::from_millis(settings.iteration_timeout_ms),
        setup_timeout: Duration::from_millis(settings.setup_timeout_ms),
        max_steps: settings.max_steps,
        strict_setup: true,
        egress_canary: args.egress_canary.clone(),
        traffic: Traffic::Live,
        replayed_from: None,
    }
}

fn check_unfinished(run: &StoredRun, finished: u64) -> Result<(), CommandError> {
    let id = &run.record.run_id;
    match run.state {
        RunState::Running => {
            let message = format!("the run {id} still runs in another process");
            Err(CommandError::new(ExitCode::Setup, message))
        }
        RunState::Ended if finished == run.record.configured_trials() => {
            let error =
                CommandError::usage(format!("the run {id} is finished: no trial is missing"));
            Err(error.hint(format!("`howfar show {id}` tells it")))
        }
        RunState::Ended | RunState::CutOff => Ok(()),
    }
}

/// A run that was answered from a recording is replayed again, and not finished by asking.
fn check_not_replayed(record: &RunRecord) -> Result<(), CommandError> {
    let Some(folder) = &record.replayed_from else { return Ok(()) };
    let message = format!("the run {} was replayed and cannot be resumed", record.run_id);
    Err(CommandError::usage(message)
        .hint(format!("replay it again: `howfar run SUITE --replay {folder}`")))
}

/// One run is one suite under one configuration. Says what differs.
fn same_run(before: &RunRecord, now: &RunRecord) -> Result<(), CommandError> {
    let differences = differences(before, now);
    if differences.is_empty() {
        return Ok(());
    }
    let error = CommandError::usage(format!(
        "the run {} cannot be resumed: {}",
        before.run_id,
        differences.join("; ")
    ));
    Err(error.hint("begin a new run, or bring back what the run began with"))
}

fn differences(before: &RunRecord, now: &RunRecord) -> Vec<String> {
    if before.suite.source_hash != now.suite.source_hash {
        // Everything else follows from the file.
        let short = |hash: &str| hash.get(..12).unwrap_or(hash).to_owned();
        return vec![format!(
            "the suite file has changed (it was {}…, and is {}…)",
            short(&before.suite.source_hash),
            short(&now.suite.source_hash)
        )];
    }
    let same_models = models(before) == models(now);
    let same_scripts = scripts(before) == scripts(now);
    let facts = [
        ("the selected cases", before.selection == now.selection),
        ("the models", same_models),
        ("the scripts of the scripted models", same_scripts || !same_models),
        ("the cases", before.cases == now.cases || !same_models || !same_scripts),
        ("the servers", before.servers == now.servers),
        ("the tool policy", before.tool_policy == now.tool_policy),
        ("the settings", before.settings == now.settings),
    ];
    let differ = facts.iter().filter(|(_, same)| !same);
    let mut differences: Vec<String> =
        differ.map(|(what, _)| format!("{what} differ from those of the run")).collect();
    if before.product_version != now.product_version {
        let (before, now) = (&before.product_version, &now.product_version);
        differences.push(format!("howfar {before} began it, and this is howfar {now}"));
    }
    differences
}

fn models(record: &RunRecord) -> Vec<Option<&str>> {
    let models = record.cases.iter().map(|case| case.model.as_ref());
    models.map(|model| model.map(|model| model.effective.as_str())).collect()
}

fn scripts(record: &RunRecord) -> Vec<Option<&str>> {
    let models = record.cases.iter().map(|case| case.model.as_ref());
    models.map(|model| model.and_then(|model| model.script_digest.as_deref())).collect()
}
