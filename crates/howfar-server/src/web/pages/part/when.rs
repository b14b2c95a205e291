//! A wall clock time in the reader's zone, with UTC in a tooltip.

use askama::Template;
use howfar_report::html::units::wall_clock;
use jiff::tz::TimeZone;

/// A time.
#[derive(Debug, Template)]
#[template(
    source = r#"<time datetime="{{ utc }}" title="{{ utc }} (UTC)">{{ local }}</time>"#,
    ext = "html"
)]
pub(in crate::web::pages) struct When {
    utc: String,
    local: String,
}

impl When {
    /// A time that a document holds in UTC. The server listens on loopback, so its zone is the reader's.
    pub(in crate::web::pages) fn new(utc: &str, zone: &TimeZone) -> Self {
        Self { utc: utc.to_owned(), local: wall_clock(utc, zone) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tooltip_is_utc() {
        let shown = When::new("2026-01-02T03:04:05Z", &TimeZone::UTC).to_string();
        assert!(shown.contains("title=\"2026-01-02T03:04:05Z (UTC)\""), "{shown}");
    }
}
