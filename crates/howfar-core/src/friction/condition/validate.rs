//! Stored suspected-condition verdicts (friction, section B2).

use howfar_wire::friction::{
    CallIndex, ConditionEvidence, ConditionOutcome, ConditionProvenance, MAX_FIELD_PATH_CHARS,
    MAX_REMEDIATION_CHARS, SuspectedConditionVerdict,
};
use serde_json::Value;

use crate::friction::closed::Closed;
use crate::problem::{Problem, Problems};

const PROVENANCE_KEYS: [&str; 8] = [
    "gradingKey",
    "signalKind",
    "informationCallIndex",
    "observedAtCallIndex",
    "judgeTemplateVersion",
    "judgeTemplateHash",
    "model",
    "generatedAt",
];

#[derive(Clone, Copy)]
enum Status {
    Scored,
    Skipped,
    Error,
}

impl Status {
    fn of(value: &Value) -> Option<Self> {
        match value.get("status")?.as_str()? {
            "scored" => Some(Self::Scored),
            "skipped" => Some(Self::Skipped),
            "error" => Some(Self::Error),
            _ => None,
        }
    }

    const fn own_keys(self) -> &'static [&'static str] {
        match self {
            Self::Scored => &["condition", "confidence", "remediation", "evidence"],
            Self::Skipped => &["reason"],
            Self::Error => &[],
        }
    }
}

/// A sound verdict, or everything that is wrong with it. Whether a low confidence was demoted, and the order of the
/// indexes, are the producer's duty and not looked at.
///
/// # Errors
///
/// The problems, each with the path of the offending key.
pub fn validate_condition(verdict: &Value) -> Result<SuspectedConditionVerdict, Vec<Problem>> {
    let mut problems = Problems::default();
    let read = verdict_of(verdict, &mut problems);
    match (read, problems.into_list()) {
        (Some(verdict), problems) if problems.is_empty() => Ok(verdict),
        (_, problems) => Err(problems),
    }
}

fn verdict_of(value: &Value, problems: &mut Problems) -> Option<SuspectedConditionVerdict> {
    let Some(status) = Status::of(value) else {
        problems.add("status", "is not scored, skipped or error");
        return None;
    };
    let keys = [&["status"], status.own_keys(), &PROVENANCE_KEYS].concat();
    let mut object = Closed::open(value, "", &keys, problems)?;
    let outcome = match status {
        Status::Scored => scored(&mut object),
        Status::Skipped => {
            object.member("reason").map(|reason| ConditionOutcome::Skipped { reason })
        }
        Status::Error => Some(ConditionOutcome::Error {}),
    };
    let provenance = provenance(&mut object);
    Some(SuspectedConditionVerdict { outcome: outcome?, provenance: provenance? })
}

fn scored(object: &mut Closed<'_, '_>) -> Option<ConditionOutcome> {
    let condition = object.member("condition");
    let confidence = object.member("confidence");
    let remediation = optional_bounded(object, "remediation", MAX_REMEDIATION_CHARS);
    let evidence = if object.has("evidence") {
        object.nested("evidence", evidence).map(Some)
    } else {
        Some(None)
    };
    Some(ConditionOutcome::Scored {
        condition: condition?,
        confidence: confidence?,
        remediation: remediation?,
        evidence: evidence?,
    })
}

fn evidence(value: &Value, path: String, problems: &mut Problems) -> Option<ConditionEvidence> {
    let keys = ["callIndex", "toolName", "fieldPath"];
    let mut object = Closed::open(value, path, &keys, problems)?;
    let call_index = object.integer("callIndex").map(CallIndex);
    let tool_name = object.text("toolName");
    let field_path = optional_bounded(&mut object, "fieldPath", MAX_FIELD_PATH_CHARS);
    Some(ConditionEvidence {
        call_index: call_index?,
        tool_name: tool_name?,
        field_path: field_path?,
    })
}

/// An absent key is `Some(None)`. Readers count code points, which admits everything that writers may write.
fn optional_bounded(
    object: &mut Closed<'_, '_>,
    key: &str,
    max_chars: usize,
) -> Option<Option<String>> {
    if !object.has(key) {
        return Some(None);
    }
    let text = object.text(key)?;
    if text.chars().count() > max_chars {
        object.fault(key, format!("has more than {max_chars} characters"));
        return None;
    }
    Some(Some(text))
}

fn provenance(object: &mut Closed<'_, '_>) -> Option<ConditionProvenance> {
    let grading_key = object.text("gradingKey");
    let signal_kind = object.text("signalKind");
    let information_call_index = object.integer("informationCallIndex").map(CallIndex);
    let observed_at_call_index = object.integer("observedAtCallIndex").map(CallIndex);
    let judge_template_version = object.integer("judgeTemplateVersion");
    if judge_template_version == Some(0) {
        object.fault("judgeTemplateVersion", "is less than 1");
    }
    let judge_template_hash = object.text("judgeTemplateHash");
    let model = object.text("model");
    let generated_at = object.integer("generatedAt");
    Some(ConditionProvenance {
        grading_key: grading_key?,
        signal_kind: signal_kind?,
        information_call_index: information_call_index?,
        observed_at_call_index: observed_at_call_index?,
        judge_template_version: judge_template_version?,
        judge_template_hash: judge_template_hash?,
        model: model?,
        generated_at: generated_at?,
    })
}
