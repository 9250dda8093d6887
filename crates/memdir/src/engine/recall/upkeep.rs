//! Keeping the search cache true: what changed goes onto a new sheet, vectors follow.
//!
//! Enters: a store. Leaves: a shelf that says what the directory says. One changed file costs one
//! small sheet; when sheets or dead memories pile up they are made into one, and vectors are carried
//! over by content. Two processes at once: one of them writes, the other answers from what it has.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::File;

use memdir_encoder::Embedding;

use super::sheet::{Doc, SheetBuilder};
use super::shelf::{Shelf, State, dir, directory_time};
use super::vectors::{self, Pair};
use crate::engine::Error;
use crate::engine::listing::{Role, role};
use crate::guard::confine::RelPath;
use crate::store::Store;
use crate::store::fs::{self, Durability, FsError};
use crate::store::history::Hash;
use crate::store::topic::Topic;

/// More sheets than this are made into one.
const SHEETS: usize = 12;
/// More dead memories than this share of all, and all are written anew.
const DEAD_SHARE: f32 = 0.25;
/// At least so many vectors are made before they are saved, and in a large store an eighth of what is
/// there: each save writes all of them.
const BATCH: usize = 128;
const BATCH_SHARE: usize = 8;

/// What makes the two vectors of a memory (all of it; name and description) from name, description and body.
pub type Embed<'e> = &'e dyn Fn(&str, &str, &str) -> [Embedding; 2];

impl Shelf {
    /// Brings the cache up to date with the directory. `now` dates what others are found to have changed.
    pub(super) fn refresh(store: &Store, now: jiff::Timestamp) -> Result<Shelf, Error> {
        store.notice(now)?;
        let mut shelf = Shelf::open(store);
        let held = hold(store);
        let (changed, dead) = shelf.differences(store)?;
        let many = shelf.state.sheets.len() >= SHEETS
            || (shelf.state.dead.len() + dead.len()) as f32 > DEAD_SHARE * shelf.len() as f32;
        if shelf.state.sheets.is_empty() || many {
            return shelf.rebuild(store, held.is_some());
        }
        if !changed.is_empty() {
            let sheet = write_sheet(store, &changed);
            if held.is_some() {
                let name = save(store, "sheet", &sheet)?;
                shelf.state.sheets.push(name);
            }
            shelf.push(sheet);
        }
        shelf.state.dead.extend(dead);
        shelf.settle_dead();
        shelf.state.position = store.journal().end()?;
        shelf.state.directories = directories(store)?;
        if held.is_some() {
            shelf.state.save(store)?;
        }
        Ok(shelf)
    }

    /// Takes in only what the journal says, for a store that is too large to be walked for a prompt.
    /// What others changed stays unknown until the background has looked.
    pub(super) fn follow(&mut self, store: &Store) -> Result<(), Error> {
        let (changes, position) = store.journal().since(self.state.position)?;
        let touched: BTreeSet<&str> = changes
            .iter()
            .flat_map(|change| &change.files)
            .map(|file| file.path.as_str())
            .filter(|path| role(path) != Role::Index)
            .collect();
        if touched.is_empty() {
            return Ok(());
        }
        let dead: Vec<u32> =
            self.docs().filter(|(_, doc)| touched.contains(doc.path)).map(|(number, _)| number).collect();
        let there: Vec<String> = touched.iter().map(|path| (*path).to_owned()).collect();
        let sheet = write_sheet(store, &there);
        self.state.dead.extend(dead);
        self.state.position = position;
        if let Some(_held) = hold(store) {
            self.state.sheets.push(save(store, "sheet", &sheet)?);
            self.state.save(store)?;
        }
        self.push(sheet);
        self.settle_dead();
        Ok(())
    }

    /// Which files are new or different, and which memories of the cache are gone.
    fn differences(&self, store: &Store) -> Result<(Vec<String>, Vec<u32>), FsError> {
        let known = store.known()?;
        let mut dead = Vec::new();
        let mut same: BTreeSet<&str> = BTreeSet::new();
        for (number, doc) in self.docs() {
            let entry = known.get(doc.path);
            // A file that was saved without a change is written anew too: its facts are part of the cache.
            if entry.is_some_and(|entry| entry.hash == doc.hash && entry.facts.is_none_or(|facts| facts == doc.facts)) {
                same.insert(doc.path);
            } else {
                dead.push(number);
            }
        }
        let changed = known.paths().into_iter().filter(|path| role(path) != Role::Index && !same.contains(path));
        Ok((changed.map(str::to_owned).collect(), dead))
    }

    /// Makes one sheet of everything and carries the vectors over.
    fn rebuild(&self, store: &Store, save_it: bool) -> Result<Shelf, Error> {
        let paths: Vec<String> =
            store.known()?.paths().into_iter().filter(|path| role(path) != Role::Index).map(str::to_owned).collect();
        let vectors = self.vectors();
        let old: HashMap<Hash, usize> = self
            .docs()
            .filter_map(|(number, doc)| Some((doc.hash, vectors.docs.binary_search(&number).ok()?)))
            .collect();
        let mut shelf = Shelf::open(store);
        shelf.state = State::new();
        shelf.clear();
        let sheet = write_sheet(store, &paths);
        shelf.push(sheet);
        shelf.settle_dead();
        shelf.state.position = store.journal().end()?;
        shelf.state.directories = directories(store)?;
        if save_it {
            let rows: Vec<(u32, Pair)> = shelf
                .docs()
                .filter_map(|(number, doc)| Some((number, vectors::pair(&vectors, *old.get(&doc.hash)?)?)))
                .collect();
            shelf.state.sheets = vec![save(store, "sheet", shelf.top())?];
            shelf.state.vectors = Some(save(store, "vectors", &vectors::encode(&rows))?);
            shelf.state.save(store)?;
            remove_others(store, &shelf.state)?;
        }
        Ok(shelf)
    }

    /// Makes vectors for memories that have none, at most `limit`. Returns how many are still missing.
    pub(super) fn embed(
        store: &Store,
        embed: Embed<'_>,
        limit: usize,
        stop: &dyn Fn() -> bool,
    ) -> Result<usize, Error> {
        let Some(_held) = hold(store) else { return Ok(0) };
        let mut made = 0;
        loop {
            let shelf = Shelf::open(store);
            let vectors = shelf.vectors();
            let missing: Vec<(u32, Doc<'_>)> =
                shelf.docs().filter(|(number, _)| vectors.docs.binary_search(number).is_err()).collect();
            let batch = missing.len().min(BATCH.max(vectors.docs.len() / BATCH_SHARE)).min(limit - made);
            if batch == 0 || stop() {
                return Ok(missing.len());
            }
            let mut rows: BTreeMap<u32, Pair> = vectors
                .docs
                .iter()
                .enumerate()
                .filter(|(_, number)| !shelf.is_dead(**number))
                .filter_map(|(place, number)| Some((*number, vectors::pair(&vectors, place)?)))
                .collect();
            for (number, doc) in missing[..batch].iter().take_while(|_| !stop()) {
                let body = body_of(store, doc.path).unwrap_or_default();
                let [whole, header] = embed(doc.name, doc.description, &body);
                rows.insert(*number, Pair { header: header.quantise(), whole: whole.quantise() });
                made += 1;
            }
            let rows: Vec<(u32, Pair)> = rows.into_iter().collect();
            let mut state = shelf.state.clone();
            state.vectors = Some(save(store, "vectors", &vectors::encode(&rows))?);
            state.save(store)?;
            remove_others(store, &state)?;
        }
    }
}

/// Writes a sheet of the files that are there and can be read.
fn write_sheet(store: &Store, paths: &[String]) -> Vec<u8> {
    let mut builder = SheetBuilder::default();
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
        };
        builder.add(&doc, &body);
    }
    builder.finish()
}

fn body_of(store: &Store, path: &str) -> Option<String> {
    let bytes = store.root().read(&RelPath::parse(path).ok()?).ok()??;
    Some(Topic::parse(bytes).body().into_owned())
}

/// The directories that hold memories, and when each last changed.
fn directories(store: &Store) -> Result<BTreeMap<String, i64>, FsError> {
    let known = store.known()?;
    let mut found: BTreeSet<String> = BTreeSet::from([String::new()]);
    for path in known.paths() {
        let mut parent = path;
        while let Some((above, _)) = parent.rsplit_once('/') {
            if !found.insert(above.to_owned()) {
                break;
            }
            parent = above;
        }
    }
    Ok(found.into_iter().filter_map(|path| Some((path.clone(), directory_time(store, &path)?))).collect())
}

/// Writes a file of the cache under a name that nobody has; its content is its name.
fn save(store: &Store, what: &str, bytes: &[u8]) -> Result<String, FsError> {
    let dir = dir(store);
    fs::create_private_dir(&dir)?;
    let name = format!("{what}-{}", &blake3::hash(bytes).to_hex().as_str()[..20]);
    fs::replace(&dir.join(&name), bytes, Durability::Cache)?;
    Ok(name)
}

/// Removes files of the cache that the state does not name; whoever has them open keeps them.
fn remove_others(store: &Store, state: &State) -> Result<(), FsError> {
    let dir = dir(store);
    for name in fs::names(&dir)? {
        let ours = name.starts_with("sheet-") || name.starts_with("vectors-");
        if ours && !state.sheets.contains(&name) && state.vectors.as_ref() != Some(&name) {
            fs::remove(&dir.join(name))?;
        }
    }
    Ok(())
}

/// The right to write the cache; `None` while somebody else has it.
fn hold(store: &Store) -> Option<File> {
    let dir = dir(store);
    fs::create_private_dir(&dir).ok()?;
    let file = File::options().create(true).truncate(false).write(true).open(dir.join("lock")).ok()?;
    file.try_lock().ok()?;
    Some(file)
}
