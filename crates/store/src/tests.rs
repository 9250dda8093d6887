//! The store by itself: what a change records, what can be taken back, what a purge leaves, who may read.

use std::collections::HashSet;

use super::history::{Actor, Author, Change, ChangeId, Hash, Version};
use super::*;

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

    fn change(&self, intent: &Intent, act: impl Fn(&mut Edit<'_>) -> Result<(), ChangeError>) -> Change {
        self.store.change(&author(Actor::User), intent, |edit| act(edit)).unwrap().1.unwrap()
    }

    fn write(&self, name: &str, text: &str) -> Change {
        self.change(&Intent::new("test"), |edit| edit.write(&path(name), text.as_bytes().to_vec()))
    }

    fn read(&self, name: &str) -> Option<String> {
        self.store.root().read(&path(name)).unwrap().map(|bytes| String::from_utf8(bytes).unwrap())
    }

    fn undo(&self, change: &Change) -> Result<Option<Change>, ChangeError> {
        self.store.undo(std::slice::from_ref(change), &author(Actor::User))
    }
}

fn path(name: &str) -> RelPath {
    RelPath::parse(name).unwrap()
}

fn author(actor: Actor) -> Author {
    Author { actor, session: None, message: None, time: jiff::Timestamp::UNIX_EPOCH }
}

#[test]
fn a_change_names_each_file_once_with_its_indexes() {
    let bench = Bench::new();
    let change = bench.change(&Intent::new("test"), |edit| {
        edit.write(&path("a.md"), b"one\n".to_vec())?;
        edit.point(&path("MEMORY.md"), "a.md", "A", "one")?;
        edit.point(&path("team/MEMORY.md"), "b.md", "B", "two")
    });
    assert_eq!(change.paths(), ["a.md", "MEMORY.md", "team/MEMORY.md"]);
    assert!(!change.is_emptied());
    let mut doubled = change;
    doubled.files[0].path = "MEMORY.md".to_owned();
    assert_eq!(doubled.paths(), ["MEMORY.md", "team/MEMORY.md"]);
}

#[test]
fn undo_brings_back_the_text_the_pointer_and_the_absence() {
    let bench = Bench::new();
    let first = bench.write("a.md", "one\n");
    let second = bench.change(&Intent::new("test"), |edit| {
        edit.write(&path("a.md"), b"two\n".to_vec())?;
        edit.point(&path("MEMORY.md"), "a.md", "A", "hook")
    });
    let undone = bench.undo(&second).unwrap().unwrap();
    assert_eq!((bench.read("a.md").as_deref(), bench.read("MEMORY.md").as_deref()), (Some("one\n"), Some("")));
    assert_eq!(undone.undoes, Some(second.id.clone()));
    assert!(undone.reason.contains(&second.id.0), "{}", undone.reason);
    assert!(bench.undo(&second).unwrap().is_none(), "it is as it was");
    bench.undo(&first).unwrap().unwrap();
    assert_eq!(bench.read("a.md"), None);
    assert!(bench.store.undo(&[], &author(Actor::User)).unwrap().is_none());
}

#[test]
fn a_later_change_is_merged_or_stands_in_the_way() {
    let bench = Bench::new();
    let lines = |first: &str, last: &str| format!("{first}\nb\nc\nd\ne\n{last}\n");
    bench.write("a.md", &lines("a", "f"));
    let change = bench.write("a.md", &lines("A", "f"));
    bench.write("a.md", &lines("A", "F"));
    bench.undo(&change).unwrap().unwrap();
    assert_eq!(bench.read("a.md"), Some(lines("a", "F")));

    let change = bench.write("a.md", &lines("one", "F"));
    bench.write("a.md", &lines("two", "F"));
    let refused = bench.undo(&change).unwrap_err().to_string();
    assert!(refused.contains("a.md") && refused.contains("undo the later changes first"), "{refused}");
    assert_eq!(bench.read("a.md"), Some(lines("two", "F")));
}

#[test]
fn the_last_change_is_ours_not_undone_and_not_passed() {
    let bench = Bench::new();
    let last = |passed: &[&ChangeId]| {
        let passed: HashSet<ChangeId> = passed.iter().map(|id| (*id).clone()).collect();
        bench.store.last_undoable(&passed).unwrap().map(|change| change.id)
    };
    assert_eq!(last(&[]), None);
    let (one, two) = (bench.write("a.md", "one\n"), bench.write("b.md", "two\n"));
    std::fs::write(bench.dir.path().join("memory/c.md"), "by hand\n").unwrap();
    bench.store.notice(jiff::Timestamp::UNIX_EPOCH).unwrap();
    assert_eq!(last(&[]), Some(two.id.clone()));
    assert_eq!(last(&[&two.id]), Some(one.id.clone()));
    let undo = bench.undo(&two).unwrap().unwrap();
    assert_eq!(last(&[]), Some(one.id.clone()), "what was taken back is not the last");
    bench.undo(&undo).unwrap().unwrap();
    assert_eq!((last(&[]), bench.read("b.md").as_deref()), (Some(two.id), Some("two\n")));
    assert_eq!(last(&[&one.id, &last(&[]).unwrap()]), None);
}

#[test]
fn a_change_is_found_by_a_beginning_that_is_its_own() {
    let bench = Bench::new();
    let changes = [bench.write("a.md", "1\n"), bench.write("a.md", "2\n"), bench.write("a.md", "3\n")];
    for change in &changes {
        assert_eq!(bench.store.find_change(&change.id.0).unwrap().id, change.id);
        assert_eq!(bench.store.find_change(&change.id.0[..9]).unwrap().id, change.id);
    }
    assert!(matches!(bench.store.find_change(""), Err(history::FindError::Unknown(_))));
    assert!(matches!(bench.store.find_change("!"), Err(history::FindError::Unknown(_))));
}

#[test]
fn what_was_changed_in_one_act_is_one_group() {
    let bench = Bench::new();
    let act = ChangeId::derive(&[b"act"]);
    let grouped = Intent { group: Some(act.clone()), ..Intent::new("test") };
    let one = bench.change(&grouped, |edit| edit.write(&path("a.md"), b"1\n".to_vec()));
    bench.write("b.md", "alone\n");
    let two = bench.change(&grouped, |edit| edit.write(&path("a.md"), b"2\n".to_vec()));
    let ids: Vec<ChangeId> = bench.store.group(&act).unwrap().into_iter().map(|change| change.id).collect();
    assert_eq!(ids, [two.id.clone(), one.id.clone()]);
    let undone = bench.store.undo(&[two, one], &author(Actor::User)).unwrap().unwrap();
    assert_eq!((bench.read("a.md"), undone.undoes), (None, Some(act)));
}

#[test]
fn ids_and_hashes_are_spelled_as_they_are_read() {
    let id = ChangeId::derive(&[b"a", b"b"]);
    assert!(id.0.len() == 10 && id.0.chars().all(|c| "abcdefghjkmnpqrstuvwxyz023456789".contains(c)), "{id}");
    assert_eq!(id.to_string(), id.0);
    assert_ne!(ChangeId::derive(&[b"a", b"b"]), ChangeId::derive(&[b"ab"]));
    let hash = Hash::of(b"text");
    let hex = String::from(hash);
    assert_eq!((hex.len(), Hash::try_from(hex.clone())), (32, Ok(hash)));
    for wrong in [hex[..31].to_owned(), format!("{hex}0"), format!("{}é", &hex[..30]), format!("g{}", &hex[1..])] {
        assert!(Hash::try_from(wrong.clone()).is_err(), "{wrong}");
    }
    for content in [&b"text"[..], b"\xff\xfe", b""] {
        let mut version = Version::of(content);
        assert_eq!((version.content().as_deref(), version.hash), (Some(content), Hash::of(content)));
        version.hash = Hash::of(b"else");
        assert_eq!(version.content(), None, "what was tampered with is no content");
    }
}

#[test]
fn a_purge_leaves_no_text_and_says_where_it_still_stands() {
    let bench = Bench::new();
    let telling = "the vault of the north tower is opened at noon";
    bench.write("a.md", &format!("{telling}\n"));
    bench.write("b.md", &format!("copied: {telling}\n"));
    let index = path("MEMORY.md");
    bench.change(&Intent::new("test"), |edit| edit.point(&path("MEMORY.md"), "a.md", "A", "the north tower"));
    let purged = bench.store.purge(&path("a.md"), &index, &author(Actor::User), &[]).unwrap();
    assert_eq!((bench.read("a.md"), bench.read("MEMORY.md").as_deref()), (None, Some("")));
    assert!(purged.change.unwrap().is_emptied() && purged.records > 0);
    let places: Vec<_> = purged.remaining.iter().map(|(place, _)| place.file_name().unwrap().to_owned()).collect();
    assert!(places.contains(&"b.md".into()), "{places:?}");
    assert!(purged.searched >= 2, "{}", purged.searched);
    let refused = bench.store.purge(&path("never.md"), &index, &author(Actor::User), &[]).unwrap_err();
    assert!(refused.to_string().contains("there is no never.md here"), "{refused}");
}

#[cfg(unix)]
#[test]
fn p10_what_others_can_write_is_found_and_closed() {
    use std::os::unix::fs::PermissionsExt as _;
    let bench = Bench::new();
    bench.write("a.md", "one\n");
    bench.write("team/b.md", "two\n");
    let root = bench.store.root();
    assert_eq!(root.widened().unwrap(), []);
    let mode = |name: &str| bench.dir.path().join(name).metadata().unwrap().permissions().mode() & 0o777;
    let widen = |name: &str, mode: u32| {
        std::fs::set_permissions(bench.dir.path().join(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    // What an ordinary umask gives is not a fault.
    widen("memory", 0o755);
    widen("memory/a.md", 0o664);
    assert_eq!(root.widened().unwrap(), []);
    widen("memory", 0o777);
    widen("memory/team/b.md", 0o642);
    let widened = root.widened().unwrap();
    let found: Vec<(&str, u32)> = widened.iter().map(|one| (one.path.as_str(), one.mode & 0o777)).collect();
    assert_eq!(found, [(".", 0o777), ("team/b.md", 0o642)]);
    for one in &widened {
        root.narrow(one).unwrap();
    }
    assert_eq!((mode("memory"), mode("memory/team/b.md"), mode("memory/a.md")), (0o755, 0o640, 0o664));
    assert_eq!(root.widened().unwrap(), []);

    // A link that took the place of a file in between is not followed.
    std::fs::write(bench.dir.path().join("outside"), "x").unwrap();
    widen("outside", 0o644);
    std::fs::remove_file(bench.dir.path().join("memory/team/b.md")).unwrap();
    std::os::unix::fs::symlink(bench.dir.path().join("outside"), bench.dir.path().join("memory/team/b.md")).unwrap();
    assert!(root.narrow(&widened[1]).is_err());
    assert_eq!(mode("outside"), 0o644);
}

#[test]
fn a_file_keeps_its_number_under_another_name() {
    let bench = Bench::new();
    bench.write("a.md", "one\n");
    bench.write("b.md", "two\n");
    let number = |name: &str| {
        let file = bench.dir.path().join(name);
        fs::number(&file, &file.metadata().unwrap())
    };
    std::fs::hard_link(bench.dir.path().join("memory/a.md"), bench.dir.path().join("same")).unwrap();
    assert!(number("same").is_some());
    assert_eq!(number("same"), number("memory/a.md"));
    assert_ne!(number("memory/b.md"), number("memory/a.md"));
}

#[test]
fn a_glance_sees_what_came_went_or_was_replaced_in_the_named_directories() {
    let bench = Bench::new();
    for name in ["a.md", "b.md", "c.md", "team/d.md"] {
        bench.write(name, "one\n");
    }
    let now = jiff::Timestamp::UNIX_EPOCH;
    bench.store.notice(now).unwrap();
    let at = |name: &str| bench.dir.path().join("memory").join(name);
    std::fs::remove_file(at("a.md")).unwrap();
    std::fs::write(bench.dir.path().join("other"), "two\n").unwrap();
    std::fs::rename(bench.dir.path().join("other"), at("b.md")).unwrap();
    std::fs::write(at("new.md"), "new\n").unwrap();
    std::fs::remove_file(at("team/d.md")).unwrap();
    let glance = |dir: &str| {
        let noticed = bench.store.notice_in(&[dir.to_owned()], &|_| true, now).unwrap();
        let mut seen: Vec<String> = noticed.changes.iter().flat_map(Change::paths).map(str::to_owned).collect();
        seen.sort();
        let mut known: Vec<String> = bench.store.known().unwrap().paths().into_iter().map(str::to_owned).collect();
        known.sort();
        (seen.join(" "), known.join(" "))
    };
    assert_eq!(glance(""), ("a.md b.md new.md".to_owned(), "b.md c.md new.md team/d.md".to_owned()));
    assert_eq!(glance(""), (String::new(), "b.md c.md new.md team/d.md".to_owned()));
    assert_eq!(glance("team"), ("team/d.md".to_owned(), "b.md c.md new.md".to_owned()));
}
