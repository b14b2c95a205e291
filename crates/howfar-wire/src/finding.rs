//! Findings about a suite file, what `howfar check` answers, and refusals of a run (suite and runner, sections A11, B2
//! and D3).

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use crate::Vocabulary as _;
use crate::canon::utf16_cmp;
use crate::live::LiveCheck;
use crate::vocabulary::{
    FindingClass, FindingCode, LoadStage, Measurement, ProblemReason, RefusalCategory, RefusalCode,
    RefusalPhase, Stage, WarningClass,
};

/// One step from the root of a document to a place in it: a key, or a position in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PathSegment {
    /// A position in a list, from 0.
    Index(usize),
    /// A key of an object.
    Name(String),
}

impl From<usize> for PathSegment {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl From<&str> for PathSegment {
    fn from(name: &str) -> Self {
        Self::Name(name.to_owned())
    }
}

/// A place in the text of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Location {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The bytes of the place in the text, from the first to before the last; for printing an excerpt.
    pub start: usize,
    /// The byte after the place.
    pub end: usize,
}

/// Something that makes a suite file invalid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The stable code.
    pub code: FindingCode,
    /// What is wrong, independent of the wording.
    pub class: FindingClass,
    /// Where in the document; empty for the document itself.
    pub path: Vec<PathSegment>,
    /// The path as text, for example `cases[3].steps[0].id`.
    pub pointer: String,
    /// What is wrong and what to do next, as one sentence or two.
    pub message: String,
    /// The keys that an unknown-key finding is about; empty for every other finding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// Where in the text; absent when the reader does not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

impl Finding {
    /// Findings stand by path, then code, then message (suite and runner, section A11).
    pub fn order(&self, other: &Self) -> Ordering {
        compare_paths(&self.path, &other.path)
            .then_with(|| utf16_cmp(self.code.as_str(), other.code.as_str()))
            .then_with(|| utf16_cmp(&self.message, &other.message))
    }
}

/// One line for a person, without indentation: code, pointer, message, place.
impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.code)?;
        if !self.pointer.is_empty() {
            write!(f, " {}:", self.pointer)?;
        }
        write!(f, " {}", self.message)?;
        match self.location {
            Some(Location { line, column, start: _, end: _ }) => {
                write!(f, " (line {line}, column {column})")
            }
            None => Ok(()),
        }
    }
}

/// Advice about a suite file that loads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Warning {
    /// What the advice is about.
    pub class: WarningClass,
    /// Where in the document; empty for the document itself.
    pub path: Vec<PathSegment>,
    /// The path as text.
    pub pointer: String,
    /// What is odd and what to do about it.
    pub message: String,
    /// The keys that an unknown-key warning is about; empty for every other warning.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// Where in the text; absent when the reader does not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
}

impl Warning {
    /// Warnings stand by path, then class, then message.
    pub fn order(&self, other: &Self) -> Ordering {
        compare_paths(&self.path, &other.path)
            .then_with(|| utf16_cmp(self.class.as_str(), other.class.as_str()))
            .then_with(|| utf16_cmp(&self.message, &other.message))
    }
}

/// The identity and size of a suite that loads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SuiteSummary {
    /// The suite's id.
    pub id: String,
    /// The suite's name.
    pub name: String,
    /// How many cases the file has.
    pub cases: usize,
    /// How many of them are not disabled.
    pub enabled_cases: usize,
}

/// What the offline check of a suite file answers. Valid does not mean runnable: tools, servers and keys are not
/// checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SuiteCheckDocument {
    /// Whether the file is a valid suite.
    pub valid: bool,
    /// The file as the user named it.
    pub file: String,
    /// The suite; absent when the file is invalid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<SuiteSummary>,
    /// How far the file came; absent when it is valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<LoadStage>,
    /// Everything that makes the file invalid, in order; empty when it is valid.
    pub findings: Vec<Finding>,
    /// Advice, in order.
    pub warnings: Vec<Warning>,
    /// Which links the suite measures, in chain order; empty when the file is invalid.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub coverage: Vec<StageCoverage>,
    /// The suite held against its live servers; absent when nobody asked, and when the file is invalid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against: Option<LiveCheck>,
}

/// What the enabled cases of a suite say about one link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct StageCoverage {
    /// The link.
    pub stage: Stage,
    /// What can decide it.
    pub measurement: Measurement,
    /// How many enabled cases have an authored check that can decide it.
    pub measured_cases: usize,
    /// How many enabled cases the link applies to.
    pub applicable_cases: usize,
    /// How many cases are enabled.
    pub enabled_cases: usize,
    /// The authored checks at this link, by kind.
    pub checks: Vec<CheckCount>,
    /// The same as one sentence, with what to add where nothing measures the link.
    pub line: String,
}

/// How often one kind of check stands at a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct CheckCount {
    /// The kind of check, or the grader.
    pub check: String,
    /// How many of them can decide.
    pub required: usize,
    /// How many only report.
    pub advisory: usize,
}

/// Why a run was refused before it executed anything (suite and runner, section B2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Refusal {
    /// The code.
    pub code: RefusalCode,
    /// When.
    pub phase: RefusalPhase,
    /// What it is about; decides the exit code.
    pub category: RefusalCategory,
    /// Every problem found at this stage.
    pub problems: Vec<Problem>,
}

/// One problem of a refusal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// What is wrong and what to do next.
    pub message: String,
    /// Why, from a closed list; absent where the code says it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<ProblemReason>,
    /// The case, when it concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case_id: Option<String>,
    /// The step, when it concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
    /// The step's position in its case, from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_index: Option<usize>,
    /// The server, when it concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The model, when it concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The tool, when it concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_name: Option<String>,
    /// The place in the suite file, when it concerns one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pointer: Option<String>,
}

/// A path as text: names joined with `.`, positions as `[n]`, the first name without a dot.
pub fn pointer(path: &[PathSegment]) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for segment in path {
        match segment {
            PathSegment::Index(index) => {
                let _ = write!(text, "[{index}]");
            }
            PathSegment::Name(name) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(name);
            }
        }
    }
    text
}

/// Paths segment by segment: positions by number, a position before a name, names by UTF-16 code unit, a prefix first.
pub fn compare_paths(a: &[PathSegment], b: &[PathSegment]) -> Ordering {
    a.iter()
        .zip(b)
        .map(|(a, b)| match (a, b) {
            (PathSegment::Index(a), PathSegment::Index(b)) => a.cmp(b),
            (PathSegment::Index(_), PathSegment::Name(_)) => Ordering::Less,
            (PathSegment::Name(_), PathSegment::Index(_)) => Ordering::Greater,
            (PathSegment::Name(a), PathSegment::Name(b)) => utf16_cmp(a, b),
        })
        .find(|order| order.is_ne())
        .unwrap_or_else(|| a.len().cmp(&b.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_reads_as_a_path() {
        let path = ["cases".into(), 3.into(), "steps".into(), 0.into(), "id".into()];
        assert_eq!(pointer(&path), "cases[3].steps[0].id");
        assert_eq!(pointer(&[]), "");
    }

    #[test]
    fn positions_stand_before_names_and_prefixes_first() {
        let order = |a: &[PathSegment], b: &[PathSegment]| compare_paths(a, b);
        assert_eq!(order(&[2.into()], &[10.into()]), Ordering::Less);
        assert_eq!(order(&["a".into()], &[10.into()]), Ordering::Greater);
        assert_eq!(order(&["a".into()], &["a".into(), 0.into()]), Ordering::Less);
    }
}
