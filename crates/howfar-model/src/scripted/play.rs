//! One answer of a script.

use std::time::Duration;

use howfar_wire::vocabulary::RefusalKind;
use tokio_util::sync::CancellationToken;

use super::document::SimulatedFailure;
use super::rule::{Act, Call, CallArguments, Turn};
use super::{SCRIPTED, Script};
use crate::conversation::{ModelRequest, ModelTurn, ToolCall};
use crate::error::{Clock, ModelError, ModelErrorKind};
use crate::model::ModelIdentity;

/// Plays the turn that is next in the conversation.
pub(super) async fn answer(
    script: &Script,
    identity: &ModelIdentity,
    request: &ModelRequest,
    cancel: &CancellationToken,
) -> Result<ModelTurn, ModelError> {
    let turn = next_turn(script, request)?;
    wait(turn.delay, cancel).await?;
    match &turn.act {
        Act::Fail(failure) => Err(simulated(*failure)),
        Act::Answer { say, calls, usage, cost_usd, finish_reason } => {
            let here = |message| failure(format!("{}:{}: {message}", script.file, turn.line));
            let text = say.text(request).map_err(here)?;
            let tool_calls = played_calls(calls, request).map_err(here)?;
            let ended = if tool_calls.is_empty() { "stop" } else { "tool_calls" };
            Ok(ModelTurn {
                text,
                tool_calls,
                usage: *usage,
                cost_usd: *cost_usd,
                finish_reason: Some(finish_reason.clone().unwrap_or_else(|| ended.to_owned())),
                response_id: Some(place(request)),
                model: Some(identity.model.clone()),
                provider: SCRIPTED.to_owned(),
                ..ModelTurn::default()
            })
        }
    }
}

/// The first rule that answers the newest prompt, and of it the turn after those already played.
fn next_turn<'a>(script: &'a Script, request: &ModelRequest) -> Result<&'a Turn, ModelError> {
    let Some(rule) = script.rules.iter().find(|rule| rule.when.holds(request)) else {
        return Err(failure(format!(
            "no rule of {} answers prompt {} of case {:?} in trial {}: {:?}",
            script.file,
            request.prompts(),
            request.trial.case_id,
            request.trial.trial,
            shortened(request.last_prompt().unwrap_or_default()),
        )));
    };
    let played = request.turns_since_prompt();
    rule.turns.get(played).ok_or_else(|| {
        failure(format!(
            "{}:{}: the rule has {} turn(s), and case {:?} asks for turn {} of prompt {}",
            script.file,
            rule.line,
            rule.turns.len(),
            request.trial.case_id,
            played + 1,
            request.prompts(),
        ))
    })
}

async fn wait(delay: Duration, cancel: &CancellationToken) -> Result<(), ModelError> {
    let cancelled = || {
        Err(ModelError::new(ModelErrorKind::Cancelled, SCRIPTED, "the model call was cancelled"))
    };
    if cancel.is_cancelled() {
        return cancelled();
    }
    if delay.is_zero() {
        return Ok(());
    }
    tokio::select! {
        () = cancel.cancelled() => cancelled(),
        () = tokio::time::sleep(delay) => Ok(()),
    }
}

fn played_calls(calls: &[Call], request: &ModelRequest) -> Result<Vec<ToolCall>, String> {
    let play = |(at, call): (usize, &Call)| {
        let text = match &call.arguments {
            CallArguments::Text(text) => text.clone(),
            CallArguments::Object(template) => template.value(request)?.to_string(),
        };
        Ok(ToolCall::new(format!("{}-call-{}", place(request), at + 1), &call.tool, text))
    };
    calls.iter().enumerate().map(play).collect()
}

/// Names the turn within its conversation.
fn place(request: &ModelRequest) -> String {
    format!("prompt-{}-turn-{}", request.prompts(), request.turns_since_prompt() + 1)
}

fn failure(message: String) -> ModelError {
    ModelError::new(ModelErrorKind::Script, SCRIPTED, message)
}

fn simulated(failure: SimulatedFailure) -> ModelError {
    let refused = ModelErrorKind::Refused;
    let (kind, status, message) = match failure {
        SimulatedFailure::Credentials => {
            (refused(RefusalKind::Credentials), Some(401), "the script plays a rejected key")
        }
        SimulatedFailure::Billing => {
            (refused(RefusalKind::Billing), Some(402), "the script plays used-up credit")
        }
        SimulatedFailure::RateLimited => {
            (refused(RefusalKind::RateLimited), Some(429), "the script plays a rate limit")
        }
        SimulatedFailure::Unavailable => {
            (refused(RefusalKind::Unavailable), Some(503), "the script plays an outage")
        }
        SimulatedFailure::Timeout => (
            ModelErrorKind::Timeout(Clock::Request),
            None,
            "the script plays a fired model request clock",
        ),
        SimulatedFailure::Disconnect => {
            (ModelErrorKind::Disconnected, None, "the script plays an answer that breaks off")
        }
        SimulatedFailure::Malformed => {
            (ModelErrorKind::Malformed, None, "the script plays an unreadable answer")
        }
    };
    ModelError { status, ..ModelError::new(kind, SCRIPTED, message) }
}

/// The start of a text, for messages.
fn shortened(text: &str) -> String {
    const SHOWN: usize = 120;
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
