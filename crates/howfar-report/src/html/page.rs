//! The whole page: the sections in their order, then as much detail as has room.

use std::fmt;

use askama::Template;
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::Vocabulary as _;

use super::budget::Budget;
use super::section::{Broke, Decided, EvidenceSection, Measured, Next, Notes};
use super::trial::Story;
use super::{HtmlOptions, STYLE, TrialSource, content_security_policy};
use crate::story::trials;

/// The page with every section written.
#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    policy: &'static str,
    style: &'static str,
    title: &'a str,
    verdict: &'static str,
    decided: Decided<'a>,
    measured: Measured,
    broke: Broke<'a>,
    evidence: String,
    next: Next<'a>,
    notes: Notes<'a>,
    version: &'a str,
}

pub(super) fn write(
    report: &RunReport,
    source: &mut dyn TrialSource,
    options: &HtmlOptions,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let mut page = Page {
        policy: content_security_policy(),
        style: STYLE,
        title: suite_name(report),
        verdict: report.verdict.label(),
        decided: Decided::new(report, &options.zone),
        measured: Measured::new(report),
        broke: Broke::new(report),
        evidence: String::new(),
        next: Next::new(report),
        notes: Notes::new(report),
        version: &report.metadata.execution.sdk_version,
    };
    let frame = page.render().map_err(|_| fmt::Error)?.len();
    let mut evidence = EvidenceSection::new(report, source);
    let bare = evidence.render().map_err(|_| fmt::Error)?.len();
    let mut budget = Budget::new(trials(report).count(), frame + bare);
    let mut stories: Vec<_> = evidence.stories_mut().collect();
    fill(&mut stories, source, &mut budget);
    page.evidence = evidence.render().map_err(|_| fmt::Error)?;
    page.render_into(out).map_err(|_| fmt::Error)?;
    out.write_char('\n')
}

/// The suite's name, or its id.
pub(super) fn suite_name(report: &RunReport) -> &str {
    let suite = &report.metadata.suite;
    if suite.name.is_empty() { &suite.id } else { &suite.name }
}

/// Adds detail while there is room: first what did not go well, in page order, then the rest; descriptions before
/// records, one record of a story before its others, messages that stand nowhere else before repeated ones.
fn fill(stories: &mut [&mut Story<'_>], source: &mut dyn TrialSource, budget: &mut Budget) {
    for healthy in [false, true] {
        for story in stories.iter_mut().filter(|story| story.healthy == healthy) {
            let bytes = story.describe();
            if !budget.take(bytes) {
                story.forget_description();
            }
        }
    }
    for (first, new) in [(true, true), (false, true), (false, false)] {
        for healthy in [false, true] {
            for story in stories.iter_mut().filter(|story| story.healthy == healthy) {
                let wanted = |index: &usize| (*index == 0) == first && story.is_new(*index) == new;
                let indexes: Vec<usize> = (0..story.len()).filter(wanted).collect();
                for index in indexes {
                    let bytes = story.record(index, source);
                    if !budget.take(bytes) {
                        story.forget_record(index);
                    }
                }
            }
        }
    }
}
