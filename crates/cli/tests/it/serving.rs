//! `serve` as programs, browsers and attackers meet it: a real server, raw requests.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::{env, git_env};

/// So long a test waits for an answer that never comes.
const LONG: Duration = Duration::from_mins(1);

/// A running server; ended when dropped.
pub(super) struct Page {
    child: Child,
    port: u16,
    pub(super) token: String,
}

/// What came back.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) status: u16,
    pub(super) head: String,
    pub(super) body: String,
}

impl Reply {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Page {
    pub(super) fn open(env: &TestEnv) -> Page {
        let mut command = env.command(&["serve", "--no-open", "--json"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address: Value = serde_json::from_str(&line).unwrap();
        let token = address["token"].as_str().unwrap().to_owned();
        assert!(address["url"].as_str().unwrap().starts_with("http://127.0.0.1:"));
        Page { child, port: address["port"].as_u64().unwrap() as u16, token }
    }

    pub(super) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream
    }

    pub(super) fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = self.connect();
        // A server that refuses early may have closed before all was sent.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// A request with these headers and no others but the length.
    pub(super) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        self.raw(
            format!("{method} {path} HTTP/1.1\r\n{lines}connection: close\r\ncontent-length: {length}\r\n\r\n{body}")
                .as_bytes(),
        )
    }

    pub(super) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(super) fn get(&self, path: &str) -> Reply {
        let bearer = format!("Bearer {}", self.token);
        self.send("GET", path, &[("host", &self.host()), ("authorization", &bearer)], "")
    }

    pub(super) fn post(&self, path: &str, body: &Value) -> Reply {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("host", &*self.host()), ("authorization", &bearer), ("content-type", "application/json")];
        self.send("POST", path, &headers, &body.to_string())
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_overview_counts_what_there_is_and_what_was_told() {
    let env = git_env();
    env.run(&["remember", "The ledger freezes its branch behind the flag kestrel", "--type", "project"]).ok();
    env.run(&["remember", "Wants short answers", "--type", "user"]).ok();
    let page = Page::open(&env);
    let before = page.get("/api/overview").json();
    assert_eq!((&before["since"], &before["never"], &before["told"]), (&Value::Null, &json!(2), &json!([])));
    for session in ["s1", "s2"] {
        let said = json!({
            "session_id": session, "cwd": env.project(), "hook_event_name": "UserPromptSubmit",
            "prompt": "behind which flag does the ledger freeze its branch?",
        });
        let mut child =
            env.command(&["hook", "claude-code"]).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(said.to_string().as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }
    let after = page.get("/api/overview").json();
    assert_eq!((&after["told"][0]["times"], after["told"].as_array().unwrap().len()), (&json!(2), 1), "{after}");
    assert!(after["told"][0]["title"].as_str().unwrap().contains("ledger"), "{after}");
    assert_eq!((&after["never"], after["never_told"].as_array().unwrap().len()), (&json!(1), 1));
    let day = after["days"].as_array().unwrap().last().unwrap();
    assert_eq!((&day["calls"], &day["spoke"]), (&json!(2), &json!(2)), "{after}");
    assert!(day["tokens"].as_u64().unwrap() > 10, "{after}");
    let weeks = after["weeks"].as_array().unwrap();
    assert_eq!((&weeks[0]["project"], &weeks[11]["project"], &weeks[11]["user"]), (&json!(0), &json!(1), &json!(1)));
}

#[test]
fn every_verb_is_there() {
    let env = git_env();
    let page = Page::open(&env);
    let saved = page
        .post("/api/remember", &json!({ "text": "Integration tests use a real database", "type": "feedback" }))
        .json();
    let file = saved["file"].as_str().unwrap().to_owned();
    assert_eq!(saved["action"], "created");
    assert_eq!(page.get("/api/memories").json()["memories"][0]["file"], file.as_str());
    assert_eq!(page.get("/api/memories?q=REAL+database&type=feedback").json()["total"], 1);
    assert_eq!(page.get("/api/memories?scope=user").json()["total"], 0);
    let read = page.get(&format!("/api/memory?file={file}")).json();
    assert_eq!(read["text"], env.read_memory(&file));
    let recalled = page.post("/api/recall", &json!({ "query": "do integration tests use a real database?" })).json();
    assert_eq!(recalled["selected"][0]["file"], file.as_str());
    assert!(recalled["selected"][0]["why"].is_string() && recalled["reminder"].is_string());
    assert!(!page.get("/api/search?term=real%20database").json()["hits"].as_array().unwrap().is_empty());
    assert_eq!(page.post("/api/pin", &json!({ "file": file, "pinned": true })).json()["pinned"], true);
    assert!(env.read_memory(&file).contains("pinned: true"));
    let moved = page.post("/api/move", &json!({ "file": file, "scope": "team" })).json();
    assert_eq!(moved["file"], format!("team/{file}"));
    assert_eq!(page.post("/api/undo", &json!({ "change": moved["change"] })).status, 200);
    assert_eq!(page.post("/api/forget", &json!({ "file": file })).json()["files"], json!([file]));
    let history = page.get("/api/history?limit=3").json();
    assert_eq!((&history["changes"][0]["reason"], &history["changes"][0]["actor"]), (&json!("forget"), &json!("user")));
    let touched = json!([{ "file": file, "title": read["title"], "act": "removed" }]);
    assert_eq!(history["changes"][0]["memories"], touched, "{history}");
    let change = history["changes"][0]["id"].as_str().unwrap();
    assert!(page.get(&format!("/api/diff?change={change}")).json()["diff"].as_str().unwrap().contains("-Integration"));
    assert_eq!(page.post("/api/undo", &json!({})).status, 200);
    env.write_memory("loose.md", "no pointer to me\n");
    let checkup = page.get("/api/doctor").json();
    assert!(checkup["findings"].to_string().contains("loose.md"), "{checkup}");
    assert_eq!(page.post("/api/doctor/fix", &json!({})).status, 200);
    assert!(env.read_memory("MEMORY.md").contains("loose.md"));
    assert_eq!(page.get("/api/projects").json()["projects"][0]["current"], true);
    assert_eq!(page.get("/api/inbox").json()["proposals"], json!([]));
    assert!(matches!(page.post("/api/inbox/accept", &json!({ "id": "none" })).status, 400 | 404));
    assert_eq!(page.get("/api/status").json()["memory"]["enabled"], true);
    let tool = page.post("/api/memory-tool", &json!({ "command": "view", "path": "/memories/loose.md" })).json();
    assert_eq!(tool["is_error"], false);
    assert!(tool["content"].as_str().unwrap().contains("no pointer to me"));
}

#[test]
fn proposals_are_accepted_and_rejected() {
    let mut env = env();
    let layout = |name: &str| {
        format!(
            "---\nname: {name}\ndescription: Layout in short\ntype: project\n---\n\nsrc/api has handlers, src/db has queries.\n"
        )
    };
    env.var("MEMDIR_REVIEW", "true");
    for verb in ["reject", "accept"] {
        // What was turned down is not asked again; another text is another question.
        env.write_memory("project_layout.md", layout(verb));
        let id = env.json(&["dream", "--force"])["proposal"].as_str().unwrap().to_owned();
        let page = Page::open(&env);
        let waiting = page.get("/api/inbox").json();
        assert_eq!(waiting["proposals"][0]["id"], id.as_str());
        assert!(waiting["proposals"][0]["diff"].as_str().unwrap().contains("-src/api has handlers"), "{waiting}");
        let done = page.post(&format!("/api/inbox/{verb}"), &json!({ "id": id }));
        assert_eq!(done.status, 200, "{done:?}");
        assert_eq!(page.get("/api/inbox").json()["proposals"], json!([]));
        assert_eq!(env.memory().join("project_layout.md").exists(), verb == "reject");
    }
}

#[test]
fn an_edit_of_an_old_version_is_a_conflict() {
    let env = git_env();
    let file = env.json(&["remember", "Releases are cut on Thursdays"])["file"].as_str().unwrap().to_owned();
    let page = Page::open(&env);
    let read = page.get(&format!("/api/memory?file={file}")).json();
    let text = read["text"].as_str().unwrap();
    let edit = |version: &Value, text: &str| {
        page.post("/api/edit", &json!({ "file": file, "version": version, "text": text }))
    };
    let mine = text.replace("Thursdays", "Fridays");
    // The agent is faster.
    env.run(&["edit", &file, "--body", "Releases are cut on Mondays"]).ok();
    let refused = edit(&read["version"], &mine);
    assert_eq!(refused.status, 409, "{refused:?}");
    assert!(refused.json()["text"].as_str().unwrap().contains("Mondays"));
    assert!(env.read_memory(&file).contains("Mondays"));
    let done = edit(&refused.json()["version"], &mine);
    assert_eq!(done.status, 200, "{done:?}");
    assert_eq!(env.read_memory(&file), mine);
    assert_eq!(edit(&done.json()["version"], "key: AKIAQ3EGRVVB5OZJ3XWT\n").status, 400);
}

#[test]
fn strangers_are_refused() {
    let env = git_env();
    env.run(&["remember", "The vault is behind the painting"]).ok();
    let page = Page::open(&env);
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
    let env = git_env();
    let page = Page::open(&env);
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
    let env = git_env();
    env.run(&["remember", "Releases are cut on Thursdays"]).ok();
    let page = Page::open(&env);
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
fn too_much_and_too_odd_is_refused() {
    let env = git_env();
    let page = Page::open(&env);
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
    let env = env();
    let page = Page::open(&env);
    let mut slow = page.connect();
    slow.write_all(b"GET /api/status HTTP/1.1\r\nhost:").unwrap();
    assert_eq!(page.get("/api/status").status, 200);
    let mut rest = Vec::new();
    // Ends because the server closes, not because the test gives up.
    assert!(slow.read_to_end(&mut rest).is_ok(), "the server still waits");
}

#[test]
fn who_has_no_token_uses_up_nothing_of_the_owners() {
    let env = env();
    let page = Page::open(&env);
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
    let env = env();
    let page = Page::open(&env);
    let silent: Vec<TcpStream> = (0..memdir::limits::HTTP_CONNECTIONS + 20).map(|_| page.connect()).collect();
    for _ in 0..3 {
        assert_eq!(page.get("/api/status").status, 200);
    }
    drop(silent);
}

#[test]
fn a_malformed_chunk_is_a_bad_request() {
    let env = env();
    let page = Page::open(&env);
    let head = format!(
        "POST /api/remember HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\nconnection: close\r\n\r\n",
        page.host(),
        page.token
    );
    for body in ["ZZ\r\n{}\r\n0\r\n\r\n", "5\r\n{}\r\n0\r\n\r\n", "fffffffffffffffffff\r\n{}"] {
        assert_eq!(page.raw(format!("{head}{body}").as_bytes()).status, 400, "{body:?}");
    }
    assert_eq!(page.get("/api/status").status, 200);
}

#[test]
fn too_many_requests_are_asked_to_wait() {
    let env = env();
    let page = Page::open(&env);
    let replies: Vec<u16> = std::thread::scope(|scope| {
        let ask = || (0..200).map(|_| page.get("/style.css").status).collect::<Vec<_>>();
        let askers: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        askers.into_iter().flat_map(|asker| asker.join().unwrap()).collect()
    });
    assert!(replies.contains(&429) && replies.contains(&200));
}

#[test]
fn the_page_is_closed_to_the_outside() {
    let env = git_env();
    let nasty = "<script>alert(1)</script><img src=x onerror=alert(2)>";
    env.run(&["remember", nasty, "--name", "</title><script>alert(3)</script>"]).ok();
    let page = Page::open(&env);
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

#[test]
fn changes_arrive_while_they_happen() {
    let env = git_env();
    env.run(&["remember", "Releases are cut on Thursdays"]).ok();
    let page = Page::open(&env);
    let mut stream = page.connect();
    write!(stream, "GET /api/events?token={} HTTP/1.1\r\nhost: {}\r\n\r\n", page.token, page.host()).unwrap();
    let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
    assert!(lines.any(|line| line == "event: hello"));
    env.write_memory("by_hand.md", "written by an editor\n");
    assert!(lines.any(|line| line == "event: changed"));
    let told = lines.find(|line| line.starts_with("data:")).unwrap();
    assert!(told.contains("by_hand.md") && told.contains("outside"), "{told}");
}

#[test]
fn mcp_is_spoken_over_http_too() {
    let env = git_env();
    let page = Page::open(&env);
    let (host, bearer) = (page.host(), format!("Bearer {}", page.token));
    let base = [
        ("host", &*host),
        ("authorization", &*bearer),
        ("content-type", "application/json"),
        ("accept", "application/json, text/event-stream"),
    ];
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let ask = |method: &str, headers: &[(&str, &str)], params: Value| {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        page.send("POST", "/mcp", headers, &body.to_string())
    };
    let hello =
        json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    // A stream answers and stays open; closing is asked for by the request's own header.
    let reply = ask("initialize", &base, hello);
    assert_eq!(reply.status, 200, "{reply:?}");
    assert!(reply.head.contains("mcp-session-id") && reply.body.contains("memdir"), "{reply:?}");
    let newest =
        [&base[..], &[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", "remember")]]
            .concat();
    let call = json!({ "name": "remember", "arguments": { "text": "Saved over HTTP" }, "_meta": meta });
    let reply = ask("tools/call", &newest, call);
    assert!(reply.body.contains("created"), "{reply:?}");
    assert_eq!(page.get("/api/memories").json()["total"], 1);
}

#[test]
fn the_api_describes_itself() {
    let env = env();
    let page = Page::open(&env);
    let document = page.get("/api/openapi.json").json();
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 15);
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().unwrap() {
            assert!(operation["summary"].as_str().is_some_and(|words| !words.is_empty()), "{method} {path}");
            let reply = if method == "get" && path != "/api/events" { page.get(path) } else { continue };
            assert!(reply.status < 500, "{path}: {reply:?}");
        }
    }
}

#[test]
fn it_ends_when_it_is_told_to() {
    let env = env();
    let mut page = Page::open(&env);
    assert_eq!(page.get("/").status, 200);
    let told = std::process::Command::new("kill").arg(page.child.id().to_string()).status().unwrap();
    assert!(told.success());
    assert!(page.child.wait().unwrap().success());
}
