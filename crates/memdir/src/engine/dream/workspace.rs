//! The workspace of a dream: every memory once, and what becomes of it.
//!
//! Enters: a store. Leaves: a candidate for each memory, with its words, its line in the index, its vectors, and when it was said
//! as far as anything but the file's own time tells (K6). Nothing here touches a file: a dream is a plan until it
//! lands. Files that are not text, indexes and logs are left out; pinned ones are in the workspace to be compared
//! with, and are never changed.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use memdir_encoder::Encoder;

use super::versions;
use crate::engine::listing::{FileRole, role, timestamp};
use crate::engine::recall::VectorPair;
use crate::engine::{Error, Memory, index_of};
use memdir_core::kind::{Scope, Type};
use memdir_guard::confine::RelPath;
use memdir_reader::plain::Label;
use memdir_reader::{dates, long_note, title};
use memdir_store::Store;
use memdir_store::index::Index;
use memdir_store::topic::{NewTopic, Topic, file_name};
use memdir_store::written::TimeSource;
use memdir_team::parent_folder;

/// One memory in the workspace.
pub(super) struct WorkspaceMemory {
    pub(super) file: RelPath,
    /// What is in the file; `None` for a memory that the dream brings.
    pub(super) before: Option<Vec<u8>>,
    /// What it should be.
    pub(super) topic: Topic,
    /// When it was said: from its own frontmatter, our history, or the day that its text names.
    pub(super) said_at: Option<Timestamp>,
    /// The same, as far as something more exact than a day in its text tells.
    pub(super) noted: Option<Timestamp>,
    /// By then it was there: when it was noted, else the file's own time.
    pub(super) stood_by: Timestamp,
    /// When what the dream lets it say was said.
    pub(super) heard_at: Option<Timestamp>,
    /// The file name that fits what it says now.
    pub(super) renamed: Option<RelPath>,
    /// The old words and the new ones, for the lines that speak of them.
    pub(super) swaps: Vec<(String, String)>,
    /// Title and hook of its line in the index.
    pub(super) pointer: Option<String>,
    pub(super) vectors: Option<VectorPair>,
    pub(super) fate: MemoryFate,
    /// Lines of it that stand nowhere any more, each with the reason.
    pub(super) dropped: Vec<DiscardedLine>,
    /// What was done to it, for people.
    pub(super) notes: Vec<String>,
    /// It holds two versions of something that nobody decided between.
    pub(super) torn: bool,
    /// Why what should become of it is only proposed, however sure the rest of the dream is.
    pub(super) held: Option<String>,
    /// How sure it is, from the surest down.
    pub(super) grounds: ChangeGrounds,
}

/// What a change rests on; a dream with a budget takes the surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ChangeGrounds {
    /// Somebody said so since, or two people changed one memory at once.
    Said,
    /// Two memories hold the same sentences.
    Double,
    /// A later memory tells what became of an earlier one.
    Later,
    /// Two memories say the same in other words.
    Alike,
}

/// What becomes of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum MemoryFate {
    /// It stays, changed or not.
    Stays,
    /// Another one says all of it now.
    Merged(usize),
    /// Another one says what is true now.
    Superseded(usize),
    /// It should not have been kept.
    Archived(String),
}

/// A line that is gone on purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DiscardedLine {
    pub(super) line: String,
    pub(super) reason: String,
}

impl WorkspaceMemory {
    /// A text outside a workspace, to be judged by the same rules.
    pub(super) fn loose(file: RelPath, topic: Topic) -> WorkspaceMemory {
        WorkspaceMemory {
            file,
            before: None,
            topic,
            said_at: None,
            noted: None,
            stood_by: Timestamp::UNIX_EPOCH,
            heard_at: None,
            renamed: None,
            swaps: Vec::new(),
            pointer: None,
            vectors: None,
            fate: MemoryFate::Stays,
            dropped: Vec::new(),
            notes: Vec::new(),
            torn: false,
            held: None,
            grounds: ChangeGrounds::Alike,
        }
    }

    pub(super) fn stays(&self) -> bool {
        self.fate == MemoryFate::Stays
    }

    /// Whether the dream may change it.
    pub(super) fn is_free(&self) -> bool {
        self.stays() && !self.torn && !self.topic.pinned()
    }

    pub(super) fn kind(&self) -> Option<Type> {
        self.topic.kind()
    }

    pub(super) fn scope(&self) -> Scope {
        if self.file.in_team() { Scope::Team } else { Scope::Private }
    }

    pub(super) fn name(&self) -> String {
        self.topic.name().map(String::from).unwrap_or_default()
    }

    pub(super) fn description(&self) -> String {
        self.topic.description().map(String::from).unwrap_or_default()
    }

    pub(super) fn body(&self) -> String {
        self.topic.body().into_owned()
    }

    /// Name, description and body on lines of their own.
    pub(super) fn text(&self) -> String {
        format!("{}\n{}\n{}", self.name(), self.description(), self.body())
    }

    /// Whether it is in the directory just as it lies here.
    pub(super) fn is_untouched(&self) -> bool {
        self.before.as_deref() == Some(self.topic.as_bytes())
    }

    /// Whether it is more than a fact with its reason and its use: such a note is never rewritten by rule (H3).
    pub(super) fn is_long(&self) -> bool {
        long_note::is_long(&self.body())
    }

    /// Leaves what becomes of it to a person; the first reason counts.
    pub(super) fn hold(&mut self, why: &str) {
        self.held.get_or_insert_with(|| why.to_owned());
    }

    /// Adds a line: one with a label at the end, any other behind what is stated. Nothing else is touched.
    pub(super) fn add_line(&mut self, text: &str) {
        let body = self.body();
        let ending = if body.contains("\r\n") { "\r\n" } else { "\n" };
        let mut lines: Vec<&str> = body.lines().collect();
        while lines.last().is_some_and(|line| line.trim().is_empty()) {
            lines.pop();
        }
        let labelled = |line: &str| Label::of(line).is_some();
        let at = lines.iter().position(|line| labelled(line)).filter(|_| !labelled(text));
        match at {
            Some(at) => drop(lines.splice(at..at, [text.trim(), ""])),
            None if labelled(text) && lines.last().is_some_and(|line| labelled(line)) => lines.push(text.trim()),
            None => lines.extend(["", text.trim()]),
        }
        self.topic.set_body(&(lines.join(ending) + ending));
    }

    pub(super) fn changed(&self) -> bool {
        self.stays() && self.before.as_deref() != Some(self.topic.as_bytes())
    }
}

/// All memories of one store.
pub(super) struct Workspace {
    pub(super) candidates: Vec<WorkspaceMemory>,
}

impl Workspace {
    /// Lays every memory of a store out.
    pub(super) fn of(
        memory: &Memory,
        store: &Store,
        mut vectors: HashMap<String, VectorPair>,
    ) -> Result<Workspace, Error> {
        let known = store.known()?;
        let pointers = pointers(store)?;
        let now = memory.now.timestamp();
        let mut candidates = Vec::new();
        for path in known.paths() {
            // What came from a team above is that team's to put in order.
            if role(path) != FileRole::Topic || parent_folder(path).is_some() {
                continue;
            }
            let Ok(file) = RelPath::parse(path) else { continue };
            let Ok(Some((bytes, facts))) = store.root().read_with_facts(&file) else { continue };
            // What is not text cannot be merged without harm.
            let Ok(text) = std::str::from_utf8(&bytes) else { continue };
            let torn = versions::is_torn(&file, text);
            let topic = Topic::parse(bytes.clone());
            let written = known.get(path).map(|known| known.written);
            // A file's own time tells when it was copied; it decides no conflict (K6).
            let noted =
                written.filter(|written| written.source != TimeSource::FileTime).and_then(|written| written.time(now));
            let zone = memory.now.time_zone();
            let said_at = noted.or_else(|| dates::anchor(text).map(|day| day_start(day, zone)));
            let said_at = said_at.filter(|time| *time <= now);
            // A day that a text names is no bound: the text may have been added to since.
            let stood_by = written.map_or_else(|| timestamp(facts.mtime_ns), |written| written.at).min(now);
            candidates.push(WorkspaceMemory {
                said_at,
                noted,
                stood_by,
                pointer: pointers.get(path).cloned(),
                vectors: vectors.remove(path),
                before: Some(bytes),
                torn,
                ..WorkspaceMemory::loose(file, topic)
            });
        }
        Ok(Workspace { candidates })
    }

    /// Adds a memory that the dream brings.
    pub(super) fn add(&mut self, new: &NewTopic<'_>, at: Option<Timestamp>, note: String) -> Result<(), Error> {
        let file = RelPath::parse(&file_name(new.kind, &title::file_words(new.name), &|name: &str| self.has(name)))?;
        let [whole, header] = Encoder::new().encode_memory(new.name, new.description, new.body);
        self.candidates.push(WorkspaceMemory {
            said_at: at,
            noted: at,
            heard_at: at,
            vectors: Some(VectorPair { header: header.quantise(), whole: whole.quantise() }),
            notes: vec![note],
            grounds: ChangeGrounds::Said,
            ..WorkspaceMemory::loose(file, Topic::compose(new))
        });
        Ok(())
    }

    /// Whether a memory has this file name, or gets it.
    pub(super) fn has(&self, name: &str) -> bool {
        let is = |file: &RelPath| file.as_str().eq_ignore_ascii_case(name);
        self.candidates.iter().any(|candidate| is(&candidate.file) || candidate.renamed.as_ref().is_some_and(is))
    }

    /// The memory that says now what this one said.
    pub(super) fn heir(&self, mut at: usize) -> usize {
        // As many steps as there are candidates: no circle can hold it.
        for _ in 0..self.candidates.len() {
            match self.candidates[at].fate {
                MemoryFate::Merged(into) | MemoryFate::Superseded(into) => at = into,
                _ => break,
            }
        }
        at
    }
}

fn day_start(day: Date, zone: &TimeZone) -> Timestamp {
    day.at(0, 0, 0, 0).to_zoned(zone.clone()).map_or(Timestamp::UNIX_EPOCH, |zoned| zoned.timestamp())
}

/// Title and hook of each memory's line in its index, by its path.
pub(in crate::engine) fn pointers(store: &Store) -> Result<HashMap<String, String>, Error> {
    let mut found = HashMap::new();
    for (scope, folder) in [(Scope::Private, ""), (Scope::Team, "team/")] {
        let raw = store.root().read(&index_of(scope)?).ok().flatten().unwrap_or_default();
        for pointer in Index::parse(raw).pointers() {
            let line: &mut String = found.entry(format!("{folder}{}", pointer.target)).or_default();
            // A title that is the file's name says nothing.
            let named = pointer.target.trim_end_matches(".md") == pointer.title.trim_end_matches(".md");
            for part in [&pointer.title, &pointer.hook].into_iter().skip(usize::from(named)) {
                line.push_str(&format!("{part}\n"));
            }
        }
    }
    Ok(found)
}
