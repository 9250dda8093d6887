//! Six processes race for the dream of one directory after another, and holders that were stopped two hours
//! ago wake up in the middle of it (D2).

#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::engine::Memory;
use crate::engine::workbench::{Workbench, store};
use crate::guard::confine::RelPath;
use crate::kind::Scope;
use crate::store::Intent;
use crate::store::consolidate::{Hold, LOCK_NAME};
use crate::store::fs;

const ROUNDS: usize = 500;
const RACERS: usize = 6;
const HOMES: &str = "MEMDIR_TEST_RACE";
/// No system hands out so large a PID.
const DEAD: u32 = 0x7fff_fff0;

fn bench(home: PathBuf) -> Workbench {
    Workbench::at(home).set("MEMDIR_DREAM_MIN_SESSIONS", "0")
}

/// One racer: tries to dream in every directory, and leaves a line where it did.
fn race(homes: &Path) {
    for round in 0..ROUNDS {
        let memory = bench(homes.join(round.to_string())).memory();
        let Ok(hold) = memory.begin_dream(Scope::Private, false) else { continue };
        land(&memory, &hold);
    }
}

/// Leaves a line if the dream is still ours, and ends it.
fn land(memory: &Memory, hold: &Hold<'_>) {
    let file = RelPath::parse("project_result.md").unwrap();
    let landed = store(memory).change(&memory.author(), &Intent::new("dream"), |edit| {
        if hold.is_mine() {
            let mut text = edit.read(&file)?.unwrap_or_default();
            text.extend_from_slice(format!("landed by {}\n", std::process::id()).as_bytes());
            edit.write(&file, text)?;
        }
        Ok(())
    });
    landed.unwrap();
    hold.finish().unwrap();
}

#[test]
fn d2_exactly_one_of_six_processes_lands_whatever_stands_in_the_lock() {
    if let Some(homes) = std::env::var_os(HOMES) {
        return race(Path::new(&homes));
    }
    let dir = tempfile::tempdir().unwrap();
    let homes = crate::store::fs::canonical(dir.path()).unwrap();
    let mut stopped = Vec::new();
    for round in 0..ROUNDS {
        let bench = bench(homes.join(round.to_string()));
        for below in ["work/app", "memories/app"] {
            std::fs::create_dir_all(bench.home().join(below)).unwrap();
        }
        let lock = |pid: u32, time: &str| {
            bench.put(LOCK_NAME, format!("{pid}\n"));
            fs::set_modified(&bench.dir().join(LOCK_NAME), time.parse().unwrap()).unwrap();
        };
        match round % 5 {
            // Nobody was there yet.
            0 => {}
            // A dead holder, an hour's work ago.
            1 => lock(DEAD, "2026-04-12T09:00:00Z"),
            // A PID that somebody else has now.
            2 => lock(std::process::id(), "2026-04-12T09:00:00Z"),
            // The clock was put back.
            3 => lock(std::process::id(), "2027-01-01T00:00:00Z"),
            // A holder that was stopped two hours ago, and wakes up during the race.
            _ => {
                let memory: &'static Memory = Box::leak(Box::new(bench.memory()));
                let long_ago = "2026-04-14T08:00:00Z".parse().unwrap();
                stopped.push((memory, store(memory).hold_dream(long_ago, None).unwrap()));
            }
        }
    }
    let racer = || {
        Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "engine::dream::racing::d2_exactly_one_of_six_processes_lands_whatever_stands_in_the_lock",
            ])
            .env(HOMES, &homes)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap()
    };
    let racers: Vec<_> = (0..RACERS).map(|_| racer()).collect();
    for (memory, hold) in &stopped {
        land(memory, hold);
    }
    for mut racer in racers {
        assert!(racer.wait().unwrap().success());
    }
    for round in 0..ROUNDS {
        let text = bench(homes.join(round.to_string())).read("project_result.md");
        assert_eq!(text.lines().count(), 1, "round {round}: {text}");
    }
    assert_eq!(stopped.len(), ROUNDS / 5);
}
