//! The page that says why a question has no answer. "No such run" and "a run without that document" are two answers.

use askama::Template;
use howfar_wire::api::{Problem, ProblemType};

use super::frame::{Frame, Part};

/// The page.
#[derive(Template)]
#[template(path = "problem.html")]
pub(super) struct ProblemPage<'a> {
    frame: Frame,
    title: String,
    status: u16,
    detail: Vec<Piece<'a>>,
    hint: Option<Vec<Piece<'a>>>,
    /// Whether the way on is a token.
    asks_token: bool,
}

/// A part of a text, and whether it is a command or another spelling.
type Piece<'a> = (bool, &'a str);

impl<'a> ProblemPage<'a> {
    /// The page of a problem.
    pub(super) fn new(problem: &'a Problem) -> Self {
        let title = capitalized(&problem.title);
        Self {
            frame: Frame::new(title.clone(), Part::Nowhere),
            title,
            status: problem.status,
            detail: pieces(&problem.detail),
            hint: problem.hint.as_deref().map(pieces),
            asks_token: problem.problem == ProblemType::Unauthorized,
        }
    }
}

/// A text apart at its backticks: every second piece stood between two.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    text.split('`').enumerate().map(|(at, piece)| (at % 2 == 1, piece)).collect()
}

/// A title of the API as a heading.
fn capitalized(title: &str) -> String {
    let mut characters = title.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(kind: ProblemType, hint: &str) -> String {
        let problem = Problem::new(kind, "it is <so>".to_owned(), Some(hint.to_owned()));
        ProblemPage::new(&problem).render().expect("it renders")
    }

    #[test]
    fn a_command_is_set_apart() {
        let shown = shown(ProblemType::RunNotFound, "`howfar list` shows what is stored");
        assert!(shown.contains("<h1>No such run</h1>"), "{shown}");
        assert!(shown.contains("<code>howfar list</code> shows what is stored"), "{shown}");
        assert!(shown.contains("it is &#60;so&#62;") && !shown.contains("<form"), "{shown}");
    }

    #[test]
    fn a_page_that_needs_a_token_asks_for_it() {
        assert!(shown(ProblemType::Unauthorized, "").contains("action=\"/login\""));
    }
}
