//! `noEndingQuestion` (predicates 6.11).

use howfar_wire::canon::{es_trim, is_blank};

use super::{Check, Compiled};
use crate::predicate::evidence::Evidence;
use crate::predicate::fields::Fields;
use crate::predicate::outcome::Outcome;
use crate::predicate::text::{MESSAGE_CAP, scrubbed};

#[derive(Debug)]
struct NoEndingQuestion;

pub(super) fn compile(_fields: Fields<'_>) -> Compiled {
    Ok(Box::new(NoEndingQuestion))
}

impl Check for NoEndingQuestion {
    fn evaluate(&self, evidence: Evidence<'_>) -> Outcome {
        match ending_question(evidence.message()) {
            Some(question) => Outcome::fail(format!(
                "final message ended with a question: \"{}\"",
                scrubbed(question, MESSAGE_CAP)
            )),
            None => Outcome::pass("final message did not end with a question"),
        }
    }
}

/// Whether a message ends with a question: the trial fact `endedWithQuestion`.
pub fn ends_with_question(message: &str) -> bool {
    ending_question(message).is_some()
}

/// The last non-blank line, trimmed, when it ends with `?`. Lines end with LF or CRLF; a lone CR ends none.
fn ending_question(message: &str) -> Option<&str> {
    let last = message.split('\n').rev().find(|line| !is_blank(line))?;
    Some(es_trim(last)).filter(|line| line.ends_with('?'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_that_is_not_blank_decides() {
        assert_eq!(ending_question("Done.\r\nMore? \n\n"), Some("More?"));
        assert_eq!(ending_question("More?\nDone."), None);
        assert_eq!(ending_question("Full width？"), None);
        assert_eq!(ending_question(""), None);
    }
}
