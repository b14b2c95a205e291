//! Who should look next: the next owner of each failure category, in its own words.

use askama::Template;
use howfar_wire::report::RunReport;

use crate::html::anchor;
use crate::story::owners::{Owner, nobody, owners};

/// How many cases an owner's line names.
const CASES: usize = 40;

/// The section.
#[derive(Template)]
#[template(path = "section/next.html")]
pub(in crate::html) struct Next<'a> {
    rows: Vec<Row<'a>>,
    nobody: &'static str,
}

struct Row<'a> {
    owner: Owner<'a>,
    more: usize,
}

impl<'a> Next<'a> {
    pub(in crate::html) fn new(report: &'a RunReport) -> Self {
        let row = |mut owner: Owner<'a>| {
            let more = owner.cases.len().saturating_sub(CASES);
            owner.cases.truncate(CASES);
            Row { owner, more }
        };
        Self { rows: owners(report).into_iter().map(row).collect(), nobody: nobody(report) }
    }
}
