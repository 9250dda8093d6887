//! What the real clients said to a hook, and what we make of it.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::super::event::{Action, Event, Start};
use super::super::{Host, Shape};
use super::*;

/// The calls of a recording: the event's name and what was said.
fn recorded(text: &str) -> Vec<(String, Value)> {
    text.lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line).unwrap();
            match line.get("stdin") {
                Some(said) => (line["event"].as_str().unwrap_or_default().to_owned(), said.clone()),
                None => (line["hook_event_name"].as_str().unwrap_or_default().to_owned(), line),
            }
        })
        .collect()
}

macro_rules! recording {
    ($file:literal) => {
        recorded(include_str!(concat!("../../../tests/fixtures/hosts/", $file)))
    };
}

/// The words of all events of a recording, those that repeat once.
fn words(host: Host, calls: &[(String, Value)]) -> Vec<&'static str> {
    let mut words = Vec::new();
    for (event, said) in calls {
        let word = read(host, said.to_string().as_bytes(), Some(event)).event.word();
        if !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

#[test]
fn every_recorded_call_is_understood() {
    let all = ["session-start", "ignored", "prompt", "before-tool", "after-tool", "turn-end"];
    for (host, calls) in [
        (Host::ClaudeCode, recording!("claude-code/hook-stdin.jsonl")),
        (Host::Codex, recording!("codex/hooks-stdin.jsonl")),
        (Host::Gemini, recording!("gemini/hooks-stdin.jsonl")),
        (Host::Qwen, recording!("qwen/hooks-stdin.jsonl")),
        (Host::Copilot, recording!("copilot/hooks-stdin.jsonl")),
    ] {
        let words = words(host, &calls);
        for word in all.iter().filter(|word| host != Host::Copilot || **word != "ignored") {
            assert!(words.contains(word), "{host}: {word} is not among {words:?}");
        }
        for (event, said) in &calls {
            let call = read(host, said.to_string().as_bytes(), Some(event));
            if call.event.word() != "ignored" {
                assert!(call.session.is_some() && call.cwd.is_some(), "{host}: {said}");
            }
        }
    }
}

#[test]
fn a_prompt_is_what_the_user_said() {
    let prompt = |host, said: Value| read(host, said.to_string().as_bytes(), Some("userPromptSubmitted")).event;
    let ask = Event::Prompt("please run the tools".into());
    for (host, calls) in [
        (Host::Gemini, recording!("gemini/hooks-stdin.jsonl")),
        (Host::Qwen, recording!("qwen/hooks-stdin.jsonl")),
        (Host::Copilot, recording!("copilot/hooks-stdin.jsonl")),
    ] {
        let found = calls.iter().any(|(event, said)| read(host, said.to_string().as_bytes(), Some(event)).event == ask);
        assert!(found, "{host}");
    }
    // Gemini gives back what a hook put before the prompt; a command is still a command.
    let said = json!({ "hook_event_name": "BeforeAgent", "prompt": "<hook_context>x</hook_context>\n\n/memory show" });
    assert!(matches!(prompt(Host::Gemini, said), Event::Ignored(_)));
    for (text, counts) in [
        ("", false),
        ("  \n", false),
        ("/clear", false),
        ("/plugin:cmd arg", false),
        ("/usr/bin/env is missing, why?", true),
        ("what is / in a path?", true),
    ] {
        let event = prompt(Host::ClaudeCode, json!({ "hook_event_name": "UserPromptSubmit", "prompt": text }));
        assert_eq!(matches!(event, Event::Prompt(_)), counts, "{text:?}");
    }
}

#[test]
fn sub_agents_and_memory_agents_of_the_host_are_left_alone() {
    let said = json!({ "hook_event_name": "PreToolUse", "agent_id": "a1", "tool_input": { "command": "ls x" } });
    assert_eq!(read(Host::ClaudeCode, said.to_string().as_bytes(), None).event, Event::Ignored("it is a sub-agent's"));
    let said = json!({ "hook_event_name": "UserPromptSubmit", "prompt": "write memories", "transcript_path": null,
        "cwd": "/home/me/.codex/memories", "session_id": "s" });
    assert!(matches!(read(Host::Codex, said.to_string().as_bytes(), None).event, Event::Ignored(_)));
}

#[test]
fn a_start_and_an_end_say_how() {
    for (source, start) in [
        ("startup", Start::New),
        ("resume", Start::Resumed),
        ("fork", Start::Forked),
        ("clear", Start::Cleared),
        ("compact", Start::Compacted),
        ("something new", Start::New),
    ] {
        let said = json!({ "hook_event_name": "SessionStart", "source": source });
        assert_eq!(read(Host::ClaudeCode, said.to_string().as_bytes(), None).event, Event::SessionStart(start));
    }
    let said = json!({ "hook_event_name": "Stop", "stop_hook_active": true });
    assert_eq!(read(Host::Qwen, said.to_string().as_bytes(), None).event, Event::TurnEnd { again: true });
}

#[test]
fn actions_are_commands_or_files_whatever_the_host_calls_them() {
    for (input, action_is) in [
        (json!({ "command": "cargo test" }), Action::Command("cargo test".into())),
        (json!({ "cmd": ["cargo", "test"] }), Action::Command("cargo test".into())),
        (json!("{\"command\":\"make\"}"), Action::Command("make".into())),
        (json!({ "file_path": "/w/a.rs", "content": "x" }), Action::File("/w/a.rs".into())),
        (json!({ "filePath": "b.rs" }), Action::File("b.rs".into())),
        (json!({ "query": "x" }), Action::Other),
        (json!({ "command": 7 }), Action::Other),
        (json!(null), Action::Other),
    ] {
        assert_eq!(action(Some(&input)), action_is, "{input}");
    }
}

/// Codex refuses an answer with a key it does not know; Copilot reads only the top.
#[test]
fn answers_have_their_hosts_keys_and_no_others() {
    let call = HookCall { name: "UserPromptSubmit".into(), ..HookCall::default() };
    for profile in &super::super::profile::PROFILES {
        let Some(answer) = answer(profile, &call, "a \"text\"\n") else {
            assert!(profile.shape.is_none());
            continue;
        };
        assert_eq!(answer.lines().count(), 1);
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let want = match profile.shape.unwrap() {
            Shape::Nested => {
                json!({ "hookSpecificOutput": { "hookEventName": "UserPromptSubmit", "additionalContext": "a \"text\"\n" } })
            }
            Shape::Top => json!({ "additionalContext": "a \"text\"\n" }),
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
