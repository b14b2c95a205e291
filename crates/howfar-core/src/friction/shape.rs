//! What names an identifier, and what looks like one (friction, section A7).
//!
//! ASCII rules throughout: Unicode case folding would let other letters in.

/// Whether a key says that its value is an identifier.
pub(super) fn names_identifier(key: &str) -> bool {
    const NAMES: [&str; 8] = ["id", "ids", "key", "uuid", "slug", "number", "ref", "identifier"];
    let tail = key.rsplit_once('_').map_or(key, |(_, tail)| tail);
    key.ends_with("Id") || NAMES.iter().any(|name| tail.eq_ignore_ascii_case(name))
}

/// Whether a trimmed text has the shape of an identifier, whatever its key.
pub(super) fn looks_like_identifier(text: &str) -> bool {
    is_prefixed(text) || is_uuid(text) || is_ulid(text) || is_hex_run(text)
}

/// `ISSUE-41`: letters, exactly one hyphen, letters and digits.
fn is_prefixed(text: &str) -> bool {
    text.split_once('-').is_some_and(|(prefix, rest)| {
        (1..=12).contains(&prefix.len())
            && (1..=32).contains(&rest.len())
            && prefix.bytes().all(|byte| byte.is_ascii_alphabetic())
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}

/// A UUID of version 1 to 5.
fn is_uuid(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 36
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            14 => (b'1'..=b'5').contains(byte),
            19 => matches!(byte, b'8' | b'9' | b'a' | b'b' | b'A' | b'B'),
            _ => byte.is_ascii_hexdigit(),
        })
}

/// A ULID: 26 digits and letters without I, L, O and U.
fn is_ulid(text: &str) -> bool {
    text.len() == 26
        && text.bytes().all(|byte| {
            byte.is_ascii_alphanumeric()
                && !matches!(byte.to_ascii_uppercase(), b'I' | b'L' | b'O' | b'U')
        })
}

/// Eight or more hexadecimal digits, so that every long integer counts.
fn is_hex_run(text: &str) -> bool {
    text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_name_identifiers_by_their_tail() {
        for key in ["id", "ID", "issue_id", "external_key", "phone_number", "_id", "KEY", "PaId"] {
            assert!(names_identifier(key), "{key}");
        }
        for key in ["apiKey", "href", "paid", "id_", "uuids", "hyphen-id", "guid", "userID"] {
            assert!(!names_identifier(key), "{key}");
        }
    }

    #[test]
    fn shapes_are_about_the_whole_text() {
        for text in ["ISSUE-41", "in-progress", "1704450000000", "01ARZ3NDEKTSV4RRFFQ69G5FAV"] {
            assert!(looks_like_identifier(text), "{text}");
        }
        assert!(looks_like_identifier("6F9619FF-8B86-4011-B42D-00C04FC964FF"));
        for text in
            ["2024-01-05", "cus_123", "a-b-c", "1234567", "018f4c1e-7a2b-7cc0-9a1d-0c2f6f5e4d3b"]
        {
            assert!(!looks_like_identifier(text), "{text}");
        }
    }

    #[test]
    fn letters_that_fold_to_ascii_do_not_count() {
        assert!(!names_identifier("\u{212a}ey"));
        assert!(!looks_like_identifier("i\u{17f}sue-1"));
    }
}
