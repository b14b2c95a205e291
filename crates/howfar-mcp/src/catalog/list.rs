//! Reading every page of a listing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use super::entry::read_entry;
use super::{Catalog, QuarantinedEntry};
use crate::finding::excerpt;
use crate::{Connection, Finding, FindingCode, SetupError};

pub(crate) async fn list_tools(connection: &Connection) -> Result<Catalog, SetupError> {
    let mut listing = Listing::default();
    let mut cursor = None;
    loop {
        let page = connection.tools_page(cursor).await?;
        cursor = listing.take_page(page, connection.options().max_pages);
        if cursor.is_none() {
            return Ok(listing.into_catalog(connection.server()));
        }
    }
}

/// The pages read so far.
#[derive(Default)]
struct Listing {
    /// Each entry with the number of its page.
    rows: Vec<(usize, Value)>,
    cursors: BTreeSet<String>,
    pages: usize,
    /// Why the listing ended early; absent while it did not.
    cut: Option<Finding>,
}

impl Listing {
    /// Takes a page; the cursor of the next one, when there is one to ask for.
    fn take_page(&mut self, mut page: Map<String, Value>, max_pages: usize) -> Option<String> {
        self.pages += 1;
        if let Some(Value::Array(entries)) = page.remove("tools") {
            self.rows.extend(entries.into_iter().map(|entry| (self.pages, entry)));
        }
        let pages = self.pages;
        match page.remove("nextCursor") {
            None | Some(Value::Null) => None,
            Some(Value::String(cursor)) if self.cursors.contains(&cursor) => {
                let text = format!(
                    "the cursor {} came twice; the listing was cut after {pages} pages",
                    excerpt(&cursor, 80)
                );
                self.cut(FindingCode::RepeatedCursor, text)
            }
            Some(Value::String(_)) if pages >= max_pages => self.cut(
                FindingCode::PageLimit,
                format!("the listing has more than {max_pages} pages and was cut"),
            ),
            Some(Value::String(cursor)) => {
                self.cursors.insert(cursor.clone());
                Some(cursor)
            }
            Some(other) => {
                let text = format!(
                    "nextCursor is not text ({}); the listing ends there",
                    excerpt(&other.to_string(), 80)
                );
                self.cut(FindingCode::InvalidCursor, text)
            }
        }
    }

    fn cut(&mut self, code: FindingCode, text: String) -> Option<String> {
        self.cut = Some(Finding::new(code, text));
        None
    }

    /// The catalog. A listing that was cut repeats itself: what an earlier page already had is left out of it.
    fn into_catalog(mut self, server: &str) -> Catalog {
        if self.cut.is_some() {
            let mut first_page = BTreeMap::new();
            self.rows
                .retain(|(page, raw)| *first_page.entry(raw.to_string()).or_insert(*page) == *page);
        }
        let complete = self.cut.is_none();
        let mut catalog = Catalog {
            server: server.to_owned(),
            tools: Vec::new(),
            quarantined: Vec::new(),
            findings: self.cut.into_iter().collect(),
            raw: Vec::new(),
            complete,
            pages: self.pages,
        };
        let mut names = BTreeSet::new();
        for (_, raw) in self.rows {
            take_entry(&mut catalog, &mut names, raw);
        }
        catalog
    }
}

fn take_entry(catalog: &mut Catalog, names: &mut BTreeSet<String>, raw: Value) {
    let index = catalog.raw.len();
    let mut find = |code, text| catalog.findings.push(Finding::new(code, text));
    match read_entry(&raw) {
        Ok((tool, remarks)) => {
            for remark in remarks {
                find(FindingCode::ToolMemberIgnored, format!("tool \"{}\": {remark}", tool.name));
            }
            if !names.insert(tool.name.clone()) {
                find(
                    FindingCode::DuplicateTool,
                    format!("tool \"{}\" is listed more than once", tool.name),
                );
            }
            catalog.tools.push(tool);
        }
        Err(reason) => {
            let name = raw.get("name").and_then(Value::as_str).map(str::to_owned);
            let who = name
                .as_ref()
                .map_or_else(|| format!("entry {index}"), |name| format!("tool \"{name}\""));
            find(FindingCode::ToolQuarantined, format!("{who} is left out: {reason}"));
            catalog.quarantined.push(QuarantinedEntry { index, name, reason });
        }
    }
    catalog.raw.push(raw);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Feeds pages and returns the listing and the last cursor.
    fn take(pages: &[Value]) -> (Catalog, Option<String>) {
        let mut listing = Listing::default();
        let mut cursor = None;
        for page in pages {
            cursor = listing.take_page(page.as_object().expect("a page").clone(), 3);
        }
        (listing.into_catalog("s"), cursor)
    }

    fn codes(catalog: &Catalog) -> Vec<FindingCode> {
        catalog.findings.iter().map(|finding| finding.code).collect()
    }

    fn tool(name: &str) -> Value {
        json!({"name": name, "inputSchema": {"type": "object"}})
    }

    #[test]
    fn one_broken_entry_costs_only_itself() {
        let (catalog, _) = take(&[json!({"tools": [tool("a"), {"name": "b"}, 7, tool("c")]})]);
        let names: Vec<&str> = catalog.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!((names, catalog.raw.len(), catalog.complete), (vec!["a", "c"], 4, true));
        assert_eq!(
            catalog.quarantined[0],
            QuarantinedEntry {
                index: 1,
                name: Some("b".into()),
                reason: "there is no inputSchema".into()
            }
        );
    }

    #[test]
    fn duplicates_survive_with_a_finding() {
        let (catalog, _) = take(&[json!({"tools": [tool("a"), tool("a")]})]);
        assert_eq!((catalog.tools.len(), codes(&catalog)), (2, vec![FindingCode::DuplicateTool]));
    }

    #[test]
    fn a_repeated_cursor_cuts_the_listing_and_its_repeats() {
        let page = json!({"tools": [tool("a"), tool("b")], "nextCursor": "x"});
        let (catalog, cursor) = take(&[page.clone(), page]);
        assert_eq!(catalog.tools.len(), 2);
        assert_eq!(
            (cursor, catalog.complete, codes(&catalog)),
            (None, false, vec![FindingCode::RepeatedCursor])
        );
    }

    #[test]
    fn the_page_limit_cuts_the_listing() {
        let pages: Vec<Value> =
            (0..3).map(|n| json!({"tools": [], "nextCursor": n.to_string()})).collect();
        let (catalog, cursor) = take(&pages);
        assert_eq!(
            (cursor, catalog.complete, codes(&catalog)),
            (None, false, vec![FindingCode::PageLimit])
        );
    }

    #[test]
    fn a_cursor_that_is_not_text_ends_the_listing_incomplete() {
        let (catalog, cursor) = take(&[json!({"tools": [tool("a")], "nextCursor": 5})]);
        assert_eq!(
            (cursor, catalog.complete, codes(&catalog)),
            (None, false, vec![FindingCode::InvalidCursor])
        );
    }
}
