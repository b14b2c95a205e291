//! Suite text to an authored suite, or to everything that is wrong with it (suite and runner, sections A1 and A11).

use howfar_wire::finding::{Finding, Location, PathSegment, SuiteCheckDocument, Warning};
use howfar_wire::vocabulary::{FindingClass, FindingCode, LoadStage};

use crate::check::{advice, check_file};
use crate::yaml::{self, Child, Content, Document, YamlError};
use crate::{AuthoredSuite, coverage, resolve};

/// The largest file that is read, in bytes.
pub const MAX_SUITE_BYTES: usize = 1_048_576;

/// What reading a suite file gives. An invalid file is a result, not an error.
#[derive(Debug, Clone, PartialEq)]
pub enum SuiteParse {
    /// The file is a suite.
    Valid {
        /// The suite as authored.
        suite: Box<AuthoredSuite>,
        /// Advice, in order.
        warnings: Vec<Warning>,
    },
    /// The file is not a suite.
    Invalid {
        /// How far the file came.
        stage: LoadStage,
        /// Everything that is wrong, in order; never empty.
        findings: Vec<Finding>,
        /// Advice that was found on the way, in order.
        warnings: Vec<Warning>,
    },
}

/// The bytes are not UTF-8: a usage error of the command that read them, not a finding about a suite.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the file is not UTF-8 from byte {valid_up_to} on; save it as UTF-8 text")]
pub struct NotUtf8 {
    /// The first byte that does not decode, from 0.
    pub valid_up_to: usize,
}

impl SuiteParse {
    /// The suite; `None` for an invalid file.
    pub fn suite(&self) -> Option<&AuthoredSuite> {
        match self {
            Self::Valid { suite, warnings: _ } => Some(suite),
            Self::Invalid { .. } => None,
        }
    }

    /// Everything that is wrong; empty for a valid file.
    pub fn findings(&self) -> &[Finding] {
        match self {
            Self::Valid { .. } => &[],
            Self::Invalid { findings, .. } => findings,
        }
    }

    /// Advice.
    pub fn warnings(&self) -> &[Warning] {
        match self {
            Self::Valid { suite: _, warnings } | Self::Invalid { warnings, .. } => warnings,
        }
    }

    /// The answer of an offline check, with the file as the user named it (suite and runner, section D3).
    pub fn document(&self, file: &str) -> SuiteCheckDocument {
        let stage = match self {
            Self::Valid { .. } => None,
            Self::Invalid { stage, .. } => Some(*stage),
        };
        SuiteCheckDocument {
            valid: stage.is_none(),
            file: file.to_owned(),
            suite: self.suite().map(AuthoredSuite::summary),
            stage,
            findings: self.findings().to_vec(),
            warnings: self.warnings().to_vec(),
            coverage: self
                .suite()
                .map(|suite| coverage(&resolve(suite)).into())
                .unwrap_or_default(),
            against: None,
        }
    }
}

/// Reads a file's bytes. The size is measured before anything is decoded.
///
/// # Errors
///
/// [`NotUtf8`] when bytes within the size limit are not UTF-8.
pub fn parse_suite_bytes(bytes: &[u8]) -> Result<SuiteParse, NotUtf8> {
    if bytes.len() > MAX_SUITE_BYTES {
        return Ok(too_large(bytes.len()));
    }
    let text =
        std::str::from_utf8(bytes).map_err(|error| NotUtf8 { valid_up_to: error.valid_up_to() })?;
    Ok(parse_suite(text))
}

/// Reads a suite's text. A leading byte-order mark is read past.
pub fn parse_suite(text: &str) -> SuiteParse {
    if text.len() > MAX_SUITE_BYTES {
        return too_large(text.len());
    }
    match yaml::read(text) {
        Err(errors) => parse_failure(errors.into_iter().map(yaml_finding).collect()),
        Ok(mut documents) => match (documents.pop(), documents.len()) {
            (None, _) => {
                let message = "the file holds no document: it is empty, blank, or only comments";
                parse_failure(vec![finding(FindingCode::Empty, FindingClass::Empty, message, None)])
            }
            (Some(document), 0) => check(&document),
            (Some(_), others) => {
                let message =
                    format!("the file holds {} documents; keep one suite per file", others + 1);
                let (code, class) =
                    (FindingCode::MultipleDocuments, FindingClass::MultipleDocuments);
                parse_failure(vec![finding(code, class, &message, None)])
            }
        },
    }
}

fn check(document: &Document) -> SuiteParse {
    let (value, mut findings, mut warnings) = check_file(document);
    if let (Some(value), true) = (value, findings.is_empty()) {
        let suite = AuthoredSuite::from_checked(value);
        let cases = &suite.value()["cases"];
        warnings.extend(advice(suite.file(), |at| cases[at].get("checks").is_some()));
        settle_warnings(document, &mut warnings);
        return SuiteParse::Valid { suite: Box::new(suite), warnings };
    }
    for finding in &mut findings {
        finding.location = locate(document, &finding.path, &finding.keys);
    }
    findings.sort_by(Finding::order);
    settle_warnings(document, &mut warnings);
    SuiteParse::Invalid { stage: LoadStage::Contract, findings, warnings }
}

fn settle_warnings(document: &Document, warnings: &mut [Warning]) {
    for warning in &mut *warnings {
        warning.location = locate(document, &warning.path, &warning.keys);
    }
    warnings.sort_by(Warning::order);
}

/// The place to point at: the first of `keys`, else a scalar itself, else the key that introduces an object or a list,
/// else the nearest place above that exists.
fn locate(document: &Document, path: &[PathSegment], keys: &[String]) -> Option<Location> {
    let mut child = document.root();
    let mut label = child.place;
    for segment in path {
        let Some((next, next_label)) = descend(document, child, segment) else { return label };
        (child, label) = (next, next_label);
    }
    match document.content(child) {
        Content::Object(members) => {
            let key = keys.first().and_then(|key| members.get(key));
            key.and_then(|entry| entry.key_place).or(label)
        }
        Content::Scalar(_) => child.place,
        Content::List(_) => label,
    }
}

/// The places of paths in a suite's text, one per path; `None` for every path of a text that is no document.
pub fn locate_paths<'a>(
    text: &str,
    paths: impl Iterator<Item = &'a [PathSegment]>,
) -> Vec<Option<Location>> {
    let document = yaml::read(text).ok().and_then(|mut documents| documents.pop());
    paths.map(|path| document.as_ref().and_then(|document| locate(document, path, &[]))).collect()
}

fn descend(
    document: &Document,
    child: Child,
    segment: &PathSegment,
) -> Option<(Child, Option<Location>)> {
    match (document.content(child), segment) {
        (Content::Object(members), PathSegment::Name(name)) => {
            members.get(name).map(|entry| (entry.value, entry.key_place))
        }
        (Content::List(items), PathSegment::Index(index)) => {
            items.get(*index).map(|item| (*item, item.place))
        }
        (Content::Object(_) | Content::List(_) | Content::Scalar(_), _) => None,
    }
}

fn too_large(bytes: usize) -> SuiteParse {
    let message = format!(
        "the file has {bytes} bytes; at most {MAX_SUITE_BYTES} are read, so split the suite"
    );
    let finding = finding(FindingCode::TooLarge, FindingClass::TooLarge, &message, None);
    let stage = LoadStage::Input;
    SuiteParse::Invalid { stage, findings: vec![finding], warnings: Vec::new() }
}

fn parse_failure(mut findings: Vec<Finding>) -> SuiteParse {
    findings.sort_by(Finding::order);
    SuiteParse::Invalid { stage: LoadStage::Parse, findings, warnings: Vec::new() }
}

fn yaml_finding(error: YamlError) -> Finding {
    finding(FindingCode::YamlInvalid, FindingClass::YamlInvalid, &error.message, error.place)
}

fn finding(
    code: FindingCode,
    class: FindingClass,
    message: &str,
    location: Option<Location>,
) -> Finding {
    Finding {
        code,
        class,
        path: Vec::new(),
        pointer: String::new(),
        message: message.to_owned(),
        keys: Vec::new(),
        location,
    }
}
