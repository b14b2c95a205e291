//! The glossary: every wire value with its words, its meaning, its next owner and its place in the story.

use howfar_wire::scorecard::{CheckOutcome, Provenance, Role};
use howfar_wire::vocabulary::*;
use serde::Serialize;

/// Where a value stands in the story that every output tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Place {
    /// What was decided.
    Decided,
    /// How much was measured.
    Measured,
    /// Where the chain broke.
    Broke,
    /// The evidence.
    Evidence,
    /// Who should look next.
    LookNext,
    /// How the run was set up and ended.
    Run,
}

impl Place {
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Decided => "what was decided",
            Self::Measured => "how much was measured",
            Self::Broke => "where the chain broke",
            Self::Evidence => "the evidence",
            Self::LookNext => "who should look next",
            Self::Run => "how the run was set up and ended",
        }
    }
}

/// One value of one vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry {
    /// The wire spelling.
    pub(crate) value: String,
    /// The vocabulary's name.
    pub(crate) vocabulary: &'static str,
    /// The words a person reads.
    pub(crate) label: String,
    /// What it means beyond its words; absent when the words say it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) meaning: Option<String>,
    /// Who should look next; absent when the value names nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next_owner: Option<String>,
    /// Its place in the story.
    pub(crate) place: Place,
    /// Its position in the vocabulary, from 1.
    pub(crate) position: usize,
}

/// One vocabulary with its members in contract order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Section {
    /// The vocabulary's name.
    pub(crate) vocabulary: &'static str,
    /// What the list says.
    pub(crate) about: &'static str,
    /// Its place in the story.
    pub(crate) place: Place,
    /// Its members.
    pub(crate) entries: Vec<Entry>,
}

/// Every vocabulary, in the order of the story.
pub(crate) fn sections() -> Vec<Section> {
    vec![
        section::<Verdict>(Place::Decided, no_detail),
        section::<DecisionVerdict>(Place::Decided, no_detail),
        section::<VerdictDecisionReason>(Place::Decided, no_detail),
        section::<UndecidedReason>(Place::Decided, no_detail),
        section::<VerdictSource>(Place::Decided, no_detail),
        section::<CaseVerdict>(Place::Decided, no_detail),
        section::<TaskVerdict>(Place::Decided, no_detail),
        section::<MeasurementUnit>(Place::Measured, no_detail),
        section::<IterationStatus>(Place::Measured, no_detail),
        section::<TrialExclusionReason>(Place::Measured, no_detail),
        section::<ExclusionClass>(Place::Measured, exclusion_class),
        section::<ExclusionDetail>(Place::Measured, no_detail),
        section::<RateState>(Place::Measured, no_detail),
        section::<Reach>(Place::Measured, no_detail),
        section::<Materialization>(Place::Measured, no_detail),
        section::<ParityBlocker>(Place::Measured, no_detail),
        section::<Stage>(Place::Broke, stage),
        section::<StageState>(Place::Broke, stage_state),
        section::<StageReason>(Place::Evidence, reason),
        section::<PredicateKind>(Place::Evidence, predicate_kind),
        section::<Grader>(Place::Evidence, grader),
        section::<CaptureChannel>(Place::Evidence, no_detail),
        section::<Provenance>(Place::Evidence, no_detail),
        section::<Role>(Place::Evidence, no_detail),
        section::<CheckOutcome>(Place::Evidence, no_detail),
        section::<FailureCategory>(Place::LookNext, category),
        section::<RefusalKind>(Place::LookNext, refusal_kind),
        section::<Attribution>(Place::LookNext, no_detail),
        section::<CaseState>(Place::Run, no_detail),
        section::<Termination>(Place::Run, no_detail),
        section::<SetupOutcome>(Place::Run, no_detail),
        section::<SafetyClass>(Place::Run, no_detail),
        section::<PolicyReason>(Place::Run, no_detail),
        section::<RefusalCode>(Place::Run, no_detail),
        section::<RefusalPhase>(Place::Run, no_detail),
        section::<RefusalCategory>(Place::Run, refusal_category),
        section::<IssueCode>(Place::Run, no_detail),
    ]
}

/// Every entry with this wire spelling; a value can stand in several vocabularies (`passed`, `selection`).
pub(crate) fn entries_for(value: &str) -> Vec<Entry> {
    sections()
        .into_iter()
        .flat_map(|section| section.entries)
        .filter(|entry| entry.value == value)
        .collect()
}

/// The known values closest to a text that is none, best first, at most three.
pub(crate) fn suggestions(value: &str) -> Vec<String> {
    let lower = value.to_lowercase();
    let mut scored: Vec<(f64, String)> = sections()
        .into_iter()
        .flat_map(|section| section.entries)
        .map(|entry| (strsim::jaro_winkler(&lower, &entry.value.to_lowercase()), entry.value))
        .filter(|(score, _)| *score > 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    scored.dedup_by(|a, b| a.1 == b.1);
    scored.into_iter().take(3).map(|(_, value)| value).collect()
}

struct Detail {
    meaning: Option<String>,
    next_owner: Option<String>,
}

fn section<V: Vocabulary>(place: Place, detail: fn(V) -> Detail) -> Section {
    let entry = |(at, &member): (usize, &V)| {
        let Detail { meaning, next_owner } = detail(member);
        Entry {
            value: member.as_str().to_owned(),
            vocabulary: V::NAME,
            label: member.label().to_owned(),
            meaning,
            next_owner,
            place,
            position: at + 1,
        }
    };
    let entries = V::ALL.iter().enumerate().map(entry).collect();
    Section { vocabulary: V::NAME, about: V::ABOUT, place, entries }
}

fn no_detail<V>(_: V) -> Detail {
    Detail { meaning: None, next_owner: None }
}

fn means(text: impl Into<String>) -> Detail {
    Detail { meaning: Some(text.into()), next_owner: None }
}

fn stage(stage: Stage) -> Detail {
    means(format!("{} When it holds: {}.", stage.question(), stage.healthy().to_lowercase()))
}

fn stage_state(state: StageState) -> Detail {
    means(match state {
        StageState::Passed => "Eligible evidence was inspected and the link held.",
        StageState::Failed => "Eligible evidence was inspected and the link did not hold.",
        StageState::NotReached => "Not a pass: an earlier link failed, so this one never ran.",
        StageState::NotMeasured => {
            "Not a pass: nothing eligible was inspected. Add a check that measures it."
        }
        StageState::NotApplicable => {
            "Not a pass: the case asserts nothing that this link could decide."
        }
    })
}

fn reason(reason: StageReason) -> Detail {
    means(match reason.wording() {
        ReasonWording::Direct => "Points at something to look at on this link.",
        ReasonWording::CheckWhether => "A judge's opinion: read its reasons before acting on it.",
        ReasonWording::NothingToFix => "Nothing on the server is indicated.",
    })
}

fn category(category: FailureCategory) -> Detail {
    Detail {
        meaning: Some("A bucket, not a cause.".to_owned()),
        next_owner: Some(category.next_owner().to_owned()),
    }
}

fn exclusion_class(class: ExclusionClass) -> Detail {
    means(match class {
        ExclusionClass::Lifecycle => "No comparable observation exists. Normal data loss.",
        ExclusionClass::Integrity => {
            "A chain or a measurement is missing or was rejected. Report it as a bug of howfar."
        }
        ExclusionClass::Version => "Written by a newer howfar. Upgrade the reader.",
        ExclusionClass::NotApplicable => "The link does not apply to the case.",
        ExclusionClass::ReachUnknown => {
            "Nothing captured says whether the link was reached. Not a drop-off."
        }
        ExclusionClass::NotMeasured => "Reached, and nothing decided it. Add a check.",
    })
}

fn predicate_kind(kind: PredicateKind) -> Detail {
    let role =
        if kind.is_observation() { "advisory only" } else { "required unless `role: advisory`" };
    means(format!("Filed at {}; {role}.", kind.stage().label()))
}

fn grader(grader: Grader) -> Detail {
    means(format!("Filed at {}.", grader.stage().label()))
}

fn refusal_kind(kind: RefusalKind) -> Detail {
    let meaning = if kind.stops_run() {
        "The run stops: no later call could fare better. Never a failing check."
    } else {
        "Only this trial ends. Never a failing check."
    };
    means(meaning)
}

fn refusal_category(category: RefusalCategory) -> Detail {
    means(format!("Exit code {}.", ExitCode::from(category)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_category_names_its_next_owner() {
        for &member in FailureCategory::ALL {
            let entries = entries_for(member.as_str());
            assert!(entries.iter().any(|entry| entry.next_owner.is_some()), "{member}");
        }
    }

    #[test]
    fn a_value_in_two_vocabularies_is_explained_twice() {
        let vocabularies: Vec<_> =
            entries_for("selection").into_iter().map(|entry| entry.vocabulary).collect();
        assert_eq!(vocabularies, ["stages", "failureCategories"]);
    }

    #[test]
    fn a_near_miss_is_suggested() {
        assert_eq!(suggestions("missingTool").first().map(String::as_str), Some("missingToolCall"));
        assert!(suggestions("zzz").is_empty());
    }
}
