//! Taking known secrets out of everything that leaves a run (suite and runner, section B9).

use howfar_model::REDACTED;
use serde_json::{Map, Value};

/// Secrets shorter than this are not replaced: `1` or `dev` would tear holes into ordinary text.
const SHORTEST_SECRET: usize = 6;

/// Replaces every known secret value by `[REDACTED]`. Identifiers and closed vocabularies are never given to it.
#[derive(Clone, Default)]
pub struct Redactor {
    /// Longest first, so that a secret that contains another goes whole.
    secrets: Vec<String>,
}

impl Redactor {
    /// A redactor for these values; blank and very short ones are left alone.
    pub fn new(secrets: impl IntoIterator<Item = String>) -> Self {
        let mut secrets: Vec<String> =
            secrets.into_iter().filter(|secret| secret.trim().len() >= SHORTEST_SECRET).collect();
        secrets.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        secrets.dedup();
        Self { secrets }
    }

    /// Whether there is nothing to replace.
    pub(crate) fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// The text without secrets.
    pub(crate) fn text(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for secret in &self.secrets {
            if out.contains(secret.as_str()) {
                out = out.replace(secret.as_str(), REDACTED);
            }
        }
        out
    }

    /// The value without secrets in its texts; keys stay.
    pub fn value(&self, value: &Value) -> Value {
        if self.secrets.is_empty() {
            return value.clone();
        }
        match value {
            Value::String(text) => Value::String(self.text(text)),
            Value::Array(items) => items.iter().map(|item| self.value(item)).collect(),
            Value::Object(object) => Value::Object(self.object(object)),
            Value::Null | Value::Bool(_) | Value::Number(_) => value.clone(),
        }
    }

    /// The object without secrets in its texts; keys stay.
    pub(crate) fn object(&self, object: &Map<String, Value>) -> Map<String, Value> {
        object.iter().map(|(key, value)| (key.clone(), self.value(value))).collect()
    }
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Redactor({} secrets)", self.secrets.len())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_goes_wherever_it_stands() {
        let redactor = Redactor::new(["s3cret-token".to_owned(), "s3cret-token-long".to_owned()]);
        let value = redactor.value(&json!({"a": ["x s3cret-token-long y"], "s3cret-token": 1}));
        assert_eq!(value, json!({"a": ["x [REDACTED] y"], "s3cret-token": 1}));
    }

    #[test]
    fn short_values_tear_no_holes() {
        assert_eq!(Redactor::new(["1".to_owned(), " ".to_owned()]).text("1 of 1"), "1 of 1");
    }
}
