//! Small stories of two or three machines.

use memdir::team::bucket::ModelStore;

use super::machine::Machine;

const TEXT: &str = "---\nname: Releases\ndescription: d\ntype: project\n---\n\nMara cuts releases.\n\nOn Tuesdays.\n";

fn team(machines: usize) -> (ModelStore, Vec<Machine>) {
    let store = ModelStore::default();
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
        assert!(machine.sync().unwrap().is_quiet());
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
    team[2].disk.kept = memdir::team::base::BaseInMemory::default();
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
