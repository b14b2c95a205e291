//! A row of the case matrix.

use howfar_report::html::component::{CaseVerdictMark, StageCells};
use howfar_report::words::{count, percent};
use howfar_wire::api::CaseRow;

use crate::web::pages::link;
use crate::web::pages::part::called;

/// One case: a cell per link.
pub(super) struct Row {
    pub(super) href: String,
    pub(super) id: String,
    pub(super) title: String,
    pub(super) model: Option<String>,
    /// Absent as long as nothing is decided.
    pub(super) verdict: Option<CaseVerdictMark>,
    pub(super) cells: StageCells,
    pub(super) graded: String,
    pub(super) threshold: String,
}

impl Row {
    pub(super) fn new(run_id: &str, case: &CaseRow) -> Self {
        Self {
            href: link::case(run_id, &case.case_id),
            id: case.case_id.clone(),
            title: called(&case.title, &case.case_id).to_owned(),
            model: case.model.clone(),
            verdict: case.verdict.map(|verdict| CaseVerdictMark { verdict }),
            cells: StageCells::new(
                case.chain.links.iter().map(|link| (link.stage, link.states.iter().collect())),
            ),
            graded: graded(case),
            threshold: format!("needs {}", percent(case.pass_threshold)),
        }
    }
}

/// "4 of 5 gradeable trials passed". Nothing gradeable is no zero.
pub(in crate::web::pages) fn graded(case: &CaseRow) -> String {
    match case.trials.passed + case.trials.failed {
        0 => "no gradeable trial".to_owned(),
        gradeable => {
            format!("{} of {} passed", case.trials.passed, count(gradeable, "gradeable trial"))
        }
    }
}
