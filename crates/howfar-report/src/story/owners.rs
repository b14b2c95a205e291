//! Who should look next: the next owner of each failure category, in its own words. A category is a bucket, not a cause.

use std::fmt;

use howfar_wire::report::{RunReport, TrialReport};
use howfar_wire::vocabulary::{FailureCategory, RefusalKind, Vocabulary};

use super::cases::id_list;
use super::is_healthy;
use crate::layout::{Page, Paragraph, Style};

pub(super) fn write(page: &mut Page<'_>, report: &RunReport) -> fmt::Result {
    page.heading("Who should look next")?;
    let mut any = false;
    for &kind in RefusalKind::ALL {
        let holds = |trial: &TrialReport| trial.refusal == Some(kind);
        any |= owner_line(page, report, "model provider", provider_owner(kind), &holds)?;
    }
    for &category in FailureCategory::ALL {
        let holds = |trial: &TrialReport| trial.failure_category == Some(category);
        any |= owner_line(page, report, category.label(), category.next_owner(), &holds)?;
    }
    let nobody = |trial: &TrialReport| {
        !is_healthy(trial) && trial.refusal.is_none() && trial.failure_category.is_none()
    };
    let fallback = "inspect the case trace; no failure category was recorded";
    any |= owner_line(page, report, "no category", fallback, &nobody)?;
    if any {
        return Ok(());
    }
    let words = match report.passed {
        true => "nobody needs to: no trial is in a failure category",
        false => "nobody can be named: nothing that was measured is in a failure category",
    };
    page.put(Paragraph::new(2, 2).text(Style::Plain, words))
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

/// One owner with the cases that are theirs; says whether there was one.
fn owner_line(
    page: &mut Page<'_>,
    report: &RunReport,
    bucket: &str,
    owner: &str,
    holds: &dyn Fn(&TrialReport) -> bool,
) -> Result<bool, fmt::Error> {
    let cases = report.cases.iter().filter(|case| case.details.iterations.iter().any(holds));
    let ids: Vec<&str> = cases.map(|case| case.id.as_str()).collect();
    let Some(list) = id_list(&ids) else { return Ok(false) };
    page.put(
        Paragraph::new(2, 18)
            .atom(Style::Strong, bucket, 15)
            .text(Style::Plain, owner)
            .text(Style::Faint, format!("· {list}")),
    )?;
    Ok(true)
}
