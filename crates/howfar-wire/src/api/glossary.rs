//! The glossary: every wire value with its words.

use serde::{Deserialize, Serialize};

/// Every vocabulary, in the order of the story; or the entries with one wire spelling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GlossaryPage {
    /// [`super::API_SCHEMA_VERSION`].
    pub schema_version: u32,
    /// Always `glossary`.
    pub kind: String,
    /// The vocabularies.
    pub sections: Vec<GlossarySection>,
}

/// One vocabulary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GlossarySection {
    /// The name of the list.
    pub vocabulary: String,
    /// What the list says.
    pub about: String,
    /// Where it stands in the story that every output tells, in words.
    pub place: String,
    /// Its members, in contract order.
    pub entries: Vec<GlossaryEntry>,
}

/// One wire value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct GlossaryEntry {
    /// The wire spelling.
    pub value: String,
    /// The words a person reads.
    pub label: String,
    /// What it means beyond its words; absent when the words say it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub meaning: Option<String>,
    /// Who should look next; absent when the value names nobody.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_owner: Option<String>,
}
