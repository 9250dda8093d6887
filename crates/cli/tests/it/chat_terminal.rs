//! `memdir chat` on a real terminal: questions, Ctrl-C, leaving; and recall that never delays an answer.

use memdir_testkit::TestEnv;
use memdir_testkit::model_server::{Fault, ModelServer, Turn};
use serde_json::json;

use super::chatting::{KEY, is_extraction, stage, topic};
use super::pty::{PATIENCE, Terminal};

/// A chat on a terminal.
fn chat(env: &TestEnv) -> Terminal {
    Terminal::start(env.command(&["chat"]), 80, 24)
}

#[test]
fn r9_ctrl_c_stops_the_turn_and_its_recall_and_twice_leaves() {
    let server = ModelServer::new(|request| {
        if request.view.schema.is_some() {
            return Turn::silence();
        }
        let turn = Turn::say("one two three four");
        if request.view.last_user.ends_with("stall on a database?") { turn.with(Fault::StallAfter(4)) } else { turn }
    });
    let mut env = stage(&server);
    env.var("MEMDIR_RECALL_SELECTOR", "model").var("MEMDIR_EXTRACT_ENABLED", "0");
    env.write_memory("database.md", topic("feedback", "database", "Tests use a database", "Tests use a database."));
    let mut terminal = chat(&env);
    terminal.shows("> ");
    terminal.types("do the tests stall on a database?\n");
    terminal.shows("one ");
    server.wait_for_requests(2);
    terminal.types("\u{3}");
    terminal.shows("stopped");
    server.wait_for_hang_ups(2);
    terminal.shows("> ");
    terminal.types("and do they use a database?\n");
    // Nobody waits for a model that chooses memories and never answers.
    terminal.shows("four");
    terminal.shows("> ");
    terminal.types("\u{3}");
    terminal.shows("again");
    terminal.types("\u{3}");
    terminal.shows("memdir chat --resume ");
    terminal.leaves();
}

#[test]
fn r10_what_is_recalled_late_comes_with_a_later_step() {
    let server = ModelServer::new(|request| {
        if request.view.schema.is_some() {
            let chosen = json!({ "selected_memories": ["database.md"] });
            return Turn::json(&chosen).with(Fault::StallAfter(2));
        }
        match request.view.messages {
            1 => Turn::call("Bash", json!({ "command": "touch one" })),
            3 => Turn::call("Bash", json!({ "command": "touch two" })),
            _ => Turn::say("That was all."),
        }
    });
    let mut env = stage(&server);
    env.var("MEMDIR_RECALL_SELECTOR", "model").var("MEMDIR_EXTRACT_ENABLED", "0");
    env.write_memory("database.md", topic("feedback", "database", "Tests use a database", "It is named quokka."));
    let mut terminal = chat(&env);
    terminal.shows("> ");
    terminal.types("do the tests use a database?\n");
    terminal.shows("Run `touch one`? [y/N] ");
    server.wait_for_stalls(1);
    server.release();
    // The record of what was shown is written when the search has ended.
    let sessions = env.state().join("sessions");
    let found = || {
        let sessions = std::fs::read_dir(&sessions).unwrap().map(|entry| entry.unwrap().path());
        sessions.into_iter().any(|session| session.join("recall.json").exists())
    };
    let until = std::time::Instant::now() + PATIENCE;
    while !found() && std::time::Instant::now() < until {
        std::thread::yield_now();
    }
    terminal.types("n\n");
    terminal.shows("Run `touch two`? [y/N] ");
    terminal.types("n\n");
    terminal.shows("That was all.");
    terminal.types("/quit\n");
    terminal.leaves();
    let last = server.requests().into_iter().rfind(|request| request.view.schema.is_none()).unwrap();
    let told: Vec<bool> =
        last.body["messages"].as_array().unwrap().iter().map(|one| one.to_string().contains("quokka")).collect();
    assert_eq!(told.iter().filter(|told| **told).count(), 1, "{told:?}");
    assert!(!told[0] && (told[2] || told[4]), "it stands beside what tools gave back: {told:?}");
}

#[test]
fn x9_leaving_waits_for_what_is_learned_until_ctrl_c() {
    let server = ModelServer::new(|request| {
        let turn = Turn::say("one two three four");
        if is_extraction(request) { turn.with(Fault::StallAfter(2)) } else { turn }
    });
    let env = stage(&server);
    let mut terminal = chat(&env);
    terminal.shows("> ");
    terminal.types("we deploy on Tuesdays\n");
    server.wait_for_stalls(1);
    terminal.types("/quit\n");
    terminal.shows("finishing what is being learned");
    terminal.types("\u{3}");
    terminal.leaves();
    server.wait_for_hang_ups(1);
    let staging =
        std::fs::read_dir(env.state().join("stores")).unwrap().map(|store| store.unwrap().path().join("staging"));
    let left: Vec<_> = staging.flat_map(std::fs::read_dir).flatten().map(|entry| entry.unwrap().path()).collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn x6_questions_are_asked_on_a_terminal_and_commands_see_no_key() {
    let server = ModelServer::new(|request| match request.view.tool_results.len() {
        _ if is_extraction(request) => Turn::say("Nothing."),
        0 => Turn::call("Edit", json!({ "file_path": "a.txt", "old_string": "", "new_string": "first\n" }))
            .and_call("Bash", json!({ "command": "echo made > b.txt; env | grep -c -e chat-key -e KEY" }))
            .and_call("Bash", json!({ "command": "rm b.txt" })),
        _ => Turn::say("That was all."),
    });
    let env = stage(&server);
    let mut terminal = chat(&env);
    terminal.shows("> ");
    terminal.types("make two files\n");
    terminal.shows("+ first");
    terminal.shows("Make a.txt? [y/N] ");
    terminal.types("y\n");
    terminal.shows("Run `echo made > b.txt; ");
    terminal.shows("[y/N] ");
    terminal.types("yes\n");
    terminal.shows("Run `rm b.txt`? [y/N] ");
    terminal.types("n\n");
    terminal.shows("That was all.");
    terminal.types("/quit\n");
    let shown = terminal.leaves();
    let results = server.requests()[1].body["messages"][2]["content"].clone();
    assert_eq!(results[1]["content"], "0\n\n[exit status 1]", "{results:#}");
    assert_eq!(results[2]["is_error"], true);
    assert!(env.project().join("a.txt").exists() && env.project().join("b.txt").exists());
    assert!(!shown.contains(KEY));
}
