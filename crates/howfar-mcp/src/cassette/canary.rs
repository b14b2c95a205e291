//! The egress canary of a recorded and of a replayed run.

use std::time::{Duration, Instant};

use howfar_wire::cassette::{
    CanaryAnswer, Exchange, ExchangeAnswer, ExchangeMethod, Question, Traffic,
};
use serde_json::Value;

use crate::{CanaryVerdict, ServerBinding, SetupError, egress_canary};

/// [`egress_canary`], with what it found kept or taken from a recording, as `traffic` says.
pub async fn recorded_egress_canary(
    traffic: &Traffic,
    binding: &ServerBinding,
    error: &SetupError,
    canary_url: Option<&str>,
    limit: Duration,
) -> CanaryVerdict {
    let name = error.server.clone();
    let method = ExchangeMethod::EgressCanary;
    match traffic {
        Traffic::Live => egress_canary(binding, error, canary_url, limit).await,
        Traffic::Recorded(sink) => {
            let began = Instant::now();
            let found = egress_canary(binding, error, canary_url, limit).await;
            let verdict = match found {
                CanaryVerdict::Verified => CanaryAnswer::Verified,
                CanaryVerdict::NotVerified => CanaryAnswer::NotVerified,
                CanaryVerdict::NotRun => CanaryAnswer::NotRun,
            };
            sink.keep(Exchange {
                method,
                name,
                trial: None,
                request: Value::Null,
                answer: ExchangeAnswer::Canary { verdict },
                duration_ms: began.elapsed().as_secs_f64() * 1000.0,
                findings: Vec::new(),
            });
            found
        }
        Traffic::Replayed(source) => {
            let question = Question { method, name, trial: None, request: Value::Null };
            match source.take(question).map(|exchange| exchange.answer) {
                Some(ExchangeAnswer::Canary { verdict }) => match verdict {
                    CanaryAnswer::Verified => CanaryVerdict::Verified,
                    CanaryAnswer::NotVerified => CanaryVerdict::NotVerified,
                    CanaryAnswer::NotRun => CanaryVerdict::NotRun,
                },
                // No recording: the source ends the run, and nobody looks at a verdict.
                Some(_) | None => CanaryVerdict::NotRun,
            }
        }
    }
}
