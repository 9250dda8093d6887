#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use super::*;
use crate::Dirs;

/// A store of its own, and its memory directory as another program would touch it.
struct Bench {
    dir: tempfile::TempDir,
    store: Store,
}

impl Bench {
    fn new() -> Bench {
        let dir = tempfile::tempdir().unwrap();
        let dirs = Dirs { state: dir.path().join("state"), cache: dir.path().join("cache") };
        let store = Store::create(&dir.path().join("memory"), &dirs).unwrap();
        Bench { dir, store }
    }

    fn dir(&self) -> PathBuf {
        self.dir.path().join("memory")
    }

    fn put(&self, file: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.dir().join(file), content).unwrap();
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.dir().join(file)).unwrap()
    }
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn lock(bench: &Bench, pid: u32, time: &str) {
    bench.put(LOCK_NAME, format!("{pid}\n"));
    fs::set_modified(&bench.dir().join(LOCK_NAME), at(time)).unwrap();
}

const NOW: &str = "2026-04-14T10:00:00Z";
/// No system hands out so large a PID.
const DEAD: u32 = 0x7fff_fff0;

#[test]
fn d2_the_lock_holds_the_pid_and_the_time_and_goes_back_on_failure() {
    let bench = Bench::new();
    let bench_store = &bench.store;
    lock(&bench, DEAD, "2026-04-10T10:00:00Z");
    let hold = bench_store.hold_dream(at(NOW), Some(&bench_store.dream_seen())).unwrap();
    assert_eq!(bench.read(LOCK_NAME).trim(), std::process::id().to_string());
    assert_eq!(bench_store.consolidated().unwrap().time, at(NOW));
    assert!(matches!(bench_store.hold_dream(at(NOW), None), Err(DreamLockError::Held(_))), "it is running");
    hold.roll_back();
    assert_eq!(bench_store.consolidated().unwrap(), LockState { pid: DEAD, time: at("2026-04-10T10:00:00Z") });
    let again = bench_store.hold_dream(at(NOW), Some(&bench_store.dream_seen())).unwrap();
    again.finish().unwrap();
    assert!(
        bench_store.hold_dream(at("2026-04-14T10:05:00Z"), None).is_ok(),
        "by hand, while our own finished PID stands there"
    );
}

#[test]
fn d2_no_file_before_means_no_file_after_a_failure() {
    let bench = Bench::new();
    let bench_store = &bench.store;
    bench_store.hold_dream(at(NOW), Some(&bench_store.dream_seen())).unwrap().roll_back();
    assert!(bench_store.consolidated().is_none());
}

#[test]
fn d2_dead_old_and_future_holders_are_taken_over_a_living_one_is_not() {
    let bench = Bench::new();
    let bench_store = &bench.store;
    let me = std::process::id();
    for (pid, time, free) in [
        (DEAD, "2026-04-14T09:59:00Z", true),
        (me, "2026-04-14T08:59:00Z", true),
        (me, "2027-01-01T00:00:00Z", true),
        (me, "2026-04-14T09:59:00Z", false),
        (0, "2026-04-14T09:59:00Z", true),
    ] {
        lock(&bench, pid, time);
        assert_eq!(bench_store.dreaming(at(NOW), false).is_none(), free, "{pid} {time}");
    }
    // A host that is done leaves its PID: by hand it works all the same.
    assert!(bench_store.dreaming(at(NOW), true).is_none());
}

#[test]
fn d2_whoever_was_taken_over_lands_nothing_and_rolls_nothing_back() {
    let bench = Bench::new();
    let bench_store = &bench.store;
    let stopped = bench_store.hold_dream(at(NOW), Some(&bench_store.dream_seen())).unwrap();
    let later = bench_store.hold_dream(at("2026-04-14T12:00:00Z"), Some(&bench_store.dream_seen())).unwrap();
    assert!(!stopped.is_mine() && later.is_mine());
    stopped.roll_back();
    assert_eq!(bench_store.consolidated().unwrap().time, at("2026-04-14T12:00:00Z"));
}

#[test]
fn d2_a_run_that_died_counts_for_nothing_and_the_next_one_is_due() {
    let bench = Bench::new();
    let bench_store = &bench.store;
    lock(&bench, DEAD, "2026-04-10T10:00:00Z");
    // It stops, and is given up after an hour.
    let _stopped = bench_store.hold_dream(at(NOW), None).unwrap();
    assert_eq!(bench_store.last_consolidated(at("2026-04-14T10:30:00Z")), Some(at(NOW)), "it may still come");
    let later = at("2026-04-14T12:00:00Z");
    assert_eq!(bench_store.last_consolidated(later), Some(at("2026-04-10T10:00:00Z")));
    let seen = bench_store.dream_seen();
    bench_store.hold_dream(later, Some(&seen)).unwrap().finish().unwrap();
    assert_eq!(bench_store.last_consolidated(later), Some(later));
    assert!(bench_store.hold_dream(later, Some(&seen)).is_err(), "somebody dreamt meanwhile");
}

#[test]
fn d2_a_run_that_landed_and_never_came_to_its_end_was_a_dream() {
    let bench = Bench::new();
    let bench_store = &bench.store;
    let stopped = bench_store.hold_dream(at(NOW), None).unwrap();
    let later = at("2026-04-14T12:00:00Z");
    let seen = bench_store.dream_seen();
    assert_eq!(bench_store.last_consolidated(later), None);
    assert!(stopped.may_land());
    assert_eq!(bench_store.last_consolidated(later), Some(at(NOW)));
    assert!(bench_store.hold_dream(later, Some(&seen)).is_err(), "it landed since");
    // By hand somebody may take over; then nothing more of the first lands.
    let by_hand = bench_store.hold_dream(later, None).unwrap();
    assert!(by_hand.is_mine() && !stopped.may_land());
}

#[test]
fn d2_another_tool_that_writes_its_pid_has_taken_over() {
    let bench = Bench::new();
    let bench_store = &bench.store;
    let hold = bench_store.hold_dream(at(NOW), None).unwrap();
    assert!(hold.is_mine());
    lock(&bench, std::process::id() + 1, "2026-04-14T10:01:00Z");
    assert!(!hold.is_mine());
    hold.roll_back();
    assert_eq!(bench.read(LOCK_NAME).trim(), (std::process::id() + 1).to_string());
}
