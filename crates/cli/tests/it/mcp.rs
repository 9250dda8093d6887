//! `mcp` as a host meets it: lines of JSON on the pipes of a real process.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::{env, git_env};

/// So long a test waits for an answer that never comes.
const LONG: Duration = Duration::from_mins(1);

/// A running server.
pub(super) struct Host {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Value>,
    /// What came while something else was waited for.
    kept: Vec<Value>,
    next: u64,
}

impl Host {
    fn start(env: &TestEnv, args: &[&str]) -> Host {
        let mut command = env.command(&[&["mcp"], args].concat());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (send, output) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let Ok(line) = line else { return };
                let message = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        Host { input: child.stdin.take(), child, output, kept: Vec::new(), next: 100 }
    }

    /// One that has shaken hands.
    pub(super) fn ready(env: &TestEnv, version: &str, capabilities: Value) -> (Host, Value) {
        Host::ready_with(env, &[], version, capabilities)
    }

    fn ready_with(env: &TestEnv, args: &[&str], version: &str, capabilities: Value) -> (Host, Value) {
        let mut host = Host::start(env, args);
        let hello = host.ask("initialize", json!({
            "protocolVersion": version, "capabilities": capabilities, "clientInfo": { "name": "test", "version": "1" },
        }));
        host.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        (host, hello)
    }

    fn say(&mut self, message: &Value) {
        self.line(&message.to_string());
    }

    fn line(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.output.recv_timeout(LONG).expect("an answer");
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    fn answer_to(&mut self, id: &Value) -> Value {
        self.until(|message| message["id"] == *id && message.get("method").is_none())
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = json!(self.next);
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        self.answer_to(&id)
    }

    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({ "name": tool, "arguments": arguments }))["result"].clone()
    }

    /// Closes its input; it must end by itself.
    pub(super) fn end(mut self) {
        drop(self.input.take());
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_memory_lives_its_life_over_mcp() {
    let env = git_env();
    let (mut host, hello) = Host::ready(&env, "2025-06-18", json!({}));
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(hello["result"]["serverInfo"]["name"], "memdir");
    assert!(hello["result"]["instructions"].as_str().unwrap().contains("remember"));

    let saved = host.call(
        "remember",
        json!({
            "text": "Integration tests use a real database", "type": "feedback", "why": "mocks hid a broken migration",
        }),
    );
    assert_eq!(saved["isError"], false, "{saved}");
    let file = saved["structuredContent"]["file"].as_str().unwrap().to_owned();
    assert_eq!(saved["structuredContent"]["action"], "created");
    assert!(env.read_memory(&file).contains("**Why:** mocks hid a broken migration"));
    assert!(env.read_memory("MEMORY.md").contains(&file));

    let recalled = host.call("recall", json!({ "query": "should the integration tests mock the database?" }));
    assert_eq!(recalled["structuredContent"]["memories"][0]["file"], file.as_str());
    assert!(recalled["content"][0]["text"].as_str().unwrap().contains("real database"));
    let nothing = host.call("recall", json!({ "query": "what is the weather like on the moon" }));
    assert_eq!(nothing["structuredContent"]["memories"], json!([]));

    let found = host.call("search", json!({ "term": "MIGRATION" }));
    assert_eq!(found["structuredContent"]["hits"][0]["file"], file.as_str());
    let read = host.call("read", json!({ "file": file }));
    assert_eq!(read["structuredContent"]["text"], env.read_memory(&file));

    let forgot = host.call("forget", json!({ "file": file }));
    assert_eq!(forgot["structuredContent"]["files"], json!([file]));
    assert!(!env.memory().join(&file).exists());
    let history = host.call("history", json!({}));
    let changes = &history["structuredContent"]["changes"];
    assert_eq!((&changes[0]["reason"], &changes[0]["actor"]), (&json!("forget"), &json!("agent")));
    let undone = host.call("undo", json!({ "change": changes[0]["change"] }));
    assert_eq!(undone["isError"], false, "{undone}");
    assert!(env.memory().join(&file).exists());
    host.end();
}

#[test]
fn reading_through_mcp_counts_as_an_opening() {
    let env = git_env();
    let file = env.json(&["remember", "The staging cluster is called heron"])["file"].as_str().unwrap().to_owned();
    let (mut host, _) = Host::ready(&env, "2025-06-18", json!({}));
    host.call("read", json!({ "file": file }));
    host.end();
    let uses = std::fs::read_dir(env.state().join("stores")).unwrap().any(|store| {
        std::fs::read_to_string(store.unwrap().path().join("uses")).is_ok_and(|uses| uses.contains(&file))
    });
    assert!(uses);
}

#[test]
fn every_protocol_version_is_spoken() {
    let env = env();
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let (host, hello) = Host::ready(&env, version, json!({}));
        assert_eq!(hello["result"]["protocolVersion"], version);
        host.end();
    }
    // One that nobody knows yet gets the newest that shakes hands.
    let (host, hello) = Host::ready(&env, "2031-01-01", json!({}));
    assert_eq!(hello["result"]["protocolVersion"], "2025-11-25", "{hello}");
    host.end();
    // The newest has no handshake: each request says who asks.
    let mut host = Host::start(&env, &[]);
    let meta = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
    } });
    let found = host.ask("server/discover", meta.clone());
    assert!(found["result"]["supportedVersions"].as_array().unwrap().contains(&json!("2026-07-28")), "{found}");
    let tools = host.ask("tools/list", meta);
    assert_eq!(tools["result"]["tools"].as_array().unwrap().len(), 7);
    host.end();
}

#[test]
fn probes_before_the_handshake_do_not_end_the_session() {
    let env = env();
    let mut host = Host::start(&env, &[]);
    for (id, method) in [(json!("probe-1"), "server/discover"), (json!(0), "weird/probe"), (json!("x"), "")] {
        host.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method }));
        assert_eq!(host.answer_to(&id)["error"]["code"], -32601, "{method}");
    }
    host.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    host.line("this is not JSON");
    host.line("");
    assert_eq!(host.ask("ping", json!({}))["result"], json!({}));
    let hello = host.ask(
        "initialize",
        json!({
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
        }),
    );
    assert_eq!(hello["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(host.ask("weird/later", json!({}))["error"]["code"], -32601);
    host.end();
}

#[test]
fn tools_say_what_they_take_and_give() {
    let env = env();
    let (mut host, _) = Host::ready(&env, "2025-11-25", json!({}));
    let listed = host.ask("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["recall", "search", "read", "remember", "forget", "history", "undo"]);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["outputSchema"]["type"], "object");
        for (name, property) in tool["inputSchema"]["properties"].as_object().unwrap() {
            assert!(property["description"].as_str().is_some_and(|words| words.len() > 5), "{} {name}", tool["name"]);
        }
        let always = matches!(tool["name"].as_str(), Some("recall" | "remember"));
        assert_eq!(tool["_meta"]["anthropic/alwaysLoad"] == json!(true), always, "{tool}");
    }
    host.end();
}

#[test]
fn refusals_are_answers_that_a_model_can_read() {
    let env = git_env();
    let file = env.json(&["remember", "Releases are cut on Thursdays", "--type", "project"])["file"]
        .as_str()
        .unwrap()
        .to_owned();
    env.run(&["pin", &file]).ok();
    let before = env.read_memory(&file);
    let (mut host, _) = Host::ready(&env, "2025-06-18", json!({}));
    for (tool, arguments, words) in [
        ("read", json!({ "file": "nothing.md" }), "there is no memory nothing.md; list the memories there are"),
        ("read", json!({ "file": "../../../etc/passwd" }), "'..'"),
        ("read", json!({ "file": "/etc/passwd" }), "path"),
        ("read", json!({ "fil": "x" }), "unknown field"),
        ("read", json!({}), "missing field `file`"),
        ("search", json!({ "term": " " }), "empty"),
        ("remember", json!({ "text": "" }), "empty"),
        ("remember", json!({ "text": "x", "type": "poem" }), "unknown variant"),
        ("remember", json!({ "text": "our key is AKIAQ3EGRVVB5OZJ3XWT" }), "secret"),
        (
            "remember",
            json!({ "text": "Releases are cut on Thursdays, and on Mondays too", "type": "project" }),
            "pinned",
        ),
        ("forget", json!({ "file": file }), "pinned"),
        ("forget", json!({ "file": "thursdays releases" }), &file),
        ("undo", json!({ "change": "zzzzzzzzzz" }), "zzzzzzzzzz"),
        ("recall", json!({ "query": "anything at all", "project": "relative/dir" }), "absolute path"),
        ("recall", json!({ "query": "anything at all", "project": 7 }), "project"),
    ] {
        let answer = host.call(tool, arguments.clone());
        assert_eq!(answer["isError"], true, "{tool} {arguments}: {answer}");
        let text = answer["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(words), "{tool} {arguments}: {text}");
    }
    assert_eq!(host.ask("tools/call", json!({ "name": "nope" }))["error"]["code"], -32602);
    assert_eq!(env.read_memory(&file), before);
    host.end();
}

#[test]
fn the_project_comes_from_an_argument_the_roots_or_the_directory() {
    let env = git_env();
    for other in ["one", "two"] {
        env.init_repository(&env.home().join("work").join(other), other);
    }
    let dir = |name: &str| env.home().join("work").join(name);
    let (mut host, _) = Host::ready(&env, "2025-06-18", json!({ "roots": { "listChanged": true } }));
    host.say(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "remember", "arguments": { "text": "Deploys of one go through the harbour script" } } }));
    let asked = host.until(|message| message["method"] == "roots/list");
    let uri = format!("file://{}", dir("one").display());
    host.say(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": { "roots": [{ "uri": uri }] } }));
    assert_eq!(host.answer_to(&json!(1))["result"]["isError"], false);
    let two = json!({ "text": "Deploys of two go by bicycle", "project": dir("two") });
    assert_eq!(host.call("remember", two)["isError"], false);
    host.end();
    for (place, words) in [(dir("one"), "harbour"), (dir("two"), "bicycle")] {
        let listed = env.run_in(&place, &["list", "--json"]).ok().stdout;
        assert!(listed.contains(words), "{listed}");
    }
    assert!(!env.run(&["list", "--json"]).ok().stdout.contains("Deploys"));
}

#[test]
fn indexes_and_memories_are_resources_and_changes_are_told() {
    let env = git_env();
    let file = env.json(&["remember", "The staging cluster is called heron"])["file"].as_str().unwrap().to_owned();
    env.run(&["remember", "I like tabs", "--scope", "user"]).ok();
    let (mut host, _) = Host::ready(&env, "2025-06-18", json!({}));
    let listed = host.ask("resources/list", json!({}));
    let uris: Vec<&str> =
        listed["result"]["resources"].as_array().unwrap().iter().map(|one| one["uri"].as_str().unwrap()).collect();
    let uri = format!("memdir://private/{file}");
    for wanted in ["memdir://private/MEMORY.md", "memdir://user/MEMORY.md", &uri] {
        assert!(uris.contains(&wanted), "{wanted} in {uris:?}");
    }
    let read = host.ask("resources/read", json!({ "uri": uri }));
    assert_eq!(read["result"]["contents"][0]["text"], env.read_memory(&file));
    for bad in
        ["memdir://private/../../x.md", "memdir://private/%2e%2e/x.md", "file:///etc/passwd", "memdir://user/no.md"]
    {
        assert!(host.ask("resources/read", json!({ "uri": bad }))["error"]["code"].is_i64(), "{bad}");
    }
    host.ask("resources/subscribe", json!({ "uri": uri }));
    env.run(&["edit", &file, "--body", "The staging cluster is called egret now"]).ok();
    host.until(|message| message["method"] == "notifications/resources/list_changed");
    let told = host.until(|message| message["method"] == "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], uri.as_str());
    host.end();
}

#[test]
fn prompts_can_be_asked_for() {
    let env = git_env();
    env.run(&["remember", "The staging cluster is called heron"]).ok();
    let (mut host, _) = Host::ready(&env, "2025-06-18", json!({}));
    let listed = host.ask("prompts/list", json!({}));
    assert_eq!(listed["result"]["prompts"].as_array().unwrap().len(), 3);
    let mut text = |name: &str, arguments: Value| {
        let got = host.ask("prompts/get", json!({ "name": name, "arguments": arguments }));
        got["result"]["messages"][0]["content"]["text"].as_str().map(str::to_owned)
    };
    assert!(text("recall", json!({ "query": "what is the staging cluster called?" })).unwrap().contains("heron"));
    assert!(text("remember", json!({ "text": "tea at four" })).unwrap().contains("tea at four"));
    assert!(text("remember", json!({})).is_some());
    assert_eq!((text("recall", json!({})), text("nope", json!({}))), (None, None));
    host.end();
}

#[test]
fn a_dream_is_planned_step_by_step_and_the_host_hears_how_far_it_is() {
    let env = git_env();
    let layout = "---\nname: Layout\ndescription: Layout in short\ntype: project\n---\n\nsrc/api has handlers, src/db has queries.\n";
    env.write_memory("project_layout.md", layout);
    let (mut host, _) = Host::ready(&env, "2025-06-18", json!({}));
    let asked = json!({ "name": "dream", "arguments": { "about": "demos" }, "_meta": { "progressToken": "p1" } });
    let got = host.ask("prompts/get", asked);
    let text = got["result"]["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(text.contains("remove project_layout.md") && text.ends_with("demos"), "{text}");
    let told: Vec<&Value> = host.kept.iter().filter(|one| one["method"] == "notifications/progress").collect();
    let numbers: Vec<f64> = told.iter().map(|one| one["params"]["progress"].as_f64().unwrap()).collect();
    assert!(numbers.len() >= 4 && numbers.is_sorted_by(|one, next| one < next), "{told:?}");
    assert!(told.iter().all(|one| one["params"]["progressToken"] == "p1" && one["params"]["message"].is_string()));
    assert_eq!(env.read_memory("project_layout.md"), layout, "planning changes nothing");
    // Without a token nobody wants to hear of it.
    host.kept.clear();
    host.ask("prompts/get", json!({ "name": "dream" }));
    assert!(host.kept.iter().all(|one| one["method"] != "notifications/progress"));
    host.end();
}

#[test]
fn notes_of_a_session_are_a_resource_and_its_changes_are_told() {
    let env = git_env();
    let talk = env.home().join("talk.jsonl");
    let said = |text: &str| {
        let message = json!({ "type": "user", "uuid": text.len().to_string(), "sessionId": "s1",
            "message": { "role": "user", "content": text } });
        std::fs::write(&talk, format!("{message}\n")).unwrap();
        env.run(&["notes", "update", talk.to_str().unwrap(), "--session", "s1"]).ok();
    };
    said("Please fix the login form");
    let (mut host, _) = Host::ready(&env, "2025-06-18", json!({}));
    let uri = "memdir://notes/s1";
    let listed = host.ask("resources/list", json!({}));
    assert!(listed["result"]["resources"].as_array().unwrap().iter().any(|one| one["uri"] == uri), "{listed}");
    let read = host.ask("resources/read", json!({ "uri": uri }));
    assert!(read["result"]["contents"][0]["text"].as_str().unwrap().contains("login form"), "{read}");
    for bad in ["memdir://notes/none", "memdir://notes/..", "memdir://notes/%2e%2e%2fx", "memdir://notes/"] {
        assert!(host.ask("resources/read", json!({ "uri": bad }))["error"]["code"].is_i64(), "{bad}");
    }
    host.ask("resources/subscribe", json!({ "uri": uri }));
    said("Please fix the login form and then the sign-up form too");
    let told = host.until(|message| message["method"] == "notifications/resources/updated");
    assert_eq!(told["params"]["uri"], uri);
    host.end();
}

#[test]
fn memory_that_is_off_is_refused_over_mcp() {
    let mut env = git_env();
    env.var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    let (mut host, _) = Host::ready(&env, "2025-06-18", json!({}));
    let answer = host.call("remember", json!({ "text": "Releases are cut on Thursdays" }));
    assert_eq!(answer["isError"], true);
    assert!(answer["content"][0]["text"].as_str().unwrap().contains("memory is off"));
    let nothing = host.call("recall", json!({ "query": "when are releases cut" }));
    assert_eq!(nothing["structuredContent"]["reason"], "memory is off");
    host.end();
}

#[test]
fn where_hooks_bring_what_matters_the_server_does_not_ask_to_look_first() {
    let env = git_env();
    let mut told = Vec::new();
    for args in [&[][..], &["--hooked"]] {
        let (mut host, hello) = Host::ready_with(&env, args, "2025-06-18", json!({}));
        let tools = host.ask("tools/list", json!({}));
        let tools = tools["result"]["tools"].as_array().unwrap().clone();
        let recall = tools.iter().find(|tool| tool["name"] == "recall").unwrap();
        told.push(format!("{} {}", hello["result"]["instructions"], recall["description"]));
    }
    let asks = |text: &str| {
        [text.contains("Before you start on a request, call recall"), text.contains("at the start of a request")]
    };
    assert_eq!(asks(&told[0]), [true; 2], "{}", told[0]);
    assert_eq!(asks(&told[1]), [false; 2], "{}", told[1]);
    assert!(told[1].contains("come to you beside") && told[1].contains("call remember"), "{}", told[1]);
    assert!(told.iter().all(|text| !text.contains("{{")), "{told:?}");
}
