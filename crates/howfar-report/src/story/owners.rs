//! Who should look next: the next owner of each failure category, in its own words. A category is a bucket, not a cause.

use std::fmt;

use howfar_wire::report::{RunReport, TrialReport};
use howfar_wire::vocabulary::{FailureCategory, RefusalKind, Vocabulary};

use super::cases::id_list;
use super::is_healthy;
use crate::layout::{Page, Paragraph, Style};

pub(super) fn write(page: &mut Page<'_>, report: &RunReport) -> fmt::Result {
    page.heading("Who should look next")?;
    let owners = owners(report);
    for owner in &owners {
        let list = id_list(&owner.cases).unwrap_or_default();
        page.put(
            Paragraph::new(2, 18)
                .atom(Style::Strong, owner.bucket, 15)
                .text(Style::Plain, owner.words)
                .text(Style::Faint, format!("· {list}")),
        )?;
    }
    if owners.is_empty() {
        page.put(Paragraph::new(2, 2).text(Style::Plain, nobody(report)))?;
    }
    Ok(())
}

/// Who should look next at which cases.
pub(crate) struct Owner<'a> {
    /// The bucket of the trials: a failure category, or the model provider.
    pub(crate) bucket: &'static str,
    /// What to do next, in the category's own words.
    pub(crate) words: &'static str,
    /// The ids of the cases, in report order.
    pub(crate) cases: Vec<&'a str>,
}

/// The owners that a run has: refusals of the provider, then categories in contract order, then trials without one.
pub(crate) fn owners(report: &RunReport) -> Vec<Owner<'_>> {
    let of = |bucket, words, holds: &dyn Fn(&TrialReport) -> bool| {
        let cases = report.cases.iter().filter(|case| case.details.iterations.iter().any(holds));
        Owner { bucket, words, cases: cases.map(|case| case.id.as_str()).collect() }
    };
    let refusals = RefusalKind::ALL.iter().map(|&kind| {
        of("model provider", provider_owner(kind), &|trial| trial.refusal == Some(kind))
    });
    // A trial that the provider refused is in a bucket too, and nothing on the server is indicated.
    let is_refused =
        |trial: &TrialReport| trial.refusal.is_some() && trial.first_failed_stage.is_none();
    let categories = FailureCategory::ALL.iter().map(|&category| {
        of(category.label(), category.next_owner(), &|trial| {
            trial.failure_category == Some(category) && !is_refused(trial)
        })
    });
    let nobody = |trial: &TrialReport| {
        !is_healthy(trial) && trial.refusal.is_none() && trial.failure_category.is_none()
    };
    let fallback = "inspect the case trace; no failure category was recorded";
    let all = refusals.chain(categories).chain([of("no category", fallback, &nobody)]);
    all.filter(|owner| !owner.cases.is_empty()).collect()
}

/// The words when there is no owner.
pub(crate) const fn nobody(report: &RunReport) -> &'static str {
    match report.passed {
        true => "nobody needs to: no trial is in a failure category",
        false => "nobody can be named: nothing that was measured is in a failure category",
    }
}

/// Who looks after a refusal of the model provider. Nothing on the server is indicated.
const fn provider_owner(kind: RefusalKind) -> &'static str {
    match kind {
        RefusalKind::Credentials => "nothing on the server is indicated; check the model key",
        RefusalKind::Billing => {
            "nothing on the server is indicated; check the quota of the model key"
        }
        RefusalKind::RateLimited => {
            "nothing on the server is indicated; wait, or run with a lower --concurrency"
        }
        RefusalKind::Unavailable => {
            "nothing on the server is indicated; run again when the provider answers"
        }
    }
}
