//! `import` and `export`: memories of other programs in, memdir's own out.

use serde_json::{Value, json};

use super::env;

const MEM0: &str = r#"{"results":[
  {"memory":"Integration tests of the ledger use a real Postgres, never mocks"},
  {"memory":"The staging cluster is reached through the bastion host only"},
  {"memory":"The deploy key is ghp_0123456789abcdefghijklmnopqrstuvwxyzAB"}]}"#;

fn actions(report: &Value) -> Vec<&str> {
    report["imported"].as_array().unwrap().iter().map(|one| one["action"].as_str().unwrap()).collect()
}

#[test]
fn new_ones_are_saved_known_ones_are_not_secrets_are_refused_and_one_undo_takes_it_back() {
    let env = env();
    std::fs::write(env.project().join("mem0.json"), MEM0).unwrap();
    env.run(&["remember", "Integration tests of the ledger use a real Postgres, never mocks"]).ok();
    let before = env.json(&["list"]);
    let plan = env.json(&["import", "mem0", "mem0.json", "--dry-run"]);
    assert_eq!((actions(&plan), &plan["change"]), (vec!["known", "created", "refused"], &Value::Null));
    assert_eq!(env.json(&["list"]), before, "a dry run saves nothing");
    let report = env.json(&["import", "mem0", "mem0.json"]);
    assert_eq!(actions(&report), ["known", "created", "refused"]);
    let history = env.json(&["history", "--limit", "1"]);
    assert!(history["changes"][0]["reason"].as_str().unwrap().contains("import from mem0"), "{history}");
    assert_eq!(actions(&env.json(&["import", "mem0", "mem0.json"])), ["known", "known", "refused"], "twice is once");
    env.run(&["undo", report["change"].as_str().unwrap()]).ok();
    assert_eq!(env.json(&["list"])["memories"].as_array().unwrap().len(), 1);
}

#[test]
fn what_goes_out_comes_in_again_elsewhere() {
    let env = env();
    env.run(&["remember", "The staging cluster is behind the bastion", "--type", "reference", "--name", "Staging"])
        .ok();
    env.run(&["remember", "I read diffs before summaries", "--type", "user", "--scope", "user"]).ok();
    let exported = env.run(&["export"]).ok().stdout;
    let document: Value = serde_json::from_str(&exported).unwrap();
    assert_eq!((&document["version"], document["memories"].as_array().unwrap().len()), (&json!(1), 2));
    let other = super::env();
    std::fs::write(other.project().join("all.json"), &exported).unwrap();
    assert_eq!(actions(&other.json(&["import", "all.json"])), ["created", "created"]);
    let again: Value = serde_json::from_str(&other.run(&["export"]).ok().stdout).unwrap();
    let texts = |document: &Value| {
        let mut all: Vec<String> = document["memories"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| format!("{} {} {}", one["scope"], one["type"], one["body"]))
            .collect();
        all.sort();
        all
    };
    assert_eq!(texts(&again), texts(&document));
}

#[test]
fn what_is_not_there_is_named() {
    let env = env();
    let run = env.run(&["import", "nobody"]);
    assert!(run.code == Some(1) && run.stderr.contains("claude-code, codex"), "{run}");
}

#[test]
fn what_the_user_says_everywhere_is_known_in_a_project_too() {
    let env = env();
    env.run(&["remember", "The user likes short answers", "--type", "user", "--scope", "user"]).ok();
    let list = json!(["The user likes short answers", "The billing job runs at three"]);
    std::fs::write(env.project().join("list.json"), list.to_string()).unwrap();
    assert_eq!(actions(&env.json(&["import", "list.json"])), ["known", "created"]);
    // mem0 says of whom a memory is: a person is the same in every project.
    let mem0 = json!({ "results": [{ "memory": "Prefers dark mode in every editor", "user_id": "u1" }] });
    std::fs::write(env.project().join("mem0.json"), mem0.to_string()).unwrap();
    assert_eq!(env.json(&["import", "mem0", "mem0.json"])["imported"][0]["scope"], "user");
}

#[test]
fn a_memory_directory_comes_in_byte_for_byte_with_the_lines_of_its_index() {
    let env = env();
    let from = env.project().join("theirs");
    let long = format!(
        "# Ledger\r\n\r\nToday we agreed on 20日.\r\n\r\n| a | b |\r\n|---|---|\r\n{}",
        "| x | y |\r\n".repeat(40)
    );
    let files = [
        ("feedback-units.md", "---\nname: feedback-units\nmetadata:\n  type: feedback\n  originSessionId: 7f3a\n# a comment\ndescription: >\n  folded\n---\n\nMillimetres, tomorrow too.\n".to_owned()),
        ("ledger.md", format!("---\r\nname: Ledger\r\ndescription: how it works\r\ntype: project\r\n---\r\n{long}")),
        ("plain.md", "# No frontmatter\n\nBut words, next week".to_owned()),
        ("sub/near.md", "---\nname: Near\ndescription: close\ntype: project\n---\n\nMillimetres, tomorrow too, and inches.\n".to_owned()),
        ("README.md", "# What this is\n".to_owned()),
        ("empty.md", String::new()),
    ];
    let index = format!(
        "\u{feff}# Index\r\n\r\nProse.\r\n* [단위 규칙](feedback-units.md): {}\r\n  + [Ledger](./ledger.md) – first\r\n\
         - [Ledger, again](ledger.md) second\r\n- [Gone](gone.md) — x\r\n- a note without a link\r\n- plain.md, sub/near.md, empty.md, README.md",
        "careful words ".repeat(30)
    );
    for (file, text) in files.iter().map(|(file, text)| (*file, text.as_str())).chain([("MEMORY.md", index.as_str())]) {
        std::fs::create_dir_all(from.join(file).parent().unwrap()).unwrap();
        std::fs::write(from.join(file), text).unwrap();
    }
    let plan = env.json(&["import", "theirs", "--dry-run"]);
    assert!(env.memory_files().is_empty(), "{plan}");
    let report = env.json(&["import", "theirs"]);
    assert_eq!((actions(&report), &report["imported"]), (vec!["created"; 6], &plan["imported"]));
    for (file, text) in &files {
        assert_eq!(env.read_memory(file), *text, "{file}");
    }
    assert_eq!(env.read_memory("MEMORY.md"), index);
    assert_eq!(actions(&env.json(&["import", "theirs"])), ["known"; 6], "twice is once");
    assert_eq!(env.read_memory("MEMORY.md"), index);
    env.run(&["undo", report["change"].as_str().unwrap()]).ok();
    assert_eq!(env.json(&["list"])["memories"].as_array().unwrap().len(), 0);
}

#[test]
fn what_stands_here_stays_and_what_comes_in_beside_it_is_not_lost() {
    let env = env();
    env.write_memory("rules.md", "---\nname: Rules\ndescription: mine\ntype: feedback\n---\n\nUse tabs.\n");
    env.write_memory("MEMORY.md", "# Mine\n* [My rules](rules.md): tabs");
    let from = env.project().join("theirs");
    std::fs::create_dir(&from).unwrap();
    let theirs = "---\nname: Rules\ndescription: theirs\ntype: feedback\n---\n\nEvery build is signed with two keys.\n";
    std::fs::write(from.join("rules.md"), theirs).unwrap();
    std::fs::write(from.join("token.md"), "The key is ghp_0123456789abcdefghijklmnopqrstuvwxyzAB\n").unwrap();
    std::fs::write(from.join("MEMORY.md"), "# Theirs\n+ [Their rules](rules.md) signed builds\n- [Token](token.md)\n")
        .unwrap();
    let report = env.json(&["import", "theirs"]);
    assert_eq!(actions(&report), ["created", "refused"], "{report}");
    assert_eq!(env.read_memory("rules_2.md"), theirs);
    assert!(env.read_memory("rules.md").contains("Use tabs."));
    assert_eq!(
        env.read_memory("MEMORY.md"),
        "# Mine\n* [My rules](rules.md): tabs\n# Theirs\n+ [Their rules](rules_2.md) signed builds\n"
    );
}
