//! Notifies hosts of what changed.
//!
//! Enters: a session that listens. Leaves: a notification for every memory that was changed by
//! anybody, and one that the list is another. Looks at a handful of files every other second; the
//! history is only read when one of them differs.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use memdir::engine::Memory;
use memdir::limits::{MCP_HISTORY, MCP_LOOK_SECONDS};
use memdir::store::history::Actor;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::{Peer, RoleServer, SubscriptionSink};

use super::resources::{address, notes_address};
use crate::ServeContext;
use crate::change_token::ChangeToken;

/// Tells a host with a handshake: of the list always, of memories it subscribed to.
pub(super) async fn tell_peer(context: &ServeContext, subscribed: &Mutex<BTreeSet<String>>, peer: &Peer<RoleServer>) {
    let mut feed = ChangeFeed::of(context, None).await;
    while !peer.is_transport_closed() {
        let changed = feed.next(context).await;
        if changed.is_empty() {
            continue;
        }
        // A host that has gone is noticed at the top.
        let _ = peer.notify_resource_list_changed().await;
        let wanted = subscribed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        for uri in changed.into_iter().filter(|uri| wanted.contains(uri)) {
            let _ = peer.notify_resource_updated(ResourceUpdatedNotificationParam::new(uri)).await;
        }
    }
}

/// Tells a host without a handshake, which said what it wants to hear; the sink holds back the rest.
pub(super) async fn tell_sink(context: &ServeContext, project: Option<PathBuf>, sink: &SubscriptionSink) {
    let mut feed = ChangeFeed::of(context, project).await;
    loop {
        let changed = feed.next(context).await;
        if changed.is_empty() {
            continue;
        }
        let _ = sink.notify_resource_list_changed().await;
        for uri in changed {
            let _ = sink.notify_resource_updated(uri).await;
        }
    }
}

/// What was known at the last look.
struct ChangeFeed {
    project: Option<PathBuf>,
    token: ChangeToken,
    last: Option<String>,
}

impl ChangeFeed {
    /// How it is when a host comes: nothing is news yet, so no memory is looked at.
    async fn of(context: &ServeContext, project: Option<PathBuf>) -> ChangeFeed {
        let now = |_: &ServeContext, memory: &Memory| Ok((ChangeToken::of(memory), memory.history().newest()?));
        let (token, last) = context.with(project.clone(), Actor::Agent, now).await.unwrap_or_default();
        ChangeFeed { project, token, last }
    }

    /// The addresses of what changed since the last look.
    async fn next(&mut self, context: &ServeContext) -> BTreeSet<String> {
        tokio::time::sleep(Duration::from_secs(MCP_LOOK_SECONDS)).await;
        let (token, changed, last) = self.look(context).await;
        (self.token, self.last) = (token, last);
        changed
    }

    async fn look(&self, context: &ServeContext) -> (ChangeToken, BTreeSet<String>, Option<String>) {
        let (before, known) = (self.token.clone(), self.last.clone());
        let look = context.with(self.project.clone(), Actor::Agent, move |_, memory| {
            let token = ChangeToken::of(memory);
            if token == before {
                return Ok((token, BTreeSet::new(), known));
            }
            let events = memory.history().events(None, MCP_HISTORY)?;
            let new = events.iter().take_while(|event| Some(&event.id) != known.as_ref());
            let files = new.flat_map(|event| event.files.iter().map(|file| address(event.scope, file)));
            let notes = token.noted_since(&before);
            let changed = files.chain(notes.iter().map(|session| notes_address(session))).collect();
            // Reading the history records what others changed, which changes the token once more.
            Ok((ChangeToken::of(memory), changed, events.first().map(|event| event.id.clone())))
        });
        look.await.unwrap_or_else(|_| (self.token.clone(), BTreeSet::new(), self.last.clone()))
    }
}
