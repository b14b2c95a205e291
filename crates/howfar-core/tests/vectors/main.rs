//! Conformance vectors of the pure part, one module per area.

mod chain;

use std::process::ExitCode;

fn main() -> ExitCode {
    let files = [chain::FILES].concat();
    howfar_testkit::vectors::run(env!("CARGO_MANIFEST_DIR"), &files)
}
