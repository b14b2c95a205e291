//! The trend of a suite: for each link a series of its runs, side by side, broken where two runs may not be compared
//! (run-documents, sections 7.9 and 7.10). Nothing is summed, over runs or over links.

use askama::Template;
use howfar_report::html::units::wall_clock;
use howfar_report::words::share;
use howfar_wire::api::{SuiteTrend, TrendPoint};
use howfar_wire::vocabulary::{Stage, Vocabulary as _};
use jiff::tz::TimeZone;

use super::link;
use super::part::{Term, When};

/// The left and the right end of the line of time, in units of the picture.
const TIME: (f64, f64) = (52.0, 244.0);

/// Where 100 % and 0 % stand.
const SCALE: (f64, f64) = (10.0, 78.0);

/// The section.
#[derive(Template)]
#[template(path = "trend.html")]
pub(super) struct Trend {
    /// Newest first.
    runs: Vec<Run>,
    charts: Vec<Chart>,
    /// Newest first.
    breaks: Vec<Break>,
}

/// One run of the table.
struct Run {
    href: String,
    when: When,
    /// Passed of measured, one per link.
    shares: Vec<String>,
    /// Whether no line leads to the next older run.
    is_cut: bool,
}

/// The series of one link.
struct Chart {
    link: Term,
    name: &'static str,
    /// The series in words, oldest first.
    words: String,
    /// Oldest first.
    points: Vec<Point>,
    lines: Vec<String>,
    /// Where the series is broken.
    breaks: Vec<String>,
}

struct Point {
    href: String,
    words: String,
    x: String,
    /// Absent where nothing was measured.
    y: Option<String>,
    gap_x: String,
}

/// Two neighbours that are not compared, and why.
struct Break {
    older: String,
    older_href: String,
    newer: String,
    newer_href: String,
    /// Empty when nobody can say.
    blockers: Vec<Term>,
}

impl Trend {
    /// The trend of a page of runs.
    pub(super) fn new(trend: &SuiteTrend, zone: &TimeZone) -> Self {
        Self {
            runs: trend.points.iter().map(|point| Run::new(point, zone)).collect(),
            charts: Stage::ALL.iter().map(|&stage| Chart::new(stage, trend, zone)).collect(),
            breaks: trend.points.iter().filter_map(break_of).collect(),
        }
    }
}

impl Run {
    fn new(point: &TrendPoint, zone: &TimeZone) -> Self {
        let share_at = |&stage: &Stage| match measured(point, stage) {
            Some((passed, of)) => share(passed, of),
            None => "not measured".to_owned(),
        };
        Self {
            href: link::run(&point.run.run_id),
            when: When::new(&point.run.started_at, zone),
            shares: Stage::ALL.iter().map(share_at).collect(),
            is_cut: break_of(point).is_some(),
        }
    }
}

impl Chart {
    fn new(stage: Stage, trend: &SuiteTrend, zone: &TimeZone) -> Self {
        let oldest_first: Vec<&TrendPoint> = trend.points.iter().rev().collect();
        let places: Vec<(f64, Option<f64>)> = oldest_first
            .iter()
            .enumerate()
            .map(|(at, point)| (x_of(at, oldest_first.len()), y_of(point, stage)))
            .collect();
        let points: Vec<Point> = oldest_first
            .iter()
            .zip(&places)
            .map(|(point, place)| Point::new(point, stage, *place, zone))
            .collect();
        let words: Vec<&str> = points.iter().map(|point| point.words.as_str()).collect();
        Self {
            link: Term::of(stage),
            name: stage.label(),
            words: format!("{}: {}", stage.label(), words.join("; ")),
            lines: lines(&oldest_first, &places),
            breaks: breaks(&oldest_first, &places),
            points,
        }
    }
}

impl Point {
    fn new(point: &TrendPoint, stage: Stage, (x, y): (f64, Option<f64>), zone: &TimeZone) -> Self {
        let when = wall_clock(&point.run.started_at, zone);
        let words = match measured(point, stage) {
            Some((passed, of)) => format!("{when}: passed {}", share(passed, of)),
            None => format!("{when}: not measured"),
        };
        Self {
            href: link::run(&point.run.run_id),
            words,
            x: format!("{x:.1}"),
            y: y.map(|y| format!("{y:.1}")),
            gap_x: format!("{:.1}", x - 6.0),
        }
    }
}

/// Passed and measured trials at a link; `None` when the link was measured in none.
fn measured(point: &TrendPoint, stage: Stage) -> Option<(u64, u64)> {
    let stages = &point.chain.as_ref()?.stages;
    let tally = stages.iter().find(|tally| tally.stage == stage)?;
    (tally.measured > 0).then_some((tally.passed, tally.measured))
}

fn x_of(at: usize, points: usize) -> f64 {
    match points {
        0 | 1 => f64::midpoint(TIME.0, TIME.1),
        _ => TIME.0 + (TIME.1 - TIME.0) * at as f64 / (points - 1) as f64,
    }
}

fn y_of(point: &TrendPoint, stage: Stage) -> Option<f64> {
    let (passed, of) = measured(point, stage)?;
    Some(SCALE.1 - (SCALE.1 - SCALE.0) * passed as f64 / of as f64)
}

/// The lines between neighbours that may be compared and are both measured.
fn lines(points: &[&TrendPoint], places: &[(f64, Option<f64>)]) -> Vec<String> {
    let line = |(at, pair): (usize, &[(f64, Option<f64>)])| match pair {
        [(x1, Some(y1)), (x2, Some(y2))] if break_of(points[at + 1]).is_none() => {
            Some(format!("M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}"))
        }
        _ => None,
    };
    places.windows(2).enumerate().filter_map(line).collect()
}

/// Where two neighbours may not be compared: halfway between them.
fn breaks(points: &[&TrendPoint], places: &[(f64, Option<f64>)]) -> Vec<String> {
    let cut = |(at, pair): (usize, &[(f64, Option<f64>)])| {
        break_of(points[at + 1])?;
        Some(format!("{:.1}", f64::midpoint(pair[0].0, pair[1].0)))
    };
    places.windows(2).enumerate().filter_map(cut).collect()
}

/// What stands between a run and the next older one; `None` when nothing does, or there is no older one.
fn break_of(point: &TrendPoint) -> Option<Break> {
    let older = point.to_older.as_ref()?;
    let blockers = match &older.blockers {
        Some(blockers) if blockers.is_empty() => return None,
        Some(blockers) => blockers.iter().map(|&blocker| Term::of(blocker)).collect(),
        None => Vec::new(),
    };
    Some(Break {
        older: older.run_id.clone(),
        older_href: link::run(&older.run_id),
        newer: point.run.run_id.clone(),
        newer_href: link::run(&point.run.run_id),
        blockers,
    })
}

#[cfg(test)]
mod tests {
    use howfar_wire::vocabulary::ParityBlocker;
    use serde_json::json;

    use super::*;

    fn point(id: &str, passed: u64, failed: u64, blockers: Option<&[ParityBlocker]>) -> TrendPoint {
        let measured = passed + failed;
        let stage = |stage: &Stage| {
            json!({
                "stage": stage, "applicable": 4, "reached": 4, "notReached": 0, "reachUnknown": 0,
                "measured": measured, "passed": passed, "failed": failed, "notMeasured": 4 - measured,
                "notApplicable": 0, "excluded": {}, "reasons": [],
            })
        };
        let mut point: TrendPoint = serde_json::from_value(json!({
            "run": {
                "runId": id, "suiteId": "s", "suiteName": "S", "startedAt": "2026-01-01T00:00:00Z",
                "state": "ended", "verdict": "passed", "unit": "case", "cases": 1, "configuredTrials": 4,
                "storedTrials": 4,
            },
            "identity": {},
            "chain": {
                "slice": { "dimension": "overall" }, "includedTrials": 4, "excludedTrials": {},
                "failureCategories": [], "stages": Stage::ALL.iter().map(stage).collect::<Vec<_>>(),
            },
        }))
        .expect("a point");
        point.to_older = blockers.map(|blockers| howfar_wire::api::TrendBreak {
            run_id: "older".to_owned(),
            blockers: Some(blockers.to_vec()),
        });
        point
    }

    fn shown(points: Vec<TrendPoint>) -> String {
        let trend = SuiteTrend {
            schema_version: 1,
            kind: "suite-trend".to_owned(),
            suite_id: "s".to_owned(),
            suite_name: "S".to_owned(),
            unit: howfar_wire::vocabulary::MeasurementUnit::Trial,
            total_runs: points.len() as u64,
            points,
            next_cursor: None,
        };
        Trend::new(&trend, &TimeZone::UTC).to_string()
    }

    #[test]
    fn comparable_neighbours_are_joined() {
        let shown = shown(vec![point("b", 2, 2, Some(&[])), point("a", 4, 0, None)]);
        assert_eq!(shown.matches("class=\"line\"").count(), 6, "{shown}");
        assert!(shown.contains("M52.0 10.0L244.0 44.0") && shown.contains("2 of 4 (50 %)"));
    }

    #[test]
    fn a_blocker_breaks_the_line_and_is_named() {
        let blockers = [ParityBlocker::DifferentCaseSetIdentity];
        let shown = shown(vec![point("b", 2, 2, Some(&blockers)), point("a", 4, 0, None)]);
        assert_eq!(shown.matches("class=\"line\"").count(), 0, "{shown}");
        assert!(shown.contains("the runs ran different cases") && shown.contains("class=\"cut\""));
    }

    #[test]
    fn what_was_not_measured_has_no_place_on_the_scale() {
        let shown = shown(vec![point("b", 0, 0, Some(&[])), point("a", 4, 0, None)]);
        assert_eq!(shown.matches("class=\"dot\"").count(), 6, "{shown}");
        assert!(shown.contains("not measured") && !shown.contains("0 of 0"));
    }
}
