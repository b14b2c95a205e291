//! How much was measured: trials executed and gradeable of configured, exclusions by reason, one line per case.

use std::fmt;

use howfar_wire::rate::Rate;
use howfar_wire::report::{CaseReport, RunReport};
use howfar_wire::vocabulary::{
    CaseState, CaseVerdict, IterationStatus, TrialExclusionReason, VerdictDecisionReason as Reason,
    Vocabulary as _,
};

use super::StoryOptions;
use crate::layout::{Page, Paragraph, Style};
use crate::tally::{Tally, configuration};
use crate::text::{clip, columns, count, percent};

/// How many case lines are shown before the rest is left to the JSON report.
const MAX_CASE_LINES: usize = 40;

/// How wide the column of case ids gets.
const MAX_ID_COLUMNS: usize = 28;

pub(super) fn write(
    page: &mut Page<'_>,
    report: &RunReport,
    options: &StoryOptions<'_>,
) -> fmt::Result {
    page.heading("How much was measured")?;
    page.put(Paragraph::new(2, 4).text(Style::Plain, trial_counts(report)))?;
    page.put(Paragraph::new(2, 4).text(Style::Plain, call_counts(report)))?;
    if !report.metadata.complete {
        let why = report.metadata.termination.label();
        page.put(
            Paragraph::new(2, 11).atom(Style::Open, "PARTIAL", 8).text(
                Style::Plain,
                format!("run {why}: the counts describe a sample, not the run"),
            ),
        )?;
    }
    for line in missed_floors(report) {
        page.put(Paragraph::new(2, 4).text(Style::Plain, line))?;
    }
    case_lines(page, report, options)?;
    left_out(page, report)
}

/// "6 of 9 configured trials executed · 5 gradeable", and what was excluded.
pub(crate) fn trial_counts(report: &RunReport) -> String {
    let tally = Tally::of_run(report);
    let configured = count(tally.configured, "configured trial");
    let mut text =
        format!("{} of {configured} executed · {} gradeable", tally.executed, tally.gradeable);
    if let Some(exclusions) = tally.exclusions() {
        text.push_str(&format!(" · excluded: {exclusions}"));
    }
    text
}

/// "12 tool calls in 1.20 s of wall time".
fn call_counts(report: &RunReport) -> String {
    let trials = report.cases.iter().flat_map(|case| &case.details.iterations);
    let calls: u64 = trials.map(|trial| trial.tool_calls.len() as u64).sum();
    format!("{} in {} of wall time", count(calls, "tool call"), duration(report.duration_ms))
}

/// A wall time with its unit.
fn duration(milliseconds: f64) -> String {
    if milliseconds < 1000.0 {
        format!("{milliseconds:.0} ms")
    } else {
        format!("{:.2} s", milliseconds / 1000.0)
    }
}

/// The floors that the run missed, each with its rate.
pub(crate) fn missed_floors(report: &RunReport) -> Vec<String> {
    let mut lines = Vec::new();
    let Some(decision) = &report.metadata.decision else { return lines };
    let validity = &decision.validity;
    for reason in &decision.reasons {
        lines.push(match reason {
            Reason::CompletionRateBelowMinimum | Reason::CompletionRateNotMeasured => {
                let floor = percent(validity.policy.min_completion_rate);
                format!("{} · needs {floor}", rate_words(&validity.completion_rate, "completed"))
            }
            Reason::EvaluatorErrorRateAboveMaximum | Reason::EvaluatorErrorRateNotMeasured => {
                let ceiling = percent(validity.policy.max_evaluator_error_rate);
                let rate = rate_words(&validity.evaluator_error_rate, "could not be graded");
                format!("{rate} · at most {ceiling}")
            }
            Reason::ConfiguredTrialsNotAttempted
            | Reason::NoGradeableTrials
            | Reason::EligibleTrialsBelowMinimum
            | Reason::CaseHasNoEligibleTrials
            | Reason::CasePassRateMetThreshold
            | Reason::CasePassRateBelowThreshold
            | Reason::AllMeasuredCasesMetThreshold => continue,
        });
    }
    lines
}

/// "2 of 3 attempted trials completed (66.67 %)"; without a denominator there is no percent.
fn rate_words(rate: &Rate<TrialExclusionReason>, what: &str) -> String {
    match rate.value {
        None => format!("{what}: not measured, no trial was attempted"),
        Some(value) => {
            let among = count(rate.denominator, "attempted trial");
            format!("{} of {among} {what} ({})", rate.numerator, percent(value))
        }
    }
}

fn case_lines(page: &mut Page<'_>, report: &RunReport, options: &StoryOptions<'_>) -> fmt::Result {
    let limit = if options.verbose { usize::MAX } else { MAX_CASE_LINES };
    let unhealthy_first = report.cases.len() > limit;
    let mut cases: Vec<&CaseReport> = report.cases.iter().collect();
    if unhealthy_first {
        cases.sort_by_key(|case| case.passed);
    }
    let widest = cases.iter().map(|case| columns(&case.id)).max().unwrap_or(0).min(MAX_ID_COLUMNS);
    for case in cases.iter().take(limit) {
        case_line(page, report, case, widest)?;
    }
    super::cases::and_more(page, 2, cases.len().saturating_sub(limit), "case")
}

/// One case: verdict word, passed of gradeable, threshold, configured count.
fn case_line(
    page: &mut Page<'_>,
    report: &RunReport,
    case: &CaseReport,
    id_columns: usize,
) -> fmt::Result {
    let known = configuration(report, case);
    let tally = Tally::of_case(case, known);
    let mut text = match case.details.verdict {
        CaseVerdict::NotRun => "not run".to_owned(),
        CaseVerdict::Passed | CaseVerdict::Failed | CaseVerdict::Inconclusive => {
            tally.passed_of_gradeable()
        }
    };
    if let Some(known) = known {
        text.push_str(&format!(" · needs {}", percent(known.pass_threshold)));
        if known.state == CaseState::Interrupted {
            text.push_str(" · interrupted");
        }
    }
    text.push_str(&format!(" · {} configured", tally.configured));
    let (word, style) = verdict_word(case.details.verdict);
    page.put(
        Paragraph::new(2, 8)
            .atom(style, word, 5)
            .atom(Style::Strong, case.id.clone(), id_columns)
            .text(Style::Plain, format!(" {text}")),
    )?;
    // What a server's setup said stands with the server, in the evidence.
    let ran =
        case.details.iterations.iter().any(|trial| trial.status != IterationStatus::SetupFailed);
    match (case.details.verdict, &case.error) {
        (CaseVerdict::Inconclusive, Some(error)) if ran => page.put(
            Paragraph::new(8, 10).text(Style::Plain, "first error:").foreign(clip(error, 200)),
        ),
        _ => Ok(()),
    }
}

/// The word of a case's verdict in a list.
pub(super) const fn verdict_word(verdict: CaseVerdict) -> (&'static str, Style) {
    match verdict {
        CaseVerdict::Passed => ("PASS", Style::Good),
        CaseVerdict::Failed => ("FAIL", Style::Bad),
        CaseVerdict::Inconclusive => ("N/M", Style::Open),
        CaseVerdict::NotRun => ("SKIP", Style::Faint),
    }
}

/// Cases of the file that the run did not select.
fn left_out(page: &mut Page<'_>, report: &RunReport) -> fmt::Result {
    let skipped = &report.metadata.selection.skipped;
    for (reason, words) in [("disabled", "disabled in the file"), ("notSelected", "not selected")] {
        let ids: Vec<&str> = skipped
            .iter()
            .filter(|case| case.reason == reason)
            .map(|case| case.case_id.as_str())
            .collect();
        if let Some(list) = super::cases::id_list(&ids) {
            let text = format!("{words}: {list}");
            page.put(Paragraph::new(2, 8).atom(Style::Faint, "SKIP", 5).text(Style::Plain, text))?;
        }
    }
    Ok(())
}
