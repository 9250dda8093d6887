//! `serve` as programs, browsers and attackers meet it: a real server, raw requests.

use std::io::{BufRead as _, BufReader, Write as _};
use std::ops::Deref;
use std::process::{Child, Stdio};

use memdir_testkit::{HttpClient, TestEnv};
use serde_json::{Value, json};

use super::{env, git_env};

/// A running server; ended when dropped.
pub(super) struct Page {
    child: Child,
    client: HttpClient,
}

impl Deref for Page {
    type Target = HttpClient;

    fn deref(&self) -> &HttpClient {
        &self.client
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
        Page { child, client: HttpClient { port: address["port"].as_u64().unwrap() as u16, token } }
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
    assert!(after["told"][0]["title"].as_str().unwrap().contains("Ledger"), "{after}");
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
fn it_ends_when_it_is_told_to() {
    let env = env();
    let mut page = Page::open(&env);
    assert_eq!(page.get("/").status, 200);
    let told = std::process::Command::new("kill").arg(page.child.id().to_string()).status().unwrap();
    assert!(told.success());
    assert!(page.child.wait().unwrap().success());
}
