//! Checks every request: who sends it, how often, and how large it is.
//!
//! Enters: every request, before anything else. Leaves: the same with its body read, or a refusal.
//! The host must be this machine by its own name (a rebound DNS name is not), a browser's origin
//! must be this very server, the token must fit, a body must be JSON, small and prompt.
//!
//! The files of the page hold nothing private and need no token; everything else does. The rate is counted of those who have the
//! token, so that nobody else can use it up.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use memdir::limits::{HTTP_BODY_BYTES, HTTP_BURST, HTTP_PATIENCE_SECONDS, HTTP_RATE};
use serde_json::json;

/// Bytes of chance in a token.
const TOKEN_BYTES: usize = 32;

/// What every answer says to a browser.
const HEADERS: [(HeaderName, &str); 8] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
         manifest-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// What is checked against.
pub(super) struct Guard {
    hosts: [String; 3],
    origins: [String; 3],
    token: String,
    /// What may be exchanged for the token, once: other users of the machine see what a browser is started with.
    pass: Mutex<Option<String>>,
    bucket: Mutex<(f64, Instant)>,
}

/// Whether a connection has brought the token once: one that has not gives way when there are too many.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownConnection(Arc<AtomicBool>);

impl KnownConnection {
    pub(super) fn is(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Where a pass is shown.
pub(super) const VISIT: &str = "/visit/";

/// A token that nobody guesses.
pub(super) fn new_token() -> std::io::Result<String> {
    let bytes = memdir::random::bytes::<TOKEN_BYTES>()?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

impl Guard {
    pub(super) fn new(port: u16, token: String, pass: String) -> Guard {
        let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|host| format!("{host}:{port}"));
        let origins = hosts.clone().map(|host| format!("http://{host}"));
        let pass = Mutex::new(Some(pass));
        Guard { hosts, origins, token, pass, bucket: Mutex::new((f64::from(HTTP_BURST), Instant::now())) }
    }

    /// Whether one more request fits.
    fn has_room(&self) -> bool {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        let filled = bucket.0 + now.duration_since(bucket.1).as_secs_f64() * f64::from(HTTP_RATE);
        let filled = filled.min(f64::from(HTTP_BURST));
        let room = filled >= 1.0;
        *bucket = (if room { filled - 1.0 } else { filled }, now);
        room
    }

    fn is_ours(&self, headers: &HeaderMap) -> bool {
        let text = |name: HeaderName| headers.get_all(name).iter().map(HeaderValue::to_str).collect::<Vec<_>>();
        let host = matches!(text(header::HOST).as_slice(), [Ok(host)] if self.hosts.iter().any(|own| own == host));
        let origin = match text(header::ORIGIN).as_slice() {
            [] => true,
            [Ok(origin)] => self.origins.iter().any(|own| own == origin),
            _ => false,
        };
        let site = text(HeaderName::from_static("sec-fetch-site"));
        // A person who follows the printed address comes from nowhere; scripts come from this origin.
        let site = site.iter().all(|site| matches!(site, Ok("same-origin" | "none")));
        host && origin && site
    }

    fn knows(&self, request: &Request) -> bool {
        let bearer = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let bearer = bearer.and_then(|value| value.strip_prefix("Bearer "));
        let query = request.uri().query().unwrap_or_default();
        let given = bearer.or_else(|| query.split('&').find_map(|pair| pair.strip_prefix("token=")));
        given.is_some_and(|given| same(given.as_bytes(), self.token.as_bytes()))
    }
}

impl Guard {
    /// Shows the way to the page to whoever comes first with the pass; `None`: nobody asks for that.
    fn visit(&self, path: &str) -> Option<Response> {
        let given = path.strip_prefix(VISIT)?;
        let mut pass = self.pass.lock().unwrap_or_else(PoisonError::into_inner);
        if !pass.as_ref().is_some_and(|pass| same(given.as_bytes(), pass.as_bytes())) {
            let words =
                "this address opens the page once and was used; use the one that the server printed when it started";
            return Some(refusal(StatusCode::GONE, words));
        }
        *pass = None;
        let to = format!("/?token={}", self.token);
        Some((StatusCode::SEE_OTHER, [(header::LOCATION, to)]).into_response())
    }
}

/// Compares in a time that does not tell how much fits.
fn same(one: &[u8], other: &[u8]) -> bool {
    one.len() == other.len() && one.iter().zip(other).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// Lets a request through, or not.
pub(super) async fn check(guard: Arc<Guard>, request: Request, next: Next) -> Response {
    let mut response = match admit(&guard, request).await {
        Ok(request) => match guard.visit(request.uri().path()) {
            Some(response) => response,
            None => next.run(request).await,
        },
        Err((status, words)) => refusal(status, words),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

async fn admit(guard: &Guard, request: Request) -> Result<Request, (StatusCode, &'static str)> {
    if !guard.is_ours(request.headers()) {
        return Err((
            StatusCode::FORBIDDEN,
            "this server answers only to its own page and to programs of this machine",
        ));
    }
    let path = request.uri().path();
    let private = path.starts_with("/api/") || path == "/api" || path == "/mcp" || path.starts_with("/mcp/");
    let known = guard.knows(&request);
    if private && !known {
        return Err((
            StatusCode::UNAUTHORIZED,
            "the token is missing or wrong; use the address that the server printed when it started",
        ));
    }
    if known {
        if let Some(connection) = request.extensions().get::<KnownConnection>() {
            connection.0.store(true, Ordering::Relaxed);
        }
        if !guard.has_room() {
            return Err((StatusCode::TOO_MANY_REQUESTS, "too many requests; try again in a second"));
        }
    }
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if !reads && request.method() != Method::DELETE {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if kind.split(';').next().is_none_or(|kind| !kind.trim().eq_ignore_ascii_case("application/json")) {
            return Err((StatusCode::UNSUPPORTED_MEDIA_TYPE, "send application/json"));
        }
    }
    let (parts, body) = request.into_parts();
    let read =
        tokio::time::timeout(Duration::from_secs(HTTP_PATIENCE_SECONDS), axum::body::to_bytes(body, HTTP_BODY_BYTES));
    match read.await {
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the request took too long to arrive")),
        Ok(Err(error)) if is_too_large(&error) => Err((StatusCode::PAYLOAD_TOO_LARGE, "the request is too large")),
        Ok(Err(_)) => Err((StatusCode::BAD_REQUEST, "the request's body is broken")),
        Ok(Ok(bytes)) => Ok(Request::from_parts(parts, Body::from(bytes))),
    }
}

/// Whether a body was not read because of its size, and not because it is broken.
fn is_too_large(error: &axum::Error) -> bool {
    let mut cause: Option<&dyn std::error::Error> = Some(error);
    while let Some(error) = cause {
        if error.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        cause = error.source();
    }
    false
}

/// A refusal as JSON.
pub(super) fn refusal(status: StatusCode, words: &str) -> Response {
    let mut response = (status, axum::Json(json!({ "error": words }))).into_response();
    if status == StatusCode::TOO_MANY_REQUESTS {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_differ_and_are_long() {
        let (one, other) = (new_token().unwrap(), new_token().unwrap());
        assert!(one != other && one.len() == 2 * TOKEN_BYTES);
        assert!(same(one.as_bytes(), one.as_bytes()) && !same(one.as_bytes(), other.as_bytes()) && !same(b"", b"x"));
    }

    #[test]
    fn a_pass_opens_the_page_once() {
        let guard = Guard::new(1, "token".into(), "pass".into());
        assert!(guard.visit("/index.html").is_none());
        assert_eq!(guard.visit("/visit/guess").unwrap().status(), StatusCode::GONE);
        let shown = guard.visit("/visit/pass").unwrap();
        assert_eq!(
            (shown.status(), &shown.headers()[header::LOCATION]),
            (StatusCode::SEE_OTHER, &HeaderValue::from_static("/?token=token"))
        );
        assert_eq!(guard.visit("/visit/pass").unwrap().status(), StatusCode::GONE);
    }

    #[test]
    fn the_bucket_runs_empty() {
        let guard = Guard::new(1, String::new(), String::new());
        let let_in = (0..HTTP_BURST * 4).filter(|_| guard.has_room()).count();
        assert!(let_in >= HTTP_BURST as usize && let_in < HTTP_BURST as usize * 4, "{let_in}");
    }
}
