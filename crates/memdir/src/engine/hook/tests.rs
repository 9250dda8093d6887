#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use super::*;
use crate::engine::test_memory::{TestMemory, topic};
use memdir_core::limits::{ACTION_BYTES, HOOK_LOG_BYTES, HOOK_LOG_CALLS};
use memdir_hosts::{Action, ConversationStart, Host};

fn bench() -> TestMemory {
    TestMemory::with(&[
        ("freeze.md", &topic("project", "Ledger freeze", "The ledger service freezes its branch on Thursday.")),
        ("zebra.md", &topic("project", "Zebra flags", "`make zebra-release` needs LEDGER_TLS=1 here.")),
    ])
}

fn call(event: Event) -> HookCall {
    HookCall { event, name: "X".into(), session: Some("s1".into()), ..HookCall::default() }
}

fn prompt(text: &str) -> HookCall {
    call(Event::Prompt(text.into()))
}

fn hook(bench: &TestMemory, host: Host, call: &HookCall) -> HookOutcome {
    bench.memory().sessions().hook(host.profile(), call, Vec::new())
}

const ASK: &str = "which day does the ledger service freeze its branch?";

#[test]
fn m3_a_session_is_told_once_and_again_after_compaction() {
    let bench = bench();
    let start = |start| call(Event::SessionStart(start));
    let told = hook(&bench, Host::Codex, &start(ConversationStart::New));
    assert_eq!(told.shown, ["manual", "index"]);
    assert_eq!(hook(&bench, Host::Codex, &start(ConversationStart::Resumed)).text, "");
    let first = hook(&bench, Host::Codex, &prompt(ASK));
    assert_eq!(first.shown, ["freeze.md"]);
    assert_eq!(hook(&bench, Host::Codex, &prompt(ASK)).text, "", "R4: it was shown");
    assert_eq!(hook(&bench, Host::Codex, &start(ConversationStart::Compacted)).shown, ["manual", "index"]);
    assert_eq!(hook(&bench, Host::Codex, &prompt(ASK)).shown, ["freeze.md"], "R8: forgotten");
}

#[test]
fn a_host_that_does_not_hear_the_start_is_told_beside_the_first_prompt() {
    let bench = bench();
    assert_eq!(hook(&bench, Host::Gemini, &call(Event::SessionStart(ConversationStart::New))).text, "");
    assert_eq!(hook(&bench, Host::Gemini, &prompt(ASK)).shown, ["manual", "index", "freeze.md"]);
    assert_eq!(
        hook(&bench, Host::Gemini, &prompt("which flags does make zebra-release need here?")).shown,
        ["zebra.md"]
    );
    // It says on every turn that it will compact: nothing is forgotten.
    hook(&bench, Host::Gemini, &call(Event::BeforeCompact));
    assert_eq!(hook(&bench, Host::Gemini, &prompt(ASK)).text, "");
}

#[test]
fn what_the_host_loads_itself_is_not_said_again() {
    let bench = bench();
    let done = hook(&bench, Host::ClaudeCode, &call(Event::SessionStart(ConversationStart::New)));
    assert_eq!((done.text.as_str(), done.reason.as_deref()), ("", Some("the host loads everything itself")));
    bench.put("team/MEMORY.md", "- [Team](a.md) — shared\n");
    let mut other = call(Event::SessionStart(ConversationStart::New));
    other.session = Some("s2".into());
    assert_eq!(hook(&bench, Host::ClaudeCode, &other).shown, ["team-index"]);
}

#[test]
fn l1_in_log_mode_the_day_is_told_beside_its_first_prompt() {
    let bench = bench().set("MEMDIR_MODE", "log");
    let first = hook(&bench, Host::ClaudeCode, &prompt(ASK));
    assert_eq!(first.shown, ["manual", "day", "freeze.md"]);
    assert!(first.text.contains("It is 2026-04-14 now"), "{}", first.text);
    let same_day = hook(&bench, Host::ClaudeCode, &prompt("which flags does make zebra-release need here?"));
    assert_eq!(same_day.shown, ["zebra.md"]);
    let mut later = bench.memory();
    later.now = "2026-04-15T00:10:00[UTC]".parse().unwrap();
    let next = later.sessions().hook(Host::ClaudeCode.profile(), &prompt("go on with the parser, please"), Vec::new());
    assert!(next.text.contains("2026-04-15") && next.reason.is_none(), "{next:?}");
    // What is forgotten is said again.
    hook(&bench, Host::ClaudeCode, &call(Event::SessionStart(ConversationStart::Compacted)));
    assert!(hook(&bench, Host::ClaudeCode, &prompt(ASK)).text.contains("2026-04-14"));
    assert!(!hook(&self::bench(), Host::ClaudeCode, &prompt(ASK)).text.contains("2026-04-14"), "only in log mode");
}

#[test]
fn a_fork_knows_what_its_parent_was_told() {
    let bench = bench();
    assert_eq!(hook(&bench, Host::Codex, &call(Event::SessionStart(ConversationStart::Forked))).text, "");
    assert_eq!(hook(&bench, Host::Codex, &prompt(ASK)).shown, ["freeze.md"]);
}

#[test]
fn an_action_brings_the_memory_that_names_it_once() {
    let bench = bench();
    let act = |command: &str| call(Event::BeforeTool(Action::Command(command.into())));
    assert_eq!(hook(&bench, Host::ClaudeCode, &act("make test")).reason.as_deref(), Some("no memory speaks about it"));
    let done = hook(&bench, Host::ClaudeCode, &act("cd x && make zebra-release"));
    assert_eq!(done.shown, ["zebra.md"]);
    assert!(done.text.contains("LEDGER_TLS=1") && done.text.len() <= ACTION_BYTES);
    assert_eq!(hook(&bench, Host::ClaudeCode, &act("make zebra-release")).text, "");
    // Where only the result is heard, it comes with the result.
    assert_eq!(hook(&bench, Host::Qwen, &act("make zebra-release")).text, "");
    let off = bench.set("MEMDIR_RECALL_ACTIONS", "false");
    let mut fresh = act("make zebra-release");
    fresh.session = Some("s9".into());
    assert_eq!(hook(&off, Host::ClaudeCode, &fresh).reason.as_deref(), Some("recall.actions is false"));
}

#[test]
fn nothing_is_larger_than_its_host_takes() {
    let bench = bench();
    let index: String = (0..190).map(|n| format!("- [Memory {n}](m{n}.md) — {}\n", "word ".repeat(20))).collect();
    bench.put("MEMORY.md", &index);
    for host in Host::ALL {
        let profile = host.profile();
        let mut start = call(Event::SessionStart(ConversationStart::New));
        start.session = Some(host.to_string());
        let mut first = prompt(ASK);
        first.session = Some(format!("{host} 2"));
        let done = hook(&bench, host, &start);
        assert!(done.text.len() <= profile.start_bytes, "{host}: {}", done.text.len());
        if profile.start_bytes > 0 {
            let first = hook(&bench, host, &first);
            assert!(first.text.len() <= profile.start_bytes + profile.prompt_bytes, "{host}: {}", first.text.len());
        }
        if host == Host::Codex {
            assert!(done.text.contains("memdir context --part index"), "the cut is said");
        }
    }
}

#[test]
fn e5_off_is_silence() {
    let bench = bench().set("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    for event in
        [Event::SessionStart(ConversationStart::New), Event::Prompt(ASK.into()), Event::TurnEnd { again: false }]
    {
        let done = hook(&bench, Host::Codex, &call(event));
        assert!(done.text.is_empty() && done.reason.is_some());
    }
}

#[test]
fn calls_are_kept_within_bounds_newest_first() {
    let bench = bench();
    let memory = bench.memory();
    let done = HookOutcome { shown: vec!["x".repeat(600)], text: "abc".into(), ..HookOutcome::default() };
    for ms in 0..400 {
        memory.sessions().log_hook(Host::Codex, &prompt("secret words"), &done, ms).unwrap();
    }
    let calls = memory.sessions().hook_calls().unwrap();
    assert_eq!((calls.len(), calls[0].ms, calls[1].ms), (HOOK_LOG_CALLS, 399, 398));
    assert_eq!((calls[0].bytes, calls[0].event.as_str()), (3, "prompt"));
    let file = memory.hook_file();
    assert!(std::fs::metadata(&file).unwrap().len() <= HOOK_LOG_BYTES);
    assert!(!std::fs::read_to_string(&file).unwrap().contains("secret words"));
}

#[test]
fn r8_a_host_that_only_warns_of_compaction_is_told_again_and_others_when_they_say_it_is_done() {
    for (host, event, again) in [
        (Host::Qwen, Event::BeforeCompact, true),
        (Host::Copilot, Event::BeforeCompact, true),
        (Host::ClaudeCode, Event::BeforeCompact, false),
        (Host::Codex, Event::BeforeCompact, false),
        (Host::Gemini, Event::BeforeCompact, false),
        (Host::Opencode, Event::AfterCompact, true),
    ] {
        let bench = bench();
        assert!(!hook(&bench, host, &prompt(ASK)).text.is_empty(), "{host}");
        hook(&bench, host, &call(event));
        assert_eq!(!hook(&bench, host, &prompt(ASK)).text.is_empty(), again, "{host}");
    }
}

#[test]
fn s5_notes_are_brought_up_to_date_before_a_compaction_and_said_after_it() {
    let bench = bench();
    let transcript = bench.home().join("s1.jsonl");
    let line = r#"{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s1","isSidechain":false,"message":{"role":"user","content":"Make the parser accept CRLF files."}}"#;
    std::fs::write(&transcript, format!("{line}\n")).unwrap();
    let mut before = call(Event::BeforeCompact);
    before.transcript = Some(transcript.clone());
    let done = hook(&bench, Host::ClaudeCode, &before);
    assert_eq!((done.text.as_str(), &done.notes), ("", &None));
    let told = hook(&bench, Host::ClaudeCode, &call(Event::SessionStart(ConversationStart::Compacted)));
    assert_eq!(told.shown, ["session-notes"]);
    assert!(told.text.contains("accept CRLF files"), "{}", told.text);
    // What is too long for a hook is left to the background.
    let long = format!("{line}\n").repeat(1 + memdir_core::limits::NOTES_HOOK_BYTES as usize / line.len());
    std::fs::write(&transcript, long).unwrap();
    let left = hook(&bench, Host::ClaudeCode, &before).notes.unwrap();
    assert_eq!((left.session.as_str(), &left.transcript), ("s1", &transcript));
    // A host that only warns hears of it beside the next prompt.
    let mut warned = call(Event::BeforeCompact);
    (warned.session, warned.transcript) = (Some("q1".into()), Some(bench.home().join("q1.jsonl")));
    std::fs::write(bench.home().join("q1.jsonl"), r#"{"uuid":"u1","parentUuid":null,"sessionId":"q1","type":"user","provenance":"real_user","message":{"role":"user","parts":[{"text":"Make the writer keep CRLF."}]}}"#).unwrap();
    let mut asked = prompt(ASK);
    asked.session = Some("q1".into());
    hook(&bench, Host::Qwen, &asked);
    hook(&bench, Host::Qwen, &warned);
    let told = hook(&bench, Host::Qwen, &asked);
    assert!(told.shown.contains(&"session-notes".to_owned()) && told.text.contains("keep CRLF"), "{told:?}");
    // S5: a session without notes is told nothing more.
    let mut other = call(Event::SessionStart(ConversationStart::Compacted));
    other.session = Some("s2".into());
    assert_eq!(hook(&bench, Host::ClaudeCode, &other).text, "");
}

/// A bench with a model that the user agreed to.
fn with_model() -> TestMemory {
    bench().set("ANTHROPIC_API_KEY", "k").set("MEMDIR_MODEL_CONSENT", "true")
}

fn chooses(bench: &TestMemory, answer: &'static str) -> usize {
    let ask: crate::engine::Ask = Box::new(move |_| Some(answer.to_owned()));
    bench.memory().recall().choose_late("s1", ask, std::time::Duration::from_mins(1)).unwrap()
}

const ZEBRA: &str = "{\"selected_memories\":[\"zebra.md\",\"freeze.md\"]}";

fn after() -> HookCall {
    call(Event::AfterTool(Action::Other))
}

#[test]
fn r9_r10_what_a_model_chose_too_late_comes_after_the_next_tool_once() {
    for host in Host::ALL.into_iter().filter(|host| host.profile().shape.is_some()) {
        let bench = with_model();
        let first = hook(&bench, host, &prompt(ASK));
        assert!(first.ask && first.shown.contains(&"freeze.md".to_owned()), "{host}: {first:?}");
        assert_eq!(hook(&bench, host, &after()).text, "", "{host}: nobody has chosen yet");
        // What the prompt was given already is not on offer any more.
        assert_eq!(chooses(&bench, ZEBRA), 1, "{host}");
        let late = hook(&bench, host, &after());
        assert_eq!((late.shown.as_slice(), late.reason), (&["zebra.md".to_owned()][..], None), "{host}");
        assert!(late.text.contains("LEDGER_TLS=1"), "{host}");
        assert_eq!(hook(&bench, host, &after()).text, "", "{host}: once");
        assert_eq!(hook(&bench, host, &prompt("which flags does make zebra-release need?")).text, "", "{host}: R4");
    }
}

#[test]
fn r9_a_choice_for_another_prompt_an_ended_turn_or_a_compacted_session_is_dropped() {
    let other = "which of our services deploys on a friday evening?";
    for drop_by in [
        prompt(other),
        call(Event::TurnEnd { again: false }),
        call(Event::SessionStart(ConversationStart::Compacted)),
        call(Event::SessionStart(ConversationStart::Cleared)),
    ] {
        // Chosen before it happens, or after.
        for before in [true, false] {
            let bench = with_model();
            assert!(hook(&bench, Host::ClaudeCode, &prompt(ASK)).ask);
            let meanwhile: crate::engine::Ask = {
                let (home, drop_by) = (bench.home(), drop_by.clone());
                Box::new(move |_| {
                    let same = TestMemory::at(home).set("ANTHROPIC_API_KEY", "k").set("MEMDIR_MODEL_CONSENT", "true");
                    hook(&same, Host::ClaudeCode, &drop_by);
                    Some(ZEBRA.to_owned())
                })
            };
            if before {
                assert_eq!(chooses(&bench, ZEBRA), 1);
                hook(&bench, Host::ClaudeCode, &drop_by);
            } else {
                let chosen = bench.memory().recall().choose_late("s1", meanwhile, std::time::Duration::from_mins(1));
                assert_eq!(chosen.unwrap(), 0, "{drop_by:?}");
            }
            assert_eq!(hook(&bench, Host::ClaudeCode, &after()).text, "", "{drop_by:?} {before}");
        }
    }
}

#[test]
fn r9_nobody_is_asked_without_a_yes_a_quick_model_or_a_real_prompt() {
    let asks = |bench: &TestMemory, text: &str| hook(bench, Host::ClaudeCode, &prompt(text)).ask;
    assert!(!asks(&bench(), ASK), "no model");
    assert!(!asks(&bench().set("ANTHROPIC_API_KEY", "k"), ASK), "no yes");
    assert!(!asks(&with_model().set("MEMDIR_RECALL_SELECTOR", "local"), ASK), "local");
    assert!(!asks(&with_model().set("MEMDIR_RECALL_ENABLED", "false"), ASK), "off");
    let bench = with_model();
    assert!(!asks(&bench, "go"), "one word");
    assert!(asks(&bench, ASK));
    assert!(!asks(&bench, ASK), "two hooks for one prompt ask once");
    assert_eq!(chooses(&bench, "no idea"), 0, "nonsense is no choice");
    assert_eq!(hook(&bench, Host::ClaudeCode, &after()).text, "");
}

#[test]
fn x1_where_no_person_is_there_the_setting_decides() {
    let gate = |bench: &TestMemory, host| {
        let file = if host == Host::Codex { "codex/rollout.jsonl" } else { "qwen/chat.jsonl" };
        let transcript =
            std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../hosts/tests/fixtures")).join(file);
        let ended = HookCall { transcript: Some(transcript), ..call(Event::TurnEnd { again: false }) };
        hook(bench, host, &ended).reason.unwrap()
    };
    let off = || bench().set("MEMDIR_EXTRACT_NON_INTERACTIVE", "false");
    let closed = "setting:extract.non_interactive";
    assert_eq!(gate(&off(), Host::Codex), closed, "its transcript says exec");
    assert_eq!(gate(&off().set("CI", "true"), Host::Qwen), closed, "a build server");
    assert_eq!(gate(&off().set("CLAUDE_CODE_ENTRYPOINT", "sdk-cli"), Host::ClaudeCode), closed);
    assert_ne!(gate(&off().set("CLAUDE_CODE_ENTRYPOINT", "cli"), Host::Gemini), closed, "a person");
    assert_ne!(gate(&bench().set("CI", "true"), Host::Codex), closed, "the setting's default");
}
