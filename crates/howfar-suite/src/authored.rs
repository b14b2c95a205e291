//! The authored value: exactly what a file declares (suite and runner, section 0).

use howfar_wire::canon;
use howfar_wire::finding::SuiteSummary;
use howfar_wire::suite::SuiteFile;
use howfar_wire::vocabulary::Dialect;
use serde_json::Value;

/// A suite that passed every check, as its file declares it. No default is ever added.
///
/// Only this type can be written back; [`crate::ResolvedSuite`] cannot.
#[derive(Debug, Clone, PartialEq)]
pub struct AuthoredSuite {
    file: SuiteFile,
    value: Value,
}

impl AuthoredSuite {
    /// Wraps a value that the checker found nothing wrong with.
    pub(crate) fn from_checked(value: Value) -> Self {
        let file = serde_json::from_value(value.clone())
            .expect("the checker accepts only what the typed file can hold");
        Self { file, value }
    }

    /// The file as types.
    pub const fn file(&self) -> &SuiteFile {
        &self.file
    }

    /// The file as JSON: key order of the file, trimmed values trimmed, unknown keys of checks dropped.
    pub const fn value(&self) -> &Value {
        &self.value
    }

    /// The dialect of the file, which writing back keeps.
    pub const fn dialect(&self) -> Dialect {
        self.file.schema_version
    }

    /// The canonical digest of the authored value (suite and runner, section A14).
    pub fn digest(&self) -> String {
        canon::canonical_digest(&self.value)
    }

    /// Identity and size, for the answer of an offline check.
    pub fn summary(&self) -> SuiteSummary {
        let enabled = |case: &&howfar_wire::suite::Case| case.disabled != Some(true);
        SuiteSummary {
            id: self.file.suite.id.clone(),
            name: self.file.suite.name.clone(),
            cases: self.file.cases.len(),
            enabled_cases: self.file.cases.iter().filter(enabled).count(),
        }
    }
}
