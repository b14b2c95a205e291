//! Pages: how many items, and where the next page begins.

use howfar_wire::api::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS};

use super::ReadError;

/// Which page is asked for; the default is the first, of the usual size.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Paging {
    /// At most this many items, 1 to [`MAX_PAGE_ITEMS`].
    pub limit: Option<u32>,
    /// The `nextCursor` of the page before.
    pub cursor: Option<String>,
    /// Leave out this many items before the page begins: pages by place instead of by cursor.
    pub skip: u32,
}

impl Paging {
    /// How many items the page has at most.
    pub(super) fn items(&self) -> Result<u32, ReadError> {
        match self.limit.unwrap_or(DEFAULT_PAGE_ITEMS) {
            limit @ 1..=MAX_PAGE_ITEMS => Ok(limit),
            limit => Err(ReadError::InvalidParameter {
                name: "limit",
                why: format!("is {limit}; it goes from 1 to {MAX_PAGE_ITEMS}"),
            }),
        }
    }

    /// The `N` parts of the cursor, which some earlier page of the same kind gave out.
    pub(super) fn place<const N: usize>(
        &self,
        kind: &str,
    ) -> Result<Option<[String; N]>, ReadError> {
        let Some(cursor) = &self.cursor else { return Ok(None) };
        match decoded(kind, cursor) {
            Some(parts) => Ok(Some(parts)),
            None => Err(invalid_cursor()),
        }
    }
}

/// The cursor is none of ours.
pub(super) fn invalid_cursor() -> ReadError {
    let why = "is not one that a page of this list gave out".to_owned();
    ReadError::InvalidParameter { name: "cursor", why }
}

/// A cursor: opaque to whoever gets it. `kind` keeps the cursors of different lists apart.
pub(super) fn cursor<const N: usize>(kind: &str, parts: [String; N]) -> String {
    let text = format!("{kind}\n{}", parts.join("\n"));
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn decoded<const N: usize>(kind: &str, cursor: &str) -> Option<[String; N]> {
    let digits = cursor.as_bytes();
    if !digits.iter().all(u8::is_ascii_hexdigit) || digits.len() % 2 == 1 {
        return None;
    }
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes: Vec<u8> = digits.chunks(2).map(byte).collect::<Option<_>>()?;
    let text = String::from_utf8(bytes).ok()?;
    let mut parts = text.split('\n').map(str::to_owned);
    if parts.next().as_deref() != Some(kind) {
        return None;
    }
    parts.collect::<Vec<_>>().try_into().ok()
}

/// A page of items that are all at hand, and where the next one begins.
pub(super) struct Slice<T> {
    pub(super) items: Vec<T>,
    /// The place of the first one among all, from 0.
    pub(super) first: usize,
    pub(super) next_cursor: Option<String>,
}

/// The page of a list that is at hand as a whole; its cursor is a position.
pub(super) fn slice<T>(
    kind: &str,
    items: impl ExactSizeIterator<Item = T>,
    paging: &Paging,
) -> Result<Slice<T>, ReadError> {
    let limit = paging.items()? as usize;
    let first: usize = match paging.place::<1>(kind)? {
        Some([position]) => position.parse().map_err(|_| invalid_cursor())?,
        None => 0,
    };
    let first = first.saturating_add(paging.skip as usize);
    let total = items.len();
    let next = first.saturating_add(limit);
    Ok(Slice {
        items: items.skip(first).take(limit).collect(),
        first,
        next_cursor: (next < total).then(|| cursor(kind, [next.to_string()])),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(cursor: &str) -> Paging {
        Paging { limit: None, cursor: Some(cursor.to_owned()), ..Paging::default() }
    }

    #[test]
    fn a_cursor_reads_back() {
        let text = cursor("runs", ["17".to_owned(), "r_ü".to_owned()]);
        let parts: Option<[String; 2]> = at(&text).place("runs").expect("a cursor of this list");
        assert_eq!(parts, Some(["17".to_owned(), "r_ü".to_owned()]));
    }

    #[test]
    fn a_cursor_of_another_list_is_refused() {
        let text = cursor("runs", ["17".to_owned()]);
        assert!(at(&text).place::<1>("cases").is_err());
        assert!(at(&text).place::<2>("runs").is_err());
        for foreign in ["", "zz", "7", "ü", "2e2e2f"] {
            assert!(at(foreign).place::<1>("runs").is_err(), "{foreign}");
        }
    }

    #[test]
    fn a_limit_out_of_bounds_is_refused() {
        let limited =
            |limit| Paging { limit: Some(limit), cursor: None, ..Paging::default() }.items();
        assert!(limited(0).is_err());
        assert!(limited(201).is_err());
        assert_eq!(limited(200).ok(), Some(200));
    }

    #[test]
    fn a_page_by_place_leaves_out_what_stands_before_it() {
        let from = |skip| slice("numbers", 0..10, &Paging { skip, ..Paging::default() });
        assert_eq!(from(8).expect("a page").items, [8, 9]);
        assert!(from(10).expect("a page").items.is_empty());
    }

    #[test]
    fn every_item_is_on_exactly_one_page() {
        let mut paging = Paging { limit: Some(3), cursor: None, ..Paging::default() };
        let mut seen = Vec::new();
        loop {
            let page = slice("numbers", 0..10, &paging).expect("a page");
            seen.extend(page.items);
            match page.next_cursor {
                Some(next) => paging.cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(seen, (0..10).collect::<Vec<_>>());
    }
}
