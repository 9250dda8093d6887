//! `forget` archives, `purge` really removes.

use super::env;

#[test]
fn q2_forget_takes_file_and_pointer_and_undo_brings_both_back() {
    let env = env();
    let saved = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let file = saved["file"].as_str().unwrap();
    let (text, index) = (env.read_memory(file), env.read_memory("MEMORY.md"));
    let gone = env.json(&["forget", file]);
    assert_eq!(gone["files"][0], file);
    assert!(!env.memory().join(file).exists());
    assert_eq!(env.read_memory("MEMORY.md"), "");
    env.run(&["undo", gone["change"].as_str().unwrap()]).ok();
    assert_eq!((env.read_memory(file), env.read_memory("MEMORY.md")), (text, index));
}

#[test]
fn words_need_a_yes() {
    let env = env();
    env.run(&["remember", "The staging cluster is rebuilt every night", "--type", "project"]).ok();
    env.run(&["remember", "The staging database has real data", "--type", "project"]).ok();
    env.run(&["forget", "staging"]).fails(1).says("--yes");
    assert_eq!(env.json(&["list"])["memories"].as_array().unwrap().len(), 2);
    let gone = env.json(&["forget", "staging", "--yes"]);
    assert_eq!(gone["files"].as_array().unwrap().len(), 2);
    // One act, one undo.
    env.run(&["undo"]).ok();
    assert_eq!(env.json(&["list"])["memories"].as_array().unwrap().len(), 2);
    env.run(&["forget", "no such thing", "--yes"]).fails(1).says("no memory");
}

#[test]
fn purge_removes_every_trace_and_proves_it() {
    let env = env();
    let phrase = "the kangaroo project is paid by Initrode";
    let saved = env.json(&["remember", phrase, "--type", "project", "--name", "Sponsor"]);
    let file = saved["file"].as_str().unwrap();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    env.run(&["edit", file, "--body", &format!("{phrase}, and more")]).ok();
    env.run(&["context", "--session", "s1"]).ok();
    env.run(&["forget", file]).ok();
    env.run(&["purge", file]).fails(1).says("--yes");
    let done = env.json(&["purge", file, "--yes"]);
    assert_eq!(done["remaining"].as_array().unwrap().len(), 0);
    assert!(done["records"].as_u64().unwrap() >= 3);
    for words in [phrase, "kangaroo", "Initrode"] {
        let found = env.program("grep", &["-rl", words, env.home().to_str().unwrap()]).output().unwrap();
        assert!(found.stdout.is_empty(), "{words}: {}", String::from_utf8_lossy(&found.stdout));
    }
    // What is left is in order, and the other memory is untouched.
    assert_eq!(env.json(&["list"])["memories"].as_array().unwrap().len(), 1);
    env.run(&["undo", saved["change"].as_str().unwrap()]).fails(1).says("nothing to undo");
    let forgotten = env.json(&["history", file])["changes"].clone();
    let edited = forgotten.as_array().unwrap().iter().find(|change| change["reason"] == "edit").unwrap();
    env.run(&["undo", edited["id"].as_str().unwrap()]).fails(1).says("purged");
}

#[test]
fn purge_takes_the_line_out_of_former_indexes_and_leaves_the_rest_of_them() {
    let env = env();
    let phrase = "the kangaroo project is paid by Initrode";
    let saved = env.json(&["remember", phrase, "--type", "project", "--name", "Sponsor"]);
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    // An edit by hand puts the whole index into the history.
    let index = env.read_memory("MEMORY.md");
    assert!(index.contains("kangaroo"), "{index}");
    env.write_memory("MEMORY.md", format!("# mine\n{index}"));
    env.run(&["list"]).ok();
    env.write_memory("MEMORY.md", "gone\n");
    let lost = env.json(&["history", "MEMORY.md"])["changes"][0]["id"].as_str().unwrap().to_owned();
    let done = env.json(&["purge", saved["file"].as_str().unwrap(), "--yes"]);
    assert_eq!(done["remaining"].as_array().unwrap().len(), 0, "{done}");
    let found = env.program("grep", &["-rl", "kangaroo", env.home().to_str().unwrap()]).output().unwrap();
    assert!(found.stdout.is_empty(), "{}", String::from_utf8_lossy(&found.stdout));
    env.run(&["undo", &lost]).ok();
    let index = env.read_memory("MEMORY.md");
    assert!(index.starts_with("# mine\n- [Use UTC everywhere]") && !index.contains("Sponsor"), "{index}");
}

#[test]
fn undo_goes_past_what_was_purged_and_says_so() {
    let env = env();
    let kept = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let gone = env.json(&["remember", "the kangaroo project is paid by Initrode", "--type", "project"]);
    let file = gone["file"].as_str().unwrap();
    env.run(&["edit", file, "--description", "who pays"]).ok();
    env.run(&["purge", file, "--yes"]).ok();
    let undone = env.run(&["undo"]).ok().says("passed over");
    assert!(undone.stdout.contains(kept["change"].as_str().unwrap()), "{undone}");
    assert_eq!(env.memory_files(), ["MEMORY.md"]);
    env.run(&["undo"]).fails(1).says("nothing to undo (what was purged cannot be brought back)");
    // By its name it is still refused.
    env.run(&["undo", gone["change"].as_str().unwrap()]).fails(1);
}

#[test]
fn purge_says_where_else_the_text_stands() {
    let env = env();
    let saved = env.json(&["remember", "the kangaroo project is paid by Initrode", "--type", "project"]);
    env.write_memory("copy.md", "the kangaroo project is paid by Initrode\n");
    let run = env.run(&["purge", saved["file"].as_str().unwrap(), "--yes"]).fails(1);
    assert!(run.stderr.contains("copy.md") || run.stderr.contains("journal"), "{run}");
}

#[test]
fn purging_what_never_was_is_an_error() {
    env().run(&["purge", "nothing.md", "--yes"]).fails(1);
}

#[test]
fn purge_follows_a_memory_that_moved_and_clears_the_search_cache() {
    let env = env();
    let saved =
        env.json(&["remember", "the kangaroo project is paid by Initrode", "--type", "project", "--name", "Sponsor"]);
    let file = saved["file"].as_str().unwrap();
    env.run(&["move", file, "--scope", "user"]).ok();
    env.run(&["refresh"]).ok();
    let done = env.json(&["purge", &format!("user:{file}"), "--yes"]);
    assert_eq!(done["remaining"].as_array().unwrap().len(), 0, "{done}");
    let found = env.program("grep", &["-rl", "kangaroo", env.home().to_str().unwrap()]).output().unwrap();
    assert!(found.stdout.is_empty(), "{}", String::from_utf8_lossy(&found.stdout));
    env.run(&["list"]).ok();
}
