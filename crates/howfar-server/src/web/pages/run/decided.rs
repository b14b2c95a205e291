//! What was decided about a run, in words.

use howfar_report::words::count;
use howfar_wire::api::RunHead;
use howfar_wire::vocabulary::{RunState, Stage, Vocabulary as _};

use crate::web::pages::link;

/// A link that was the first to fail in some trial.
pub(super) struct Stop {
    pub(super) name: &'static str,
    pub(super) trials: String,
    pub(super) href: String,
}

/// "3 of 5 case variants passed · 1 failed · 1 inconclusive"; of a run that did not end, how many trials finished.
pub(super) fn counts(head: &RunHead) -> String {
    let Some(counts) = &head.counts else {
        let configured = count(head.population.configured_iterations, "trial");
        return format!("{} of {configured} finished", head.trials.stored);
    };
    let known = |number: Option<u64>| number.unwrap_or_default();
    let total = count(known(counts.total), "case variant");
    let mut text = format!("{} of {total} passed", known(counts.passed));
    for (number, words) in [(counts.failed, "failed"), (counts.inconclusive, "inconclusive")] {
        if known(number) > 0 {
            text.push_str(&format!(" · {} {words}", known(number)));
        }
    }
    text
}

/// Why the verdict is what it is, or why none is established.
pub(super) fn sentences(head: &RunHead) -> Vec<String> {
    let because = head.decision.as_ref().map(|decision| {
        let reasons: Vec<&str> = decision.reasons.iter().map(|reason| reason.label()).collect();
        format!("because {}", reasons.join("; "))
    });
    match (&head.undecided, head.run.state) {
        (None, _) => because.into_iter().collect(),
        (Some(_), RunState::Running | RunState::CutOff) => Vec::new(),
        (Some(undecided), RunState::Ended) => {
            let mut lines = vec![format!("because {}", undecided.reason.label())];
            lines.extend(undecided.detail.clone());
            lines.extend(head.decision.as_ref().zip(because).map(|(decision, because)| {
                let verdict = decision.verdict.label();
                format!("partial decision over what was measured: {verdict}, {because}")
            }));
            lines
        }
    }
}

/// The links that failed first in some trial, in chain order. Each trial stands at one of them or at none.
pub(super) fn stops(head: &RunHead) -> Vec<Stop> {
    let stop = |(stage, trials): (Stage, u64)| Stop {
        name: stage.label(),
        trials: count(trials, "trial"),
        href: link::first_failed(&head.run.run_id, stage),
    };
    head.trials.first_failed_stages.iter().map(stop).collect()
}
