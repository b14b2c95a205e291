//! One request to a provider: clocks, cancellation, status, content type and the pieces of the answer.
//!
//! Nothing is retried and no redirect is followed, because a key must not travel to another host.

mod call;
mod endpoint;
mod fault;
mod sse;

pub use call::Clocks;
pub(crate) use call::{Answer, Call, EventStream};
pub(crate) use endpoint::Endpoint;
pub use endpoint::EndpointError;
pub(crate) use fault::ProviderFault;
