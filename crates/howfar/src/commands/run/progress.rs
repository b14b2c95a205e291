//! Progress on stderr: a bar when a person watches, nothing otherwise.

use std::time::Duration;

use howfar_runner::RunEvent;
use howfar_wire::vocabulary::{IterationStatus, TaskVerdict};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::talk;
use crate::output;

/// The progress of a run.
pub(super) struct Progress {
    bar: ProgressBar,
    quiet: bool,
    passed: u64,
    failed: u64,
    unmeasured: u64,
}

impl Progress {
    pub(super) fn new(trials: u64, quiet: bool) -> Self {
        let visible = output::stderr_is_terminal() && !quiet;
        let target =
            if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(trials), target);
        let style = ProgressStyle::with_template("{bar:24} {pos}/{len} trials  {msg}  {elapsed}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        if visible {
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self { bar, quiet, passed: 0, failed: 0, unmeasured: 0 }
    }

    pub(super) fn event(&mut self, event: &RunEvent<'_>) {
        match event {
            RunEvent::RunStarted { record } => {
                self.bar.set_message(format!("connecting {}", record.servers.join(", ")));
            }
            RunEvent::CaseStarted { title, .. } => self.bar.set_message(self.counts(title)),
            RunEvent::TrialFinished { row, .. } => {
                match (row.status, row.task_verdict) {
                    (IterationStatus::Completed, Some(TaskVerdict::Passed)) => self.passed += 1,
                    (IterationStatus::Completed, Some(TaskVerdict::Failed)) => self.failed += 1,
                    (_, _) => self.unmeasured += 1,
                }
                self.bar.inc(1);
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
            talk(
                self.quiet,
                &format!("{} trial(s) were not measured; the report says why", self.unmeasured),
            );
        }
    }

    fn counts(&self, title: &str) -> String {
        let title = howfar_report::sanitize(title);
        format!(
            "{} passed, {} failed, {} not measured · {title}",
            self.passed, self.failed, self.unmeasured
        )
    }
}
