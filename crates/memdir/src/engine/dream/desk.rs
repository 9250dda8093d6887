//! The desk a dream works at: every memory once, and what becomes of it.
//!
//! Enters: a store. Leaves: a sheet a memory with its words, its day and its vectors. Nothing here
//! touches a file: a dream is a plan until it lands. Files that are no text, indexes and logs are
//! left out; pinned ones lie on the desk to be compared with, and are never written on.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use memdir_encoder::Encoder;

use super::versions;
use crate::engine::listing::{Role, role, timestamp};
use crate::engine::recall::Pair;
use crate::engine::{Error, Memory};
use crate::guard::confine::RelPath;
use crate::kind::{Scope, Type};
use crate::store::Store;
use crate::store::topic::{NewTopic, Topic, file_name};
use crate::team::parent_folder;
use crate::text::likeness::Said;

/// One memory on the desk.
pub(super) struct Sheet {
    pub(super) file: RelPath,
    /// What stands in the file; `None` for a memory that the dream brings.
    pub(super) before: Option<Vec<u8>>,
    /// What it should be.
    pub(super) topic: Topic,
    /// When it was last written.
    pub(super) written: Timestamp,
    /// The day of that.
    pub(super) day: Date,
    pub(super) vectors: Option<Pair>,
    pub(super) fate: Fate,
    /// Lines of it that stand nowhere any more, each with the reason.
    pub(super) dropped: Vec<Dropped>,
    /// What was done to it, for people.
    pub(super) notes: Vec<String>,
    /// It holds two versions of something that nobody decided between.
    pub(super) torn: bool,
}

/// What becomes of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fate {
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
pub(super) struct Dropped {
    pub(super) line: String,
    pub(super) reason: String,
}

impl Sheet {
    /// A text that lies on no desk, to be judged by the same rules.
    pub(super) fn loose(file: RelPath, topic: Topic) -> Sheet {
        Sheet {
            file,
            before: None,
            topic,
            written: Timestamp::UNIX_EPOCH,
            day: Date::ZERO,
            vectors: None,
            fate: Fate::Stays,
            dropped: Vec::new(),
            notes: Vec::new(),
            torn: false,
        }
    }

    pub(super) fn stays(&self) -> bool {
        self.fate == Fate::Stays
    }

    /// Whether the dream may write on it.
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

    /// Whether it says all that `text` says.
    pub(super) fn says(&self, text: &str) -> bool {
        Said::read(&self.text()).covers(&Said::read(text))
    }

    /// Puts a paragraph before the labelled lines of the body.
    pub(super) fn add_paragraph(&mut self, text: &str) {
        let body = crate::text::likeness::merge_body(&self.body(), text.trim());
        self.topic.set_body(&body);
    }

    pub(super) fn changed(&self) -> bool {
        self.stays() && self.before.as_deref() != Some(self.topic.as_bytes())
    }
}

/// All memories of one store.
pub(super) struct Desk {
    pub(super) sheets: Vec<Sheet>,
}

impl Desk {
    /// Lays every memory of a store out.
    pub(super) fn of(memory: &Memory, store: &Store, mut vectors: HashMap<String, Pair>) -> Result<Desk, Error> {
        let known = store.known()?;
        let mut sheets = Vec::new();
        for path in known.paths() {
            // What came from a team above is that team's to put in order.
            if role(path) != Role::Topic || parent_folder(path).is_some() {
                continue;
            }
            let Ok(file) = RelPath::parse(path) else { continue };
            let Ok(Some((bytes, facts))) = store.root().read_with_facts(&file) else { continue };
            // What is no text cannot be merged without harm.
            let Ok(text) = std::str::from_utf8(&bytes) else { continue };
            let torn = versions::is_torn(&file, text);
            let written = timestamp(facts.mtime_ns);
            sheets.push(Sheet {
                day: written.to_zoned(memory.now.time_zone().clone()).date(),
                vectors: vectors.remove(path),
                topic: Topic::parse(bytes.clone()),
                before: Some(bytes),
                fate: Fate::Stays,
                dropped: Vec::new(),
                notes: Vec::new(),
                torn,
                written,
                file,
            });
        }
        Ok(Desk { sheets })
    }

    /// Adds a memory that the dream brings.
    pub(super) fn add(&mut self, new: &NewTopic<'_>, written: Timestamp, day: Date, note: String) -> Result<(), Error> {
        let taken = |name: &str| self.sheets.iter().any(|sheet| sheet.file.as_str().eq_ignore_ascii_case(name));
        let file = RelPath::parse(&file_name(new.kind, new.name, &taken))?;
        let [whole, header] = Encoder::new().encode_memory(new.name, new.description, new.body);
        self.sheets.push(Sheet {
            file,
            before: None,
            topic: Topic::compose(new),
            written,
            day,
            vectors: Some(Pair { header: header.quantise(), whole: whole.quantise() }),
            fate: Fate::Stays,
            dropped: Vec::new(),
            notes: vec![note],
            torn: false,
        });
        Ok(())
    }

    /// The memory that says now what this one said.
    pub(super) fn heir(&self, mut at: usize) -> usize {
        // As many steps as there are sheets: no circle can hold it.
        for _ in 0..self.sheets.len() {
            match self.sheets[at].fate {
                Fate::Merged(into) | Fate::Superseded(into) => at = into,
                _ => break,
            }
        }
        at
    }
}
