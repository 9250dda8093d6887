#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use std::time::Duration;

use serde_json::json;

use super::*;
use crate::engine::ModelEnvironment;
use crate::engine::test_memory::TestMemory;
use memdir_hosts::Host;
use memdir_model::fork::RunBudget;
use memdir_model::tools::{JobOutput, Shell, ShellJob, ToolError, specs};
use memdir_model::{Cancel, Request};
use memdir_testkit::script::{Act, Script, calls, says};

struct NoShell;

impl Shell for NoShell {
    fn run(&self, _: &ShellJob) -> Result<JobOutput, ToolError> {
        Err("there are no programs here".into())
    }
}

fn transcript(bench: &TestMemory) -> std::path::PathBuf {
    let text: String = [
        json!({"role": "user", "text": "Make the parser accept CRLF files."}),
        json!({"role": "assistant", "text": "Looking.", "tool_uses": [
            {"name": "Read", "input": {"file_path": "src/parse.rs"}},
            {"name": "Edit", "input": {"file_path": "src/parse.rs"}},
            {"name": "Bash", "input": {"command": "cargo test parse"}}]}),
        json!({"role": "tool", "name": "Bash", "text": "running\nerror[E0308]: mismatched types"}),
        json!({"role": "user", "text": "no, keep the old function name"}),
        json!({"role": "assistant", "text": "Done: CRLF is accepted, 44 tests pass."}),
    ]
    .iter()
    .map(|line| format!("{line}\n"))
    .collect();
    let path = bench.home().join("s1.jsonl");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn s3_rules_fill_what_they_can_and_keep_the_frame() {
    let bench = TestMemory::new();
    let memory = bench.memory();
    let made = memory.sessions().update_notes("s1", &transcript(&bench), None).unwrap();
    for part in [
        "src/parse.rs (changed)",
        "`cargo test parse`",
        "error[E0308]",
        "User: no, keep the old function name",
        "44 tests pass",
    ] {
        assert!(made.text.contains(part), "{part} is missing in {}", made.text);
    }
    let template = Notes::read(&memory.sessions().notes_template());
    assert_eq!(template.frame_fault(&Notes::read(&made.text)), None);
    let again = memory.sessions().update_notes("s1", &transcript(&bench), None).unwrap();
    assert_eq!(again.text, made.text);
    assert_eq!(made.sections.len(), 10);
}

#[test]
fn s2_first_notes_and_later_ones_have_their_thresholds() {
    let settings = TestMemory::new().memory().settings.clone();
    let due = |tokens, noted, tool_calls, last_turn_called| {
        notes_due(ConversationGrowth { tokens, noted, tool_calls, last_turn_called }, &settings)
    };
    assert!(!due(9_999, None, 9, true) && due(10_000, None, 0, true));
    assert!(!due(14_999, Some(10_000), 9, false), "it has not grown enough");
    assert!(due(15_000, Some(10_000), 3, true));
    assert!(!due(15_000, Some(10_000), 2, true));
    assert!(due(15_000, Some(10_000), 0, false), "the last turn made no call");
}

#[test]
fn s5_empty_notes_stay_out_and_long_ones_are_cut_by_section() {
    let bench = TestMemory::new();
    let memory = bench.memory();
    assert_eq!(memory.sessions().notes_for_compaction("s1").unwrap(), None);
    let path = memory.sessions().notes_path("s1").unwrap();
    let mut notes = Notes::read(&memory.sessions().notes_template());
    memory.write_notes(&path, &notes).unwrap();
    assert_eq!(memory.sessions().notes_for_compaction("s1").unwrap(), None);
    for section in &mut notes.sections {
        section.text = "a line of words that is there to be counted\n".repeat(400);
    }
    memory.write_notes(&path, &notes).unwrap();
    let text = memory.sessions().notes_for_compaction("s1").unwrap().unwrap();
    assert!(estimate_tokens(&text) <= limits::NOTES_TOKENS, "{}", estimate_tokens(&text));
    assert!(text.contains("[cut; the rest is in "));
    for section in Notes::read(&text).sections {
        assert!(estimate_tokens(&section.text) <= limits::NOTES_SECTION_TOKENS);
    }
}

#[test]
fn s6_own_texts_are_filled_once() {
    let bench = TestMemory::new();
    let config = bench.home().join(".claude/session-memory/config");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("template.md"), "# Mine\n_All of it: {{notesPath}}_\n").unwrap();
    std::fs::write(config.join("prompt.md"), "Edit {{notesPath}}: {{currentNotes}} {{else}}").unwrap();
    let memory = bench.memory();
    let prompt = memory.notes_prompt("s1").unwrap();
    assert!(prompt.contains("summary.md") && prompt.contains("{{else}}"), "{prompt}");
    assert!(prompt.contains("_All of it: {{notesPath}}_"), "values are not expanded again: {prompt}");
}

#[test]
fn s1_a_session_cannot_lead_out_of_its_directory() {
    let memory = TestMemory::new().memory();
    for bad in ["", "..", "../x", "a/b", ".hidden", "a\0b"] {
        assert!(memory.sessions().notes_path(bad).is_err(), "{bad:?}");
    }
}

fn edit(memory: &Memory, old: &str, new: &str) -> Script {
    let path = memory.sessions().notes_path("s1").unwrap().display().to_string();
    let input = json!({ "file_path": path, "old_string": old, "new_string": new });
    Script::of([
        Act::Say(calls(&[("Read", json!({ "file_path": path }))])),
        Act::Say(calls(&[("Edit", input)])),
        Act::Say(says("ok")),
    ])
}

fn with_model(memory: &Memory, model: &Script) -> Result<NotesReport, Error> {
    let parent = Request { tools: specs(), max_output_tokens: 1_000, ..Request::default() };
    let budget = RunBudget { turns: 5, time: Duration::from_mins(10), tokens: u64::MAX };
    let job = NotesJob { model, parent: &parent, shell: &NoShell, budget, cancel: Cancel::default() };
    memory.sessions().update_notes_with("s1", &job, &mut |_| {})
}

#[test]
fn s3_a_model_edits_below_the_lines_and_nowhere_else() {
    let bench = TestMemory::new();
    let memory = bench.memory();
    let line = Notes::read(&memory.sessions().notes_template()).section("worklog").unwrap().about.clone();
    let made = with_model(&memory, &edit(&memory, &line, &format!("{line}\n\nWrote a parser."))).unwrap();
    assert!(made.text.contains("Wrote a parser."));
    let error = with_model(&memory, &edit(&memory, "# Learnings", "# Lessons")).unwrap_err().to_string();
    assert!(error.contains("Lessons"), "{error}");
    let error = with_model(&memory, &edit(&memory, &line, "_Something else._")).unwrap_err().to_string();
    assert!(error.contains("Worklog"), "{error}");
    let standing = memory.sessions().notes("s1").unwrap().text;
    assert!(standing.contains("# Learnings") && standing.contains("Wrote a parser."));
}

#[test]
fn s2_after_a_turn_notes_are_written_when_they_are_due_and_what_a_model_wrote_stays() {
    let bench = TestMemory::new().set("MEMDIR_NOTES_FIRST_TOKENS", "20").set("MEMDIR_NOTES_EVERY_TOKENS", "15");
    let memory = bench.memory();
    let path = bench.home().join("s1.jsonl");
    let say = |lines: &[&str]| {
        let text: String = lines.iter().map(|line| format!("{}\n", json!({"role": "user", "text": line}))).collect();
        std::fs::write(&path, text).unwrap();
        let environment = ModelEnvironment { shell: &NoShell, cancel: Cancel::default(), own_texts: &[], runner: None };
        memory.sessions().think_notes_when_due("s1", &path, None, &environment).unwrap().map(|update| {
            assert_eq!(update.engine, "offline");
            update.notes
        })
    };
    let first = "Make the parser accept files with CRLF line endings, please, and add a test for each of the cases.";
    assert!(say(&["hi"]).is_none());
    assert!(say(&[first]).is_some());
    assert!(say(&[first, "thanks"]).is_none(), "it has not grown enough");
    let second =
        "Now the writer should keep whichever line ending the file had before, also for mixed files, and say so.";
    let made = say(&[first, second]).unwrap();
    assert!(made.text.contains("Last request: Now the writer"), "{}", made.text);
    // A model words one section again; rules do not write over it.
    let notes = memory.sessions().notes_path("s1").unwrap();
    let edited = made.text.replace("Last request: Now the writer", "The parser is done. Next: the writer");
    std::fs::write(&notes, &edited).unwrap();
    let third = "And the reader must never fail on a lone carriage return at the end of a file, however it got there.";
    let made = say(&[first, second, third]).unwrap();
    assert!(made.text.contains("The parser is done. Next: the writer"), "{}", made.text);
}

#[test]
fn s7_notes_are_kept_unasked_only_where_the_host_compacts_by_itself() {
    let bench = TestMemory::new().set("MEMDIR_NOTES_FIRST_TOKENS", "5");
    let path = bench.home().join("s1.jsonl");
    let line = json!({"type": "user", "sessionId": "s1", "uuid": "1", "cwd": bench.project(), "timestamp": "2026-04-14T09:00:00Z",
        "message": {"role": "user", "content": "Make the parser accept files with CRLF line endings, please, and add a test."}});
    std::fs::write(&path, format!("{line}\n")).unwrap();
    let noted = |host: Host| {
        let memory = bench.memory();
        let due = memory.said_since_due("s1", &path, Some(host)).unwrap();
        let noted = due.map(|said| memory.note_down("s1", &said).unwrap()).is_some();
        let _ = std::fs::remove_file(memory.sessions().notes_path("s1").unwrap());
        noted
    };
    assert!(noted(Host::ClaudeCode), "where nothing is said, it does");
    bench.put("../../.claude.json", r#"{"numStartups": 7, "autoCompactEnabled": false}"#);
    assert!(!noted(Host::ClaudeCode));
    assert!(!bench.memory().sessions().notes_path("s1").unwrap().exists());
    bench.memory().note_before_compaction("s1", &path, Host::ClaudeCode).unwrap();
    assert!(!bench.memory().sessions().notes_path("s1").unwrap().exists(), "nor before a compaction by hand");
    bench.put("../../.claude/settings.json", r#"{"autoCompactEnabled": true}"#);
    assert!(noted(Host::ClaudeCode), "its settings come first");
    bench.put("../../.claude/settings.json", "{ broken");
    bench.put("../../.claude.json", "{ broken");
    assert!(noted(Host::ClaudeCode), "what cannot be read says nothing");
}
