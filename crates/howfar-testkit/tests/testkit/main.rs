//! Tests of what this crate gives to the tests of others: the peers really speak.

mod home;
mod hostile_http;
mod hostile_stdio;
mod node_peers;
mod python_peers;
mod wire;
