//! The part of OTLP's JSON encoding that a trace needs: 64-bit numbers are text, identifiers are lower-case hexadecimal,
//! absent members are left out.

use serde::Serialize;

/// Spans with what they are about.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TracesData {
    pub(super) resource_spans: Vec<ResourceSpans>,
}

/// The spans of one resource.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResourceSpans {
    pub(super) resource: Resource,
    pub(super) scope_spans: Vec<ScopeSpans>,
}

/// Who made the spans.
#[derive(Debug, Serialize)]
pub(super) struct Resource {
    pub(super) attributes: Vec<Attribute>,
}

/// The spans of one instrumentation.
#[derive(Debug, Serialize)]
pub(super) struct ScopeSpans {
    pub(super) scope: Scope,
    pub(super) spans: Vec<Span>,
}

/// The instrumentation.
#[derive(Debug, Serialize)]
pub(super) struct Scope {
    pub(super) name: &'static str,
    pub(super) version: String,
}

/// One span.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Span {
    /// 32 hexadecimal digits.
    pub(super) trace_id: String,
    /// 16 hexadecimal digits.
    pub(super) span_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent_span_id: Option<String>,
    pub(super) name: String,
    pub(super) kind: u8,
    /// Nanoseconds since 1970.
    pub(super) start_time_unix_nano: String,
    /// Nanoseconds since 1970.
    pub(super) end_time_unix_nano: String,
    pub(super) attributes: Vec<Attribute>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<Status>,
}

/// The kinds of spans that are used.
pub(super) mod kind {
    pub(in crate::otlp) const INTERNAL: u8 = 1;
    pub(in crate::otlp) const CLIENT: u8 = 3;
}

/// How a span ended; absent when nobody said.
#[derive(Debug, Serialize)]
pub(super) struct Status {
    pub(super) code: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
}

/// The codes of [`Status`] that are used.
pub(super) mod status {
    pub(in crate::otlp) const OK: u8 = 1;
    pub(in crate::otlp) const ERROR: u8 = 2;
}

/// A named value.
#[derive(Debug, Serialize)]
pub(super) struct Attribute {
    pub(super) key: String,
    pub(super) value: AnyValue,
}

/// The values that are used.
#[derive(Debug, Serialize)]
pub(super) enum AnyValue {
    #[serde(rename = "stringValue")]
    Text(String),
    /// A 64-bit number, as text.
    #[serde(rename = "intValue")]
    Number(String),
    #[serde(rename = "boolValue")]
    Flag(bool),
    #[serde(rename = "arrayValue")]
    List(List),
}

/// A list of values.
#[derive(Debug, Serialize)]
pub(super) struct List {
    pub(super) values: Vec<AnyValue>,
}

/// Attributes as they are collected.
#[derive(Debug, Default)]
pub(super) struct Attributes(pub(super) Vec<Attribute>);

impl Attributes {
    pub(super) fn text(&mut self, key: impl Into<String>, value: impl Into<String>) {
        self.add(key, AnyValue::Text(value.into()));
    }

    pub(super) fn number(&mut self, key: impl Into<String>, value: impl Into<i128>) {
        self.add(key, AnyValue::Number(value.into().to_string()));
    }

    pub(super) fn flag(&mut self, key: impl Into<String>, value: bool) {
        self.add(key, AnyValue::Flag(value));
    }

    pub(super) fn texts(&mut self, key: impl Into<String>, values: &[&str]) {
        let values = values.iter().map(|&text| AnyValue::Text(text.to_owned())).collect();
        self.add(key, AnyValue::List(List { values }));
    }

    fn add(&mut self, key: impl Into<String>, value: AnyValue) {
        self.0.push(Attribute { key: key.into(), value });
    }
}
