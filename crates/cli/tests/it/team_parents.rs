//! Teams above the project's own: what they say comes after, and stays theirs.

use memdir_testkit::TestEnv;
use serde_json::json;

use super::teaming::{join, member, remember, repository, sync};

/// An organisation with a memory, a project's own repository, and somebody who shares with both.
fn organisation() -> (TestEnv, TestEnv) {
    let (org, ada) = (member("org"), member("ada"));
    let shared = repository(&org).display().to_string();
    let own = org.home().join("own.git");
    std::fs::create_dir_all(&own).unwrap();
    org.git(&own, &["init", "-q", "--bare", "-b", "main"]);
    join(&org, &shared);
    remember(&org, "Freeze", "The organisation ships nothing in the last week of a year");
    sync(&org);
    join(&ada, &own.display().to_string());
    ada.run(&["team", "init", "--git", &shared, "--parent", "--name", "org"]).ok();
    sync(&ada);
    (org, ada)
}

#[test]
fn a_parent_comes_after_the_projects_own_team_and_a_reader_only_reads() {
    let (org, ada) = (member("org"), member("ada"));
    let shared = repository(&org);
    let own = org.home().join("own.git");
    std::fs::create_dir_all(&own).unwrap();
    org.git(&own, &["init", "-q", "--bare", "-b", "main"]);
    join(&org, &shared.display().to_string());
    for (file, text) in [("both.md", "The organisation says."), ("org.md", "Only the organisation.")] {
        org.write_memory(&format!("team/{file}"), text);
    }
    org.write_memory("team/MEMORY.md", "- [Both](both.md) — b\n- [Org](org.md) — o\n");
    sync(&org);
    join(&ada, &own.display().to_string());
    ada.run(&["team", "init", "--git", &shared.display().to_string(), "--parent", "--name", "org", "--read-only"]).ok();
    ada.write_memory("team/both.md", "The project says.");
    sync(&ada);
    // What the nearer team has is not said again by the farther one.
    assert!(ada.memory().join("team/from/org/org.md").exists() && !ada.memory().join("team/from/org/both.md").exists());
    assert_eq!(ada.read_memory("team/from/org/MEMORY.md"), "- [Org](org.md) — o\n");
    let index = ada.json(&["context", "--part", "index"]).to_string();
    assert!(index.contains("[Org](org.md)"), "{index}");
    assert!(index.contains("above this project's own"), "{index}");
    // It has an index of its own: nothing of it is missing, and nothing goes from it into the project's.
    assert_eq!(ada.json(&["list"])["memories"].to_string().matches("not-in-index").count(), 1);
    ada.run(&["doctor", "--fix", "--yes"]).ok();
    assert!(!ada.read_memory("team/MEMORY.md").contains("org"), "{}", ada.read_memory("team/MEMORY.md"));
    ada.write_memory("team/from/org/mine.md", "From a reader.");
    let synced = sync(&ada);
    assert!(synced["held_back"].to_string().contains("read-only"), "{synced}");
    assert_eq!(org.git(&shared, &["rev-list", "--count", "main"]).trim(), "1");
}

#[test]
fn what_the_nearer_team_has_counts_as_long_as_it_has_it() {
    let (_org, ada) = organisation();
    let far = "team/from/org/project_freeze.md";
    assert_eq!(ada.memory_files(), ["team/from/org/MEMORY.md", far]);
    // The project has its own rule by that name: the farther one goes, and says so.
    remember(&ada, "Freeze", "The app ships on every day of the year");
    let synced = sync(&ada);
    assert!(synced["kept_out"].to_string().contains("shadowed"), "{synced}");
    assert!(!ada.memory_files().contains(&far.to_owned()), "{:?}", ada.memory_files());
    // It has it no more: the farther one is back.
    ada.run(&["forget", "team/project_freeze.md"]).ok();
    assert_eq!(sync(&ada)["kept_out"], json!([]));
    assert!(ada.read_memory(far).contains("last week"));
}

#[test]
fn nothing_that_memdir_saves_by_itself_goes_into_a_memory_of_a_team_above() {
    let (org, ada) = organisation();
    let far = "team/from/org/project_freeze.md";
    let before = ada.read_memory(far);
    // The same name and the same thing, said once more for the project's own team.
    remember(&ada, "Freeze", "The organisation ships nothing in the last week of a year, says the app");
    assert_eq!(ada.read_memory(far), before);
    assert!(ada.read_memory("team/project_freeze.md").contains("says the app"));
    // What a person does there by hand counts: the line goes with the memory, in that team's index.
    ada.run(&["forget", "team/project_freeze.md"]).ok();
    ada.run(&["forget", far]).ok();
    assert!(!ada.read_memory("team/from/org/MEMORY.md").contains("project_freeze.md"));
    sync(&ada);
    sync(&org);
    assert_eq!(org.memory_files(), ["team/MEMORY.md"]);
}
