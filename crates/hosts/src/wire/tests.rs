//! What any host may say to a hook, and what we make of it; recordings of real clients are read in their folders.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::event::{Action, ConversationStart, Event};
use super::super::{AnswerShape, Host};
use super::*;

#[test]
fn a_prompt_is_what_the_user_said_and_no_command_for_the_host() {
    for (text, counts) in [
        ("", false),
        ("  \n", false),
        ("/clear", false),
        ("/plugin:cmd arg", false),
        ("/usr/bin/env is missing, why?", true),
        ("what is / in a path?", true),
    ] {
        assert_eq!(matches!(prompt(text), Event::Prompt(_)), counts, "{text:?}");
    }
}

#[test]
fn a_start_and_an_end_say_how() {
    for (source, start) in [
        ("startup", ConversationStart::New),
        ("resume", ConversationStart::Resumed),
        ("fork", ConversationStart::Forked),
        ("clear", ConversationStart::Cleared),
        ("compact", ConversationStart::Compacted),
        ("something new", ConversationStart::New),
    ] {
        let said = json!({ "hook_event_name": "SessionStart", "source": source });
        assert_eq!(read(Host::ClaudeCode, said.to_string().as_bytes(), None).event, Event::SessionStart(start));
    }
    let said = json!({ "hook_event_name": "Stop", "stop_hook_active": true });
    assert_eq!(read(Host::Qwen, said.to_string().as_bytes(), None).event, Event::TurnEnd { again: true });
}

#[test]
fn v1_actions_are_known_whatever_the_host_calls_them() {
    let write =
        |path: &str, new: &str, old: &str| Action::Write { path: path.into(), new: new.into(), old: old.into() };
    for (tool, input, action_is) in [
        ("Bash", json!({ "command": "cargo test" }), Action::Command("cargo test".into())),
        ("shell", json!({ "cmd": ["cargo", "test"] }), Action::Command("cargo test".into())),
        ("", json!("{\"command\":\"make\"}"), Action::Command("make".into())),
        ("Write", json!({ "file_path": "/w/a.rs", "content": "x" }), write("/w/a.rs", "x", "")),
        ("Edit", json!({ "file_path": "a", "old_string": "o", "new_string": "n" }), write("a", "n", "o")),
        (
            "MultiEdit",
            json!({ "file_path": "a", "edits": [{ "old_string": "o", "new_string": "n" }, { "new_string": "m" }] }),
            write("a", "n\nm", "o"),
        ),
        ("Read", json!({ "filePath": "b.rs" }), Action::Read("b.rs".into())),
        ("WebFetch", json!({ "url": "https://x.test/a", "prompt": "p" }), Action::Fetch("https://x.test/a".into())),
        (
            "mcp__tracker__create_issue",
            json!({ "title": "t", "labels": ["l"], "n": 1 }),
            Action::Tool { name: "mcp__tracker__create_issue".into(), said: vec!["t".into(), "l".into()] },
        ),
        ("Search", json!({ "query": "x" }), Action::Other),
        ("Bash", json!({ "command": 7 }), Action::Other),
        ("", json!(null), Action::Other),
    ] {
        assert_eq!(action(Some(tool), Some(&input)), action_is, "{input}");
    }
}

/// Codex refuses an answer with a key it does not know; Copilot reads only the top.
#[test]
fn answers_have_their_hosts_keys_and_no_others() {
    let call = HookCall { name: "UserPromptSubmit".into(), ..HookCall::default() };
    for profile in Host::ALL.map(Host::profile) {
        let Some(answer) = answer(profile, &call, "a \"text\"\n", None) else {
            assert!(profile.shape.is_none());
            continue;
        };
        assert_eq!(answer.lines().count(), 1);
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let want = match profile.shape.unwrap() {
            AnswerShape::Nested => {
                json!({ "hookSpecificOutput": { "hookEventName": "UserPromptSubmit", "additionalContext": "a \"text\"\n" } })
            }
            AnswerShape::Top => json!({ "additionalContext": "a \"text\"\n" }),
        };
        assert_eq!(answer, want, "{}", profile.host);
    }
}

proptest! {
    #[test]
    fn anything_may_be_said(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "\\PC{0,100}") {
        for host in Host::ALL {
            let _ = read(host, &bytes, None);
            let said = json!({ "hook_event_name": "UserPromptSubmit", "event": "prompt", "prompt": text, "cwd": text, "tool_input": text });
            let _ = read(host, said.to_string().as_bytes(), Some(&text));
        }
    }
}
