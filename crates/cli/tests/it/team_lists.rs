//! `team mute` and `team only`: names as people type them, memories as well as authors, and the lines of the index with them.

use memdir_testkit::TestEnv;

use super::teaming::{join, member, remember, repository, sync};

/// Two members whose memories both have.
fn two() -> (TestEnv, TestEnv) {
    let (ada, jon) = (member("Ada Marlow"), member("Jon Brandt"));
    let shared = repository(&ada).display().to_string();
    join(&ada, &shared);
    join(&jon, &shared);
    remember(&ada, "Releases", "Mara cuts releases on Tuesdays");
    sync(&ada);
    remember(&jon, "Depot hours", "The depot closes at five");
    remember(&jon, "Depot keys", "Keys of the depot hang behind the counter");
    sync(&jon);
    sync(&ada);
    assert_eq!(ada.memory_files().len(), 4, "{:?}", ada.memory_files());
    (ada, jon)
}

fn index(env: &TestEnv) -> String {
    env.read_memory("team/MEMORY.md")
}

#[test]
fn an_author_is_muted_by_the_beginning_of_the_name_with_all_index_lines_and_heard_again() {
    let (ada, _jon) = two();
    let muted = ada.json(&["team", "mute", "jon"]);
    assert_eq!((&muted["matched"], &muted["muted"][0]), (&true.into(), &"Jon Brandt <Jon Brandt@example.org>".into()));
    sync(&ada);
    assert_eq!(ada.memory_files(), ["team/MEMORY.md", "team/project_releases.md"]);
    assert!(index(&ada).contains("project_releases.md") && !index(&ada).contains("epot"), "{}", index(&ada));
    assert_eq!(ada.json(&["team", "unmute", "JON  brandt"])["muted"], serde_json::json!([]));
    sync(&ada);
    assert!(index(&ada).contains("closes at five") && ada.memory_files().len() == 4, "{}", index(&ada));
}

#[test]
fn one_memory_is_muted_by_file_or_title_and_the_others_stay() {
    let (ada, _jon) = two();
    for typed in [
        "project_depot_hours.md",
        "team/project_depot_hours.md",
        "project_depot_hours",
        "depot_hours",
        "Depot Hours",
        "depot h",
    ] {
        let muted = ada.json(&["team", "mute", typed]);
        assert_eq!(
            (&muted["matched"], &muted["muted"]),
            (&true.into(), &serde_json::json!(["project_depot_hours.md"])),
            "{typed}"
        );
        sync(&ada);
        assert!(!ada.memory_files().contains(&"team/project_depot_hours.md".to_owned()), "{typed}");
        assert!(!index(&ada).contains("depot_hours") && index(&ada).contains("depot_keys"), "{typed}: {}", index(&ada));
        assert_eq!(ada.json(&["team", "unmute", "depot_hours"])["matched"], true);
        sync(&ada);
        assert!(index(&ada).contains("closes at five"), "{typed}: {}", index(&ada));
    }
}

#[test]
fn a_name_that_fits_nothing_or_several_is_said() {
    let (ada, _jon) = two();
    let nobody = ada.run(&["team", "mute", "Quentin"]).ok();
    assert!(nobody.stderr.contains("nobody of that name") && nobody.stderr.contains("Jon Brandt"), "{}", nobody.stderr);
    let several = ada.run(&["team", "only", "depot"]).fails(1);
    for file in ["project_depot_hours.md", "project_depot_keys.md"] {
        assert!(several.stderr.contains(file), "{}", several.stderr);
    }
    let never = ada.run(&["team", "unmute", "Jon Brandt"]).ok();
    assert!(never.stderr.contains("muted are Quentin"), "{}", never.stderr);
    let status = ada.json(&["team", "status"])["teams"][0].clone();
    assert_eq!((&status["muted"], &status["only"]), (&serde_json::json!(["Quentin"]), &serde_json::json!([])));
    // Before anything was seen, that is said as well.
    let lone = member("lone");
    join(&lone, &repository(&lone).display().to_string());
    assert!(lone.run(&["team", "only", "ada"]).ok().stderr.contains("no sync has brought anything yet"));
}

#[test]
fn only_lets_in_what_is_named_and_never_takes_away_what_one_wrote_oneself() {
    let (ada, jon) = two();
    ada.run(&["team", "only", "Depot keys"]).ok();
    sync(&ada);
    let files = ["team/MEMORY.md", "team/project_depot_keys.md", "team/project_releases.md"];
    assert_eq!(ada.memory_files(), files);
    assert!(index(&ada).contains("Mara cuts releases") && !index(&ada).contains("depot_hours"), "{}", index(&ada));
    // Somebody who is not on the list changes it: the version that was written here stays, with its line.
    let text = jon.read_memory("team/project_releases.md");
    jon.write_memory("team/project_releases.md", text.replace("Tuesdays", "Sundays"));
    sync(&jon);
    let synced = sync(&ada);
    assert!(synced["kept_out"].to_string().contains("not-allowed"), "{synced}");
    assert!(ada.read_memory("team/project_releases.md").contains("Tuesdays"));
    assert!(index(&ada).contains("project_releases.md") && !index(&ada).contains("Sundays"), "{}", index(&ada));
}
