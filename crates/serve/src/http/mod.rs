//! HTTP on loopback: a JSON API, the page, a stream of changes, MCP.
//!
//! Enters: connections from this machine. Leaves: answers for whoever knows the token. Listens on
//! loopback only, has no cookies and no cross-origin access; what a client may send, how long it
//! may take and how often it may ask is bounded. Ends gracefully when it is told to.
//!
//! - `guard`: who may come in.
//! - `api`, `verbs`, `openapi`: the API as one table.
//! - `long`: work in hand, its progress, its end.
//! - `events`: what changed, as it happens.
//! - `page`: the files of the page.

mod api;
mod events;
mod guard;
mod long;
mod openapi;
mod page;
mod shutdown;
mod verbs;

use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::response::Response;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use memdir::limits::{HTTP_CONNECTIONS, HTTP_GRACE_SECONDS, HTTP_PATIENCE_SECONDS};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::mcp::McpSession;
use crate::{ServeContext, ServeError};
use guard::{Guard, KnownConnection};

/// Where the server is, once it is there.
#[derive(Clone, Debug)]
pub struct Address {
    /// The page, with the token.
    pub url: String,
    /// The same for a program's command line, which others can see: good for one visit.
    pub visit: String,
    /// The token that a request must carry.
    pub token: String,
    /// The port.
    pub port: u16,
}

/// Serves on a port of this machine (0: any) until a signal ends it. `ready` is told where.
pub fn serve(context: ServeContext, port: u16, ready: impl FnOnce(&Address)) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(ServeError::Start)?;
    let result = runtime.block_on(run(context, port, ready));
    // Verbs in flight are short; what still reads after that is ended with the process.
    runtime.shutdown_timeout(Duration::from_secs(HTTP_GRACE_SECONDS));
    result
}

async fn run(context: ServeContext, port: u16, ready: impl FnOnce(&Address)) -> Result<(), ServeError> {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await.map_err(ServeError::Start)?;
    let port = listener.local_addr().map_err(ServeError::Start)?.port();
    let token = guard::new_token().map_err(ServeError::Start)?;
    let url = format!("http://127.0.0.1:{port}/?token={token}");
    let pass = guard::new_token().map_err(ServeError::Start)?;
    let visit = format!("http://127.0.0.1:{port}{}{pass}", guard::VISIT);
    let guard = Arc::new(Guard::new(port, token.clone(), pass));
    let router = router(context, guard);
    let mut stop = std::pin::pin!(shutdown::asked());
    ready(&Address { url, visit, token, port });
    let graceful = GracefulShutdown::new();
    let mut seats: VecDeque<Seat> = VecDeque::with_capacity(HTTP_CONNECTIONS);
    loop {
        let stream = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                // Out of file handles, or the client has gone: others may still come.
                Err(_) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
            () = &mut stop => break,
        };
        if !make_room(&mut seats) {
            continue;
        }
        let known = KnownConnection::default();
        let service = TowerToHyperService::new(router.clone().layer(axum::Extension(known.clone())));
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(Duration::from_secs(HTTP_PATIENCE_SECONDS))
            .serve_connection(TokioIo::new(stream), service);
        let connection = graceful.watch(connection);
        // A client that breaks off is its own affair.
        let task = tokio::spawn(async move { drop(connection.await) });
        seats.push_back(Seat { known, task });
    }
    drop(listener);
    let _ = tokio::time::timeout(Duration::from_secs(HTTP_GRACE_SECONDS), graceful.shutdown()).await;
    Ok(())
}

/// One connection.
struct Seat {
    known: KnownConnection,
    task: JoinHandle<()>,
}

/// Makes room for one more connection: of those that have not brought the token the oldest goes. Whoever only holds connections
/// open keeps nobody out.
fn make_room(seats: &mut VecDeque<Seat>) -> bool {
    seats.retain(|seat| !seat.task.is_finished());
    if seats.len() < HTTP_CONNECTIONS {
        return true;
    }
    let stranger = seats.iter().position(|seat| !seat.known.is()).and_then(|at| seats.remove(at));
    if let Some(seat) = &stranger {
        seat.task.abort();
    }
    stranger.is_some()
}

fn router(context: ServeContext, guard: Arc<Guard>) -> Router {
    let mcp_house = context.clone();
    // Host and origin are checked by our own guard, for everything.
    let mcp = StreamableHttpService::new(
        move || Ok(McpSession::new(mcp_house.clone())),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let api_house = context.clone();
    Router::new()
        .route_service("/mcp", mcp)
        .route("/api/events", axum::routing::get(async move |query| events::stream(context.clone(), query)))
        .fallback(move |request: axum::extract::Request| answer(api_house.clone(), request))
        .layer(axum::middleware::from_fn(move |request, next| guard::check(Arc::clone(&guard), request, next)))
}

async fn answer(context: ServeContext, request: axum::extract::Request) -> Response {
    if request.uri().path().starts_with("/api/") {
        api::answer(&context, request).await
    } else {
        page::answer(request.method(), request.uri().path())
    }
}
