//! Who should look next at the cases that regressed: the next owner of each bucket of their failed trials. A bucket is no
//! cause.

use std::fmt;

use howfar_wire::compare::{CaseLinkSide, CompareStatus, RunComparison};
use howfar_wire::vocabulary::{FailureCategory, Vocabulary};

use crate::layout::{Page, Paragraph, Style};
use crate::story::id_list;

/// Who should look next at which cases.
pub struct ComparedOwner<'a> {
    /// The bucket of failed trials of the compared run.
    pub bucket: FailureCategory,
    /// The cases, in the order of the comparison.
    pub cases: Vec<&'a str>,
}

/// The owners of what regressed, in contract order of their buckets; empty when no case did.
pub fn compared_owners(comparison: &RunComparison) -> Vec<ComparedOwner<'_>> {
    let regressed = || {
        let cases = comparison.compare.cases.iter().zip(&comparison.links);
        cases.filter(|(case, _)| case.status == CompareStatus::Regressed)
    };
    let holds = |side: &CaseLinkSide, bucket: FailureCategory| {
        side.failure_categories.iter().any(|trials| trials.category == bucket)
    };
    let owners = FailureCategory::ALL.iter().map(|&bucket| {
        let cases = regressed().filter(|(_, links)| holds(&links.compare, bucket));
        ComparedOwner { bucket, cases: cases.map(|(case, _)| case.case_key.as_str()).collect() }
    });
    owners.filter(|owner| !owner.cases.is_empty()).collect()
}

pub(super) fn write(page: &mut Page<'_>, comparison: &RunComparison) -> fmt::Result {
    let owners = compared_owners(comparison);
    if owners.is_empty() {
        return Ok(());
    }
    page.heading("Who should look next at what regressed")?;
    for owner in &owners {
        let list = id_list(&owner.cases).unwrap_or_default();
        page.put(
            Paragraph::new(2, 18)
                .atom(Style::Strong, owner.bucket.label(), 15)
                .text(Style::Plain, owner.bucket.next_owner())
                .text(Style::Faint, format!("· {list}")),
        )?;
    }
    Ok(())
}
