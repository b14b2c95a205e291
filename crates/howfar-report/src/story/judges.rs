//! The judges of a run: who graded how many trials, and which were not asked (suite and runner, section D6).

use std::collections::BTreeMap;

use howfar_wire::chain::JudgeStatus;
use howfar_wire::judge::JudgeRecord;
use howfar_wire::report::{RunReport, TrialReport};
use howfar_wire::vocabulary::Vocabulary as _;

use crate::text::count;

/// One line per judge of the run; none for a run whose suite says nothing of one.
pub(super) fn lines(report: &RunReport) -> Vec<String> {
    let mut asked: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    let mut left_out: BTreeMap<&'static str, u64> = BTreeMap::new();
    for (configured, case) in report.metadata.cases.iter().zip(&report.cases) {
        let Some(judge) = &configured.judge else { continue };
        if let Some(reason) = judge.skip_reason {
            *left_out.entry(reason.label()).or_default() += 1;
            continue;
        }
        let [scored, trials] = asked.entry(name(judge)).or_default();
        let scores = case.details.iterations.iter().filter(|trial| is_scored(trial));
        *scored += scores.count() as u64;
        *trials += case.details.iterations.len() as u64;
    }
    let graded = asked.iter().map(|(name, [scored, trials])| {
        format!("{name} scored {scored} of {}", count(*trials, "trial"))
    });
    let silent = left_out
        .iter()
        .map(|(reason, cases)| format!("not run for {}: {reason}", count(*cases, "case")));
    graded.chain(silent).collect()
}

fn name(judge: &JudgeRecord) -> String {
    let script = if judge.scripted { " (a script)" } else { "" };
    format!("{} {}{script}", judge.role.as_str(), judge.model.as_deref().unwrap_or("no model"))
}

fn is_scored(trial: &TrialReport) -> bool {
    trial.judge.as_ref().is_some_and(|judgement| judgement.status == JudgeStatus::Scored)
}
