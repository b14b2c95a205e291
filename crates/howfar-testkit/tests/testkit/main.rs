//! Tests of what this crate gives to the tests of others: the peers really speak.

mod node_peers;
mod python_peers;
mod wire;
