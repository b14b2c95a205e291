//! The `howfar` command line.
fn main() {}
