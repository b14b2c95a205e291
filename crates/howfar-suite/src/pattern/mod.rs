//! The pattern dialects that authors write in checks (predicates, section 7).

mod ecma;

pub use ecma::{EcmaPattern, MatchLimitError, PatternError};
