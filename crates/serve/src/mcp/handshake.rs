//! Messages that a host may send before it initializes.
//!
//! Enters: messages from the transport. Leaves: the same, less what may not end a session: a
//! probe for a method that is not there gets "method not found" and a notification too early is
//! passed over. Hosts probe for the newest protocol first and go on with an older one.

use std::borrow::Cow;

use rmcp::RoleServer;
use rmcp::model::{ClientRequest, ErrorCode, ErrorData, GetMeta as _, JsonRpcMessage, ProtocolVersion};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;

/// A transport that answers probes until the session has begun.
pub(super) struct Handshake<T> {
    inner: T,
    begun: bool,
}

impl<T> Handshake<T> {
    pub(super) fn new(inner: T) -> Handshake<T> {
        Handshake { inner, begun: false }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Handshake<T> {
    type Error = T::Error;

    fn name() -> Cow<'static, str> {
        T::name()
    }

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.inner.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let message = self.inner.receive().await?;
            if self.begun {
                return Some(message);
            }
            let (request, id) = match message {
                JsonRpcMessage::Request(message) => (message.request, message.id),
                // Nobody can have been asked anything yet, so there is nothing to answer or to cancel.
                _ => continue,
            };
            let complete = request.get_meta().missing_required_keys(&ProtocolVersion::V_2026_07_28).is_empty();
            let known = match &request {
                ClientRequest::InitializeRequest(_) => {
                    self.begun = true;
                    true
                }
                ClientRequest::PingRequest(_) => true,
                ClientRequest::CustomRequest(_) => false,
                ClientRequest::DiscoverRequest(_) => complete,
                _ => {
                    self.begun = complete;
                    // Without a handshake or its own metadata a request is refused with what is missing.
                    true
                }
            };
            if known {
                return Some(JsonRpcMessage::request(request, id));
            }
            let error = ErrorData::new(ErrorCode::METHOD_NOT_FOUND, request.method().to_owned(), None);
            self.inner.send(JsonRpcMessage::error(error, Some(id))).await.ok()?;
        }
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.inner.close().await
    }
}
