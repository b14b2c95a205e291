//! Markdown of a comparison and of gates: whether the runs may be compared first, then what moved, then the gates.

use std::fmt::{self, Write};

use howfar_wire::compare::{
    CaseLinks, CompareCase, CompareCatalogs, CompareStatus, LinkMovement, LinkTally,
    PassRateComparison, RateDifference, RunComparison,
};
use howfar_wire::gate::{GateReport, GateStatus};
use howfar_wire::vocabulary::{ExitCode, Vocabulary as _};

use super::escape::{cell_code, code};
use super::{MAX_ROWS, and_more};
use crate::comparison::owners::compared_owners;
use crate::comparison::tools::{TOOLS_OF_A_LINE, tools_compared};

/// The most cases that are named at one owner.
const OWNER_CASES: usize = 5;

/// Writes a comparison as Markdown. Counts are in trials and never added up over links; while a blocker stands, no rate
/// is given (run-documents, section 9).
///
/// # Errors
///
/// Only what `out` gives.
pub fn render_comparison_markdown(
    comparison: &RunComparison,
    exit: ExitCode,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    let document = &comparison.compare;
    let suite = document.suite.as_ref().map_or("", |suite| suite.name.as_str());
    writeln!(out, "## Comparison: {}\n", code(suite))?;
    blockers(comparison, out)?;
    let (base, compare) = (code(&document.base_run.id), code(&document.compare_run.id));
    writeln!(out, "base run {base} → compared run {compare}\n")?;
    if let Some(rate) = &comparison.pass_rate {
        pass_rate(rate, out)?;
    }
    tools(&comparison.catalogs, out)?;
    cases(comparison, out)?;
    owners(comparison, out)?;
    gates(&comparison.gates, out)?;
    writeln!(out, "Exit {}: {}", exit.code(), exit.meaning())
}

/// Writes the gates of one run as Markdown.
///
/// # Errors
///
/// Only what `out` gives.
pub fn render_gates_markdown(
    run_id: &str,
    report: &GateReport,
    exit: ExitCode,
    out: &mut dyn fmt::Write,
) -> fmt::Result {
    writeln!(out, "## Gates of run {}\n", code(run_id))?;
    gates(report, out)?;
    writeln!(out, "Exit {}: {}", exit.code(), exit.meaning())
}

/// Why the runs may not be compared, before anything else is said.
fn blockers(comparison: &RunComparison, out: &mut dyn Write) -> fmt::Result {
    if !comparison.parity_blockers.is_empty() {
        writeln!(out, "**The runs may not be compared**, so no rate and no trend is given:\n")?;
        for blocker in &comparison.parity_blockers {
            writeln!(out, "- `{}`: {}", blocker.as_str(), blocker.label())?;
        }
        writeln!(out)?;
    }
    for run in &comparison.undecided {
        let what = if run.complete { run.verdict.label() } else { "not complete" };
        writeln!(out, "{} is {what}: no gate is decided over it.\n", run.side.label())?;
    }
    Ok(())
}

fn pass_rate(rate: &PassRateComparison, out: &mut dyn Write) -> fmt::Result {
    let side = |passed: u64, total: u64| match total {
        0 => "no graded trial".to_owned(),
        total => format!("{passed} of {total}"),
    };
    let (base, compare) = (rate.base, rate.compare);
    let (base, compare) = (side(base.passed, base.total), side(compare.passed, compare.total));
    write!(out, "Pass rate: {base} → {compare} graded trials")?;
    if let Some(difference) = rate.difference {
        write!(out, "; {}", difference_words(difference))?;
    }
    writeln!(out, ": **{}**\n", rate.verdict.label())
}

/// Whether the model saw the same tools, and the first ones that servers declare otherwise.
fn tools(catalogs: &CompareCatalogs, out: &mut dyn Write) -> fmt::Result {
    let compared = tools_compared(catalogs).at_most(TOOLS_OF_A_LINE);
    write!(out, "{}", compared.sentence)?;
    for (at, tool) in compared.tools.iter().enumerate() {
        let comma = if at == 0 { "" } else { "," };
        write!(out, "{comma} {} ({})", code(&tool.name), tool.what)?;
    }
    match compared.rest() {
        Some(rest) => writeln!(out, ", {rest}\n"),
        None => writeln!(out, "\n"),
    }
}

/// One row per case, those that regressed first.
fn cases(comparison: &RunComparison, out: &mut dyn Write) -> fmt::Result {
    let mut rows: Vec<(&CompareCase, &CaseLinks)> =
        comparison.compare.cases.iter().zip(&comparison.links).collect();
    rows.sort_by_key(|(case, _)| case.status != CompareStatus::Regressed);
    writeln!(out, "| Case | What became of it | The link that moved |\n| --- | --- | --- |")?;
    for (case, links) in rows.iter().take(MAX_ROWS) {
        let moved = links.links.iter().find(|link| Some(link.stage) == links.moved_link);
        let moved = moved.map_or_else(|| "–".to_owned(), link_words);
        let (key, title) = (cell_code(&case.case_key), cell_code(&case.title));
        writeln!(out, "| {key} {title} | {} | {moved} |", status_words(case.status))?;
    }
    writeln!(out)?;
    and_more(rows.len(), "case", out)
}

/// Who should look next at what regressed.
fn owners(comparison: &RunComparison, out: &mut dyn Write) -> fmt::Result {
    let owners = compared_owners(comparison);
    if owners.is_empty() {
        return Ok(());
    }
    writeln!(out, "Who should look next at what regressed:\n")?;
    for owner in &owners {
        let shown: Vec<String> = owner.cases.iter().take(OWNER_CASES).map(|id| code(id)).collect();
        let rest = owner.cases.len() - shown.len();
        let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
        let (bucket, words) = (owner.bucket.label(), owner.bucket.next_owner());
        writeln!(out, "- {bucket}: {words} · {}{more}", shown.join(", "))?;
    }
    writeln!(out)
}

/// The mark and the words of a status; only a regression is red.
fn status_words(status: CompareStatus) -> String {
    let mark = match status {
        CompareStatus::Regressed => "✗",
        CompareStatus::Fixed | CompareStatus::UnchangedPassed => "✓",
        CompareStatus::UnchangedFailed => "·",
        CompareStatus::Changed | CompareStatus::NewCase | CompareStatus::RemovedCase => "?",
    };
    format!("{mark} {}", status.label())
}

/// "Selection: 6 of 6 → 0 of 6 measured trials; difference −100 points, 95 % interval \[−100, −39\]".
fn link_words(link: &LinkMovement) -> String {
    let side = |tally: LinkTally| match tally.measured() {
        0 => "not measured".to_owned(),
        measured => format!("{} of {measured}", tally.passed),
    };
    let what = match link.difference {
        Some(difference) => difference_words(difference),
        None => link.change.label().to_owned(),
    };
    let (base, compare) = (side(link.base), side(link.compare));
    format!("{}: {base} → {compare} measured trials passed; {what}", link.stage.label())
}

fn difference_words(difference: RateDifference) -> String {
    let (lower, upper) = (points(difference.lower), points(difference.upper));
    let delta = points(difference.delta);
    format!("difference {delta} points, 95 % interval {lower} to {upper}")
}

/// A fraction as whole points with its sign.
fn points(fraction: f64) -> String {
    let points = (fraction * 100.0).round();
    match points {
        points if points < 0.0 => format!("−{}", -points),
        points if points > 0.0 => format!("+{points}"),
        _ => "0".to_owned(),
    }
}

/// Every gate with what came of it; without any, nothing was asked.
fn gates(report: &GateReport, out: &mut dyn Write) -> fmt::Result {
    if report.verdicts.is_empty() {
        return writeln!(out, "No gate was asked for.\n");
    }
    writeln!(out, "Gates: **{}**\n\n| Gate | | |\n| --- | --- | --- |", report.outcome.label())?;
    for gate in &report.verdicts {
        let (name, message) = (cell_code(&gate.gate), cell_code(&gate.message));
        writeln!(out, "| {name} | {} | {message} |", gate_words(gate.status))?;
    }
    writeln!(out)
}

/// The mark and the words of a gate; only one that failed is red.
fn gate_words(status: GateStatus) -> String {
    let mark = match status {
        GateStatus::Passed => "✓",
        GateStatus::Failed => "✗",
        GateStatus::NonGateable | GateStatus::UsageError => "?",
        GateStatus::Waived => "–",
    };
    format!("{mark} {}", status.label())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// A comparison of one case whose selection fell, with one gate that failed.
    fn comparison() -> Value {
        let tally = |passed: u64, failed: u64| json!({"passed": passed, "failed": failed, "notMeasured": 0, "notReached": 0, "notApplicable": 0});
        let difference = json!({"delta": -1.0, "confidence": 0.95, "lower": -1.0, "upper": -0.385});
        let link = json!({"stage": "selection", "base": tally(6, 0), "compare": tally(0, 6),
            "change": "fell", "difference": difference});
        let side = json!({"trials": 6, "includedTrials": 6, "excluded": [], "firstFailedLinks": [],
                "failureCategories": [{"category": "selection", "trials": 6}]});
        let unpriced = json!({"usd": 0.0, "pricedTrials": 0, "trials": 6});
        let outcome = |outcome: &str| json!({"outcome": outcome, "iterationIds": [], "representativeIterationId": null, "error": null});
        let case = json!({"caseKey": "c_book", "title": "Books | @team", "status": "regressed",
            "configChanged": false, "evaluationConfigChanged": false,
            "base": outcome("passed"), "compare": outcome("failed")});
        let rate = |passed: u64| json!({"passed": passed, "total": 6, "interval": null});
        json!({
            "schemaVersion": 1, "kind": "run-comparison", "measurementUnit": "trial",
            "parityBlockers": [], "undecided": [],
            "population": {"caseSetChanged": false, "scenarioConfigChanged": false,
                "evaluationConfigChanged": false, "iterationWeightingEqual": true},
            "catalogs": {"base": "1", "compare": "2", "changed": true, "toolsLeftOut": 0, "tools": [
                {"serverName": "shop", "toolName": "find|`@team`", "change": "changed", "parts": ["description"]}]},
            "passRate": {"unit": "trial", "base": rate(6), "compare": rate(0), "difference": difference,
                "verdict": "regression", "minSampleSize": 5.0, "minEffectSize": 0.01},
            "deterministicRegressions": [], "scoreDeltasAvailable": false,
            "flakyCases": {"base": [], "compare": []},
            "cost": {"base": unpriced, "compare": unpriced},
            "links": [{"caseKey": "c_book", "movedLink": "selection", "base": side, "compare": side, "links": [link]}],
            "compare": {"suite": {"id": "s", "name": "Shop"}, "baseRun": {"id": "r_1"}, "compareRun": {"id": "r_2"},
                "scoreContract": {"base": {}, "compare": {}, "evaluationConfigChanged": false}, "cases": [case]},
            "gates": {"outcome": "failed", "scoreIntegrity": "unknown", "verdicts": [
                {"gate": "passRateRegression", "status": "failed", "message": "fell by 100 points"}]},
        })
    }

    fn markdown(comparison: Value) -> String {
        let comparison: RunComparison =
            serde_json::from_value(comparison).expect("the fixture is a comparison");
        let mut out = String::new();
        render_comparison_markdown(&comparison, ExitCode::MeasuredFailure, &mut out)
            .expect("a string takes text");
        out
    }

    #[test]
    fn a_regression_names_the_case_the_link_and_the_interval() {
        insta::assert_snapshot!(markdown(comparison()), @r#"
        ## Comparison: `Shop`

        base run `r_1` → compared run `r_2`

        Pass rate: 6 of 6 → 0 of 6 graded trials; difference −100 points, 95 % interval −100 to −39: **fell by more than chance explains**

        The tools that the model saw differ: `` find|`@team` `` (description)

        | Case | What became of it | The link that moved |
        | --- | --- | --- |
        | `c_book` `Books \| @team` | ✗ regressed | Selection: 6 of 6 → 0 of 6 measured trials passed; difference −100 points, 95 % interval −100 to −39 |

        Who should look next at what regressed:

        - tool selection: review tool selection and the tool catalog · `c_book`

        Gates: **failed**

        | Gate | | |
        | --- | --- | --- |
        | `passRateRegression` | ✗ failed | `fell by 100 points` |

        Exit 1: a measured failure
        "#);
    }

    #[test]
    fn a_blocker_comes_first_and_takes_the_rate_away() {
        let mut blocked = comparison();
        blocked["parityBlockers"] = json!(["differentConfigIdentity"]);
        blocked.as_object_mut().expect("an object").shift_remove("passRate");
        let text = markdown(blocked);
        let third = text.lines().nth(2).unwrap_or_default();
        assert!(third.starts_with("**The runs may not be compared**"), "{text}");
        assert!(!text.contains("Pass rate"), "{text}");
    }
}
