//! One small HTTP layer: post JSON, receive events or one document.
//!
//! Enters: an [`Endpoint`], a path, a body, a `Deadline`. Leaves: events while they arrive, or the
//! answer in one piece. Each attempt runs on a thread of its own, so that a server that stalls can
//! be left at once; leaving closes the connection. Never follows a redirect (the key would go with
//! it), never reads the environment, never holds more than a bounded answer.

use std::io::Read as _;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::time::Duration;

use serde_json::Value;
use ureq::http::{HeaderMap, StatusCode};
use ureq::tls::{PemItem, RootCerts, TlsConfig};

use super::ModelError;
use super::deadline::{AttemptError, Deadline};
use super::key::{ApiKey, clean};
use super::sse::{SseEvent, SseParser};
use memdir_core::limits::{MODEL_ANSWER_BYTES, MODEL_CONNECT_SECONDS, MODEL_ERROR_BYTES};

/// Where a provider is, and what it knows the user by.
#[derive(Clone)]
pub struct Endpoint {
    base: String,
    key: Option<ApiKey>,
    proxy: Option<String>,
    /// Whose word is taken for who a server is; none: the usual authorities.
    trusted: Option<RootCerts>,
}

impl Endpoint {
    /// A base URL and a key. The URL must be `http` or `https` and hold no password.
    pub fn new(base_url: &str, key: Option<ApiKey>) -> Result<Endpoint, ModelError> {
        let base = base_url.trim().trim_end_matches('/');
        match memdir_core::settings::base_url_problem(base) {
            None => Ok(Endpoint { base: base.to_owned(), key, proxy: None, trusted: None }),
            Some(problem) => Err(ModelError::NotConfigured(format!("the base URL cannot be used: {problem}"))),
        }
    }

    /// Goes through a proxy.
    #[must_use]
    pub(crate) fn through(mut self, proxy: Option<String>) -> Endpoint {
        self.proxy = proxy;
        self
    }

    /// Trusts the certificate authorities of a PEM file instead of the usual ones, as behind a proxy that looks into
    /// connections; `false` when there is none in it.
    pub fn trust_only(&mut self, pem: &[u8]) -> bool {
        let found = ureq::tls::parse_pem(pem).filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        });
        let found: Vec<_> = found.collect();
        let any = !found.is_empty();
        if any {
            self.trusted = Some(RootCerts::from(found));
        }
        any
    }

    /// The base URL, without a slash at its end.
    pub fn base(&self) -> &str {
        &self.base
    }

    pub(super) fn key(&self) -> Option<&ApiKey> {
        self.key.as_ref()
    }

    /// Something somebody said, fit for an error.
    pub(super) fn clean(&self, said: &str) -> String {
        clean(said, self.key())
    }

    /// The server said what the protocol does not know.
    pub(super) fn malformed(&self, deadline: &Deadline, message: &str) -> AttemptError {
        AttemptError::Final(ModelError::Malformed { driver: deadline.driver(), message: self.clean(message) })
    }
}

impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint").field("base", &self.base).field("key", &self.key).finish_non_exhaustive()
    }
}

/// What is posted.
pub(super) struct Post<'a> {
    /// Behind the base URL, with a slash.
    pub(super) path: &'a str,
    /// Further headers; the key is among them.
    pub(super) headers: Vec<(&'static str, String)>,
    /// The body.
    pub(super) body: &'a Value,
}

/// What the attempt's thread tells.
enum Received {
    Head { status: StatusCode, headers: HeaderMap },
    Piece(Vec<u8>),
    End,
    Failed { message: String, timed_out: bool },
}

impl Endpoint {
    /// Posts and hands on each event, until the handler has enough. An answer that is not a stream comes back whole.
    pub(super) fn events(
        &self,
        post: &Post<'_>,
        deadline: &Deadline,
        on_event: &mut dyn FnMut(&SseEvent) -> Result<bool, AttemptError>,
    ) -> Result<Option<Value>, AttemptError> {
        let mut events = SseParser::default();
        let mut whole: Option<Vec<u8>> = None;
        let mut total = 0;
        self.exchange(post, deadline, &mut |received| match received {
            Received::Head { headers, .. } => {
                if content_type(headers).contains("json") {
                    whole = Some(Vec::new());
                }
                Ok(false)
            }
            Received::Piece(bytes) => {
                total += bytes.len();
                if total > MODEL_ANSWER_BYTES {
                    return Err(self.malformed(deadline, "the answer does not end"));
                }
                if let Some(whole) = &mut whole {
                    whole.extend_from_slice(bytes);
                    return Ok(false);
                }
                let found = events.push(bytes).map_err(|_| self.malformed(deadline, "an event does not end"))?;
                for event in &found {
                    if on_event(event)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            _ => Ok(false),
        })?;
        if let Some(whole) = whole {
            return self.document(&whole, deadline).map(Some);
        }
        if let Some(last) = events.finish() {
            on_event(&last)?;
        }
        Ok(None)
    }

    /// Posts and gives the answer.
    pub(super) fn json(&self, post: &Post<'_>, deadline: &Deadline) -> Result<Value, AttemptError> {
        let mut whole = Vec::new();
        self.exchange(post, deadline, &mut |received| {
            if let Received::Piece(bytes) = received {
                if whole.len() + bytes.len() > MODEL_ANSWER_BYTES {
                    return Err(self.malformed(deadline, "the answer does not end"));
                }
                whole.extend_from_slice(bytes);
            }
            Ok(false)
        })?;
        self.document(&whole, deadline)
    }

    fn document(&self, bytes: &[u8], deadline: &Deadline) -> Result<Value, AttemptError> {
        serde_json::from_slice(bytes)
            .map_err(|error| self.malformed(deadline, &format!("the answer is not JSON ({error})")))
    }

    /// One attempt. A status that is not success becomes the trouble it means.
    fn exchange(
        &self,
        post: &Post<'_>,
        deadline: &Deadline,
        on: &mut dyn FnMut(&Received) -> Result<bool, AttemptError>,
    ) -> Result<(), AttemptError> {
        let agent = self.agent(deadline)?;
        let (send, received) = mpsc::sync_channel(32);
        let mut request = agent.post(format!("{}{}", self.base, post.path)).header("content-type", "application/json");
        for (name, value) in &post.headers {
            request = request.header(*name, value);
        }
        let body = post.body.to_string();
        let key = self.key.clone();
        std::thread::spawn(move || {
            let done = fetch(request, &body, &send).unwrap_or_else(|error| failed(&error, key.as_ref()));
            // Nobody listens any more once the call was left.
            let _ = send.send(done);
        });
        let result = self.listen(&received, deadline, on);
        // Ends a thread that still waits for the server, and closes its connection.
        agent.shutdown();
        result
    }

    fn listen(
        &self,
        received: &mpsc::Receiver<Received>,
        deadline: &Deadline,
        on: &mut dyn FnMut(&Received) -> Result<bool, AttemptError>,
    ) -> Result<(), AttemptError> {
        let mut refused: Option<(StatusCode, HeaderMap, Vec<u8>)> = None;
        loop {
            deadline.check()?;
            let next = match received.recv_timeout(deadline.tick()) {
                Ok(next) => next,
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(AttemptError::Broken("it was given up".into())),
            };
            match (&next, &mut refused) {
                (Received::Failed { timed_out: true, .. }, None) => {
                    deadline.check()?;
                    return Err(AttemptError::Broken("no connection in time".into()));
                }
                (Received::Failed { message, .. }, None) => return Err(AttemptError::Broken(self.clean(message))),
                (Received::Head { status, headers }, None) if !status.is_success() => {
                    refused = Some((*status, headers.clone(), Vec::new()));
                }
                (Received::Piece(bytes), Some((_, _, said))) if said.len() < MODEL_ERROR_BYTES => {
                    said.extend_from_slice(bytes);
                }
                (Received::End | Received::Failed { .. } | Received::Piece(_), Some((status, headers, said))) => {
                    return Err(self.refusal(*status, headers, said, deadline));
                }
                (_, None) => {
                    let enough = on(&next)?;
                    if enough || matches!(next, Received::End) {
                        return Ok(());
                    }
                }
                _ => {}
            }
        }
    }

    /// What a status means.
    fn refusal(&self, status: StatusCode, headers: &HeaderMap, said: &[u8], deadline: &Deadline) -> AttemptError {
        let code = status.as_u16();
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        if matches!(code, 408 | 429 | 500 | 502 | 503 | 504 | 529) {
            let after = header("retry-after").and_then(|text| text.trim().parse::<f64>().ok());
            let after = after.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            return AttemptError::Busy { status: code, after };
        }
        let message = if status.is_redirection() {
            format!(
                "it redirects to {}, which memdir does not follow; set that as the base URL",
                header("location").unwrap_or("?")
            )
        } else {
            words_of(said)
        };
        AttemptError::Final(ModelError::Refused {
            driver: deadline.driver(),
            status: code,
            message: self.clean(&message),
        })
    }

    fn agent(&self, deadline: &Deadline) -> Result<ureq::Agent, AttemptError> {
        let unusable = |_| ModelError::NotConfigured("the proxy in the environment cannot be used".into());
        let proxy = self.proxy.as_deref().map(ureq::Proxy::new).transpose().map_err(unusable)?;
        let config = ureq::Agent::config_builder()
            // The watch decides; this only ends a thread that nobody shut down.
            .timeout_global(Some(deadline.left() + Duration::from_secs(1)))
            .timeout_resolve(Some(Duration::from_secs(MODEL_CONNECT_SECONDS)))
            .timeout_connect(Some(Duration::from_secs(MODEL_CONNECT_SECONDS)))
            .http_status_as_error(false)
            .max_redirects(0)
            .proxy(proxy)
            .user_agent(concat!("memdir/", env!("CARGO_PKG_VERSION")));
        let config = match &self.trusted {
            None => config,
            Some(trusted) => config.tls_config(TlsConfig::builder().root_certs(trusted.clone()).build()),
        };
        Ok(config.build().new_agent())
    }
}

/// On the attempt's thread: sends, then hands over what comes.
fn fetch(
    request: ureq::RequestBuilder<ureq::typestate::WithBody>,
    body: &str,
    send: &SyncSender<Received>,
) -> Result<Received, ureq::Error> {
    let response = request.send(body)?;
    let (head, body) = response.into_parts();
    if send.send(Received::Head { status: head.status, headers: head.headers }).is_err() {
        return Ok(Received::End);
    }
    let mut reader = body.into_reader();
    let mut piece = vec![0; 16 * 1024];
    loop {
        let read = reader.read(&mut piece).map_err(ureq::Error::from)?;
        if read == 0 || send.send(Received::Piece(piece[..read].to_vec())).is_err() {
            return Ok(Received::End);
        }
    }
}

fn failed(error: &ureq::Error, key: Option<&ApiKey>) -> Received {
    let timed_out = matches!(error, ureq::Error::Timeout(_));
    let mut message = clean(&error.to_string(), key);
    if message.contains("UnknownIssuer") {
        message.push_str("; where a proxy signs for others, SSL_CERT_FILE names the file of its authority");
    }
    Received::Failed { message, timed_out }
}

fn content_type(headers: &HeaderMap) -> String {
    headers.get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default().to_ascii_lowercase()
}

/// The sentence in an error body, in whichever of the usual shapes it has.
fn words_of(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let Ok(document) = serde_json::from_str::<Value>(&text) else { return text.into_owned() };
    let places = ["/error/message", "/message", "/detail", "/error", "/0/error/message"];
    let words = places.iter().find_map(|place| document.pointer(place).and_then(Value::as_str));
    words.map_or_else(|| text.clone().into_owned(), str::to_owned)
}
