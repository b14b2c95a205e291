//! Reading rules that closed documents share: absent is not `null`, and an unknown member is not a neighbour.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::Vocabulary;

/// An optional key: absent, or a value. `null` is an error.
pub(crate) fn present<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    T::deserialize(deserializer).map(Some)
}

/// A key that must be there and may be `null`.
pub(crate) fn nullable<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    Option::deserialize(deserializer)
}

/// A member of a vocabulary; `None` for a text that this reader does not know.
pub(crate) fn known<'de, V, D>(deserializer: D) -> Result<Option<V>, D::Error>
where
    V: Vocabulary,
    D: Deserializer<'de>,
{
    let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
    Ok(V::from_wire(&text))
}

/// A text; `None` for a value of any other type.
pub(crate) fn text_or_none<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<String>, D::Error> {
    Value::deserialize(deserializer).map(|value| match value {
        Value::String(text) => Some(text),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            None
        }
    })
}

/// A number; `None` for a value of any other type.
pub(crate) fn number_or_none<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<f64>, D::Error> {
    Value::deserialize(deserializer).map(|value| value.as_f64())
}
