//! HTTP/1.1 by hand: reading one request, writing one answer. One request a connection.

use std::io::{self, Read, Write};
use std::net::TcpStream;

/// The longest head and body that are read.
const HEAD_BYTES: usize = 64 * 1024;
const BODY_BYTES: usize = 64 * 1024 * 1024;

/// A request as it stood on the wire.
pub(super) struct Request {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

/// Reads a request; nothing when the client only knocked.
pub(super) fn read(stream: &mut impl Read) -> io::Result<Option<Request>> {
    let mut bytes = Vec::new();
    loop {
        let mut headers = [httparse::EMPTY_HEADER; 128];
        let mut head = httparse::Request::new(&mut headers);
        if let httparse::Status::Complete(length) = head.parse(&bytes).map_err(io::Error::other)? {
            let headers: Vec<(String, String)> = head
                .headers
                .iter()
                .map(|header| (header.name.to_ascii_lowercase(), String::from_utf8_lossy(header.value).into_owned()))
                .collect();
            let (method, path) = (head.method.unwrap_or_default().to_owned(), head.path.unwrap_or_default().to_owned());
            let rest = bytes.split_off(length);
            let body = body(stream, &headers, rest)?;
            return Ok(Some(Request { method, path, headers, body }));
        }
        if bytes.len() > HEAD_BYTES {
            return Err(io::Error::other("the head is too long"));
        }
        if !more(stream, &mut bytes)? {
            return Ok(None);
        }
    }
}

fn body(stream: &mut impl Read, headers: &[(String, String)], mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let header = |name: &str| headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    if header("transfer-encoding").is_some_and(|coding| coding.contains("chunked")) {
        return chunks(stream, bytes);
    }
    let length: usize = header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    if length > BODY_BYTES {
        return Err(io::Error::other("the body is too long"));
    }
    while bytes.len() < length {
        if !more(stream, &mut bytes)? {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}

fn chunks(stream: &mut impl Read, mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        match httparse::parse_chunk_size(&bytes).map_err(|_| io::Error::other("a broken chunk"))? {
            httparse::Status::Complete((start, size)) => {
                let end = start + size as usize;
                if size == 0 {
                    return Ok(body);
                }
                while bytes.len() < end + 2 {
                    if !more(stream, &mut bytes)? {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                body.extend_from_slice(&bytes[start..end]);
                bytes.drain(..end + 2);
            }
            httparse::Status::Partial => {
                if body.len() > BODY_BYTES || !more(stream, &mut bytes)? {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
        }
    }
}

fn more(stream: &mut impl Read, bytes: &mut Vec<u8>) -> io::Result<bool> {
    let mut piece = [0; 16 * 1024];
    let read = stream.read(&mut piece)?;
    bytes.extend_from_slice(&piece[..read]);
    Ok(read > 0)
}

/// One event of a stream.
pub(super) fn event(name: Option<&str>, data: &str) -> Vec<u8> {
    let name = name.map(|name| format!("event: {name}\n")).unwrap_or_default();
    format!("{name}data: {data}\n\n").into_bytes()
}

/// Writes the head of an answer; without a length the body comes in chunks.
pub(super) fn head(
    stream: &mut TcpStream,
    code: u16,
    kind: &str,
    extra: &[(String, String)],
    length: Option<usize>,
) -> io::Result<()> {
    let framing = match length {
        Some(length) => format!("content-length: {length}"),
        None => "transfer-encoding: chunked\r\ncache-control: no-cache".to_owned(),
    };
    let extra: String = extra.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let reason = if code < 400 { "OK" } else { "Error" };
    let head =
        format!("HTTP/1.1 {code} {reason}\r\ncontent-type: {kind}\r\nconnection: close\r\n{extra}{framing}\r\n\r\n");
    stream.write_all(head.as_bytes())
}

/// Writes one chunk; an empty one ends the body.
pub(super) fn chunk(stream: &mut TcpStream, bytes: &[u8]) -> io::Result<()> {
    let mut framed = format!("{:x}\r\n", bytes.len()).into_bytes();
    framed.extend_from_slice(bytes);
    framed.extend_from_slice(b"\r\n");
    stream.write_all(&framed)
}
