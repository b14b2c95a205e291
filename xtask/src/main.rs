//! The project's own commands: `cargo xtask <task>`.
fn main() {}
