//! Development only: what the tests of several crates share. Nothing here is part of the product.

#![expect(clippy::print_stdout, reason = "test output is what this crate is for")]

pub mod browser;
pub mod headings;
pub mod home;
pub mod hostile;
pub mod json;
pub mod judge;
pub mod links;
pub mod peers;
pub mod program;
#[cfg(feature = "samples")]
pub mod samples;
pub mod vectors;
