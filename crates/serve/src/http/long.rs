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

use super::api::{Failed, Fields, Run, document_of, status_of};
use crate::ServeContext;

/// What a client accepts that wants to hear how far work is.
pub(super) const EVENT_STREAM: &str = "text/event-stream";

type Events = Sender<Result<Event, Infallible>>;

/// Who waits for the work.
pub(super) struct Watcher {
    /// Used when nobody waits any more.
    pub(super) cancel: Cancel,
    pub(super) events: Option<Events>,
}

impl Watcher {
    /// Says how far it is. A client that is gone is noticed elsewhere.
    pub(super) fn tell(&self, phase: &str, text: &str) {
        if let Some(events) = &self.events {
            let data = json!({ "phase": phase, "text": text }).to_string();
            let _ = events.blocking_send(Ok(Event::default().event("progress").data(data)));
        }
    }
}

/// Cancels when it is dropped: the request is over, answered or not.
pub(super) struct Waiting(pub(super) Cancel);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// A verb with what it needs.
pub(super) struct Job {
    pub(super) project: Option<PathBuf>,
    pub(super) actor: Actor,
    pub(super) run: Run,
    pub(super) fields: Fields,
}

/// Does it beside the runtime.
pub(super) async fn carry_out(context: &ServeContext, job: Job, watcher: Watcher) -> (StatusCode, Value) {
    let Job { project, actor, run, fields } = job;
    let done = context.with(project, actor, move |context, memory| {
        let done = match run {
            Run::Quick(run) => run(context, memory, &fields),
            Run::Long(run) => run(context, memory, &fields, &watcher),
        };
        match done {
            Ok(value) => Ok((StatusCode::OK, value)),
            Err(Failed::Conflict(value)) => Ok((StatusCode::CONFLICT, value)),
            Err(Failed::Engine(error)) => Err(error),
        }
    });
    done.await.unwrap_or_else(|error| (status_of(&error), document_of(&error)))
}

/// Does it and tells how far it is.
pub(super) fn stream(context: ServeContext, job: Job) -> Response {
    let (events, receive) = channel(8);
    let cancel = Cancel::default();
    tokio::spawn(async move {
        let watcher = Watcher { cancel: cancel.clone(), events: Some(events.clone()) };
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
