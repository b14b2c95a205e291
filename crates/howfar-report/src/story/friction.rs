//! Friction: patterns in the calls that may have cost something, each with its benign reading. Report-only.

use std::fmt;

use howfar_core::friction::{FrictionReading, friction_reading};
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::FrictionGap;

use super::StoryOptions;
use super::cases::and_more;
use crate::layout::{Page, Paragraph, Style};
use crate::text::{clip, count};

/// How many patterns are shown before the rest is left to the JSON report.
const MAX_PATTERNS: usize = 6;

/// One pattern of one case, with the trials that show it.
struct Pattern<'a> {
    case_id: &'a str,
    text: String,
    benign: &'static str,
    trials: u64,
}

/// Writes the section, when a trial was looked at or could not be.
pub(super) fn write(
    page: &mut Page<'_>,
    report: &RunReport,
    options: &StoryOptions<'_>,
) -> fmt::Result {
    let (patterns, unmeasured) = patterns(report);
    let measured = report.friction.as_ref().map_or(0, |rollup| rollup.run.measured_trial_count);
    if patterns.is_empty() && unmeasured == 0 && measured == 0 {
        return Ok(());
    }
    page.heading("Friction (report-only: decides nothing)")?;
    if let Some(rollup) = &report.friction {
        let run = &rollup.run;
        let mut text = format!(
            "measured in {} of {}",
            run.measured_trial_count,
            count(run.trial_count, "gradeable trial")
        );
        if patterns.is_empty() {
            text.push_str(" · no pattern seen");
        }
        page.put(Paragraph::new(2, 4).text(Style::Plain, text))?;
    }
    if unmeasured > 0 {
        let text = format!("not measured in {}: evidence is missing", count(unmeasured, "trial"));
        page.put(Paragraph::new(2, 4).text(Style::Open, text))?;
    }
    let limit = if options.verbose { usize::MAX } else { MAX_PATTERNS };
    for pattern in patterns.iter().take(limit) {
        let place = format!("{} ({}):", pattern.case_id, count(pattern.trials, "trial"));
        page.put(
            Paragraph::new(2, 4)
                .text(Style::Strong, place)
                .foreign(clip(&pattern.text, 300))
                .text(Style::Faint, format!("· benign reading: {}", pattern.benign)),
        )?;
    }
    and_more(page, 2, patterns.len().saturating_sub(limit), "pattern")
}

/// Every pattern once per case, and how many trials could not be looked at.
fn patterns(report: &RunReport) -> (Vec<Pattern<'_>>, u64) {
    let mut patterns: Vec<Pattern<'_>> = Vec::new();
    let mut unmeasured = 0;
    for case in &report.cases {
        for trial in &case.details.iterations {
            let line = match friction_reading(trial.friction.as_ref()) {
                // A trial without calls has no pattern to look for, and misses no evidence.
                FrictionReading::Silent
                | FrictionReading::NotMeasured(FrictionGap::NoToolCalls) => continue,
                FrictionReading::NotMeasured(_) => {
                    unmeasured += 1;
                    continue;
                }
                FrictionReading::Seen(line) => line,
            };
            for clause in line.clauses {
                let known = patterns
                    .iter_mut()
                    .find(|known| known.case_id == case.id && known.text == clause.text);
                match known {
                    Some(known) => known.trials += 1,
                    None => patterns.push(Pattern {
                        case_id: &case.id,
                        text: clause.text,
                        benign: clause.benign_reading,
                        trials: 1,
                    }),
                }
            }
        }
    }
    (patterns, unmeasured)
}
