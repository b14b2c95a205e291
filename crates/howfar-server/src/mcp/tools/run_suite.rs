//! `run_suite`: runs a suite as `howfar run` does, and says how it ended.

use std::collections::BTreeMap;

use howfar_suite::plan::plan_model;
use howfar_suite::{ResolvedCase, ResolvedSuite, SuiteParse, resolve};
use howfar_wire::Vocabulary as _;
use howfar_wire::report::{Issue, Population, ReportSummary, RunReport};
use howfar_wire::suite::Step;
use howfar_wire::vocabulary::{ExitCode, ModelProvider, Termination, Verdict};
use rmcp::model::{ProgressNotificationParam, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tokio_util::sync::CancellationToken;

use super::super::answer::Answer;
use super::super::catalog::{Call, ModelTool};
use super::super::failure::ToolFailure;
use super::super::run::{RunProgress, SuiteOrder, SuiteRunEnd};
use super::validate_suite::read_suite;

/// Model steps per prompt of `howfar run` when nobody asks for a number.
const MAX_STEPS: u64 = 10;

/// `run_suite`
pub(in super::super) struct RunSuiteTool;

/// What `run_suite` takes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(in super::super) struct Parameters {
    /// The suite file, as list_suites names it.
    path: String,
    /// The ids of the cases to run; without it, every enabled case.
    #[serde(default)]
    case_ids: Vec<String>,
    /// `true` to spend: a suite whose models are not all scripted calls paid models. Ask the user first. Without it
    /// such a suite is refused, and the refusal says what it would spend.
    #[serde(default)]
    confirm_cost: bool,
}

/// How a run ended.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(in super::super) struct RunOutcome {
    /// The run: what get_run and the other tools take.
    run_id: String,
    /// What was decided.
    verdict: Verdict,
    /// The verdict in words.
    verdict_words: String,
    /// The exit code of `howfar run`. Only a measured failure is 1.
    exit_code: u8,
    /// What the exit code says.
    exit_words: String,
    /// Whether the run ended by itself, by the user or by a refusal.
    termination: Termination,
    /// Whether the run ended by itself and every case completed.
    complete: bool,
    /// Counts of selected cases.
    cases: ReportSummary,
    /// How many trials there were, of how many configured.
    population: Population,
    /// What affected the run and did not stop it.
    issues: Vec<Issue>,
}

impl ModelTool for RunSuiteTool {
    const NAME: &'static str = "run_suite";
    const TITLE: &'static str = "Run a suite (may spend money)";
    const DESCRIPTION: &'static str = "Run a suite file against its servers and decide, as `howfar run` does. SPENDS: \
         unless every model and judge of the selected cases is scripted it calls paid models, and it always starts the suite's \
         servers and calls their tools. Without confirmCost=true such a suite is refused, and the refusal says what it would \
         spend: ask the user, then call again. The call returns when the run ended; it reports progress in trials, and \
         cancelling it ends the run and keeps what finished. Go on with get_run.";
    type Parameters = Parameters;
    type Document = RunOutcome;

    fn annotations() -> ToolAnnotations {
        ToolAnnotations::with_title(Self::TITLE)
            .read_only(false)
            .destructive(true)
            .idempotent(false)
            .open_world(true)
    }

    fn whole(_: &Parameters) -> String {
        "howfar show latest --format json".to_owned()
    }

    async fn answer(
        parameters: Parameters,
        call: Call<'_>,
    ) -> Result<Answer<RunOutcome>, ToolFailure> {
        let file = call.shared.folder.find(&parameters.path)?;
        let suite = match read_suite(&file, &parameters.path)? {
            SuiteParse::Valid { suite, .. } => resolve(&suite),
            SuiteParse::Invalid { findings, .. } => {
                let what =
                    format!("{:?} is no valid suite: {} findings", parameters.path, findings.len());
                return Err(ToolFailure::new(
                    "suite_invalid",
                    what,
                    "validate_suite tells every finding",
                ));
            }
        };
        let spending = spending(&suite, &parameters.case_ids);
        if !spending.is_empty() && !parameters.confirm_cost {
            let what = format!("nothing ran; the run would spend: {}", spending.join("; "));
            let next = "ask the user; then call run_suite again with confirmCost=true";
            return Err(ToolFailure::new("cost_not_confirmed", what, next));
        }
        let order = SuiteOrder { file, case_ids: parameters.case_ids };
        match run(&call, order).await {
            SuiteRunEnd::Reported { report, exit } => Ok(Answer::whole(outcome(*report, exit))),
            SuiteRunEnd::Unreported { message, exit } => {
                let exit = exit.map_or("none: it was killed".to_owned(), |exit| exit.to_string());
                let what = format!("the run made no report (exit code {exit}): {message}");
                let next = "correct what it names; list_runs shows whether a part of it is stored";
                Err(ToolFailure::new("run_refused", what, next))
            }
        }
    }
}

/// Runs, and passes its progress on. The run goes on in a task of its own, so that it always ends in order: when the
/// caller cancels, and when the session ends.
async fn run(call: &Call<'_>, order: SuiteOrder) -> SuiteRunEnd {
    let cancel = CancellationToken::new();
    let (sender, mut told) = tokio::sync::mpsc::unbounded_channel();
    let runner = call.shared.runner.clone();
    let ending = cancel.clone();
    let task = call.shared.runs.spawn(async move {
        let progress = move |progress| {
            // Nobody listens any more when the call was cancelled; the run still ends in order.
            let _ = sender.send(progress);
        };
        runner.run(order, &progress, ending).await
    });
    tokio::pin!(task);
    loop {
        tokio::select! {
            ended = &mut task => return ended.unwrap_or_else(broken),
            Some(progress) = told.recv() => notify(call, progress).await,
            () = call.context.ct.cancelled(), if !cancel.is_cancelled() => cancel.cancel(),
            () = call.shared.ending.cancelled(), if !cancel.is_cancelled() => cancel.cancel(),
        }
    }
}

fn broken(error: tokio::task::JoinError) -> SuiteRunEnd {
    SuiteRunEnd::Unreported { message: error.to_string(), exit: None }
}

/// Tells a client that asked for it how many trials finished.
async fn notify(call: &Call<'_>, progress: RunProgress) {
    let Some(token) = call.context.meta.get_progress_token() else { return };
    let RunProgress { finished_trials, configured_trials } = progress;
    let message = format!("{finished_trials} of {configured_trials} trials finished");
    let notification = ProgressNotificationParam::new(token, finished_trials as f64)
        .with_total(configured_trials as f64)
        .with_message(message);
    // A client that is gone needs no progress; the end of the session is seen elsewhere.
    let _ = call.context.peer.notify_progress(notification).await;
}

fn outcome(report: RunReport, exit: ExitCode) -> RunOutcome {
    RunOutcome {
        run_id: report.metadata.run_id,
        verdict: report.verdict,
        verdict_words: report.verdict.label().to_owned(),
        exit_code: exit.code(),
        exit_words: exit.to_string(),
        termination: report.metadata.termination,
        complete: report.metadata.complete,
        cases: report.summary,
        population: report.metadata.population,
        issues: report.metadata.issues,
    }
}

/// What the run would spend, a line per model and per judge that is not scripted; empty when nothing is. Cases without a
/// prompt call no model, and no judge.
fn spending(suite: &ResolvedSuite, case_ids: &[String]) -> Vec<String> {
    let is_selected = |case: &&ResolvedCase| case_ids.is_empty() || case_ids.contains(&case.id.0);
    let mut by_model: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    let mut by_judge: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    for case in suite.enabled_cases().filter(is_selected) {
        let prompts =
            case.steps.iter().filter(|step| matches!(step, Step::Prompt { .. })).count() as u64;
        let trials = u64::from(case.iterations);
        if prompts == 0 {
            continue;
        }
        if let Some(judge) = paid_judge(suite, case) {
            let [cases, calls] = by_judge.entry(judge).or_default();
            *cases += 1;
            *calls += trials;
        }
        let Some(model) = paid_model(&case.model, case.provider.as_deref()) else { continue };
        let [cases, of_trials, steps] = by_model.entry(model).or_default();
        *cases += 1;
        *of_trials += trials;
        *steps += trials * prompts * MAX_STEPS;
    }
    let line = |(model, [cases, trials, steps]): (&String, &[u64; 3])| {
        format!("{trials} trial(s) of {cases} case(s) with {model}, at most {steps} model calls")
    };
    let judged = |(model, [cases, calls]): (&String, &[u64; 2])| {
        format!("{calls} trial(s) of {cases} case(s) judged by {model}, one model call each")
    };
    by_model.iter().map(line).chain(by_judge.iter().map(judged)).collect()
}

/// The model of the judge that the run asks about a case, unless it is scripted.
fn paid_judge(suite: &ResolvedSuite, case: &ResolvedCase) -> Option<String> {
    let judge = suite.effective_judge(case);
    let model = judge.model.filter(|_| judge.skip.is_none())?;
    paid_model(&model, None)
}

/// The model, unless it is scripted. A model that cannot be planned is named: the run says what is wrong.
fn paid_model(model: &str, provider: Option<&str>) -> Option<String> {
    match plan_model(model, provider, &Default::default()) {
        Ok(plan) if plan.provider == ModelProvider::Scripted => None,
        Ok(plan) => Some(plan.effective_model),
        Err(_) => Some(model.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use howfar_suite::parse_suite;

    use super::*;

    fn suite(model: &str) -> ResolvedSuite {
        judged_suite(model, "{}")
    }

    fn judged_suite(model: &str, judge: &str) -> ResolvedSuite {
        let text = format!(
            "schemaVersion: \"2\"\nmode: agentWorkflow\nreportingMode: standard\nsuite: {{ id: s, name: S }}\n\
             target: {{ servers: [ {{ name: a }} ] }}\n\
             defaults: {{ model: {model}, iterations: 3, passThreshold: 1, validity: {{}}, judge: {judge} }}\n\
             cases:\n  - id: c_one\n    title: One\n    steps: [ {{ id: p, kind: prompt, prompt: hello }} ]\n\
             \x20   assertions: [ {{ type: responseContains, needle: a }} ]\n\
             \x20 - id: c_two\n    title: Two\n    steps: [ {{ id: p, kind: prompt, prompt: a }}, {{ id: q, kind: prompt, prompt: b }} ]\n\
             \x20   assertions: [ {{ type: responseContains, needle: a }} ]\n"
        );
        resolve(parse_suite(&text).suite().expect("a valid suite"))
    }

    #[test]
    fn a_scripted_suite_spends_nothing() {
        assert_eq!(spending(&suite("scripted/s"), &[]), Vec::<String>::new());
    }

    #[test]
    fn a_paid_model_is_named_with_trials_and_calls() {
        let line = "6 trial(s) of 2 case(s) with openai/gpt-x, at most 90 model calls";
        assert_eq!(spending(&suite("openai/gpt-x"), &[]), [line]);
    }

    #[test]
    fn a_paid_judge_spends_too_and_only_when_it_is_asked() {
        let judge = "{ autoRun: true, model: openai/judge }";
        let line = "6 trial(s) of 2 case(s) judged by openai/judge, one model call each";
        assert_eq!(spending(&judged_suite("scripted/s", judge), &[]), [line]);
        let later = judged_suite("scripted/s", "{ model: openai/judge }");
        assert_eq!(spending(&later, &[]), Vec::<String>::new());
        let scripted = judged_suite("scripted/s", "{ autoRun: true, model: scripted/j }");
        assert_eq!(spending(&scripted, &[]), Vec::<String>::new());
    }

    #[test]
    fn only_selected_cases_spend() {
        let line = "3 trial(s) of 1 case(s) with openai/gpt-x, at most 30 model calls";
        assert_eq!(spending(&suite("openai/gpt-x"), &["c_one".to_owned()]), [line]);
    }
}
