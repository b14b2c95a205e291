//! Answers of models, from and to what a cassette keeps.

use std::time::Duration;

use howfar_wire::cassette::{
    ModelFailure, RecordedCall, RecordedModelError, RecordedTurn, RecordedUsage,
};

use crate::conversation::{ModelTurn, ToolCall, Usage};
use crate::error::{Clock, ModelError, ModelErrorKind};

/// A turn as a cassette keeps it.
pub(super) fn recorded_turn(turn: &ModelTurn) -> RecordedTurn {
    let call = |call: &ToolCall| RecordedCall {
        id: call.id.clone(),
        name: call.name.clone(),
        arguments_text: call.arguments_text.clone(),
        opaque: call.opaque.clone(),
    };
    RecordedTurn {
        text: turn.text.clone(),
        tool_calls: turn.tool_calls.iter().map(call).collect(),
        reasoning: turn.reasoning.clone(),
        usage: turn.usage.map(|usage| RecordedUsage { input: usage.input, output: usage.output }),
        cost_usd: turn.cost_usd,
        finish_reason: turn.finish_reason.clone(),
        response_id: turn.response_id.clone(),
        created: turn.created,
        model: turn.model.clone(),
        provider: turn.provider.clone(),
        time_to_first_chunk_ms: turn.time_to_first_chunk.map(|time| time.as_secs_f64() * 1000.0),
    }
}

/// The turn that was kept.
pub(super) fn live_turn(turn: RecordedTurn) -> ModelTurn {
    let call = |call: RecordedCall| ToolCall {
        opaque: call.opaque,
        ..ToolCall::new(call.id, call.name, call.arguments_text)
    };
    ModelTurn {
        text: turn.text,
        tool_calls: turn.tool_calls.into_iter().map(call).collect(),
        reasoning: turn.reasoning,
        usage: turn.usage.map(|usage| Usage { input: usage.input, output: usage.output }),
        cost_usd: turn.cost_usd,
        finish_reason: turn.finish_reason,
        response_id: turn.response_id,
        created: turn.created,
        model: turn.model,
        provider: turn.provider,
        time_to_first_chunk: turn
            .time_to_first_chunk_ms
            .and_then(|time| Duration::try_from_secs_f64(time / 1000.0).ok()),
    }
}

/// A failed call as a cassette keeps it; `None` for one that the caller ended.
pub(super) fn recorded_error(error: &ModelError) -> Option<RecordedModelError> {
    let failure = match error.kind {
        ModelErrorKind::Refused(refusal) => ModelFailure::Refused { refusal },
        ModelErrorKind::Rejected => ModelFailure::Rejected,
        ModelErrorKind::Timeout(Clock::Request) => ModelFailure::RequestTimeout,
        ModelErrorKind::Timeout(Clock::Idle) => ModelFailure::IdleTimeout,
        ModelErrorKind::Unreachable => ModelFailure::Unreachable,
        ModelErrorKind::Disconnected => ModelFailure::Disconnected,
        ModelErrorKind::Malformed => ModelFailure::Malformed,
        ModelErrorKind::Unsupported => ModelFailure::Unsupported,
        ModelErrorKind::Script => ModelFailure::Script,
        ModelErrorKind::Cancelled => return None,
    };
    Some(RecordedModelError {
        failure,
        provider: error.provider.clone(),
        status: error.status,
        code: error.code.clone(),
        message: error.message.clone(),
        retry_after_ms: error
            .retry_after
            .map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
    })
}

/// The failed call that was kept.
pub(super) fn live_error(error: RecordedModelError) -> ModelError {
    let kind = match error.failure {
        ModelFailure::Refused { refusal } => ModelErrorKind::Refused(refusal),
        ModelFailure::Rejected => ModelErrorKind::Rejected,
        ModelFailure::RequestTimeout => ModelErrorKind::Timeout(Clock::Request),
        ModelFailure::IdleTimeout => ModelErrorKind::Timeout(Clock::Idle),
        ModelFailure::Unreachable => ModelErrorKind::Unreachable,
        ModelFailure::Disconnected => ModelErrorKind::Disconnected,
        ModelFailure::Malformed => ModelErrorKind::Malformed,
        ModelFailure::Unsupported => ModelErrorKind::Unsupported,
        ModelFailure::Script => ModelErrorKind::Script,
    };
    ModelError {
        kind,
        provider: error.provider,
        status: error.status,
        code: error.code,
        message: error.message,
        retry_after: error.retry_after_ms.map(Duration::from_millis),
    }
}
