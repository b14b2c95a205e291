//! Reading rules that closed documents share: absent is not `null`, and an unknown member is not a neighbour.

use serde::{Deserialize, Deserializer};

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
