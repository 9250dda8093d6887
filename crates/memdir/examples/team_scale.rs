//! What a shared memory costs, and how long it takes until everybody has a change: the numbers of docs/scale.md.
//!
//! `cargo run --release -p memdir --example team_scale` runs the real sync and merge code on a model of an object store. A machine's
//! traffic is measured on a store of the full size; what does not fit into one process (100,000 members) is measured on some of
//! them and multiplied, since a member's requests do not depend on how many others there are, except where two write one head at once.

#![allow(clippy::print_stdout, clippy::expect_used, clippy::cast_precision_loss)] // it prints a table

use std::collections::BTreeMap;

use memdir::limits::TEAM_TIDY_SECONDS;
use memdir::team::base::{BaseInMemory, hash};
use memdir::team::bucket::{Bucket, BucketLayout};
use memdir::team::sync::{Arrival, Local, NoRules, Sync, SyncError};
use memdir::team::transport::{Published, RemoteChange, RemoteEntry, SharedRevision, SharedState, Transport as _};
use memdir_testkit::bucket::{InMemoryBucket, RequestCounts};

/// Dollars for a million writes or lists, a million reads, a gigabyte out, a gigabyte kept a month: S3 Standard, us-east-1, list price.
const PRICES: (f64, f64, f64, f64) = (5.0, 0.4, 0.09, 0.023);
/// What a member does in a month: looks (session starts and turn ends, at most one a minute) and changes.
const LOOKS: f64 = 60.0 * 22.0;
const CHANGES: f64 = 4.0 * 22.0;
/// Seconds a request takes, and between two looks of a member that works.
const REQUEST: f64 = 0.03;
const BETWEEN_LOOKS: f64 = 600.0;

#[derive(Default)]
struct Files(BTreeMap<String, Vec<u8>>);

impl Local for Files {
    fn list(&mut self) -> Result<BTreeMap<String, String>, SyncError> {
        Ok(self.0.iter().map(|(path, content)| (path.clone(), hash(content))).collect())
    }
    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, SyncError> {
        Ok(self.0.get(path).cloned())
    }
    fn land(&mut self, changes: &[Arrival]) -> Result<bool, SyncError> {
        for change in changes {
            match &change.after {
                Some(content) => self.0.insert(change.path.clone(), content.clone()),
                None => self.0.remove(&change.path),
            };
        }
        Ok(true)
    }
}

fn memory(number: usize, version: usize) -> Vec<u8> {
    let body = format!("Fact number {number}, version {version}. ").repeat(24);
    format!("---\nname: Memory {number}\ndescription: what number {number} says\ntype: project\n---\n\n{body}\n")
        .into_bytes()
}

fn path(number: usize) -> String {
    format!("area_{}/memory_{number}.md", number % 97)
}

/// A store with this many memories, and where it stands.
fn filled(memories: usize, shards: u32) -> (InMemoryBucket, SharedRevision) {
    let store = InMemoryBucket::default();
    let mut bucket = Bucket::new(store.clone(), &BucketLayout { format: 1, shards, sealed: false });
    let mut mark = SharedRevision::default();
    let numbers: Vec<usize> = (0..memories).collect();
    for part in numbers.chunks(50_000) {
        let changes: Vec<RemoteChange> =
            part.iter().map(|number| RemoteChange { path: path(*number), content: Some(memory(*number, 0)) }).collect();
        match bucket.publish(&mark, &changes).expect("the model of a store") {
            Published::As(next) => mark = next,
            Published::Overtaken => unreachable!("nobody else writes"),
        }
    }
    (store, mark)
}

fn minus(now: RequestCounts, before: RequestCounts) -> RequestCounts {
    RequestCounts {
        gets: now.gets - before.gets,
        same: now.same - before.same,
        puts: now.puts - before.puts,
        lost: now.lost - before.lost,
        lists: now.lists - before.lists,
        removals: now.removals - before.removals,
        bytes_out: now.bytes_out - before.bytes_out,
        bytes_in: now.bytes_in - before.bytes_in,
    }
}

/// The traffic of one look, one change, and one change of somebody else taken in.
fn traffic(
    store: &InMemoryBucket,
    mark: &SharedRevision,
    shards: u32,
    memories: usize,
) -> (RequestCounts, RequestCounts, RequestCounts) {
    let layout = BucketLayout { format: 1, shards, sealed: false };
    let (mine, theirs) = (store.another(), store.another());
    let mut bucket = Bucket::new(mine.clone(), &layout);
    let before = mine.counts();
    assert!(matches!(bucket.look(Some(mark)), Ok(SharedState::Same)));
    let look = minus(mine.counts(), before);
    let before = mine.counts();
    let change = RemoteChange { path: path(memories / 2), content: Some(memory(memories / 2, 1)) };
    let Ok(Published::As(next)) = bucket.publish(mark, &[change]) else { unreachable!("nobody else writes") };
    let write = minus(mine.counts(), before);
    let mut other = Bucket::new(theirs.clone(), &layout);
    let before = theirs.counts();
    let Ok(SharedState::Now(now)) = other.look(Some(mark)) else { unreachable!("it has changed") };
    let entries = other.entries(Some(mark), &now).expect("entries");
    let wanted: Vec<&RemoteEntry> = entries.iter().collect();
    let contents = other.read(&wanted, 1 << 20).expect("contents");
    assert_eq!((contents.len(), &now), (1, &next));
    (look, write, minus(theirs.counts(), before))
}

/// This many machines write at once; each request of all of them takes one turn. Gives the turns until all are through, and requests.
fn crowd(machines: usize, shards: u32) -> (u32, u64) {
    let store = InMemoryBucket::default();
    let layout = BucketLayout { format: 1, shards, sealed: false };
    let mut waiting: Vec<(usize, u32, u32, Bucket<InMemoryBucket>, Option<SharedRevision>)> =
        (0..machines).map(|at| (at, 0, 0, Bucket::new(store.another(), &layout), None)).collect();
    let (mut turn, mut requests) = (0, 0);
    while !waiting.is_empty() {
        turn += 1;
        let mut next = Vec::new();
        // Everybody who is awake looks first, then everybody writes: the worst there is.
        for (_, wake, _, bucket, mark) in waiting.iter_mut().filter(|(_, wake, ..)| *wake <= turn) {
            let _ = wake;
            *mark = match bucket.look(None) {
                Ok(SharedState::Now(mark)) => Some(mark),
                _ => None,
            };
        }
        for (at, wake, tries, mut bucket, mark) in waiting {
            let Some(on) = mark.filter(|_| wake <= turn) else {
                next.push((at, wake, tries, bucket, None));
                continue;
            };
            let change = RemoteChange { path: path(at), content: Some(memory(at, 0)) };
            if matches!(bucket.publish(&on, &[change]), Ok(Published::As(_))) {
                requests += bucket.objects().counts().requests();
                continue;
            }
            // As the command line waits: twice as long each time, and everybody another time.
            let tries = tries + 1;
            let most = 1_u32 << tries.min(9);
            let spread = (at as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(tries * 7) % u64::from(most);
            next.push((at, turn + 1 + spread as u32, tries, bucket, None));
        }
        waiting = next;
    }
    (turn, requests)
}

/// A whole sync of a new machine, for the first time.
fn first(store: &InMemoryBucket, shards: u32) -> RequestCounts {
    let mine = store.another();
    let mut bucket = Bucket::new(mine.clone(), &BucketLayout { format: 1, shards, sealed: false });
    let (mut local, mut bases, mut pause) = (Files::default(), BaseInMemory::default(), |_| {});
    let mut sync = Sync {
        local: &mut local,
        bases: &mut bases,
        transport: &mut bucket,
        rules: &NoRules,
        pause: &mut pause,
        dry: false,
    };
    sync.run().expect("the first sync");
    mine.counts()
}

/// A month of changes one by one, then tidying up twice, a month apart: what it costs the second time, and what is left.
fn tidying(memories: usize, shards: u32, changes: usize) {
    let (store, mut mark) = filled(memories, shards);
    let layout = BucketLayout { format: 1, shards, sealed: false };
    let mut bucket = Bucket::new(store.clone(), &layout);
    let clean = store.size();
    for at in 0..changes {
        let number = at * 7919 % memories;
        let change = RemoteChange { path: path(number), content: Some(memory(number, at + 1)) };
        let Ok(Published::As(next)) = bucket.publish(&mark, &[change]) else { unreachable!("nobody else writes") };
        mark = next;
    }
    let full = store.size();
    bucket.tidy(false).expect("the first time");
    store.pass(TEAM_TIDY_SECONDS);
    let mine = store.another();
    let done = Bucket::new(mine.clone(), &layout).tidy(false).expect("the second time");
    let cost = mine.counts();
    let (reads, writes) = (cost.gets + cost.same, cost.puts + cost.lost + cost.lists);
    let cents = 100.0 * (reads as f64 / 1e6 * PRICES.1 + writes as f64 / 1e6 * PRICES.0);
    println!(
        "| {memories} | {shards} | {changes} | {} | {} | {} | {reads} reads, {writes} writes and lists, {} removals | {cents:.1} |",
        clean.0,
        full.0,
        full.0 - done.removed,
        cost.removals
    );
}

fn dollars(
    look: RequestCounts,
    write: RequestCounts,
    take: RequestCounts,
    members: f64,
    stored: f64,
) -> (f64, f64, f64) {
    let changes = CHANGES * members;
    // Changes of one look are taken in together; a member takes in each change once.
    let takes = LOOKS.min(changes) * members;
    let per = |count: fn(&RequestCounts) -> u64| {
        LOOKS * members * count(&look) as f64 + changes * count(&write) as f64 + takes * count(&take) as f64
    };
    let (writes, reads) = (per(|c| c.puts + c.lost + c.lists), per(|c| c.gets + c.same));
    // Each member reads every change of the team once, however they are bundled.
    let out = (changes * members * take.bytes_out as f64 + LOOKS * members * look.bytes_out as f64) / 1e9;
    let money = writes / 1e6 * PRICES.0 + reads / 1e6 * PRICES.1 + out * PRICES.2 + stored / 1e9 * PRICES.3;
    (writes + reads, out, money)
}

fn main() {
    println!("| memories | heads | a look | a change | taking one in | first sync |");
    println!("|---|---|---|---|---|---|");
    let mut measured = Vec::new();
    for (memories, shards) in [(100, 1), (10_000, 1), (100_000, 16), (1_000_000, 256)] {
        let (store, mark) = filled(memories, shards);
        let (look, write, take) = traffic(&store, &mark, shards, memories);
        let shown =
            |c: RequestCounts| format!("{} requests, {:.1} kB", c.requests(), (c.bytes_in + c.bytes_out) as f64 / 1e3);
        let begin = if memories <= 100_000 {
            let all = first(&store, shards);
            format!("{} requests, {:.1} MB", all.requests(), all.bytes_out as f64 / 1e6)
        } else {
            "not measured".to_owned()
        };
        println!("| {memories} | {shards} | {} | {} | {} | {begin} |", shown(look), shown(write), shown(take));
        measured.push((memories, shards, look, write, take, store.size().1 as f64));
    }
    println!("\n| members | memories | heads | requests a month | GB out a month | dollars a month |");
    println!("|---|---|---|---|---|---|");
    for (members, at) in [(10.0, 0), (1_000.0, 1), (1_000.0, 2), (100_000.0, 3)] {
        let (memories, shards, look, write, take, stored) = measured[at];
        let (requests, out, money) = dollars(look, write, take, members, stored);
        println!("| {members} | {memories} | {shards} | {requests:.0} | {out:.1} | {money:.2} |");
    }
    println!("\n| writers at once | heads | rounds until all are through | seconds | requests a writer |");
    println!("|---|---|---|---|---|");
    for (machines, shards) in [(10, 1), (100, 1), (100, 16), (1_000, 1), (1_000, 16), (1_000, 256)] {
        let (turns, requests) = crowd(machines, shards);
        let each = requests as f64 / machines as f64;
        println!("| {machines} | {shards} | {turns} | {:.1} | {each:.1} |", f64::from(turns) * 6.0 * REQUEST);
    }
    println!(
        "\n| memories | heads | changes | objects at first | after the changes | after tidying up | it cost | cents |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for (memories, shards, changes) in [(100, 1, 1_000), (10_000, 1, 10_000), (100_000, 16, 100_000)] {
        tidying(memories, shards, changes);
    }
    println!(
        "\nA change is with everybody who works after {BETWEEN_LOOKS:.0} s at most, half of them after {:.0} s.",
        BETWEEN_LOOKS / 2.0
    );
}
