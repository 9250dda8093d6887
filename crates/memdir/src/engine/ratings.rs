//! What a person said about being told a memory: "not useful here", "always".
//!
//! Enters: a memory and what is said of it. Leaves: one line more in a small record beside the project's history, which the history
//! shows and `undo` takes back. A rating holds in the project where it was given, for a memory of the user as well. Never touches a
//! memory: what is said about telling is no part of what it says.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Error, Memory, MemoryRef, Recall};
use memdir_core::kind::{Rating, Scope};
use memdir_core::limits::RATINGS_BYTES;
use memdir_store::fs::{self, Durability};
use memdir_store::history::{Actor, Author, ChangeId};

/// The record of a store.
const RECORD: &str = "ratings.jsonl";

/// One thing that was said, or taken back.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rated {
    /// Its name, for `undo`.
    pub id: String,
    /// When.
    pub time: Timestamp,
    /// Who.
    pub actor: Actor,
    /// In which session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The memory: its file, with `user:` before that of a user memory.
    pub file: String,
    /// What was said of it before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Rating>,
    /// What holds since; nothing where a rating was taken back.
    pub rating: Option<Rating>,
    /// What it takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<String>,
    /// Where the memory was when it was said, if it has moved since: nobody said it again, so it is no act of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_from: Option<String>,
}

/// What holds of each memory, by its file.
#[derive(Debug, Default)]
pub(super) struct Ratings(HashMap<String, Rated>);

impl Ratings {
    /// What was said of a memory.
    pub(super) fn of(&self, file: &str, scope: Scope) -> Option<Rating> {
        self.standing(file, scope)?.rating
    }

    /// The line that says so.
    pub(super) fn standing(&self, file: &str, scope: Scope) -> Option<&Rated> {
        // Most projects have no ratings, and a name need not be made then.
        if self.0.is_empty() {
            return None;
        }
        self.0.get(&handle(file, scope))
    }
}

/// A memory as it is named in every scope at once.
pub(super) fn handle(file: &str, scope: Scope) -> String {
    if scope == Scope::User { format!("user:{file}") } else { file.to_owned() }
}

impl Recall<'_> {
    /// Says of a memory that it is not useful here, or that it should always come.
    pub fn rate(&self, typed: &str, rating: Rating) -> Result<Rated, Error> {
        self.memory.require_on()?;
        let MemoryRef { scope, file, .. } = self.memory.files().find(typed)?;
        let file = handle(file.as_str(), scope);
        let _held = self.memory.hold_ratings()?;
        let before = self.memory.ratings()?.0.get(&file).and_then(|rated| rated.rating);
        if before == Some(rating) {
            return Err(Error::Refused(format!("“{}” was said of {file} already", rating.words())));
        }
        self.memory.record_rating(file, before, Some(rating), None)
    }
}

impl Memory {
    /// What holds now.
    pub(super) fn ratings(&self) -> Result<Ratings, Error> {
        Ok(Ratings(self.rated()?.into_iter().map(|rated| (rated.file.clone(), rated)).collect()))
    }

    /// Everything that was said, oldest first.
    pub(super) fn rated(&self) -> Result<Vec<Rated>, Error> {
        let Some(store) = self.private_store()? else { return Ok(Vec::new()) };
        Ok(read(&store.state_dir().join(RECORD))?)
    }

    /// What `undo` without a name means among ratings: the newest that is no undo and was not taken back.
    pub(super) fn last_rated(&self) -> Result<Option<Rated>, Error> {
        let mut taken_back: Vec<String> = Vec::new();
        for rated in self.rated()?.into_iter().rev() {
            if rated.moved_from.is_some() || taken_back.contains(&rated.id) {
                continue;
            }
            match &rated.undoes {
                Some(undone) => taken_back.push(undone.clone()),
                None => return Ok(Some(rated)),
            }
        }
        Ok(None)
    }

    /// Takes back what was said.
    pub(super) fn undo_rating(&self, said: &Rated) -> Result<Rated, Error> {
        let _held = self.hold_ratings()?;
        let now = self.ratings()?.0.get(&said.file).and_then(|rated| rated.rating);
        if now == said.before {
            return Err(Error::Refused("it is already as it was before that; there is nothing to undo".into()));
        }
        self.record_rating(said.file.clone(), now, said.before, Some(said.id.clone()))
    }

    fn hold_ratings(&self) -> Result<std::fs::File, Error> {
        let dir = self.writable(Scope::Private)?.state_dir();
        fs::create_private_dir(dir)?;
        Ok(fs::hold(&dir.join("ratings.lock"))?)
    }

    /// Adds a line. The caller holds the record.
    fn record_rating(
        &self,
        file: String,
        before: Option<Rating>,
        rating: Option<Rating>,
        undoes: Option<String>,
    ) -> Result<Rated, Error> {
        let record = self.writable(Scope::Private)?.state_dir().join(RECORD);
        let Author { actor, session, time, .. } = self.author();
        let mut all = read(&record)?;
        let place = all.len().to_le_bytes();
        let id = ChangeId::derive(&[b"rating", file.as_bytes(), time.to_string().as_bytes(), &place]).to_string();
        let rated = Rated { id, time, actor, session, file, before, rating, undoes, moved_from: None };
        all.push(rated.clone());
        write(&record, shortened(all))?;
        Ok(rated)
    }

    /// What was said of a memory goes along where it moves. It stays where it was said too, so that it is true again when the move
    /// is taken back.
    pub(super) fn carry_rating(&self, from: &str, to: &str) -> Result<(), Error> {
        let Some(said) = self.ratings()?.0.remove(from).filter(|said| said.rating.is_some()) else { return Ok(()) };
        let _held = self.hold_ratings()?;
        let record = self.writable(Scope::Private)?.state_dir().join(RECORD);
        let mut all = read(&record)?;
        let id = ChangeId::derive(&[b"moved rating", said.id.as_bytes(), to.as_bytes(), &all.len().to_le_bytes()]);
        let (file, moved_from) = (to.to_owned(), Some(from.to_owned()));
        all.push(Rated { id: id.to_string(), file, moved_from, before: None, undoes: None, ..said });
        Ok(write(&record, shortened(all))?)
    }

    /// Takes a purged memory out of what was said in any project: its name was made from what it said.
    pub(super) fn drop_ratings(&self, file: &str, scope: Scope) -> Result<(), Error> {
        let (named, stores) = (handle(file, scope), self.dirs.state.join("stores"));
        let records: Vec<PathBuf> = if scope == Scope::User {
            fs::names(&stores)?.into_iter().map(|name| stores.join(name).join(RECORD)).collect()
        } else {
            self.private_store()?.into_iter().map(|store| store.state_dir().join(RECORD)).collect()
        };
        for record in records {
            let all = read(&record)?;
            if all.iter().any(|rated| rated.file == named) {
                write(&record, all.into_iter().filter(|rated| rated.file != named).collect())?;
            }
        }
        Ok(())
    }
}

fn read(record: &Path) -> Result<Vec<Rated>, fs::FsError> {
    let bytes = fs::read_beside(record)?;
    Ok(bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

fn write(record: &Path, all: Vec<Rated>) -> Result<(), fs::FsError> {
    let mut text = Vec::new();
    for rated in all {
        text.extend(serde_json::to_vec(&rated).unwrap_or_default());
        text.push(b'\n');
    }
    fs::replace(record, &text, Durability::Synced)
}

/// What fits: the oldest go first, of those that no longer hold before those that do.
fn shortened(mut all: Vec<Rated>) -> Vec<Rated> {
    let size = |rated: &Rated| serde_json::to_vec(rated).map_or(0, |line| line.len() + 1);
    let mut bytes: usize = all.iter().map(size).sum();
    while bytes > RATINGS_BYTES && all.len() > 1 {
        let is_past = |at: usize, rated: &Rated| {
            rated.rating.is_none() || all[at + 1..].iter().any(|later| later.file == rated.file)
        };
        let oldest = all.iter().enumerate().position(|(at, rated)| is_past(at, rated)).unwrap_or(0);
        // What was said last is what somebody may want to take back.
        let gone = all.remove(oldest.min(all.len() - 2));
        bytes -= size(&gone);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(at: usize, file: &str, rating: Option<Rating>) -> Rated {
        Rated {
            id: format!("{at}"),
            time: Timestamp::from_second(at as i64).unwrap(),
            actor: Actor::User,
            session: None,
            file: file.to_owned(),
            before: None,
            rating,
            undoes: None,
            moved_from: None,
        }
    }

    #[test]
    fn the_record_is_bounded_and_what_holds_stays_longest() {
        let mut all = vec![rated(0, "kept.md", Some(Rating::Always))];
        for at in 1..2_000 {
            all.push(rated(at, "often.md", Some(if at % 2 == 0 { Rating::Always } else { Rating::NotUseful })));
        }
        let all = shortened(all);
        let bytes: usize = all.iter().map(|one| serde_json::to_vec(one).unwrap().len() + 1).sum();
        assert!(bytes <= RATINGS_BYTES && all.len() > 10, "{bytes}");
        assert_eq!((all[0].file.as_str(), all.last().unwrap().id.as_str()), ("kept.md", "1999"));
    }

    #[test]
    fn even_ratings_that_all_hold_stay_within_bounds() {
        let all = shortened((0..2_000).map(|at| rated(at, &format!("{at}.md"), Some(Rating::Always))).collect());
        let bytes: usize = all.iter().map(|one| serde_json::to_vec(one).unwrap().len() + 1).sum();
        assert!(bytes <= RATINGS_BYTES, "{bytes}");
        assert_eq!(all.last().unwrap().id, "1999");
    }
}
