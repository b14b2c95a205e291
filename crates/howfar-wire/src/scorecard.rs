//! The scorecard of one trial: every check with its result, provenance and role (suite and runner, sections F1 and F2).

use serde::{Deserialize, Serialize};

use crate::vocabulary::{Stage, vocabulary};

vocabulary! {
    /// Where a check comes from.
    Provenance = "provenances", "Where a check comes from." {
        /// The matcher over the expected calls.
        Route = "route" => "Route",
        /// An assertion at a step.
        Step = "step" => "Step",
        /// An assertion of the case, over the whole transcript.
        Case = "case" => "This case",
        /// A suite-standard check.
        Suite = "suite" => "Suite",
        /// The runner's own observation; never gates.
        BuiltIn = "builtIn" => "Built-in",
        /// A judge.
        Judge = "judge" => "Judge",
    }
}

vocabulary! {
    /// Whether a failed row fails the trial.
    Role = "roles", "Whether a failed check fails the trial." {
        /// It does.
        Required = "required" => "Required",
        /// It is recorded only.
        Advisory = "advisory" => "Advisory",
    }
}

vocabulary! {
    /// What came out of a check.
    CheckOutcome = "checkOutcomes", "What came out of a check." {
        /// Scored, held.
        Passed = "passed" => "passed",
        /// Scored, did not hold.
        Failed = "failed" => "failed",
        /// It could not be measured; it blames nobody.
        Error = "error" => "could not be measured",
        /// No result, or left to another row.
        NotMeasured = "notMeasured" => "not measured",
    }
}

/// Every check of one trial.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Scorecard {
    /// Required rows that passed.
    pub required_passed: u32,
    /// Required rows.
    pub required_total: u32,
    /// Advisory rows; built-in rows count in neither.
    pub advisory: u32,
    /// The rows: grouped by link, in authored order inside a link, built-in first.
    pub rows: Vec<ScorecardRow>,
}

impl Scorecard {
    /// A scorecard over rows in authored order, with its counts.
    pub fn new(mut rows: Vec<ScorecardRow>) -> Self {
        rows.sort_by_key(|row| (row.stage.index(), row.provenance != Provenance::BuiltIn));
        let required = rows.iter().filter(|row| row.role == Some(Role::Required));
        let (total, passed) = required.fold((0, 0), |(total, passed), row| {
            (total + 1, passed + u32::from(row.outcome == CheckOutcome::Passed))
        });
        let advisory = rows.iter().filter(|row| row.role == Some(Role::Advisory)).count();
        let advisory = u32::try_from(advisory).unwrap_or(u32::MAX);
        Self { required_passed: passed, required_total: total, advisory, rows }
    }

    /// "2 of 2 required passed · 1 advisory". Required rows without a result are said as such: they neither passed nor
    /// failed.
    pub fn summary(&self) -> String {
        let required = self.rows.iter().filter(|row| row.role == Some(Role::Required));
        let unmeasured = required.filter(|row| row.outcome == CheckOutcome::NotMeasured).count();
        let advisory = match self.advisory {
            0 => String::new(),
            count => format!(" · {count} advisory"),
        };
        match self.required_total {
            0 => format!("no required check{advisory}"),
            total if unmeasured == total as usize => {
                format!("{total} required not measured{advisory}")
            }
            total if unmeasured > 0 => {
                let passed = self.required_passed;
                format!("{passed} of {total} required passed, {unmeasured} not measured{advisory}")
            }
            total => format!("{} of {total} required passed{advisory}", self.required_passed),
        }
    }
}

/// One check of one trial.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScorecardRow {
    /// The link where the check is filed.
    pub stage: Stage,
    /// The predicate kind or the grader.
    pub check: String,
    /// Where it comes from.
    pub provenance: Provenance,
    /// The step's position in the case, from 1; only for step assertions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u32>,
    /// Absent for a built-in row, which has no role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<Role>,
    /// What came out.
    pub outcome: CheckOutcome,
    /// Why, in one line.
    pub reason: String,
    /// What a built-in row expects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What a built-in row saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(stage: Stage, role: Option<Role>, outcome: CheckOutcome) -> ScorecardRow {
        let provenance = if role.is_some() { Provenance::Case } else { Provenance::BuiltIn };
        ScorecardRow {
            stage,
            check: "c".into(),
            provenance,
            step: None,
            role,
            outcome,
            reason: String::new(),
            expected: None,
            actual: None,
        }
    }

    #[test]
    fn only_required_rows_are_counted_as_required() {
        let card = Scorecard::new(vec![
            row(Stage::UserValue, Some(Role::Required), CheckOutcome::Passed),
            row(Stage::Selection, Some(Role::Required), CheckOutcome::Error),
            row(Stage::Selection, Some(Role::Advisory), CheckOutcome::Failed),
            row(Stage::Connection, None, CheckOutcome::Passed),
        ]);
        assert_eq!(card.summary(), "1 of 2 required passed · 1 advisory");
        assert_eq!(card.rows[0].stage, Stage::Connection);
    }

    #[test]
    fn checks_without_a_result_did_not_fail() {
        let rows = |outcome| row(Stage::UserValue, Some(Role::Required), outcome);
        let card =
            Scorecard::new(vec![rows(CheckOutcome::NotMeasured), rows(CheckOutcome::NotMeasured)]);
        assert_eq!(card.summary(), "2 required not measured");
        let card =
            Scorecard::new(vec![rows(CheckOutcome::Passed), rows(CheckOutcome::NotMeasured)]);
        assert_eq!(card.summary(), "1 of 2 required passed, 1 not measured");
    }

    #[test]
    fn a_trial_without_required_checks_does_not_read_as_passed() {
        assert_eq!(Scorecard::new(Vec::new()).summary(), "no required check");
    }
}
