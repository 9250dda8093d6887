//! The offline dream on real directories.

use super::*;
use crate::engine::workbench::{Workbench, store, topic};

/// The desk of a bench, without vectors.
pub(super) fn desk(bench: &Workbench) -> Desk {
    let memory = bench.memory();
    let store = store(&memory);
    store.notice(memory.now.timestamp()).unwrap();
    Desk::of(&memory, store, std::collections::HashMap::new()).unwrap()
}

fn plan(memory: &Memory, accept_loss: bool) -> DreamPlan {
    let input = DreamInput { accept_loss, ..DreamInput::of(Scope::Private) };
    memory.plan_dream(&input, &mut |_, _| {}).unwrap()
}

fn pair() -> Workbench {
    Workbench::with(&[
        (
            "feedback_a.md",
            &topic(
                "feedback",
                "No mocks",
                "Never mock the database in integration tests.\n\n**Why:** Mocks hid a broken migration.",
            ),
        ),
        (
            "feedback_b.md",
            &topic(
                "feedback",
                "Real database",
                "Integration tests use the docker Postgres, never a mock of the database.\n\n**Why:** Constraint errors differ.",
            ),
        ),
        ("user_c.md", &topic("user", "Role", "Platform engineer.")),
    ])
}

#[test]
fn d3_duplicates_become_their_union_and_undo_brings_both_back() {
    let bench = pair();
    let memory = bench.memory();
    let before = bench.bytes();
    let plan = plan(&memory, false);
    assert!(plan.checks.iter().all(|check| check.ok), "{:?}", plan.checks);
    let dreamt = memory.land_dream(&plan, None, &|| true).unwrap();
    let left: Vec<String> = bench.bytes().into_keys().filter(|file| file.starts_with("feedback_")).collect();
    assert_eq!(left.len(), 1, "{:?}", plan.changes);
    let text = bench.read(&left[0]);
    for fact in ["broken migration", "docker Postgres", "Constraint errors"] {
        assert!(text.contains(fact), "{text}");
    }
    memory.undo(Some(dreamt.change.as_deref().unwrap())).unwrap();
    assert_eq!(bench.bytes(), before);
}

#[test]
fn d3_a_dream_after_a_dream_does_nothing() {
    let bench = pair();
    let memory = bench.memory();
    memory.land_dream(&plan(&memory, true), None, &|| true).unwrap();
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
    memory.land_dream(&plan(&memory, true), None, &|| true).unwrap();
    assert_eq!((bench.read("feedback_a.md"), bench.read("feedback_b.md")), before);
}

#[test]
fn d2_more_loss_than_allowed_waits_in_the_inbox_and_lands_with_a_yes() {
    let garbage = |number: usize| {
        topic(
            "project",
            &format!("Layout {number}"),
            &format!("src/a{number} has handlers, src/b{number} has queries."),
        )
    };
    let bench = Workbench::with(&[
        ("project_a.md", &garbage(1)),
        ("project_b.md", &garbage(2)),
        ("user_c.md", &topic("user", "Role", "Platform engineer.")),
    ]);
    let memory = bench.memory();
    let plan = plan(&memory, false);
    assert_eq!((plan.changes.len(), plan.waiting.len()), (0, 2), "{:?}", plan.changes);
    let dreamt = memory.land_dream(&plan, None, &|| true).unwrap();
    assert_eq!(dreamt.change, None);
    assert!(bench.dir().join("project_a.md").exists());
    let id = dreamt.proposal.unwrap();
    assert_eq!(memory.proposals().unwrap().len(), 1);
    let landed = memory.accept(&id).unwrap();
    assert_eq!(landed.files.len(), 2, "{landed:?}");
    assert!(!bench.dir().join("project_a.md").exists());
    assert!(!bench.read("MEMORY.md").contains("project_a.md"));
    assert!(memory.proposals().unwrap().is_empty());
}

#[test]
fn d2_a_file_that_changed_meanwhile_stays_and_the_rest_lands() {
    let bench = pair();
    let memory = bench.memory();
    let plan = plan(&memory, false);
    let gone = plan.changes.iter().find(|change| change.action == "remove").unwrap().file.clone();
    bench.put(&gone, topic("feedback", "Mine", "I was faster."));
    let dreamt = memory.land_dream(&plan, None, &|| true).unwrap();
    assert_eq!(dreamt.overtaken, std::slice::from_ref(&gone));
    assert!(bench.read(&gone).contains("I was faster"));
    assert!(bench.read("MEMORY.md").contains(&gone));
}

#[test]
fn d2_a_run_that_is_not_the_owner_any_more_lands_nothing() {
    let bench = pair();
    let memory = bench.memory();
    let before = bench.bytes();
    assert!(memory.land_dream(&plan(&memory, false), None, &|| false).is_err());
    assert_eq!(bench.bytes(), before);
}

#[test]
fn l2_a_log_is_distilled_once() {
    let bench = Workbench::with(&[("user_c.md", &topic("user", "Role", "Platform engineer."))]);
    bench.put("logs/2026/04/2026-04-09.md", "# 2026-04-09\n- 08:40 ran the tests\n- 09:05 user: storm exercise next Tuesday, nobody deploys ingestion that day\n");
    let memory = bench.memory();
    memory.land_dream(&plan(&memory, false), None, &|| true).unwrap();
    let made: Vec<String> = bench
        .bytes()
        .into_keys()
        .filter(|file| file.starts_with("project_") || file.starts_with("feedback_"))
        .collect();
    assert_eq!(made.len(), 1, "{made:?}");
    assert!(bench.read(&made[0]).contains("2026-04-14"));
    let candidates = memory.forget_candidates(&made[0]).unwrap();
    memory.forget(&candidates).unwrap();
    assert!(plan(&bench.memory(), false).is_empty(), "what was forgotten does not come back");
}

/// A memory of an earlier day, and a day's log in which the user says something about it.
fn told_later(name: &str, text: &str, said: &str) -> Workbench {
    let bench = Workbench::with(&[
        ("project_known.md", &topic("project", name, text)),
        ("user_c.md", &topic("user", "Role", "Platform engineer.")),
    ]);
    bench.put("logs/2026/04/2026-04-14.md", format!("# 2026-04-14\n- 09:05 user: {said}\n"));
    let written = "2026-04-10T08:00:00Z".parse().unwrap();
    crate::store::fs::set_modified(&bench.dir().join("project_known.md"), written).unwrap();
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
        let dreamt = memory.land_dream(&plan(&memory, true), None, &|| true).unwrap();
        let text = bench.read("project_known.md");
        assert!(text.contains(day) && !text.contains("2026-04-20"), "{said}: {text}");
        memory.undo(Some(dreamt.change.as_deref().unwrap())).unwrap();
        assert_eq!(bench.read("project_known.md"), before);
    }
}

#[test]
fn l2_d3_a_decision_replaces_what_it_decides_and_keeps_the_reason() {
    let text = "We track tickets in Trello.\n\n**Why:** the client pays for it.";
    let said = "we no longer track tickets in Trello, we decided to track tickets in Linear";
    let bench = told_later("Ticket tracking in Trello", text, said);
    let memory = bench.memory();
    memory.land_dream(&plan(&memory, true), None, &|| true).unwrap();
    let text = bench.read("project_known.md");
    assert!(text.contains("Linear") && text.contains("the client pays for it"), "{text}");
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
    memory.land_dream(&plan(&memory, true), None, &|| true).unwrap();
    assert_eq!(bench.read("project_known.md"), before);
}

/// A team memory in which sync kept both sides.
fn torn(one: &str, other: &str) -> String {
    use crate::team::merge::merge;
    let base = topic("project", "Releases", "Mara cuts releases.\n\n**Why:** she has the keys.");
    let side = |text: &str| base.replace("Mara cuts releases.", text);
    merge(Some(&base), &side(one), &side(other))
}

/// A private memory, and one of the team's with its pointer.
fn with_team_memory(text: &str) -> Workbench {
    let bench = Workbench::with(&[("user_c.md", &topic("user", "Role", "Platform engineer."))]);
    bench.put("team/project_releases.md", text);
    bench.put("team/MEMORY.md", "- [Releases](project_releases.md) — who cuts them\n");
    bench
}

#[test]
fn t1_d3_a_conflict_that_the_wording_decides_is_resolved_and_undo_brings_it_back() {
    let both = torn("Jon took over cutting releases from Ada.", "Ada is cutting releases.");
    assert!(crate::team::merge::has_conflict(&both), "{both}");
    let bench = with_team_memory(&both);
    let memory = bench.memory();
    let plan = plan(&memory, false);
    assert!(plan.checks.iter().all(|check| check.ok), "{:?}", plan.checks);
    assert!(plan.unsure.is_empty(), "{:?}", plan.unsure);
    let change = plan.changes.iter().find(|change| change.file == "team/project_releases.md").unwrap();
    assert!(change.why.contains("“Ada is cutting releases.” went"), "{}", change.why);
    let dreamt = memory.land_dream(&plan, None, &|| true).unwrap();
    let text = bench.read("team/project_releases.md");
    assert!(text.contains("Jon took over") && text.contains("she has the keys"), "{text}");
    assert!(!text.contains("Ada is cutting") && !crate::team::merge::has_conflict(&text), "{text}");
    memory.undo(Some(dreamt.change.as_deref().unwrap())).unwrap();
    assert_eq!(bench.read("team/project_releases.md"), both);
}

#[test]
fn t1_d3_a_conflict_that_nothing_decides_stays_byte_for_byte_and_a_person_hears_of_it() {
    let both = torn("Jon cuts releases next week.", "Ada cuts releases.");
    let bench = Workbench::with(&[("user_c.md", &topic("user", "Role", "Platform engineer."))]);
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
    memory.land_dream(&plan, None, &|| true).unwrap();
    assert_eq!(bench.read("team/project_releases.md"), both);
}

#[test]
fn t1_d3_a_second_description_goes_when_the_text_says_it() {
    let base = topic("project", "Releases", "Mara cuts releases every Tuesday morning.");
    let side = |text: &str| base.replace("Releases in short", text);
    let both = crate::team::merge::merge(Some(&base), &side("Mara cuts releases"), &side("Release day and captain"));
    assert!(both.contains("other-description"), "{both}");
    let bench = with_team_memory(&both);
    let memory = bench.memory();
    let plan = plan(&memory, false);
    assert!(plan.checks.iter().all(|check| check.ok), "{:?}", plan.checks);
    memory.land_dream(&plan, None, &|| true).unwrap();
    let text = bench.read("team/project_releases.md");
    assert!(text.contains("description: Release day and captain") && !text.contains("other-"), "{text}");
}

#[test]
fn i2_d3_an_index_over_25_kb_is_made_to_fit_and_what_its_lines_said_is_in_the_files() {
    let hook = |n: usize| {
        format!(
            "machine {n} of hall {} hums at {n} hertz when bearing number {n} runs warm, says the foreman of shift {n}, and the log of that week lists every reading",
            n % 9
        )
    };
    let bench = Workbench::new();
    let mut index = String::new();
    for n in 0..180 {
        bench.put(
            &format!("project_m{n}.md"),
            topic("project", &format!("Machine {n}"), &format!("Machine {n} stands in hall {}.", n % 9)),
        );
        index += &format!("- [Machine {n}](project_m{n}.md) — {}\n", hook(n));
    }
    bench.put("MEMORY.md", &index);
    assert!(
        index.len() > limits::INDEX_BYTES && index.lines().all(|line| line.chars().count() <= limits::LONG_LINE_CHARS)
    );
    let memory = bench.memory();
    let before = bench.bytes();
    let plan = plan(&memory, false);
    assert!(plan.checks.iter().all(|check| check.ok), "{:?}", plan.checks);
    let dreamt = memory.land_dream(&plan, None, &|| true).unwrap();
    let after = bench.read("MEMORY.md");
    assert!(after.len() <= limits::INDEX_BYTES, "{}", after.len());
    let left: Vec<usize> = (0..180).filter(|n| after.contains(&format!("(project_m{n}.md)"))).collect();
    assert!(left.len() > 100, "{}", left.len());
    for n in left {
        assert!(bench.read(&format!("project_m{n}.md")).contains(&format!("bearing number {n} runs warm")), "{n}");
    }
    memory.undo(Some(dreamt.change.as_deref().unwrap())).unwrap();
    assert_eq!(bench.bytes(), before);
}
