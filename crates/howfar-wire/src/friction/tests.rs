use serde_json::json;

use super::*;
use crate::Vocabulary;
use crate::vocabulary::{FrictionSignalKind, SuspectedCondition};

#[test]
fn a_document_keeps_the_order_of_its_keys() {
    let text = r#"{"version":1,"state":"notMeasured","notMeasuredReason":"truncated","callCount":201,"resultAvailableCount":0,"timedCallCount":0,"identifierSignals":{"state":"notMeasured","reason":"truncated"},"signals":[]}"#;
    let document: FrictionDocument = serde_json::from_str(text).expect("a document");
    assert_eq!(document.gap(), Some(FrictionGap::Truncated));
    assert_eq!(serde_json::to_string(&document).expect("JSON"), text);
}

#[test]
fn every_signal_has_a_benign_reading_that_blames_nobody() {
    for kind in FrictionSignalKind::ALL {
        let reading = kind.benign_reading();
        assert!(!reading.is_empty());
        for word in ["wasted", "unnecessary", "caused", "fault"] {
            assert!(!reading.contains(word), "{kind}: {reading}");
        }
    }
}

#[test]
fn only_named_conditions_have_a_lever() {
    let without: Vec<_> =
        SuspectedCondition::ALL.iter().filter(|condition| condition.lever().is_none()).collect();
    assert_eq!(without, [&SuspectedCondition::Unclear, &SuspectedCondition::ResponseWasClear]);
}

#[test]
fn a_judge_that_was_not_asked_carries_no_condition() {
    let verdict = json!({
        "status": "skipped", "reason": "cap", "gradingKey": "a#1", "signalKind": "changedRetry",
        "informationCallIndex": 0, "observedAtCallIndex": 1, "judgeTemplateVersion": 1,
        "judgeTemplateHash": "h", "model": "m", "generatedAt": 0,
    });
    let read: SuspectedConditionVerdict = serde_json::from_value(verdict.clone()).expect("reads");
    assert_eq!(serde_json::to_string(&read).expect("JSON"), verdict.to_string());
}
