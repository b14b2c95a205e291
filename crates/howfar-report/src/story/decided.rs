//! What was decided: verdict, unit, counts, one sentence.

use std::fmt;

use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::{
    CaseVerdict, Termination, UndecidedReason, Verdict, VerdictDecisionReason, Vocabulary as _,
};
use serde_json::Value;

use crate::layout::{Page, Paragraph, Style};
use crate::text::count;

pub(super) fn write(page: &mut Page<'_>, report: &RunReport) -> fmt::Result {
    suite_line(page, report)?;
    page.heading("What was decided")?;
    page.put(
        verdict_words(Paragraph::new(2, 4), report.verdict)
            .text(Style::Plain, format!("· {}", case_counts(report))),
    )?;
    for sentence in sentences(report) {
        page.put(Paragraph::new(4, 4).text(Style::Plain, sentence))?;
    }
    Ok(())
}

/// The mark and the word of a verdict. The four never look the same.
pub(super) fn verdict_words(paragraph: Paragraph, verdict: Verdict) -> Paragraph {
    let (mark, style) = match verdict {
        Verdict::Passed => ("✓", Style::Good),
        Verdict::Failed => ("✗", Style::Bad),
        Verdict::Inconclusive => ("?", Style::Open),
        Verdict::NotEstablished => ("□", Style::Faint),
    };
    paragraph.atom(style, format!("{mark} {}", verdict.label().to_uppercase()), 0)
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
    if report.metadata.execution.scripted {
        let note = "A script answered in place of a model: this run says nothing about a model.";
        page.put(Paragraph::new(2, 2).text(Style::Plain, note))?;
    }
    Ok(())
}

/// The models of the run, each once, in file order.
fn models(report: &RunReport) -> String {
    let mut models: Vec<&str> = Vec::new();
    for model in report.metadata.cases.iter().filter_map(|case| case.effective_model.as_deref()) {
        if !models.contains(&model) {
            models.push(model);
        }
    }
    if models.is_empty() { "no model".to_owned() } else { models.join(", ") }
}

/// "1 of 3 case variants passed · 1 failed · 1 inconclusive".
fn case_counts(report: &RunReport) -> String {
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
fn sentences(report: &RunReport) -> Vec<String> {
    let reasons = decision_reasons(report);
    let because = format!("because {}", reasons.join("; "));
    match (report.verdict, reasons.is_empty()) {
        (Verdict::Passed | Verdict::Failed | Verdict::Inconclusive, false) => vec![because],
        (Verdict::Passed | Verdict::Failed | Verdict::Inconclusive, true) => Vec::new(),
        (Verdict::NotEstablished, _) => undecided(report, because, reasons.is_empty()),
    }
}

/// Why there is no verdict, and what the decision over the measured part was.
fn undecided(report: &RunReport, because: String, no_decision: bool) -> Vec<String> {
    let reason = match report.metadata.termination {
        Termination::Aborted | Termination::Stopped => UndecidedReason::RunStatusNotAVerdict,
        Termination::Completed if report.metadata.complete => {
            UndecidedReason::VerdictSummaryUnavailable
        }
        Termination::Completed => UndecidedReason::RunStatusNotAVerdict,
    };
    let mut lines = vec![format!("because {}", reason.label())];
    if !no_decision {
        let verdict = decision_verdict(report).unwrap_or("no verdict");
        lines.push(format!("partial decision over what was measured: {verdict}, {because}"));
    }
    lines
}

/// The words of the decision's reasons; an unknown reason is shown as it is.
fn decision_reasons(report: &RunReport) -> Vec<String> {
    let reasons = report.metadata.decision.as_ref().and_then(|decision| decision.get("reasons"));
    let texts = reasons.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    texts
        .map(|text| match VerdictDecisionReason::from_wire(text) {
            Some(reason) => reason.label().to_owned(),
            None => text.to_owned(),
        })
        .collect()
}

fn decision_verdict(report: &RunReport) -> Option<&str> {
    report.metadata.decision.as_ref()?.get("verdict")?.as_str()
}
