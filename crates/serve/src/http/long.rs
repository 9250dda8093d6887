//! Work in hand: an answer at its end, or a stream of how far it is.
//!
//! Enters: a verb with what was sent. Leaves: its answer as JSON; for a client that accepts
//! `text/event-stream`, events `progress` and at the end `done` or `failed`. Work stops where it can
//! when the client closes the connection, and what was not landed by then is not.

use std::convert::Infallible;
use std::path::PathBuf;

use axum::http::StatusCode;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse as _, Response, Sse};
use memdir::model::Cancel;
use memdir::store::history::Actor;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Sender, channel};
use tokio_stream::wrappers::ReceiverStream;

use super::api::{Handler, SentFields, VerbFailure, document_of, status_of};
use crate::ServeContext;

/// What a client accepts that wants to hear how far work is.
pub(super) const EVENT_STREAM: &str = "text/event-stream";

type Events = Sender<Result<Event, Infallible>>;

/// Who waits for the work.
pub(super) struct WorkWatcher {
    /// Used when nobody waits any more.
    pub(super) cancel: Cancel,
    pub(super) events: Option<Events>,
}

impl WorkWatcher {
    /// Says how far it is. A client that is gone is noticed elsewhere.
    pub(super) fn tell(&self, phase: &str, text: &str) {
        if let Some(events) = &self.events {
            let data = json!({ "phase": phase, "text": text }).to_string();
            let _ = events.blocking_send(Ok(Event::default().event("progress").data(data)));
        }
    }
}

/// Cancels when it is dropped: the request is over, answered or not.
pub(super) struct CancelOnDrop(pub(super) Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// A verb with what it needs.
pub(super) struct VerbCall {
    pub(super) project: Option<PathBuf>,
    pub(super) actor: Actor,
    pub(super) run: Handler,
    pub(super) fields: SentFields,
}

/// Does it beside the runtime.
pub(super) async fn carry_out(context: &ServeContext, job: VerbCall, watcher: WorkWatcher) -> (StatusCode, Value) {
    let VerbCall { project, actor, run, fields } = job;
    let done = context.with(project, actor, move |context, memory| {
        let done = match run {
            Handler::Quick(run) => run(context, memory, &fields),
            Handler::Long(run) => run(context, memory, &fields, &watcher),
        };
        match done {
            Ok(value) => Ok((StatusCode::OK, value)),
            Err(VerbFailure::Conflict(value)) => Ok((StatusCode::CONFLICT, value)),
            Err(VerbFailure::Engine(error)) => Err(error),
        }
    });
    done.await.unwrap_or_else(|error| (status_of(&error), document_of(&error)))
}

/// Does it and tells how far it is.
pub(super) fn stream(context: ServeContext, job: VerbCall) -> Response {
    let (events, receive) = channel(8);
    let cancel = Cancel::default();
    tokio::spawn(async move {
        let watcher = WorkWatcher { cancel: cancel.clone(), events: Some(events.clone()) };
        let mut work = std::pin::pin!(carry_out(&context, job, watcher));
        let (status, value) = tokio::select! {
            done = &mut work => done,
            () = events.closed() => {
                cancel.cancel();
                work.await
            }
        };
        let name = if status == StatusCode::OK { "done" } else { "failed" };
        // Nobody may be there to hear it.
        let _ = events.send(Ok(Event::default().event(name).data(value.to_string()))).await;
    });
    Sse::new(ReceiverStream::new(receive)).keep_alive(KeepAlive::default()).into_response()
}
