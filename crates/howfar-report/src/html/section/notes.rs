//! What a reader should know besides: advice, issues, warnings, settings. Nothing here changed the verdict.

use askama::Template;
use howfar_wire::friction::FrictionRollup;
use howfar_wire::report::RunReport;
use howfar_wire::vocabulary::{FrictionSignalKind, Vocabulary as _};

use crate::html::units;
use crate::story::notes::{asks, collected_advice, notes};
use crate::text::{clip, count};

/// How many notes of a kind are shown.
const NOTES: usize = 40;

/// The section.
#[derive(Template)]
#[template(path = "section/notes.html")]
pub(in crate::html) struct Notes<'a> {
    advice: Vec<Advice<'a>>,
    notes: Vec<(&'static str, String)>,
    more: usize,
    settings: Vec<(&'static str, String)>,
}

struct Advice<'a> {
    check: &'a str,
    link: &'static str,
    trials: String,
    reason: String,
    asks: Option<&'static str>,
}

impl<'a> Notes<'a> {
    pub(in crate::html) fn new(report: &'a RunReport) -> Self {
        let mut all = notes(report);
        all.extend(report.friction.as_ref().map(|friction| ("friction", friction_words(friction))));
        let advice = collected_advice(report);
        let advice_row = |(row, trials): &(&'a howfar_wire::scorecard::ScorecardRow, u64)| Advice {
            check: &row.check,
            link: row.stage.label(),
            trials: count(*trials, "trial"),
            reason: clip(&row.reason, 300).into_owned(),
            asks: asks(row),
        };
        Self {
            more: all.len().saturating_sub(NOTES) + advice.len().saturating_sub(NOTES),
            advice: advice.iter().take(NOTES).map(advice_row).collect(),
            notes: all
                .into_iter()
                .take(NOTES)
                .map(|(kind, text)| (kind, clip(&text, 600).into_owned()))
                .collect(),
            settings: settings(report),
        }
    }
}

/// In how many trials friction was looked at; the trials show what was seen.
fn friction_words(friction: &FrictionRollup) -> String {
    let measured = friction.run.measured_trial_count;
    let of = count(friction.run.trial_count, "gradeable trial");
    let rates = &friction.run.rates;
    let seen = FrictionSignalKind::ALL.iter().any(|&kind| rates.of(kind).numerator > 0);
    let nothing = if measured > 0 && !seen { " · no pattern seen" } else { "" };
    format!("measured in {measured} of {of}{nothing} (report-only: decides nothing)")
}

/// How the run was made.
fn settings(report: &RunReport) -> Vec<(&'static str, String)> {
    let metadata = &report.metadata;
    let settings = &metadata.execution.settings;
    let milliseconds = |ms: u64| units::duration(ms as f64);
    let temperature = settings.temperature.map_or("not sent".to_owned(), |value| value.to_string());
    vec![
        (
            "suite file",
            format!(
                "dialect {} · sha256 {}",
                metadata.suite.schema_version, metadata.suite.source_hash
            ),
        ),
        (
            "verdict",
            format!(
                "{} (verdict policy v{})",
                metadata.verdict_authority, metadata.verdict_policy_version
            ),
        ),
        ("analyzer", format!("level {}", metadata.execution.evaluator_version)),
        ("concurrency", count(u64::from(settings.concurrency), "trial")),
        ("clock of a trial", milliseconds(settings.iteration_timeout_ms)),
        ("clock of a setup step", milliseconds(settings.setup_timeout_ms)),
        ("model steps per prompt", format!("at most {}", settings.max_steps)),
        ("system prompt", settings.system_prompt.clone()),
        ("temperature", temperature),
    ]
}
