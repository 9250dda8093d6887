//! Session notes behind hooks: when they are written, and that they come back after a compaction (S1, S2, S5, S7).

use std::path::PathBuf;

use memdir_testkit::TestEnv;
use serde_json::{Value, json};

use super::extracting::Transcript;
use super::git_env;
use super::hooking::{hook, prompt};

/// The sections, in their order.
const SECTIONS: [&str; 10] = [
    "Session Title",
    "Current State",
    "Task specification",
    "Files and Functions",
    "Workflow",
    "Errors & Corrections",
    "Codebase and System Documentation",
    "Learnings",
    "Key results",
    "Worklog",
];

/// A conversation in Claude Code, with small numbers in place of the usual ones.
struct Talk {
    env: TestEnv,
    lines: Transcript,
}

impl Talk {
    fn new() -> Talk {
        let mut env = git_env();
        env.var("MEMDIR_NOTES_FIRST_TOKENS", "1000").var("MEMDIR_NOTES_EVERY_TOKENS", "500");
        let lines = Transcript::new(&env, "s1");
        Talk { env, lines }
    }

    fn event(&self, said: &Value) -> String {
        let mut said = said.clone();
        (said["session_id"], said["cwd"]) = ("s1".into(), json!(self.env.project()));
        said["transcript_path"] = self.lines.path().into();
        hook(&self.env, &["claude-code"], said.to_string().as_bytes())
    }

    fn path(&self) -> PathBuf {
        PathBuf::from(self.lines.path()).with_extension("").join("session-memory/summary.md")
    }

    /// The last request that the notes know of.
    fn noted(&self) -> Option<String> {
        let notes = std::fs::read_to_string(self.path()).ok()?;
        notes.lines().find_map(|line| line.strip_prefix("Last request: ")).map(str::to_owned)
    }
}

/// A turn with so many words of an answer and so many calls of tools, and what then happens in the background.
fn turn(talk: &mut Talk, text: &str, words: usize, calls: usize) {
    talk.lines.user(text);
    for at in 0..calls {
        talk.lines.tool("Read", &json!({ "file_path": talk.env.project().join(format!("src/{at}.rs")) }));
    }
    talk.lines.assistant(&"word ".repeat(words));
    talk.event(&json!({ "hook_event_name": "Stop", "stop_hook_active": false }));
    talk.env.run(&["work"]).ok();
}

#[test]
fn s1_s2_behind_hooks_notes_are_written_when_enough_was_said_and_done() {
    let mut talk = Talk::new();
    for (text, words, calls, noted) in [
        ("Make the parser accept CRLF.", 100, 0, None),
        ("Then make it accept tabs.", 1_200, 0, Some("Then make it accept tabs.")),
        // It grew, but the work goes on: the last turn called a tool, and there were not three calls yet.
        ("Then make it accept quotes.", 800, 1, Some("Then make it accept tabs.")),
        ("Then make it accept colons.", 10, 2, Some("Then make it accept colons.")),
        // It did not grow enough, whatever was called.
        ("Then make it accept commas.", 10, 5, Some("Then make it accept colons.")),
        ("Then make it accept hashes.", 800, 0, Some("Then make it accept hashes.")),
    ] {
        turn(&mut talk, text, words, calls);
        assert_eq!(talk.noted().as_deref(), noted, "{text}");
    }
    let notes = std::fs::read_to_string(talk.path()).unwrap();
    let lines: Vec<&str> = notes.lines().collect();
    let headings: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("# ")).collect();
    assert_eq!(headings, SECTIONS);
    for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("# ")) {
        assert!(lines[at + 1].starts_with('_') && lines[at + 1].ends_with('_'), "{}", lines[at]);
    }
}

#[test]
fn s5_s7_behind_hooks_the_notes_come_back_after_a_compaction() {
    let before = json!({ "hook_event_name": "PreCompact", "trigger": "auto" });
    let after = json!({ "hook_event_name": "SessionStart", "source": "compact" });
    let mut talk = Talk::new();
    turn(&mut talk, "Make the parser accept CRLF.", 20, 0);
    talk.event(&json!({ "hook_event_name": "SessionStart", "source": "startup" }));
    talk.event(&before);
    // Brought up to date first, however little was said.
    assert_eq!(talk.noted().as_deref(), Some("Make the parser accept CRLF."));
    let told = talk.event(&after);
    assert_eq!(told.matches("Last request: Make the parser accept CRLF.").count(), 1, "{told}");
    assert!(told.contains("# Current State"), "{told}");
    let beside =
        hook(&talk.env, &["claude-code"], prompt(&talk.env, "s1", "go on with it, would you").to_string().as_bytes());
    assert!(!beside.contains("Last request"), "said once: {beside}");
    // Where the host does not compact by itself, or notes are off, there are none.
    let mut by_hand = Talk::new();
    std::fs::write(by_hand.env.home().join(".claude/settings.json"), "{ \"autoCompactEnabled\": false }").unwrap();
    let mut off = Talk::new();
    off.env.var("MEMDIR_NOTES_ENABLED", "false");
    for talk in [&mut by_hand, &mut off] {
        turn(talk, "Make the parser accept CRLF.", 2_000, 0);
        talk.event(&before);
        assert!(!talk.path().exists());
        assert!(!talk.event(&after).contains("# Current State"));
    }
}
