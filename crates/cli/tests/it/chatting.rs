//! `memdir chat` with a real process and a scripted model: what it sends, does, keeps and learns.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, Stdio};

use memdir_testkit::TestEnv;
use memdir_testkit::model_server::{ModelServer, Recorded, Turn};
use serde_json::{Value, json};

use super::env;

/// Must be nowhere but in the one header.
pub(super) const KEY: &str = "chat-key-51c0ffee9b";
/// How the prompt of an extraction begins.
const LEARN: &str = "You now look after memory.";

/// A machine with a model that the user agreed to.
pub(super) fn stage(server: &ModelServer) -> TestEnv {
    let mut env = env();
    env.var("ANTHROPIC_API_KEY", KEY).var("ANTHROPIC_BASE_URL", &server.url()).var("MEMDIR_MODEL_CONSENT", "1");
    env
}

pub(super) fn is_extraction(request: &Recorded) -> bool {
    request.view.last_user.starts_with(LEARN)
}

/// The memory directory as an extraction's prompt names it.
pub(super) fn memory_dir(request: &Recorded) -> PathBuf {
    let (_, rest) = request.view.last_user.split_once("What memory holds now, in ").expect("the directory");
    PathBuf::from(rest.split_once(":\n").expect("a colon").0)
}

pub(super) fn topic(kind: &str, name: &str, about: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: {about}\ntype: {kind}\n---\n\n{body}\n")
}

pub(super) fn write(path: impl AsRef<std::path::Path>, content: &str) -> Value {
    json!({ "file_path": path.as_ref().display().to_string(), "content": content })
}

fn database() -> String {
    let about = "Integration tests use a real database, never mocks";
    topic("feedback", "Real database", about, "Integration tests use a real database named quokka.")
}

/// Learns one memory, once; says something plain otherwise.
fn teaches(request: &Recorded) -> Turn {
    if !is_extraction(request) {
        return Turn::say("Understood.");
    }
    let known = request.view.last_user.contains("feedback_real_database.md");
    if known || !request.view.tool_results.is_empty() {
        return Turn::say("Nothing more.");
    }
    Turn::call("Write", write(memory_dir(request).join("feedback_real_database.md"), &database()))
}

fn chats(server: &ModelServer) -> Vec<Recorded> {
    server.requests().into_iter().filter(|request| !is_extraction(request)).collect()
}

fn extractions(server: &ModelServer) -> Vec<Recorded> {
    server.requests().into_iter().filter(is_extraction).collect()
}

fn session_of(events: &str) -> String {
    let done = events.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let done = done.rev().find(|event| event["event"] == "done").expect("an end");
    done["session"].as_str().unwrap().to_owned()
}

fn transcripts(env: &TestEnv) -> Vec<Vec<Value>> {
    let dir = env.memory().parent().unwrap().to_path_buf();
    let files = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|end| end == "jsonl"));
    files
        .map(|path| {
            let text = std::fs::read_to_string(path).unwrap();
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
        })
        .collect()
}

#[test]
fn x1_x8_r10_day_two_knows_what_day_one_taught() {
    let server = ModelServer::new(teaches);
    let mut env = stage(&server);
    env.at("2026-04-14T10:00:00Z");
    let one = "Our integration tests use a real database named quokka, never mocks.";
    env.run(&["chat", "-p", one]).ok().prints("Understood.\n").says("memory: saved feedback_real_database.md");
    assert!(!chats(&server)[0].body.to_string().contains("feedback_real_database"), "day one knew already");
    let changes = env.json(&["history"]);
    assert_eq!(changes["changes"][0]["actor"], "extract");
    env.at("2026-04-15T09:00:00Z");
    env.run(&["chat", "-p", "do the integration tests need a database?"])
        .ok()
        .says("recalled feedback_real_database.md");
    let asked = chats(&server).pop().unwrap();
    let blocks = asked.body["messages"][0]["content"].as_array().unwrap();
    let texts: Vec<&str> = blocks.iter().map(|block| block["text"].as_str().unwrap()).collect();
    // The index came with the context of the session, the memory itself by recall, beside the question.
    assert!(
        texts[0].starts_with("<system-reminder>\n") && texts[0].contains("(feedback_real_database.md)"),
        "{texts:?}"
    );
    assert!(texts[1].contains("2026-04-15"), "{texts:?}");
    assert_eq!(texts[2], "do the integration tests need a database?");
    assert!(texts[3].contains("named quokka"), "{texts:?}");
    assert!(asked.view.system.contains("# Memory") && !asked.view.system.contains("2026"), "M3");
    // What was put in is marked, so that nobody learns it again.
    let second = transcripts(&env).into_iter().find(|lines| lines[1].to_string().contains("2026-04-15")).unwrap();
    let meta: Vec<bool> = second.iter().map(|line| line["isMeta"] == true).collect();
    assert_eq!(meta, [true, true, false, true, false]);
}

#[test]
fn l1_in_log_mode_a_chat_is_learned_from_into_the_log() {
    let server = ModelServer::new(teaches);
    let mut env = stage(&server);
    env.var("MEMDIR_MODE", "log");
    env.run(&["chat", "-p", "Our integration tests use a real database named quokka, never mocks."]).ok();
    let files: Vec<String> = env.memory_files().into_iter().filter(|file| file.ends_with(".md")).collect();
    assert!(files.iter().all(|file| file.starts_with("logs/")), "{files:?}");
    let log = files.iter().map(|file| env.read_memory(file)).collect::<String>();
    assert_eq!(log.matches("quokka").count(), 1, "{log}");
}

#[test]
fn x2_the_fork_reads_its_parent_from_the_cache() {
    let server = ModelServer::new(|request| {
        if !is_extraction(request) && request.view.tool_results.is_empty() {
            return Turn::call("Read", json!({ "file_path": "README.md" }));
        }
        teaches(request)
    });
    let env = stage(&server);
    std::fs::write(env.project().join("README.md"), "some lines of text\n".repeat(200)).unwrap();
    env.run(&["chat", "-p", "Read the readme. Integration tests use a real database named quokka, never mocks."]).ok();
    let parent = chats(&server).pop().unwrap();
    let fork = extractions(&server).remove(0);
    for part in ["system", "tools", "model"] {
        assert_eq!(parent.body[part], fork.body[part], "{part}");
    }
    let (parent, fork) = (parent.count.unwrap(), fork.count.unwrap());
    let share = fork.cache_read as f64 / parent.prompt() as f64;
    assert!(share >= 0.95, "{share}: {fork:?} of {parent:?}");
    let last = &env.json(&["status"])["last_extraction"];
    assert_eq!((&last["ended"], &last["files"][0]), (&json!("done"), &json!("feedback_real_database.md")));
    assert!(last["usage"]["cache_read"].as_u64().unwrap() > 0 && last["hit_percent"].as_f64().unwrap() > 50.0);
    env.run(&["status"]).ok().prints("% read from cache");
}

#[test]
fn m3_a_resumed_conversation_goes_on_with_the_same_bytes() {
    let server = ModelServer::new(teaches);
    let mut env = stage(&server);
    let said = env.run(&["chat", "-p", "The database is named quokka, remember that well.", "--json"]).ok();
    let session = session_of(&said.stdout);
    env.run(&["remember", "The release train leaves on Mondays"]).ok();
    env.at("2026-04-16T10:00:00Z");
    env.run(&["chat", "-p", "And what is it called again, please?", "--resume", &session]).ok();
    let requests = chats(&server);
    let unmarked = |request: &Recorded| {
        String::from_utf8_lossy(&request.raw).replace(",\"cache_control\":{\"type\":\"ephemeral\"}", "")
    };
    let (first, second) = (unmarked(&requests[0]), unmarked(&requests[1]));
    let common = first.split(",\"max_tokens\"").next().unwrap().trim_end_matches(['}', ']']);
    assert!(second.starts_with(common), "{first}\n\n{second}");
    assert!(!second.contains("release train leaves"), "the context was built anew");
    let whole = second.rfind("And what is it called again").unwrap();
    assert!(second[..whole].contains("Understood."));
    env.run(&["chat", "-p", "x y", "--resume", "0000"]).fails(1).says("there is no conversation 0000");
    env.run(&["chat", "-p", "x y", "--resume", "../up"]).fails(1).says("is not a session id");
}

#[test]
fn transcripts_have_the_shape_that_readers_know() {
    let server = ModelServer::queue([
        Turn::say("I look.").and_call("Read", json!({ "file_path": "a.txt" })),
        Turn::say("It says hello."),
        Turn::say("Nothing."),
    ]);
    let env = stage(&server);
    std::fs::write(env.project().join("a.txt"), "hello\n").unwrap();
    env.run(&["chat", "-p", "what is in a.txt?"]).ok();
    let lines = transcripts(&env).remove(0);
    let kinds: Vec<&str> = lines.iter().map(|line| line["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["user", "user", "assistant", "assistant", "user", "assistant"]);
    assert_eq!(lines[0]["parentUuid"], Value::Null);
    for (line, next) in lines.iter().zip(&lines[1..]) {
        assert_eq!(line["uuid"], next["parentUuid"]);
        assert_eq!((&line["sessionId"], &line["cwd"]), (&next["sessionId"], &json!(env.project())));
    }
    assert_eq!(lines[2]["message"]["id"], lines[3]["message"]["id"]);
    assert_eq!(lines[3]["message"]["content"][0]["name"], "Read");
    assert_eq!(lines[4]["message"]["content"][0]["type"], "tool_result");
    assert_eq!(
        (&lines[1]["timestamp"], &lines[1]["message"]["content"]),
        (&json!("2026-04-14T10:00:00Z"), &json!("what is in a.txt?"))
    );
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(
            env.memory().parent().unwrap().join(format!("{}.jsonl", lines[0]["sessionId"].as_str().unwrap())),
        )
        .unwrap()
        .permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn x6_tools_on_the_project_ask_first_and_stay_inside() {
    let calls = |env: &TestEnv| {
        let project = env.project();
        Turn::default()
            .and_call("Edit", json!({ "file_path": "a.txt", "old_string": "hello", "new_string": "good day" }))
            .and_call("Write", write(project.join("sub/new.txt"), "new\n"))
            .and_call("Write", write("../outside.txt", "no\n"))
            .and_call("Write", write(project.join(".git/config"), "no\n"))
            .and_call("Write", write(project.join("link/x.txt"), "no\n"))
            .and_call("Bash", json!({ "command": "cat a.txt | wc -l" }))
            .and_call("Bash", json!({ "command": "touch made.txt" }))
            .and_call("Read", json!({ "file_path": "/proc/self/environ" }))
            .and_call("Launch", json!({}))
    };
    for yes in [false, true] {
        let server = ModelServer::queue([]);
        let env = stage(&server);
        std::fs::write(env.project().join("a.txt"), "hello\n").unwrap();
        std::os::unix::fs::symlink(env.home(), env.project().join("link")).unwrap();
        server.push(calls(&env));
        server.push(Turn::say("Done."));
        server.push(Turn::say("Nothing."));
        let args = ["chat", "-p", "change some files", "--yes"];
        env.run(&args[..if yes { 4 } else { 3 }]).ok();
        let results = server.requests()[1].body["messages"][2]["content"].as_array().unwrap().clone();
        let failed: Vec<bool> = results.iter().map(|result| result["is_error"] == true).collect();
        assert_eq!(failed, [!yes, !yes, true, true, true, false, true, true, true], "{results:#?}");
        assert_eq!(results[5]["content"], "1\n");
        let text = std::fs::read_to_string(env.project().join("a.txt")).unwrap();
        assert_eq!(
            (text.as_str(), env.project().join("sub/new.txt").exists()),
            (if yes { "good day\n" } else { "hello\n" }, yes)
        );
        assert!(!env.project().join("made.txt").exists() && !env.home().join("x.txt").exists());
        assert!(!env.home().join("work/outside.txt").exists() && !env.project().join(".git").exists());
        let rubbish = std::fs::read_dir(env.project()).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(!rubbish.into_iter().any(|name| name.to_string_lossy().starts_with(".memdir")));
    }
}

#[test]
fn x4_what_the_agent_saves_itself_goes_through_the_door_and_is_not_learned_again() {
    let server = ModelServer::queue([]);
    let env = stage(&server);
    let dir = env.memory();
    let token = ["ghp_", &"aB3dE5gH7j".repeat(3), "kLmN0p"].concat();
    server.push(
        Turn::call("Write", write(dir.join("feedback_real_database.md"), &database()))
            .and_call("Write", write(dir.join("reference_token.md"), &topic("reference", "token", "a token", &token)))
            .and_call("Write", write(dir.join("MEMORY.md"), "- [Mine](mine.md) — all mine\n"))
            .and_call("Write", write(dir.join("../../../settings.json"), "{}")),
    );
    server.push(Turn::say("Saved."));
    env.run(&["chat", "-p", "remember that we test with a real database"]).ok();
    let results = server.requests()[1].body["messages"][2]["content"].as_array().unwrap().clone();
    let failed: Vec<bool> = results.iter().map(|result| result["is_error"] == true).collect();
    assert_eq!(failed, [false, true, true, true], "{results:#?}");
    assert_eq!(server.requests().len(), 2, "an extraction was run");
    assert_eq!(env.memory_files(), ["MEMORY.md", "feedback_real_database.md"]);
    assert!(env.read_memory("MEMORY.md").contains("(feedback_real_database.md)"));
    let change = &env.json(&["history"])["changes"][0];
    assert_eq!((&change["actor"], change["session"].is_string()), (&json!("agent"), true));
    env.run(&["undo"]).ok();
    assert!(!env.memory_files().contains(&"feedback_real_database.md".to_owned()));
}

/// A chat to which lines are typed.
fn typing(env: &TestEnv) -> Child {
    let mut command = env.command(&["chat"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn types(child: &mut Child, line: &str) {
    let stdin = child.stdin.as_mut().unwrap();
    writeln!(stdin, "{line}").unwrap();
    stdin.flush().unwrap();
}

fn finish(child: Child) -> (String, String) {
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn x3_x5_x9_one_extraction_at_a_time_and_one_for_all_that_came_meanwhile() {
    let server = ModelServer::new(|request| {
        let first = is_extraction(request) && request.view.messages == 3;
        let turn = Turn::say("All right, all right.");
        if first { turn.with(memdir_testkit::model_server::Fault::StallAfter(2)) } else { turn }
    });
    let env = stage(&server);
    let mut child = typing(&env);
    types(&mut child, "the first thing");
    server.wait_for_stalls(1);
    types(&mut child, "the second thing");
    types(&mut child, "the third thing");
    types(&mut child, "/remember A line that comes after the third turn");
    let mut shown = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(shown.any(|line| line.unwrap().contains("remembered")));
    assert_eq!(extractions(&server).len(), 1, "two at once");
    server.release();
    drop(child.stdin.take());
    finish(child);
    let runs = extractions(&server);
    assert_eq!(runs.len(), 2, "one trailing run");
    assert!(runs[1].view.last_user.contains("last 4 messages"), "{}", runs[1].view.last_user);
}

#[test]
fn r8_commands_work_by_hand_and_clear_begins_anew() {
    let server = ModelServer::new(|request| {
        if request.view.last_user.contains("replaced by a summary") {
            return Turn::say("The user likes marmots.");
        }
        Turn::say("Fine, thank you.")
    });
    let mut env = stage(&server);
    env.var("MEMDIR_EXTRACT_ENABLED", "0");
    let mut child = typing(&env);
    for line in [
        "/remember The staging server is called marmot",
        "what is the staging server called?",
        "and what is the staging server called now?",
        "/compact",
        "what is the staging server called?",
        "/clear",
        "what is the staging server called?",
        "/memory",
        "/forget project_staging_server.md",
        "/undo",
        "/nonsense",
        "/quit",
    ] {
        types(&mut child, line);
    }
    let (stdout, stderr) = finish(child);
    assert!(stdout.contains("remembered ") && stdout.contains("forgot ") && stdout.contains("took back"), "{stdout}");
    assert!(stderr.contains("there is no /nonsense"), "{stderr}");
    let reminded = |request: &Recorded| request.body["messages"].to_string().matches("Memory (saved ").count();
    let requests = server.requests();
    assert_eq!(requests.iter().map(reminded).collect::<Vec<_>>(), [1, 1, 1, 1, 1], "shown once, again after a reset");
    let messages: Vec<usize> = requests.iter().map(|request| request.view.messages).collect();
    assert_eq!(messages, [1, 3, 5, 1, 1]);
    assert!(requests[3].view.last_user.contains("The user likes marmots."));
    assert!(!requests[4].view.last_user.contains("marmots"));
    assert_eq!(requests[0].view.system, requests[1].view.system);
}

#[test]
fn without_a_model_chat_explains_itself_and_still_remembers() {
    let env = env();
    env.run(&["chat", "-p", "hello there"]).fails(1).says("chat has no model to talk to").says("ANTHROPIC_API_KEY");
    let said = env.run(&["chat", "-p", "hello there", "--json"]).fails(1);
    assert!(said.json()["error"].as_str().unwrap().contains("model.consent"));
    let mut child = typing(&env);
    for line in ["/remember Deploys go out on Tuesdays", "hello there", "/memory"] {
        types(&mut child, line);
    }
    let (stdout, stderr) = finish(child);
    assert!(stdout.contains("remembered ") && stdout.contains("Deploys go out on Tuesdays"), "{stdout}");
    assert!(stderr.contains("chat has no model to talk to") && stderr.contains("no model answers"), "{stderr}");
    assert!(!stderr.contains("--resume"), "nothing was said that could go on: {stderr}");
    let mut refused = stage(&ModelServer::queue([]));
    refused.var("MEMDIR_MODEL_CONSENT", "0");
    refused.run(&["chat", "-p", "hello there"]).fails(1).says("memdir settings model.consent true");
    refused.run(&["chat", "-p", "  "]).fails(1);
}

#[test]
fn events_are_json_lines() {
    let server = ModelServer::new(teaches);
    let env = stage(&server);
    let said = env.run(&["chat", "-p", "We test with a real database", "--json", "--model", "other-model"]).ok();
    let events: Vec<Value> = said.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(names, ["text", "usage", "learned", "done"]);
    assert_eq!(
        (&events[0]["text"], &events[2]["line"]),
        (&json!("Understood."), &json!("saved feedback_real_database.md; `memdir undo` takes it back"))
    );
    assert!(server.requests().iter().all(|request| request.view.model == "other-model"));
}
