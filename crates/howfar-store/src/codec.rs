//! How a document lies in a column: its JSON text, compressed. Text repeats itself so much that this saves most of it.

use std::io::{Cursor, Read, Write as _};

use flate2::Compression;
use flate2::bufread::ZlibDecoder;
use flate2::write::ZlibEncoder;
use howfar_wire::canon;
use serde::Serialize;

/// The largest document that is read back. A damaged length must not fill the memory.
const MAX_DOCUMENT_BYTES: u64 = 1 << 30;

/// A document, ready to be stored.
#[derive(Debug, Clone)]
pub(crate) struct Packed {
    /// The compressed text.
    pub(crate) body: Vec<u8>,
    /// The SHA-256 of the text.
    pub(crate) digest: String,
}

/// A document whose bytes are only packed when nobody stored them before.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// The JSON text.
    bytes: Vec<u8>,
    /// Its SHA-256.
    pub(crate) digest: String,
}

impl Text {
    /// The text of a document.
    pub(crate) fn of<T: Serialize>(document: &T) -> Self {
        let bytes = serde_json::to_vec(document).expect("documents hold nothing but JSON");
        Self { digest: canon::sha256_hex(&bytes), bytes }
    }

    /// The compressed text.
    pub(crate) fn compressed(&self) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&self.bytes).expect("writing into memory cannot fail");
        encoder.finish().expect("writing into memory cannot fail")
    }
}

/// Packs a document.
pub(crate) fn pack<T: Serialize>(document: &T) -> Packed {
    let text = Text::of(document);
    Packed { body: text.compressed(), digest: text.digest }
}

/// The text of a packed document.
///
/// # Errors
///
/// What is wrong with the bytes.
pub(crate) fn unpack(body: &[u8]) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    decompress(&mut ZlibDecoder::new(body), &mut text)?;
    Ok(text)
}

/// Unpacks many documents, one after another, in the same memory.
pub(crate) struct Unpacker {
    decoder: ZlibDecoder<Cursor<Vec<u8>>>,
    text: Vec<u8>,
}

impl Unpacker {
    pub(crate) fn new() -> Self {
        Self { decoder: ZlibDecoder::new(Cursor::default()), text: Vec::new() }
    }

    /// The text of a packed document, until the next one is unpacked.
    ///
    /// # Errors
    ///
    /// What is wrong with the bytes.
    pub(crate) fn unpack(&mut self, body: Vec<u8>) -> Result<&[u8], String> {
        self.decoder.reset(Cursor::new(body));
        self.text.clear();
        decompress(&mut self.decoder, &mut self.text)?;
        Ok(&self.text)
    }
}

fn decompress(decoder: &mut impl Read, text: &mut Vec<u8>) -> Result<(), String> {
    let read = decoder.take(MAX_DOCUMENT_BYTES).read_to_end(text);
    read.map(|_| ()).map_err(|error| format!("it does not decompress: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_reads_back() {
        let packed = pack(&serde_json::json!({ "a": [1.5, "ü"] }));
        let text = unpack(&packed.body).expect("it reads back");
        assert_eq!(text, "{\"a\":[1.5,\"ü\"]}".as_bytes());
        assert_eq!(packed.digest, canon::sha256_hex(&text));
    }

    #[test]
    fn documents_are_unpacked_one_after_another_also_after_a_damaged_one() {
        let mut unpacker = Unpacker::new();
        let long = pack(&"text ".repeat(100));
        assert_eq!(
            unpacker.unpack(long.body.clone()),
            unpack(&long.body).as_deref().map_err(Clone::clone)
        );
        assert!(unpacker.unpack(long.body[..8].to_vec()).is_err());
        assert_eq!(unpacker.unpack(pack(&1).body), Ok(&b"1"[..]));
    }

    #[test]
    fn a_cut_document_is_an_error() {
        let packed = pack(&"text ".repeat(100));
        let cut = &packed.body[..packed.body.len() / 2];
        assert!(unpack(cut).is_err());
    }
}
