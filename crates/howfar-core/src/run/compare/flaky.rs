//! Cases with iterations of both outcomes in one run (run-documents 9.3): reported, never gated.

use howfar_wire::canon;
use howfar_wire::compare::FlakyCase;
use indexmap::IndexMap;
use serde_json::Value;

/// A decided iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlakyRow {
    /// Names the case.
    pub case_key: String,
    /// Whether the iteration passed.
    pub passed: bool,
}

/// The decided iterations of stored rows `{id, testCaseId?, title?, result}`. A row that names no case stands for itself.
pub fn flaky_rows(iterations: &[Value]) -> Vec<FlakyRow> {
    let row = |iteration: &Value| {
        let passed = match iteration["result"].as_str() {
            Some("passed") => true,
            Some("failed") => false,
            Some(_) | None => return None,
        };
        let key = ["testCaseId", "title", "id"].iter().find_map(|key| iteration[*key].as_str())?;
        Some(FlakyRow { case_key: key.to_owned(), passed })
    };
    iterations.iter().filter_map(row).collect()
}

/// The cases of which some iterations passed and some failed, by key.
pub fn flaky_cases(rows: &[FlakyRow]) -> Vec<FlakyCase> {
    let mut counts: IndexMap<&str, (u64, u64)> = IndexMap::new();
    for row in rows {
        let (passed, failed) = counts.entry(&row.case_key).or_default();
        *(if row.passed { passed } else { failed }) += 1;
    }
    let flaky = counts.into_iter().filter(|(_, (passed, failed))| *passed > 0 && *failed > 0);
    let mut flaky: Vec<_> = flaky
        .map(|(case_key, (passed, failed))| FlakyCase {
            case_key: case_key.to_owned(),
            total: passed + failed,
            passed,
            failed,
        })
        .collect();
    flaky.sort_by(|a, b| canon::utf16_cmp(&a.case_key, &b.case_key));
    flaky
}
