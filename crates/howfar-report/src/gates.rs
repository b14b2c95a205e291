//! Gates for a terminal: one line per gate, then what they came to.

use std::fmt;

use howfar_wire::gate::{GateOutcome, GateReport, GateStatus, GateVerdict, RunGate};
use howfar_wire::vocabulary::{ExitCode, Vocabulary as _};

use crate::TextOptions;
use crate::layout::{Page, Paragraph, Style};
use crate::story::verdict_words;

/// How a command over gates ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GateEnding<'a> {
    /// The exit code; the last line says what it means.
    pub exit: ExitCode,
    /// The command that goes on from here.
    pub more: &'a str,
}

/// Writes the gates of one run.
///
/// # Errors
///
/// Only what `out` gives.
pub fn render_gate(
    gate: &RunGate,
    ending: GateEnding<'_>,
    options: &TextOptions,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let mut page = Page::new(out, options.look());
    let run = Paragraph::new(0, 2)
        .text(Style::Plain, "Run")
        .atom(Style::Strong, gate.run_id.clone(), 0)
        .text(Style::Plain, "of the suite")
        .text(Style::Plain, gate.suite_id.clone())
        .text(Style::Plain, "· its own verdict:");
    page.put(verdict_words(run, gate.run_verdict, 0))?;
    if !gate.complete {
        let line = Paragraph::new(0, 2);
        page.put(line.text(Style::Open, "PARTIAL: not every configured trial ran"))?;
    }
    write_gates(&mut page, &gate.gates)?;
    let decided = outcome_words(Paragraph::new(0, 2), gate.gates.outcome);
    write_ending(&mut page, decided, ending)
}

/// One line per gate.
pub(crate) fn write_gates(page: &mut Page<'_>, report: &GateReport) -> fmt::Result {
    if report.verdicts.is_empty() {
        return Ok(());
    }
    page.heading("Gates")?;
    for verdict in &report.verdicts {
        page.put(gate_line(verdict))?;
    }
    Ok(())
}

/// What gates came to, with its mark.
pub(crate) fn outcome_words(line: Paragraph, outcome: GateOutcome) -> Paragraph {
    let (style, mark) = match outcome {
        GateOutcome::Passed => (Style::Good, "✓"),
        GateOutcome::Failed => (Style::Bad, "✗"),
        GateOutcome::Incomplete | GateOutcome::UsageError | GateOutcome::Waived => {
            (Style::Open, "?")
        }
    };
    line.text(style, format!("{mark} {}", outcome.label()))
}

/// What was decided, what the exit code means, and the command that goes on.
pub(crate) fn write_ending(
    page: &mut Page<'_>,
    decided: Paragraph,
    ending: GateEnding<'_>,
) -> fmt::Result {
    let meaning = match ending.exit {
        ExitCode::Success => "nothing that was asked for failed",
        ExitCode::MeasuredFailure => "a gate does not hold",
        ExitCode::Incomplete => "not decided",
        ExitCode::Usage => "a gate cannot be asked like this",
        ExitCode::Credentials | ExitCode::Setup => ending.exit.meaning(),
    };
    page.blank()?;
    page.put(
        decided
            .text(Style::Plain, format!("· exit {}: {meaning}", ending.exit.code()))
            .text(Style::Plain, "· more:")
            .atom(Style::Strong, ending.more, 0),
    )
}

fn gate_line(verdict: &GateVerdict) -> Paragraph {
    let (style, mark) = match verdict.status {
        GateStatus::Passed => (Style::Good, "✓"),
        GateStatus::Failed => (Style::Bad, "✗"),
        GateStatus::NonGateable | GateStatus::UsageError | GateStatus::Waived => (Style::Open, "?"),
    };
    Paragraph::new(2, 6)
        .text(style, format!("{mark} {}", verdict.status.label()))
        .text(Style::Strong, format!("{}:", verdict.gate))
        .foreign(verdict.message.clone())
}
