//! Keeps the search cache up to date: what changed goes into a new small segment.
//!
//! Enters: a store. Leaves: a cache that says what the directory says. What memdir wrote is known from the
//! journal; a directory that changed is listed, and what is new in it is read; every file is looked at only in a
//! small store, or now and then. Whatever is found, one changed file costs one small segment ([`merge`](super::merge)
//! makes few of many). Two processes at once: one of them writes, the other answers from what it has.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;

use super::freshness::LOOK_AT_EACH;
use super::merge::FILES;
use super::search_cache::{SearchCache, State, dir};
use super::segment::{CacheSegment, CacheSegmentBuilder, Doc};
use crate::engine::Error;
use crate::engine::listing::{FileRole, role};
use memdir_guard::confine::RelPath;
use memdir_store::fs::{self, Durability, FsError};
use memdir_store::history::{Change, Hash};
use memdir_store::topic::{Header, Topic};
use memdir_store::{Store, Written};

/// From this many segments on, who saves takes the small ones together instead of leaving that to the background.
const SAVED_BEFORE_TIDYING: usize = 4 * FILES;

/// How closely a store is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Depth {
    /// Every file.
    Everything,
    /// The journal, and directories that have changed.
    Changes,
}

impl SearchCache {
    /// How closely this store is looked at before a prompt is answered.
    pub(super) fn usual_depth(&self) -> Depth {
        if self.alive() <= LOOK_AT_EACH { Depth::Everything } else { Depth::Changes }
    }

    /// Brings the cache up to date with the directory. `now` dates what others are found to have changed.
    pub(super) fn refresh(store: &Store, now: jiff::Timestamp, depth: Depth) -> Result<SearchCache, Error> {
        let held = hold(store);
        let mut cache = SearchCache::open(store);
        // From before anything is looked at: what changes from now on changes them again.
        let times = cache.directory_times(store);
        let nothing = cache.state.segments.is_empty();
        let listed = match depth {
            Depth::Changes if !nothing => cache.take_in_changes(store, &times, now, held.is_some()).ok(),
            _ => None,
        };
        let directories = match listed {
            Some(listed) => listed,
            None => cache.take_in_everything(store, now, held.is_some())?,
        };
        let time = |path: &String| times.get(path).copied().or_else(|| store.directory_time(path));
        cache.state.directories =
            directories.into_iter().filter_map(|path| time(&path).map(|time| (path, time))).collect();
        if held.is_some() {
            cache.state.save(store)?;
            return cache.tidy(store);
        }
        Ok(cache)
    }

    /// Takes in what the journal says and what came, went or was replaced in directories that changed. Returns
    /// the directories there are.
    fn take_in_changes(
        &mut self,
        store: &Store,
        times: &BTreeMap<String, i64>,
        now: jiff::Timestamp,
        save_it: bool,
    ) -> Result<Vec<String>, Error> {
        let known = &self.state.directories;
        let changed: Vec<String> =
            known.iter().filter(|(path, time)| times.get(*path) != Some(*time)).map(|(path, _)| path.clone()).collect();
        let mut directories: Vec<String> = times.keys().cloned().collect();
        if !changed.is_empty() {
            let noticed = store.notice_in(&changed, &|dir| known.contains_key(dir), now)?;
            directories.extend(noticed.directories);
            directories.sort_unstable();
            directories.dedup();
        }
        self.take_in_journal(store, save_it)?;
        Ok(directories)
    }

    /// Looks at every file and takes in what differs. Returns the directories there are.
    fn take_in_everything(&mut self, store: &Store, now: jiff::Timestamp, save_it: bool) -> Result<Vec<String>, Error> {
        let before = store.journal().end()?;
        let noticed = store.notice(now)?;
        let (changed, dead) = self.differences(store)?;
        let known = store.known()?;
        self.take_in(store, &changed, &|path| known.get(path).map(|known| known.written), dead, save_it)?;
        let indexes = known.iter().filter(|known| role(known.path) == FileRole::Index);
        self.state.indexes = indexes.map(|index| (index.path.to_owned(), index.hash)).collect();
        // What somebody else has written meanwhile may not have been seen: it is read from the journal next time.
        self.state.position = match store.journal().since(before)? {
            (changes, end) if changes.iter().all(|one| noticed.changes.iter().any(|own| own.id == one.id)) => end,
            _ => before,
        };
        self.state.looked = now.as_second();
        Ok(noticed.directories)
    }

    /// Takes in only what the journal says, for a store that is too large to be looked at for a prompt.
    /// What others changed stays unknown until the background has looked.
    pub(super) fn follow(&mut self, store: &Store) -> Result<(), Error> {
        let held = hold(store);
        if self.take_in_journal(store, held.is_some())? && held.is_some() {
            self.state.save(store)?;
        }
        Ok(())
    }

    /// The same for who saves, with small segments taken together where they are many: the background may not come for long.
    pub(super) fn followed(mut self, store: &Store) -> Result<SearchCache, Error> {
        let held = hold(store);
        if held.is_some() {
            self = SearchCache::open(store);
        }
        let news = self.take_in_journal(store, held.is_some())?;
        if !news || held.is_none() {
            return Ok(self);
        }
        self.state.save(store)?;
        if self.segments.len() < SAVED_BEFORE_TIDYING { Ok(self) } else { self.tidy(store) }
    }

    /// Whether the journal said anything about memories.
    fn take_in_journal(&mut self, store: &Store, save_it: bool) -> Result<bool, Error> {
        let (changes, position) = store.journal().since(self.state.position)?;
        let touched: BTreeSet<&str> = changes
            .iter()
            .flat_map(|change| &change.files)
            .map(|file| file.path.as_str())
            .filter(|path| role(path) != FileRole::Index)
            .collect();
        let dead: Vec<u32> = touched.iter().filter_map(|path| self.number_of(path)).collect();
        let there: Vec<String> = touched.iter().map(|path| (*path).to_owned()).collect();
        let told = self.written_by(&changes);
        self.take_in(store, &there, &|path| told.get(path).copied(), dead, save_it)?;
        self.state.take_in_indexes(&changes);
        self.state.position = position;
        Ok(!touched.is_empty())
    }

    /// When the files that changes wrote were written.
    fn written_by(&self, changes: &[Change]) -> HashMap<String, Written> {
        let mut told: HashMap<String, Written> = HashMap::new();
        for change in changes {
            for file in &change.files {
                let Some(after) = &file.after else {
                    told.remove(&file.path);
                    continue;
                };
                let cached = || Some(self.doc(self.number_of(&file.path)?)?.written);
                let before = told.get(&file.path).copied().or_else(cached);
                let header = after.content().map(|content| Header::read(&content)).unwrap_or_default();
                told.insert(file.path.clone(), Written::of_change(change, file, &header, before));
            }
        }
        told
    }

    /// Puts files into a new segment and marks memories as dead.
    fn take_in(
        &mut self,
        store: &Store,
        files: &[String],
        written: &dyn Fn(&str) -> Option<Written>,
        dead: Vec<u32>,
        save_it: bool,
    ) -> Result<(), Error> {
        let segment = write_segment(store, files, written);
        // Files that are gone by now make an empty one, which is kept only where there is no other.
        if self.state.segments.is_empty() || CacheSegment::open(&segment).is_some_and(|segment| segment.len() > 0) {
            if save_it {
                self.state.segments.push(save(store, "sheet", &segment)?);
            }
            self.push(segment);
        }
        self.state.dead.extend(dead);
        self.settle_dead();
        Ok(())
    }

    /// Which files are new or different, in the order of their paths, and which memories of the cache are gone.
    fn differences(&self, store: &Store) -> Result<(Vec<String>, Vec<u32>), FsError> {
        let known = store.known()?;
        let mut dead = Vec::new();
        let mut same: BTreeSet<&str> = BTreeSet::new();
        for (number, doc) in self.docs() {
            let entry = known.get(doc.path);
            // A file that was saved without a change is written again too: its facts are part of the cache.
            if entry.is_some_and(|entry| {
                entry.hash == doc.hash
                    && entry.written.says(&doc.written)
                    && entry.facts.is_none_or(|facts| facts == doc.facts)
            }) {
                same.insert(doc.path);
            } else {
                dead.push(number);
            }
        }
        let changed = known.paths().into_iter().filter(|path| role(path) != FileRole::Index && !same.contains(path));
        Ok((changed.map(str::to_owned).collect(), dead))
    }
}

impl State {
    /// Notes what indexes say after some changes.
    pub(super) fn take_in_indexes(&mut self, changes: &[Change]) {
        for change in changes {
            for file in change.files.iter().filter(|file| role(&file.path) == FileRole::Index) {
                match &file.after {
                    Some(after) => self.indexes.insert(file.path.clone(), after.hash),
                    None => self.indexes.remove(&file.path),
                };
            }
            for pointed in &change.pointers {
                self.indexes.insert(pointed.index.clone(), pointed.after);
            }
        }
    }
}

/// Writes a segment of the files that are there and can be read, which come in the order of their paths. `written` tells when each
/// was written.
pub(super) fn write_segment(store: &Store, paths: &[String], written: &dyn Fn(&str) -> Option<Written>) -> Vec<u8> {
    let mut builder = CacheSegmentBuilder::default();
    for path in paths {
        let Ok(file) = RelPath::parse(path) else { continue };
        let Ok(Some((bytes, facts))) = store.root().read_with_facts(&file) else { continue };
        let hash = Hash::of(&bytes);
        let topic = Topic::parse(bytes);
        let (name, description, body) =
            (topic.name().unwrap_or_default(), topic.description().unwrap_or_default(), topic.body());
        let doc = Doc {
            path,
            name: &name,
            description: &description,
            kind: topic.kind(),
            pinned: topic.pinned(),
            facts,
            hash,
            // Changed since somebody told: the next look dates it.
            written: written(path).or_else(|| Written::of_day(path)).unwrap_or_else(|| Written::of_file(&facts)),
        };
        builder.add(&doc, &body);
    }
    builder.finish()
}

/// Writes a file of the cache under a name that nobody has; its content is its name.
pub(super) fn save(store: &Store, what: &str, bytes: &[u8]) -> Result<String, FsError> {
    let dir = dir(store);
    fs::create_private_dir(&dir)?;
    let name = format!("{what}-{}", &blake3::hash(bytes).to_hex().as_str()[..20]);
    fs::replace(&dir.join(&name), bytes, Durability::Cache)?;
    Ok(name)
}

/// Removes files of the cache that the state does not name; whoever has them open keeps them.
pub(super) fn remove_others(store: &Store, state: &State) -> Result<(), FsError> {
    let dir = dir(store);
    for name in fs::names(&dir)? {
        let ours = ["sheet-", "vectors-", "subjects-"].iter().any(|what| name.starts_with(what));
        if ours && ![&state.segments, &state.vectors, &state.subjects].iter().any(|names| names.contains(&name)) {
            fs::remove(&dir.join(name))?;
        }
    }
    Ok(())
}

/// The right to write the cache; `None` while somebody else has it.
fn hold(store: &Store) -> Option<File> {
    let dir = dir(store);
    fs::create_private_dir(&dir).ok()?;
    fs::try_hold(&dir.join("lock")).ok()?
}

#[cfg(test)]
mod tests;
