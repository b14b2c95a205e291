//! The HTML report: one file that needs no network and no script, light and dark, readable when printed (look).
//!
//! [`render_html`] writes the page of one run in the order of every page: what was decided, how much was measured, where
//! the chain broke, the evidence, who should look next. The parts lie in [`component`] and take documents; [`STYLE`] is
//! the one stylesheet. Every text passes through one escaper, so that nothing that a server or a model wrote is markup.

pub mod anchor;
mod budget;
pub mod component;
mod escape;
#[expect(unreachable_pub, reason = "the filter macro writes a public function of its own")]
mod filters;
mod page;
mod section;
mod style;
mod trial;
pub mod units;

use std::fmt;

use howfar_wire::evidence::TrialEvidence;
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::StageState;

pub use escape::{Prose, Visible};
pub use style::{STYLE, content_security_policy};

/// What a page needs besides the report.
#[derive(Debug, Clone)]
pub struct HtmlOptions {
    /// The zone of wall clock times; a tooltip gives UTC.
    pub zone: jiff::tz::TimeZone,
}

/// Where the page finds what a report does not hold of a trial. It may be asked several times for the same trial.
pub trait TrialSource {
    /// The evidence of a trial; `number` counts from 1. `None` when none was kept.
    fn evidence(&mut self, case_id: &str, number: u32) -> Option<TrialEvidence<'_>>;
}

/// A source that kept nothing: chains, checks and calls are shown, messages and time lines are not.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoEvidence;

impl TrialSource for NoEvidence {
    fn evidence(&mut self, _case_id: &str, _number: u32) -> Option<TrialEvidence<'_>> {
        None
    }
}

/// Writes the page of a run.
///
/// The page stays below 600 KB, or below 600 bytes per trial in a run of more than 1,000 trials: trials that did the same
/// share one description, and where room is short, details of trials that passed are left out first, and the page says
/// so at their place.
///
/// # Errors
///
/// Only what `out` gives.
pub fn render_html(
    report: &RunReport,
    source: &mut dyn TrialSource,
    options: &HtmlOptions,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    page::write(report, source, options, out)
}

/// The mark of a stage state; its words always stand beside it.
pub const fn mark_of(state: &StageState) -> &'static str {
    crate::layout::mark(*state)
}

#[cfg(test)]
mod palette_tests;
#[cfg(test)]
mod tests;
