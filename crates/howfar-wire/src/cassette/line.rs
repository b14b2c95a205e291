//! The lines of a cassette.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::answer::{ExchangeAnswer, RecordedFinding};

/// The version of a cassette. A reader refuses a newer one.
pub const CASSETTE_VERSION: u32 = 1;

/// One line of a cassette.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "camelCase")]
pub enum CassetteLine {
    /// The first line.
    Header(CassetteHeader),
    /// One exchange.
    Exchange(Box<Exchange>),
    /// The last line; a cassette without it was cut off.
    End {
        /// How many exchanges stand before it.
        exchanges: u64,
    },
}

/// What a cassette is of. It holds no url, command, header, variable or secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CassetteHeader {
    /// [`CASSETTE_VERSION`].
    pub version: u32,
    /// The version of the product that recorded it.
    pub product_version: String,
    /// The suite's declared id.
    pub suite_id: String,
    /// SHA-256 of the suite file.
    pub source_hash: String,
    /// The servers, in file order.
    pub servers: Vec<CassetteServer>,
    /// The models, each once.
    pub models: Vec<CassetteModel>,
}

/// A server of the recorded run, as reports name it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CassetteServer {
    /// The name in the suite file.
    pub name: String,
    /// Where the binding came from, for example `--command`.
    pub source: String,
    /// `stdio` or `http`.
    pub transport: String,
}

/// A model of the recorded run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CassetteModel {
    /// `provider/model`, as planned.
    pub name: String,
    /// SHA-256 of the script's text; absent for a model that is not scripted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script_digest: Option<String>,
}

/// One request and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exchange {
    /// What was asked for.
    pub method: ExchangeMethod,
    /// Who was asked: `provider/model`, or the server's name.
    pub name: String,
    /// Which trial asked; absent during setup.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<TrialRef>,
    /// The meaning of the request, without ids: what a replay compares.
    pub request: Value,
    /// What came back.
    pub answer: ExchangeAnswer,
    /// How long it took, in milliseconds.
    pub duration_ms: f64,
    /// What the server did until then that it should not; only of connecting and listing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<RecordedFinding>,
}

impl Exchange {
    /// Whether the answer is one that its method can have.
    pub const fn is_sound(&self) -> bool {
        let method = self.method;
        match self.answer {
            ExchangeAnswer::Turn(_) | ExchangeAnswer::ModelError(_) => {
                matches!(method, ExchangeMethod::Respond)
            }
            ExchangeAnswer::Connected(_) => matches!(method, ExchangeMethod::Connect),
            ExchangeAnswer::SetupFailed(_) => {
                matches!(method, ExchangeMethod::Connect | ExchangeMethod::ListTools)
            }
            ExchangeAnswer::Page { .. } => matches!(method, ExchangeMethod::ListTools),
            ExchangeAnswer::Result { .. }
            | ExchangeAnswer::RpcError { .. }
            | ExchangeAnswer::Malformed { .. }
            | ExchangeAnswer::TransportFailed { .. }
            | ExchangeAnswer::TimedOut { .. } => matches!(method, ExchangeMethod::CallTool),
            ExchangeAnswer::Canary { .. } => matches!(method, ExchangeMethod::EgressCanary),
            ExchangeAnswer::Unanswered => {
                matches!(method, ExchangeMethod::Respond | ExchangeMethod::CallTool)
            }
        }
    }
}

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ExchangeMethod {
    /// The next turn of a model.
    #[serde(rename = "respond")]
    Respond,
    /// Opening a session with a server.
    #[serde(rename = "connect")]
    Connect,
    /// One page of a server's tools.
    #[serde(rename = "tools/list")]
    ListTools,
    /// A call of a tool.
    #[serde(rename = "tools/call")]
    CallTool,
    /// Whether our own network works, after a server could not be reached.
    #[serde(rename = "egressCanary")]
    EgressCanary,
}

impl ExchangeMethod {
    /// The spelling in cassettes.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Respond => "respond",
            Self::Connect => "connect",
            Self::ListTools => "tools/list",
            Self::CallTool => "tools/call",
            Self::EgressCanary => "egressCanary",
        }
    }

    /// Whether a model is asked, and not a server.
    pub const fn asks_model(self) -> bool {
        match self {
            Self::Respond => true,
            Self::Connect | Self::ListTools | Self::CallTool | Self::EgressCanary => false,
        }
    }
}

/// A trial of a case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialRef {
    /// The case's id.
    pub case_id: String,
    /// The trial's number within its case, from 1.
    pub number: u32,
}

/// Why a text is no line of a cassette.
#[derive(Debug)]
pub enum CassetteError {
    /// Not the JSON of a line.
    NotALine(serde_json::Error),
    /// Made by a newer version of the product.
    Newer(u64),
}

impl std::error::Error for CassetteError {}

impl fmt::Display for CassetteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALine(error) => write!(f, "it is no line of a cassette: {error}"),
            Self::Newer(version) => write!(
                f,
                "it has version {version}, and this version of howfar reads up to {CASSETTE_VERSION}"
            ),
        }
    }
}

/// Reads one line.
///
/// # Errors
/// When the text is no line, or the header of a newer version.
pub fn parse_cassette_line(text: &str) -> Result<CassetteLine, CassetteError> {
    let value: Value = serde_json::from_str(text).map_err(CassetteError::NotALine)?;
    let version = value.get("version").and_then(Value::as_u64);
    if let Some(version) = version.filter(|version| *version > u64::from(CASSETTE_VERSION)) {
        return Err(CassetteError::Newer(version));
    }
    serde_json::from_value(value).map_err(CassetteError::NotALine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newer_header_is_refused_whatever_else_it_holds() {
        let error = parse_cassette_line(r#"{"line":"header","version":2,"new":true}"#);
        assert!(matches!(error, Err(CassetteError::Newer(2))));
    }

    #[test]
    fn a_cut_line_is_no_line() {
        let error = parse_cassette_line(r#"{"line":"exchange","meth"#);
        assert!(matches!(error, Err(CassetteError::NotALine(_))));
    }

    #[test]
    fn the_end_reads_back() {
        let end = CassetteLine::End { exchanges: 3 };
        let text = serde_json::to_string(&end).expect("plain data");
        assert_eq!(text, r#"{"line":"end","exchanges":3}"#);
        assert_eq!(parse_cassette_line(&text).expect("a line"), end);
    }
}
