//! Six processes race for the dream of one directory after another (D2).
//!
//! Before the race a process took some of the locks and was killed, another took some two hours ago and was
//! stopped; it wakes up in the middle of the race. In other directories the lock names a process that has nothing to do
//! with it, or a time that lies ahead. The racers' clocks differ by hours, as after a jump. In every
//! directory exactly one result lands.

#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, waitpid};

use crate::engine::Memory;
use crate::engine::test_memory::{TestMemory, store};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_store::Intent;
use memdir_store::dream_lock::{DreamLock, LOCK_NAME};
use memdir_store::fs;

const TEST: &str = "engine::dream::race_tests::d2_exactly_one_of_six_processes_lands_whatever_stands_in_the_lock";
/// Directories that are raced for; `MEMDIR_TEST_RACE_ROUNDS` asks for more.
const ROUNDS: usize = 60;
/// What the racers take for now. Some started before the clock jumped, some after.
const CLOCKS: [&str; 6] = [
    "2026-04-14T10:00:00[UTC]",
    "2026-04-14T10:00:00[UTC]",
    "2026-04-14T13:00:00[UTC]",
    "2026-04-14T10:00:00[UTC]",
    "2026-04-14T08:00:00[UTC]",
    "2026-04-14T10:00:01[UTC]",
];
const HOMES: &str = "MEMDIR_TEST_RACE";
const ROLE: &str = "MEMDIR_TEST_RACE_ROLE";
const COUNT: &str = "MEMDIR_TEST_RACE_ROUNDS";

/// What a directory is like before the race.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nobody was there yet.
    Nobody,
    /// A holder was killed minutes ago.
    Killed,
    /// Its PID belongs to somebody else by now.
    Reused,
    /// The clock was put back by months.
    Ahead,
    /// A holder was stopped two hours ago, and wakes up.
    Stopped,
}

impl Before {
    fn of(round: usize) -> Before {
        [Before::Nobody, Before::Killed, Before::Reused, Before::Ahead, Before::Stopped][round % 5]
    }
}

fn rounds() -> usize {
    std::env::var(COUNT).ok().and_then(|count| count.parse().ok()).unwrap_or(ROUNDS)
}

fn bench(homes: &Path, round: usize) -> TestMemory {
    TestMemory::at(homes.join(round.to_string())).set("MEMDIR_DREAM_MIN_SESSIONS", "0")
}

/// Tries to dream in every directory, and leaves a line where it did.
fn race(homes: &Path, clock: &str) {
    for round in 0..rounds() {
        let memory = bench(homes, round).memory_at(clock);
        match memory.dream().begin(Scope::Private, false) {
            Ok(hold) => land(&memory, &hold),
            Err(why) => tell(homes, round, &format!("{clock}: {why}")),
        }
    }
}

/// Leaves a line for whoever wants to know how a round went.
fn tell(homes: &Path, round: usize, text: &str) {
    let file = homes.join(round.to_string()).join("told");
    let mut file = std::fs::File::options().append(true).create(true).open(file).unwrap();
    writeln!(file, "{} {text}", std::process::id()).unwrap();
}

/// Takes the locks of some directories, stops, and goes on where it was when it is woken.
fn stop_while_holding(homes: &Path, which: Before, clock: &str) {
    let mine = (0..rounds()).filter(|round| Before::of(*round) == which);
    let memories: Vec<Memory> = mine.map(|round| bench(homes, round).memory_at(clock)).collect();
    let holds: Vec<(&Memory, DreamLock<'_>)> =
        memories.iter().map(|memory| (memory, memory.dream().begin(Scope::Private, false).unwrap())).collect();
    kill_process(getpid(), Signal::STOP).unwrap();
    // This thread may run on for a moment before all of the process stands still; here it cannot.
    std::io::stdin().read_exact(&mut [0]).unwrap();
    for (memory, hold) in &holds {
        land(memory, hold);
    }
}

/// Leaves a line if the dream is still ours, and ends it.
fn land(memory: &Memory, hold: &DreamLock<'_>) {
    let file = RelPath::parse("project_result.md").unwrap();
    let landed = store(memory).change(&memory.author(), &Intent::new("dream"), |edit| {
        if hold.may_land() {
            let mut text = edit.read(&file)?.unwrap_or_default();
            text.extend_from_slice(format!("landed by {}\n", std::process::id()).as_bytes());
            edit.write(&file, text)?;
        }
        Ok(())
    });
    landed.unwrap();
    hold.finish().unwrap();
}

fn start(homes: &Path, role: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", TEST])
        .env(HOMES, homes)
        .env(ROLE, role)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

/// A process that holds locks and is stopped by now.
fn start_and_stop(homes: &Path, role: &str) -> (Child, Pid) {
    let child = start(homes, role);
    let pid = Pid::from_child(&child);
    let (_, status) = waitpid(Some(pid), WaitOptions::UNTRACED).unwrap().unwrap();
    assert!(status.stopped(), "{role}: {status:?}");
    (child, pid)
}

/// What each directory is like before anybody is there.
fn set_up(homes: &Path, round: usize) {
    let bench = bench(homes, round);
    for below in ["work/app", "memories/app"] {
        std::fs::create_dir_all(bench.home().join(below)).unwrap();
    }
    let time = match Before::of(round) {
        Before::Nobody => return,
        Before::Ahead => "2027-01-01T00:00:00Z",
        Before::Killed | Before::Reused | Before::Stopped => "2026-04-12T09:00:00Z",
    };
    bench.put(LOCK_NAME, format!("{}\n", std::process::id()));
    fs::set_modified(&bench.dir().join(LOCK_NAME), time.parse().unwrap()).unwrap();
}

#[test]
fn d2_exactly_one_of_six_processes_lands_whatever_stands_in_the_lock() {
    if let Some(homes) = std::env::var_os(HOMES).map(PathBuf::from) {
        return match std::env::var(ROLE).unwrap().as_str() {
            "killed" => stop_while_holding(&homes, Before::Killed, "2026-04-14T09:50:00[UTC]"),
            "stopped" => stop_while_holding(&homes, Before::Stopped, "2026-04-14T08:00:00[UTC]"),
            clock => race(&homes, clock),
        };
    }
    let dir = tempfile::tempdir().unwrap();
    let homes = memdir_store::fs::canonical(dir.path()).unwrap();
    for round in 0..rounds() {
        set_up(&homes, round);
    }
    let (mut killed, _) = start_and_stop(&homes, "killed");
    killed.kill().unwrap();
    killed.wait().unwrap();
    let (mut stopped, pid) = start_and_stop(&homes, "stopped");
    let mut racers: Vec<Child> = CLOCKS.iter().map(|clock| start(&homes, clock)).collect();
    kill_process(pid, Signal::CONT).unwrap();
    stopped.stdin.take().unwrap().write_all(b"\n").unwrap();
    for racer in racers.iter_mut().chain([&mut stopped]) {
        assert!(racer.wait().unwrap().success());
    }
    for round in 0..rounds() {
        let home = homes.join(round.to_string());
        let read = |file: &str| std::fs::read_to_string(home.join(file)).unwrap_or_default();
        let text = read("memories/app/project_result.md");
        assert_eq!(text.lines().count(), 1, "round {round}: {text}\n{}", read("told"));
    }
}
