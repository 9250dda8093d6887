//! A bucket that others write to: whatever lies in it, a reader returns, and what it hands on is what was named.
//!
//! Input: a byte for the layout, then a node a line. `@3` in a line is the name of the third line's node; the last line is the head's
//! root, or, where the first byte is odd, the head itself.

#![no_main]

use libfuzzer_sys::fuzz_target;
use memdir::team::bucket::{Bucket, BucketLayout, Objects};
use memdir_testkit::bucket::InMemoryBucket;
use memdir::team::transport::{Change, Entry, EntryKind, SharedState, Published, Transport};
use memdir_fuzz::text;

/// An honest tree of a few nodes takes fewer requests.
const PATIENCE: u32 = 5_000;
const NODES: usize = 64;

fuzz_target!(|data: &[u8]| {
    let Some((how, rest)) = data.split_first() else { return };
    let store = InMemoryBucket::default();
    let mut names: Vec<String> = Vec::new();
    let mut last = String::new();
    for line in text(rest).lines().take(NODES) {
        last = named(line, &names);
        let name = Bucket::new(store.clone(), &layout(1)).id_of(last.as_bytes());
        store.put(&format!("objects/{name}"), last.as_bytes()).expect("a model store");
        names.push(name);
    }
    let root = names.last().cloned().unwrap_or_default();
    let head = if how % 2 == 1 { last } else { format!("{{\"root\":\"{root}\"}}") };
    store.put_if("heads/0", head.as_bytes(), None).expect("a model store");
    store.break_after(Some(PATIENCE));
    let mut bucket = Bucket::new(store.clone(), &layout([1, 16, 256][usize::from(how / 2) % 3]));
    share(&mut bucket);
    assert!(store.counts().requests() < u64::from(PATIENCE), "a walk that does not end");
});

fn layout(shards: u32) -> BucketLayout {
    BucketLayout { format: 1, shards, sealed: false }
}

/// The line with `@N` replaced by the name of the Nth node.
fn named(line: &str, names: &[String]) -> String {
    let mut out = String::new();
    for (at, piece) in line.split('@').enumerate() {
        let digits: String = piece.chars().take_while(char::is_ascii_digit).collect();
        match digits.parse::<usize>().ok().and_then(|number| names.get(number)).filter(|_| at > 0) {
            Some(name) => out += &format!("{name}{}", &piece[digits.len()..]),
            None => out += piece,
        }
    }
    out
}

fn share(bucket: &mut Bucket<InMemoryBucket>) {
    let Ok(SharedState::Now(now)) = bucket.look(None) else { return };
    let Ok(entries) = bucket.entries(None, &now) else { return };
    let wanted: Vec<&Entry> = entries.iter().collect();
    let contents = bucket.read(&wanted, 1 << 16).unwrap_or_default();
    for (entry, content) in entries.iter().zip(&contents) {
        if let (EntryKind::File { id, bytes }, Ok(content)) = (&entry.kind, content) {
            assert_eq!((id, *bytes), (&bucket.id_of(content), content.len() as u64), "not what it is said to be");
        }
        assert!(!entry.author.verified, "a transport verifies nobody");
    }
    if entries.iter().any(|entry| entry.path == "own.md") {
        return;
    }
    // Ours finds its place beside theirs, or the tree is refused.
    let ours = Change { path: "own.md".into(), content: Some(b"ours".to_vec()) };
    let Ok(Published::As(mark)) = bucket.publish(&now, &[ours]) else { return };
    let after = bucket.entries(Some(&now), &mark).expect("what was just written");
    assert!(after.iter().any(|entry| entry.path == "own.md"), "ours is not there");
}
