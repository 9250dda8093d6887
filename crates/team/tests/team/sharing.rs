//! Small stories of two or three machines.

use memdir_core::limits::TEAM_TIDY_SECONDS;
use memdir_team::bucket::{Bucket, Objects as _};
use memdir_team::transport::Transport as _;
use memdir_testkit::bucket::InMemoryBucket;

use super::machine::{Machine, is_quiet};

const TEXT: &str = "---\nname: Releases\ndescription: d\ntype: project\n---\n\nMara cuts releases.\n\nOn Tuesdays.\n";

fn team(machines: usize) -> (InMemoryBucket, Vec<Machine>) {
    let store = InMemoryBucket::default();
    let machines = (0..machines).map(|_| Machine::new(&store, 1, 0)).collect();
    (store, machines)
}

#[test]
fn t1_a_memory_comes_to_the_others_and_nothing_to_do_is_one_request() {
    let (_, mut team) = team(2);
    team[0].put("releases.md", TEXT);
    team[0].put("MEMORY.md", "- [Releases](releases.md) — Mara\n");
    assert_eq!(team[0].sync().unwrap().pushed, ["MEMORY.md", "releases.md"]);
    assert_eq!(team[1].sync().unwrap().pulled, ["MEMORY.md", "releases.md"]);
    assert_eq!(team[0].local.files, team[1].local.files);
    for machine in &mut team {
        let before = machine.store.counts().requests();
        assert!(is_quiet(&machine.sync().unwrap()));
        assert_eq!(machine.store.counts().requests() - before, 1);
    }
}

#[test]
fn two_people_edit_one_memory_in_two_paragraphs_and_both_stay() {
    let (_, mut team) = team(2);
    team[0].put("releases.md", TEXT);
    team[0].sync().unwrap();
    team[1].sync().unwrap();
    team[0].put("releases.md", &TEXT.replace("Mara cuts", "Mara and Jon cut"));
    team[1].put("releases.md", &TEXT.replace("Tuesdays", "Thursdays"));
    team[0].sync().unwrap();
    assert!(team[1].sync().unwrap().conflicts.is_empty());
    team[0].sync().unwrap();
    let both = TEXT.replace("Mara cuts", "Mara and Jon cut").replace("Tuesdays", "Thursdays");
    assert_eq!(team[0].text("releases.md").unwrap(), both);
    assert_eq!(team[1].text("releases.md").unwrap(), both);
}

#[test]
fn a_deletion_reaches_the_others_and_does_not_come_back_with_somebody_who_forgot() {
    let (_, mut team) = team(3);
    team[0].put("releases.md", TEXT);
    for machine in &mut team {
        machine.sync().unwrap();
    }
    team[0].local.files.clear();
    team[0].sync().unwrap();
    // One that knows what was common, and one whose state directory is gone.
    team[2].disk.kept = memdir_team::base::BaseInMemory::default();
    team[1].sync().unwrap();
    team[2].sync().unwrap();
    assert!(team.iter().all(|machine| machine.local.files.is_empty()));
}

#[test]
fn an_edit_is_kept_when_somebody_else_deletes_the_memory_meanwhile() {
    let (_, mut team) = team(2);
    team[0].put("releases.md", TEXT);
    team[0].sync().unwrap();
    team[1].sync().unwrap();
    team[0].local.files.clear();
    team[0].sync().unwrap();
    team[1].put("releases.md", &TEXT.replace("Mara", "Ada"));
    team[1].sync().unwrap();
    team[0].sync().unwrap();
    assert!(team[0].text("releases.md").unwrap().contains("Ada"));
}

#[test]
fn old_versions_are_removed_when_their_time_has_come_and_not_before() {
    let (store, mut team) = team(2);
    for version in 0..30 {
        team[0].put("releases.md", &TEXT.replace("Tuesdays", &format!("day {version}")));
        team[0].sync().unwrap();
    }
    // A content, a leaf and a head each time; the head is one object.
    assert_eq!(store.size().0, 61);
    let bucket = || Bucket::new(store.another(), &team[0].layout);
    // The first time notes where things stand; what is old goes with the second, and not a moment too early.
    assert_eq!((bucket().tidy(false).unwrap().removed, store.size().0), (0, 62));
    store.pass(TEAM_TIDY_SECONDS - 1);
    let early = bucket().tidy(false).unwrap();
    assert_eq!((early.removed, early.wait_seconds), (0, Some(1)));
    store.pass(1);
    let planned = bucket().tidy(true).unwrap();
    assert_eq!((planned.removed, store.size().0), (58, 62));
    let done = bucket().tidy(false).unwrap();
    assert_eq!((done.removed, done.kept, store.size().0), (58, 2, 4));
    assert_eq!(done.removed_bytes, planned.removed_bytes);
    // Somebody new takes it in, and somebody who was there goes on.
    team[1].sync().unwrap();
    assert!(team[1].text("releases.md").unwrap().contains("day 29"));
    team[0].put("releases.md", TEXT);
    assert_eq!(team[0].sync().unwrap().pushed, ["releases.md"]);
    team[1].sync().unwrap();
    assert_eq!(team[1].text("releases.md").unwrap(), TEXT);
}

#[test]
fn one_object_that_is_not_what_it_should_be_keeps_nobody_from_the_others() {
    let (store, mut team) = team(2);
    team[0].put("bomb.md", TEXT);
    team[0].put("fine.md", &TEXT.replace("Mara", "Ada"));
    team[0].sync().unwrap();
    let content =
        |text: &str| format!("objects/{}", Bucket::new(store.clone(), &team[0].layout).id_of(text.as_bytes()));
    store.put(&content(TEXT), &vec![b'x'; 50_000_000]).unwrap();
    let synced = team[1].sync().unwrap();
    assert_eq!(synced.pulled, ["fine.md"]);
    assert!(synced.kept_out[0].file == "bomb.md" && synced.kept_out[0].reason.starts_with("too-large"), "{synced:?}");
    assert!(team[1].store.counts().bytes_out < 5_000);
    // Written once more by somebody who has it, it comes.
    team[0].put("bomb.md", &TEXT.replace("Mara", "Jon"));
    team[0].sync().unwrap();
    assert_eq!(team[1].sync().unwrap().pulled, ["bomb.md"]);
}
