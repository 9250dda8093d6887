//! A client of the server's HTTP interface, down to the bytes that it sends.
//!
//! Enters: a port on loopback and the token. Leaves: what came back, whatever was sent: a request here may be as wrong as a test wants.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// So long a test waits for an answer that never comes.
const LONG: Duration = Duration::from_mins(1);

/// Where a server listens, and the token that it asks for.
#[derive(Debug)]
pub struct HttpClient {
    /// The port on loopback.
    pub port: u16,
    /// The token.
    pub token: String,
}

/// What came back.
#[derive(Debug)]
pub struct HttpReply {
    /// The status; zero where there was none.
    pub status: u16,
    /// The status line and the headers, in lower case.
    pub head: String,
    /// What follows them.
    pub body: String,
}

impl HttpReply {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl HttpClient {
    /// A connection on which nothing was sent yet.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream
    }

    /// Sends these bytes and reads until the server closes.
    pub fn raw(&self, request: &[u8]) -> HttpReply {
        let mut stream = self.connect();
        // A server that refuses early may have closed before all was sent.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        HttpReply { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// A request with these headers and no others but the length.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> HttpReply {
        let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        self.raw(
            format!("{method} {path} HTTP/1.1\r\n{lines}connection: close\r\ncontent-length: {length}\r\n\r\n{body}")
                .as_bytes(),
        )
    }

    /// What a `Host` header should say.
    pub fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    /// A `GET` with the token.
    pub fn get(&self, path: &str) -> HttpReply {
        let bearer = format!("Bearer {}", self.token);
        self.send("GET", path, &[("host", &self.host()), ("authorization", &bearer)], "")
    }

    /// A `POST` of JSON with the token.
    pub fn post(&self, path: &str, body: &Value) -> HttpReply {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("host", &*self.host()), ("authorization", &bearer), ("content-type", "application/json")];
        self.send("POST", path, &headers, &body.to_string())
    }
}
