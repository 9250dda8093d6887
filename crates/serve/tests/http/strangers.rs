//! Who may come in: tokens, hosts, origins, paths, and a page that reaches nothing outside.

use serde_json::json;

use super::page::Page;

#[test]
fn strangers_are_refused() {
    let page = Page::open();
    page.remember("The vault is behind the painting");
    let (host, token) = (page.host(), page.token.clone());
    let bearer = format!("Bearer {token}");
    let own = format!("http://{host}");
    let local = format!("localhost:{}", page.port);
    let (other_port, shorter, longer) =
        (format!("127.0.0.1:{}", page.port ^ 1), format!("Bearer {}", &token[1..]), format!("{bearer}0"));
    let cases: &[(&str, u16, &[(&str, &str)])] = &[
        ("the usual", 200, &[("host", &host), ("authorization", &bearer)]),
        ("by name", 200, &[("host", &local), ("authorization", &bearer)]),
        (
            "from its page",
            200,
            &[("host", &host), ("authorization", &bearer), ("origin", &own), ("sec-fetch-site", "same-origin")],
        ),
        ("no token", 401, &[("host", &host)]),
        ("empty token", 401, &[("host", &host), ("authorization", "Bearer ")]),
        ("a shorter token", 401, &[("host", &host), ("authorization", &shorter)]),
        ("a longer token", 401, &[("host", &host), ("authorization", &longer)]),
        ("another scheme", 401, &[("host", &host), ("authorization", &token)]),
        ("a cookie", 401, &[("host", &host), ("cookie", &token)]),
        ("a rebound name", 403, &[("host", "evil.example"), ("authorization", &bearer)]),
        ("a rebound name with the port", 403, &[("host", "evil.example:80"), ("authorization", &bearer)]),
        ("a name that begins like ours", 403, &[("host", "127.0.0.1.evil.example"), ("authorization", &bearer)]),
        ("another port", 403, &[("host", &other_port), ("authorization", &bearer)]),
        ("no host", 400, &[("authorization", &bearer)]),
        ("two hosts", 403, &[("host", &host), ("host", "evil.example"), ("authorization", &bearer)]),
        ("a foreign origin", 403, &[("host", &host), ("authorization", &bearer), ("origin", "https://evil.example")]),
        ("an origin of nobody", 403, &[("host", &host), ("authorization", &bearer), ("origin", "null")]),
        ("a foreign site", 403, &[("host", &host), ("authorization", &bearer), ("sec-fetch-site", "cross-site")]),
    ];
    for path in ["/api/status", "/api/events?once", "/mcp"] {
        for (what, status, headers) in cases {
            if *status == 200 && path != "/api/status" {
                continue;
            }
            let reply = page.send("GET", path, headers, "");
            let no_host = *status == 400 && reply.status == 403;
            assert!(reply.status == *status || no_host, "{what} {path}: {reply:?}");
            assert!(!reply.body.contains("painting") && !reply.head.contains("access-control"), "{what}");
        }
    }
}

#[test]
fn cross_site_posts_change_nothing() {
    let page = Page::open();
    let (host, bearer) = (page.host(), format!("Bearer {}", page.token));
    let body = json!({ "text": "planted by a stranger" }).to_string();
    for (what, method, headers) in [
        ("a form", "POST", vec![("content-type", "text/plain")]),
        ("another form", "POST", vec![("content-type", "application/x-www-form-urlencoded")]),
        ("no type", "POST", vec![]),
        ("a preflight", "OPTIONS", vec![("origin", "https://evil.example"), ("access-control-request-method", "POST")]),
        ("a get", "GET", vec![]),
        ("a put", "PUT", vec![("content-type", "application/json")]),
    ] {
        let headers = [vec![("host", &*host), ("authorization", &*bearer)], headers].concat();
        let reply = page.send(method, "/api/remember", &headers, &body);
        assert!((400..500).contains(&reply.status), "{what}: {reply:?}");
        assert!(!reply.head.contains("access-control-allow"), "{what}");
    }
    assert_eq!(page.get("/api/memories").json()["total"], 0);
}

#[test]
fn paths_that_escape_are_refused() {
    let page = Page::open();
    page.remember("Releases are cut on Thursdays");
    for file in [
        "../../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "/etc/passwd",
        "%2fetc%2fpasswd",
        "a%00b.md",
        "user:../x",
        ".git/config",
    ] {
        let reply = page.get(&format!("/api/memory?file={file}"));
        assert!(matches!(reply.status, 400 | 404) && !reply.body.contains("root:"), "{file}: {reply:?}");
    }
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fetc/passwd",
        "/api/../../etc/passwd",
        "//etc/passwd",
        "/app.js/../../x",
        "/API/status",
    ] {
        let reply = page.get(path);
        assert!(matches!(reply.status, 400 | 404), "{path}: {reply:?}");
    }
    let outside = json!({ "file": "../../x.md", "version": "0", "text": "x" });
    for (path, body) in [("/api/edit", outside.clone()), ("/api/forget", json!({ "file": "../../x.md" }))] {
        assert!(matches!(page.post(path, &body).status, 400 | 404), "{path}");
    }
}

#[test]
fn the_page_is_closed_to_the_outside() {
    let nasty = "<script>alert(1)</script><img src=x onerror=alert(2)>";
    let page = Page::open();
    let saved = page.post("/api/remember", &json!({ "text": nasty, "name": "</title><script>alert(3)</script>" }));
    assert_eq!(saved.status, 200, "{saved:?}");
    for (path, kind) in [
        ("/", "text/html"),
        ("/app.js", "text/javascript"),
        ("/markdown.js", "text/javascript"),
        ("/reader.js", "text/javascript"),
        ("/list.js", "text/javascript"),
        ("/overview.js", "text/javascript"),
        ("/told.js", "text/javascript"),
        ("/views.js", "text/javascript"),
        ("/dom.js", "text/javascript"),
        ("/api.js", "text/javascript"),
        ("/style.css", "text/css"),
    ] {
        let reply = page.send("GET", path, &[("host", &page.host())], "");
        assert_eq!(reply.status, 200, "{path}");
        for header in [
            "content-security-policy: default-src 'none'",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "x-frame-options: deny",
            "cache-control: no-store",
            kind,
        ] {
            assert!(reply.head.contains(header), "{path} lacks {header}\n{}", reply.head);
        }
        assert!(!reply.body.contains("alert(") && !reply.body.contains("innerHTML"), "{path}");
        for outside in ["http://", "https://", "//cdn"] {
            assert!(!reply.body.contains(outside), "{path} names {outside}");
        }
    }
    let listed = page.get("/api/memories");
    assert!(listed.head.contains("application/json") && listed.body.contains("<script>"));
}
