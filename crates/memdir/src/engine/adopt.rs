//! Taking over the memory of a project's former place: after a rename, a move, a fresh clone (P3).
//!
//! Former places are found by identity among the directories memdir has seen. Nothing is moved
//! without being asked; same-named but different repositories never match.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::identity::{MemoryOwner, describe};
use super::{Error, Files, Memory, index_of, listing};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_store::fs::{self, Durability, FsError, Root};
use memdir_store::history::{ChangeId, Visit};
use memdir_store::index::Index;
use memdir_store::place::{Identity, Match, same_project, slug};
use memdir_store::topic::Topic;
use memdir_store::{Intent, OnSecret, Store, key, walk};

/// How the reason of a move begins; the place it came from follows.
const MOVED: &str = "adopt from ";
/// Where a store keeps that it was moved here.
const ADOPTION: &str = "adopted.json";

/// A directory whose project is this one, under another path.
#[derive(Clone, Debug, Serialize)]
pub struct FormerDirectory {
    /// The memory directory.
    pub dir: PathBuf,
    /// Its recorded project, in words.
    pub project: String,
    /// How many memories are in it.
    pub memories: usize,
}

impl FormerDirectory {
    /// That memories are there.
    pub(super) fn sentence(&self) -> String {
        let memories = match self.memories {
            1 => "1 memory of this project is".to_owned(),
            many => format!("{many} memories of this project are"),
        };
        format!("{memories} at {} (it was at {})", self.dir.display(), self.project)
    }
}

/// What was taken over.
#[derive(Debug, Serialize)]
pub struct Adopted {
    /// From where.
    pub from: String,
    /// To where.
    pub to: String,
    /// Which files.
    pub files: Vec<String>,
    /// The group in the history, for `undo`; `None` when nothing was moved.
    pub change: Option<String>,
}

/// A directory that was moved here whole, as the history keeps it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Adoption {
    /// Its name, for `undo`.
    pub(super) id: String,
    pub(super) time: jiff::Timestamp,
    /// From where.
    pub(super) from: PathBuf,
    pub(super) files: Vec<String>,
    /// The newest change of the memory when it was moved.
    after: Option<String>,
    /// Whose it was.
    owner: Option<MemoryOwner>,
}

impl Files<'_> {
    /// Former places of this project that still hold memories.
    pub fn former_places(&self) -> Result<Vec<FormerDirectory>, Error> {
        let here = self.memory.private_dir()?;
        let here = fs::canonical(&here).unwrap_or(here);
        let stores = self.memory.dirs.state.join("stores");
        let mut identity: Option<Identity> = None;
        let mut found = Vec::new();
        for name in fs::names(&stores)? {
            let Some(owner) = MemoryOwner::read(&stores.join(&name))? else { continue };
            let dir = PathBuf::from(&owner.memory);
            if dir == here || !dir.is_dir() || owner.identity.path == self.memory.place.project.root.to_string_lossy() {
                continue;
            }
            let identity = identity.get_or_insert_with(|| self.memory.identity());
            if same_project(&owner.identity, identity) == Match::Same {
                let memories = count(&dir);
                if memories > 0 {
                    found.push(FormerDirectory { dir, project: describe(&owner.identity), memories });
                }
            }
        }
        found.sort_by(|a, b| b.memories.cmp(&a.memories).then_with(|| a.dir.cmp(&b.dir)));
        Ok(found)
    }

    /// The former place of a project that knows nothing yet; looked for only then.
    pub fn forgotten_place(&self) -> Option<FormerDirectory> {
        let dir = self.memory.private_dir().ok()?;
        if !self.memory.place.enabled || dir.join("MEMORY.md").exists() || count(&dir) > 0 {
            return None;
        }
        self.former_places().ok()?.into_iter().next()
    }

    /// Takes over a former place: the one that was found, or the one that is named.
    ///
    /// Without a former place, a directory that is recorded as another project's becomes this one's.
    pub fn adopt(&self, from: Option<&Path>) -> Result<Adopted, Error> {
        self.memory.require_on()?;
        let to = self.memory.private_dir()?;
        let from = match from {
            Some(named) => self.memory.named_place(named)?,
            None => match self.former_places()?.as_slice() {
                [one] => one.dir.clone(),
                [] => return self.memory.claim(&to),
                several => {
                    let list: Vec<String> = several.iter().map(|former| former.dir.display().to_string()).collect();
                    return Err(Error::Refused(format!("several former places match; name one: {}", list.join(", "))));
                }
            },
        };
        let from = fs::canonical(&from).map_err(|error| FsError::io("open", from.display().to_string(), error))?;
        if fs::canonical(&to).is_ok_and(|to| to == from) {
            return self.memory.claim(&to);
        }
        if count(&to) == 0 && !to.join("MEMORY.md").exists() && is_free(&to) {
            self.memory.move_whole(&from, &to)
        } else {
            self.memory.move_files(&from)
        }
    }
}

impl Memory {
    /// The store that files were moved from in a group, if the group was such a move.
    pub(super) fn moved_from(&self, reason: &str) -> Option<Store> {
        let from = reason.strip_prefix(MOVED)?;
        Store::open(Path::new(from), &self.dirs).ok()
    }

    /// A former place by the name of its memory directory or of the project it belonged to.
    fn named_place(&self, named: &Path) -> Result<PathBuf, Error> {
        if named.join("MEMORY.md").is_file() || (named.ends_with("memory") && named.is_dir()) {
            return Ok(named.to_path_buf());
        }
        let dir = self.memory_dir_of(named)?;
        if dir.is_dir() {
            return Ok(dir);
        }
        Err(Error::Refused(format!(
            "{} is neither a memory directory nor a project that has one ({} does not exist)",
            named.display(),
            dir.display()
        )))
    }

    /// Where the memory of another project path would be.
    fn memory_dir_of(&self, project: &Path) -> Result<PathBuf, Error> {
        let base = self.place.config_home.clone()?;
        Ok(base.join("projects").join(slug(&self.around.below_cwd(project))).join("memory"))
    }

    /// Makes the directory at hand this project's own.
    fn claim(&self, dir: &Path) -> Result<Adopted, Error> {
        let Some(store) = self.private_store()? else {
            return Err(Error::NoFormerPlace);
        };
        self.owner_here(store).write(store.state_dir())?;
        let shown = dir.display().to_string();
        Ok(Adopted { from: shown.clone(), to: shown, files: Vec::new(), change: None })
    }

    /// Nothing is here yet: the directory and its history move as they are.
    fn move_whole(&self, from: &Path, to: &Path) -> Result<Adopted, Error> {
        let files = files_of(from)?;
        let old_key = key(from);
        if let Some(parent) = to.parent() {
            fs::create_private_dir(parent)?;
        }
        if to.is_dir() {
            fs::remove_empty_dir(to)?;
        }
        fs::rename_dir(from, to)?;
        let real = fs::canonical(to).map_err(|error| FsError::io("open", to.display().to_string(), error))?;
        let stores = self.dirs.state.join("stores");
        let (old_state, new_state) = (stores.join(&old_key), stores.join(key(&real)));
        // A session that only started here has left a state without a change in it.
        if old_state.is_dir() && !has_history(&new_state)? {
            fs::remove_tree(&new_state)?;
            fs::rename_dir(&old_state, &new_state)?;
        }
        let store = Store::open(to, &self.dirs)?;
        let (now, owner) = (self.now.timestamp(), MemoryOwner::read(store.state_dir())?);
        self.owner_here(&store).write(store.state_dir())?;
        let id = ChangeId::derive(&[b"adopt", from.as_os_str().as_encoded_bytes(), now.to_string().as_bytes()]);
        let adoption = Adoption {
            id: id.to_string(),
            time: now,
            from: from.to_path_buf(),
            files: files.clone(),
            after: newest_change(&store)?,
            owner,
        };
        let record = serde_json::to_vec(&adoption).unwrap_or_default();
        fs::replace(&store.state_dir().join(ADOPTION), &record, Durability::Synced)?;
        Ok(Adopted { from: from.display().to_string(), to: to.display().to_string(), files, change: Some(adoption.id) })
    }

    /// The move that brought this directory here, if one did and was not taken back.
    pub(super) fn adoption(&self) -> Result<Option<Adoption>, Error> {
        let Some(store) = self.private_store()? else { return Ok(None) };
        Ok(serde_json::from_slice(&fs::read_beside(&store.state_dir().join(ADOPTION))?).ok())
    }

    /// Whether nothing was changed since a directory was moved here.
    pub(super) fn is_last_act(&self, adoption: &Adoption) -> Result<bool, Error> {
        let newest = self.private_store()?.map(newest_change).transpose()?.flatten();
        Ok(newest == adoption.after)
    }

    /// Moves a directory back to where it was, with what became of it since.
    pub(super) fn undo_adoption(&self, adoption: &Adoption) -> Result<(), Error> {
        let Some(store) = self.private_store()? else { return Err(Error::NoFormerPlace) };
        let (here, back) = (store.root().path().to_path_buf(), &adoption.from);
        let stores = self.dirs.state.join("stores");
        let (old_state, new_state) = (store.state_dir().to_path_buf(), stores.join(key(back)));
        if !is_free(back) || has_history(&new_state)? {
            return Err(Error::Refused(format!("{} is in use again; nothing was moved", back.display())));
        }
        if let Some(parent) = back.parent() {
            fs::create_private_dir(parent)?;
        }
        if back.is_dir() {
            fs::remove_empty_dir(back)?;
        }
        fs::remove(&old_state.join(ADOPTION))?;
        fs::rename_dir(&here, back)?;
        fs::remove_tree(&new_state)?;
        fs::rename_dir(&old_state, &new_state)?;
        match &adoption.owner {
            Some(owner) => Ok(owner.write(&new_state)?),
            None => Ok(()),
        }
    }

    /// Both hold memories: each file is moved, none is overwritten.
    fn move_files(&self, from: &Path) -> Result<Adopted, Error> {
        let source = Store::open(from, &self.dirs)?;
        source.notice(self.now.timestamp())?;
        let target = self.writable(Scope::Private)?;
        target.notice(self.now.timestamp())?;
        let group =
            ChangeId::derive(&[from.as_os_str().as_encoded_bytes(), self.now.timestamp().to_string().as_bytes()]);
        let shown = from.display().to_string();
        let intent = Intent {
            group: Some(group.clone()),
            on_secret: OnSecret::Restore,
            ..Intent::new(format!("{MOVED}{shown}"))
        };
        let mut moved = Vec::new();
        let known = source.known()?;
        for file in files_of(from)? {
            let path = RelPath::parse(&file)?;
            let Some(bytes) = source.root().read(&path)? else { continue };
            if path.is_index() {
                continue;
            }
            let scope = if path.in_team() { Scope::Team } else { Scope::Private };
            let own = file.strip_prefix("team/").unwrap_or(&file);
            let line = source.root().read(&index_of(scope)?)?.and_then(|raw| Index::parse(raw).line_to(own));
            let (landed, _) = target.change(&self.author(), &intent, |edit| {
                let mut landed = path.clone();
                let mut at = 1;
                while edit.read(&landed)?.is_some_and(|there| there != bytes) {
                    at += 1;
                    let stem = file.strip_suffix(".md").unwrap_or(&file);
                    landed = RelPath::parse(&format!("{stem}_{at}.md"))?;
                }
                edit.write(&landed, bytes.clone())?;
                let written = known.get(&file).and_then(|known| known.written.time(self.now.timestamp()));
                written.map_or(Ok(()), |at| edit.written_at(&landed, at))?;
                if listing::role(&file) == listing::FileRole::Topic {
                    let topic = Topic::parse(bytes.clone());
                    let name = landed.as_str().strip_prefix("team/").unwrap_or(landed.as_str()).to_owned();
                    let (title, hook) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
                    // The line goes along as it is.
                    match &line {
                        Some(line) => edit.carry(&index_of(scope)?, &name, line)?,
                        None => edit.point(&index_of(scope)?, &name, &title, &hook)?,
                    }
                }
                Ok(landed)
            })?;
            source.change(&self.author(), &intent, |edit| {
                edit.remove(&path)?;
                let name = file.strip_prefix("team/").unwrap_or(&file).to_owned();
                edit.unpoint(&index_of(scope)?, &name)
            })?;
            moved.push(landed.to_string());
        }
        Ok(Adopted {
            from: shown,
            to: target.root().path().display().to_string(),
            files: moved,
            change: Some(group.to_string()),
        })
    }
}

fn newest_change(store: &Store) -> Result<Option<String>, Error> {
    let mut newest = None;
    store.journal().newest_first(|change| {
        newest = Some(change.id.to_string());
        Visit::Enough
    })?;
    Ok(newest)
}

/// Whether a state directory knows of a change.
fn has_history(state: &Path) -> Result<bool, FsError> {
    let journal = state.join("journal");
    Ok(fs::names(&journal)?.iter().any(|name| fs::length(&journal.join(name)).is_ok_and(|bytes| bytes > 0)))
}

fn files_of(dir: &Path) -> Result<Vec<String>, FsError> {
    let mut files: Vec<String> = walk::walk(&Root::open(dir)?)?.files.into_iter().map(|found| found.path).collect();
    files.sort();
    Ok(files)
}

pub(super) fn count(dir: &Path) -> usize {
    files_of(dir).map_or(0, |files| files.iter().filter(|file| listing::role(file) != listing::FileRole::Index).count())
}

/// Not there, or there and empty.
fn is_free(dir: &Path) -> bool {
    !dir.exists() || fs::names(dir).is_ok_and(|names| names.is_empty())
}
