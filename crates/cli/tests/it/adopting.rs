//! Project identity: renamed, moved, cloned afresh, and never mixed (P3).

use super::{env, git_env};

#[test]
fn after_a_rename_the_memory_is_offered_and_adopted_with_its_history() {
    let env = git_env();
    let saved = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let old = env.memory();
    let new_place = env.home().join("work/renamed");
    std::fs::rename(env.project(), &new_place).unwrap();
    std::fs::create_dir_all(env.project()).unwrap();
    let status = env.run_in(&new_place, &["status", "--json"]).ok().json();
    assert_eq!(status["former"][0]["dir"].as_str().unwrap(), old.to_str().unwrap());
    assert!(status["warnings"].to_string().contains("memdir adopt"), "{status}");
    assert_eq!(status["counts"]["feedback"], 0);
    let adopted = env.run_in(&new_place, &["adopt", "--yes", "--json"]).ok().json();
    assert_eq!(adopted["files"].as_array().unwrap().len(), 2);
    assert!(!old.exists());
    let history = env.run_in(&new_place, &["history", "--json"]).ok().json();
    assert_eq!(history["changes"][0]["id"], saved["change"]);
    env.run_in(&new_place, &["undo", saved["change"].as_str().unwrap()]).ok();
}

#[test]
fn a_fresh_clone_elsewhere_finds_the_memory_by_its_root_commit() {
    let env = git_env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let clone = env.home().join("other/checkout");
    std::fs::create_dir_all(clone.parent().unwrap()).unwrap();
    env.git(&env.home(), &["clone", "-q", env.project().to_str().unwrap(), clone.to_str().unwrap()]);
    let status = env.run_in(&clone, &["status", "--json"]).ok().json();
    assert_eq!(status["former"].as_array().unwrap().len(), 1, "{status}");
}

#[test]
fn same_named_different_repositories_never_mix() {
    let env = git_env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let other = env.home().join("other/app");
    env.init_repository(&other, "something else");
    let status = env.run_in(&other, &["status", "--json"]).ok().json();
    assert_eq!(status["former"].as_array().unwrap().len(), 0);
    env.run_in(&other, &["adopt", "--yes"]).fails(1);
}

#[test]
fn two_paths_with_one_slug_do_not_share_memory() {
    let env = env();
    let (one, two) = (env.home().join("w/my-app"), env.home().join("w/my/app"));
    env.init_repository(&one, "one");
    env.init_repository(&two, "two");
    env.run_in(&one, &["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let status = env.run_in(&two, &["status", "--json"]).ok().json();
    assert!(status["warnings"].to_string().contains("belongs to"), "{status}");
    env.run_in(&two, &["remember", "Use CET everywhere", "--type", "feedback"]).fails(1).says("adopt");
    env.run_in(&two, &["forget", "feedback_use_utc_everywhere.md"]).fails(1);
    let list = env.run_in(&one, &["list", "--json"]).ok().json();
    assert_eq!(list["memories"].as_array().unwrap().len(), 1);
    // Adopting is the user's decision that they are one.
    env.run_in(&two, &["adopt", "--yes"]).ok();
    env.run_in(&two, &["remember", "Use CET everywhere", "--type", "feedback"]).ok();
}

#[test]
fn another_repository_in_the_same_place_is_noticed() {
    let env = git_env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    std::fs::remove_dir_all(env.project()).unwrap();
    env.init_repository(&env.project(), "a different project");
    env.run(&["remember", "Never push on Fridays", "--type", "feedback"]).fails(1).says("adopt");
}

#[test]
fn a_directory_that_becomes_a_repository_keeps_its_memory() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    env.init_repository(&env.project(), "now under git");
    env.run(&["remember", "Never push on Fridays", "--type", "feedback"]).ok();
}

#[test]
fn adopting_into_a_place_with_memories_overwrites_none() {
    let env = git_env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback", "--name", "Clock"]).ok();
    let old = env.memory();
    let clone = env.home().join("clone");
    env.git(&env.home(), &["clone", "-q", env.project().to_str().unwrap(), clone.to_str().unwrap()]);
    env.run_in(&clone, &["remember", "Use CET in the morning", "--type", "feedback", "--name", "Clock"]).ok();
    let adopted = env.run_in(&clone, &["adopt", old.to_str().unwrap(), "--yes", "--json"]).ok().json();
    assert_eq!(adopted["files"].as_array().unwrap().len(), 1);
    let list = env.run_in(&clone, &["list", "--json"]).ok().json();
    assert_eq!(list["memories"].as_array().unwrap().len(), 2, "{list}");
    env.run_in(&clone, &["doctor"]).ok().prints("All is well");
}
