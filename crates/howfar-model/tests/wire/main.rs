//! The network providers against a server that sends exactly the bytes a test names.

mod anthropic;
mod failures;
mod fake;
mod openai;
