//! The trait that every provider implements.

use std::future::Future;
use std::pin::Pin;

use tokio_util::sync::CancellationToken;

use crate::conversation::{ModelRequest, ModelTurn};
use crate::error::ModelError;

/// A boxed future that can cross threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Which model answers, as reports name it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelIdentity {
    /// The provider's name, for example `anthropic` or `scripted`.
    pub provider: String,
    /// The model's id at that provider, without the provider prefix.
    pub model: String,
}

/// One model: a conversation and a catalog in, one assistant turn out.
///
/// An implementation holds no conversation state, so one value serves many trials at once.
pub trait Model: Send + Sync {
    /// Which model this is.
    fn identity(&self) -> &ModelIdentity;

    /// Asks for the next assistant turn.
    ///
    /// # Errors
    ///
    /// Any call that gave no complete turn: refused, timed out, cut off, malformed or cancelled. Malformed tool
    /// arguments are not an error but a fact on the call. Nothing is retried.
    fn respond<'a>(
        &'a self,
        request: &'a ModelRequest,
        cancel: &'a CancellationToken,
    ) -> BoxFuture<'a, Result<ModelTurn, ModelError>>;
}
