//! The fields beside the patterns of `toolInputMatches` and `toolResultMatches` (predicates 7.2).

use howfar_wire::canon::utf16_len;

/// The most patterns of one check.
pub const MAX_PATTERNS: usize = 8;
/// The longest pattern, in UTF-16 code units.
pub const MAX_PATTERN_LENGTH: usize = 512;
/// The flags of a check, in the one order in which they may be spelled.
pub const FLAGS: [&str; 7] = ["i", "m", "s", "im", "is", "ms", "ims"];

const MAX_PATH_LENGTH: usize = 257;

/// Why a path names no top-level key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PathProblem {
    /// The path is empty.
    #[error("path \"\" is the whole value; omit path instead")]
    Empty,
    /// The path is shorter or longer than allowed.
    #[error("path must be 2 to 257 characters: \"/\" and the key, e.g. \"/elements\"")]
    Length,
    /// The path does not start with a slash.
    #[error("path must be a JSON Pointer that starts with \"/\", e.g. \"/elements\"")]
    Start,
    /// The path names a key below another one.
    #[error(
        "path must name exactly one top-level key; nested paths are not supported yet (write a \"/\" inside a key as ~1)"
    )]
    Nested,
    /// A tilde is followed by neither 0 nor 1.
    #[error("path has an invalid escape: \"~\" must be followed by 0 or 1")]
    Escape,
}

/// The key that a path names.
///
/// # Errors
///
/// The first [`PathProblem`] in the order of the specification.
pub fn path_key(path: &str) -> Result<String, PathProblem> {
    if path.is_empty() {
        return Err(PathProblem::Empty);
    }
    if !(2..=MAX_PATH_LENGTH).contains(&utf16_len(path)) {
        return Err(PathProblem::Length);
    }
    let token = path.strip_prefix('/').ok_or(PathProblem::Start)?;
    if token.contains('/') {
        return Err(PathProblem::Nested);
    }
    if !token.split('~').skip(1).all(|after| after.starts_with(['0', '1'])) {
        return Err(PathProblem::Escape);
    }
    Ok(token.replace("~1", "/").replace("~0", "~"))
}

/// The path that names a key.
pub fn key_path(key: &str) -> String {
    format!("/{}", key.replace('~', "~0").replace('/', "~1"))
}

/// How many units have to match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchBounds {
    /// The fewest.
    pub min: u64,
    /// The most; absent when there is no limit.
    pub max: Option<u64>,
}

/// Bounds that no check may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum BoundsProblem {
    /// `min: 0` without `max` holds on everything.
    #[error(
        "min: 0 needs a max; on its own it passes every transcript (use max: 0 for \"no {unit} matches\")"
    )]
    MinAlone {
        /// What is counted: `call` or `result`.
        unit: &'static str,
    },
    /// `max` lies below `min`.
    #[error("max must be at least min ({min}{})", if *.defaulted { ", the default" } else { "" })]
    MaxBelowMin {
        /// The least count.
        min: u64,
        /// Whether it was not authored.
        defaulted: bool,
    },
}

impl MatchBounds {
    /// Settles authored bounds; `unit` is what is counted, `call` or `result`.
    ///
    /// # Errors
    ///
    /// [`BoundsProblem`] when the bounds hold on everything or on nothing.
    pub fn new(
        min: Option<u64>,
        max: Option<u64>,
        unit: &'static str,
    ) -> Result<Self, BoundsProblem> {
        let least = min.unwrap_or(1);
        match max {
            None if least == 0 => Err(BoundsProblem::MinAlone { unit }),
            Some(max) if max < least => {
                Err(BoundsProblem::MaxBelowMin { min: least, defaulted: min.is_none() })
            }
            None | Some(_) => Ok(Self { min: least, max }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_one_key() {
        assert_eq!(path_key("/a~1b~0c"), Ok("a/b~c".to_owned()));
        assert_eq!(path_key("/~01"), Ok("~1".to_owned()));
        assert_eq!(key_path("~1"), "/~01");
        assert_eq!(path_key(""), Err(PathProblem::Empty));
        assert_eq!(path_key("ab"), Err(PathProblem::Start));
        assert_eq!(path_key("/a/b"), Err(PathProblem::Nested));
        assert_eq!(path_key("/a~2"), Err(PathProblem::Escape));
    }

    #[test]
    fn bounds_exclude_something() {
        assert_eq!(
            MatchBounds::new(None, Some(0), "call").expect_err("refused").to_string(),
            "max must be at least min (1, the default)"
        );
        assert!(MatchBounds::new(Some(0), None, "call").is_err());
        assert!(MatchBounds::new(Some(0), Some(0), "call").is_ok());
    }
}
