//! Writing a derivation as JSON text.

use serde::Serialize;

use super::quick::is_plain;
use super::{StageDerivation, StageEvidence, StageRow};
use crate::vocabulary::Vocabulary;

impl StageDerivation {
    /// Appends the document as compact JSON: the text that `serde_json` writes, made faster.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        let Self { stage_results, first_failed_stage, failure_category, stage_analyzer_version } =
            self;
        out.extend_from_slice(b"{\"stageResults\":");
        write_list(out, stage_results, write_row);
        if let Some(stage) = *first_failed_stage {
            write_word(out, b",\"firstFailedStage\":\"", stage);
        }
        if let Some(category) = *failure_category {
            write_word(out, b",\"failureCategory\":\"", category);
        }
        out.extend_from_slice(b",\"stageAnalyzerVersion\":");
        write_other(out, stage_analyzer_version);
        out.push(b'}');
    }
}

fn write_row(out: &mut Vec<u8>, row: &StageRow) {
    let StageRow { stage, state, reason, evidence } = row;
    write_word(out, b"{\"stage\":\"", *stage);
    write_word(out, b",\"state\":\"", *state);
    if let Some(reason) = *reason {
        write_word(out, b",\"reason\":\"", reason);
    }
    if let Some(evidence) = evidence {
        out.extend_from_slice(b",\"evidence\":");
        write_evidence(out, evidence);
    }
    out.push(b'}');
}

fn write_evidence(out: &mut Vec<u8>, evidence: &StageEvidence) {
    let StageEvidence { span_ids, prompt_indexes, predicate_reasons } = evidence;
    let start = out.len();
    if let Some(ids) = span_ids {
        out.extend_from_slice(b",\"spanIds\":");
        write_list(out, ids, |out, id| write_text(out, id));
    }
    if let Some(indexes) = prompt_indexes {
        out.extend_from_slice(b",\"promptIndexes\":");
        write_list(out, indexes, write_other);
    }
    if let Some(reasons) = predicate_reasons {
        out.extend_from_slice(b",\"predicateReasons\":");
        write_list(out, reasons, |out, reason| write_text(out, reason));
    }
    // The brace takes the place of the comma before the first key.
    match out.get_mut(start) {
        Some(comma) => *comma = b'{',
        None => out.push(b'{'),
    }
    out.push(b'}');
}

fn write_list<T>(out: &mut Vec<u8>, items: &[T], write: impl Fn(&mut Vec<u8>, &T)) {
    out.push(b'[');
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push(b',');
        }
        write(out, item);
    }
    out.push(b']');
}

/// A key, up to the quotation mark that opens its value, and a word that needs no escape.
fn write_word(out: &mut Vec<u8>, key: &[u8], word: impl Vocabulary) {
    out.extend_from_slice(key);
    out.extend_from_slice(word.as_str().as_bytes());
    out.push(b'"');
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    if !is_plain(text) {
        return write_other(out, text);
    }
    out.push(b'"');
    out.extend_from_slice(text.as_bytes());
    out.push(b'"');
}

/// A value without a form of its own here.
fn write_other<T: Serialize + ?Sized>(out: &mut Vec<u8>, value: &T) {
    serde_json::to_writer(out, value).expect("a vector takes every text and number");
}
