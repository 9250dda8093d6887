//! The index: lines of the user's stay, pointers are never doubled, limits hold (I1–I4, I6).
//!
//! Input: name of a memory, its title, its hook, the index.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir::guard::confine::RelPath;
use memdir::limits;
use memdir::store::index::{Index, PointerTarget, SizeUnit, drift, load, repair};
use memdir_fuzz::{parts, text};

fuzz_target!(|data: &[u8]| {
    let [target, title, hook, raw] = parts(data);
    let (target, title, hook) = (text(target), text(title), text(hook));
    // Every name that a memory can have is one that the index can point to.
    let usable = RelPath::parse(&target).is_ok_and(|path| path.is_markdown() && !path.is_index());
    let target = if usable { target.as_str() } else { "a.md" };
    let index = Index::parse(raw.to_vec());
    assert_eq!(index.as_bytes(), raw);
    for pointer in index.pointers() {
        let inside = !pointer.target.starts_with('/') && pointer.target.split('/').all(|part| part != ".." && !part.is_empty());
        assert!(inside, "{:?} leaves the directory", pointer.target);
    }
    pointing(&index, target, &title, &hook);
    unpointing(&index, target);
    loading(raw);
    if raw.len() % 16 == 1 {
        // Over the limits, whatever is in it.
        loading(&raw.repeat(limits::INDEX_BYTES / raw.len() + 1));
    }
    repairing(&index, target, &title, &hook);
});

fn pointing(before: &Index, target: &str, title: &str, hook: &str) {
    let count = |index: &Index| index.pointers().iter().filter(|pointer| pointer.target == target).count();
    let edit = before.point(target, title, hook);
    let line = edit.after.clone().expect("a line");
    assert!(!line.contains(['\n', '\r']), "{line:?} is more than a line");
    assert!(line.chars().count() <= limits::POINTER_CHARS.max(target.len() * 3 + 20), "{line:?} is too long");
    let mut made = before.clone();
    made.apply(&edit);
    assert_eq!(count(&made), count(before).max(1), "the pointer is missing or doubled");
    assert!(made.point(target, title, hook).is_empty(), "pointing twice is not pointing once");
    let once = made.clone();
    made.apply(&edit);
    assert_eq!(made, once, "applying twice is not applying once");
    made.apply(&edit.reversed());
    if edit.before.as_ref().is_none_or(|line| !line.contains('\u{fffd}')) {
        assert_eq!(made.as_bytes(), before.as_bytes(), "the way back leads elsewhere");
    }
}

fn unpointing(before: &Index, target: &str) {
    let mut made = before.clone();
    let edit = made.unpoint(target);
    made.apply(&edit);
    assert!(made.pointers().iter().all(|pointer| pointer.target != target), "a pointer is left");
    let once = made.clone();
    made.apply(&edit);
    assert_eq!(made, once);
}

fn loading(raw: &[u8]) {
    for unit in [SizeUnit::Bytes, SizeUnit::Utf16] {
        let loaded = load(raw, unit, &|target| target.len() % 2 == 0);
        let shown = match loaded.cut {
            Some(_) => loaded.text.rsplit_once("\n\n> WARNING: MEMORY.md is ").expect("a warning").0,
            None => &loaded.text,
        };
        let size = if unit == SizeUnit::Bytes { shown.len() } else { shown.encode_utf16().count() };
        assert!(size <= limits::INDEX_BYTES, "{size}");
        assert!(shown.split('\n').count() <= limits::INDEX_LINES);
        let over = loaded.lines > limits::INDEX_LINES || loaded.bytes > limits::INDEX_BYTES;
        assert!(over || loaded.cut.is_none(), "cut without need");
        assert!(loaded.cut.map_or(0, |cut| cut.missing) >= loaded.dropped.len() + loaded.displaced.len());
    }
}

fn repairing(before: &Index, target: &str, title: &str, hook: &str) {
    let files = [target, "sub/other.md"];
    let known = files.map(|target| PointerTarget { target, title, hook });
    let made = repair(before, &known);
    let left = drift(&made.index, &files);
    // A long line is the user's, and stays.
    assert!(left.iter().all(|drift| drift.id() == "long-line"), "{left:?} is left");
    let again = repair(&made.index, &known);
    assert_eq!(again.index, made.index, "repairing twice is not repairing once");
    assert!(again.removed.is_empty());
}
