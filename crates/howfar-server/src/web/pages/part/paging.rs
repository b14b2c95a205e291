//! The line under a long list: which of how many are shown, and the ways on and back.

use askama::Template;

/// "trials 51 to 100 of 240", and links to the first page, the one before and the next one.
#[derive(Debug, Template)]
#[template(
    source = r#"{% if !self.is_whole() %}<nav class="pager" aria-label="Pages of {{ unit }}"><span>{{ which }}</span>{% if let Some(first) = first %} <a href="{{ first }}">⇤ first page</a>{% endif %}{% if let Some(before) = before %} <a rel="prev" href="{{ before }}">← page before</a>{% endif %}{% if let Some(next) = next %} <a rel="next" href="{{ next }}">next page →</a>{% endif %}</nav>{% endif %}"#,
    ext = "html"
)]
pub(in crate::web::pages) struct Pager {
    unit: &'static str,
    which: String,
    /// Absent on the first two pages.
    first: Option<String>,
    /// Absent on the first page.
    before: Option<String>,
    /// Absent on the last page.
    next: Option<String>,
}

/// Where in a list a page stands.
#[derive(Debug, Clone, Copy)]
pub(in crate::web::pages) struct Pages<'a> {
    /// The address of the list without a place in it; it may have a query.
    pub(in crate::web::pages) address: &'a str,
    /// How many items stand before the page.
    pub(in crate::web::pages) skip: u32,
    /// How many items a page has.
    pub(in crate::web::pages) limit: u32,
}

impl Pages<'_> {
    /// The address of the page after `skip` items.
    fn at(&self, skip: u64) -> String {
        let joint = if self.address.contains('?') { '&' } else { '?' };
        match skip {
            0 => self.address.to_owned(),
            skip => format!("{}{joint}from={}", self.address, skip + 1),
        }
    }
}

impl Pager {
    /// The line of a page that shows `shown` of `total` items; `unit` is their plural.
    pub(in crate::web::pages) fn new(
        pages: Pages<'_>,
        shown: usize,
        total: u64,
        unit: &'static str,
    ) -> Self {
        let (skip, limit) = (u64::from(pages.skip), u64::from(pages.limit));
        let end = skip + shown as u64;
        Self {
            unit,
            which: match shown {
                0 => format!("no {unit} from {} on; there are {total}", skip + 1),
                _ => format!("{unit} {} to {end} of {total}", skip + 1),
            },
            first: (skip > limit).then(|| pages.at(0)),
            before: (skip > 0).then(|| pages.at(skip.min(total).saturating_sub(limit))),
            next: (shown > 0 && end < total).then(|| pages.at(end)),
        }
    }

    /// Whether everything is in sight, so that no line is needed.
    const fn is_whole(&self) -> bool {
        self.before.is_none() && self.next.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(skip: u32, shown: usize) -> String {
        let pages = Pages { address: "/x?a=1", skip, limit: 50 };
        Pager::new(pages, shown, 140, "trials").to_string()
    }

    #[test]
    fn a_page_in_the_middle_has_ways_on_and_back() {
        let middle = line(50, 50);
        assert!(middle.contains("trials 51 to 100 of 140"), "{middle}");
        assert!(middle.contains("rel=\"prev\" href=\"/x?a=1\""), "{middle}");
        assert!(middle.contains("from=101") && !middle.contains("first page"), "{middle}");
    }

    #[test]
    fn the_last_page_leads_back_to_the_one_before_and_to_the_first() {
        let last = line(100, 40);
        assert!(last.contains("trials 101 to 140 of 140"), "{last}");
        assert!(last.contains("from=51") && last.contains("first page"), "{last}");
        assert!(!last.contains("next page"), "{last}");
    }

    #[test]
    fn a_page_beyond_the_end_says_how_many_there_are() {
        let beyond = line(500, 0);
        assert!(beyond.contains("no trials from 501 on; there are 140"), "{beyond}");
        assert!(beyond.contains("from=91"), "{beyond}");
    }

    #[test]
    fn a_list_that_is_all_in_sight_needs_no_line() {
        let pages = Pages { address: "/x", skip: 0, limit: 50 };
        assert_eq!(Pager::new(pages, 3, 3, "trials").to_string(), "");
    }
}
