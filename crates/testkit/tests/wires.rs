//! The scripted server as a client meets it: bytes over a socket.

#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::unwrap_used, missing_docs)] // it is all test

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};

use memdir_testkit::model_server::{Ending, Fault, ModelServer, Turn};
use serde_json::{Value, json};

/// Posts a body and gives the whole answer, head included, however it ends.
fn post(url: &str, path: &str, body: &Value) -> String {
    let host = url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let body = body.to_string();
    write!(
        stream,
        "POST {path} HTTP/1.1\r\nhost: {host}\r\nx-api-key: very-secret\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
    .unwrap();
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn asks(stream: bool) -> [(&'static str, Value); 4] {
    let user = json!([{ "role": "user", "content": "hello there" }]);
    let gemini = if stream {
        "/v1beta/models/m:streamGenerateContent?alt=sse&key=very-secret"
    } else {
        "/v1beta/models/m:generateContent"
    };
    [
        ("/v1/messages?beta=true", json!({ "model": "m", "max_tokens": 9, "messages": user, "stream": stream })),
        ("/v1/chat/completions", json!({ "model": "m", "messages": user, "stream": stream })),
        ("/v1/responses", json!({ "model": "m", "input": user, "stream": stream })),
        (gemini, json!({ "contents": [{ "role": "user", "parts": [{ "text": "hello there" }] }] })),
    ]
}

#[test]
fn four_wires_say_words_and_call_tools_streamed_and_whole() {
    for stream in [false, true] {
        for (path, body) in asks(stream) {
            let server = ModelServer::queue([Turn::say("good morning").and_call("Read", json!({ "file": "a.md" }))]);
            let answer = post(&server.url(), path, &body);
            let streamed = answer.contains("text/event-stream");
            assert_eq!(streamed, stream, "{path}\n{answer}");
            let words = if stream { "morning" } else { "good morning" };
            assert!(answer.contains(words) && answer.contains("Read"), "{path}\n{answer}");
            let request = server.last();
            assert_eq!(request.view.last_user, "hello there", "{path}");
            assert_eq!(request.view.stream, stream, "{path}");
            assert!(request.has_key && !format!("{request:?}").contains("very-secret"), "{path}");
            assert!(request.count.unwrap().prompt() > 0, "{path}");
        }
    }
}

#[test]
fn every_wire_ends_as_it_is_told() {
    for (at, words) in ["max_tokens", "length", "max_output_tokens", "MAX_TOKENS"].iter().enumerate() {
        let server = ModelServer::queue([Turn::say("on and on").ending(Ending::Length)]);
        let (path, body) = &asks(true)[at];
        assert!(post(&server.url(), path, body).contains(words), "{path}");
    }
}

#[test]
fn faults_come_on_cue() {
    for (path, body) in asks(true) {
        let server = ModelServer::queue([
            Turn::status(429, "slow down").header("retry-after", "7"),
            Turn::say("one two three").with(Fault::CutAfter(3)),
            Turn::say("one two three").with(Fault::CorruptAfter(1)),
            Turn::raw("HTTP/1.1 200 OK\r\n\r\nrubbish"),
            Turn::die(),
        ]);
        let limited = post(&server.url(), path, &body);
        assert!(limited.starts_with("HTTP/1.1 429") && limited.contains("retry-after: 7"), "{limited}");
        assert!(!post(&server.url(), path, &body).ends_with("0\r\n\r\n"), "{path}: not cut");
        assert!(post(&server.url(), path, &body).contains("content_block_de\n"), "{path}: not corrupt");
        assert!(post(&server.url(), path, &body).ends_with("rubbish"));
        assert_eq!(post(&server.url(), path, &body), "");
        // Not by connecting: the port may be somebody else's by now.
        assert!(server.is_closed(), "the listener is still there");
    }
}

#[test]
fn a_stall_lasts_until_it_is_released_or_the_server_is_dropped() {
    let server = ModelServer::queue([Turn::say("one two").with(Fault::StallAfter(2)), Turn::silence()]);
    let url = server.url();
    let waiting = std::thread::spawn(move || post(&url, "/v1/messages", &asks(true)[0].1));
    server.wait_for_stalls(1);
    server.release();
    assert!(waiting.join().unwrap().contains("message_stop"));
    let url = server.url();
    let silent = std::thread::spawn(move || post(&url, "/v1/messages", &asks(true)[0].1));
    server.wait_for_stalls(1);
    drop(server);
    assert_eq!(silent.join().unwrap(), "");
}

#[test]
fn a_bad_request_is_refused_as_the_real_server_does() {
    let server = ModelServer::queue([]);
    let open = json!([{ "role": "user", "content": "hi" }, { "role": "assistant", "content": [{ "type": "tool_use", "id": "t", "name": "Read", "input": {} }] }]);
    let answer = post(&server.url(), "/v1/messages", &json!({ "model": "m", "max_tokens": 1, "messages": open }));
    assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("tool_result"), "{answer}");
}

#[test]
fn the_program_reads_a_script_and_logs_requests_without_keys() {
    let dir = tempfile::tempdir().unwrap();
    let (script, log) = (dir.path().join("script.json"), dir.path().join("log.jsonl"));
    std::fs::write(
        &script,
        r#"{"rules":[{"name":"hi","when":{"last_user":"hello (.*)"},"reply":{"text":"hello {{1}} too"}}]}"#,
    )
    .unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_scripted-model"))
        .args([&script, &log])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut first).unwrap();
    let url = first.trim().strip_prefix("listening ").unwrap();
    assert!(post(url, "/v1/messages", &asks(false)[0].1).contains("hello there too"));
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
    let line: Value = serde_json::from_str(&std::fs::read_to_string(&log).unwrap()).unwrap();
    assert_eq!((&line["rule"], &line["has_key"], &line["number"]), (&json!("hi"), &json!(true), &json!(1)));
    assert!(!line.to_string().contains("very-secret"));
}
