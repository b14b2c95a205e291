//! Setup failures, from and to what a cassette keeps.

use std::time::Duration;

use howfar_wire::cassette::{ChildEnd, SetupFault, SetupFaultCause, SpawnFault};

use super::convert::{http_answer, live_http, live_transport, transport_fault};
use crate::{ChildExit, RpcError, SetupCause, SetupError, SetupPhase, SpawnCode};

/// Why a server could not be set up, as a cassette keeps it.
pub(super) fn setup_fault(error: &SetupError) -> SetupFault {
    SetupFault {
        cause: fault_cause(&error.cause),
        place: error.place.clone(),
        http: error.http.as_ref().map(http_answer),
        child_exit: error.child_exit.map(|exit| ChildEnd { code: exit.code, signal: exit.signal }),
        stderr: error.stderr.clone(),
        stdout_noise: error.stdout_noise.clone(),
    }
}

/// The failure that was kept, with the times of the replay.
pub(super) fn live_fault(
    fault: SetupFault,
    server: &str,
    phase: SetupPhase,
    started: Duration,
    ended: Duration,
) -> SetupError {
    SetupError {
        server: server.to_owned(),
        phase,
        cause: live_cause(fault.cause),
        place: fault.place,
        started,
        ended,
        http: fault.http.map(live_http),
        child_exit: fault.child_exit.map(|end| ChildExit { code: end.code, signal: end.signal }),
        stderr: fault.stderr,
        stdout_noise: fault.stdout_noise,
    }
}

fn fault_cause(cause: &SetupCause) -> SetupFaultCause {
    match cause {
        SetupCause::Spawn { code, detail } => {
            SetupFaultCause::Spawn { code: spawn_fault(*code), detail: detail.clone() }
        }
        SetupCause::InvalidBinding { detail } => {
            SetupFaultCause::InvalidBinding { detail: detail.clone() }
        }
        SetupCause::Transport(failure) => {
            SetupFaultCause::Transport { failure: transport_fault(failure) }
        }
        SetupCause::Rpc(error) => SetupFaultCause::Rpc {
            code: error.code,
            message: error.message.clone(),
            data: error.data.clone(),
        },
        SetupCause::Malformed { reason, excerpt } => {
            SetupFaultCause::Malformed { reason: reason.clone(), excerpt: excerpt.clone() }
        }
        SetupCause::UnsupportedVersion { answered } => {
            SetupFaultCause::UnsupportedVersion { answered: answered.clone() }
        }
        SetupCause::Timeout { limit } => SetupFaultCause::Timeout {
            limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
        },
    }
}

fn live_cause(cause: SetupFaultCause) -> SetupCause {
    match cause {
        SetupFaultCause::Spawn { code, detail } => {
            SetupCause::Spawn { code: live_spawn(code), detail }
        }
        SetupFaultCause::InvalidBinding { detail } => SetupCause::InvalidBinding { detail },
        SetupFaultCause::Transport { failure } => SetupCause::Transport(live_transport(failure)),
        SetupFaultCause::Rpc { code, message, data } => {
            SetupCause::Rpc(RpcError { code, message, data })
        }
        SetupFaultCause::Malformed { reason, excerpt } => SetupCause::Malformed { reason, excerpt },
        SetupFaultCause::UnsupportedVersion { answered } => {
            SetupCause::UnsupportedVersion { answered }
        }
        SetupFaultCause::Timeout { limit_ms } => {
            SetupCause::Timeout { limit: Duration::from_millis(limit_ms) }
        }
    }
}

const fn spawn_fault(code: SpawnCode) -> SpawnFault {
    match code {
        SpawnCode::NotFound => SpawnFault::NotFound,
        SpawnCode::CommandLine => SpawnFault::CommandLine,
        SpawnCode::NoInterpreter => SpawnFault::NoInterpreter,
        SpawnCode::NoFolder => SpawnFault::NoFolder,
        SpawnCode::PermissionDenied => SpawnFault::PermissionDenied,
        SpawnCode::Other => SpawnFault::Other,
    }
}

const fn live_spawn(fault: SpawnFault) -> SpawnCode {
    match fault {
        SpawnFault::NotFound => SpawnCode::NotFound,
        SpawnFault::CommandLine => SpawnCode::CommandLine,
        SpawnFault::NoInterpreter => SpawnCode::NoInterpreter,
        SpawnFault::NoFolder => SpawnCode::NoFolder,
        SpawnFault::PermissionDenied => SpawnCode::PermissionDenied,
        SpawnFault::Other => SpawnCode::Other,
    }
}
