//! A fault at every system call of a write: the directory stays readable, each file is old or
//! new, and the next command puts the rest right.
//!
//! The faults are real answers of the kernel as far as memdir can tell: `strace` makes one call
//! fail at a time. Needs `strace` and the right to trace a child; `.ci/run` runs it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::collections::BTreeMap;
use std::path::Path;

use memdir_testkit::{TestEnv, finish};

/// Calls that change something or make it durable, and what may go wrong with each.
const CALLS: &[(&str, &[&str])] = &[
    ("openat", &["ENOSPC", "EACCES", "EIO", "EMFILE"]),
    ("write", &["ENOSPC", "EIO"]),
    ("fsync", &["EIO", "ENOSPC"]),
    ("fdatasync", &["EIO"]),
    ("rename", &["EIO", "EACCES"]),
    ("renameat", &["EIO", "EACCES"]),
    ("renameat2", &["EIO", "ENOSPC", "EINVAL"]),
    ("unlinkat", &["EIO", "EACCES"]),
    ("mkdir", &["ENOSPC", "EACCES"]),
    ("mkdirat", &["ENOSPC", "EACCES"]),
    ("fchmod", &["EIO"]),
    ("ftruncate", &["EIO"]),
    ("flock", &["EIO", "ENOLCK"]),
    ("read", &["EIO"]),
    ("newfstatat", &["EIO"]),
    ("fstat", &["EIO"]),
    ("statx", &["EIO"]),
    ("getdents64", &["EIO"]),
];

const OLD: &str = "The old text of the memory";
const NEW: &str = "The new text of the memory";

fn fresh() -> TestEnv {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_memdir"));
    env.run(&["remember", OLD, "--type", "project", "--name", "Victim"]).ok();
    env.run(&["remember", "A bystander", "--type", "project", "--name", "Bystander"]).ok();
    env
}

/// How often each call is made by a command.
fn counts(args: &[&str]) -> BTreeMap<String, u32> {
    let env = fresh();
    let trace = env.home().join("trace");
    let mut traced: Vec<&str> = vec!["-f", "-qq", "-o", trace.to_str().unwrap(), env!("CARGO_BIN_EXE_memdir")];
    traced.extend(args);
    finish(&mut env.program("strace", &traced)).ok();
    let mut counts = BTreeMap::new();
    for line in std::fs::read_to_string(trace).unwrap().lines() {
        let call = line.split_whitespace().nth(1).and_then(|rest| rest.split('(').next()).unwrap_or_default();
        *counts.entry(call.to_owned()).or_insert(0) += 1;
    }
    counts
}

fn sweep(args: &[&str], allowed: &dyn Fn(&Path, i32) -> Result<(), String>) {
    let counts = counts(args);
    let mut faults = 0;
    for (call, errors) in CALLS {
        for when in 1..=counts.get(*call).copied().unwrap_or(0) {
            // One error a moment is enough: they all take the same way out. Vary it over the moments.
            let error = errors[when as usize % errors.len()];
            let env = fresh();
            let memory = env.memory();
            let inject = format!("inject={call}:error={error}:when={when}");
            let mut traced: Vec<&str> =
                vec!["-f", "-qq", "-o", "/dev/null", "-e", &inject, env!("CARGO_BIN_EXE_memdir")];
            traced.extend(args);
            let run = finish(&mut env.program("strace", &traced));
            let what = format!("{args:?} with {call} #{when} failing with {error}\n{run}");
            // Before main runs, the loader and the runtime may give up by themselves.
            let code = run.code.unwrap_or(-1);
            assert!(!run.stderr.contains("panicked"), "{what}");
            faults += 1;
            if let Err(why) = allowed(&memory, code) {
                panic!("{why}: {what}");
            }
            // The next command heals the rest.
            env.run(&["remember", "After the fault", "--type", "project"]).ok();
            let findings = env.json(&["doctor"])["findings"].clone();
            assert!(
                findings.as_array().unwrap().iter().all(|finding| finding["fixable"] == false),
                "{findings} {what}"
            );
            assert!(env.memory_files().iter().all(|file| file.ends_with(".md")), "{:?} {what}", env.memory_files());
            assert!(env.read_memory("project_bystander.md").contains("A bystander"), "{what}");
        }
    }
    assert!(faults > 40, "only {faults} faults were injected");
}

fn text(memory: &Path, file: &str) -> Option<String> {
    std::fs::read_to_string(memory.join(file)).ok()
}

#[test]
fn f6_an_edit_is_old_or_new_whatever_fails() {
    sweep(&["edit", "project_victim.md", "--body", NEW, "--description", "said anew"], &|memory, code| {
        let Some(text) = text(memory, "project_victim.md") else { return Err("the file is gone".into()) };
        let (old, new) = (text.contains(OLD) && !text.contains(NEW), text.contains(NEW) && text.ends_with('\n'));
        match (old, new, code) {
            // The description still quotes the old text after an edit of the body.
            (_, true, _) | (true, false, 1.. | -1) => Ok(()),
            (true, false, 0) => Err("success was reported and nothing changed".into()),
            _ => Err(format!("torn: {text:?}")),
        }
    });
}

#[test]
fn i4_a_new_memory_has_both_file_and_pointer_after_healing() {
    sweep(&["remember", "Something quite different", "--type", "project", "--name", "Newcomer"], &|memory, code| {
        let there = text(memory, "project_newcomer.md").is_some_and(|text| text.contains("Something quite different"));
        if code == 0 && !there { Err("success was reported and the file is not there".into()) } else { Ok(()) }
    });
}

#[test]
fn a_forgotten_memory_is_whole_or_gone_and_always_in_the_history() {
    sweep(&["forget", "project_victim.md"], &|memory, code| match text(memory, "project_victim.md") {
        Some(text) if text.contains(OLD) => {
            if code == 0 {
                Err("success was reported and the file is still there".into())
            } else {
                Ok(())
            }
        }
        Some(text) => Err(format!("torn: {text:?}")),
        None => Ok(()),
    });
}

/// A real short write: the kernel writes up to the limit and then refuses.
#[test]
fn f6_a_short_write_leaves_the_old_file() {
    for blocks in [1, 2, 4, 8] {
        let env = fresh();
        let body = "x".repeat(16 * 1024);
        let script = format!(
            "trap '' XFSZ; ulimit -f {blocks}; exec '{}' edit project_victim.md --body '{body}'",
            env!("CARGO_BIN_EXE_memdir")
        );
        let run = finish(&mut env.program("sh", &["-c", &script]));
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(env.read_memory("project_victim.md").contains(OLD));
        assert!(env.memory_files().iter().all(|file| file.ends_with(".md")), "{:?}", env.memory_files());
        env.run(&["edit", "project_victim.md", "--body", NEW, "--description", "said anew"]).ok();
        env.run(&["doctor"]).ok().prints("All is well");
    }
}

/// Every address that a command calls, with all that it starts.
fn called(env: &TestEnv, args: &[&str]) -> Vec<String> {
    let trace = env.home().join("trace");
    let mut traced: Vec<&str> =
        vec!["-f", "-qq", "-e", "trace=connect,sendto", "-o", trace.to_str().unwrap(), env!("CARGO_BIN_EXE_memdir")];
    traced.extend(args);
    finish(&mut env.program("strace", &traced));
    let text = std::fs::read_to_string(trace).unwrap();
    text.lines().filter(|line| line.contains("AF_INET")).map(str::to_owned).collect()
}

/// The guide: memdir opens a connection only where somebody agreed to it. The kernel sees every one.
#[test]
fn no_command_opens_a_connection_that_nobody_agreed_to() {
    let mut env = fresh();
    env.var("MEMDIR_NO_BACKGROUND", "0").var("ANTHROPIC_API_KEY", "k").var("ANTHROPIC_BASE_URL", "http://127.0.0.1:9");
    for command in [
        &["remember", "The crane is inspected before each tide", "--type", "project"][..],
        &["recall", "when is the crane inspected?"],
        &["init", "claude-code", "--yes", "--no-model"],
        &["dream", "--force"],
        &["doctor"],
        &["status"],
        &["work"],
    ] {
        assert_eq!(called(&env, command), Vec::<String>::new(), "{command:?}");
    }
    env.var("MEMDIR_MODEL_CONSENT", "1");
    assert!(!called(&env, &["dream", "--force"]).is_empty(), "with a yes it is seen");
}
