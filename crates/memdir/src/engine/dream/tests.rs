//! The offline dream on real directories.

use super::*;
use crate::engine::test_memory::{TestMemory, store, topic};

/// The workspace of a bench, without vectors.
pub(super) fn workspace(bench: &TestMemory) -> Workspace {
    let memory = bench.memory();
    let store = store(&memory);
    store.notice(memory.now.timestamp()).unwrap();
    Workspace::of(&memory, store, std::collections::HashMap::new()).unwrap()
}

fn plan(memory: &Memory, yes: bool) -> DreamPlan {
    let input = DreamInput { yes, ..DreamInput::of(Scope::Private) };
    memory.dream().plan(&input, &mut |_| {}).unwrap()
}

/// Two memories of which one has every sentence of the other, and one that says something else.
fn pair() -> TestMemory {
    let rule = "Never mock the database in integration tests.\n\n**Why:** Mocks hid a broken migration.";
    let bench = TestMemory::with(&[
        ("feedback_a.md", &topic("feedback", "No mocks", rule)),
        (
            "feedback_b.md",
            &topic("feedback", "Real database", &format!("{rule}\nThe docker Postgres starts in seconds.")),
        ),
        ("user_c.md", &topic("user", "Role", "Platform engineer.")),
    ]);
    bench.put("MEMORY.md", INDEX);
    bench
}

const INDEX: &str = "# Ours\r\n\r\n* [Mocks](feedback_a.md): the rule that Mara fought for\r\n- [DB](feedback_b.md) — what to use\r\nloose words";

#[test]
fn d3_h3_a_duplicate_goes_with_nothing_lost_and_undo_brings_both_back() {
    let bench = pair();
    let memory = bench.memory();
    let before = bench.bytes();
    let plan = plan(&memory, true);
    assert!(plan.checks.iter().all(|check| check.ok), "{:?}", plan.checks);
    let dreamt = memory.dream().land(&plan, None, &|| true).unwrap();
    assert!(!bench.dir().join("feedback_a.md").exists(), "{:?}", plan.changes);
    let text = bench.read("feedback_b.md");
    // Also what only its name, its description and its line in the index said.
    for fact in ["broken migration", "docker Postgres", "No mocks in short", "the rule that Mara fought for"] {
        assert!(text.contains(fact), "{text}");
    }
    assert_eq!(bench.read("MEMORY.md"), "# Ours\r\n\r\n- [DB](feedback_b.md) — what to use\r\nloose words");
    memory.history().undo(Some(dreamt.change.as_deref().unwrap())).unwrap();
    assert_eq!(bench.bytes(), before);
}

#[test]
fn h4_the_first_dream_only_proposes_and_is_not_repeated() {
    let bench = pair();
    let before = bench.bytes();
    let memory = bench.memory();
    let first = plan(&memory, false);
    assert!(first.first && first.changes.is_empty() && first.waiting.len() == 2, "{:?}", first.changes);
    let dreamt = memory.dream().land(&first, None, &|| true).unwrap();
    assert_eq!((dreamt.change, dreamt.proposals.len()), (None, 1));
    assert_eq!(bench.bytes(), before);
    // The next night asks nothing new, and has still no leave.
    let again = plan(&memory, false);
    assert!(again.first && again.is_empty(), "{:?}", again.waiting);
    memory.dream().land(&again, None, &|| true).unwrap();
    assert!(plan(&memory, false).first);
    let landed = memory.inbox().accept(&dreamt.proposals[0]).unwrap();
    assert_eq!(landed.files.len(), 2, "{landed:?}");
    assert_eq!(bench.read("MEMORY.md"), "# Ours\r\n\r\n- [DB](feedback_b.md) — what to use\r\nloose words");
    assert!(!plan(&memory, false).first, "accepting it was a yes");
}

#[test]
fn h4_what_was_turned_down_is_not_proposed_again_and_does_not_land() {
    let bench = pair();
    let before = bench.bytes();
    let memory = bench.memory();
    let dreamt = memory.dream().land(&plan(&memory, false), None, &|| true).unwrap();
    memory.inbox().reject(&dreamt.proposals[0]).unwrap();
    for yes in [false, true] {
        let again = plan(&memory, yes);
        assert!(again.is_empty(), "{:?} {:?}", again.changes, again.waiting);
        memory.dream().land(&again, None, &|| true).unwrap();
    }
    assert_eq!(bench.bytes(), before);
}

#[test]
fn h4_one_dream_changes_no_more_than_its_budget_and_asks_for_the_rest() {
    let mut files: Vec<(String, String)> = Vec::new();
    for (at, thing) in ["harbour", "kitchen", "library", "orchard"].into_iter().enumerate() {
        let text = topic("project", thing, &format!("The {thing} opens at {at} sharp."));
        files.push((format!("project_{thing}_a.md"), text.clone()));
        files.push((format!("project_{thing}_b.md"), text));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
    let bench = TestMemory::with(&files).set("MEMDIR_DREAM_MAX_CHANGES", "3");
    let memory = bench.memory();
    let plan = plan(&memory, true);
    assert_eq!((plan.changes.len(), plan.waiting.len()), (3, 1), "{:?}\n{}", plan.changes, plan.diff());
    let dreamt = memory.dream().land(&plan, None, &|| true).unwrap();
    let files = dreamt.files.iter().filter(|file| *file != "MEMORY.md").count();
    assert_eq!((files, dreamt.proposals.len()), (3, 1));
}

#[test]
fn h2_h3_strangers_memory_stays_byte_for_byte() {
    let long = |extra: &str| {
        format!(
            "## Queue\n\nThe queue moved from the old broker to Kestrel this week. Workers ack late.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n{extra}"
        )
    };
    let bench = TestMemory::with(&[
        ("project_queue.md", &topic("project", "queue-design", &long(""))),
        (
            "project_queue_old.md",
            &topic("project", "queue-broker", &long("\nThe old broker listens on port 5671 today.\n")),
        ),
        ("project_ko.md", &topic("project", "배포", "오늘 배포는 20日 까지 미룬다. 다음 주 금요일에 다시 본다.")),
        ("project_zh.md", &topic("project", "上线", "记录于 2026-04-06:小程序下周三上线,今天封版。")),
        (
            "project_en.md",
            &topic("project", "Demo", "Noted on 2026-04-09: the demo is next Tuesday, in 5 years nobody asks."),
        ),
    ]);
    let index = "# Memory\n\nSome prose.\n- [Queue, the design](project_queue.md) — everything about how we got here, and why it is so long that no other line of this index comes near to it in length, which is how its author wanted it\n- a plain note without a link\n- [Gone](gone.md) — words that stand nowhere else\n";
    bench.put("MEMORY.md", index);
    let before = bench.bytes();
    let memory = bench.memory();
    for _ in 0..2 {
        let plan = plan(&memory, true);
        assert!(plan.changes.is_empty(), "{:?}", plan.changes);
        let dangling = plan.checks.iter().find(|check| check.name == "index-leads-somewhere").unwrap();
        assert!(!dangling.ok && dangling.detail.contains("gone.md"), "{dangling:?}");
        memory.dream().land(&plan, None, &|| true).unwrap();
        assert_eq!(bench.bytes(), before);
    }
}

#[test]
fn d3_a_dream_after_a_dream_does_nothing() {
    let bench = pair();
    let memory = bench.memory();
    memory.dream().land(&plan(&memory, true), None, &|| true).unwrap();
    let memory = bench.memory();
    let again = plan(&memory, true);
    assert!(again.is_empty(), "{:?}", again.changes);
}

#[test]
fn d3_a_pinned_memory_is_neither_changed_nor_removed() {
    let bench = pair();
    for file in ["feedback_a.md", "feedback_b.md"] {
        let text = bench.read(file).replace("type: feedback\n", "type: feedback\npinned: true\n");
        bench.put(file, text);
    }
    let memory = bench.memory();
    let before = (bench.read("feedback_a.md"), bench.read("feedback_b.md"));
    memory.dream().land(&plan(&memory, true), None, &|| true).unwrap();
    assert_eq!((bench.read("feedback_a.md"), bench.read("feedback_b.md")), before);
}

#[test]
fn h1_what_should_not_have_been_kept_is_proposed_whatever_was_said_before() {
    let bench = TestMemory::with(&[
        ("project_a.md", &topic("project", "Layout", "src/a has handlers, src/b has queries.")),
        ("user_c.md", &topic("user", "Role", "Platform engineer.")),
    ]);
    bench.put("MEMORY.md", "- [Layout](project_a.md) — hook\n- [Role](user_c.md) — hook\n");
    let memory = bench.memory();
    let plan = plan(&memory, true);
    assert_eq!((plan.changes.len(), plan.waiting.len()), (0, 1), "{:?}", plan.changes);
    let dreamt = memory.dream().land(&plan, None, &|| true).unwrap();
    assert!(dreamt.change.is_none() && bench.dir().join("project_a.md").exists());
    let landed = memory.inbox().accept(&dreamt.proposals[0]).unwrap();
    assert_eq!(landed.files.len(), 1, "{landed:?}");
    assert!(!bench.dir().join("project_a.md").exists());
    assert_eq!(bench.read("MEMORY.md"), "- [Role](user_c.md) — hook\n");
}

/// Two short memories, one of which tells what became of the other.
fn moved(times: [&str; 2]) -> TestMemory {
    let said = |name: &str, time: &str, text: &str| {
        let modified = if time.is_empty() { String::new() } else { format!("metadata:\n  modified: {time}\n") };
        topic("project", name, text).replace("type: project\n", &format!("type: project\n{modified}"))
    };
    TestMemory::with(&[
        ("project_old.md", &said("Build server", times[0], "Jenkins builds every branch.")),
        ("project_new.md", &said("Builds", times[1], "Builds moved from the build server Jenkins to Buildkite.")),
    ])
    .set("MEMDIR_DREAM_MAX_LOSS", "1")
}

#[test]
fn k6_h1_what_outdates_another_memory_is_proposed_unless_it_was_said_before() {
    let (early, late) = ("2026-01-02T10:00:00Z", "2026-03-02T10:00:00Z");
    for (times, lands, waits) in [([early, late], 0, 1), (["", ""], 0, 1), ([late, early], 0, 0)] {
        let bench = moved(times);
        let plan = plan(&bench.memory(), true);
        let goes = |list: &[DreamChange]| list.iter().filter(|change| change.file == "project_old.md").count();
        assert_eq!((goes(&plan.changes), goes(&plan.waiting)), (lands, waits), "{times:?} {:?}", plan.waiting);
    }
}

#[test]
fn d2_a_file_that_changed_meanwhile_stays_and_the_rest_lands() {
    let bench = pair();
    let memory = bench.memory();
    let plan = plan(&memory, true);
    let gone = plan.changes.iter().find(|change| change.action == "remove").unwrap().file.clone();
    bench.put(&gone, topic("feedback", "Mine", "I was faster."));
    let dreamt = memory.dream().land(&plan, None, &|| true).unwrap();
    assert_eq!(dreamt.overtaken, std::slice::from_ref(&gone));
    assert!(bench.read(&gone).contains("I was faster"));
    assert!(bench.read("MEMORY.md").contains(&gone));
}

#[test]
fn d2_a_run_that_is_not_the_owner_any_more_lands_nothing() {
    let bench = pair();
    let memory = bench.memory();
    let before = bench.bytes();
    assert!(memory.dream().land(&plan(&memory, true), None, &|| false).is_err());
    assert_eq!(bench.bytes(), before);
}

#[test]
fn l2_a_log_is_distilled_once() {
    let bench = TestMemory::with(&[("user_c.md", &topic("user", "Role", "Platform engineer."))]);
    bench.put("logs/2026/04/2026-04-09.md", "# 2026-04-09\n- 08:40 ran the tests\n- 09:05 user: storm exercise next Tuesday, nobody deploys ingestion that day\n");
    let memory = bench.memory();
    memory.dream().land(&plan(&memory, true), None, &|| true).unwrap();
    let made: Vec<String> = bench
        .bytes()
        .into_keys()
        .filter(|file| file.starts_with("project_") || file.starts_with("feedback_"))
        .collect();
    assert_eq!(made.len(), 1, "{made:?}");
    assert!(bench.read(&made[0]).contains("2026-04-14"));
    let candidates = memory.files().meant(&made[0]).unwrap().memories;
    memory.files().forget(&candidates).unwrap();
    assert!(plan(&bench.memory(), false).is_empty(), "what was forgotten does not come back");
}

#[test]
fn l2_h4_in_log_mode_our_own_log_is_distilled_unasked_and_beside_others_memory_it_is_proposed() {
    for others in [false, true] {
        let bench = TestMemory::new().set("MEMDIR_MODE", "log");
        if others {
            bench.put("user_c.md", topic("user", "Role", "Platform engineer."));
        }
        bench.put(
            "logs/2026/04/2026-04-09.md",
            "- 09:05 user: storm exercise next Tuesday, nobody deploys ingestion that day\n",
        );
        let memory = bench.memory();
        let plan = plan(&memory, false);
        assert_eq!(
            (plan.first, plan.changes.len(), plan.waiting.len()),
            if others { (true, 0, 1) } else { (false, 1, 0) }
        );
        memory.dream().land(&plan, None, &|| true).unwrap();
        let made = bench.bytes().into_keys().any(|file| file.starts_with("project_") || file.starts_with("feedback_"));
        assert_eq!(made, !others);
    }
}

/// A memory of an earlier day, and a day's log in which the user says something about it.
fn told_later(name: &str, text: &str, said: &str) -> TestMemory {
    let bench = TestMemory::with(&[
        ("project_known.md", &topic("project", name, text)),
        ("user_c.md", &topic("user", "Role", "Platform engineer.")),
    ]);
    bench.put("logs/2026/04/2026-04-14.md", format!("# 2026-04-14\n- 09:05 user: {said}\n"));
    let written = "2026-04-10T08:00:00Z".parse().unwrap();
    memdir_store::fs::set_modified(&bench.dir().join("project_known.md"), written).unwrap();
    bench
}

#[test]
fn l2_d3_a_day_that_moved_is_moved_and_undo_brings_it_back() {
    for (said, day) in [
        ("the vendor feed launch is delayed, it comes two days later than planned", "2026-04-22"),
        ("the vendor feed launch was postponed to 2026-05-04", "2026-05-04"),
    ] {
        let bench = told_later("Vendor feed launch", "The vendor feed launch is on 2026-04-20.", said);
        let memory = bench.memory();
        let before = bench.read("project_known.md");
        let dreamt = memory.dream().land(&plan(&memory, true), None, &|| true).unwrap();
        let text = bench.read("project_known.md");
        assert!(text.contains(day) && !text.contains("2026-04-20"), "{said}: {text}");
        memory.history().undo(Some(dreamt.change.as_deref().unwrap())).unwrap();
        assert_eq!(bench.read("project_known.md"), before);
    }
}

#[test]
fn l2_k2_a_decision_replaces_what_it_decides_and_the_reason_for_it() {
    let text = "We track tickets in Trello.\n\n**Why:** the client pays for it.";
    let said = "we no longer track tickets in Trello, we decided to track tickets in Linear";
    let bench = told_later("Ticket tracking in Trello", text, said);
    let memory = bench.memory();
    memory.dream().land(&plan(&memory, true), None, &|| true).unwrap();
    let text = bench.read("project_known.md");
    assert!(text.contains("Linear") && !text.contains("the client pays for it"), "{text}");
    assert!(!text.contains("We track tickets in Trello."), "{text}");
}

/// The log is older than the memory: what it says was known when the memory was written.
#[test]
fn l2_what_is_older_than_the_memory_changes_nothing_in_it() {
    let bench = told_later("Vendor feed launch", "The vendor feed launch is on 2026-04-20.", "x");
    bench.put(
        "logs/2026/04/2026-04-01.md",
        "# 2026-04-01\n- 09:05 user: the vendor feed launch is delayed, it comes two days later than planned\n",
    );
    let memory = bench.memory();
    let before = bench.read("project_known.md");
    memory.dream().land(&plan(&memory, true), None, &|| true).unwrap();
    assert_eq!(bench.read("project_known.md"), before);
}

#[test]
fn h3_a_value_that_goes_without_another_in_its_place_is_taken_back() {
    for (after, taken) in [("Backups run.", 1), ("Backups run at 04:00 and are kept for 14 days.", 0)] {
        let told = "Backups run at 03:00 and are kept for 30 days.";
        let bench = TestMemory::with(&[("project_a.md", &topic("project", "Backups", told))]);
        let mut workspace = workspace(&bench);
        let candidate = &mut workspace.candidates[0];
        candidate.topic.set_body(&format!("{after}\n"));
        let reason = "said later".to_owned();
        candidate.dropped.push(workspace::DiscardedLine { line: told.to_owned(), reason });
        assert_eq!(checks::take_back(&mut workspace).len(), taken, "{after}");
    }
}

/// A team memory in which sync kept both sides.
fn torn(one: &str, other: &str) -> String {
    use memdir_team::merge::merge;
    let base = topic("project", "Releases", "Mara cuts releases.\n\n**Why:** she has the keys.");
    let side = |text: &str| base.replace("Mara cuts releases.", text);
    merge(Some(&base), &side(one), &side(other))
}

/// A private memory, and one of the team's with its pointer.
fn with_team_memory(text: &str) -> TestMemory {
    let bench = TestMemory::with(&[("user_c.md", &topic("user", "Role", "Platform engineer."))]);
    bench.put("team/project_releases.md", text);
    bench.put("team/MEMORY.md", "- [Releases](project_releases.md) — who cuts them\n");
    bench
}

#[test]
fn t1_d3_a_conflict_that_the_wording_decides_is_resolved_and_undo_brings_it_back() {
    let both = torn("Jon took over cutting releases from Ada.", "Ada is cutting releases.");
    assert!(memdir_team::merge::has_conflict(&both), "{both}");
    let bench = with_team_memory(&both);
    let memory = bench.memory();
    let plan = plan(&memory, true);
    assert!(plan.checks.iter().all(|check| check.ok), "{:?}", plan.checks);
    assert!(plan.unsure.is_empty(), "{:?}", plan.unsure);
    let change = plan.changes.iter().find(|change| change.file == "team/project_releases.md").unwrap();
    assert!(change.why.contains("“Ada is cutting releases.” went"), "{}", change.why);
    let dreamt = memory.dream().land(&plan, None, &|| true).unwrap();
    let text = bench.read("team/project_releases.md");
    assert!(text.contains("Jon took over") && text.contains("she has the keys"), "{text}");
    assert!(!text.contains("Ada is cutting") && !memdir_team::merge::has_conflict(&text), "{text}");
    memory.history().undo(Some(dreamt.change.as_deref().unwrap())).unwrap();
    assert_eq!(bench.read("team/project_releases.md"), both);
}

#[test]
fn t1_d3_a_conflict_that_nothing_decides_stays_byte_for_byte_and_a_person_hears_of_it() {
    let both = torn("Jon cuts releases next week.", "Ada cuts releases.");
    let bench = TestMemory::with(&[("user_c.md", &topic("user", "Role", "Platform engineer."))]);
    bench.put("team/project_releases.md", &both);
    // One that is near to it: a conflict is merged with nothing.
    bench.put("team/project_releases_b.md", topic("project", "Releases", "Ada cuts releases."));
    bench.put(
        "team/MEMORY.md",
        "- [Releases](project_releases.md) — who cuts them\n- loose: Jon cuts the releases of the shop\n",
    );
    let memory = bench.memory();
    let plan = plan(&memory, true);
    let told = plan.unsure.iter().find(|unsure| unsure.files == ["team/project_releases.md"]).unwrap();
    assert!(told.why.contains("both are kept"), "{}", told.why);
    memory.dream().land(&plan, None, &|| true).unwrap();
    assert_eq!(bench.read("team/project_releases.md"), both);
}

#[test]
fn t1_d3_a_second_description_goes_when_the_text_says_it() {
    let base = topic("project", "Releases", "Mara cuts releases every Tuesday morning.");
    let side = |text: &str| base.replace("Releases in short", text);
    let both = memdir_team::merge::merge(Some(&base), &side("Mara cuts releases"), &side("Release day and captain"));
    assert!(both.contains("other-description"), "{both}");
    let bench = with_team_memory(&both);
    let memory = bench.memory();
    let plan = plan(&memory, true);
    assert!(plan.checks.iter().all(|check| check.ok), "{:?}", plan.checks);
    memory.dream().land(&plan, None, &|| true).unwrap();
    let text = bench.read("team/project_releases.md");
    assert!(text.contains("description: Release day and captain") && !text.contains("other-"), "{text}");
}
