//! Normalized edit distance between an answer and a reference (predicates 6.12).

use howfar_wire::canon::{es_trim, is_es_whitespace, utf16_len};

/// The longest text on either side, in UTF-16 code units.
const INPUT_CAP: usize = 100_000;
/// The most cells of the distance table.
const CELL_CAP: usize = 4_000_000;

/// How both texts are normalized before they are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DistanceOptions {
    /// Whether case counts; otherwise both sides are lower-cased.
    pub case_sensitive: bool,
    /// Whether runs of white space become one space and the ends are trimmed.
    pub normalize_whitespace: bool,
}

/// Why no distance was computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DistanceError {
    /// A text is longer than 100 000 UTF-16 code units.
    #[error("responseCloseTo input exceeds the linear input limit")]
    Input,
    /// Nothing of the reference is left.
    #[error("responseCloseTo reference is empty after normalization")]
    EmptyReference,
    /// A text became longer than the limit by normalization.
    #[error("responseCloseTo normalized input exceeds the linear input limit")]
    NormalizedInput,
    /// The texts differ in too long a stretch.
    #[error("responseCloseTo exceeds the 4000000-cell computation limit")]
    Cells,
}

/// The edit distance in code points over the longer length: 0 for equal texts, 1 for nothing in common.
///
/// # Errors
///
/// [`DistanceError`] when a limit is exceeded or the reference is empty after normalization.
pub fn response_distance(
    message: &str,
    reference: &str,
    options: DistanceOptions,
) -> Result<f64, DistanceError> {
    if utf16_len(message) > INPUT_CAP || utf16_len(reference) > INPUT_CAP {
        return Err(DistanceError::Input);
    }
    let (message, reference) = (normalized(message, options), normalized(reference, options));
    if reference.is_empty() {
        return Err(DistanceError::EmptyReference);
    }
    if utf16_len(&message) > INPUT_CAP || utf16_len(&reference) > INPUT_CAP {
        return Err(DistanceError::NormalizedInput);
    }
    if message == reference {
        return Ok(0.0);
    }
    let message: Vec<char> = message.chars().collect();
    let reference: Vec<char> = reference.chars().collect();
    let longer = message.len().max(reference.len());
    let (a, b) = without_common_ends(&message, &reference);
    if a.len().saturating_mul(b.len()) > CELL_CAP {
        return Err(DistanceError::Cells);
    }
    // Exact: both numbers are at most 100 000.
    Ok(levenshtein(a, b) as f64 / longer as f64)
}

fn normalized(text: &str, options: DistanceOptions) -> String {
    let text = if options.case_sensitive { text.to_owned() } else { text.to_lowercase() };
    if !options.normalize_whitespace {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut in_run = false;
    for c in es_trim(&text).chars() {
        let space = is_es_whitespace(c);
        if !space {
            out.push(c);
        } else if !in_run {
            out.push(' ');
        }
        in_run = space;
    }
    out
}

fn without_common_ends<'a>(a: &'a [char], b: &'a [char]) -> (&'a [char], &'a [char]) {
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    (&a[..a.len() - suffix], &b[..b.len() - suffix])
}

/// Insert, delete and substitute cost 1 each.
fn levenshtein(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (at, a) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (to, b) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(a != b);
            diagonal = row[to + 1];
            row[to + 1] = substituted.min(diagonal + 1).min(row[to] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(message: &str, reference: &str) -> Result<f64, DistanceError> {
        response_distance(message, reference, DistanceOptions::default())
    }

    #[test]
    fn distance_is_over_the_longer_text() {
        assert_eq!(distance("flaw", "lawn"), Ok(0.5));
        assert_eq!(distance("", "ab"), Ok(1.0));
        assert_eq!(distance("AB", "ab"), Ok(0.0));
    }

    #[test]
    fn white_space_counts_unless_normalized() {
        let options = DistanceOptions { normalize_whitespace: true, ..DistanceOptions::default() };
        assert_eq!(response_distance(" a\u{a0}\n b", "a b", options), Ok(0.0));
        assert_eq!(response_distance("a", " ", options), Err(DistanceError::EmptyReference));
    }

    #[test]
    fn only_the_differing_stretch_counts_against_the_limit() {
        let long = "a".repeat(50_000);
        assert_eq!(distance(&format!("{long}x"), &format!("{long}y")), Ok(1.0 / 50_001.0));
        assert_eq!(distance(&"a".repeat(2001), &"b".repeat(2000)), Err(DistanceError::Cells));
    }
}
