//! Notes of a session in `memdir chat`, and Anthropic's memory tool there.

use std::io::Write as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use memdir_testkit::TestEnv;
use memdir_testkit::model_server::{ModelServer, Recorded, Turn};
use serde_json::{Value, json};

use super::chatting::{KEY, is_extraction, stage};

/// What stands around the notes in the prompt of an update, in every request of it.
const NOTES: &str = "</notes>";
const STATE: &str = "The migration of the billing tables is half done.";

fn is_noting(request: &Recorded) -> bool {
    request.body["messages"].to_string().contains(NOTES)
}

fn typing(env: &TestEnv) -> Child {
    let mut command = env.command(&["chat"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn types(child: &mut Child, line: &str) {
    writeln!(child.stdin.as_mut().unwrap(), "{line}").unwrap();
}

fn wait(what: &str, mut there: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_mins(1);
    while !there() {
        assert!(Instant::now() < until, "{what} never came");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The files of notes on this machine that say something.
fn noted(env: &TestEnv) -> Vec<String> {
    let dir = env.memory().parent().unwrap().to_path_buf();
    let sessions = std::fs::read_dir(dir).into_iter().flatten().map(|entry| entry.unwrap().path());
    let texts = sessions.filter_map(|path| std::fs::read_to_string(path.join("session-memory/summary.md")).ok());
    texts.filter(|text| text.contains("billing tables")).collect()
}

/// Answers, sums up, and writes notes of `state` when it is asked to.
fn scripted(state: &'static str) -> ModelServer {
    ModelServer::new(move |request| {
        if request.view.last_user.contains("replaced by a summary") {
            return Turn::say("They move tables.");
        }
        if !is_noting(request) || !request.view.tool_results.is_empty() || state.is_empty() {
            return Turn::say("Fine.");
        }
        let (_, rest) = request.view.last_user.split_once("# Current State\n").expect("the section");
        let about = rest.lines().next().unwrap();
        let path = request.view.last_user.split_whitespace().find(|word| word.contains("/session-memory/summary.md"));
        let path = path.expect("the path").trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
        let edit = json!({ "file_path": path, "old_string": about, "new_string": format!("{about}\n\n{state}") });
        Turn::call("Edit", edit)
    })
}

fn talk(server: &ModelServer) -> Vec<Recorded> {
    server.requests().into_iter().filter(|request| !is_noting(request) && !is_extraction(request)).collect()
}

#[test]
fn s2_s5_s7_notes_are_kept_and_stand_in_the_first_message_after_compaction() {
    let server = scripted(STATE);
    let mut env = stage(&server);
    env.var("MEMDIR_EXTRACT_ENABLED", "0").var("MEMDIR_NOTES_FIRST_TOKENS", "10");
    let mut child = typing(&env);
    types(&mut child, "We move the billing tables to the new schema, one after the other, oldest first.");
    wait("notes", || noted(&env).len() == 1);
    for line in ["/compact", "where are we?", "/quit"] {
        types(&mut child, line);
    }
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && stderr.contains("a summary and the notes of this session"), "{stderr}");
    let after = talk(&server).pop().unwrap();
    let first = after.body["messages"][0]["content"].to_string();
    assert!(
        first.contains(STATE) && first.contains("# Current State") && first.contains("They move tables."),
        "{first}"
    );
    // Notes are not memories.
    assert!(env.memory_files().iter().all(|file| !file.contains("summary")), "{:?}", env.memory_files());
    // In the transcript they are memdir's words, which nobody learns from.
    let lines: Vec<Value> = std::fs::read_dir(env.memory().parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .flat_map(|path| std::fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect::<Vec<_>>())
        .map(|line| serde_json::from_str(&line).unwrap())
        .collect();
    let kept = lines.iter().find(|line| line["message"]["content"].as_str().is_some_and(|text| text.contains(STATE)));
    assert_eq!(kept.unwrap()["isMeta"], true);
}

#[test]
fn s5_s7_empty_notes_and_notes_that_are_off_stay_out() {
    for (name, off) in [("MEMDIR_NOTES_ENABLED", "0"), ("MEMDIR_NOTES_FIRST_TOKENS", "10")] {
        let server = scripted("");
        let mut env = stage(&server);
        env.var("MEMDIR_EXTRACT_ENABLED", "0").var(name, off);
        let mut child = typing(&env);
        for line in ["We move the billing tables to the new schema.", "/compact", "where are we?", "/quit"] {
            types(&mut child, line);
        }
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && stderr.contains("goes on from a summary\n"), "{stderr}");
        let noting = server.requests().into_iter().filter(is_noting).count();
        assert_eq!(noting > 0, name != "MEMDIR_NOTES_ENABLED", "{name}");
        let after = talk(&server).pop().unwrap();
        assert!(!after.body["messages"][0].to_string().contains("# Current State"), "{name}");
    }
}

#[test]
fn s4_notes_that_are_too_long_are_cut_by_section() {
    let lines: String = (0..900).map(|at| format!("Table {at} was moved and counted again.\n")).collect();
    let server = scripted(Box::leak(format!("The billing tables wait.\n{lines}").into_boxed_str()));
    let mut env = stage(&server);
    env.var("MEMDIR_EXTRACT_ENABLED", "0").var("MEMDIR_NOTES_FIRST_TOKENS", "10");
    let mut child = typing(&env);
    types(&mut child, "We move the billing tables to the new schema.");
    wait("notes", || noted(&env).len() == 1);
    for line in ["/compact", "where are we?", "/quit"] {
        types(&mut child, line);
    }
    assert!(child.wait_with_output().unwrap().status.success());
    let first = talk(&server).pop().unwrap().body["messages"][0].to_string();
    assert!(first.contains("The billing tables wait.") && first.contains("[cut; the rest is in "), "{}", first.len());
    assert!(first.contains("# Worklog"), "the frame stays whole");
}

#[test]
fn the_memory_tool_of_anthropic_works_in_chat_when_it_is_switched_on() {
    let server = ModelServer::new(|request| {
        if is_extraction(request) {
            return Turn::say("Nothing.");
        }
        match request.view.tool_results.len() {
            0 => Turn::call("memory", json!({ "command": "view", "path": "/memories" })),
            1 => Turn::call(
                "memory",
                json!({ "command": "create", "path": "/memories/boards.md",
                "file_text": "---\nname: boards\ndescription: where the boards are\ntype: reference\n---\n\nIn Grafana.\n" }),
            ),
            2 => Turn::call("memory", json!({ "command": "create", "path": "/memories/../evil.md", "file_text": "x" })),
            _ => Turn::say("Saved."),
        }
    });
    let mut env = stage(&server);
    env.var("MEMDIR_CHAT_MEMORY_TOOL", "1");
    env.run(&["remember", "Deploys go out on Tuesdays", "--name", "deploys"]).ok();
    env.run(&["chat", "-p", "where are the boards? remember it: in Grafana"]).ok().prints("Saved.");
    assert!(env.read_memory("boards.md").contains("In Grafana."));
    assert!(env.read_memory("MEMORY.md").contains("(boards.md)"));
    let last = &env.json(&["history"])["changes"][0];
    assert_eq!(last["actor"], "agent", "signed by the model, not by the person");
    let requests = server.requests();
    let tools = requests[0].body["tools"].as_array().unwrap();
    assert_eq!(tools.last().unwrap(), &json!({ "type": "memory_20250818", "name": "memory" }));
    assert_eq!(tools.len(), 7);
    assert!(
        requests[0]
            .headers
            .iter()
            .any(|(name, value)| name == "anthropic-beta" && value.contains("context-management"))
    );
    let told = &requests[3].view.tool_results;
    assert!(told[0].contains("deploys") && told[2].contains("not allowed"), "{told:?}");
    // X4: what the model saved itself is not learned once more.
    assert!(!requests.iter().any(is_extraction));
}

#[test]
fn without_the_setting_nobody_is_told_of_it() {
    let server = ModelServer::new(|_| Turn::say("Hello."));
    let env = stage(&server);
    env.run(&["chat", "-p", "hello there"]).ok();
    assert_eq!(server.requests()[0].body["tools"].as_array().unwrap().len(), 6);
    assert!(server.requests()[0].headers.iter().all(|(name, _)| name != "anthropic-beta"));
}

#[test]
fn the_key_is_in_no_process_list_while_chat_runs() {
    let server = ModelServer::new(|_| Turn::say("one two").with(memdir_testkit::model_server::Fault::StallAfter(2)));
    let env = stage(&server);
    let mut command = env.command(&["chat", "-p", "hello there"]);
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    server.wait_for_stalls(1);
    let line = std::fs::read(format!("/proc/{}/cmdline", child.id())).unwrap();
    let line = String::from_utf8_lossy(&line).into_owned();
    let title = std::fs::read_to_string(format!("/proc/{}/comm", child.id())).unwrap();
    assert!(line.contains("chat") && !line.contains(KEY) && !title.contains(KEY), "{line:?}");
    // It comes from a variable and nowhere else: there is no flag for it.
    assert!(!env.run(&["chat", "--help"]).ok().stdout.to_lowercase().contains("key "), "a flag for a key");
    server.release();
    assert!(child.wait().unwrap().success());
}
