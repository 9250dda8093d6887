//! `history`, `diff`, `undo`, `blame`, and noticing what others did.

use super::env;

#[test]
fn history_names_who_when_why_and_what() {
    let mut env = env();
    env.var("MEMDIR_SESSION", "session-7");
    let saved = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let change = &env.json(&["history"])["changes"][0];
    assert_eq!(change["id"], saved["change"]);
    assert_eq!(change["actor"], "user");
    assert_eq!(change["session"], "session-7");
    assert_eq!(change["reason"], "remember");
    assert_eq!(change["time"], "2026-04-14T10:00:00Z");
    assert_eq!(change["files"].as_array().unwrap().len(), 2);
}

#[test]
fn a_hand_edit_is_noticed_recorded_and_never_overwritten() {
    let env = env();
    let saved = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let file = saved["file"].as_str().unwrap();
    let before = env.read_memory(file);
    let by_hand = before.replace("everywhere\n", "everywhere, also in tests\n");
    assert_ne!(before, by_hand);
    env.write_memory(file, &by_hand);
    let change = &env.json(&["history", file])["changes"][0];
    assert_eq!(change["actor"], "outside");
    let id = change["id"].as_str().unwrap();
    env.run(&["diff", id]).ok().prints("+Use UTC everywhere, also in tests");
    // An update on top keeps the hand edit.
    env.run(&["pin", file]).ok();
    assert!(env.read_memory(file).contains("also in tests"));
    // And it can be taken back by name, although the file was changed since.
    env.run(&["undo", id]).ok();
    let now = env.read_memory(file);
    assert!(!now.contains("also in tests") && now.contains("pinned: true"), "{now}");
}

#[test]
fn a_same_size_edit_in_the_same_instant_is_noticed() {
    let env = env();
    let saved = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let file = saved["file"].as_str().unwrap();
    env.run(&["list"]).ok();
    let path = env.memory().join(file);
    let times = std::fs::metadata(&path).unwrap().modified().unwrap();
    std::fs::write(&path, env.read_memory(file).replace("UTC", "CET")).unwrap();
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(times).unwrap();
    assert_eq!(env.json(&["history", file])["changes"][0]["actor"], "outside");
}

#[test]
fn a_removal_by_hand_is_noticed_and_can_be_undone() {
    let env = env();
    let saved = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let file = saved["file"].as_str().unwrap();
    let text = env.read_memory(file);
    std::fs::remove_file(env.memory().join(file)).unwrap();
    let change = env.json(&["history", file])["changes"][0].clone();
    assert_eq!(change["reason"], "removed by somebody else");
    env.run(&["undo", change["id"].as_str().unwrap()]).ok();
    assert_eq!(env.read_memory(file), text);
}

#[test]
fn an_index_that_somebody_overwrites_or_removes_comes_back() {
    let env = env();
    let index = || env.read_memory("MEMORY.md");
    let outside = || env.json(&["history", "MEMORY.md"])["changes"][0].clone();
    // Whole from the first line on: only memdir has written it.
    let utc = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let push = env.json(&["remember", "Never push on Fridays", "--type", "feedback"]);
    env.run(&["edit", utc["file"].as_str().unwrap(), "--description", "UTC, also in tests"]).ok();
    let before = index();
    env.write_memory("MEMORY.md", "# started over\n");
    let change = outside();
    assert_eq!(change["actor"], "outside");
    env.run(&["diff", change["id"].as_str().unwrap()]).ok().prints("-- [Use UTC everywhere]");
    env.run(&["undo", change["id"].as_str().unwrap()]).ok();
    assert_eq!(index(), before);
    // On top of what the user wrote, with an undo and a removal between.
    env.write_memory("MEMORY.md", format!("# mine\r\n\r\n{before}\r\nlast words"));
    env.run(&["remember", "Dates are ISO", "--type", "feedback"]).ok();
    env.run(&["undo"]).ok();
    env.run(&["forget", push["file"].as_str().unwrap(), "--yes"]).ok();
    let before = index();
    std::fs::remove_file(env.memory().join("MEMORY.md")).unwrap();
    assert_eq!(outside()["reason"], "removed by somebody else");
    env.run(&["undo", outside()["id"].as_str().unwrap()]).ok();
    assert_eq!(index(), before);
}

#[test]
fn undo_takes_back_the_last_change_then_the_one_before() {
    let env = env();
    let one = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let two = env.json(&["remember", "Never push on Fridays", "--type", "feedback"]);
    assert_eq!(env.json(&["undo"])["undone"][0], two["change"]);
    assert_eq!(env.json(&["undo"])["undone"][0], one["change"]);
    env.run(&["undo"]).fails(1).says("nothing to undo");
    assert_eq!(env.memory_files(), ["MEMORY.md"]);
    // An undo is a change: taking it back restores.
    let last = env.json(&["history"])["changes"][0]["id"].as_str().unwrap().to_owned();
    env.run(&["undo", &last]).ok();
    assert!(env.memory().join(one["file"].as_str().unwrap()).exists());
}

#[test]
fn undo_refuses_to_overwrite_a_later_edit_of_the_same_words() {
    let env = env();
    let saved = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let file = saved["file"].as_str().unwrap();
    let first = env.json(&["edit", file, "--body", "Use UTC in logs"]);
    env.run(&["edit", file, "--body", "Use UTC in the database"]).ok();
    env.run(&["undo", first["change"].as_str().unwrap()]).fails(1).says("later changes");
    assert!(env.read_memory(file).contains("in the database"));
}

#[test]
fn what_was_there_at_first_sight_is_recorded_and_cannot_be_undone() {
    let env = env();
    env.write_memory(
        "user_role.md",
        "---\nname: Role\ndescription: a data scientist\ntype: user\n---\n\nData scientist.\n",
    );
    env.run(&["list"]).ok();
    let change = env.json(&["history"])["changes"][0].clone();
    assert_eq!(change["reason"], "found here at first sight");
    env.run(&["undo", change["id"].as_str().unwrap()]).fails(1);
    env.run(&["undo"]).fails(1).says("nothing to undo");
    // Its text is safe from the first moment: another tool may overwrite it.
    env.write_memory("user_role.md", "gone");
    let lost = env.json(&["history", "user_role.md"])["changes"][0]["id"].as_str().unwrap().to_owned();
    env.run(&["undo", &lost]).ok();
    assert!(env.read_memory("user_role.md").contains("Data scientist."));
}

#[test]
fn blame_names_the_change_of_each_line() {
    let env = env();
    let saved = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let file = saved["file"].as_str().unwrap();
    let edited = env.json(&["edit", file, "--body", "Use UTC everywhere\nAnd ISO dates\n"]);
    let blame = env.json(&["blame", file]);
    let of = |text: &str| {
        let lines = blame["lines"].as_array().unwrap();
        lines.iter().find(|line| line["text"] == text).unwrap_or_else(|| panic!("{blame}"))["change"].clone()
    };
    assert_eq!(of("Use UTC everywhere"), saved["change"]);
    assert_eq!(of("And ISO dates"), edited["change"]);
}

#[test]
fn a_change_is_found_by_the_beginning_of_its_name() {
    let env = env();
    let id = env.json(&["remember", "Use UTC everywhere"])["change"].as_str().unwrap().to_owned();
    env.run(&["diff", &id[..6]]).ok().prints("Use UTC everywhere");
    env.run(&["diff", "zzzzzz"]).fails(1).says("no change");
}

#[test]
fn moving_between_scopes_is_one_act() {
    let env = env();
    let saved = env.json(&["remember", "Keep answers short", "--type", "feedback"]);
    let file = saved["file"].as_str().unwrap();
    let moved = env.json(&["move", file, "--scope", "user"]);
    let list = env.json(&["list"]);
    assert_eq!(list["memories"].as_array().unwrap().len(), 1);
    assert_eq!(list["memories"][0]["scope"], "user");
    env.run(&["undo", moved["change"].as_str().unwrap()]).ok();
    let list = env.json(&["list"]);
    assert_eq!(list["memories"].as_array().unwrap().len(), 1);
    assert_eq!(list["memories"][0]["scope"], "private");
}

#[test]
fn p10_deleting_cache_and_state_loses_no_memory() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let before = env.json(&["list"])["memories"].clone();
    std::fs::remove_dir_all(env.cache()).unwrap();
    assert_eq!(env.json(&["list"])["memories"], before);
    // Without the cache, our own write is still known as ours.
    assert_eq!(env.json(&["history"])["changes"].as_array().unwrap().len(), 1);
    std::fs::remove_dir_all(env.state()).unwrap();
    assert_eq!(env.json(&["list"])["memories"], before);
    assert_eq!(env.memory_files().len(), 2);
}

#[test]
fn a_damaged_cache_is_rebuilt() {
    let env = env();
    for text in ["Use UTC everywhere", "Never push on Fridays", "Dates are ISO"] {
        env.run(&["remember", text, "--type", "feedback"]).ok();
    }
    for at in 0..40 {
        env.write_memory(&format!("note_{at}.md"), format!("---\nname: n{at}\n---\n"));
    }
    let before = env.json(&["list"])["memories"].clone();
    let catalogs = env.program("find", &[env.cache().to_str().unwrap(), "-name", "catalog"]).output().unwrap();
    let catalog = String::from_utf8(catalogs.stdout).unwrap().lines().next().expect("a catalog").to_owned();
    let good = std::fs::read(&catalog).unwrap();
    for bad in [Vec::new(), b"nonsense".to_vec(), good[..good.len() / 2].to_vec(), {
        let mut flipped = good.clone();
        let middle = flipped.len() / 2;
        flipped[middle] ^= 0x55;
        flipped
    }] {
        std::fs::write(&catalog, bad).unwrap();
        assert_eq!(env.json(&["list"])["memories"], before);
    }
}

#[test]
fn p10_a_deleted_history_starts_again_with_everything_that_is_there() {
    let env = env();
    for at in 0..40 {
        env.write_memory(&format!("note_{at}.md"), format!("---\nname: n{at}\n---\n"));
    }
    env.run(&["list"]).ok();
    // The history goes, the cache stays and knows more than the history does.
    std::fs::remove_dir_all(env.state()).unwrap();
    let saved = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let changes = env.json(&["history"])["changes"].clone();
    let outside: Vec<_> = changes.as_array().unwrap().iter().filter(|change| change["actor"] == "outside").collect();
    assert_eq!(outside.len(), 1, "an own write was taken for somebody else's: {changes}");
    assert_eq!(outside[0]["files"].as_array().unwrap().len(), 40, "{changes}");
    assert_eq!(changes[0]["id"], saved["change"]);
    // So what was there can be brought back, although it was never changed since.
    env.write_memory("note_7.md", "overwritten");
    let lost = env.json(&["history", "note_7.md"])["changes"][0]["id"].as_str().unwrap().to_owned();
    env.run(&["undo", &lost]).ok();
    assert_eq!(env.read_memory("note_7.md"), "---\nname: n7\n---\n");
}

/// What stands first in each line of `history`.
fn listed(env: &memdir_testkit::TestEnv) -> Vec<String> {
    let run = env.run(&["history"]).ok();
    run.stdout.lines().map(|line| line.split_whitespace().next().unwrap().to_owned()).collect()
}

#[test]
fn the_id_that_is_printed_is_listed_and_after_an_act_undo_goes_on_before_it() {
    let env = env();
    let first = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    env.run(&["remember", "The staging cluster is rebuilt every night", "--type", "project"]).ok();
    env.run(&["remember", "The staging database has real data", "--type", "project"]).ok();
    let act = env.json(&["forget", "staging", "--yes"])["change"].as_str().unwrap().to_owned();
    assert_eq!(listed(&env)[0], act);
    // Both come back at once, and the next ones are those before, not the same again.
    let undone = env.run(&["undo"]).ok().prints(&act);
    assert!(!undone.stdout.contains("passed over") && !undone.stderr.contains("passed over"), "{undone}");
    assert_eq!(env.memory_files().len(), 4);
    for left in [3, 2, 1] {
        let run = env.run(&["undo"]).ok();
        assert!(!run.stderr.contains("purged"), "{run}");
        assert_eq!(env.memory_files().len(), left, "{run}");
    }
    env.run(&["undo"]).fails(1).says("nothing to undo");
    assert!(listed(&env).contains(&first["change"].as_str().unwrap().to_owned()));
}

#[test]
fn one_run_of_an_extraction_is_one_undo() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let mut paths = Vec::new();
    for (session, said) in [
        ("s1", "From now on never push to main on a Friday."),
        ("s2", "Please always answer in German when I write in German."),
    ] {
        let mut talk = super::extracting::Transcript::new(&env, session);
        talk.user(said);
        talk.assistant("Understood.");
        paths.push(talk.path().to_owned());
    }
    let before = env.memory_files();
    let run = env.run(&["extract", &paths[0], &paths[1]]).ok();
    assert_eq!(env.memory_files().len(), before.len() + 2, "{run}");
    let id = listed(&env)[0].clone();
    assert!(run.stderr.contains(&format!("memdir undo {id}")), "{run}");
    env.run(&["undo", &id]).ok();
    assert_eq!(env.memory_files(), before);
    // Its undo is one act as well.
    env.run(&["undo", &listed(&env)[0]]).ok();
    assert_eq!(env.memory_files().len(), before.len() + 2);
}

#[test]
fn diff_without_a_name_shows_the_last_change() {
    let env = env();
    env.run(&["diff"]).fails(1).says("nothing has changed here yet");
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    env.run(&["remember", "Prices are without VAT", "--type", "project"]).ok();
    env.run(&["diff"]).ok().prints("+Prices are without VAT");
}
