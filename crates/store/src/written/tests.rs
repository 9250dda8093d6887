#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use std::path::PathBuf;

use jiff::Timestamp;

use super::*;
use crate::history::Author;
use crate::{Dirs, Edit, Intent};
use memdir_guard::confine::RelPath;

const NOW: &str = "2026-04-14T12:00:00Z";

struct World {
    dir: tempfile::TempDir,
}

impl World {
    fn new() -> World {
        let world = World { dir: tempfile::tempdir().unwrap() };
        std::fs::create_dir(world.memory()).unwrap();
        world
    }

    fn memory(&self) -> PathBuf {
        self.dir.path().join("memory")
    }

    fn store(&self) -> Store {
        let dirs = Dirs { state: self.dir.path().join("state"), cache: self.dir.path().join("cache") };
        Store::open(&self.memory(), &dirs).unwrap()
    }

    /// Saves a file as somebody else does, with a time of its own where one is given.
    fn save(&self, file: &str, more: &str, body: &str, time: Option<&str>) {
        let path = self.memory().join(file);
        std::fs::write(&path, format!("---\nname: {file}\ntype: project\n{more}---\n\n{body}\n")).unwrap();
        if let Some(time) = time {
            set_time(&path, time);
        }
    }

    fn set_time(&self, file: &str, time: &str) {
        set_time(&self.memory().join(file), time);
    }

    /// Changes memory in a transaction.
    fn change(&self, actor: Actor, time: &str, work: impl Fn(&mut Edit<'_>)) -> Change {
        let author = Author { actor, session: None, message: None, time: at(time) };
        let store = self.store();
        store.notice(at(NOW)).unwrap();
        let made = store.change(&author, &Intent::new("test"), |edit| {
            work(edit);
            Ok(())
        });
        made.unwrap().1.unwrap()
    }

    fn write(&self, actor: Actor, time: &str, file: &str, text: &str) -> Change {
        self.change(actor, time, |edit| edit.write(&path(file), text.as_bytes().to_vec()).unwrap())
    }

    /// What is known of a file after a look; the same when the caches are gone.
    fn written(&self, file: &str) -> Written {
        let ask = || {
            let store = self.store();
            store.notice(at(NOW)).unwrap();
            store.known().unwrap().get(file).unwrap().written
        };
        let first = ask();
        std::fs::remove_dir_all(self.dir.path().join("cache")).unwrap();
        let again = ask();
        assert!(first.says(&again), "{file}: {first:?}, without caches {again:?}");
        first
    }

    fn time(&self, file: &str) -> Option<String> {
        self.written(file).time(at(NOW)).map(|time| time.to_string())
    }
}

fn set_time(path: &std::path::Path, time: &str) {
    std::fs::File::options().write(true).open(path).unwrap().set_modified(at(time).into()).unwrap();
}

fn at(time: &str) -> Timestamp {
    time.parse().unwrap()
}

fn path(file: &str) -> RelPath {
    RelPath::parse(file).unwrap()
}

#[test]
fn k6_what_the_file_says_of_itself_comes_first_and_is_never_after_now() {
    let world = World::new();
    let cases = [
        ("metadata:\n  modified: 2026-03-01T10:00:00.5Z\n", "2026-03-01T10:00:00.5Z"),
        ("metadata:\n  modified: \"2026-03-01T10:00:00+02:00\"\n", "2026-03-01T08:00:00Z"),
        ("modified: 2026-03-01\n", "2026-03-01T12:00:00Z"),
        ("modified: 2026-03-01 10:00:00\n", "2026-03-01T10:00:00Z"),
        ("modified: 2031-01-01\n", NOW),
        // What is no time says nothing.
        ("modified: last week\n", "2026-02-02T00:00:00Z"),
        ("", "2026-02-02T00:00:00Z"),
    ];
    for (number, (more, _)) in cases.iter().enumerate() {
        world.save(&format!("{number}.md"), more, "A fact.", Some("2026-02-02T00:00:00Z"));
    }
    for (number, (more, want)) in cases.iter().enumerate() {
        assert_eq!(world.time(&format!("{number}.md")).as_deref(), Some(*want), "{more}");
    }
}

#[test]
fn k6_another_time_is_not_another_text() {
    let world = World::new();
    world.save("a.md", "", "A fact.", Some("2026-02-02T00:00:00Z"));
    world.save("b.md", "", "Another.", Some("2026-01-01T00:00:00Z"));
    assert_eq!(world.time("a.md").as_deref(), Some("2026-02-02T00:00:00Z"));
    // A restore gives all files the time of the restore; an archive may give an older one back.
    world.set_time("a.md", "2026-04-14T11:00:00Z");
    world.set_time("b.md", "2025-12-01T00:00:00Z");
    assert_eq!(world.time("a.md").as_deref(), Some("2026-02-02T00:00:00Z"));
    assert_eq!(world.time("b.md").as_deref(), Some("2025-12-01T00:00:00Z"));
    // Another text is.
    world.save("a.md", "", "The fact has changed.", Some("2026-04-01T00:00:00Z"));
    assert_eq!(world.time("a.md").as_deref(), Some("2026-04-01T00:00:00Z"));
}

#[test]
fn k6_files_that_came_in_one_go_do_not_tell_when_they_were_written() {
    let world = World::new();
    let files: Vec<String> = (0..TOGETHER).map(|number| format!("{number}.md")).collect();
    for file in &files {
        world.save(file, "", file, None);
    }
    world.save("dated.md", "modified: 2026-03-01\n", "A fact.", None);
    for file in &files {
        assert_eq!(world.written(file).source, TimeSource::Unknown, "{file}");
    }
    assert_eq!(world.written("dated.md").source, TimeSource::Frontmatter);
    // Touching one of them does not make it young; editing it does.
    world.set_time("0.md", "2026-11-01T00:00:00Z");
    assert_eq!(world.time("0.md"), None);
    world.save("1.md", "", "edited", Some("2026-04-13T00:00:00Z"));
    assert_eq!(world.time("1.md").as_deref(), Some("2026-04-13T00:00:00Z"));
    // Fewer are what somebody has just written.
    let few = World::new();
    files[1..].iter().for_each(|file| few.save(file, "", file, None));
    files[1..].iter().for_each(|file| assert_eq!(few.written(file).source, TimeSource::FileTime, "{file}"));
}

#[test]
fn k6_times_that_somebody_set_are_believed_even_when_they_are_equal() {
    let world = World::new();
    for number in 0..2 * TOGETHER {
        world.save(&format!("{number}.md"), "", "A fact.", Some("2026-02-02T00:00:00Z"));
    }
    assert_eq!(world.time("3.md").as_deref(), Some("2026-02-02T00:00:00Z"));
}

#[test]
fn k6_the_history_knows_what_was_said_and_what_was_only_put_in_order() {
    let world = World::new();
    let (first, second) =
        ("---\nname: A\ntype: project\n---\n\nBen runs it.\n", "---\nname: A\n---\n\nDana runs it.\n");
    world.write(Actor::User, "2026-03-01T00:00:00Z", "a.md", first);
    assert_eq!(world.time("a.md").as_deref(), Some("2026-03-01T00:00:00Z"));
    // A pin says nothing new.
    world.write(Actor::User, "2026-03-02T00:00:00Z", "a.md", &first.replace("---\n\n", "pinned: true\n---\n\n"));
    assert_eq!(world.time("a.md").as_deref(), Some("2026-03-01T00:00:00Z"));
    let changed = world.write(Actor::Extract, "2026-03-03T00:00:00Z", "a.md", second);
    assert_eq!(world.time("a.md").as_deref(), Some("2026-03-03T00:00:00Z"));
    // Nor does a dream, or whoever repairs.
    for actor in [Actor::Dream, Actor::Doctor] {
        world.write(actor, "2026-03-04T00:00:00Z", "a.md", &format!("{second}{}\n", actor.as_str()));
        assert_eq!(world.time("a.md").as_deref(), Some("2026-03-03T00:00:00Z"), "{actor:?}");
    }
    world.write(Actor::Extract, "2026-03-03T00:00:00Z", "a.md", second);
    // What is taken back is as old as it was.
    let author = Author { actor: Actor::User, session: None, message: None, time: at("2026-03-05T00:00:00Z") };
    let store = world.store();
    store.notice(at(NOW)).unwrap();
    store.undo(&[changed], &author).unwrap();
    assert_eq!(world.time("a.md").as_deref(), Some("2026-03-01T00:00:00Z"));
}

#[test]
fn k6_what_was_said_after_the_file_was_dated_counts_more_than_its_date() {
    let world = World::new();
    world.save("a.md", "modified: 2026-02-01\n", "Ben runs it.", None);
    assert_eq!(world.time("a.md").as_deref(), Some("2026-02-01T12:00:00Z"));
    let said = "---\nname: a\nmodified: 2026-02-01\n---\n\nDana runs it.\n";
    world.write(Actor::Extract, "2026-03-03T00:00:00Z", "a.md", said);
    assert_eq!(world.time("a.md").as_deref(), Some("2026-03-03T00:00:00Z"));
}

#[test]
fn k6_a_whole_shelf_of_a_team_is_not_from_the_day_it_came() {
    let world = World::new();
    let arrive = |count: usize, name: &str| {
        world.change(Actor::Team, "2026-04-14T00:00:00Z", |edit| {
            for number in 0..count {
                let text = format!("---\nname: {name}\n---\n\nFact {number}.\n");
                edit.write(&path(&format!("team/{name}{number}.md")), text.into_bytes()).unwrap();
            }
        })
    };
    arrive(1, "new");
    assert_eq!(world.time("team/new0.md").as_deref(), Some("2026-04-14T00:00:00Z"));
    arrive(TOGETHER, "first");
    assert_eq!(world.time("team/first2.md"), None);
}

#[test]
fn k6_the_transcript_tells_when_its_memories_were_written() {
    let world = World::new();
    let lines =
        "{\"timestamp\":\"2026-03-01T10:00:00Z\"}\n{\"timestamp\":\"2026-03-01T11:00:00Z\",\"type\":\"user\"}\n";
    std::fs::write(world.dir.path().join("abc-1.jsonl"), lines).unwrap();
    std::fs::write(world.dir.path().join("empty.jsonl"), "").unwrap();
    let named = |session: &str| format!("metadata:\n  originSessionId: {session}\n");
    for number in 0..TOGETHER {
        world.save(&format!("{number}.md"), &named("abc-1"), "A fact.", None);
    }
    world.save("early.md", &named("abc-1"), "A fact.", Some("2026-03-01T10:30:00Z"));
    for (file, session) in [("gone.md", "abc-2"), ("empty.md", "empty"), ("odd.md", "../memory/x")] {
        world.save(file, &named(session), "A fact.", Some("2026-02-02T00:00:00Z"));
    }
    assert_eq!(world.time("3.md").as_deref(), Some("2026-03-01T11:00:00Z"));
    assert_eq!(world.time("early.md").as_deref(), Some("2026-03-01T10:30:00Z"), "before the conversation ended");
    for file in ["gone.md", "empty.md", "odd.md"] {
        assert_eq!(world.time(file).as_deref(), Some("2026-02-02T00:00:00Z"), "{file}");
    }
    // What somebody edits later is not from that conversation.
    world.save("3.md", &named("abc-1"), "Another fact.", Some("2026-04-01T00:00:00Z"));
    assert_eq!(world.time("3.md").as_deref(), Some("2026-04-01T00:00:00Z"));
}
