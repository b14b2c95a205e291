//! A run: setup, every case in file order, a bounded number of trials of one case at once, cleanup, report.
//!
//! The dispatcher here talks to the world and orders all events; an executor ([`crate::trial`]) owns one trial's state.

mod judging;

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Instant;

use futures::{FutureExt as _, StreamExt as _};
use howfar_core::judge::judged;
use howfar_core::run::report::{DerivedTrial, Ending, RecordedRun, derive_trial, run_report};
use howfar_mcp::BoundServer;
use howfar_suite::plan::{CasePlan, missing_import_tools, refusal};
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::finding::{Problem, Refusal};
use howfar_wire::record::{RunEnd, SetupRecord};
use howfar_wire::report::{Issue, RunReport, Selection, SuiteIdentity};
use howfar_wire::suite::ToolPolicy;
use howfar_wire::verdict::VerdictPolicy;
use howfar_wire::vocabulary::{
    IssueCode, IterationStatus, RefusalCategory, RefusalCode, RefusalKind, RefusalPhase,
    Termination,
};
use tokio_util::sync::CancellationToken;

use crate::case::PlannedCase;
use crate::clock::milliseconds;
use crate::environment::{Environment, SetupRequest, set_up};
use crate::event::RunEvent;
use crate::grade::{GradeContext, grade, not_begun};
use crate::judge::Need;
use crate::options::RunOptions;
use crate::record::setup_record;
use crate::redact::Redactor;
use crate::trial::{TrialContext, run_trial};
use judging::{Running, Step};

/// Which run of which suite. Ids and times are given: nothing here reads a clock for a document.
#[derive(Debug, Clone)]
pub struct RunIdentity {
    /// The run's id.
    pub run_id: String,
    /// The suite's declared id.
    pub suite_id: String,
    /// When the run began: UTC, RFC 3339.
    pub started_at: String,
    /// The same in milliseconds since 1970.
    pub started_at_ms: u64,
}

/// Everything a run needs, checked: nothing in it can still be wrong about the suite file.
pub struct RunRequest {
    /// Which run of which suite.
    pub identity: RunIdentity,
    /// The suite file.
    pub suite: SuiteIdentity,
    /// The file's `reportingMode`.
    pub reporting_mode: String,
    /// Hosts that the file declares.
    pub declared_hosts: Vec<String>,
    /// The environment that the file declares.
    pub declared_environment: Option<String>,
    /// The selected and skipped cases.
    pub selection: Selection,
    /// The selected cases, in file order.
    pub cases: Vec<PlannedCase>,
    /// The plans of imported cases: the tools that they expect must exist exactly.
    pub imported: Vec<CasePlan>,
    /// The servers, in file order.
    pub bindings: Vec<BoundServer>,
    /// The tool policy; `None` restrains nothing.
    pub tool_policy: Option<ToolPolicy>,
    /// What makes the run valid.
    pub validity: VerdictPolicy,
    /// Options.
    pub options: RunOptions,
    /// Values that must not leave the run.
    pub secrets: Vec<String>,
    /// Variables that no server inherits: the model keys.
    pub withheld_env: Vec<String>,
    /// Advice about the suite file.
    pub warnings: Vec<String>,
    /// What an earlier part of the same run left; the default for a run that begins.
    pub resumed: Resumed,
}

/// What an earlier part of a run left, which was cut off, interrupted or stopped.
#[derive(Default)]
pub struct Resumed {
    /// The trials that finished. They are reported again and not run again.
    pub trials: Vec<DerivedTrial>,
    /// Trials that ended and whose judgement is still owed. They are judged and not run again.
    pub owed: Vec<TrialEvidence<'static>>,
    /// How long the earlier parts took, in milliseconds.
    pub elapsed_ms: f64,
    /// Digest of the tools as the model saw them; `None` when nothing has to match.
    pub catalog_digest: Option<String>,
}

/// Runs every selected case and assembles the report. Cancelling `cancel` ends the run early; the report then says so.
///
/// # Errors
///
/// A refusal during setup: nothing was executed.
pub async fn run(
    request: RunRequest,
    cancel: &CancellationToken,
    observe: &mut (dyn FnMut(RunEvent<'_>) + Send),
) -> Result<RunReport, Refusal> {
    let began = Instant::now();
    let redactor = Redactor::new(request.secrets.iter().cloned());
    let record = request.record();
    observe(RunEvent::RunStarted { record: &record });
    let environment = Arc::new(prepare(&request, &redactor, cancel).await?);
    let setup = setup_record(&environment);
    if let Err(refusal) = same_catalog(&request.resumed, &setup) {
        environment.shut_down().await;
        return Err(refusal);
    }
    observe(RunEvent::SetupFinished { setup: &setup });
    environment.issues.iter().for_each(|issue| observe(RunEvent::Issue(issue)));
    let mut dispatcher = Dispatcher {
        environment: Arc::clone(&environment),
        request: &request,
        redactor: &redactor,
        cancel,
        issues: environment.issues.clone(),
        stopped_by: None,
        judging_stopped: false,
        trials: request.resumed.trials.clone(),
        observe,
    };
    for case in &request.cases {
        dispatcher.run_case(case).await;
    }
    for issue in clean_up(&environment).await {
        dispatcher.issue(issue);
    }
    let Dispatcher { issues, stopped_by, trials, .. } = dispatcher;
    let termination = termination(stopped_by, &trials);
    let duration_ms = request.resumed.elapsed_ms + milliseconds(began.elapsed());
    let ending = Ending::Ended(RunEnd { termination, duration_ms });
    Ok(run_report(RecordedRun { record: &record, setup: Some(&setup), issues, trials, ending }))
}

/// Sets up the servers and checks what imported cases expect of them.
async fn prepare(
    request: &RunRequest,
    redactor: &Redactor,
    cancel: &CancellationToken,
) -> Result<Environment, Refusal> {
    let setup = SetupRequest {
        bindings: &request.bindings,
        options: &request.options,
        policy: request.tool_policy.as_ref(),
        redactor,
        withheld_env: &request.withheld_env,
    };
    let environment = set_up(setup, cancel).await?;
    if environment.ready {
        let imported: Vec<&CasePlan> = request.imported.iter().collect();
        let names = environment.tool_specs().iter().map(|tool| tool.name.as_str()).collect();
        if let Err(refusal) = missing_import_tools(&imported, &names) {
            environment.shut_down().await;
            return Err(refusal);
        }
    }
    Ok(environment)
}

/// How a run ended. An interrupt that came when every trial had ended, while the servers were, took nothing from it.
fn termination(stopped_by: Option<RefusalKind>, trials: &[DerivedTrial]) -> Termination {
    let withdrawn = |trial: &DerivedTrial| trial.row.status == IterationStatus::Cancelled;
    match stopped_by {
        Some(_) => Termination::Stopped,
        None if trials.iter().any(withdrawn) => Termination::Aborted,
        None => Termination::Completed,
    }
}

/// One run measures one catalog: trials over another one would be another run.
fn same_catalog(resumed: &Resumed, setup: &SetupRecord<'_>) -> Result<(), Refusal> {
    match (&resumed.catalog_digest, &setup.catalog_digest) {
        (Some(before), Some(now)) if before != now => {
            let message = "the servers advertise other tools than when the run began; a resumed run \
                           would mix trials of two catalogs, so begin a new run";
            let problem = Problem { message: message.to_owned(), ..Problem::default() };
            Err(refusal(RefusalCode::SetupFailed, RefusalPhase::Setup, vec![problem]))
        }
        (Some(_) | None, Some(_) | None) => Ok(()),
    }
}

struct Dispatcher<'a> {
    environment: Arc<Environment>,
    request: &'a RunRequest,
    redactor: &'a Redactor,
    cancel: &'a CancellationToken,
    issues: Vec<Issue>,
    stopped_by: Option<RefusalKind>,
    /// A judge's provider refused for good: no judge is asked any more.
    judging_stopped: bool,
    trials: Vec<DerivedTrial>,
    observe: &'a mut (dyn FnMut(RunEvent<'_>) + Send),
}

impl<'a> Dispatcher<'a> {
    async fn run_case(&mut self, case: &'a PlannedCase) {
        let owed: Vec<TrialEvidence<'static>> = self.owed(case).cloned().collect();
        let finished = self.trials.iter().filter(|trial| trial.case_id == case.id);
        let finished = finished.map(|trial| trial.row.iteration_number);
        let finished: HashSet<u32> =
            finished.chain(owed.iter().map(|evidence| evidence.iteration_number)).collect();
        let waiting: VecDeque<u32> =
            (1..=case.iterations).filter(|number| !finished.contains(number)).collect();
        let Ok(trials) = u32::try_from(waiting.len()) else { return };
        if trials == 0 && owed.is_empty() {
            return;
        }
        (self.observe)(RunEvent::CaseStarted { case_id: &case.id, title: &case.title, trials });
        let gap = self.environment.gap(case);
        if !self.environment.ready || gap.is_some() {
            let status = IterationStatus::SetupFailed;
            owed.into_iter().for_each(|evidence| self.keep(&evidence));
            for number in waiting {
                self.leave(case, number, status, gap.as_deref());
            }
        } else {
            self.run_trials(case, waiting, owed).await;
        }
    }

    /// What an earlier part of the run left without its judgement.
    fn owed(&self, case: &PlannedCase) -> impl Iterator<Item = &'a TrialEvidence<'static>> {
        let id = case.id.clone();
        self.request.resumed.owed.iter().filter(move |evidence| evidence.case_id == id)
    }

    /// Runs the trials of a case, `concurrency` at once. A trial that a stop overtakes is recorded as not begun.
    async fn run_trials(
        &mut self,
        case: &'a PlannedCase,
        mut waiting: VecDeque<u32>,
        owed: Vec<TrialEvidence<'static>>,
    ) {
        self.run_batch(case, &mut waiting, owed).await;
        while !waiting.is_empty() {
            if let Some(status) = self.stop_status() {
                for number in waiting {
                    self.leave(case, number, status, None);
                }
                return;
            }
            self.run_batch(case, &mut waiting, Vec::new()).await;
        }
    }

    /// Keeps `concurrency` trials in flight until none waits or the run stops. A trial whose judge is asked is in flight
    /// until it answered.
    async fn run_batch(
        &mut self,
        case: &'a PlannedCase,
        waiting: &mut VecDeque<u32>,
        owed: Vec<TrialEvidence<'static>>,
    ) {
        let environment = Arc::clone(&self.environment);
        let options = &self.request.options;
        let cancel = self.cancel;
        let launch = |number: u32| {
            let environment = Arc::clone(&environment);
            async move {
                let context = TrialContext { environment: &environment, case, options, number };
                Step::Ended(number, Box::new(run_trial(context, cancel).await))
            }
            .boxed()
        };
        let mut running = Running::new();
        for evidence in owed {
            self.ask_again(case, evidence, &mut running);
        }
        loop {
            while running.len() < options.concurrency as usize && self.stop_status().is_none() {
                let Some(number) = waiting.pop_front() else { break };
                running.push(launch(number));
            }
            let Some(step) = running.next().await else { break };
            match step {
                Step::Ended(number, ended) => {
                    let evidence = grade(self.grade_context(case, number), *ended);
                    self.note_refusal(case, &evidence);
                    self.judge(case, evidence, &mut running);
                }
                Step::Judged(evidence, answer) => {
                    self.judged(case, *evidence, answer.map(|answer| *answer))
                }
            }
        }
    }

    /// Why no further trial begins, as the status of the trials that do not.
    fn stop_status(&self) -> Option<IterationStatus> {
        if self.stopped_by.is_some() {
            Some(IterationStatus::Skipped)
        } else if self.cancel.is_cancelled() {
            Some(IterationStatus::Cancelled)
        } else {
            None
        }
    }

    /// Records a trial that does not begin.
    fn leave(
        &mut self,
        case: &PlannedCase,
        number: u32,
        status: IterationStatus,
        gap: Option<&str>,
    ) {
        let evidence = not_begun(self.grade_context(case, number), status, gap);
        match case.judge.as_ref().map(|judge| judge.need(&evidence)) {
            Some(Need::Said(judgement)) => self.finish(&judged(evidence, *judgement)),
            Some(Need::Nothing | Need::Ask(_)) | None => self.finish(&evidence),
        }
    }

    /// Reports a trial that is recorded already.
    fn keep(&mut self, evidence: &TrialEvidence<'static>) {
        self.trials.push(derive_trial(evidence));
    }

    fn finish(&mut self, evidence: &TrialEvidence<'static>) {
        let trial = derive_trial(evidence);
        (self.observe)(RunEvent::TrialFinished { evidence, row: &trial.row });
        self.trials.push(trial);
    }

    fn issue(&mut self, issue: Issue) {
        (self.observe)(RunEvent::Issue(&issue));
        self.issues.push(issue);
    }

    /// A rejected key or an empty account stops the run: no later call could fare better.
    fn note_refusal(&mut self, case: &PlannedCase, evidence: &TrialEvidence<'_>) {
        let Some(kind) = evidence.refusal.filter(|kind| kind.stops_run()) else { return };
        if self.stopped_by.is_some() {
            return;
        }
        self.stopped_by = Some(kind);
        let (code, category) = refused(kind);
        let error = evidence.iteration.error.as_deref().unwrap_or("the provider refused the call");
        let issue = Issue {
            code,
            phase: RefusalPhase::Execution,
            category,
            message: format!("the run stopped: {error}"),
            case_id: Some(case.id.clone()),
            iteration_number: Some(evidence.iteration_number),
            server: None,
        };
        self.issue(issue);
    }

    fn grade_context<'b>(&'b self, case: &'b PlannedCase, number: u32) -> GradeContext<'b> {
        GradeContext {
            identity: &self.request.identity,
            validity: self.request.validity,
            environment: &self.environment,
            case,
            redactor: self.redactor,
            number,
        }
    }
}

/// The issue that a refusal for good is.
const fn refused(kind: RefusalKind) -> (IssueCode, RefusalCategory) {
    match kind {
        RefusalKind::Billing => (IssueCode::BillingRefused, RefusalCategory::Billing),
        RefusalKind::Credentials | RefusalKind::RateLimited | RefusalKind::Unavailable => {
            (IssueCode::CredentialsRejected, RefusalCategory::Credentials)
        }
    }
}

/// Ends the servers. A server that does not stop is an issue, never a changed verdict.
async fn clean_up(environment: &Environment) -> Vec<Issue> {
    let failures = environment.shut_down().await;
    let issue = |(server, error): (String, String)| Issue {
        code: IssueCode::CleanupFailed,
        phase: RefusalPhase::Execution,
        category: RefusalCategory::Internal,
        message: format!("server {server:?} {error}"),
        case_id: None,
        iteration_number: None,
        server: Some(server),
    };
    failures.into_iter().map(issue).collect()
}
