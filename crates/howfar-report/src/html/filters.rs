//! Filters of the templates.

use askama::Values;
use askama::filters::Safe;

use super::escape::Prose;

/// Text of several lines, escaped; its line breaks stay.
#[askama::filter_fn]
pub(super) fn prose<'a>(text: &'a str, _: &dyn Values) -> askama::Result<Safe<Prose<'a>>> {
    Ok(Safe(Prose(text)))
}
