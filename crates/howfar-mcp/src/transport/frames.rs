//! A transport of separate texts: lines of a child process, or events and posts of the 2024-11-05 transport.

use std::borrow::Cow;
use std::future::Future;
use std::sync::Arc;

use rmcp::RoleClient;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::sync::mpsc;

use super::handoff::to_sdk;
use super::{CHANNEL_FRAMES, TransportFault};
use crate::recorder::{Handoff, Recorder};

/// Where outgoing texts go.
pub(crate) trait Outbound: Send + Sync + 'static {
    /// Writes one message; stamps it with the recorder just before.
    fn deliver(&self, message: Value) -> impl Future<Output = Result<(), TransportFault>> + Send;
    /// Ends the outgoing direction.
    fn close(&self) -> impl Future<Output = ()> + Send;
}

/// The protocol crate's transport over an [`Outbound`] and a channel of incoming messages.
pub(crate) struct FrameTransport<O> {
    outbound: Arc<O>,
    inbound: mpsc::Receiver<ServerJsonRpcMessage>,
}

impl<O> FrameTransport<O> {
    pub(crate) fn new(outbound: Arc<O>) -> (Self, FrameSender) {
        let (sender, inbound) = mpsc::channel(CHANNEL_FRAMES);
        (Self { outbound, inbound }, FrameSender { sender })
    }
}

/// The incoming side: shows texts to the recorder and passes them on.
pub(crate) struct FrameSender {
    sender: mpsc::Sender<ServerJsonRpcMessage>,
}

impl FrameSender {
    /// Records a text and passes its messages on. `false` when nobody receives any more.
    pub(crate) async fn receive(&self, recorder: &Recorder, text: &str) -> bool {
        self.pass(recorder.incoming(text, None)).await
    }

    /// Passes recorded messages on. `false` when nobody receives any more.
    pub(crate) async fn pass(&self, handoffs: impl IntoIterator<Item = Handoff>) -> bool {
        for message in handoffs.into_iter().filter_map(to_sdk) {
            if self.sender.send(message).await.is_err() {
                return false;
            }
        }
        true
    }
}

impl<O: Outbound> Transport<RoleClient> for FrameTransport<O> {
    type Error = TransportFault;

    fn name() -> Cow<'static, str> {
        Cow::Borrowed("frames")
    }

    fn send(
        &mut self,
        item: ClientJsonRpcMessage,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let outbound = Arc::clone(&self.outbound);
        async move {
            let message =
                serde_json::to_value(&item).map_err(|error| TransportFault(error.to_string()))?;
            outbound.deliver(message).await
        }
    }

    async fn receive(&mut self) -> Option<ServerJsonRpcMessage> {
        self.inbound.recv().await
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inbound.close();
        self.outbound.close().await;
        Ok(())
    }
}
