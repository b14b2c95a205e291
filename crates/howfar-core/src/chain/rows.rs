//! Building rows, and what a row may cite (derivation, sections 4 and 8).

use howfar_wire::canon;
use howfar_wire::chain::{
    MAX_EVIDENCE_ITEMS, MAX_REASON_UNITS, PromptRecord, SetupSignal, Span, StageEvidence, StageRow,
};
use howfar_wire::vocabulary::{SetupOutcome, Stage, StageReason as Reason, StageState as State};

/// A row that cites nothing.
pub(super) const fn bare(stage: Stage, state: State, reason: Reason) -> StageRow {
    StageRow { stage, state, reason: Some(reason), evidence: None }
}

pub(super) const fn passed(stage: Stage, reason: Reason) -> StageRow {
    bare(stage, State::Passed, reason)
}

pub(super) const fn failed(stage: Stage, reason: Reason) -> StageRow {
    bare(stage, State::Failed, reason)
}

pub(super) const fn not_measured(stage: Stage, reason: Reason) -> StageRow {
    bare(stage, State::NotMeasured, reason)
}

pub(super) const fn not_applicable(stage: Stage) -> StageRow {
    bare(stage, State::NotApplicable, Reason::NotAuthored)
}

pub(super) const fn not_reached(stage: Stage) -> StageRow {
    bare(stage, State::NotReached, Reason::EarlierStageFailed)
}

/// What a row cites, added to a bare one.
pub(super) trait Citing {
    /// Cites the spans that have an id, the first five of them; the list stays when it is empty.
    fn citing_spans<'s>(self, spans: impl Iterator<Item = &'s Span<'s>>) -> Self;
    /// Cites the prompts that have an index; the list stays when it is empty.
    fn citing_prompts<'p, D: 'p>(self, prompts: impl Iterator<Item = &'p PromptRecord<D>>) -> Self;
    /// Cites reasons; nothing when no reason has text.
    fn citing_reasons<'r>(self, reasons: impl Iterator<Item = &'r str>) -> Self;
    /// Cites a setup signal: its spans, and its explanations when it failed; nothing when there are none.
    fn citing_signal(self, signal: &SetupSignal<'_>) -> Self;
}

impl Citing for StageRow {
    fn citing_spans<'s>(mut self, spans: impl Iterator<Item = &'s Span<'s>>) -> Self {
        let ids = spans.filter_map(|span| span.id.as_deref());
        let span_ids = Some(ids.take(MAX_EVIDENCE_ITEMS).map(str::to_owned).collect());
        self.evidence = Some(StageEvidence { span_ids, ..StageEvidence::default() });
        self
    }

    fn citing_prompts<'p, D: 'p>(
        mut self,
        prompts: impl Iterator<Item = &'p PromptRecord<D>>,
    ) -> Self {
        let prompt_indexes =
            Some(prompts.filter_map(|prompt| prompt.prompt_index.clone()).collect());
        self.evidence = Some(StageEvidence { prompt_indexes, ..StageEvidence::default() });
        self
    }

    fn citing_reasons<'r>(mut self, reasons: impl Iterator<Item = &'r str>) -> Self {
        let predicate_reasons = bounded_reasons(reasons);
        if predicate_reasons.is_some() {
            self.evidence = Some(StageEvidence { predicate_reasons, ..StageEvidence::default() });
        }
        self
    }

    fn citing_signal(mut self, signal: &SetupSignal<'_>) -> Self {
        let ids = signal.span_ids.iter().take(MAX_EVIDENCE_ITEMS);
        let span_ids: Vec<String> = ids.map(|id| id.as_str().to_owned()).collect();
        let span_ids = Some(span_ids).filter(|ids| !ids.is_empty());
        let predicate_reasons = match signal.outcome {
            SetupOutcome::Ok => None,
            SetupOutcome::Failed => bounded_reasons(signal.reasons.iter().map(|line| &**line)),
        };
        if span_ids.is_some() || predicate_reasons.is_some() {
            self.evidence =
                Some(StageEvidence { span_ids, prompt_indexes: None, predicate_reasons });
        }
        self
    }
}

/// The first five reasons that have text, each bounded; `None` when no reason has text.
pub(super) fn bounded_reasons<'r>(reasons: impl Iterator<Item = &'r str>) -> Option<Vec<String>> {
    let with_text = reasons.filter(|reason| !canon::is_blank(reason));
    let bounded = |reason| canon::shortened(reason, MAX_REASON_UNITS).into_owned();
    let reasons: Vec<String> = with_text.take(MAX_EVIDENCE_ITEMS).map(bounded).collect();
    Some(reasons).filter(|reasons| !reasons.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_reason_keeps_499_units_and_an_ellipsis() {
        let bounded = |reason: String| bounded_reasons([reason.as_str()].into_iter());
        assert_eq!(bounded("é".repeat(500)), Some(vec!["é".repeat(500)]));
        assert_eq!(bounded("é".repeat(501)), Some(vec![format!("{}…", "é".repeat(499))]));
    }

    #[test]
    fn blank_reasons_are_skipped_before_the_cap() {
        let reasons = [" ", "a", "\u{feff}", "b", "c", "d", "e", "f"];
        let kept = bounded_reasons(reasons.into_iter()).expect("reasons with text");
        assert_eq!(kept, ["a", "b", "c", "d", "e"]);
        assert_eq!(bounded_reasons(["\t"].into_iter()), None);
    }
}
