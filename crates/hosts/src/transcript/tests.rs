//! The readers on what real clients wrote, and on what nobody should write.

use std::ops::ControlFlow;

use proptest::prelude::*;

use super::*;
use crate::testing::{fixture, read_all, read_fixture, written};

#[test]
fn what_no_host_wrote_is_not_recognised() {
    assert!(matches!(detect(&fixture("gemini/projects.json")), Err(TranscriptError::Unknown(_))));
    assert!(matches!(detect(&fixture("nothing")), Err(TranscriptError::Io { .. })));
}

#[test]
fn of_a_host_whose_conversations_nobody_reads_nothing_is_read() {
    for host in Host::ALL.into_iter().filter(|host| !host.has_transcripts()) {
        let path = fixture("claude-code/transcript.jsonl");
        assert!(matches!(read_all(&path, host, None), Err(TranscriptError::Unknown(_))), "{host}");
        assert!(matches!(about(&path, host), Err(TranscriptError::Unknown(_))), "{host}");
    }
}

#[test]
fn x3_only_what_follows_the_cursor_is_read() {
    for name in [
        "claude-code/transcript.jsonl",
        "claude-code/transcript-compacted.jsonl",
        "codex/rollout.jsonl",
        "gemini/session-2026-11-15T06-25-2e65a108.jsonl",
        "copilot/events.jsonl",
        "opencode/export.json",
        "opencode/db-rows.jsonl",
        "qwen/chat.jsonl",
        "goose/session-export.json",
        "cline/messages.json",
        "aider/chat.history.md",
    ] {
        let (host, _, messages) = read_fixture(name);
        for (at, message) in messages.iter().enumerate() {
            let rest: Vec<&Message> = messages[at + 1..].iter().skip_while(|next| next.id == message.id).collect();
            let (about, after) = read_all(&fixture(name), host, Some(&message.id)).unwrap();
            assert!(about.cursor_found, "{name} {at}");
            assert_eq!(after.iter().collect::<Vec<_>>(), rest, "{name} {at}");
        }
        let (about, all) = read_all(&fixture(name), host, Some("not-there-any-more")).unwrap();
        assert!(!about.cursor_found && all == messages, "{name}");
    }
}

#[test]
fn reading_stops_when_told_so() {
    for name in
        ["claude-code/transcript.jsonl", "opencode/export.json", "opencode/db-rows.jsonl", "aider/chat.history.md"]
    {
        let path = fixture(name);
        let mut count = 0;
        read(&path, detect(&path).unwrap(), None, &mut |_| {
            count += 1;
            ControlFlow::Break(())
        })
        .unwrap();
        assert_eq!(count, 1, "{name}");
    }
}

/// Pieces that transcripts are made of, to be put together wrongly.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "\n",
    "\0",
    "null",
    "true",
    "1794724088371",
    "\u{feff}",
    "#### ",
    "> ",
    "<",
    "\"uuid\"",
    "\"parentUuid\"",
    "\"message\"",
    "\"content\"",
    "\"type\":\"user\"",
    "\"type\":\"assistant\"",
    "\"payload\"",
    "\"data\"",
    "\"id\":\"a\"",
    "\"uuid\":\"a\"",
    "\"parts\"",
    "\"messages\":[",
    "\"text\":\"hi\"",
    "\"role\":\"user\"",
    "\"conversation\":[",
    "\"info\":{",
    "\"table\":\"part\"",
    "<system-reminder>",
    "# aider chat started at 2026-11-15 06:36:20",
    "{\"$set\":{}}",
    "\"timestamp\":\"2026-11-15T06:23:46Z\"",
    "你好",
];

fn any_transcript() -> impl Strategy<Value = Vec<u8>> {
    let pieces =
        prop::collection::vec(prop::sample::select(PIECES), 0..60).prop_map(|pieces| pieces.concat().into_bytes());
    prop_oneof![prop::collection::vec(any::<u8>(), 0..400), pieces]
}

proptest! {
    #[test]
    fn any_bytes_are_read_by_every_reader(bytes in any_transcript(), since in prop::option::of("[a@0-9]{1,3}")) {
        let file = written(&bytes);
        let _ = detect(file.path());
        for host in Host::ALL.into_iter().filter(|host| host.has_transcripts()) {
            let (_, messages) = read_all(file.path(), host, since.as_deref()).unwrap();
            prop_assert!(messages.iter().all(|message| message.text.len() <= memdir_core::limits::MESSAGE_BYTES));
        }
    }

    #[test]
    fn a_torn_end_loses_at_most_the_last_messages(cut in 0usize..30_000) {
        let whole = std::fs::read(fixture("claude-code/transcript.jsonl")).unwrap();
        let (_, all) = read_all(&fixture("claude-code/transcript.jsonl"), Host::ClaudeCode, None).unwrap();
        let file = written(&whole[..cut.min(whole.len())]);
        let (_, some) = read_all(file.path(), Host::ClaudeCode, None).unwrap();
        prop_assert!(all.starts_with(&some));
    }
}
