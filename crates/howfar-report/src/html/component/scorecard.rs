//! The scorecard of a trial: every check, grouped by link (suite and runner, sections F1 and F2).

use askama::Template;
use howfar_wire::scorecard::{CheckOutcome, Provenance, Role, Scorecard, ScorecardRow};
use howfar_wire::vocabulary::{Stage, Vocabulary as _};

use super::{Level, OutcomeMark};
use crate::text::{clip, count};

/// How many characters of a reason, an expectation or an observation are shown.
const LIMIT: usize = 500;

/// Every check with its result, provenance and role. The summary counts required rows only; advisory rows, which decide
/// nothing, stand behind a fold that says how many did not hold.
#[derive(Debug, Template)]
#[template(path = "component/scorecard.html")]
pub struct ScorecardTable {
    level: Level,
    summary: String,
    tables: Vec<Table>,
}

/// Rows that stand together.
#[derive(Debug)]
struct Table {
    name: &'static str,
    /// The words of the fold; absent for a table that is in sight.
    fold: Option<String>,
    groups: Vec<Group>,
}

/// The rows of one link.
#[derive(Debug)]
struct Group {
    stage: Stage,
    rows: Vec<Row>,
}

#[derive(Debug)]
struct Row {
    outcome: OutcomeMark,
    check: String,
    origin: String,
    role: &'static str,
    /// Absent for a built-in row, which says it as expected and actual.
    reason: Option<String>,
    expected: Option<String>,
    actual: Option<String>,
}

impl ScorecardTable {
    /// The table of a scorecard, whose rows are grouped by link already.
    pub fn new(card: &Scorecard, level: Level) -> Self {
        let is_advisory = |row: &&ScorecardRow| row.role == Some(Role::Advisory);
        let (advisory, deciding): (Vec<_>, Vec<_>) = card.rows.iter().partition(is_advisory);
        let mut tables = Vec::new();
        if !deciding.is_empty() {
            let groups = groups(&deciding);
            tables.push(Table { name: "Required and built-in checks", fold: None, groups });
        }
        if !advisory.is_empty() {
            let fold = Some(advisory_words(&advisory));
            tables.push(Table { name: "Advisory checks", fold, groups: groups(&advisory) });
        }
        Self { level, summary: card.summary(), tables }
    }
}

fn groups(rows: &[&ScorecardRow]) -> Vec<Group> {
    let group = |rows: &[&ScorecardRow]| Group {
        stage: rows[0].stage,
        rows: rows.iter().map(|row| Row::new(row)).collect(),
    };
    rows.chunk_by(|one, next| one.stage == next.stage).map(group).collect()
}

/// "15 advisory checks: 13 passed, 1 failed, 1 not measured".
fn advisory_words(rows: &[&ScorecardRow]) -> String {
    let of = |outcome| rows.iter().filter(|row| row.outcome == outcome).count();
    let outcomes = CheckOutcome::ALL.iter().map(|&outcome| (outcome, of(outcome)));
    let words = outcomes.filter(|(_, rows)| *rows > 0);
    let words: Vec<_> =
        words.map(|(outcome, rows)| format!("{rows} {}", outcome.label())).collect();
    format!("{}: {}", count(rows.len() as u64, "advisory check"), words.join(", "))
}

impl Row {
    fn new(row: &ScorecardRow) -> Self {
        let cut = |text: &String| clip(text, LIMIT).into_owned();
        let says_both = row.expected.is_some() || row.actual.is_some();
        Self {
            outcome: OutcomeMark { outcome: row.outcome },
            check: row.check.clone(),
            origin: origin(row),
            role: row.role.map_or("", |role| role.label()),
            reason: (!says_both).then(|| cut(&row.reason)),
            expected: row.expected.as_ref().map(cut),
            actual: row.actual.as_ref().map(cut),
        }
    }
}

/// Route, Step 2, This case, Suite, Built-in or Judge.
fn origin(row: &ScorecardRow) -> String {
    match (row.provenance, row.step) {
        (Provenance::Step, Some(step)) => format!("Step {step}"),
        (provenance, _) => provenance.label().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::check;

    #[test]
    fn rows_stand_under_their_link_with_origin_and_role() {
        let mut built_in = check(Stage::Connection, "runner", CheckOutcome::Passed);
        built_in.role = None;
        built_in.provenance = Provenance::BuiltIn;
        built_in.expected = Some("the session <initializes>".to_owned());
        let card = Scorecard::new(vec![
            check(Stage::UserValue, "responseContains", CheckOutcome::NotMeasured),
            built_in,
        ]);
        let shown = ScorecardTable::new(&card, Level::Case).to_string();
        assert!(shown.find("Connection") < shown.find("User value"), "{shown}");
        assert!(shown.contains("Built-in") && shown.contains("the session &#60;initializes&#62;"));
        assert!(shown.contains("Required") && shown.contains("not measured"), "{shown}");
        assert!(shown.contains(&card.summary()), "{shown}");
    }
}
