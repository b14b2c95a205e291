//! `howfar compare`: two stored runs, parity blockers first.

use howfar_core::run::compare::{CompareOptions, compare_report, compare_runs, comparison_outcome};
use howfar_core::run::gate::{CompareFlags, FlagError, compare_policy};
use howfar_core::run::side::RunSide;
use howfar_report::{
    GateEnding, render_compare_junit, render_comparison, render_comparison_markdown,
};
use howfar_store::RunId;
use howfar_wire::compare::{BaselinePolicy, RunComparison};
use howfar_wire::vocabulary::{ExitCode, Vocabulary as _};

use super::outlet::Delivery;
use super::stored::{OpenStore, gone};
use crate::cli::{CompareArgs, Format};
use crate::error::CommandError;
use crate::github::Job;
use crate::output;

pub(crate) fn run(args: &CompareArgs) -> Result<ExitCode, CommandError> {
    let policy = compare_policy(&CompareFlags {
        gate_regressions: args.gate_regressions,
        min_sample_size: args.min_sample_size.clone(),
        min_effect_size_percent: args.min_effect_size_percent.clone(),
        gate_deterministic_regressions: args.gate_deterministic_regressions,
        max_p95_latency_increase_ms: args.max_p95_latency_increase_ms.clone(),
        max_cost_increase_percent: args.max_cost_increase_percent.clone(),
    })?;
    output::check_writable(args.outlet.out.as_deref())?;
    let store = OpenStore::to_read(&args.store)?;
    let run = store.find(&args.run)?;
    let (base, baseline) = match args.base.as_ref().or(args.base_run.as_ref()) {
        Some(name) => (store.find(name)?, BaselinePolicy::Run),
        None => match store.ask(|store| store.previous_complete_run(&run))? {
            Some(base) => (base, BaselinePolicy::PreviousCompleted),
            None => return no_baseline(args, &run),
        },
    };
    let (before, after) = (side(&store, &base)?, side(&store, &run)?);
    let comparison = compare_runs(&before, &after, &CompareOptions { baseline, policy });
    let outcome = comparison_outcome(&comparison);
    let exit = outcome.exit_code();
    let more = more(&comparison, args);
    let human = |options: &howfar_report::TextOptions| {
        let mut text = String::new();
        render_comparison(
            &comparison,
            outcome,
            GateEnding { exit, more: &more },
            options,
            &mut text,
        )
        .expect("writing into a String cannot fail");
        text
    };
    let told = human(&output::text_options());
    let plain = human(&output::plain_options());
    let report = compare_report(comparison.clone());
    let junit = || {
        let mut text = String::new();
        render_compare_junit(&report, &plain, &mut text)
            .expect("writing into a String cannot fail");
        text
    };
    Delivery { document: &report, human: &told, junit: &junit }.deliver(&args.outlet)?;
    Job::of_environment().summarize(|| {
        let mut text = String::new();
        render_comparison_markdown(&comparison, exit, &mut text)
            .expect("writing into a String cannot fail");
        text
    });
    Ok(exit)
}

/// A run as comparisons and gates read it.
pub(super) fn side(store: &OpenStore, id: &RunId) -> Result<RunSide, CommandError> {
    store.ask(|store| store.run_side(id))?.ok_or_else(|| gone(id))
}

/// Nothing to compare with is not decided, and no failure.
fn no_baseline(args: &CompareArgs, run: &RunId) -> Result<ExitCode, CommandError> {
    let message = format!("there is no earlier complete run of the suite of {run} to compare with");
    let policy = BaselinePolicy::PreviousCompleted.as_str();
    if args.outlet.reporter.is_none() && Format::or_by_stdout(args.outlet.format) == Format::Json {
        let document =
            serde_json::json!({ "status": "baseline_not_found", "policy": { "kind": policy } });
        output::json(&document)?;
    }
    let error = CommandError::new(ExitCode::Incomplete, message);
    Err(error.hint("run the suite once more, or name a run: `howfar list` shows them"))
}

/// The command that goes on from here.
fn more(comparison: &RunComparison, args: &CompareArgs) -> String {
    let id = &comparison.compare.compare_run.id;
    let trial = comparison.compare.cases.iter().find_map(|case| {
        let regressed = case.status == howfar_wire::compare::CompareStatus::Regressed;
        case.compare.representative_iteration_id.as_ref().filter(|_| regressed)
    });
    match (trial.and_then(|trial| trial.rsplit_once('#')), &args.outlet.out) {
        (Some((case, trial)), _) => format!("howfar trace {id} {case} {trial}"),
        (None, Some(out)) => format!("read {}", out.display()),
        (None, None) => format!("howfar show {id}"),
    }
}

impl From<FlagError> for CommandError {
    fn from(error: FlagError) -> Self {
        Self::usage(error.to_string())
    }
}
