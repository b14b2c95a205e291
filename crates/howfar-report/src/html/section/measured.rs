//! How much was measured: trials gradeable of configured, exclusions by reason.

use askama::Template;
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::Vocabulary as _;

use crate::html::units;
use crate::story::measured::{missed_floors, trial_counts};
use crate::tally::Tally;

/// The section.
#[derive(Template)]
#[template(path = "section/measured.html")]
pub(in crate::html) struct Measured {
    /// Number and words, from configured to passed.
    tiles: [(String, &'static str); 4],
    counts: String,
    /// Why the run is partial; absent when it is complete.
    partial: Option<&'static str>,
    floors: Vec<String>,
    left_out: Vec<(&'static str, String)>,
}

impl Measured {
    pub(in crate::html) fn new(report: &RunReport) -> Self {
        let tally = Tally::of_run(report);
        let tile = |number, words| (units::grouped(number), words);
        Self {
            tiles: [
                tile(tally.configured, "trials configured"),
                tile(tally.executed, "trials executed"),
                tile(tally.gradeable, "trials gradeable"),
                tile(tally.passed, "gradeable trials passed"),
            ],
            counts: trial_counts(report),
            partial: (!report.metadata.complete).then(|| report.metadata.termination.label()),
            floors: missed_floors(report),
            left_out: left_out(report),
        }
    }
}

/// Cases of the file that the run did not select, by why.
fn left_out(report: &RunReport) -> Vec<(&'static str, String)> {
    let skipped = &report.metadata.selection.skipped;
    let list = |reason: &str| {
        let of_reason = skipped.iter().filter(|case| case.reason == reason);
        of_reason.map(|case| case.case_id.as_str()).collect::<Vec<_>>().join(", ")
    };
    let words = [("disabled", "disabled in the file"), ("notSelected", "not selected")];
    let lists = words.map(|(reason, words)| (words, list(reason)));
    lists.into_iter().filter(|(_, list)| !list.is_empty()).collect()
}
