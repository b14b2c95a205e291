//! One trial: the steps of a case, run in order against the servers and the model.
//!
//! An executor owns the trial's state; it never decides anything. Whatever ends it (its last step, its clock, the user,
//! a broken provider), the recording is complete up to that moment.

mod call;
mod prompt;
mod recording;

use std::pin::pin;
use std::time::Instant;

use howfar_wire::predicate::PredicateRow;
use howfar_wire::vocabulary::IterationStatus;
use tokio_util::sync::CancellationToken;

use crate::case::{CaseStep, PlannedCase};
use crate::environment::Environment;
use crate::options::{ABORT_GRACE, RunOptions};

pub(crate) use recording::{
    Breakdown, CallOutcome, CallRecord, NotSent, Recording, Turn, TurnKind,
};

/// What a trial needs and does not change.
#[derive(Clone, Copy)]
pub(crate) struct TrialContext<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) case: &'a PlannedCase,
    pub(crate) options: &'a RunOptions,
    /// From 1.
    pub(crate) number: u32,
}

/// The row of a check that stands at a step.
#[derive(Debug, Clone)]
pub(crate) struct StepRow {
    /// The index of the check in [`PlannedCase::checks`].
    pub(crate) check: usize,
    pub(crate) row: PredicateRow,
}

/// A trial that ended, ungraded.
pub(crate) struct EndedTrial {
    pub(crate) status: IterationStatus,
    pub(crate) recording: Recording,
    pub(crate) breakdown: Option<Breakdown>,
}

/// Runs one trial to its end, its clock, or the user's interrupt.
pub(crate) async fn run_trial(context: TrialContext<'_>, cancel: &CancellationToken) -> EndedTrial {
    let mut recording = context.environment.new_recording(Instant::now());
    let token = cancel.child_token();
    let (status, breakdown) = {
        let mut executor = Executor { context, recording: &mut recording, cancel: &token };
        let mut execution = pin!(executor.execute());
        let ended = tokio::select! {
            biased;
            ended = &mut execution => Some(ended),
            () = cancel.cancelled() => None,
            () = tokio::time::sleep(context.options.iteration_timeout) => None,
        };
        match ended {
            Some(Ok(())) => (IterationStatus::Completed, None),
            // A call that ends because the user interrupted is not the provider's doing.
            Some(Err(_)) if cancel.is_cancelled() => (IterationStatus::Cancelled, None),
            Some(Err(breakdown)) => (IterationStatus::Failed, Some(breakdown)),
            None => {
                token.cancel();
                let _ = tokio::time::timeout(ABORT_GRACE, &mut execution).await;
                if cancel.is_cancelled() {
                    (IterationStatus::Cancelled, None)
                } else {
                    let limit = context.options.iteration_timeout;
                    (IterationStatus::TimedOut, Some(Breakdown::Clock { limit }))
                }
            }
        }
    };
    EndedTrial { status, recording, breakdown }
}

struct Executor<'a> {
    context: TrialContext<'a>,
    recording: &'a mut Recording,
    cancel: &'a CancellationToken,
}

impl Executor<'_> {
    async fn execute(&mut self) -> Result<(), Breakdown> {
        let case = self.context.case;
        self.context
            .environment
            .revive(self.cancel)
            .await
            .map_err(|message| Breakdown::Server { message })?;
        for step in &case.steps {
            match step {
                CaseStep::Prompt(text) => self.prompt(text).await?,
                CaseStep::ToolCall(call) => self.pinned_call(call).await,
                CaseStep::Check(check) => self.check(*check),
            }
        }
        Ok(())
    }

    /// Evaluates a check against the transcript up to here. It never stops the trial.
    fn check(&mut self, check: usize) {
        let environment = self.context.environment;
        let row = self.context.case.checks[check].evaluate(&self.recording.transcript, environment);
        self.recording.step_rows.push(StepRow { check, row });
    }
}
