//! The funnel: one horizontal bar per link, excluded trials apart, and a table with the same numbers (look, "The
//! funnel"; run-documents, section 7.8). Nothing is summed over links.

use askama::Template;
use howfar_wire::analytics::{Slice, StageAnalytics, StageTally};
use howfar_wire::rate::Counts;
use howfar_wire::vocabulary::{ExclusionClass, Stage, StageState, Vocabulary as _};

use crate::html::{anchor, units};
use crate::layout::mark;
use crate::text::{count, share};

/// How much of a bar's width the smallest lane gets, in percent, so that one trial of a thousand is seen.
const LEAST: f64 = 1.5;

/// The free space between included and excluded trials, in percent.
const GAP: f64 = 1.5;

/// From this width on a lane has room for its number.
const ROOM: f64 = 5.0;

/// The overall funnel of a run.
#[derive(Debug, Template)]
#[template(path = "component/funnel.html")]
pub struct FunnelChart {
    rows: Vec<Row>,
    included: String,
    excluded: Vec<Excluded>,
    excluded_in_all: u64,
    excluded_href: String,
    provisional: bool,
}

/// One link.
#[derive(Debug)]
struct Row {
    stage: Stage,
    /// Empty where nothing was measured: then there is no bar.
    bars: Vec<Bar>,
    lanes: Vec<Lane>,
    tally: StageTally,
    coverage: String,
    pass: String,
    latency: String,
}

/// What became of trials, how many, in which words.
#[derive(Debug, Clone)]
struct Lane {
    class: &'static str,
    mark: &'static str,
    trials: u64,
    words: &'static str,
    /// Where its trials are listed.
    href: String,
}

/// Trials that a page can list: those in one state at one link, or those in no bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunnelLane {
    /// The trials whose row at this link has this state.
    State(Stage, StageState),
    /// The excluded trials.
    Excluded,
}

/// A lane as a rectangle; numbers in percent of the width.
#[derive(Debug)]
struct Bar {
    lane: Lane,
    x: String,
    width: String,
    middle: String,
    /// Whether the number fits inside.
    labelled: bool,
}

/// Trials that stand in no bar, by class.
#[derive(Debug)]
struct Excluded {
    class: ExclusionClass,
    trials: u64,
    details: String,
}

impl FunnelChart {
    /// The funnel of an analytics document; `None` when it has no overall slice.
    ///
    /// A lane links to the anchor of [`anchor::lane`], where the page lists its trials.
    pub fn new(analytics: &StageAnalytics) -> Option<Self> {
        Self::linking(analytics, &|lane| match lane {
            FunnelLane::State(stage, state) => format!("#{}", anchor::lane(stage, state)),
            FunnelLane::Excluded => "#lane-excluded".to_owned(),
        })
    }

    /// The same for a page whose lanes are listed elsewhere: `address` says where.
    pub fn linking(
        analytics: &StageAnalytics,
        address: &dyn Fn(FunnelLane) -> String,
    ) -> Option<Self> {
        let overall = analytics.slices.iter().find(|row| row.slice == Slice::Overall {})?;
        let excluded = excluded(analytics);
        let row = |tally: &StageTally| Row::new(tally, &excluded, address);
        Some(Self {
            rows: overall.stages.iter().map(row).collect(),
            excluded_href: address(FunnelLane::Excluded),
            included: count(overall.included_trials, "trial"),
            excluded_in_all: analytics.excluded_trials.total(),
            excluded,
            provisional: analytics.materialization_state
                == howfar_wire::vocabulary::Materialization::Provisional,
        })
    }
}

/// The excluded trials by class, each with its details.
fn excluded(analytics: &StageAnalytics) -> Vec<Excluded> {
    let details = |counts: &Counts<howfar_wire::vocabulary::ExclusionDetail>, class| {
        let of_class = counts.iter().filter(|(detail, _)| detail.class() == class);
        let words: Vec<_> =
            of_class.map(|(detail, trials)| format!("{}: {trials}", detail.label())).collect();
        words.join(" · ")
    };
    analytics
        .excluded_trials
        .iter()
        .map(|(class, trials)| Excluded {
            class,
            trials,
            details: details(&analytics.excluded_trial_detail, class),
        })
        .collect()
}

impl Row {
    fn new(
        tally: &StageTally,
        excluded: &[Excluded],
        address: &dyn Fn(FunnelLane) -> String,
    ) -> Self {
        let lanes = lanes(tally, address);
        let apart = address(FunnelLane::Excluded);
        let bars = if tally.measured == 0 { Vec::new() } else { bars(&lanes, excluded, &apart) };
        let latency = tally.latency.filter(|latency| latency.sample_count > 0);
        Self {
            stage: tally.stage,
            bars,
            lanes: lanes.into_iter().filter(|lane| lane.trials > 0).collect(),
            coverage: share(tally.measured, tally.reached),
            pass: share(tally.passed, tally.measured),
            latency: latency.map_or("not measured".to_owned(), |latency| {
                let mean = latency.total_ms / latency.sample_count as f64;
                format!("{} (n = {})", units::duration(mean), latency.sample_count)
            }),
            tally: tally.clone(),
        }
    }
}

/// The lanes of a link in reading order.
fn lanes(tally: &StageTally, address: &dyn Fn(FunnelLane) -> String) -> [Lane; 6] {
    let lane = |state: StageState, class, trials, words| Lane {
        class,
        mark: mark(state),
        trials,
        words,
        href: address(FunnelLane::State(tally.stage, state)),
    };
    use StageState::{Failed, NotApplicable, NotMeasured, NotReached, Passed};
    [
        lane(Passed, "passed", tally.passed, "passed"),
        lane(Failed, "failed", tally.failed, "failed"),
        lane(NotMeasured, "notMeasured", tally.not_measured, "not measured"),
        lane(NotMeasured, "reachUnknown", tally.reach_unknown, "not known to be reached"),
        lane(NotApplicable, "notApplicable", tally.not_applicable, "not applicable"),
        lane(NotReached, "notReached", tally.not_reached, "never reached"),
    ]
}

/// The rectangles of a bar: included trials from the left, excluded ones apart at the right.
fn bars(lanes: &[Lane; 6], excluded: &[Excluded], apart: &str) -> Vec<Bar> {
    let out = excluded.iter().map(|excluded| Lane {
        class: "excluded",
        mark: "∅",
        trials: excluded.trials,
        words: excluded.class.label(),
        href: apart.to_owned(),
    });
    let all: Vec<(bool, Lane)> = lanes
        .iter()
        .cloned()
        .map(|lane| (false, lane))
        .chain(out.map(|lane| (true, lane)))
        .filter(|(_, lane)| lane.trials > 0)
        .collect();
    let gap = if excluded.is_empty() { 0.0 } else { GAP };
    let widths = widths(all.iter().map(|(_, lane)| lane.trials), 100.0 - gap);
    let mut x = 0.0;
    let mut apart = false;
    all.into_iter()
        .zip(widths)
        .map(|((is_excluded, lane), width)| {
            if is_excluded && !apart {
                apart = true;
                x += gap;
            }
            let bar = Bar {
                lane,
                x: format!("{x:.2}"),
                width: format!("{width:.2}"),
                middle: format!("{:.2}", x + width / 2.0),
                labelled: width >= ROOM,
            };
            x += width;
            bar
        })
        .collect()
}

/// Widths in proportion to counts, each at least [`LEAST`], together `whole`.
fn widths(counts: impl Iterator<Item = u64> + Clone, whole: f64) -> Vec<f64> {
    let total = counts.clone().sum::<u64>() as f64;
    let share = |count: u64| count as f64 / total * whole;
    let small = counts.clone().filter(|&count| share(count) < LEAST).count() as f64;
    let large: f64 = counts.clone().map(share).filter(|&share| share >= LEAST).sum();
    let scale = (whole - small * LEAST) / large;
    counts.map(|count| if share(count) < LEAST { LEAST } else { share(count) * scale }).collect()
}

#[cfg(test)]
mod tests {
    use howfar_wire::vocabulary::{FailureCategory, IterationStatus, StageReason};

    use super::*;
    use crate::fixture::{broke, case, held, report, unmeasured};

    fn shown(trials: Vec<howfar_wire::report::TrialReport>) -> String {
        let report = report(vec![case("c", "C", trials)]);
        let analytics = report.analytics.expect("the fixture has analytics");
        FunnelChart::new(&analytics).expect("an overall slice").to_string()
    }

    #[test]
    fn a_link_without_a_measured_trial_has_no_bar() {
        let shown =
            shown(vec![unmeasured(IterationStatus::TimedOut, StageReason::LifecycleStopped)]);
        assert!(!shown.contains("<rect"), "{shown}");
        assert!(shown.contains("not measured") && !shown.contains('%'), "{shown}");
        assert!(shown.contains("1 trial stands apart") && shown.contains("ran out of time: 1"));
    }

    #[test]
    fn excluded_trials_stand_apart() {
        let shown = shown(vec![
            held(),
            broke(Stage::Call, StageReason::ToolError, FailureCategory::ServerData),
            unmeasured(IterationStatus::TimedOut, StageReason::LifecycleStopped),
        ]);
        assert_eq!(shown.matches("<rect class=\"excluded\"").count(), 6, "{shown}");
        assert!(shown.contains("href=\"#lane-call-failed\""), "{shown}");
    }

    #[test]
    fn one_trial_of_a_thousand_is_seen() {
        let widths = widths([999, 1].into_iter(), 100.0);
        assert_eq!(widths, [98.5, 1.5]);
    }
}
