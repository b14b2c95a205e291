//! A judge as an evaluator of the score contract (run-documents, section 2.1).

use howfar_wire::judge::JudgeRecord;
use howfar_wire::score::{AuthoredDefinition, IdSource, ScoreDefinition, ScoreRole};
use howfar_wire::scorecard::Role;
use howfar_wire::vocabulary::{Grader, Vocabulary as _};

use super::TEMPLATE_VERSION;
use crate::run::score::resolve_definition;

/// The definition of a judge. Two judges of different wording, numbers, model or script have different definitions, so
/// that their runs are not compared as equals.
pub fn judge_definition(judge: &JudgeRecord) -> ScoreDefinition {
    let id = Grader::JudgeGoalCompletion.as_str();
    let rubric = serde_json::json!({
        "identity": judge.identity,
        "rubric": judge.rubric,
        "script": judge.script_digest,
    });
    resolve_definition(&AuthoredDefinition {
        scorer_id: id.to_owned(),
        id_source: IdSource::Explicit,
        scorer_version: TEMPLATE_VERSION.to_string(),
        implementation_hash: howfar_wire::canon::canonical_digest(&rubric),
        label: Some(id.to_owned()),
        deterministic: false,
        pass_threshold: judge.threshold,
        role: match judge.role {
            Role::Required => ScoreRole::Gating,
            Role::Advisory => ScoreRole::Advisory,
        },
        on_error: None,
        on_skipped: None,
        model: judge.model.clone(),
        scope: None,
    })
}
