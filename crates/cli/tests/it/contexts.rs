//! `context`: what a session starts with.

use super::{env, git_env};

fn block(context: &serde_json::Value, name: &str) -> Option<String> {
    let blocks = context["blocks"].as_array().unwrap();
    blocks.iter().find(|block| block["name"] == name).map(|block| block["text"].as_str().unwrap().to_owned())
}

#[test]
fn p7_m1_the_directory_exists_and_the_manual_says_so() {
    let env = env();
    assert!(!env.memory().exists());
    let context = env.json(&["context"]);
    assert!(env.memory().is_dir());
    let manual = block(&context, "manual").unwrap();
    assert!(manual.contains(env.memory().to_str().unwrap()), "{manual}");
}

#[test]
fn m4_the_index_comes_under_its_label() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let context = env.json(&["context", "--part", "index"]);
    let index = block(&context, "index").unwrap();
    let path = env.memory().join("MEMORY.md");
    assert!(index.starts_with(&format!("Contents of {} (", path.display())), "{index}");
    assert!(index.contains("):\n\n- [Use UTC everywhere]("), "{index}");
    assert_eq!(context["receipt"]["loaded"][0], "index");
}

#[test]
fn m3_a_session_sees_the_same_bytes_until_it_is_reset() {
    let mut env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let first = env.run(&["context", "--session", "s1", "--json"]).ok().stdout;
    env.run(&["remember", "Never push on Fridays", "--type", "feedback"]).ok();
    env.at("2027-01-01T00:00:00Z");
    assert_eq!(env.run(&["context", "--session", "s1", "--json"]).ok().stdout, first);
    let other = env.run(&["context", "--session", "s2", "--json"]).ok().stdout;
    assert!(other.contains("Never push on Fridays") && !first.contains("Never push on Fridays"));
    let reset = env.run(&["context", "--session", "s1", "--reset", "--json"]).ok().stdout;
    assert!(reset.contains("Never push on Fridays"));
}

#[test]
fn m3_nothing_in_the_manual_changes_with_the_clock() {
    let mut env = env();
    let today = env.run(&["context", "--part", "manual"]).ok().stdout;
    env.at("2031-12-31T23:59:59Z");
    assert_eq!(env.run(&["context", "--part", "manual"]).ok().stdout, today);
}

#[test]
fn i2_i3_a_long_index_is_cut_and_the_receipt_says_so() {
    let mut env = env();
    let lines: String = (1..=310).map(|at| format!("- [T{at}](t{at}.md) — hook {at}\n")).collect();
    env.write_memory("MEMORY.md", &lines);
    env.at("2028-01-01T00:00:00Z");
    let context = env.json(&["context", "--part", "index"]);
    let text = block(&context, "index").unwrap();
    let (shown, warning) = text.split_once("\n\n> WARNING: ").expect("a warning");
    assert!(shown.contains("- [T200](t200.md)") && !shown.contains("- [T201](t201.md)"));
    assert!(warning.starts_with("MEMORY.md is 310 lines"), "{warning}");
    assert_eq!(context["blocks"][0]["cut"], true);
    let dropped = context["receipt"]["dropped"].as_array().unwrap();
    assert_eq!(dropped.len(), 110);
    assert!(dropped.last().unwrap().as_str().unwrap().contains("t310.md"));
}

#[test]
fn i2_the_newest_corrections_are_not_lost_to_their_position() {
    let env = env();
    let lines: String = (1..=310).map(|at| format!("- [T{at}](t{at}.md) — hook {at}\n")).collect();
    env.write_memory("MEMORY.md", &lines);
    // Written now, while the clock of the run says 2026: a clock that runs backwards gives today.
    env.write_memory("t309.md", "---\nname: T309\ndescription: a correction\ntype: feedback\n---\nx\n");
    let context = env.json(&["context", "--part", "index"]);
    let text = block(&context, "index").unwrap();
    let (shown, _) = text.split_once("\n\n> WARNING: ").expect("a warning");
    assert!(shown.contains("- [T309](t309.md)"), "{text}");
    assert!(!shown.contains("- [T200](t200.md)") && shown.contains("- [T199](t199.md)"));
    // The file itself is not reordered.
    assert_eq!(env.read_memory("MEMORY.md"), lines);
}

#[test]
fn e5_when_off_the_index_is_still_readable_by_name() {
    let mut env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    env.var("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    let context = env.json(&["context"]);
    assert!(block(&context, "index").is_none() && block(&context, "manual").is_none());
    assert!(context["receipt"]["dropped"].to_string().contains("CLAUDE_CODE_DISABLE_AUTO_MEMORY"), "{context}");
    env.run(&["context", "--part", "index"]).ok().prints("Use UTC everywhere");
    env.run(&["show", "MEMORY.md"]).ok().prints("Use UTC everywhere");
}

#[test]
fn m2_modes_differ() {
    let env = env();
    let manual = |mode: &str| env.run(&["context", "--part", "manual", "--mode", mode]).ok().stdout;
    let (normal, team, log) = (manual("normal"), manual("team"), manual("log"));
    assert!(team.contains("<scope>") && !normal.contains("<scope>")); // T2
    assert!(log.contains("logs/YYYY/MM/YYYY-MM-DD.md") && !normal.contains("YYYY-MM-DD.md")); // L1
}

#[test]
fn m5_extra_guidelines_are_appended() {
    let mut env = env();
    env.var("CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES", "Write every memory in Esperanto.");
    let manual = env.run(&["context", "--part", "manual"]).ok().stdout;
    assert!(manual.trim_end().ends_with("Write every memory in Esperanto."), "{manual}");
}

#[test]
fn m6_the_search_section_can_be_switched_off() {
    let mut env = env();
    let with = env.run(&["context", "--part", "manual"]).ok().stdout;
    env.var("MEMDIR_GATES", "tengu_coral_fern=false");
    let without = env.run(&["context", "--part", "manual"]).ok().stdout;
    assert!(with.len() > without.len() && with.contains(".jsonl") && !without.contains(".jsonl"));
}

#[test]
fn t1_both_indexes_are_in_the_context() {
    let env = env();
    env.run(&["remember", "Releases are cut by Mara", "--type", "project", "--scope", "team"]).ok();
    env.run(&["remember", "Keep answers short", "--type", "feedback"]).ok();
    let context = env.json(&["context", "--mode", "team"]);
    assert!(block(&context, "team-index").unwrap().contains("Mara"));
    assert!(block(&context, "index").unwrap().contains("Keep answers short"));
}

#[test]
fn c1_instruction_files_in_order() {
    let env = git_env();
    let sub = env.project().join("api/v2");
    std::fs::create_dir_all(&sub).unwrap();
    std::fs::create_dir_all(env.home().join(".claude")).unwrap();
    std::fs::create_dir_all(env.project().join(".claude/rules")).unwrap();
    for (path, text) in [
        (env.home().join(".claude/CLAUDE.md"), "USER-RULES"),
        (env.project().join("CLAUDE.md"), "ROOT-RULES @./more.md"),
        (env.project().join("more.md"), "INCLUDED-RULES"),
        (env.project().join(".claude/rules/style.md"), "STYLE-RULES"),
        (env.project().join("api/CLAUDE.md"), "API-RULES"),
        (env.project().join("CLAUDE.local.md"), "LOCAL-RULES"),
    ] {
        std::fs::write(path, text).unwrap();
    }
    let text = env.run_in(&sub, &["context", "--part", "rules"]).ok().stdout;
    let at = |word: &str| text.find(word).unwrap_or_else(|| panic!("{word} is missing in\n{text}"));
    assert!(at("USER-RULES") < at("ROOT-RULES") && at("ROOT-RULES") < at("API-RULES"));
    assert!(at("API-RULES") < at("LOCAL-RULES"));
    at("INCLUDED-RULES");
    at("STYLE-RULES");
}

#[test]
fn g1_g2_g3_a_sub_agent_has_its_own_memory_with_its_index_inside() {
    let env = git_env();
    for (scope, dir) in [
        ("user", env.home().join(".claude/agent-memory/qa-bot")),
        ("project", env.project().join(".claude/agent-memory/qa-bot")),
        ("local", env.project().join(".claude/agent-memory-local/qa-bot")),
    ] {
        std::fs::create_dir_all(&dir).unwrap();
        std::fs::write(dir.join("MEMORY.md"), format!("- [Flaky](flaky.md) — {scope} knows the flaky tests\n"))
            .unwrap();
        let context = env.json(&["context", "--agent", "qa:bot", "--agent-scope", scope]);
        assert!(block(&context, "agent-index").unwrap().contains(&format!("{scope} knows the flaky tests")));
        assert!(block(&context, "manual").unwrap().contains(dir.to_str().unwrap()));
    }
}

#[test]
fn p3_a_worktree_and_a_subdirectory_share_one_memory() {
    let env = git_env();
    let tree = env.home().join("work/feature");
    env.git(&env.project(), &["worktree", "add", "-q", tree.to_str().unwrap()]);
    let sub = env.project().join("src/deep");
    std::fs::create_dir_all(&sub).unwrap();
    let link = env.home().join("link");
    std::os::unix::fs::symlink(env.project(), &link).unwrap();
    for dir in [&tree, &sub, &link] {
        let status = env.run_in(dir, &["status", "--json"]).ok().json();
        assert_eq!(status["memory"]["dir"].as_str().unwrap(), env.memory().to_str().unwrap(), "{}", dir.display());
    }
}

#[test]
fn c2_includes_stay_inside_the_repository_and_end() {
    let env = git_env();
    std::fs::write(env.home().join("treasure.md"), "TREASURE").unwrap();
    std::os::unix::fs::symlink(env.home().join("treasure.md"), env.project().join("link.md")).unwrap();
    let text = "ROOT @a.md @~/treasure.md @../../treasure.md @link.md @/etc/passwd `@code.md` @none.md";
    std::fs::write(env.project().join("CLAUDE.md"), text).unwrap();
    std::fs::write(env.project().join("code.md"), "CODE").unwrap();
    std::fs::write(env.project().join("a.md"), "ALPHA @b.md").unwrap();
    std::fs::write(env.project().join("b.md"), "BETA @a.md @CLAUDE.md").unwrap();
    let context = env.json(&["context", "--part", "rules"]);
    let rules = block(&context, "rules").unwrap();
    assert!(!rules.contains("TREASURE") && !rules.contains("root:") && !rules.contains("CODE"), "{rules}");
    for word in ["ROOT", "ALPHA", "BETA"] {
        assert_eq!(rules.matches(word).count(), 1, "{rules}");
    }
    let dropped = context["receipt"]["dropped"].to_string();
    for why in ["outside the project", "includes itself", "no such file"] {
        assert!(dropped.contains(why), "{why} is missing in {dropped}");
    }
}

#[test]
fn c2_an_include_outside_the_project_is_said_and_comes_after_one_yes() {
    let env = git_env();
    let (shared, other) = (env.home().join("house.md"), env.home().join("other.md"));
    std::fs::write(&shared, "HOUSE RULES @other.md").unwrap();
    std::fs::write(&other, "OTHER").unwrap();
    std::fs::write(env.project().join("CLAUDE.md"), "ROOT @~/house.md").unwrap();
    let rules = || env.json(&["context", "--part", "rules"]);
    assert!(!block(&rules(), "rules").unwrap().contains("HOUSE"), "left out");
    assert!(rules()["receipt"]["dropped"].to_string().contains("only after your yes"), "and said");
    env.run(&["status"]).ok().prints(&format!("memdir approve {}", shared.display()));
    assert_eq!(env.json(&["approve"])["waiting"], serde_json::json!([shared]));
    let path = shared.to_str().unwrap();
    env.run(&["approve", path]).fails(1).says("pass --yes");
    env.run(&["--yes", "approve", path]).ok().prints("approved ");
    let text = block(&rules(), "rules").unwrap();
    assert!(text.contains("HOUSE RULES") && !text.contains("OTHER"), "what it includes needs a yes of its own: {text}");
    // The yes is for this project and this file, whatever a link says.
    let second = env.home().join("work/second");
    env.init_repository(&second, "second");
    std::fs::write(second.join("CLAUDE.md"), "ROOT @~/house.md").unwrap();
    assert!(!env.run_in(&second, &["context", "--part", "rules"]).ok().stdout.contains("HOUSE RULES"));
    std::fs::remove_file(&shared).unwrap();
    std::os::unix::fs::symlink(&other, &shared).unwrap();
    assert!(!block(&rules(), "rules").unwrap().contains("OTHER"));
    std::fs::remove_file(&shared).unwrap();
    std::fs::write(&shared, "HOUSE RULES").unwrap();
    assert!(block(&rules(), "rules").unwrap().contains("HOUSE RULES"), "said once");
    env.run(&["approve", path, "--remove"]).ok();
    assert!(!block(&rules(), "rules").unwrap().contains("HOUSE RULES"));
    env.run(&["--yes", "approve", "nowhere.md"]).fails(1);
}
