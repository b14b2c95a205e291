//! What was decided: verdict, unit, counts, one sentence.

use std::fmt;

use howfar_wire::report::RunReport;
use howfar_wire::verdict::VerdictDecision;
use howfar_wire::vocabulary::{
    CaseVerdict, Termination, UndecidedReason, Verdict, Vocabulary as _,
};

use crate::layout::{Page, Paragraph, Style};
use crate::text::count;

pub(super) fn write(page: &mut Page<'_>, report: &RunReport) -> fmt::Result {
    suite_line(page, report)?;
    page.heading("What was decided")?;
    page.put(
        verdict_words(Paragraph::new(2, 4), report.verdict, 0)
            .text(Style::Plain, format!("· {}", case_counts(report))),
    )?;
    for sentence in sentences(report) {
        page.put(Paragraph::new(4, 4).text(Style::Plain, sentence))?;
    }
    Ok(())
}

/// The mark and the word of a verdict, padded to `columns`. The four never look the same.
pub(crate) fn verdict_words(paragraph: Paragraph, verdict: Verdict, columns: usize) -> Paragraph {
    let (mark, style) = match verdict {
        Verdict::Passed => ("✓", Style::Good),
        Verdict::Failed => ("✗", Style::Bad),
        Verdict::Inconclusive => ("?", Style::Open),
        Verdict::NotEstablished => ("□", Style::Faint),
    };
    paragraph.atom(style, format!("{mark} {}", verdict.label().to_uppercase()), columns)
}

/// The suite and who answered.
fn suite_line(page: &mut Page<'_>, report: &RunReport) -> fmt::Result {
    let suite = &report.metadata.suite;
    let name = if suite.name.is_empty() { &suite.id } else { &suite.name };
    page.put(
        Paragraph::new(0, 2)
            .text(Style::Strong, name.clone())
            .text(Style::Plain, format!("({})", suite.id))
            .text(Style::Plain, format!("· {}", models(report))),
    )?;
    if let Some(note) = replay_note(report) {
        page.put(Paragraph::new(2, 2).text(Style::Plain, note))?;
    }
    if report.metadata.execution.scripted {
        let note = "A script answered in place of a model: this run says nothing about a model.";
        page.put(Paragraph::new(2, 2).text(Style::Plain, note))?;
    }
    Ok(())
}

/// What a reader has to know of a run that was answered from a recording; `None` for a run that asked.
pub(crate) fn replay_note(report: &RunReport) -> Option<String> {
    let folder = report.metadata.execution.replayed_from.as_ref()?;
    Some(format!("Replayed from {folder}: no model and no server was asked."))
}

/// The models of the run, each once, in file order.
pub(crate) fn models(report: &RunReport) -> String {
    let mut models: Vec<&str> = Vec::new();
    for model in report.metadata.cases.iter().filter_map(|case| case.effective_model.as_deref()) {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    if models.is_empty() { "no model".to_owned() } else { models.join(", ") }
}

/// "1 of 3 case variants passed · 1 failed · 1 inconclusive".
pub(crate) fn case_counts(report: &RunReport) -> String {
    let of = |verdict| report.cases.iter().filter(|case| case.details.verdict == verdict).count();
    let total = report.cases.len() as u64;
    let mut text =
        format!("{} of {} passed", of(CaseVerdict::Passed), count(total, "case variant"));
    for verdict in [CaseVerdict::Failed, CaseVerdict::Inconclusive, CaseVerdict::NotRun] {
        if of(verdict) > 0 {
            text.push_str(&format!(" · {} {}", of(verdict), verdict.label()));
        }
    }
    text
}

/// Why, in whole sentences.
pub(crate) fn sentences(report: &RunReport) -> Vec<String> {
    let decision = report.metadata.decision.as_ref();
    match report.verdict {
        Verdict::Passed | Verdict::Failed | Verdict::Inconclusive => {
            decision.map(because).into_iter().collect()
        }
        Verdict::NotEstablished => {
            let mut lines = vec![format!("because {}", undecided(report).label())];
            lines.extend(decision.map(|decision| {
                let verdict = decision.verdict.label();
                format!("partial decision over what was measured: {verdict}, {}", because(decision))
            }));
            lines
        }
    }
}

/// Why there is no verdict.
fn undecided(report: &RunReport) -> UndecidedReason {
    match report.metadata.termination {
        Termination::Completed if report.metadata.complete => {
            UndecidedReason::VerdictSummaryUnavailable
        }
        Termination::Completed | Termination::Aborted | Termination::Stopped => {
            UndecidedReason::RunStatusNotAVerdict
        }
    }
}

/// "because a case graded nothing at all; …".
fn because(decision: &VerdictDecision) -> String {
    let reasons: Vec<&str> = decision.reasons.iter().map(|reason| reason.label()).collect();
    format!("because {}", reasons.join("; "))
}
