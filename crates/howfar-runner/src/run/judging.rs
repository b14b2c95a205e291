//! The judge of a trial inside a run: asked after the trial is recorded, under its own clock.

use futures::FutureExt as _;
use futures::future::BoxFuture;
use futures::stream::FuturesUnordered;
use howfar_core::judge::{blank_judgement, judged};
use howfar_core::run::report::derive_trial;
use howfar_wire::evidence::TrialEvidence;
use howfar_wire::judge::Judgement;
use howfar_wire::report::Issue;
use howfar_wire::scorecard::Role;
use howfar_wire::vocabulary::{RefusalKind, RefusalPhase};

use super::{Dispatcher, refused};
use crate::case::PlannedCase;
use crate::event::RunEvent;
use crate::judge::{AskedJudge, CaseJudge, JudgeAnswer, Need, judge_trial};
use crate::trial::EndedTrial;

/// What a case is waiting for.
pub(super) enum Step {
    /// A trial ended.
    Ended(u32, Box<EndedTrial>),
    /// The judge of a trial was asked; `None` when the user interrupted.
    Judged(Box<TrialEvidence<'static>>, Option<Box<JudgeAnswer>>),
}

/// What of one case is in flight.
pub(super) type Running<'a> = FuturesUnordered<BoxFuture<'a, Step>>;

impl<'a> Dispatcher<'a> {
    /// Asks the judge of a trial that ended, or finishes the trial when nobody has to be asked.
    pub(super) fn judge(
        &mut self,
        case: &'a PlannedCase,
        evidence: TrialEvidence<'static>,
        running: &mut Running<'a>,
    ) {
        let Some(judge) = &case.judge else { return self.finish(&evidence) };
        match judge.need(&evidence) {
            Need::Nothing => self.finish(&evidence),
            Need::Said(judgement) => self.finish(&judged(evidence, *judgement)),
            Need::Ask(asked) => {
                let owed = blank_judgement(&judge.record, &evidence);
                let evidence = judged(evidence, owed);
                if self.judging_stopped || self.cancel.is_cancelled() {
                    return self.finish(&evidence);
                }
                let row = derive_trial(&evidence).row;
                (self.observe)(RunEvent::TrialRecorded { evidence: &evidence, row: &row });
                running.push(self.ask(judge, asked, evidence));
            }
        }
    }

    /// Asks the judge of a trial that an earlier part of the run left without an answer.
    pub(super) fn ask_again(
        &mut self,
        case: &'a PlannedCase,
        evidence: TrialEvidence<'static>,
        running: &mut Running<'a>,
    ) {
        let judge = case.judge.as_ref();
        match judge.map(|judge| (judge, judge.need(&evidence))) {
            Some((judge, Need::Ask(asked))) => running.push(self.ask(judge, asked, evidence)),
            Some((_, Need::Said(_) | Need::Nothing)) | None => self.keep(&evidence),
        }
    }

    fn ask(
        &self,
        judge: &'a CaseJudge,
        asked: &'a AskedJudge,
        evidence: TrialEvidence<'static>,
    ) -> BoxFuture<'a, Step> {
        let (cancel, secrets) = (self.cancel, &self.request.secrets);
        async move {
            let answer = judge_trial(&judge.record, asked, &evidence, secrets, cancel).await;
            Step::Judged(Box::new(evidence), answer.map(Box::new))
        }
        .boxed()
    }

    /// Finishes a trial with what its judge said. After a refusal for good the judgement stays owed: the same question can
    /// be asked again with another key.
    pub(super) fn judged(
        &mut self,
        case: &PlannedCase,
        evidence: TrialEvidence<'static>,
        answer: Option<JudgeAnswer>,
    ) {
        let Some(answer) = answer else { return self.finish(&evidence) };
        match answer.refusal.filter(|kind| kind.stops_run()) {
            Some(kind) => {
                self.note_judge_refusal(case, kind, &answer.judgement);
                self.finish(&evidence);
            }
            None => self.finish(&judged(evidence, answer.judgement)),
        }
    }

    /// A judge's rejected key or empty account ends all judging; it ends the run where the judge decides.
    fn note_judge_refusal(&mut self, case: &PlannedCase, kind: RefusalKind, judgement: &Judgement) {
        if judgement.role == Role::Required {
            self.stopped_by = self.stopped_by.or(Some(kind));
        }
        if std::mem::replace(&mut self.judging_stopped, true) {
            return;
        }
        let (code, category) = refused(kind);
        let error = judgement.error.as_ref().map(|error| error.message.as_str());
        let error = error.unwrap_or("the provider refused the call");
        let what = match judgement.role {
            Role::Required => "the run stopped",
            Role::Advisory => "the judge is not asked any more",
        };
        self.issue(Issue {
            code,
            phase: RefusalPhase::Execution,
            category,
            message: format!("{what}: judge model: {error}"),
            case_id: Some(case.id.clone()),
            iteration_number: Some(judgement.iteration_number),
            server: None,
        });
    }
}
