//! The fork reads its parent from the provider's cache, by the server's own count (X2).

use memdir_model::{ChatMessage, ChatRole, ContentBlock, Request};
use memdir_testkit::model_server::{ModelServer, Turn};
use serde_json::json;

use crate::{Way, ask, call, with_tools};

/// A conversation of some size: a long system prompt, a few exchanges, one with many tool calls.
fn parent() -> Request {
    let mut request = with_tools("Fix the build.");
    request.system = vec!["You are careful. ".repeat(200), "Memory is below /m. ".repeat(100)];
    for turn in 0..6 {
        request.messages.push(ChatMessage {
            role: ChatRole::Assistant,
            content: vec![ContentBlock::Text { text: format!("Step {turn}. {}", "word ".repeat(120)) }],
        });
        request.messages.push(ChatMessage::user(format!("And then {turn}? {}", "more ".repeat(60))));
    }
    request
}

/// What a fork does: everything of its parent, the parent's answer, one message more.
fn fork(parent: &Request, answer: &str) -> Request {
    let mut fork = parent.clone();
    fork.messages
        .push(ChatMessage { role: ChatRole::Assistant, content: vec![ContentBlock::Text { text: answer.into() }] });
    fork.messages.push(ChatMessage::user("Save what is worth remembering."));
    fork.max_output_tokens = 1234;
    fork
}

#[test]
fn x2_a_fork_reads_its_parents_tokens_from_the_cache() {
    let server = ModelServer::queue([Turn::say("Done."), Turn::say("Nothing to save.")]);
    let model = Way::Anthropic.model(&server);
    let parent = parent();
    let first = ask(&*model, &parent, &call()).0.unwrap();
    assert_eq!(first.usage.cache_read, 0);
    let second = ask(&*model, &fork(&parent, "Done."), &call()).0.unwrap();
    let counts: Vec<_> = server.requests().iter().map(|request| request.count.unwrap()).collect();
    let share = counts[1].cache_read as f64 / counts[0].prompt() as f64;
    assert!(share >= 0.95, "only {share:.3} of the parent was read from the cache");
    assert_eq!(second.usage.cache_read, counts[1].cache_read);
    assert!(second.usage.hit_percent().unwrap() > 95.0, "{:?}", second.usage.hit_percent());
}

#[test]
fn x2_a_fork_finds_its_parent_behind_more_blocks_than_the_server_looks_back() {
    let server = ModelServer::new(|_| Turn::say("ok"));
    let model = Way::Anthropic.model(&server);
    let mut parent = parent();
    ask(&*model, &parent, &call()).0.unwrap();
    let before = server.last().count.unwrap().prompt();
    // One step of 15 tool calls and their 15 results: 30 blocks behind the parent's last mark.
    let calls = (0..15).map(|n| ContentBlock::ToolUse {
        id: format!("t{n}"),
        name: "Read".into(),
        input: json!({ "file": n }),
    });
    parent.messages.push(ChatMessage { role: ChatRole::Assistant, content: calls.collect() });
    let results = (0..15).map(|n| ContentBlock::ToolResult {
        tool_use_id: format!("t{n}"),
        content: "x".into(),
        is_error: false,
    });
    parent.messages.push(ChatMessage { role: ChatRole::User, content: results.collect() });
    ask(&*model, &parent, &call()).0.unwrap();
    let share = server.last().count.unwrap().cache_read as f64 / before as f64;
    assert!(share >= 0.95, "only {share:.3} of the former request was read from the cache");
}

#[test]
fn every_step_of_a_long_conversation_reads_the_one_before() {
    let server = ModelServer::new(|_| Turn::say("ok"));
    let model = Way::Anthropic.model(&server);
    let mut request = parent();
    for _ in 0..10 {
        ask(&*model, &request, &call()).0.unwrap();
        request = fork(&request, "ok");
    }
    let counts: Vec<_> = server.requests().iter().map(|request| request.count.unwrap()).collect();
    for pair in counts.windows(2) {
        assert_eq!(pair[1].cache_read, pair[0].cache_read + pair[0].cache_creation);
        assert_eq!(pair[1].input, 0);
    }
}

#[test]
fn a_fork_shares_its_beginning_on_wires_without_marks_too() {
    for way in [Way::Chat, Way::Responses] {
        let server = ModelServer::new(|_| Turn::say("Done."));
        let model = way.model(&server);
        let parent = parent();
        ask(&*model, &parent, &call()).0.unwrap();
        let reply = ask(&*model, &fork(&parent, "Done."), &call()).0.unwrap();
        let before = server.requests()[0].count.unwrap().prompt();
        let share = reply.usage.cache_read as f64 / before as f64;
        assert!(share >= 0.95, "{way:?}: {share:.3}");
    }
}
