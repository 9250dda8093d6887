//! What changed, as it happens: a stream of events for a page that is open.
//!
//! While somebody listens, the directories are looked at every second, hand edits included; each
//! event names the changes since the last. When nobody listens, nothing is looked at.

use std::convert::Infallible;
use std::path::PathBuf;
use std::time::Duration;

use axum::extract::Query;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Sse};
use memdir::limits::{HTTP_HISTORY, HTTP_LOOK_SECONDS};
use memdir::store::history::Actor;
use serde_json::json;
use tokio_stream::wrappers::ReceiverStream;

use crate::ServeContext;

/// Which project.
#[derive(serde::Deserialize)]
pub(super) struct EventsQuery {
    project: Option<PathBuf>,
}

/// Opens a stream.
pub(super) fn stream(context: ServeContext, Query(query): Query<EventsQuery>) -> impl IntoResponse {
    let (send, receive) = tokio::sync::mpsc::channel::<Result<Event, Infallible>>(8);
    tokio::spawn(async move {
        let mut last: Option<Option<String>> = None;
        while !send.is_closed() {
            let known = last.clone();
            let look = context.with(query.project.clone(), Actor::User, move |_, memory| {
                let limit = if known.is_some() { HTTP_HISTORY } else { 1 };
                let events = memory.history().events(None, limit)?;
                let newest = events.first().map(|event| event.id.clone());
                let fresh = match &known {
                    Some(known) => events.into_iter().take_while(|event| Some(&event.id) != known.as_ref()).collect(),
                    None => Vec::new(),
                };
                Ok((newest, fresh))
            });
            // What cannot be read now may be readable in a second.
            if let Ok((newest, fresh)) = look.await {
                let said = match (&last, fresh.is_empty()) {
                    (None, _) => Some(Event::default().event("hello").data("{}")),
                    (_, false) => Some(Event::default().event("changed").data(json!({ "changes": fresh }).to_string())),
                    _ => None,
                };
                last = Some(newest);
                if let Some(event) = said
                    && send.send(Ok(event)).await.is_err()
                {
                    return;
                }
            }
            tokio::select! {
                () = tokio::time::sleep(Duration::from_secs(HTTP_LOOK_SECONDS)) => {}
                () = send.closed() => return,
            }
        }
    });
    Sse::new(ReceiverStream::new(receive)).keep_alive(KeepAlive::default())
}
