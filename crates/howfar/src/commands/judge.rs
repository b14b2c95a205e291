//! `howfar judge RUN`: a judge over the stored evidence of a run. Evidence stays as it is; what the judge says, and what is
//! derived with it, lies beside the old.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use howfar_core::judge::judge_identity;
use howfar_runner::{AskedJudge, CaseJudge, JudgeBudget, Need, judge_trial};
use howfar_store::{OpenGrading, RunId, StoredRun};
use howfar_suite::plan::{ModelPlan, plan_model};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::judge::{GradedCase, Grading, JudgeRecord, JudgeSkipReason, Judgement};
use howfar_wire::report::RunReport;
use howfar_wire::scorecard::Role;
use howfar_wire::vocabulary::{ExitCode, ModelProvider, RefusalKind, RunState};
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::run::{
    ModelEnvironment, ModelShelf, PrepareError, ScriptSource, Telling, asked_judge, context_tokens,
    exit_of, interrupted, refusal_error, story,
};
use super::stored::{OpenStore, gone};
use crate::cli::{Format, JudgeArgs};
use crate::error::CommandError;
use crate::output;

/// The score that passes when neither the suite nor the command line says one.
const DEFAULT_THRESHOLD: f64 = 0.7;

/// Grades and prints the run as it is now. The exit code is that of the run with the new judgements.
pub(crate) fn run(args: &JudgeArgs) -> Result<ExitCode, CommandError> {
    let store = OpenStore::to_write(&args.store)?;
    let id = store.find(&args.run)?;
    let stored = store.ask(|store| store.run(&id))?.ok_or_else(|| gone(&id))?;
    check_ended(&stored)?;
    let environment = ModelEnvironment::read(args.base_url.as_deref());
    let judges = judges(args, &stored, &environment)?;
    let grading = Grading { cases: judges.iter().map(graded_case).collect() };
    let open = store.ask(|store| store.open_grading(&id, &grading, args.again))?;
    if open.finished {
        say(args, "this judge graded the run before; pass --again to grade it once more");
        drop(open);
        return tell(args, &store.report(&id)?);
    }
    let desk = Desk { store: &store, id: &id, secrets: environment.secrets().collect() };
    let open = desk.grade(args, &judges, open)?;
    let revision = open.revision();
    let derived = store.ask(|store| store.finish_grading(open))?.ok_or_else(|| gone(&id))?;
    say(args, &format!("grading {revision} of the run is stored; what was there before stays"));
    tell(args, &derived.report)
}

fn check_ended(run: &StoredRun) -> Result<(), CommandError> {
    let id = &run.record.run_id;
    match run.state {
        RunState::Ended => Ok(()),
        RunState::Running => {
            let message = format!("the run {id} still runs in another process");
            Err(CommandError::new(ExitCode::Setup, message))
        }
        RunState::CutOff => {
            let error = CommandError::usage(format!("the run {id} has no end yet"));
            Err(error.hint(format!("`howfar run --resume {id}` finishes it first")))
        }
    }
}

fn graded_case((case_id, judge): &(String, CaseJudge)) -> GradedCase {
    GradedCase { case_id: case_id.clone(), judge: judge.record.clone() }
}

/// The judge of each case that is graded, in file order.
fn judges(
    args: &JudgeArgs,
    run: &StoredRun,
    environment: &ModelEnvironment,
) -> Result<Vec<(String, CaseJudge)>, CommandError> {
    let unknown = args.cases.iter().find(|id| !run.record.cases.iter().any(|case| case.id == **id));
    if let Some(unknown) = unknown {
        return Err(CommandError::usage(format!("the run has no case {unknown:?}")));
    }
    let mut planned: Vec<(String, JudgeRecord, ModelPlan)> = Vec::new();
    for case in &run.record.cases {
        let known = case.judge.as_ref();
        let off = known.is_some_and(|it| it.skip_reason == Some(JudgeSkipReason::Disabled));
        let wanted = if args.cases.is_empty() { !off } else { args.cases.contains(&case.id) };
        if wanted {
            let (record, model) = planned_judge(args, known, environment)?;
            planned.push((case.id.clone(), record, model));
        }
    }
    if planned.is_empty() {
        return Err(CommandError::usage("the judge is switched off for every case of the run")
            .hint("name a case with --case to grade it all the same"));
    }
    let models: Vec<ModelPlan> = planned.iter().map(|(_, _, model)| model.clone()).collect();
    ModelEnvironment::check_keys(&models).map_err(|refusal| refusal_error(&refusal))?;
    let folder = Path::new(&run.origin).parent().map_or_else(|| PathBuf::from("."), Path::to_owned);
    let scripts = ScriptSource::of(args.judge.judge_script.as_deref(), &folder);
    let budget = Arc::new(JudgeBudget::new(args.judge.judge_calls));
    let mut shelf = ModelShelf::new(environment, &scripts);
    planned
        .into_iter()
        .map(|(case_id, mut record, plan)| {
            let model = shelf.model(&plan).map_err(|error| match error {
                PrepareError::Command(error) => error,
                PrepareError::Refused(refusal) => refusal_error(&refusal),
            })?;
            record.script_digest.clone_from(&model.script_digest);
            let asked = Some(asked_judge(&model, &plan, &args.judge, &budget));
            Ok((case_id, CaseJudge { record, asked }))
        })
        .collect()
}

/// How the run's suite says that the case is judged, with what the command line says in its place.
fn planned_judge(
    args: &JudgeArgs,
    known: Option<&JudgeRecord>,
    environment: &ModelEnvironment,
) -> Result<(JudgeRecord, ModelPlan), CommandError> {
    let model = args.model.clone().or_else(|| known.and_then(|judge| judge.model.clone()));
    let model = model.ok_or_else(|| {
        CommandError::usage("no model is named for the judge").hint(
            "pass --model provider/model, or write `defaults.judge.model` in the suite before its next run",
        )
    })?;
    let plan = plan_model(&model, None, &environment.settings)
        .map_err(|error| CommandError::usage(format!("judge: {error}")))?;
    if context_tokens(&plan, &args.judge).is_none() {
        let message =
            format!("nobody said how many tokens the judge's model {model} reads at once");
        return Err(CommandError::usage(message).hint("pass --judge-context-tokens N"));
    }
    let threshold = args.threshold.or(known.map(|judge| judge.threshold));
    let threshold = threshold.unwrap_or(DEFAULT_THRESHOLD);
    let record = JudgeRecord {
        skip_reason: None,
        role: args.role.map(Role::from).or(known.map(|it| it.role)).unwrap_or(Role::Advisory),
        threshold,
        model: Some(plan.effective_model.clone()),
        scripted: plan.provider == ModelProvider::Scripted,
        script_digest: None,
        rubric: known.and_then(|judge| judge.rubric.clone()),
        identity: judge_identity(threshold),
    };
    Ok((record, plan))
}

/// Where judgements are made and kept.
struct Desk<'a> {
    store: &'a OpenStore,
    id: &'a RunId,
    /// Values that must not leave the command.
    secrets: Vec<String>,
}

impl Desk<'_> {
    /// Judges every trial that has no judgement in this grading yet, one after another. Each judgement is durable before
    /// the next trial is looked at, so that a grading that ends early goes on where it was.
    fn grade(
        &self,
        args: &JudgeArgs,
        judges: &[(String, CaseJudge)],
        mut open: OpenGrading,
    ) -> Result<OpenGrading, CommandError> {
        let runtime = runtime()?;
        let cancel = CancellationToken::new();
        let interrupt = cancel.clone();
        let watcher = runtime.spawn(async move {
            interrupted().await;
            interrupt.cancel();
        });
        let waiting = self.waiting(judges, &open)?;
        let mut graded = open.done.len();
        let all = graded + waiting.len();
        for (case_id, number) in waiting {
            let evidence =
                self.store.ask(|store| store.trial_evidence(self.id, &case_id, number))?;
            let Some(evidence) = evidence else { continue };
            let judge = judges.iter().find(|(id, _)| *id == case_id).map(|(_, judge)| judge);
            let Some(judge) = judge else { continue };
            let judgement = match judge.need(&evidence) {
                Need::Nothing => continue,
                Need::Said(judgement) => *judgement,
                Need::Ask(asked) => {
                    let asking = self.asked(judge, asked, &evidence, &cancel);
                    runtime.block_on(asking).map_err(|error| error.hint(go_on(self.id)))?
                }
            };
            self.store.ask(|store| store.add_judgement(&mut open, &judgement))?;
            graded += 1;
            let said = judgement.score.map_or("no score".to_owned(), |score| score.to_string());
            say(args, &format!("{graded} of {all} trials: {case_id} trial {number}: {said}"));
        }
        watcher.abort();
        Ok(open)
    }

    /// The trials that this grading has no judgement of, in the order of the report.
    fn waiting(
        &self,
        judges: &[(String, CaseJudge)],
        open: &OpenGrading,
    ) -> Result<Vec<(String, u32)>, CommandError> {
        let all = howfar_store::TrialQuery::default();
        let trials = self.store.ask(|store| store.trials(self.id, &all))?;
        let trials = trials.into_iter().map(|trial| (trial.case_id, trial.iteration));
        Ok(trials
            .filter(|trial| judges.iter().any(|(case_id, _)| *case_id == trial.0))
            .filter(|trial| !open.done.contains(trial))
            .collect())
    }

    /// Asks about one trial. A refusal for good ends the command: no later question could fare better.
    async fn asked(
        &self,
        judge: &CaseJudge,
        asked: &AskedJudge,
        evidence: &TrialEvidence<'_>,
        cancel: &CancellationToken,
    ) -> Result<Judgement, CommandError> {
        let answer = judge_trial(&judge.record, asked, evidence, &self.secrets, cancel).await;
        let Some(answer) = answer else {
            return Err(CommandError::new(ExitCode::Incomplete, "interrupted"));
        };
        let refused = match answer.refusal {
            Some(RefusalKind::Credentials) => ExitCode::Credentials,
            Some(RefusalKind::Billing) => ExitCode::Setup,
            Some(RefusalKind::RateLimited | RefusalKind::Unavailable) | None => {
                return Ok(answer.judgement);
            }
        };
        let error = answer.judgement.error.map(|error| error.message).unwrap_or_default();
        let message = format!("the judge's provider refused: {}", howfar_report::sanitize(&error));
        Err(CommandError::new(refused, message))
    }
}

fn go_on(id: &RunId) -> String {
    format!("what was graded is stored; the same `howfar judge {id}` goes on from there")
}

fn runtime() -> Result<Runtime, CommandError> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.map_err(|error| {
        CommandError::new(ExitCode::Setup, format!("cannot start the runtime: {error}"))
    })
}

fn say(args: &JudgeArgs, text: &str) {
    if !args.quiet {
        output::say(text);
    }
}

fn tell(args: &JudgeArgs, report: &RunReport) -> Result<ExitCode, CommandError> {
    let exit = exit_of(report);
    match Format::or_by_stdout(args.format) {
        Format::Json => output::json(report)?,
        Format::Human => {
            let more = format!("howfar show {} --verbose", report.metadata.run_id);
            let terminal = output::stdout_is_terminal();
            let telling = Telling { terminal, verbose: false, more: Some(&more) };
            output::text(&story(report, exit, &telling))?;
        }
    }
    Ok(exit)
}
