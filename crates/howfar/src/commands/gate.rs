//! `howfar gate`: one stored run held to a policy.

use std::time::{Duration, Instant};

use howfar_core::run::gate::{GateFlags, gate_policy, run_gate};
use howfar_report::{GateEnding, render_gate, render_gate_junit, render_gates_markdown};
use howfar_store::RunId;
use howfar_wire::gate::RunGate;
use howfar_wire::vocabulary::{ExitCode, RunState};

use super::compare::side;
use super::outlet::Delivery;
use super::stored::{OpenStore, gone};
use crate::cli::GateArgs;
use crate::error::CommandError;
use crate::github::Job;
use crate::output;

/// How often a run that still runs is looked at.
const POLL: Duration = Duration::from_millis(200);

pub(crate) fn run(args: &GateArgs) -> Result<ExitCode, CommandError> {
    if let Some(flag) = args.comparative.asked() {
        let error = CommandError::usage(format!("{flag} compares two runs, and gate reads one"));
        return Err(error.hint(format!("howfar compare {} {flag} asks for it", args.run)));
    }
    let policy = gate_policy(&GateFlags {
        min_pass_rate_percent: args.min_pass_rate_percent.clone(),
        max_total_tokens: args.max_total_tokens.clone(),
        max_p95_latency_ms: args.max_p95_latency_ms.clone(),
        min_scorer_pass_rate: args.min_scorer_pass_rate.clone(),
        min_mean_score: args.min_mean_score.clone(),
        no_gating_score_errors: args.no_gating_score_errors,
    })?;
    output::check_writable(args.outlet.out.as_deref())?;
    let store = OpenStore::to_read(&args.store)?;
    let id = store.find(&args.run)?;
    wait(&store, &id, args)?;
    let gate = run_gate(&side(&store, &id)?, &policy);
    let exit = gate.gates.outcome.exit_code();
    let more = format!("howfar show {id}");
    let human = |options: &howfar_report::TextOptions| {
        let mut text = String::new();
        render_gate(&gate, GateEnding { exit, more: &more }, options, &mut text)
            .expect("writing into a String cannot fail");
        text
    };
    let told = human(&output::text_options());
    let plain = human(&output::plain_options());
    let junit = || junit(&gate, &plain);
    Delivery { document: &gate, human: &told, junit: &junit }.deliver(&args.outlet)?;
    Job::of_environment().summarize(|| {
        let mut text = String::new();
        render_gates_markdown(id.as_str(), &gate.gates, exit, &mut text)
            .expect("writing into a String cannot fail");
        text
    });
    Ok(exit)
}

fn junit(gate: &RunGate, human: &str) -> String {
    let mut text = String::new();
    render_gate_junit(gate, human, &mut text).expect("writing into a String cannot fail");
    text
}

/// Waits until nobody records the run any more. A run that still runs decides nothing yet.
fn wait(store: &OpenStore, id: &RunId, args: &GateArgs) -> Result<(), CommandError> {
    let started = Instant::now();
    let limit = Duration::from_millis(args.wait_timeout);
    let mut is_told = false;
    loop {
        let state = store.ask(|store| store.run(id))?.ok_or_else(|| gone(id))?.state;
        match state {
            RunState::Ended | RunState::CutOff => return Ok(()),
            RunState::Running if !args.wait => {
                let error = still_runs(format!("the run {id} still runs"));
                return Err(error.hint("--wait waits for its end"));
            }
            RunState::Running if started.elapsed() >= limit => {
                return Err(still_runs(format!(
                    "the run {id} still runs after {} ms",
                    args.wait_timeout
                )));
            }
            RunState::Running => {
                if !std::mem::replace(&mut is_told, true) {
                    output::say(&format!("the run {id} still runs: waiting for its end"));
                }
                std::thread::sleep(POLL.min(limit.saturating_sub(started.elapsed())));
            }
        }
    }
}

fn still_runs(message: String) -> CommandError {
    CommandError::new(ExitCode::Incomplete, message)
}
