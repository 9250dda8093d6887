use std::fs;

use super::*;
use crate::history::{Actor, Author};
use crate::{Dirs, Intent};
use memdir_guard::confine::RelPath;

fn now() -> jiff::Timestamp {
    jiff::Timestamp::UNIX_EPOCH
}

struct Bench {
    dir: tempfile::TempDir,
}

impl Bench {
    fn new(files: usize) -> Bench {
        let dir = tempfile::tempdir().unwrap();
        let bench = Bench { dir };
        fs::create_dir_all(bench.memory().join("team")).unwrap();
        for at in 0..files {
            fs::write(bench.memory().join(format!("a{at}.md")), format!("text {at}\n")).unwrap();
        }
        bench
    }

    fn memory(&self) -> PathBuf {
        self.dir.path().join("memory")
    }

    fn store(&self) -> Store {
        let dirs = Dirs { state: self.dir.path().join("state"), cache: self.dir.path().join("cache") };
        Store::open(&self.memory(), &dirs).unwrap()
    }

    /// What a handle that starts from nothing knows.
    fn truth(&self) -> Vec<(String, crate::history::Hash)> {
        let store = self.store();
        store.notice(now()).unwrap();
        all(&store)
    }
}

fn all(store: &Store) -> Vec<(String, crate::history::Hash)> {
    let known = store.known().unwrap();
    let mut all: Vec<_> = known.iter().map(|known| (known.path.to_owned(), known.hash)).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// A handle that goes on where another ended; whether it had something to go on with.
fn next(bench: &Bench, kept: Option<CachedStore>) -> (Store, bool) {
    let store = bench.store();
    store.resume(kept);
    let watching = matches!(*store.retention.borrow(), Retention::Watching(_));
    store.notice(now()).unwrap();
    (store, watching)
}

fn author() -> Author {
    Author { actor: Actor::User, session: None, message: None, time: now() }
}

#[test]
fn what_others_do_is_noticed_as_by_a_whole_look() {
    let bench = Bench::new(20);
    let (store, _) = next(&bench, None);
    let mut kept = store.suspend();
    let deeds: [&dyn Fn(); 7] = [
        &|| {},
        // In place: neither the directory nor the inode tells.
        &|| {
            fs::OpenOptions::new()
                .append(true)
                .open(bench.memory().join("a3.md"))
                .map(|mut file| {
                    std::io::Write::write_all(&mut file, b"more\n").unwrap();
                })
                .unwrap();
        },
        &|| fs::write(bench.memory().join("new.md"), "new\n").unwrap(),
        &|| fs::remove_file(bench.memory().join("a5.md")).unwrap(),
        &|| fs::rename(bench.memory().join("a6.md"), bench.memory().join("team/a6.md")).unwrap(),
        &|| {
            fs::create_dir(bench.memory().join("deep")).unwrap();
            fs::write(bench.memory().join("deep/x.md"), "x\n").unwrap();
        },
        &|| fs::write(bench.memory().join("deep/x.md"), "y\n").unwrap(),
    ];
    for (at, deed) in deeds.iter().enumerate() {
        deed();
        let (store, watching) = next(&bench, kept);
        assert!(watching, "{at}");
        assert_eq!(all(&store), bench.truth(), "{at}");
        kept = store.suspend();
    }
}

#[test]
fn our_own_changes_need_no_whole_look() {
    let bench = Bench::new(5);
    let (store, _) = next(&bench, None);
    let (mut kept, mut recorded) = (store.suspend(), None);
    for at in 0..4 {
        let (store, watching) = next(&bench, kept);
        assert!(watching, "{at}");
        let generation = store.known().unwrap().generation();
        assert!(recorded.is_none_or(|before| before == generation), "the catalog was made anew");
        recorded = Some(generation);
        let file = RelPath::parse(&format!("own{at}.md")).unwrap();
        store.change(&author(), &Intent::new("test"), |edit| edit.write(&file, b"own\n".to_vec())).unwrap();
        kept = store.suspend();
    }
    let (store, _) = next(&bench, kept);
    assert_eq!(all(&store), bench.truth());
    let mut outside = 0;
    store
        .journal()
        .newest_first(|change| {
            outside += usize::from(change.actor == Actor::Outside);
            crate::history::Visit::More
        })
        .unwrap();
    assert_eq!(outside, 1, "only what was found at first sight");
}

#[test]
fn when_the_history_is_deleted_everything_is_recorded_again() {
    let bench = Bench::new(3);
    let (store, _) = next(&bench, None);
    let kept = store.suspend();
    fs::remove_dir_all(bench.dir.path().join("state")).unwrap();
    let (store, _) = next(&bench, kept);
    assert_eq!(all(&store).len(), 3);
    assert_eq!(all(&store), bench.truth());
    assert!(!store.journal().files().unwrap().is_empty());
}

#[test]
fn a_file_with_a_second_name_is_looked_at_every_time() {
    let bench = Bench::new(2);
    fs::hard_link(bench.memory().join("a0.md"), bench.dir.path().join("elsewhere")).unwrap();
    let (store, _) = next(&bench, None);
    assert!(store.suspend().is_none());
}

#[test]
fn what_was_kept_of_another_directory_is_not_used() {
    let (one, other) = (Bench::new(1), Bench::new(3));
    let (store, _) = next(&one, None);
    let (store, watching) = next(&other, store.suspend());
    assert!(!watching);
    assert_eq!(all(&store), other.truth());
}

#[test]
fn every_file_is_looked_at_now_and_then() {
    let bench = Bench::new(2);
    let (store, _) = next(&bench, None);
    let kept = store.suspend();
    let store = bench.store();
    store.resume(kept);
    let later = jiff::Timestamp::from_second(700).unwrap();
    assert!(store.news(later).unwrap().is_none());
}
