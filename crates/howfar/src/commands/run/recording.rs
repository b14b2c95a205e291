//! The store as an observer of a run: every finished trial is durable before anything is told about it.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use howfar_runner::{RunEvent, RunRequest, milliseconds};
use howfar_store::{Recorder, StoreError};
use howfar_wire::chain::JudgeStatus;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::record::RunRecord;
use howfar_wire::report::{Issue, RunReport};
use howfar_wire::vocabulary::{IssueCode, RefusalCategory, RefusalPhase};

use crate::cli::RunArgs;
use crate::commands::stored::store_path;
use crate::error::CommandError;
use crate::output;

/// What is recorded of this run. A store that breaks costs the run its place in the store, never its report.
pub(super) struct Recording {
    state: State,
    /// Where the suite file lies.
    origin: PathBuf,
    resumes: bool,
    /// How long the earlier parts of the run took.
    earlier_ms: f64,
    began: Instant,
    /// The trials that are stored and whose judge is asked now.
    owed: HashSet<(String, u32)>,
    /// The run, from its first event.
    record: Option<RunRecord>,
}

/// Whether the store takes what happens.
enum State {
    /// Nobody asked for it.
    Off,
    /// It does.
    On(Recorder),
    /// It did not. The person was told; the report will say it too.
    Broken(String),
}

impl Recording {
    /// Opens the store, unless nothing is to be kept.
    pub(super) fn new(args: &RunArgs, request: &RunRequest) -> Result<Self, CommandError> {
        let state = if args.no_store { State::Off } else { open(&store_path(&args.store)?) };
        let file = args.file.as_deref().unwrap_or(Path::new(""));
        Ok(Self {
            state,
            origin: std::path::absolute(file).unwrap_or_else(|_| file.to_owned()),
            resumes: args.resume.is_some(),
            earlier_ms: request.resumed.elapsed_ms,
            began: Instant::now(),
            owed: request.resumed.owed.iter().map(place).collect(),
            record: None,
        })
    }

    /// Records an event. It returns when the event's fact is durable.
    pub(super) fn event(&mut self, event: &RunEvent<'_>) {
        if let RunEvent::RunStarted { record } = event {
            self.record = Some((*record).clone());
        }
        let State::On(recorder) = &self.state else { return };
        if let Err(error) = self.write(recorder, event) {
            self.state = broken(&error);
        }
        if let RunEvent::TrialRecorded { evidence, .. } = event {
            self.owed.insert(place(evidence));
        }
    }

    fn write(&self, recorder: &Recorder, event: &RunEvent<'_>) -> Result<(), StoreError> {
        match (event, &self.record) {
            (RunEvent::SetupFinished { setup }, Some(record)) if self.resumes => {
                recorder.go_on(record, setup)
            }
            (RunEvent::SetupFinished { setup }, Some(record)) => {
                recorder.begin(record, setup, &self.origin.to_string_lossy())
            }
            (RunEvent::Issue(issue), _) => recorder.issue(issue),
            (RunEvent::TrialRecorded { evidence, row }, _) => {
                recorder.trial(evidence, row, self.elapsed_ms())
            }
            (RunEvent::TrialFinished { evidence, row }, _) => match &evidence.judge {
                Some(judgement) if self.owed.contains(&place(evidence)) => {
                    match judgement.status {
                        // It is still owed, and stored as such.
                        JudgeStatus::Pending => Ok(()),
                        JudgeStatus::Scored
                        | JudgeStatus::Error
                        | JudgeStatus::Skipped
                        | JudgeStatus::NotApplicable => {
                            recorder.judgement(judgement, row, self.elapsed_ms())
                        }
                    }
                }
                Some(_) | None => recorder.trial(evidence, row, self.elapsed_ms()),
            },
            // The beginning of a case is in its trials; other events carry nothing that has to last.
            _ => Ok(()),
        }
    }

    /// Wall time of all parts of the run so far.
    fn elapsed_ms(&self) -> f64 {
        self.earlier_ms + milliseconds(self.began.elapsed())
    }

    /// Records the report. Gives the issue that the report has to carry when the run is not stored as it should be.
    pub(super) fn finish(self, report: &RunReport) -> Option<Issue> {
        let message = match self.state {
            State::Off => return None,
            State::Broken(message) => message,
            State::On(recorder) => match recorder.finish(report) {
                Ok(()) => return None,
                Err(error) => tell(&error),
            },
        };
        Some(Issue {
            code: IssueCode::ObserverFailed,
            phase: RefusalPhase::Reporting,
            category: RefusalCategory::Internal,
            message,
            case_id: None,
            iteration_number: None,
            server: None,
        })
    }
}

fn place(evidence: &TrialEvidence<'_>) -> (String, u32) {
    (evidence.case_id.clone(), evidence.iteration_number)
}

fn open(path: &Path) -> State {
    match Recorder::open(path) {
        Ok(recorder) => State::On(recorder),
        Err(error) => broken(&error),
    }
}

fn broken(error: &StoreError) -> State {
    State::Broken(tell(error))
}

/// Tells the person at once, and gives the message for the report.
fn tell(error: &StoreError) -> String {
    let message = format!("the run is not stored: {error}");
    let hint = "its report is complete all the same; --store PATH names another store, --no-store keeps nothing";
    output::say(&format!("error: {message}\n  hint: {hint}"));
    message
}
