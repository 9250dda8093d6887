//! One connection: a request in, the scripted turn out, with whatever is to go wrong.

use std::io::{self, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::sync::PoisonError;
use std::time::Duration;

use serde_json::{Value, json};

use super::recorded::{Api, Recorded};
use super::turn::{Fault, Turn};
use super::{RECORDS, Shared, anthropic, cache, chat, gemini, lock, responses, wire};

/// How often a stalled connection looks whether its client is still there.
const LOOK: Duration = Duration::from_millis(5);
/// How long a client may take to send its request.
const REQUEST_SECONDS: Duration = Duration::from_secs(30);

/// Serves one request.
pub(super) fn serve(mut stream: TcpStream, address: SocketAddr, shared: &Shared) -> io::Result<()> {
    stream.set_read_timeout(Some(REQUEST_SECONDS))?;
    stream.set_nodelay(true)?;
    let Some(request) = wire::read(&mut stream)? else { return Ok(()) };
    let mut request = Recorded::new(request.method, &request.path, request.headers, request.body);
    if !request.api.is_scripted() {
        let answer = aside(&request);
        record(shared, &mut request, false);
        if request.method == "HEAD" {
            return wire::head(&mut stream, 200, "application/json", &[], Some(0));
        }
        return json_body(&mut stream, 200, &[], &answer, None, shared);
    }
    let complaint = match request.api {
        Api::Anthropic => anthropic::complaint(&request.body),
        Api::Chat => chat::complaint(&request.body),
        _ => None,
    };
    let turn = match complaint {
        Some(complaint) => Turn::status(400, &complaint),
        None => shared.turn(&request),
    };
    request.rule.clone_from(&turn.rule);
    let answered =
        turn.raw.is_none() && !matches!(turn.fault, Some(Fault::Status { .. } | Fault::Silence | Fault::Die));
    record(shared, &mut request, answered);
    if let Some(raw) = &turn.raw {
        return stream.write_all(raw);
    }
    match &turn.fault {
        Some(Fault::Status { code, headers, message }) => {
            let body = match request.api {
                Api::Anthropic => anthropic::error(*code, message),
                Api::Gemini => gemini::error(*code, message),
                _ => chat::error(*code, message),
            };
            json_body(&mut stream, *code, headers, &body, None, shared)
        }
        Some(Fault::Silence) => stall(&stream, shared).map(|_| ()),
        Some(Fault::Die) => {
            shared.die(address);
            stream.shutdown(Shutdown::Both)
        }
        fault => answer(&mut stream, &request, &turn, fault.as_ref(), shared),
    }
}

/// Answers that need no script.
fn aside(request: &Recorded) -> Value {
    let tokens = cache::count(&request.body).max(1);
    let model = json!({ "id": "scripted", "object": "model", "name": "models/scripted", "display_name": "Scripted" });
    match request.api {
        Api::AnthropicCount => json!({ "input_tokens": tokens }),
        Api::GeminiCount => json!({ "totalTokens": request.raw.len().div_ceil(4) }),
        Api::Models => json!({ "object": "list", "data": [model], "models": [model], "has_more": false }),
        _ => json!({}),
    }
}

/// Numbers, counts and keeps a request.
fn record(shared: &Shared, request: &mut Recorded, answered: bool) {
    let mut state = lock(&shared.state);
    request.number = state.records.len() + 1;
    request.count = answered.then(|| state.cache.charge(request));
    if state.records.len() < RECORDS {
        state.records.push(request.clone());
    }
    if let Some(observer) = &shared.observer {
        observer(request);
    }
    drop(state);
    shared.changed.notify_all();
}

fn answer(
    stream: &mut TcpStream,
    request: &Recorded,
    turn: &Turn,
    fault: Option<&Fault>,
    shared: &Shared,
) -> io::Result<()> {
    let count = request.count.unwrap_or_default();
    if !request.view.stream || turn.quirks.no_stream {
        let whole = match request.api {
            Api::Anthropic => anthropic::whole(request, turn, count),
            Api::Chat => chat::whole(request, turn, count),
            Api::Responses => responses::whole(request, turn, count),
            _ => gemini::whole(request, turn, count),
        };
        return json_body(stream, 200, &[], &whole, fault, shared);
    }
    let (events, overloaded) = match request.api {
        Api::Anthropic => (anthropic::stream(request, turn, count), anthropic::overloaded()),
        Api::Chat => (chat::stream(request, turn, count), chat::overloaded()),
        Api::Responses => (responses::stream(request, turn, count), responses::overloaded()),
        _ => (gemini::stream(request, turn, count), wire::event(None, &gemini::error(503, "overloaded").to_string())),
    };
    wire::head(stream, 200, "text/event-stream; charset=utf-8", &[], None)?;
    for (number, event) in events.iter().enumerate() {
        match fault {
            Some(Fault::CutAfter(after)) if *after == number => return stream.shutdown(Shutdown::Both),
            Some(Fault::StallAfter(after)) if *after == number && !stall(stream, shared)? => return Ok(()),
            Some(Fault::CorruptAfter(after)) if *after == number => {
                wire::chunk(stream, &wire::event(None, "{\"type\": \"content_block_de"))?;
            }
            Some(Fault::OverloadAfter(after)) if *after == number => {
                wire::chunk(stream, &overloaded)?;
                return wire::chunk(stream, b"");
            }
            _ => {}
        }
        wire::chunk(stream, event)?;
    }
    wire::chunk(stream, b"")
}

fn json_body(
    stream: &mut TcpStream,
    code: u16,
    headers: &[(String, String)],
    body: &Value,
    fault: Option<&Fault>,
    shared: &Shared,
) -> io::Result<()> {
    let mut bytes = body.to_string().into_bytes();
    let middle = |after: usize, length: usize| if after == 0 { 0 } else { length / 2 };
    if let Some(Fault::CorruptAfter(_)) = fault {
        bytes.truncate(bytes.len() / 2);
    }
    wire::head(stream, code, "application/json", headers, Some(bytes.len()))?;
    match fault {
        Some(Fault::CutAfter(after)) => {
            stream.write_all(&bytes[..middle(*after, bytes.len())])?;
            stream.shutdown(Shutdown::Both)
        }
        Some(Fault::StallAfter(after)) => {
            let (first, second) = bytes.split_at(middle(*after, bytes.len()));
            stream.write_all(first)?;
            if stall(stream, shared)? { stream.write_all(second) } else { Ok(()) }
        }
        _ => stream.write_all(&bytes),
    }
}

/// Waits for the test; whether to go on. A client that hangs up meanwhile is counted.
fn stall(stream: &TcpStream, shared: &Shared) -> io::Result<bool> {
    stream.set_nonblocking(true)?;
    let mut state = lock(&shared.state);
    state.stalled += 1;
    let releases = state.releases;
    shared.changed.notify_all();
    let go_on = loop {
        if state.stopped {
            break false;
        }
        if state.releases > releases {
            break true;
        }
        let gone = match stream.peek(&mut [0]) {
            Ok(read) => read == 0,
            Err(error) => error.kind() != io::ErrorKind::WouldBlock,
        };
        if gone {
            state.hung_up += 1;
            break false;
        }
        (state, _) = shared.changed.wait_timeout(state, LOOK).unwrap_or_else(PoisonError::into_inner);
    };
    state.stalled -= 1;
    drop(state);
    shared.changed.notify_all();
    stream.set_nonblocking(false)?;
    Ok(go_on)
}
