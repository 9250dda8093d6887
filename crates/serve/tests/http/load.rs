//! Clients that send too much, too slowly, too often or nothing that makes sense.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::json;

use super::page::Page;

#[test]
fn too_much_and_too_odd_is_refused() {
    let page = Page::open();
    let big = "x".repeat(5 * 1024 * 1024);
    let reply = page.post("/api/remember", &json!({ "text": big }));
    assert!(matches!(reply.status, 413 | 0), "{}", reply.status);
    assert_eq!(page.post("/api/remember", &json!({ "text": "x".repeat(2 * 1024 * 1024) })).status, 400);
    for body in [
        "",
        "[]",
        "null",
        "{",
        "{\"text\":1}",
        "{\"text\":\"a\",\"colour\":\"red\"}",
        "{\"type\":\"user\"}",
        "{\"text\":\"a\",\"type\":\"poem\"}",
    ] {
        let headers = [
            ("host", &*page.host()),
            ("authorization", &format!("Bearer {}", page.token)),
            ("content-type", "application/json"),
        ];
        assert_eq!(page.send("POST", "/api/remember", &headers, body).status, 400, "{body}");
    }
    for path in [
        "/api/memories?limit=-1",
        "/api/memories?limit=x",
        "/api/memories?nope=1",
        "/api/search",
        "/api/search?term=(&regex=true",
        "/api/search?term=a&regex=maybe",
    ] {
        assert_eq!(page.get(path).status, 400, "{path}");
    }
    for path in ["/api/diff?change=zzzz", "/api/memory?file=none.md", "/api/nothing"] {
        assert_eq!(page.get(path).status, 404, "{path}");
    }
    for junk in [&b"\x00\x01\x02\r\n\r\n"[..], b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\r\n\r\n\r\n"] {
        assert!(matches!(page.raw(junk).status, 0 | 400 | 505));
    }
    assert_eq!(page.get("/api/status").status, 200);
}

#[test]
fn a_slow_client_is_left_and_holds_nobody_up() {
    let page = Page::open();
    let mut slow = page.connect();
    slow.write_all(b"GET /api/status HTTP/1.1\r\nhost:").unwrap();
    assert_eq!(page.get("/api/status").status, 200);
    let mut rest = Vec::new();
    // Ends because the server closes, not because the test gives up.
    assert!(slow.read_to_end(&mut rest).is_ok(), "the server still waits");
}

#[test]
fn who_has_no_token_uses_up_nothing_of_the_owners() {
    let page = Page::open();
    let stranger =
        || page.send("GET", "/api/status", &[("host", &page.host()), ("authorization", "Bearer x")], "").status;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..100).for_each(|_| assert_eq!(stranger(), 401)));
        }
    });
    assert_eq!(page.get("/api/status").status, 200);
}

#[test]
fn silent_connections_do_not_hold_the_owner_off() {
    let page = Page::open();
    let silent: Vec<TcpStream> = (0..memdir::limits::HTTP_CONNECTIONS + 20).map(|_| page.connect()).collect();
    for _ in 0..3 {
        assert_eq!(page.get("/api/status").status, 200);
    }
    drop(silent);
}

#[test]
fn a_malformed_chunk_is_a_bad_request() {
    let page = Page::open();
    let head = format!(
        "POST /api/remember HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\nconnection: close\r\n\r\n",
        page.host(),
        page.token
    );
    for body in [
        "ZZ\r\n{}\r\n0\r\n\r\n",
        "5\r\n{}\r\n0\r\n\r\n",
        "fffffffffffffffffff\r\n{}",
        "-1\r\n{}\r\n0\r\n\r\n",
        "0x2\r\n{}\r\n0\r\n\r\n",
        " 2\r\n{}\r\n0\r\n\r\n",
        "2\r\n{}0\r\n\r\n",
        "\r\n\r\n",
        "2\0\r\n{}\r\n0\r\n\r\n",
        "2\r\n{}\r\n0\r\nx: y\0\r\n\r\n",
    ] {
        assert_eq!(page.raw(format!("{head}{body}").as_bytes()).status, 400, "{body:?}");
    }
    assert_eq!(page.get("/api/status").status, 200);
}

#[test]
fn too_many_requests_are_asked_to_wait() {
    let page = Page::open();
    let replies: Vec<u16> = std::thread::scope(|scope| {
        let ask = || (0..200).map(|_| page.get("/style.css").status).collect::<Vec<_>>();
        let askers: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        askers.into_iter().flat_map(|asker| asker.join().unwrap()).collect()
    });
    assert!(replies.contains(&429) && replies.contains(&200));
}
