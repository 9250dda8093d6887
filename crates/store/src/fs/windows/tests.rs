//! What only Windows does in its own way: the exchange, names that are taken, links of three kinds.

use std::io::Read as _;
use std::process::Command;

use super::*;

struct Place {
    dir: tempfile::TempDir,
    handle: Dir,
}

fn place(files: &[(&str, &str)]) -> Place {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let handle = Dir::open(dir.path()).unwrap();
    Place { dir, handle }
}

impl Place {
    fn text(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.dir.path().join(name)).ok()
    }

    fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.handle.entries(&mut |entry| names.push(entry.shown().into_owned())).unwrap();
        names.sort();
        names
    }
}

/// Wine has no junctions and does not replace a file that is open.
fn is_emulated() -> bool {
    Path::new(r"C:\windows\system32\winecfg.exe").exists()
}

/// Makes a junction, which every user may.
fn junction(target: &Path, link: &Path) -> bool {
    let made = Command::new("cmd").args(["/c", "mklink", "/J"]).arg(link).arg(target).output().unwrap();
    assert!(made.status.success() || is_emulated(), "{made:?}");
    link.symlink_metadata().is_ok_and(|facts| facts.is_symlink())
}

#[test]
fn f6_an_exchange_leaves_the_old_text_under_the_temporary_name() {
    let place = place(&[(".memdir-1-x.tmp", "new"), ("a.md", "old")]);
    assert!(place.handle.exchange(".memdir-1-x.tmp", "a.md").unwrap());
    assert_eq!((place.text("a.md").unwrap(), place.text(".memdir-1-x.tmp").unwrap()), ("new".into(), "old".into()));
    assert!(place.handle.exchange(".memdir-1-x.tmp", "a.md").unwrap());
    assert_eq!((place.text("a.md").unwrap(), place.text(".memdir-1-x.tmp").unwrap()), ("old".into(), "new".into()));
    assert_eq!(place.names(), [".memdir-1-x.tmp", "a.md"]);
    assert_eq!(place.handle.look("a.md").unwrap().facts.links, 1);
}

#[test]
fn f6_what_a_killed_exchange_left_is_in_nobodys_way() {
    let place = place(&[(".memdir-1-x.tmp", "new"), (".memdir-aside-1-x.tmp", "older"), ("a.md", "old")]);
    assert!(place.handle.exchange(".memdir-1-x.tmp", "a.md").unwrap());
    assert_eq!(place.text(".memdir-1-x.tmp").unwrap(), "old");
    assert_eq!(place.names(), [".memdir-1-x.tmp", "a.md"]);
}

#[test]
fn a_new_name_is_not_taken_from_anybody() {
    let place = place(&[("temp", "new"), ("a.md", "old")]);
    let error = place.handle.rename_new("temp", "a.md").unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
    place.handle.rename_new("temp", "b.md").unwrap();
    assert_eq!((place.text("a.md").unwrap(), place.text("b.md").unwrap()), ("old".into(), "new".into()));
    assert_eq!(place.names(), ["a.md", "b.md"]);
}

#[test]
fn a_file_that_somebody_reads_can_be_replaced() {
    let place = place(&[("temp", "new"), ("a.md", "old")]);
    if is_emulated() {
        return;
    }
    let (mut open, _) = place.handle.read("a.md").unwrap();
    place.handle.rename("temp", "a.md").unwrap();
    let mut text = String::new();
    open.read_to_string(&mut text).unwrap();
    assert_eq!((text.as_str(), place.text("a.md").unwrap().as_str()), ("old", "new"));
}

#[test]
fn p8_no_name_leads_outside() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret.md"), "secret").unwrap();
    let place = place(&[]);
    for way in ["..", "../x", r"..\x", r"C:\windows", "C:x", r"\windows", r"\\?\C:\windows"] {
        assert!(place.handle.step(way).is_err(), "{way}");
        assert!(place.handle.read(way).is_err(), "{way}");
        assert!(place.handle.create_new(way).is_err(), "{way}");
    }
    let link = place.dir.path().join("sub");
    if junction(outside.path(), &link) {
        assert!(met_a_link(&place.handle.step("sub").unwrap_err()));
        assert_eq!(place.handle.look("sub").unwrap().kind, FileKind::Link);
        assert!(place.handle.read(r"sub\secret.md").is_err());
        place.handle.remove("sub").unwrap();
        assert!(outside.path().join("secret.md").exists());
    }
}

#[test]
fn p8_a_directory_that_is_open_cannot_be_moved_away() {
    let place = place(&[]);
    std::fs::create_dir(place.dir.path().join("sub")).unwrap();
    let below = place.handle.step("sub").unwrap();
    let moved = std::fs::rename(place.dir.path().join("sub"), place.dir.path().join("other"));
    // Where a system lets it go, what is done below must still happen in the same directory.
    drop(below.create_new("a.md").unwrap());
    let now = if moved.is_ok() { "other" } else { "sub" };
    assert!(place.dir.path().join(now).join("a.md").exists());
}

#[test]
fn times_count_from_the_epoch() {
    assert_eq!(since_epoch(116_444_736_000_000_000), 0);
    assert_eq!(since_epoch(116_444_736_000_000_001), 100);
    let place = place(&[("a.md", "text")]);
    let facts = place.handle.look("a.md").unwrap().facts;
    let said = std::fs::metadata(place.dir.path().join("a.md")).unwrap();
    assert_eq!((facts.mtime_ns, facts.size), (crate::fs::modified_ns(&said), 4));
}
