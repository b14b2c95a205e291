//! The case matrix: a row per case, a column per link, in each cell what became of the case's trials there.

use askama::Template;
use howfar_wire::report::{CaseReport, RunReport};
use howfar_wire::vocabulary::{CaseState, Stage, StageState, Vocabulary as _};

use crate::html;
use crate::html::component::{CaseVerdictMark, StageCells};
use crate::html::{anchor, units};
use crate::tally::{Tally, configuration};
use crate::text::percent;

/// The matrix.
#[derive(Template)]
#[template(path = "section/matrix.html")]
pub(super) struct Matrix<'a> {
    rows: Vec<Row<'a>>,
    /// Whether cases ran under different models.
    several_models: bool,
}

struct Row<'a> {
    anchor: String,
    id: &'a str,
    title: &'a str,
    verdict: CaseVerdictMark,
    measured: String,
    threshold: String,
    cells: StageCells,
    model: &'a str,
    mean: String,
}

impl<'a> Matrix<'a> {
    pub(super) fn new(report: &'a RunReport) -> Self {
        let rows: Vec<_> = report.cases.iter().map(|case| Row::new(report, case)).collect();
        Self { several_models: rows.windows(2).any(|pair| pair[0].model != pair[1].model), rows }
    }
}

impl<'a> Row<'a> {
    fn new(report: &'a RunReport, case: &'a CaseReport) -> Self {
        let known = configuration(report, case);
        let threshold = known.map_or(String::new(), |known| {
            let stopped =
                if known.state == CaseState::Interrupted { " · interrupted" } else { "" };
            format!("needs {}{stopped}", percent(known.pass_threshold))
        });
        Self {
            anchor: anchor::case(&case.id),
            id: &case.id,
            title: &case.title,
            verdict: CaseVerdictMark { verdict: case.details.verdict },
            measured: Tally::of_case(case, known).passed_of_gradeable(),
            threshold,
            cells: StageCells::new(Stage::ALL.iter().map(|&stage| (stage, states(case, stage)))),
            model: case.details.model.as_deref().unwrap_or("no model"),
            mean: mean_time(case),
        }
    }
}

/// The mean duration of the trials that took time; a trial that never began took none.
fn mean_time(case: &CaseReport) -> String {
    let durations = case.details.iterations.iter().map(|trial| trial.duration_ms);
    let durations: Vec<f64> = durations.filter(|&duration| duration > 0.0).collect();
    match durations.len() {
        0 => "not measured".to_owned(),
        trials => units::duration(durations.iter().sum::<f64>() / trials as f64),
    }
}

/// The states of a case's trials at one link that occurred, with how many trials.
fn states(case: &CaseReport, stage: Stage) -> Vec<(StageState, u64)> {
    let at = |state| {
        let rows = case
            .details
            .iterations
            .iter()
            .filter_map(|trial| trial.stage_results.iter().find(|row| row.stage == stage));
        rows.filter(|row| row.state == state).count() as u64
    };
    let states = StageState::ALL.iter().map(|&state| (state, at(state)));
    states.filter(|(_, trials)| *trials > 0).collect()
}
