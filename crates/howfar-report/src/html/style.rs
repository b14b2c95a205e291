//! The one stylesheet, and its digest for a content security policy.

use std::sync::LazyLock;

use howfar_wire::canon::sha256_hex;

/// The stylesheet of every page: light, dark, narrow and printed.
pub const STYLE: &str = include_str!("style.css");

/// The policy of a page that is one file: nothing is loaded, nothing runs, and the only style is [`STYLE`].
pub fn content_security_policy() -> &'static str {
    static POLICY: LazyLock<String> = LazyLock::new(|| {
        let digest = base64(&bytes_of_hex(&sha256_hex(STYLE.as_bytes())));
        format!(
            "default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
        )
    });
    &POLICY
}

/// The bytes that a text of hexadecimal digits spells.
fn bytes_of_hex(hex: &str) -> Vec<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).unwrap_or(0) as u8;
    hex.as_bytes().chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// Bytes in base64, padded.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0u32, |group, byte| group << 8 | u32::from(*byte));
        let group = group << (8 * (3 - chunk.len()));
        for position in 0..4 {
            let index = (group >> (18 - 6 * position) & 63) as usize;
            out.push(if position <= chunk.len() { char::from(ALPHABET[index]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads() {
        assert_eq!((base64(b"M"), base64(b"Ma")), ("TQ==".to_owned(), "TWE=".to_owned()));
        assert_eq!(base64(b"Man"), "TWFu");
    }

    #[test]
    fn the_digest_is_that_of_the_bytes() {
        let empty = base64(&bytes_of_hex(&sha256_hex(b"")));
        assert_eq!(empty, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    }

    #[test]
    fn the_stylesheet_loads_nothing() {
        for word in ["@import", "http:", "https:", "//", "url(\"", "@font-face"] {
            assert!(!STYLE.contains(word), "{word}");
        }
        let paints = STYLE.matches("url(").count();
        assert_eq!(paints, STYLE.matches("url(#").count());
    }
}
