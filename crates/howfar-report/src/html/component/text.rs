//! Long text of others: cut with its length said, and a way to see more in place.

use askama::Template;

use crate::html::filters;

/// How many characters are shown before the fold.
const SHOWN: usize = 400;

/// How many characters a page holds of one text.
const HELD: usize = 4_000;

/// A text of several lines. Behind the fold stand at most 4,000 characters; a longer text says how long it is.
#[derive(Debug, Template)]
#[template(path = "component/text.html")]
pub struct LongText<'a> {
    shown: &'a str,
    folded: &'a str,
    /// Characters that the page does not hold.
    left_out: usize,
    length: usize,
}

impl<'a> LongText<'a> {
    /// The view of a text.
    pub fn new(text: &'a str) -> Self {
        let end_of = |limit: usize| text.char_indices().nth(limit).map_or(text.len(), |(at, _)| at);
        let length = text.chars().count();
        // A fold that hides a line or two is a nuisance.
        let shown = if length <= SHOWN + SHOWN / 2 { text.len() } else { end_of(SHOWN) };
        let held = end_of(HELD).max(shown);
        Self {
            shown: &text[..shown],
            folded: &text[shown..held],
            left_out: text[held..].chars().count(),
            length,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_text_has_no_fold() {
        assert_eq!(
            LongText::new("a\n<b>").to_string(),
            "<div class=\"prose\">a\n&#60;b&#62;</div>"
        );
    }

    #[test]
    fn a_long_text_says_how_long_it_is() {
        let shown = LongText::new(&"ä".repeat(900)).to_string();
        assert!(shown.contains("900 characters in all"), "{shown}");
        assert_eq!(shown.matches('ä').count(), 900);
    }

    #[test]
    fn a_huge_text_is_cut_and_says_so() {
        let shown = LongText::new(&"x".repeat(10_000)).to_string();
        assert!(shown.contains("6000 of 10000 characters are not on this page"), "{shown}");
        assert!(shown.len() < 5_000);
    }
}
