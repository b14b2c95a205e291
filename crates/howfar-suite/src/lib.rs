//! Suite text to a checked suite plus diagnostics. Reads a `&str`, never a file.

pub mod pattern;
