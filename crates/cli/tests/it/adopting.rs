//! Project identity: renamed, moved, cloned afresh, and never mixed (P3).

use serde_json::{Value, json};

use super::hooking::hook;
use super::{env, git_env};

#[test]
fn p3_after_a_rename_the_memory_is_offered_and_adopted_with_its_history() {
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
    assert_eq!(history["changes"][0]["id"], adopted["change"]);
    assert!(history["changes"][0]["reason"].as_str().unwrap().starts_with("adopt from "), "{history}");
    assert_eq!(history["changes"][1]["id"], saved["change"]);
    env.run_in(&new_place, &["undo", saved["change"].as_str().unwrap()]).ok();
}

#[test]
fn p3_a_fresh_clone_elsewhere_finds_the_memory_by_its_root_commit() {
    let env = git_env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let clone = env.home().join("other/checkout");
    std::fs::create_dir_all(clone.parent().unwrap()).unwrap();
    env.git(&env.home(), &["clone", "-q", env.project().to_str().unwrap(), clone.to_str().unwrap()]);
    let status = env.run_in(&clone, &["status", "--json"]).ok().json();
    assert_eq!(status["former"].as_array().unwrap().len(), 1, "{status}");
}

#[test]
fn p3_same_named_different_repositories_never_mix() {
    let env = git_env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let other = env.home().join("other/app");
    env.init_repository(&other, "something else");
    let status = env.run_in(&other, &["status", "--json"]).ok().json();
    assert_eq!(status["former"].as_array().unwrap().len(), 0);
    env.run_in(&other, &["adopt", "--yes"]).fails(1);
}

#[test]
fn p3_two_paths_with_one_slug_do_not_share_memory() {
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
fn p3_another_repository_in_the_same_place_is_noticed() {
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

/// A repository that was renamed, with its memory left behind.
fn renamed() -> (memdir_testkit::TestEnv, std::path::PathBuf, std::path::PathBuf) {
    let env = git_env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let (old, place) = (env.memory(), env.home().join("work/renamed"));
    std::fs::rename(env.project(), &place).unwrap();
    std::fs::create_dir_all(env.project()).unwrap();
    (env, old, place)
}

#[test]
fn p3_a_move_stands_in_the_history_and_is_taken_back() {
    let (env, old, place) = renamed();
    let told = json!({ "session_id": "s0", "cwd": place, "hook_event_name": "SessionStart", "source": "startup" });
    hook(&env, &["claude-code"], told.to_string().as_bytes());
    let adopted = env.run_in(&place, &["adopt", "--yes", "--json"]).ok().json();
    let here = std::path::PathBuf::from(adopted["to"].as_str().unwrap());
    assert!(!old.exists() && here.join("MEMORY.md").exists());
    let undone = env.run_in(&place, &["undo", "--json"]).ok().json();
    assert_eq!(undone["undone"][0], adopted["change"]);
    assert!(old.join("feedback_use_utc_everywhere.md").exists() && !here.join("MEMORY.md").exists());
    // It is as before: offered again, and with its own history.
    let status = env.run_in(&place, &["status", "--json"]).ok().json();
    assert_eq!(status["former"][0]["dir"], old.to_str().unwrap());
    let again = env.run_in(&place, &["adopt", "--yes", "--json"]).ok().json();
    env.run_in(&place, &["remember", "Never push on Fridays", "--type", "feedback"]).ok();
    // The newest act is another one now; by its name the move is still found.
    env.run_in(&place, &["undo"]).ok().prints("never_push");
    env.run_in(&place, &["undo", again["change"].as_str().unwrap()]).ok();
    assert!(old.join("feedback_use_utc_everywhere.md").exists());
}

#[test]
fn p3_files_that_were_moved_one_by_one_go_back_too() {
    let env = git_env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback", "--name", "Clock"]).ok();
    let old = env.memory();
    let clone = env.home().join("clone");
    env.git(&env.home(), &["clone", "-q", env.project().to_str().unwrap(), clone.to_str().unwrap()]);
    env.run_in(&clone, &["remember", "Use tabs in Makefiles", "--type", "feedback", "--name", "Tabs"]).ok();
    let adopted = env.run_in(&clone, &["adopt", old.to_str().unwrap(), "--yes", "--json"]).ok().json();
    assert!(!old.join("feedback_clock.md").exists());
    env.run_in(&clone, &["undo", adopted["change"].as_str().unwrap()]).ok();
    assert!(old.join("feedback_clock.md").exists());
    assert!(std::fs::read_to_string(old.join("MEMORY.md")).unwrap().contains("feedback_clock.md"));
    let list = env.run_in(&clone, &["list", "--json"]).ok().json();
    assert_eq!(list["memories"].as_array().unwrap().len(), 1, "{list}");
}

#[test]
fn p3_hooks_and_recall_tell_of_the_former_place() {
    let (env, old, place) = renamed();
    let start = json!({ "session_id": "s1", "cwd": place, "hook_event_name": "SessionStart", "source": "startup" });
    let answer: Value = serde_json::from_str(&hook(&env, &["claude-code"], start.to_string().as_bytes())).unwrap();
    let message = answer["systemMessage"].as_str().unwrap();
    assert!(message.contains(old.to_str().unwrap()) && message.contains("memdir adopt"), "{answer}");
    let ask = json!({ "session_id": "s1", "cwd": place, "hook_event_name": "UserPromptSubmit",
        "prompt": "which time zone do we use here?" });
    assert_eq!(hook(&env, &["claude-code"], ask.to_string().as_bytes()), "", "once a session");
    assert!(env.json(&["status", "--hooks"])["hooks"][0]["reason"].as_str().unwrap().contains("former place"));
    let recalled = env.run_in(&place, &["recall", "which time zone do we use here?", "--json"]).ok().json();
    assert!(recalled["reason"].as_str().unwrap().contains("former place"), "{recalled}");
    env.run_in(&place, &["recall", "which time zone do we use here?"]).ok().says("memdir adopt");
    // A project that knows something is not told.
    env.run_in(&place, &["remember", "Never push on Fridays", "--type", "feedback"]).ok();
    let other = json!({ "session_id": "s2", "cwd": place, "hook_event_name": "SessionStart", "source": "startup" });
    assert_eq!(hook(&env, &["claude-code"], other.to_string().as_bytes()), "");
}

#[test]
fn p3_a_worktree_of_a_submodule_shares_the_submodules_memory() {
    let env = git_env();
    let library = env.home().join("library");
    env.init_repository(&library, "library");
    let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.to_str().unwrap(), "mod"];
    env.git(&env.project(), &add);
    let (module, tree) = (env.project().join("mod"), env.home().join("modtree"));
    env.run_in(&module, &["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    env.git(&module, &["worktree", "add", "-q", tree.to_str().unwrap()]);
    let dir = |place: &std::path::Path| env.run_in(place, &["status", "--json"]).ok().json()["memory"]["dir"].clone();
    assert_eq!(dir(&tree), dir(&module));
    assert_ne!(dir(&tree), dir(&env.project()));
    env.run_in(&tree, &["remember", "Never push on Fridays", "--type", "feedback"]).ok();
    let said = json!({ "session_id": "s1", "cwd": tree, "hook_event_name": "UserPromptSubmit",
        "prompt": "do we use UTC everywhere in here?" });
    assert!(hook(&env, &["claude-code"], said.to_string().as_bytes()).contains("UTC everywhere"));
}
