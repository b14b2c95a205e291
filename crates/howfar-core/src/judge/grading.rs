//! A run with another judge: what its record says after stored evidence was graded.

use howfar_wire::judge::{Grading, JudgeRecord};
use howfar_wire::record::{CaseRecord, RunRecord};
use howfar_wire::score::EvaluationConfig;
use howfar_wire::vocabulary::{Grader, Vocabulary as _};

use super::judge_definition;
use crate::run::score::evaluation_config;

/// The record of a run whose stored evidence was graded: each graded case has the judge of the grading.
pub fn graded_record(mut record: RunRecord, grading: &Grading) -> RunRecord {
    for case in &mut record.cases {
        if let Some(graded) = grading.cases.iter().find(|graded| graded.case_id == case.id) {
            set_judge(case, &graded.judge);
        }
    }
    record
}

fn set_judge(case: &mut CaseRecord, judge: &JudgeRecord) {
    case.evaluation_config = case.evaluation_config.take().map(|config| with_judge(config, judge));
    case.judge = Some(judge.clone());
}

/// The scorers of a case with this judge last. One that is not asked is no scorer.
pub fn with_judge(config: EvaluationConfig, judge: &JudgeRecord) -> EvaluationConfig {
    let mut definitions = config.definitions;
    definitions.retain(|it| it.scorer_id != Grader::JudgeGoalCompletion.as_str());
    if judge.skip_reason.is_none() {
        definitions.push(judge_definition(judge));
    }
    evaluation_config(definitions)
}
