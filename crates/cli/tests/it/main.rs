//! The command line as its users meet it: real processes on real files.

#![allow(clippy::disallowed_methods, clippy::expect_used, clippy::unwrap_used, missing_docs)] // it is all test

mod acting;
mod adopting;
mod aging;
mod architecture;
mod behaviours;
mod browsing;
mod chat_faults;
mod chat_notes;
mod chat_terminal;
mod chatting;
mod conforming;
mod contexts;
mod correcting;
mod crashing;
mod doctoring;
mod dream_scopes;
mod dreaming;
mod extracting;
mod forgetting;
mod guide;
mod healing;
mod hook_agents;
mod hook_index;
mod hook_limits;
mod hook_messages;
mod hook_notes;
mod hook_recall;
mod hook_recordings;
mod hooking;
mod hostile;
mod importing;
mod interrupting;
mod intruding;
mod listing;
mod log_mode;
mod logging;
mod mcp;
mod messages;
mod misbehaving;
mod misplaced;
mod naming;
mod places;
mod pty;
mod racing;
mod recalling;
mod recalling_names;
mod recalling_session;
mod reference;
mod remembering;
mod scoring;
mod searching;
mod sending;
mod serving;
mod serving_long;
mod sharing;
mod shell;
mod switching;
mod team_lists;
mod team_parents;
mod team_trust;
mod teaming;
mod telling;
mod thinking;
mod timeline;
mod typed;
mod unattended;
mod wiring;
mod working;

use std::path::{Path, PathBuf};

use memdir_testkit::TestEnv;

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_memdir"))
}

fn git_env() -> TestEnv {
    TestEnv::with_git(env!("CARGO_BIN_EXE_memdir"))
}

/// A test file that nobody declares runs no test; this one notices.
#[test]
fn every_file_here_is_declared() {
    let source = include_str!("main.rs");
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        let stem = name.trim_end_matches(".rs");
        assert!(stem == "main" || source.contains(&format!("mod {stem};")), "{name} is not declared");
    }
}

/// Every Rust file of the workspace with its text, in the order of their paths.
fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()];
    while let Some(dir) = open.pop() {
        for path in std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    found
}
