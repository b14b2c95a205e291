//! Whether a description marks its own tool as deprecated (predicates 6.2).

use std::sync::LazyLock;

use regex::RegexSet;
use serde_json::Value;

use super::text::SPACE;

static MARKS: LazyLock<RegexSet> = LazyLock::new(|| {
    let patterns = [
        format!(r"^[{SPACE}]*\[?[{SPACE}]*(?i-u:deprecated)(?-u:\b)"),
        r"(?-u:\b)(?i-u:this (?:tool|endpoint|method) is deprecated)(?-u:\b)".to_owned(),
        r"(?-u:\b)(?i-u:deprecated)[:.]".to_owned(),
        format!(r"(?-u:\b)(?i-u:use)[{SPACE}]+[^{SPACE}]+[{SPACE}]+(?i-u:instead)(?-u:\b)"),
    ];
    RegexSet::new(patterns).expect("constant patterns compile")
});

/// Whether a description says that its tool is deprecated. A heuristic, so checks built on it may only be advisory.
pub(super) fn marks_itself_deprecated(description: Option<&Value>) -> bool {
    description.and_then(Value::as_str).is_some_and(|text| MARKS.is_match(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(text: &str) -> bool {
        marks_itself_deprecated(Some(&Value::from(text)))
    }

    #[test]
    fn a_tool_speaks_of_itself() {
        assert!(marked(" [DEPRECATED] old"));
        assert!(marked("Note: this endpoint is deprecated"));
        assert!(marked("Lists. Deprecated: gone soon"));
        assert!(marked("Please use b instead"));
    }

    #[test]
    fn a_tool_may_speak_of_others() {
        assert!(!marked("Replaces the deprecated `x` tool"));
        assert!(!marked("use this tool instead"));
        assert!(!marked("undeprecated"));
        assert!(!marks_itself_deprecated(None));
    }
}
