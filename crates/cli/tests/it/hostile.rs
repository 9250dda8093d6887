//! Bad input gets a clear answer and loses nothing.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;

use memdir_testkit::{TestEnv, finish};

use super::env;

/// An ordinary user, so that permissions mean something even where tests run as root.
const NOBODY: u32 = 65_534;

fn as_nobody(env: &TestEnv, args: &[&str]) -> memdir_testkit::Run {
    let mut command = env.command(args);
    if rustix_is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    finish(&mut command)
}

fn rustix_is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|facts| std::os::unix::fs::MetadataExt::uid(&facts) == 0)
}

fn give_away(path: &std::path::Path) {
    if rustix_is_root() {
        let status =
            std::process::Command::new("chown").args(["-R", &format!("{NOBODY}:{NOBODY}")]).arg(path).status().unwrap();
        assert!(status.success());
    }
}

#[test]
fn p8_paths_that_leave_the_directory_are_refused() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    std::fs::write(env.home().join("outside.md"), "---\nname: x\n---\n").unwrap();
    for path in [
        "../outside.md",
        "/etc/passwd",
        "a/../../outside.md",
        "..\\outside.md",
        "a\u{2215}b.md",
        "C:outside.md",
        "team/../../x.md",
    ] {
        for command in ["show", "pin", "forget", "blame"] {
            let run = env.run(&[command, path, "--yes"]);
            assert_eq!(run.code, Some(1), "{command} {path}: {run}");
        }
    }
    assert_eq!(std::fs::read_to_string(env.home().join("outside.md")).unwrap(), "---\nname: x\n---\n");
}

#[test]
fn p8_t4_links_are_neither_read_nor_written() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let secret = env.home().join("secret.md");
    std::fs::write(&secret, "---\nname: secret\ndescription: treasure\n---\n").unwrap();
    let outside = env.home().join("outside");
    std::fs::create_dir(&outside).unwrap();
    symlink(&secret, env.memory().join("link.md")).unwrap();
    symlink(&outside, env.memory().join("team")).unwrap();
    env.run(&["pin", "link.md"]).fails(1);
    env.run(&["show", "link.md"]).fails(1);
    assert!(!env.run(&["list"]).ok().stdout.contains("treasure"));
    env.run(&["remember", "Releases are cut by Mara", "--type", "project", "--scope", "team"]).fails(1).says("link");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
    assert!(std::fs::read_to_string(&secret).unwrap().starts_with("---\nname: secret"));
}

#[test]
fn p8_a_hard_link_is_never_written_through() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let outside = env.home().join("outside.md");
    std::fs::write(&outside, "---\nname: x\ndescription: d\ntype: user\n---\n").unwrap();
    std::fs::hard_link(&outside, env.memory().join("hard.md")).unwrap();
    env.run(&["pin", "hard.md"]).ok();
    assert!(!std::fs::read_to_string(&outside).unwrap().contains("pinned"));
    assert!(env.read_memory("hard.md").contains("pinned: true"));
}

#[test]
fn an_index_that_is_a_link_is_not_written_through() {
    let env = env();
    std::fs::create_dir_all(env.memory()).unwrap();
    let target = env.home().join("victim");
    std::fs::write(&target, "precious\n").unwrap();
    symlink(&target, env.memory().join("MEMORY.md")).unwrap();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).fails(1).says("link");
    assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious\n");
}

#[test]
fn a_file_replaced_by_a_directory() {
    let env = env();
    let saved = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let path = env.memory().join(saved["file"].as_str().unwrap());
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    env.run(&["list"]).ok().says("not a regular file");
    env.run(&["show", saved["file"].as_str().unwrap()]).fails(1);
    env.run(&["remember", "Never push on Fridays", "--type", "feedback"]).ok();
    env.run(&["doctor"]).fails(1).prints("not a regular file");
}

#[test]
fn the_memory_directory_is_a_file() {
    let env = env();
    let memory = env.memory();
    std::fs::create_dir_all(memory.parent().unwrap()).unwrap();
    std::fs::write(&memory, "not a directory").unwrap();
    let run = env.run(&["remember", "anything"]);
    assert!(matches!(run.code, Some(1 | 2)) && run.stderr.contains("memory"), "{run}");
    assert_eq!(std::fs::read_to_string(&memory).unwrap(), "not a directory");
}

#[test]
fn a_read_only_directory_is_readable_and_not_writable() {
    let env = env();
    let saved = env.json(&["remember", "Use UTC everywhere", "--type", "feedback"]);
    let memory = env.memory();
    give_away(&env.home());
    std::fs::set_permissions(&memory, std::fs::Permissions::from_mode(0o500)).unwrap();
    as_nobody(&env, &["list"]).ok().prints("Use UTC everywhere");
    as_nobody(&env, &["remember", "Never push on Fridays"]).fails(2).says("permissions");
    as_nobody(&env, &["forget", saved["file"].as_str().unwrap()]).fails(2).says("nothing was changed");
    assert_eq!(std::fs::read_dir(&memory).unwrap().count(), 2);
    std::fs::set_permissions(&memory, std::fs::Permissions::from_mode(0o700)).unwrap();
    as_nobody(&env, &["remember", "Never push on Fridays"]).ok();
    as_nobody(&env, &["doctor"]).ok().prints("All is well");
}

#[test]
fn without_a_place_for_history_nothing_is_written_but_everything_is_readable() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    give_away(&env.home());
    std::fs::remove_dir_all(env.state()).unwrap();
    std::fs::set_permissions(env.home().join(".local/state"), std::fs::Permissions::from_mode(0o500)).unwrap();
    as_nobody(&env, &["list"]).ok().prints("Use UTC everywhere");
    as_nobody(&env, &["context"]).ok().prints("Use UTC everywhere");
    as_nobody(&env, &["remember", "Never push on Fridays"]).fails(2);
    assert_eq!(env.memory_files().len(), 2);
}

#[test]
fn a_missing_home_is_said_clearly() {
    let env = env();
    let run = finish(env.command(&["status"]).env_remove("HOME"));
    assert!(run.code == Some(1) && run.stderr.contains("HOME"), "{run}");
    let run = finish(env.command(&["remember", "x y z"]).env_remove("HOME"));
    assert!(run.code == Some(1) && run.stderr.contains("HOME"), "{run}");
}

#[test]
fn f5_the_wild_is_read_without_failure() {
    let env = env();
    let wild: [(&str, Vec<u8>); 11] = [
        ("crlf.md", b"---\r\nname: a\r\ndescription: b\r\ntype: user\r\n---\r\nx\r\n".to_vec()),
        ("bom.md", "\u{feff}---\nname: a\n---\n".into()),
        ("tabs.md", b"---\n\tname:\ta\n\ttype:\tuser\n---\n".to_vec()),
        ("colon.md", b"---\nname: a: b: c\ndescription: *bold* x\n---\n".to_vec()),
        ("dup.md", b"---\nname: a\nname: b\n---\n".to_vec()),
        ("open.md", b"---\nname: a\n".to_vec()),
        ("latin.md", b"---\nname: caf\xe9\n---\n\xff\xfe\n".to_vec()),
        ("zeros.md", b"---\nname: a\0b\n---\n\0\0\n".to_vec()),
        ("中文 记忆.md", "---\nname: 名字\ntype: user\n---\n".into()),
        ("UPPER.MD", b"no frontmatter\n".to_vec()),
        ("empty.md", Vec::new()),
    ];
    for (name, bytes) in &wild {
        env.write_memory(name, bytes);
    }
    env.write_memory("huge.md", [b"---\nname: huge\ntype: project\n---\n".to_vec(), b"word ".repeat(1 << 20)].concat());
    let listed = env.json(&["list"])["memories"].as_array().unwrap().len();
    assert_eq!(listed, wild.len() + 1);
    for (name, bytes) in &wild {
        assert_eq!(&std::fs::read(env.memory().join(name)).unwrap(), bytes, "{name} was touched");
        env.run(&["show", name]).ok();
    }
    env.run(&["doctor"]).fails(1);
    // All of them can be forgotten and brought back byte for byte.
    for (name, bytes) in &wild {
        let gone = env.json(&["forget", name]);
        env.run(&["undo", gone["change"].as_str().unwrap()]).ok();
        assert_eq!(&std::fs::read(env.memory().join(name)).unwrap(), bytes, "{name} came back different");
    }
}

#[test]
fn a_clock_that_jumps_breaks_nothing() {
    let mut env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    env.at("1970-01-01T00:00:00Z");
    env.run(&["remember", "Never push on Fridays", "--type", "feedback"]).ok();
    env.at("9998-12-31T00:00:00Z");
    let two = env.json(&["remember", "Dates are ISO", "--type", "feedback"]);
    env.at("2001-01-01T00:00:00Z");
    env.run(&["undo", two["change"].as_str().unwrap()]).ok();
    env.run(&["list"]).ok();
    env.run(&["context"]).ok();
    env.run(&["history"]).ok();
    env.run(&["list", "--now", "not a time"]).fails(1).says("not a time");
}

#[test]
fn a_stuck_holder_is_waited_for_not_broken() {
    let env = env();
    env.run(&["remember", "Use UTC everywhere", "--type", "feedback"]).ok();
    let find = env.program("find", &[env.state().to_str().unwrap(), "-name", "lock"]).output().unwrap();
    let lock = String::from_utf8(find.stdout).unwrap().trim().to_owned();
    let held = std::fs::File::options().write(true).open(&lock).unwrap();
    held.lock().unwrap();
    // Readers do not need the lock.
    env.run(&["list"]).ok();
    // A writer goes on once the holder is done; a dead holder's lock is no lock.
    let child =
        env.command(&["remember", "Never push on Fridays"]).stdout(std::process::Stdio::piped()).spawn().unwrap();
    drop(held);
    assert!(child.wait_with_output().unwrap().status.success());
    std::fs::write(&lock, "999999").unwrap();
    env.run(&["remember", "Dates are ISO", "--type", "feedback"]).ok();
}
