//! The line under a long list: how many of how many are shown, and the way on.

use askama::Template;

use crate::web::pages::link;

/// "50 of 240 trials on this page", and links to the first page and the next one.
#[derive(Debug, Template)]
#[template(
    source = r#"{% if !self.is_whole() %}<nav class="pager" aria-label="Pages of {{ unit }}"><span>{{ shown }} of {{ total }} {{ unit }} on this page</span>{% if let Some(first) = first %} <a href="{{ first }}">← first page</a>{% endif %}{% if let Some(next) = next %} <a rel="next" href="{{ next }}">next page →</a>{% endif %}</nav>{% endif %}"#,
    ext = "html"
)]
pub(in crate::web::pages) struct Pager {
    shown: usize,
    total: u64,
    unit: &'static str,
    /// Absent on the first page.
    first: Option<String>,
    /// Absent on the last page.
    next: Option<String>,
}

/// Where the pages of a list are.
#[derive(Debug, Clone, Copy)]
pub(in crate::web::pages) struct Pages<'a> {
    /// The address of the list without a place in it; it may have a query.
    pub(in crate::web::pages) address: &'a str,
    /// The place that was asked for; absent for the first page.
    pub(in crate::web::pages) cursor: Option<&'a str>,
    /// Where the next page begins; absent on the last.
    pub(in crate::web::pages) next_cursor: Option<&'a str>,
}

impl Pager {
    /// The line of a page that shows `shown` of `total`.
    pub(in crate::web::pages) fn new(
        pages: Pages<'_>,
        shown: usize,
        total: u64,
        unit: &'static str,
    ) -> Self {
        let joint = if pages.address.contains('?') { '&' } else { '?' };
        let at = |cursor: &str| format!("{}{joint}cursor={}", pages.address, link::encoded(cursor));
        Self {
            shown,
            total,
            unit,
            first: pages.cursor.map(|_| pages.address.to_owned()),
            next: pages.next_cursor.map(at),
        }
    }

    /// Whether everything is in sight, so that no line is needed.
    const fn is_whole(&self) -> bool {
        self.first.is_none() && self.next.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(cursor: Option<&str>, next_cursor: Option<&str>) -> String {
        let pages = Pages { address: "/x?a=1", cursor, next_cursor };
        Pager::new(pages, 50, 240, "trials").to_string()
    }

    #[test]
    fn a_page_in_the_middle_has_two_ways_on() {
        let shown = shown(Some("b"), Some("c"));
        assert!(shown.contains("50 of 240 trials on this page"), "{shown}");
        assert!(shown.contains("href=\"/x?a=1\"") && shown.contains("cursor=c"), "{shown}");
    }

    #[test]
    fn a_list_that_is_all_in_sight_needs_no_line() {
        assert_eq!(shown(None, None), "");
    }
}
