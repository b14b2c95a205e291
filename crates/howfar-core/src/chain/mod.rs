//! One finished trial to six stage rows, a first failed stage and a failure category.
//!
//! Every function here is pure: no clock, no network, no randomness, no model call.

mod call;
mod category;
mod connection;
mod derive;
mod discovery;
mod facts;
mod provider;
mod response;
mod routing;
mod rows;
mod selection;
mod user_value;

pub use derive::derive_stages;
pub use routing::{decides_at, makes_call_expected};
