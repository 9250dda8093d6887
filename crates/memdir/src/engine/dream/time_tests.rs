//! Later wins, by the time it was said (K6): dreams over memories, logs and conversations of one day.

use super::*;
use crate::engine::remember::Remember;
use crate::engine::test_memory::TestMemory;

/// What a memory said in the morning, and what it says since.
const CHANGED: &[(&str, &str)] = &[
    ("Ben runs the on-call rota", "Dana runs the on-call rota"),
    ("Deploys go through Jenkins", "Deploys go through Buildkite"),
    ("Wrap lines at 80 characters", "Wrap lines at 100 characters"),
    ("The staging database is on db-3.internal", "The staging database is on db-7.internal"),
    ("Releases are cut on Thursday", "Releases are cut on Tuesday"),
    ("Keep backups for 14 days", "Keep backups for 30 days"),
    ("Bugs are filed in Trello", "Bugs are filed in Linear"),
    ("发版固定在每周四", "发版固定在每周二"),
];

fn remember(bench: &TestMemory, at: &str, text: &str) -> String {
    let wanted = Remember { text: text.to_owned(), ..Remember::default() };
    bench.memory_at(&format!("2026-04-14T{at}[UTC]")).files().remember(&wanted).unwrap().file
}

/// How something said reaches a dream.
enum RawStatement {
    Log,
    Talk,
}

/// Dreams in the evening of a day on which something was said at some time; gives the plan.
fn dream(bench: &TestMemory, by: &RawStatement, at: &str, said: &str) -> DreamPlan {
    let memory = bench.memory_at("2026-04-14T23:00:00[UTC]");
    let mut input = DreamInput { yes: true, ..DreamInput::of(Scope::Private) };
    match by {
        RawStatement::Log => {
            bench.put("logs/2026/04/2026-04-14.md", format!("# 2026-04-14\n- {} user: {said}\n", &at[..5]));
        }
        RawStatement::Talk => {
            let line = serde_json::json!({
                "type": "user", "uuid": "1", "sessionId": "s", "timestamp": format!("2026-04-14T{at}Z"),
                "message": {"role": "user", "content": said},
            });
            let file = bench.home().join("s.jsonl");
            memdir_store::fs::replace(&file, format!("{line}\n").as_bytes(), memdir_store::fs::Durability::Cache)
                .unwrap();
            input.transcripts = vec![file];
        }
    }
    let plan = memory.dream().plan(&input, &mut |_| {}).unwrap();
    memory.dream().land(&plan, None, &|| true).unwrap();
    plan
}

/// Everything that is in the directory but the logs.
fn memories(bench: &TestMemory) -> Vec<(String, Vec<u8>)> {
    bench.bytes().into_iter().filter(|(file, _)| !file.starts_with("logs/") && file.ends_with(".md")).collect()
}

#[test]
fn k6_a_dream_never_brings_the_old_rule_back() {
    for (old, new) in CHANGED {
        for by in [RawStatement::Log, RawStatement::Talk] {
            let bench = TestMemory::new();
            remember(&bench, "08:00:00", old);
            remember(&bench, "10:05:00", new);
            let before = memories(&bench);
            let plan = dream(&bench, &by, "09:00:00", old);
            assert_eq!(memories(&bench), before, "{old} → {new}: {:?}", plan.changes);
            assert!(plan.waiting.is_empty(), "{:?}", plan.waiting);
        }
    }
}

#[test]
fn k6_what_was_said_later_on_the_same_day_replaces() {
    let mut missed = Vec::new();
    for (old, new) in CHANGED {
        for by in [RawStatement::Log, RawStatement::Talk] {
            let bench = TestMemory::new();
            remember(&bench, "09:00:00", old);
            let plan = dream(&bench, &by, "10:05:00", new);
            let memory = bench.memory_at("2026-04-15T08:00:00[UTC]");
            for proposal in memory.inbox().list().unwrap() {
                memory.inbox().accept(&proposal.id).unwrap();
            }
            let told: String = memories(&bench).iter().map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect();
            // No file, name, description or line says the old value, and nothing is lost on the way.
            let is_old = |word: &&str| !new.contains(*word) && told.contains(*word);
            if !told.contains(new) || old.split(' ').any(|word| is_old(&word)) {
                missed.push(format!("{new}: {:?} {:?} {:?}\n{told}", plan.changes, plan.waiting, plan.unsure));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n---\n"));
}

#[test]
fn k6_after_a_dream_a_memory_is_as_old_as_what_was_said() {
    let bench = TestMemory::new();
    remember(&bench, "09:00:00", "Ben runs the on-call rota");
    dream(&bench, &RawStatement::Talk, "10:05:00", "Dana runs the on-call rota");
    let memory = bench.memory_at("2026-04-14T23:30:00[UTC]");
    let listing = memory.files().list().unwrap();
    let written: Vec<String> = listing.memories().map(|one| one.written.at.to_string()).collect();
    assert_eq!(written, ["2026-04-14T10:05:00Z"]);
}

/// Two memories of one directory that cannot both hold, each with the time it was said.
fn standing(times: [&str; 2]) -> TestMemory {
    let said = |time: &str, tool: &str| {
        let text = format!("Bugs are filed in {tool}");
        format!("---\nname: Bugs\ndescription: {text}\ntype: reference\nmodified: {time}\n---\n\n{text}.\n")
    };
    TestMemory::with(&[("reference_a.md", &said(times[0], "Trello")), ("reference_b.md", &said(times[1], "Linear"))])
}

#[test]
fn k6_k7_of_two_that_cannot_both_hold_the_later_is_proposed_and_nothing_lands() {
    let (early, late) = ("2026-04-01T09:00:00Z", "2026-04-01T10:05:00Z");
    for (times, goes) in [([early, late], "reference_a.md"), ([late, early], "reference_b.md")] {
        let bench = standing(times);
        let memory = bench.memory();
        let before = bench.bytes();
        let input = DreamInput { yes: true, ..DreamInput::of(Scope::Private) };
        let plan = memory.dream().plan(&input, &mut |_| {}).unwrap();
        let removed: Vec<&str> =
            plan.waiting.iter().filter(|one| one.action == "remove").map(|one| &*one.file).collect();
        assert_eq!((plan.changes.len(), removed), (0, vec![goes]), "{:?}", plan.waiting);
        memory.dream().land(&plan, None, &|| true).unwrap();
        assert_eq!(bench.bytes(), before);
    }
    // Said at the same time: both stay, and a person is told.
    let bench = standing([early, early]);
    let plan = bench.memory().dream().plan(&DreamInput::of(Scope::Private), &mut |_| {}).unwrap();
    assert!(plan.waiting.is_empty() && plan.unsure.len() == 1, "{:?} {:?}", plan.waiting, plan.unsure);
}

#[test]
fn a_dream_says_how_many_memories_of_how_many_it_has_read() {
    let bench = TestMemory::new();
    let trades = ["harbour", "bakery", "clinic", "orchard", "foundry", "library"];
    for at in 0..60 {
        let text = format!("The {} keeps its ledger number {at} in drawer {}", trades[at % 6], at / 6);
        let topic = format!("---\nname: Ledger {at}\ndescription: {text}\ntype: project\n---\n\n{text}\n");
        bench.put(&format!("project_ledger_{at}.md"), topic);
    }
    let mut read = Vec::new();
    let memory = bench.memory_at("2026-04-14T23:00:00[UTC]");
    let mut hear = |step: DreamProgress<'_>| {
        if let DreamProgress::Step(Phase::Orient, _, done, total) = step {
            read.push((done, total));
        }
    };
    memory.dream().plan(&DreamInput::of(Scope::Private), &mut hear).unwrap();
    assert_eq!(read, [(0, 60), (25, 60), (50, 60)]);
}
