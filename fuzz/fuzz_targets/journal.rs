//! The journal: any bytes are read, forwards and backwards alike, and reading goes on where it
//! stopped.
//!
//! Input: two segments.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use memdir::store::history::{Change, Journal, Position, Visit};
use memdir_fuzz::{parts, scratch};

static DIR: LazyLock<PathBuf> = LazyLock::new(|| scratch("journal"));

fuzz_target!(|data: &[u8]| {
    let segments: [&[u8]; 2] = parts(data);
    for (at, bytes) in segments.iter().enumerate() {
        std::fs::write(DIR.join(format!("{:06}.jsonl", at + 1)), bytes).expect("a segment");
    }
    let journal = Journal::at(DIR.clone());
    let (forwards, end) = journal.since(Position::default()).expect("reading");
    assert_eq!(end.segment, 2);
    assert!(end.offset <= segments[1].len() as u64);
    let (more, same) = journal.since(end).expect("reading on");
    assert!(more.is_empty() && same == end, "the same was read twice");

    let mut backwards = Vec::new();
    let damaged = journal
        .newest_first(|change| {
            backwards.push(change);
            Visit::More
        })
        .expect("reading backwards");
    assert!(damaged + backwards.len() <= data.iter().filter(|byte| **byte == b'\n').count() + 2);
    backwards.reverse();
    // A torn last line is not read forwards; backwards it is if it happens to be whole.
    let torn = segments.map(|bytes| !bytes.is_empty() && !bytes.ends_with(b"\n"));
    if torn == [false; 2] {
        assert_eq!(written(&forwards), written(&backwards), "the two ways tell different stories");
    }
    // Stopping at any line and going on gives the same.
    let first = segments[0].iter().position(|byte| *byte == b'\n').map(|at| at as u64 + 1);
    if let Some(offset) = first {
        let (rest, _) = journal.since(Position { segment: 1, offset }).expect("the rest");
        assert!(forwards.len() - rest.len() <= 1 && written(&forwards).ends_with(&written(&rest)));
    }
    // A position of another journal starts over.
    let (again, _) = journal.since(Position { segment: 9, offset: 1 }).expect("starting over");
    assert_eq!(written(&again), written(&forwards));
    for change in &forwards {
        for version in change.files.iter().flat_map(|file| file.before.iter().chain(&file.after)) {
            let content = version.content();
            assert!(content.is_none_or(|content| memdir::store::history::Hash::of(&content) == version.hash));
        }
    }
});

fn written(changes: &[Change]) -> Vec<String> {
    changes.iter().map(|change| serde_json::to_string(change).expect("a change is JSON")).collect()
}
