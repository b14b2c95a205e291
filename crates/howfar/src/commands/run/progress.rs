//! Progress on stderr: a bar when a person watches, nothing otherwise.

use std::time::Duration;

use howfar_runner::RunEvent;
use howfar_wire::vocabulary::{IterationStatus, TaskVerdict};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::{Deserialize, Serialize};

use super::talk;
use crate::output;

/// How far a supervised run is: a line of JSON on stderr per finished trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct TrialCount {
    /// Trials that finished.
    pub(crate) finished_trials: u64,
    /// Trials that will run.
    pub(crate) configured_trials: u64,
}

/// The progress of a run.
pub(super) struct Progress {
    bar: ProgressBar,
    quiet: bool,
    supervised: bool,
    /// The case that began last.
    title: String,
    passed: u64,
    failed: u64,
    unmeasured: u64,
}

impl Progress {
    pub(super) fn new(trials: u64, quiet: bool, supervised: bool) -> Self {
        let visible = output::stderr_is_terminal() && !quiet && !output::is_dumb();
        let target =
            if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(trials), target);
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} trials  {msg}  {elapsed}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(if output::is_unicode() { style } else { style.progress_chars("#>-") });
        if visible {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        let title = String::new();
        Self { bar, quiet, supervised, title, passed: 0, failed: 0, unmeasured: 0 }
    }

    pub(super) fn event(&mut self, event: &RunEvent<'_>) {
        match event {
            RunEvent::RunStarted { record } => {
                self.bar.set_message(format!("connecting {}", record.servers.join(", ")));
            }
            RunEvent::CaseStarted { title, .. } => {
                self.title = howfar_report::sanitize(title).into_owned();
                self.bar.set_message(self.counts());
            }
            RunEvent::TrialFinished { row, .. } => {
                match (row.status, row.task_verdict) {
                    (IterationStatus::Completed, Some(TaskVerdict::Passed)) => self.passed += 1,
                    (IterationStatus::Completed, Some(TaskVerdict::Failed)) => self.failed += 1,
                    (_, _) => self.unmeasured += 1,
                }
                self.bar.set_message(self.counts());
                self.bar.inc(1);
                if self.supervised {
                    self.count();
                }
            }
            // An issue is in the report; here it would only be said twice.
            RunEvent::Issue(_) | RunEvent::SetupFinished { .. } => {}
            // The list of events grows; a bar need not show each.
            _ => {}
        }
    }

    pub(super) fn finish(self) {
        self.bar.finish_and_clear();
        if self.unmeasured > 0 && !output::stderr_is_terminal() {
            let told = match self.unmeasured {
                1 => "1 trial was not measured; the report says why".to_owned(),
                count => format!("{count} trials were not measured; the report says why"),
            };
            talk(self.quiet, &told);
        }
    }

    fn count(&self) {
        let count = TrialCount {
            finished_trials: self.bar.position(),
            configured_trials: self.bar.length().unwrap_or_default(),
        };
        output::say(&serde_json::to_string(&count).expect("two numbers are JSON"));
    }

    fn counts(&self) -> String {
        let dot = if output::is_unicode() { "·" } else { "|" };
        format!(
            "{} passed, {} failed, {} not measured {dot} {}",
            self.passed, self.failed, self.unmeasured, self.title
        )
    }
}
