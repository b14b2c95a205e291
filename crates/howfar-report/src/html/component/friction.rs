//! Friction of a trial: patterns in its calls, each beside its benign reading (friction, section A17). They report and
//! decide nothing.

use askama::Template;
use howfar_core::friction::{FrictionReading, friction_reading};
use howfar_wire::friction::FrictionDocument;
use howfar_wire::vocabulary::Vocabulary as _;

use super::Level;

/// What a trial's friction document tells a reader. Writes nothing when there is none, or when nothing was seen.
#[derive(Debug, Template)]
#[template(path = "component/friction.html")]
pub struct FrictionPanel {
    level: Level,
    reading: FrictionReading,
}

impl FrictionPanel {
    /// The panel of a document; `None` when the trial has none.
    pub fn new(document: Option<&FrictionDocument>, level: Level) -> Self {
        Self { level, reading: friction_reading(document) }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize as _;
    use serde_json::json;

    use super::*;

    fn shown(document: &serde_json::Value) -> String {
        let document = FrictionDocument::deserialize(document).expect("a friction document");
        FrictionPanel::new(Some(&document), Level::Case).to_string()
    }

    #[test]
    fn a_pattern_stands_beside_its_benign_reading() {
        let shown = shown(&json!({
            "version": 1, "state": "measured", "callCount": 2, "resultAvailableCount": 2, "timedCallCount": 2,
            "identifierSignals": {"state": "notMeasured", "reason": "resultsUnavailable"},
            "signals": [{"kind": "identicalRetry", "callIndex": 1, "priorCallIndex": 0, "toolName": "<t>",
                         "afterError": true}],
        }));
        assert!(
            shown.contains("a tool was called again") && shown.contains("&#60;t&#62;"),
            "{shown}"
        );
        assert!(shown.contains("It may be fine: Asking the same again is right"), "{shown}");
        assert!(shown.contains("tool results were not retained"), "{shown}");
    }

    #[test]
    fn not_measured_is_not_none_found() {
        let gap = json!({
            "version": 1, "state": "notMeasured", "notMeasuredReason": "truncated", "callCount": 201,
            "resultAvailableCount": 0, "timedCallCount": 0,
            "identifierSignals": {"state": "notMeasured", "reason": "truncated"}, "signals": [],
        });
        assert!(shown(&gap).contains("not measured: too many tool calls"));
        assert_eq!(FrictionPanel::new(None, Level::Case).to_string(), "");
    }
}
