//! The trials of a page: those of one case that did the same share one description, and each has a row of its own with
//! its time line and its messages.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use askama::Template;
use howfar_core::friction::{FrictionReading, friction_reading};
use howfar_wire::evidence::{TimelineSpan, TrialEvidence};
use howfar_wire::report::{CaseReport, TrialReport};
use howfar_wire::scorecard::CheckOutcome;
use howfar_wire::vocabulary::{TaskVerdict, Vocabulary as _};

use super::component::{
    CallsPanel, ChainCards, Conversation, FrictionPanel, Level, LongText, MiniChain,
    ScorecardTable, Timeline, TimelineStrip,
};
use super::{TrialSource, anchor, filters};
use crate::story::is_healthy;
use crate::story::trial::what_happened;
use crate::text::{clip, trial_list};
use crate::words::trial_facts;

/// Trials of one case that did the same: same chain, checks, calls and errors. Times and words of the model may differ.
pub(super) struct Story<'a> {
    case: &'a CaseReport,
    /// The trials, in order; never empty.
    trials: Vec<&'a TrialReport>,
    /// One per trial.
    records: Vec<Record>,
    /// Whether every trial did what the case asks.
    pub(super) healthy: bool,
    /// Whether the page opens it.
    pub(super) open: bool,
    detail: Option<String>,
}

/// What a page holds of one trial besides its story.
struct Record {
    number: u32,
    /// "3 ms · 2 calls · 120 tokens".
    facts: String,
    strip: String,
    /// What stands in place of the messages or beside them.
    note: Note,
    /// The time line and, unless an earlier trial has the same, the messages.
    body: String,
    /// Where the messages stand, when they are those of an earlier trial of the story.
    same_as: Option<u32>,
    /// A digest of the messages as shown; absent without evidence.
    digest: Option<u64>,
}

/// Why a record is not all there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Note {
    /// It is all there.
    Whole,
    /// No evidence was kept.
    NoEvidence,
    /// There was no room.
    NoRoom,
}

/// The stories of a case, in the order of their first trials.
pub(super) fn stories<'a>(case: &'a CaseReport, source: &mut dyn TrialSource) -> Vec<Story<'a>> {
    let mut stories: Vec<((TrialReport, FrictionReading), Story<'a>)> = Vec::new();
    for trial in &case.details.iterations {
        let likeness = likeness(trial);
        let record = Record::new(trial, source.evidence(&case.id, trial.iteration_number));
        match stories.iter_mut().find(|(known, _)| *known == likeness) {
            Some((_, story)) => story.add(trial, record),
            None => stories.push((likeness, Story::new(case, trial, record))),
        }
    }
    stories.into_iter().map(|(_, story)| story).collect()
}

/// A trial without what may differ in one story.
fn likeness(trial: &TrialReport) -> (TrialReport, FrictionReading) {
    // A friction document names calls by their ids; what is read from it does not.
    let friction = friction_reading(trial.friction.as_ref());
    let mut likeness = trial.clone();
    likeness.friction = None;
    likeness.iteration_number = 0;
    likeness.duration_ms = 0.0;
    likeness.tokens = None;
    likeness.final_message = None;
    likeness.tool_calls.iter_mut().for_each(|call| call.duration_ms = None);
    let calls = likeness.turns.iter_mut().flat_map(|turn| &mut turn.unexpected);
    calls.for_each(|call| call.tool_call_id = None);
    // What a check that held measured (a latency, a size) differs from trial to trial.
    let held = likeness.scorecard.rows.iter_mut().filter(|row| row.outcome == CheckOutcome::Passed);
    held.for_each(|row| {
        row.reason.clear();
        row.actual = None;
    });
    likeness.policy_blocks.iter_mut().for_each(|block| {
        block.iteration_number = 0;
        block.tool_call_id = None;
    });
    (likeness, friction)
}

impl<'a> Story<'a> {
    fn new(case: &'a CaseReport, trial: &'a TrialReport, record: Record) -> Self {
        Self {
            case,
            trials: vec![trial],
            records: vec![record],
            healthy: is_healthy(trial),
            open: false,
            detail: None,
        }
    }

    fn add(&mut self, trial: &'a TrialReport, mut record: Record) {
        let same = self.records.iter().find(|known| {
            known.same_as.is_none() && known.digest.is_some() && known.digest == record.digest
        });
        record.same_as = same.map(|known| known.number);
        self.trials.push(trial);
        self.records.push(record);
    }

    /// How many trials it tells of.
    pub(super) fn len(&self) -> usize {
        self.records.len()
    }

    /// The chain, the calls and the scorecard; the bytes that it takes. Spans that the chain cites are named, and become
    /// links when the time line of the story's first trial is there.
    pub(super) fn describe(&mut self) -> usize {
        let detail = Detail::new(self.case, self.trials[0], &[]).to_string();
        let bytes = detail.len();
        self.detail = Some(detail);
        bytes
    }

    /// Leaves out what [`Story::describe`] gave.
    pub(super) fn forget_description(&mut self) {
        self.detail = None;
    }

    /// The time line and the messages of a trial, by its position; the bytes that they take, with those of links to them.
    pub(super) fn record(&mut self, index: usize, source: &mut dyn TrialSource) -> usize {
        let record = &mut self.records[index];
        let Some(evidence) = source.evidence(&self.case.id, record.number) else { return 0 };
        let trial = anchor::trial(&self.case.id, record.number);
        record.body = Timeline::new(&evidence.timeline, &trial, Level::Case).to_string();
        if record.same_as.is_none() {
            record.body.push_str(&Conversation::new(&evidence.messages, Level::Case).to_string());
        }
        record.note = Note::Whole;
        let bytes = record.body.len();
        match &mut self.detail {
            Some(detail) if index == 0 => {
                let linked = Detail::new(self.case, self.trials[0], &evidence.timeline).to_string();
                let links = linked.len().saturating_sub(detail.len());
                *detail = linked;
                bytes + links
            }
            Some(_) | None => bytes,
        }
    }

    /// Leaves out what [`Story::record`] gave.
    pub(super) fn forget_record(&mut self, index: usize) {
        let record = &mut self.records[index];
        record.body = String::new();
        record.note = Note::NoRoom;
        if index == 0 && self.detail.is_some() {
            self.describe();
        }
    }

    /// Whether the messages of a trial, by its position, stand at no other trial.
    pub(super) fn is_new(&self, index: usize) -> bool {
        self.records[index].same_as.is_none()
    }

    /// The story as a page shows it.
    pub(super) fn view(&self) -> StoryView<'_> {
        let first = self.trials[0];
        let numbers: Vec<u32> = self.records.iter().map(|record| record.number).collect();
        StoryView {
            story: self,
            class: class(first),
            mini: MiniChain::of_rows(&first.stage_results),
            trials: trial_list(&numbers),
            what: what_happened(first),
        }
    }
}

/// The look of a story: as its trials were graded.
const fn class(trial: &TrialReport) -> &'static str {
    match trial.task_verdict {
        Some(TaskVerdict::Passed) if trial.first_failed_stage.is_none() => "passed",
        Some(TaskVerdict::Passed | TaskVerdict::Failed) => "failed",
        None => "inconclusive",
    }
}

impl Record {
    fn new(trial: &TrialReport, evidence: Option<TrialEvidence<'_>>) -> Self {
        let conversation = |evidence: &TrialEvidence<'_>| {
            let mut hasher = DefaultHasher::new();
            Conversation::new(&evidence.messages, Level::Case).to_string().hash(&mut hasher);
            hasher.finish()
        };
        let strip = |evidence: &TrialEvidence<'_>| match evidence.timeline.is_empty() {
            true => String::new(),
            false => TimelineStrip(&evidence.timeline).to_string(),
        };
        Self {
            number: trial.iteration_number,
            facts: trial_facts(trial),
            strip: evidence.as_ref().map(strip).unwrap_or_default(),
            note: if evidence.is_some() { Note::NoRoom } else { Note::NoEvidence },
            body: String::new(),
            same_as: None,
            digest: evidence.as_ref().map(conversation),
        }
    }
}

/// A story with its trials.
#[derive(Template)]
#[template(path = "story.html")]
pub(super) struct StoryView<'a> {
    story: &'a Story<'a>,
    class: &'static str,
    mini: MiniChain,
    trials: String,
    what: String,
}

impl StoryView<'_> {
    fn anchor(&self, record: &Record) -> String {
        anchor::trial(&self.story.case.id, record.number)
    }

    /// Whether a row is all that stands of a trial, because an earlier one has the same messages.
    fn is_row(&self, record: &Record) -> bool {
        !self.is_single() && record.body.is_empty() && record.same_as.is_some()
    }

    /// The anchor of the trial whose messages are the same.
    fn same(&self, record: &Record) -> String {
        let number = record.same_as.unwrap_or(record.number);
        anchor::trial(&self.story.case.id, number)
    }

    /// Whether one trial is the whole story: then it needs no row of its own.
    fn is_single(&self) -> bool {
        self.story.records.len() == 1
    }
}

/// What the trials of a story have in common.
#[derive(Template)]
#[template(path = "detail.html")]
struct Detail<'a> {
    chain: ChainCards,
    error: Option<LongText<'a>>,
    refusal: Option<&'static str>,
    /// The failure category, and who should look next.
    bucket: Option<(&'static str, &'static str)>,
    calls: CallsPanel<'a>,
    friction: FrictionPanel,
    scorecard: ScorecardTable,
    answer: Option<String>,
}

impl<'a> Detail<'a> {
    fn new(case: &CaseReport, trial: &'a TrialReport, timeline: &[TimelineSpan]) -> Self {
        let anchor = anchor::trial(&case.id, trial.iteration_number);
        Self {
            chain: ChainCards::new(
                &trial.stage_results,
                trial.first_failed_stage,
                &anchor,
                timeline,
            ),
            error: trial.error.as_deref().map(LongText::new),
            refusal: trial.refusal.map(|refusal| refusal.label()),
            bucket: trial.failure_category.map(|bucket| (bucket.label(), bucket.next_owner())),
            calls: CallsPanel::new(trial, Level::Case),
            friction: FrictionPanel::new(trial.friction.as_ref(), Level::Case),
            scorecard: ScorecardTable::new(&trial.scorecard, Level::Case),
            answer: trial.final_message.as_deref().map(|text| clip(text, 400).into_owned()),
        }
    }
}
