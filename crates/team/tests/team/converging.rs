//! Twenty machines edit, crash, lose their connection, their memory of the last sync and the time of day; then all is quiet, and all have
//! the same bytes with every edit in them that nobody took back.

use std::collections::{BTreeMap, BTreeSet};

use memdir_testkit::bucket::InMemoryBucket;
use proptest::prelude::*;

use super::machine::{Machine, is_quiet, tidy};

const MACHINES: usize = 20;
const FILES: usize = 4;

/// Something that happens to a machine.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A new paragraph, at a place.
    Add { file: usize, place: usize },
    /// A paragraph is written again.
    Rewrite { file: usize, place: usize },
    /// A paragraph goes.
    Cut { file: usize, place: usize },
    /// The description changes.
    Describe { file: usize },
    /// The file goes.
    Delete { file: usize },
    /// A sync.
    Sync,
    /// A sync whose connection breaks after this many requests.
    Break { after: u32 },
    /// A sync during which the machine dies after this many steps.
    Die { after: u32 },
    /// What is remembered of the last sync is lost.
    Forget,
    /// The connection goes, or comes back.
    Cut1 { cut: bool },
    /// Old versions are removed, perhaps with a connection that breaks.
    Tidy { breaks: Option<u32> },
    /// A sync that sleeps for months after this many requests, while others tidy up again and again.
    Sleep { after: u32 },
    /// Tidying up, which sleeps for months after this many requests, while somebody else changes everything and takes it back.
    TidyAsleep { after: u32 },
}

fn event() -> impl Strategy<Value = Event> {
    let file = 0..FILES;
    prop_oneof![
        6 => (file.clone(), 0..6_usize).prop_map(|(file, place)| Event::Add { file, place }),
        5 => (file.clone(), 0..6_usize).prop_map(|(file, place)| Event::Rewrite { file, place }),
        2 => (file.clone(), 0..6_usize).prop_map(|(file, place)| Event::Cut { file, place }),
        2 => file.clone().prop_map(|file| Event::Describe { file }),
        1 => file.prop_map(|file| Event::Delete { file }),
        10 => Just(Event::Sync),
        2 => (1..12_u32).prop_map(|after| Event::Break { after }),
        2 => (0..6_u32).prop_map(|after| Event::Die { after }),
        1 => Just(Event::Forget),
        1 => any::<bool>().prop_map(|cut| Event::Cut1 { cut }),
        2 => prop::option::of(1..20_u32).prop_map(|breaks| Event::Tidy { breaks }),
        1 => (0..20_u32).prop_map(|after| Event::Sleep { after }),
        1 => (0..30_u32).prop_map(|after| Event::TidyAsleep { after }),
    ]
}

/// What everybody wrote, as words that nobody else writes.
#[derive(Default)]
struct Words {
    next: usize,
    live: BTreeSet<String>,
}

impl Words {
    fn fresh(&mut self, clock: i64) -> String {
        self.next += 1;
        let word = format!("w{}x", self.next);
        self.live.insert(word.clone());
        // What the clock says is written down, and decides nothing.
        format!("{word} said at {}", 1000 + clock)
    }

    /// Somebody who saw it took it back.
    fn take_back(&mut self, text: &str) {
        self.live.retain(|word| !text.contains(word.as_str()));
    }
}

fn file(number: usize) -> String {
    format!("memory_{number}.md")
}

impl Machine {
    /// The machine's user edits a file.
    fn edit(&mut self, number: usize, words: &mut Words, change: impl FnOnce(&mut Vec<String>, &mut Words, i64)) {
        let path = file(number);
        let text = self.text(&path).unwrap_or_else(|| {
            let index = self.text("MEMORY.md").unwrap_or_default();
            self.put("MEMORY.md", &format!("{index}- [Memory {number}]({path}) — about {number}\n"));
            format!(
                "---\nname: Memory {number}\ndescription: about {number}\ntype: project\nmodified: 0\n---\n\nStart.\n"
            )
        });
        let mut parts: Vec<String> = text.trim_end().split("\n\n").map(str::to_owned).collect();
        change(&mut parts, words, self.clock);
        let stamp = format!("modified: {}", 1000 + self.clock);
        let lines: Vec<String> = parts[0]
            .lines()
            .map(|line| if line.starts_with("modified: ") { stamp.clone() } else { line.to_owned() })
            .collect();
        parts[0] = lines.join("\n");
        self.put(&path, &format!("{}\n", parts.join("\n\n")));
    }

    fn live(&mut self, event: Event, words: &mut Words) {
        // Only paragraphs that hold words are somebody's: marks and the frontmatter are left alone.
        let own = |parts: &[String], place: usize| {
            let own: Vec<usize> = (1..parts.len()).filter(|at| !parts[*at].starts_with("<!--")).collect();
            own.get(place % own.len().max(1)).copied()
        };
        match event {
            Event::Add { file, place } => self.edit(file, words, |parts, words, clock| {
                let at = own(parts, place).map_or(parts.len(), |at| at + 1);
                let text = words.fresh(clock);
                parts.insert(at, text);
            }),
            Event::Rewrite { file, place } => self.edit(file, words, |parts, words, clock| {
                if let Some(at) = own(parts, place) {
                    words.take_back(&parts[at]);
                    parts[at] = words.fresh(clock);
                }
            }),
            Event::Cut { file, place } => self.edit(file, words, |parts, words, _| {
                if let Some(at) = own(parts, place) {
                    words.take_back(&parts[at]);
                    parts.remove(at);
                }
            }),
            Event::Describe { file } => self.edit(file, words, |parts, words, clock| {
                let lines: Vec<String> = parts[0]
                    .lines()
                    .map(|line| match line.strip_prefix("description: ") {
                        Some(old) => {
                            words.take_back(old);
                            format!("description: {}", words.fresh(clock))
                        }
                        None => line.to_owned(),
                    })
                    .collect();
                parts[0] = lines.join("\n");
            }),
            Event::Delete { file: number } => {
                let path = file(number);
                if let Some(text) = self.text(&path) {
                    words.take_back(&text);
                    self.local.files.remove(&path);
                    let index = self.text("MEMORY.md").unwrap_or_default();
                    let kept = index.lines().filter(|line| !line.contains(&format!("({path})")));
                    let kept: String = kept.map(|line| format!("{line}\n")).collect();
                    self.put("MEMORY.md", &kept);
                }
            }
            Event::Sync => drop(self.sync()),
            Event::Break { after } => {
                self.store.break_after(Some(after));
                drop(self.sync());
                self.store.break_after(None);
            }
            Event::Die { after } => {
                self.fuse.set(Some(after));
                drop(self.sync());
                self.fuse.set(None);
            }
            Event::Forget => self.disk.kept = memdir_team::base::BaseInMemory::default(),
            Event::Cut1 { cut } => self.store.set_cut(cut),
            Event::Tidy { breaks } => {
                self.store.break_after(breaks);
                drop(self.tidy());
                self.store.break_after(None);
            }
            Event::Sleep { after } => {
                let (elsewhere, layout) = (self.store.another(), self.layout.clone());
                self.store.meanwhile(after, move || {
                    for _ in 0..3 {
                        tidy(&elsewhere, &layout).unwrap();
                    }
                });
                drop(self.sync());
                self.store.awake();
            }
            Event::TidyAsleep { after } => {
                let (elsewhere, shards) = (self.store.another(), self.layout.shards);
                self.store.meanwhile(after, move || there_and_back(&elsewhere, shards));
                drop(self.tidy());
                self.store.awake();
            }
        }
    }
}

/// Somebody takes in everything, changes it, and takes the change back: the same contents as before, written once more.
fn there_and_back(store: &InMemoryBucket, shards: u32) {
    let mut visitor = Machine::new(store, shards, 0);
    visitor.sync().unwrap();
    let before = visitor.local.files.clone();
    for (path, content) in &before {
        visitor.local.files.insert(path.clone(), [content.as_slice(), b"\nfor a moment\n"].concat());
    }
    visitor.sync().unwrap();
    visitor.local.files = before;
    visitor.sync().unwrap();
}

fn check(events: &[(usize, Event)], shards: u32) -> Result<(), TestCaseError> {
    let store = InMemoryBucket::default();
    let mut words = Words::default();
    let mut machines: Vec<Machine> =
        (0..MACHINES).map(|number| Machine::new(&store, shards, number as i64 * 37 - 300)).collect();
    for (machine, event) in events {
        machines[*machine].live(*event, &mut words);
    }
    // All is mended and everybody comes back; two times round, since the first may still publish.
    for machine in &machines {
        machine.store.set_cut(false);
    }
    for _ in 0..2 {
        for machine in &mut machines {
            prop_assert!(machine.sync().is_ok());
        }
    }
    // An index without a line is not shared: it says what none says.
    let all = |machine: &Machine| -> BTreeMap<String, Vec<u8>> {
        let says = |(path, bytes): &(&String, &Vec<u8>)| path.as_str() != "MEMORY.md" || !bytes.is_empty();
        machine.local.files.iter().filter(says).map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
    };
    let bytes = all(&machines[0]);
    for (number, machine) in machines.iter().enumerate() {
        prop_assert_eq!(&all(machine), &bytes, "machine {} differs", number);
    }
    let all: String = bytes.values().map(|content| String::from_utf8_lossy(content).into_owned()).collect();
    for word in &words.live {
        prop_assert!(all.contains(word.as_str()), "{} is lost\n{}", word, all);
    }
    let index = machines[0].text("MEMORY.md").unwrap_or_default();
    for number in 0..FILES {
        let pointers = index.matches(&format!("({})", file(number))).count();
        prop_assert_eq!(pointers, usize::from(bytes.contains_key(&file(number))), "{}\n{}", file(number), index);
    }
    // And then there is nothing to do, which costs one request.
    for machine in &mut machines {
        let before = machine.store.counts().requests();
        let synced = machine.sync().unwrap();
        prop_assert!(is_quiet(&synced));
        prop_assert_eq!(machine.store.counts().requests() - before, 1);
    }
    // What is old goes, what is needed stays: for somebody new, and for those who were there.
    for _ in 0..2 {
        prop_assert!(machines[0].tidy().unwrap().wait_seconds.is_none());
    }
    prop_assert_eq!(machines[0].tidy().unwrap().removed, 0);
    let mut newcomer = Machine::new(&store, shards, 0);
    prop_assert!(newcomer.sync().is_ok());
    prop_assert!(
        newcomer
            .local
            .files
            .iter()
            .filter(|(_, bytes)| !bytes.is_empty())
            .all(|(path, content)| bytes.get(path) == Some(content))
    );
    prop_assert!(bytes.iter().all(|(path, content)| newcomer.local.files.get(path) == Some(content)));
    prop_assert!(is_quiet(&machines[1].sync().unwrap()));
    Ok(())
}

/// Few histories in a usual run, as many as `PROPTEST_CASES` says in a long one.
fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    if usual.cases == 256 { ProptestConfig::with_cases(48) } else { usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn twenty_machines_come_to_the_same_bytes_with_every_edit_in_them(
        events in prop::collection::vec((0..MACHINES, event()), 0..80),
        shards in prop::sample::select(vec![1_u32, 16]),
    ) {
        check(&events, shards)?;
    }

    /// The same among few, who meet all the time.
    #[test]
    fn three_machines_come_to_the_same_bytes_with_every_edit_in_them(
        events in prop::collection::vec((0..3_usize, event()), 0..80),
    ) {
        check(&events, 1)?;
    }
}

/// A machine that died after landing and before it noted so.
#[test]
fn what_landed_before_a_crash_is_not_taken_for_an_edit() {
    use Event::{Add, Delete, Describe, Die, Rewrite, Sync};
    let events = [
        (1, Describe { file: 0 }),
        (2, Rewrite { file: 1, place: 0 }),
        (2, Add { file: 3, place: 0 }),
        (0, Describe { file: 0 }),
        (2, Sync),
        (0, Sync),
        (2, Sync),
        (0, Delete { file: 3 }),
        (1, Rewrite { file: 3, place: 0 }),
        (0, Sync),
        (2, Die { after: 3 }),
        (0, Sync),
    ];
    for shards in [1, 16] {
        check(&events, shards).unwrap();
    }
}
