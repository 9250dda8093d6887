#![allow(clippy::disallowed_methods, reason = "tests set up their own files")]

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use super::*;

struct Case {
    dir: tempfile::TempDir,
    root: Root,
}

impl Case {
    fn new(files: &[(&str, &str)]) -> Case {
        let dir = tempfile::tempdir().unwrap();
        let root = Root::create(&dir.path().join("memory")).unwrap();
        let case = Case { dir, root };
        for (file, content) in files {
            case.put(file, content);
        }
        case
    }

    fn put(&self, file: &str, content: &str) {
        let path = self.root.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    fn state(&self) -> std::path::PathBuf {
        self.dir.path().join("state")
    }

    fn stage(&self) -> Staging {
        Staging::of(&self.root, &self.state()).unwrap()
    }

    fn copies(&self) -> Vec<String> {
        fs::names(&self.state().join(DIR)).unwrap()
    }
}

fn rel(path: &str) -> RelPath {
    RelPath::parse(path).unwrap()
}

/// Path, before, after.
fn told(changes: &Changes) -> Vec<(&str, Option<&str>, Option<&str>)> {
    changes
        .made
        .iter()
        .map(|change| (change.file.as_str(), read(change.before.as_deref()), read(change.after.as_deref())))
        .collect()
}

fn read(bytes: Option<&[u8]>) -> Option<&str> {
    bytes.map(|bytes| std::str::from_utf8(bytes).unwrap())
}

fn unusable(changes: &Changes) -> Vec<(&str, UnusableReason)> {
    changes.unusable.iter().map(|one| (one.path.as_str(), one.why)).collect()
}

#[test]
fn a_copy_holds_the_markdown_and_nothing_else() {
    let case = Case::new(&[("a.md", "A"), ("team/b.md", "B"), ("logs/2026/04/2026-04-14.md", "L"), ("x.txt", "X")]);
    case.put(".hidden.md", "H");
    memdir_testkit::link("/etc/hostname", case.root.path().join("link.md")).unwrap();
    let staging = case.stage();
    assert_eq!(staging.read(&rel("a.md")).unwrap().unwrap(), b"A");
    assert_eq!(staging.read(&rel("team/b.md")).unwrap().unwrap(), b"B");
    for missing in ["x.txt", ".hidden.md", "link.md"] {
        assert_eq!(staging.read(&rel(missing)).unwrap(), None, "{missing}");
    }
    assert!(staging.path().starts_with(fs::canonical(&case.state()).unwrap()));
    assert!(staging.changes(&case.root).unwrap().is_empty());
}

#[test]
fn what_was_done_to_the_copy_is_told_with_before_and_after() {
    let case = Case::new(&[("keep.md", "K"), ("edit.md", "old"), ("gone.md", "G"), ("same.md", "S")]);
    let staging = case.stage();
    staging.write(&rel("edit.md"), b"new").unwrap();
    staging.write(&rel("sub/made.md"), b"M").unwrap();
    staging.write(&rel("gone.md"), b" \n").unwrap();
    staging.write(&rel("same.md"), b"S").unwrap();
    staging.write(&rel("empty.md"), b"").unwrap();
    let changes = staging.changes(&case.root).unwrap();
    assert_eq!(
        told(&changes),
        [("edit.md", Some("old"), Some("new")), ("gone.md", Some("G"), None), ("sub/made.md", None, Some("M"))]
    );
    // The directory itself is as it was.
    assert_eq!(std::fs::read_to_string(case.root.path().join("edit.md")).unwrap(), "old");
}

#[test]
fn what_somebody_else_changed_meanwhile_is_not_taken_over() {
    let case = Case::new(&[("a.md", "A"), ("b.md", "B")]);
    let staging = case.stage();
    staging.write(&rel("a.md"), b"A2").unwrap();
    staging.write(&rel("b.md"), b"B2").unwrap();
    staging.write(&rel("c.md"), b"C").unwrap();
    case.put("a.md", "by an editor");
    case.put("c.md", "by an editor too");
    let changes = staging.changes(&case.root).unwrap();
    assert_eq!(told(&changes), [("b.md", Some("B"), Some("B2"))]);
    assert_eq!(
        unusable(&changes),
        [("a.md", UnusableReason::ChangedMeanwhile), ("c.md", UnusableReason::ChangedMeanwhile)]
    );
}

#[test]
fn nothing_is_written_through_a_link() {
    let case = Case::new(&[("a.md", "A")]);
    let outside = case.dir.path().join("outside");
    std::fs::create_dir(&outside).unwrap();
    memdir_testkit::link(&outside, case.root.path().join("sub")).unwrap();
    memdir_testkit::link(outside.join("x"), case.root.path().join("link.md")).unwrap();
    let staging = case.stage();
    staging.write(&rel("sub/b.md"), b"B").unwrap();
    staging.write(&rel("link.md"), b"L").unwrap();
    let changes = staging.changes(&case.root).unwrap();
    assert_eq!(unusable(&changes), [("link.md", UnusableReason::Link), ("sub/b.md", UnusableReason::Link)]);
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn a_file_too_large_to_copy_is_left_out_and_cannot_be_replaced() {
    let case = Case::new(&[("a.md", "A")]);
    case.put("big.md", &"x".repeat(limits::TOPIC_BYTES + 1));
    let staging = case.stage();
    assert!(staging.is_left_out(&rel("big.md")));
    assert!(staging.changes(&case.root).unwrap().is_empty());
    staging.write(&rel("big.md"), b"small").unwrap();
    staging.write(&rel("a.md"), &vec![b'x'; limits::TOPIC_BYTES + 1]).unwrap();
    let changes = staging.changes(&case.root).unwrap();
    assert_eq!(unusable(&changes), [("a.md", UnusableReason::TooLarge), ("big.md", UnusableReason::TooLarge)]);
}

#[test]
fn what_was_done_to_the_root_is_told_against_the_copy() {
    let case = Case::new(&[("edit.md", "old"), ("gone.md", "G"), ("same.md", "S"), ("swapped.md", "W")]);
    memdir_testkit::link("nowhere", case.root.path().join("known.md")).unwrap();
    let staging = case.stage();
    case.put("edit.md", "new");
    case.put("made.md", "M");
    case.put("huge.md", &"x".repeat(limits::TOPIC_BYTES + 1));
    std::fs::remove_file(case.root.path().join("gone.md")).unwrap();
    std::fs::remove_file(case.root.path().join("swapped.md")).unwrap();
    memdir_testkit::link("/etc/hostname", case.root.path().join("swapped.md")).unwrap();
    let changes = staging.drift(&case.root).unwrap();
    assert_eq!(
        told(&changes),
        [
            ("edit.md", Some("old"), Some("new")),
            ("gone.md", Some("G"), None),
            ("made.md", None, Some("M")),
            ("swapped.md", Some("W"), None),
        ]
    );
    assert_eq!(unusable(&changes), [("huge.md", UnusableReason::TooLarge), ("swapped.md", UnusableReason::Link)]);
    assert_eq!(staging.original(&rel("gone.md")).unwrap().unwrap(), b"G");
}

#[test]
fn one_file_can_be_copied_alone() {
    let case = Case::new(&[("summary.md", "S"), ("other.md", "O")]);
    let staging = Staging::of_file(&case.root, &rel("summary.md"), &case.state()).unwrap();
    assert_eq!(staging.read(&rel("other.md")).unwrap(), None);
    staging.write(&rel("summary.md"), b"S2").unwrap();
    assert_eq!(told(&staging.changes(&case.root).unwrap()), [("summary.md", Some("S"), Some("S2"))]);
}

#[test]
fn a_copy_goes_with_its_owner_and_a_living_one_is_left_alone() {
    let case = Case::new(&[("a.md", "A")]);
    let first = case.stage();
    let second = case.stage();
    assert_ne!(first.path(), second.path());
    assert_eq!(sweep(&case.state()).unwrap(), 0);
    assert_eq!(first.read(&rel("a.md")).unwrap().unwrap(), b"A");
    drop(first);
    assert_eq!(case.copies().len(), 2, "copy and mark of the second: {:?}", case.copies());
    drop(second);
    assert_eq!(case.copies(), Vec::<String>::new());
}

#[test]
fn many_owners_at_once_do_not_sweep_each_other() {
    let case = Case::new(&[("a.md", "A"), ("b.md", "B")]);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..20 {
                    let root = Root::open(case.root.path()).unwrap();
                    let staging = Staging::of(&root, &case.state()).unwrap();
                    staging.write(&rel("a.md"), b"A2").unwrap();
                    assert_eq!(staging.changes(&root).unwrap().made.len(), 1);
                }
            });
        }
    });
    assert_eq!(case.copies(), Vec::<String>::new());
}

const CHILD: &str = "MEMDIR_STAGING_CHILD";

#[test]
fn the_copy_of_a_killed_process_is_swept_by_the_next() {
    let case = Case::new(&[("a.md", "A")]);
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture", "staging::tests::child_that_is_killed"])
        .env(CHILD, case.dir.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let told = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
    let ready = told.into_iter().any(|line| line.contains("the copy is made"));
    assert!(ready, "the child never got so far");
    assert_eq!(case.copies().len(), 2, "{:?}", case.copies());
    child.kill().unwrap();
    child.wait().unwrap();
    let staging = case.stage();
    assert_eq!(case.copies().len(), 2, "only the living one: {:?}", case.copies());
    drop(staging);
    assert_eq!(case.copies(), Vec::<String>::new());
}

#[test]
#[ignore = "started by the test above, to be killed"]
fn child_that_is_killed() {
    let Some(dir) = std::env::var_os(CHILD).map(std::path::PathBuf::from) else { return };
    let root = Root::open(&dir.join("memory")).unwrap();
    let staging = Staging::of(&root, &dir.join("state")).unwrap();
    staging.write(&rel("b.md"), b"half").unwrap();
    println!("the copy is made");
    loop {
        std::thread::park();
    }
}
