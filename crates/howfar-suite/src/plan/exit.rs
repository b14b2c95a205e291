//! Exit codes of a run (suite and runner, section D5). No infrastructure condition ever becomes 1.

use howfar_wire::vocabulary::{ExitCode, IssueCategory, RefusalCategory, RefusalPhase, Verdict};

/// The exit code of a run that executed: the worst of its verdict, its issues and an artifact that was not written.
pub fn exit_for_result(
    verdict: Verdict,
    issues: &[IssueCategory],
    artifact_write_failed: bool,
) -> ExitCode {
    let verdict = match verdict {
        Verdict::Passed => ExitCode::Success,
        Verdict::Failed => ExitCode::MeasuredFailure,
        Verdict::Inconclusive | Verdict::NotEstablished => ExitCode::Incomplete,
    };
    let artifact = if artifact_write_failed { ExitCode::Setup } else { ExitCode::Success };
    issues.iter().map(|issue| issue.exit_code()).fold(verdict.worse(artifact), ExitCode::worse)
}

/// The exit code of a run that was refused. An internal error before anything ran counts as setup.
pub fn exit_for_refusal(category: RefusalCategory, phase: RefusalPhase) -> ExitCode {
    match (category, phase) {
        (RefusalCategory::Internal, RefusalPhase::Validation | RefusalPhase::Setup) => {
            ExitCode::Setup
        }
        (category, _) => ExitCode::from(category),
    }
}
