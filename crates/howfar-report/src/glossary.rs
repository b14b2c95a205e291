//! The glossary: every wire value with its words, its meaning, its next owner and its place in the story.

mod markdown;
mod rules;

use howfar_wire::chain::ChatSource;
use howfar_wire::compare::{
    BaselinePolicy, Classification, CompareStatus, ComparedSide, LinkChange, PassRateVerdict,
    SideOutcome, ToolChange, ToolPart,
};
use howfar_wire::evidence::{SpanCategory, SpanStatus};
use howfar_wire::gate::{GateOutcome, GateStatus, GatedVerdict, ReportedIntegrity, ScoreIntegrity};
use howfar_wire::judge::{JudgeErrorCode, JudgeSkipReason, RubricSource};
use howfar_wire::matching::{ArgumentMatching, AssertionFailure, ToolCallOrder};
use howfar_wire::predicate::{EffectiveRole, RowStatus};
use howfar_wire::rollup::RollupBlocker;
use howfar_wire::score::{IdSource, ScorePolicy, ScoreRole, ScoreStatus};
use howfar_wire::scorecard::{CheckOutcome, Provenance, Role};
use howfar_wire::suite::{CaptureLevel, ReportingMode, SuiteMode, UnknownTool};
use howfar_wire::suite_gate::{
    ConditionStatus, SuiteGateCondition, SuiteGateOutcome, SuiteGateReason,
};
use howfar_wire::transcript::{
    CaptureState, RenderStatus, SizeBasis, TimingProvenance, ToolErrorKind,
};
use howfar_wire::vocabulary::*;
use serde::Serialize;

pub use markdown::{
    SKILL_NAME, render_markdown, render_reading_rules, render_section, render_skill,
};
pub use rules::{POPULATIONS, Population, READING_RULES};

/// Where a value stands in the story that every output tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Place {
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
    /// What the suite file says, before anything runs.
    Suite,
}

impl Place {
    /// The place in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Decided => "what was decided",
            Self::Measured => "how much was measured",
            Self::Broke => "where the chain broke",
            Self::Evidence => "the evidence",
            Self::LookNext => "who should look next",
            Self::Run => "how the run was set up and ended",
            Self::Suite => "what the suite file says",
        }
    }
}

/// One value of one vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The wire spelling.
    pub value: String,
    /// The vocabulary's name.
    pub vocabulary: &'static str,
    /// The words a person reads.
    pub label: String,
    /// What it means beyond its words; absent when the words say it all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
    /// Who should look next; absent when the value names nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_owner: Option<String>,
    /// Its place in the story.
    pub place: Place,
    /// Its position in the vocabulary, from 1.
    pub position: usize,
}

/// One vocabulary with its members in contract order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Section {
    /// The vocabulary's name.
    pub vocabulary: &'static str,
    /// What the list says.
    pub about: &'static str,
    /// Its place in the story.
    pub place: Place,
    /// Its members.
    pub entries: Vec<Entry>,
}

/// Every vocabulary, in the order of the story.
pub fn sections() -> Vec<Section> {
    let mut sections = decided_and_measured();
    sections.extend(evidence_and_owners());
    sections.extend(runs_and_suites());
    sections
}

/// Every entry with this wire spelling; a value can stand in several vocabularies (`passed`, `selection`).
pub fn entries_for(value: &str) -> Vec<Entry> {
    sections()
        .into_iter()
        .flat_map(|section| section.entries)
        .filter(|entry| entry.value == value)
        .collect()
}

/// The known values closest to a text that is none, best first, at most three.
pub fn suggestions(value: &str) -> Vec<String> {
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
            meaning: meaning.or_else(|| gloss(member)),
            next_owner,
            place,
            position: at + 1,
        }
    };
    let entries = V::ALL.iter().enumerate().map(entry).collect();
    Section { vocabulary: V::NAME, about: V::ABOUT, place, entries }
}

/// What the member's own documentation says; `None` when it says no more than its words.
fn gloss<V: Vocabulary>(member: V) -> Option<String> {
    let text = member.gloss().replace("[`", "`").replace("`]", "`");
    let is_more = !text.trim_end_matches('.').eq_ignore_ascii_case(member.label());
    is_more.then_some(text)
}

/// What was decided, how much was measured, where the chain broke.
fn decided_and_measured() -> Vec<Section> {
    vec![
        section::<Verdict>(Place::Decided, no_detail),
        section::<DecisionVerdict>(Place::Decided, no_detail),
        section::<VerdictDecisionReason>(Place::Decided, no_detail),
        section::<UndecidedReason>(Place::Decided, no_detail),
        section::<VerdictSource>(Place::Decided, no_detail),
        section::<CaseVerdict>(Place::Decided, no_detail),
        section::<TaskVerdict>(Place::Decided, no_detail),
        section::<GateOutcome>(Place::Decided, no_detail),
        section::<GateStatus>(Place::Decided, no_detail),
        section::<GatedVerdict>(Place::Decided, no_detail),
        section::<SuiteGateReason>(Place::Decided, no_detail),
        section::<SuiteGateCondition>(Place::Decided, no_detail),
        section::<ConditionStatus>(Place::Decided, no_detail),
        section::<SuiteGateOutcome>(Place::Decided, no_detail),
        section::<RollupBlocker>(Place::Measured, no_detail),
        section::<CompareStatus>(Place::Decided, no_detail),
        section::<Classification>(Place::Decided, no_detail),
        section::<SideOutcome>(Place::Decided, no_detail),
        section::<ComparedSide>(Place::Decided, no_detail),
        section::<BaselinePolicy>(Place::Decided, no_detail),
        section::<PassRateVerdict>(Place::Decided, no_detail),
        section::<LinkChange>(Place::Broke, no_detail),
        section::<ToolChange>(Place::Measured, no_detail),
        section::<ToolPart>(Place::Measured, no_detail),
        section::<ScoreIntegrity>(Place::Measured, no_detail),
        section::<ReportedIntegrity>(Place::Measured, no_detail),
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
    ]
}

/// The evidence, and who should look next.
fn evidence_and_owners() -> Vec<Section> {
    vec![
        section::<StageReason>(Place::Evidence, reason),
        section::<PredicateKind>(Place::Evidence, predicate_kind),
        section::<Grader>(Place::Evidence, grader),
        section::<CaptureChannel>(Place::Evidence, no_detail),
        section::<Provenance>(Place::Evidence, no_detail),
        section::<Role>(Place::Evidence, no_detail),
        section::<CheckOutcome>(Place::Evidence, no_detail),
        section::<ScoreStatus>(Place::Evidence, no_detail),
        section::<ScoreRole>(Place::Evidence, no_detail),
        section::<ScorePolicy>(Place::Evidence, no_detail),
        section::<IdSource>(Place::Evidence, no_detail),
        section::<RowStatus>(Place::Evidence, no_detail),
        section::<RubricSource>(Place::Evidence, no_detail),
        section::<JudgeErrorCode>(Place::Evidence, no_detail),
        section::<JudgeSkipReason>(Place::Evidence, no_detail),
        section::<EffectiveRole>(Place::Evidence, no_detail),
        section::<AssertionFailure>(Place::Evidence, no_detail),
        section::<ToolErrorKind>(Place::Evidence, no_detail),
        section::<CaptureState>(Place::Evidence, no_detail),
        section::<SizeBasis>(Place::Evidence, no_detail),
        section::<TimingProvenance>(Place::Evidence, no_detail),
        section::<RenderStatus>(Place::Evidence, no_detail),
        section::<SpanCategory>(Place::Evidence, no_detail),
        section::<SpanStatus>(Place::Evidence, no_detail),
        section::<FailureCategory>(Place::LookNext, category),
        section::<RefusalKind>(Place::LookNext, refusal_kind),
        section::<Attribution>(Place::LookNext, no_detail),
        section::<FrictionSignalKind>(Place::Evidence, friction_signal),
        section::<FrictionGap>(Place::Evidence, no_detail),
        section::<CallOrdering>(Place::Evidence, no_detail),
        section::<ChatSource>(Place::Evidence, no_detail),
        section::<PaginationKey>(Place::Evidence, no_detail),
        section::<SuspectedCondition>(Place::LookNext, condition),
        section::<ConditionConfidence>(Place::LookNext, no_detail),
        section::<ConditionSkip>(Place::LookNext, no_detail),
    ]
}

/// How runs are set up and end, and what suite files say.
fn runs_and_suites() -> Vec<Section> {
    vec![
        section::<CaseState>(Place::Run, no_detail),
        section::<Termination>(Place::Run, no_detail),
        section::<RunState>(Place::Run, no_detail),
        section::<SetupOutcome>(Place::Run, no_detail),
        section::<SafetyClass>(Place::Run, no_detail),
        section::<PolicyReason>(Place::Run, no_detail),
        section::<RefusalCode>(Place::Run, no_detail),
        section::<RefusalPhase>(Place::Run, no_detail),
        section::<RefusalCategory>(Place::Run, refusal_category),
        section::<IssueCode>(Place::Run, no_detail),
        section::<IssueCategory>(Place::Run, no_detail),
        section::<ProblemReason>(Place::Run, no_detail),
        section::<Dialect>(Place::Suite, no_detail),
        section::<SuiteMode>(Place::Suite, no_detail),
        section::<ReportingMode>(Place::Suite, no_detail),
        section::<CaptureLevel>(Place::Suite, no_detail),
        section::<CaseKind>(Place::Suite, no_detail),
        section::<StepKind>(Place::Suite, no_detail),
        section::<ToolPolicyMode>(Place::Suite, no_detail),
        section::<UnknownTool>(Place::Suite, no_detail),
        section::<ToolCallOrder>(Place::Suite, no_detail),
        section::<ArgumentMatching>(Place::Suite, no_detail),
        section::<ModelProvider>(Place::Suite, no_detail),
        section::<StandardCheckId>(Place::Suite, standard_check),
        section::<FixedCheckId>(Place::Suite, fixed_check),
        section::<ImportStatus>(Place::Suite, no_detail),
        section::<ImportDecision>(Place::Suite, no_detail),
        section::<LoadStage>(Place::Suite, no_detail),
        section::<FindingCode>(Place::Suite, no_detail),
        section::<FindingClass>(Place::Suite, no_detail),
        section::<WarningClass>(Place::Suite, no_detail),
        section::<LiveFindingCode>(Place::Suite, no_detail),
        section::<Measurement>(Place::Suite, no_detail),
    ]
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
    let mut text = fill(reason.action(), AdviceEvidence::default());
    if let Some(remedy) = reason.remedy() {
        text.push_str(&format!(
            " In short: {}.",
            fill(remedy, AdviceEvidence::default()).trim_end_matches('?')
        ));
    }
    means(text)
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
    means(format!("{} Filed at {}; {role}.", kind.gloss(), kind.stage().label()))
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

fn friction_signal(kind: FrictionSignalKind) -> Detail {
    means(format!("Report-only. Benign reading: {}.", kind.benign_reading().trim_end_matches('.')))
}

fn condition(condition: SuspectedCondition) -> Detail {
    Detail {
        meaning: Some(condition.meaning().to_owned()),
        next_owner: condition.lever().map(str::to_owned),
    }
}

fn standard_check(id: StandardCheckId) -> Detail {
    let kind = id.kind();
    let (asks, link) = (kind.gloss(), id.stage().label());
    means(format!("`{kind}`: {asks} Filed at {link}; advisory, and suppressible per case."))
}

fn fixed_check(id: FixedCheckId) -> Detail {
    means(format!("Filed at {}; in every list, and never suppressible.", id.stage().label()))
}

fn refusal_category(category: RefusalCategory) -> Detail {
    means(format!("Exit code {}.", ExitCode::from(category)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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

    /// The vocabularies that the wire crate declares, by the text of its sources.
    fn declared() -> BTreeSet<String> {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../howfar-wire/src");
        let mut names = BTreeSet::new();
        let mut folders = vec![std::path::PathBuf::from(root)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("the wire crate is beside this one") {
                let path = entry.expect("a readable folder").path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).expect("a source file");
                let lines = text.lines().filter_map(|line| line.strip_prefix("    "));
                let declared = lines.filter_map(|line| line.split_once(" = \""));
                for (name, rest) in declared {
                    let is_type = name.starts_with(char::is_uppercase) && !name.contains(' ');
                    if is_type && rest.ends_with('{') {
                        names.extend(rest.split('"').next().map(str::to_owned));
                    }
                }
            }
        }
        names
    }

    #[test]
    fn every_vocabulary_of_the_wire_is_in_the_glossary() {
        let told: BTreeSet<_> =
            sections().into_iter().map(|section| section.vocabulary.to_owned()).collect();
        let declared = declared();
        assert!(declared.len() > 60, "{declared:?}");
        assert_eq!(declared.difference(&told).collect::<Vec<_>>(), Vec::<&String>::new());
    }

    #[test]
    fn a_near_miss_is_suggested() {
        assert_eq!(suggestions("missingTool").first().map(String::as_str), Some("missingToolCall"));
        assert!(suggestions("zzz").is_empty());
    }
}
