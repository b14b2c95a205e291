//! Whether a request fits the judge's model (suite and runner, section C2, rule 7). Nothing is ever summarized to fit.

use howfar_wire::judge::JudgeErrorCode;

use super::{GoalRequest, JudgeFault};

/// What surrounds two messages on the wire, in tokens.
const FRAME_TOKENS: u64 = 64;

/// What a judge's model reads and writes at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelLimits {
    /// Tokens of request and answer together; `None` when nobody knows.
    pub context_tokens: Option<u64>,
    /// Tokens kept free for the answer.
    pub output_tokens: u64,
    /// The most bytes of a request; `None` for no cap.
    pub input_bytes: Option<u64>,
    /// The media that the model reads besides text, for example `image`.
    pub modalities: Vec<String>,
}

/// Whether the request fits. A token is at least one byte of text, so that the bound never says too little.
///
/// # Errors
///
/// `judge_model_limits_unknown`, then `judge_evidence_unsupported`, then `judge_context_limit`.
pub fn fit(request: &GoalRequest, limits: &ModelLimits) -> Result<(), JudgeFault> {
    let Some(window) = limits.context_tokens else {
        let message = "nobody said how many tokens the judge's model reads at once";
        return Err(JudgeFault::new(JudgeErrorCode::ModelLimitsUnknown, message));
    };
    let foreign =
        request.artifacts.iter().find(|artifact| !limits.modalities.contains(&artifact.modality));
    if let Some(artifact) = foreign {
        let message =
            format!("the judge's model does not read media of kind {:?}", artifact.modality);
        return Err(JudgeFault::new(JudgeErrorCode::EvidenceUnsupported, message));
    }
    let bytes = request.manifest.input_bytes;
    let media: u64 = request.artifacts.iter().map(|artifact| artifact.data.len() as u64).sum();
    let tokens = bytes + FRAME_TOKENS + media + limits.output_tokens;
    let over_cap = limits.input_bytes.is_some_and(|cap| bytes + media > cap);
    if tokens > window || over_cap {
        let message = format!(
            "the record may take {tokens} tokens, and the judge's model reads {window}; it is not \
             shortened to fit"
        );
        return Err(JudgeFault::new(JudgeErrorCode::ContextLimit, message));
    }
    Ok(())
}
