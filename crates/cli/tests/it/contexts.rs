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
    // Eight parts, one after the other; each says what it is for.
    let parts = [
        (env.memory().to_str().unwrap().to_owned(), vec!["exists already"]),
        ("Asked to remember".to_owned(), vec!["Asked to forget"]),
        ("<types>".to_owned(), vec!["<name>user<", "<name>feedback<", "<name>project<", "<name>reference<"]),
        (
            "## What not to save".to_owned(),
            vec!["Git history", "Debugging", "instruction files", "current task", "secret"],
        ),
        (
            "## How to save".to_owned(),
            vec!["name:", "description:", "type:", "`- [Title](file.md) — hook`", "200 lines"],
        ),
        ("## When to access".to_owned(), vec!["You must look when the user asks", "ignore memory"]),
        ("## Before recommending from memory".to_owned(), vec!["check that it is there", "search the code"]),
        ("## Memory, plans and tasks".to_owned(), vec!["plan", "Tasks"]),
    ];
    let starts: Vec<usize> = parts
        .iter()
        .map(|(start, _)| manual.find(start.as_str()).unwrap_or_else(|| panic!("{start}: {manual}")))
        .collect();
    assert!(starts.is_sorted(), "{starts:?}");
    for (at, (start, words)) in parts.iter().enumerate() {
        let part = &manual[starts[at]..starts.get(at + 1).copied().unwrap_or(manual.len())];
        assert!(words.iter().all(|word| part.contains(word)), "{start} lacks one of {words:?}: {part}");
    }
    for tag in ["<when_to_save>", "<how_to_use>", "<examples>"] {
        assert_eq!(manual.matches(tag).count(), 4, "{tag}: one for each type");
    }
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

/// By bytes as well, at the end of a line and never inside a character; blank space around it does not count.
#[test]
fn i2_an_index_is_cut_by_bytes_at_the_end_of_a_line() {
    let env = env();
    let line = |at: usize| format!("- [Ü{at:03}](ü{at:03}.md) — {}\n", "ünïcödé".repeat(20));
    let lines: String = (0..150).map(line).collect();
    let whole = 25_000 / line(100).len();
    env.write_memory("MEMORY.md", format!("\n\n{lines}\n\n"));
    let text = block(&env.json(&["context", "--part", "index"]), "index").unwrap();
    let (_, shown) = text.split_once("\n\n").unwrap();
    let (shown, warning) = shown.split_once("\n\n> WARNING: ").expect("a warning");
    assert!(shown.lines().eq(lines.lines().take(whole)), "{} lines, not {whole}: {warning}", shown.lines().count());
    assert!(shown.len() <= 25_000 && whole < 150, "{}", shown.len());
    // Only where the first line alone is longer than that, it is cut inside, and at a character.
    env.write_memory("MEMORY.md", "é".repeat(20_000));
    let text = block(&env.json(&["context", "--part", "index"]), "index").unwrap();
    assert_eq!(text.matches('é').count(), 12_500, "{}", text.len());
    assert!(text.contains("> WARNING: "));
    // As long as it may be, nothing is cut and nothing is said.
    env.write_memory("MEMORY.md", format!("\n\n{}\n\n\n", "x".repeat(25_000)));
    assert!(!block(&env.json(&["context", "--part", "index"]), "index").unwrap().contains("WARNING"));
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
    assert!(at("USER-RULES") < at("INCLUDED-RULES") && at("INCLUDED-RULES") < at("API-RULES"));
    assert!(at("ROOT-RULES") < at("STYLE-RULES") && at("STYLE-RULES") < at("API-RULES"));
    // Where the work is deeper, so are the instructions; the index comes after them.
    assert!(!env.run(&["context", "--part", "rules"]).ok().stdout.contains("API-RULES"));
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let all = env.run_in(&sub, &["context"]).ok().stdout;
    assert!(all.find("LOCAL-RULES").unwrap() < all.find("- [Use UTC everywhere](").unwrap(), "{all}");
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
    // The same manual, with one sentence about how far this memory reaches.
    let manual =
        |args: &[&str]| block(&env.json(&[&["context", "--part", "manual"], args].concat()), "manual").unwrap();
    let of = |scope: &str| manual(&["--agent", "qa:bot", "--agent-scope", scope]);
    let guidelines = [
        ("user", "in every project of this user"),
        ("project", "shared through version control"),
        ("local", "this project on this machine"),
    ];
    for (scope, words) in guidelines {
        let text = of(scope);
        assert_eq!(guidelines.iter().filter(|(_, words)| text.contains(words)).count(), 1, "{scope}: {text}");
        assert!(text.contains(words) && text.contains("## What not to save"), "{scope}: {text}");
    }
    assert!(guidelines.iter().all(|(_, words)| !manual(&[]).contains(words)), "nobody else is told so");
}

/// A worktree and a subdirectory have the agent's memory of the repository; a remote session keeps the local one elsewhere.
#[test]
fn g1_a_sub_agents_memory_is_found_from_everywhere_in_the_repository() {
    let mut env = git_env();
    let (tree, sub) = (env.home().join("work/feature"), env.project().join("src/deep"));
    env.git(&env.project(), &["worktree", "add", "-q", tree.to_str().unwrap()]);
    std::fs::create_dir_all(&sub).unwrap();
    for (dir, text) in
        [(&tree, "Look at error paths before style"), (&sub, "Findings come with the line they are about")]
    {
        for scope in ["project", "local"] {
            let args = ["remember", text, "--type", "feedback", "--agent", "qa:bot", "--agent-scope", scope];
            env.run_in(dir, &args).ok();
        }
    }
    for folder in ["agent-memory", "agent-memory-local"] {
        let index =
            std::fs::read_to_string(env.project().join(".claude").join(folder).join("qa-bot/MEMORY.md")).unwrap();
        assert_eq!(index.lines().count(), 2, "{folder}: {index}");
    }
    assert!(!tree.join(".claude").exists() && !sub.join(".claude").exists());
    let remote = env.home().join("mnt/remote");
    env.var("CLAUDE_CODE_REMOTE_MEMORY_DIR", remote.to_str().unwrap());
    let there = block(&env.json(&["context", "--agent", "qa:bot", "--agent-scope", "local"]), "manual").unwrap();
    assert!(there.contains(remote.to_str().unwrap()), "{there}");
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
fn c2_includes_are_text_five_deep_and_none_in_code() {
    let env = git_env();
    for depth in 1..=7 {
        std::fs::write(env.project().join(format!("d{depth}.md")), format!("DEPTH{depth} @d{}.md", depth + 1)).unwrap();
    }
    std::fs::write(env.project().join("picture.png"), b"\x89PNG\r\n\x1a\n\0\0PICTURE").unwrap();
    for name in ["fenced.md", "spanned.md", "plain.txt"] {
        std::fs::write(env.project().join(name), name.to_uppercase()).unwrap();
    }
    let text = "ROOT @./d1.md\n\n```sh\ncat @fenced.md\n```\n\nSee `@spanned.md`, @picture.png and @plain.txt\n";
    std::fs::write(env.project().join("CLAUDE.md"), text).unwrap();
    let context = env.json(&["context", "--part", "rules"]);
    let rules = block(&context, "rules").unwrap();
    for word in ["DEPTH1", "DEPTH5", "PLAIN.TXT"] {
        assert!(rules.contains(word), "{word}: {rules}");
    }
    for word in ["DEPTH6", "FENCED.MD", "SPANNED.MD", "PICTURE"] {
        assert!(!rules.contains(word), "{word}: {rules}");
    }
    let dropped = context["receipt"]["dropped"].to_string();
    assert!(dropped.contains("d6.md") && dropped.contains("picture.png"), "{dropped}");
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
