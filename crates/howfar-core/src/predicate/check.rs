//! One compiled check.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use howfar_wire::Vocabulary;
use howfar_wire::predicate::{EffectiveRole, PredicateRow, RowStatus};
use howfar_wire::transcript::Transcript;
use howfar_wire::vocabulary::PredicateKind;
use serde_json::Value;

use super::evidence::Evidence;
use super::fields::Fields;
use super::kind::{self, Check};
use super::outcome::Outcome;
use super::schema::SchemaCache;
use super::text::{REASON_CAP, cut};

/// What evaluations of one run share: the compiled schemas of its tool catalogs.
///
/// Create one per run (or one per process) and hand it to every evaluation; trials may use it at the same time.
#[derive(Debug, Default)]
pub struct EvaluationContext {
    pub(super) schemas: SchemaCache,
}

impl EvaluationContext {
    /// A context without compiled schemas.
    pub fn new() -> Self {
        Self::default()
    }
}

/// The checks of a run by their text: what several cases hold is compiled once, its patterns and schemas too.
///
/// The order of keys is part of the text, because a row echoes its check as it was authored.
#[derive(Debug, Default)]
pub struct CompiledChecks {
    by_text: HashMap<String, Arc<Predicate>>,
}

impl CompiledChecks {
    /// The compiled form of a check; see [`Predicate::compile`].
    pub fn compile(&mut self, authored: &Value) -> Arc<Predicate> {
        let compiled = self.by_text.entry(authored.to_string());
        Arc::clone(compiled.or_insert_with(|| Arc::new(Predicate::compile(authored))))
    }
}

/// An authored check, compiled once and evaluated per trial.
#[derive(Debug)]
pub struct Predicate {
    kind: Option<PredicateKind>,
    role: EffectiveRole,
    echoed: Value,
    /// The check, or the outcome that it has on every transcript.
    check: Result<Box<dyn Check>, Outcome>,
}

impl Predicate {
    /// Compiles a check. This cannot fail: a check of an unknown kind, or one that cannot be interpreted, gives a failed
    /// row on every transcript, so that it never stops a list (predicates, section 8).
    pub fn compile(authored: &Value) -> Self {
        let kind = authored.get("type").and_then(Value::as_str).and_then(PredicateKind::from_wire);
        let check = match (authored.as_object(), kind) {
            (Some(members), Some(kind)) => kind::compile(kind, Fields(members)),
            (Some(_), None) => Err(Outcome::fail("unknown predicate type")),
            (None, _) => Err(Outcome::malformed("not an object")),
        };
        let echoed = match (&check, kind) {
            (Err(Outcome::Malformed(_)), _) | (_, None) => Cow::Borrowed(authored),
            (_, Some(kind)) => kind::echoed(kind, authored),
        };
        let echoed = echoed.into_owned();
        Self { kind, role: EffectiveRole::of(authored), echoed, check }
    }

    /// The kind; `None` when `type` names none.
    pub const fn kind(&self) -> Option<PredicateKind> {
        self.kind
    }

    /// The tool without a call of which this check fails; `None` when it names none.
    pub fn needed_tool(&self) -> Option<&str> {
        match self.kind? {
            PredicateKind::ToolCalledWith
            | PredicateKind::ToolCalledAtLeastOnce
            | PredicateKind::FirstToolWas => self.echoed.get("toolName")?.as_str(),
            _ => None,
        }
    }

    /// Whether a failed row of this check fails the trial.
    pub const fn role(&self) -> EffectiveRole {
        self.role
    }

    fn row(&self, outcome: &Outcome) -> PredicateRow {
        let (passed, status, reason) = match outcome {
            Outcome::Pass(reason) => (true, None, Cow::Borrowed(reason)),
            Outcome::Fail(reason) => (false, None, Cow::Borrowed(reason)),
            Outcome::Error(reason) => (false, Some(RowStatus::Error), Cow::Borrowed(reason)),
            Outcome::Malformed(what) => {
                (false, None, Cow::Owned(format!("malformed predicate: {what}")))
            }
        };
        let reason = cut(&reason, REASON_CAP);
        PredicateRow { predicate: self.echoed.clone(), passed, status, reason, scope: None }
    }
}

/// The row of one check over one transcript.
pub fn evaluate(
    predicate: &Predicate,
    transcript: &Transcript,
    context: &EvaluationContext,
) -> PredicateRow {
    match &predicate.check {
        Ok(check) => predicate.row(&check.evaluate(Evidence { transcript, context })),
        Err(outcome) => predicate.row(outcome),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn row(authored: Value) -> PredicateRow {
        let predicate = Predicate::compile(&authored);
        evaluate(&predicate, &Transcript::default(), &EvaluationContext::new())
    }

    #[test]
    fn an_unknown_kind_fails_and_is_echoed() {
        let row = row(json!({"type": "toolArgumentsMatch"}));
        assert_eq!((row.passed, row.status), (false, None));
        assert_eq!(row.reason, "unknown predicate type");
    }

    #[test]
    fn what_is_no_object_is_malformed() {
        assert!(row(json!("x")).reason.starts_with("malformed predicate: "));
    }

    #[test]
    fn reasons_are_cut() {
        let row = row(json!({"type": "toolCalledAtLeastOnce", "toolName": "n".repeat(700)}));
        assert!(row.reason.ends_with("…(+124 chars)"), "{}", row.reason);
    }

    #[test]
    fn a_check_that_several_cases_hold_is_compiled_once() {
        let mut checks = CompiledChecks::default();
        let authored = json!({"type": "responseMatches", "pattern": "a+"});
        let first = checks.compile(&authored);
        assert!(Arc::ptr_eq(&first, &checks.compile(&authored.clone())));
        let other = json!({"pattern": "a+", "type": "responseMatches"});
        assert!(!Arc::ptr_eq(&first, &checks.compile(&other)));
    }
}
