//! Wiring memdir into a host's configuration, and taking it out again.
//!
//! Enters: which hosts, and a machine described by its caller. Leaves: a plan, file by file with a diff,
//! which changes nothing until it is applied. What was there before is kept, so that taking out gives
//! back the same bytes; where a person has changed the file since, only what is ours is taken out.
//! Never switches anything of the host off, and never trusts on the user's behalf.
//!
//! - `recipe`: what a host's folder says about it, and the pieces it is made of.
//! - `server`: the entry that starts `memdir mcp`.
//! - `json`, `toml`, `yaml`, `block`: putting it in and taking it out, the rest untouched.
//! - `backup`: what was there before.
//! - `obstacle`: what keeps a host from running it all the same.

mod backup;
mod block;
mod json;
mod obstacle;
mod recipe;
mod server;
mod toml;
mod yaml;

pub(crate) use json::our_places;
pub use obstacle::Obstacle;
pub(crate) use obstacle::{BOM, PlannedFiles};
pub(crate) use recipe::{ConfigDir, FileEdit, Recipe, Target, shell_command};
pub(crate) use server::{NAME, ServerEntry, place_variables};
pub(crate) use yaml::{YamlEntry, quoted};

use std::path::{Path, PathBuf};

use super::Host;
use backup::Backup;
use memdir_core::surroundings::Surroundings;
use memdir_store::fs::{self, FsError};

/// Why a host's configuration was left alone.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// It could not be read or written.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// It is no text.
    #[error("{} is not UTF-8 text, so memdir leaves it alone; save it as UTF-8 and try again", .0.display())]
    NotText(PathBuf),
    /// It cannot be read as what it should be.
    #[error("{} cannot be read as JSON ({reason}), so memdir leaves it alone; repair it and try again", path.display())]
    NotJson {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The same for TOML.
    #[error("{} cannot be read as TOML ({reason}), so memdir leaves it alone; repair it and try again", path.display())]
    NotToml {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The same for YAML, of which only the plain kind is edited.
    #[error("{} cannot be edited as YAML ({reason}), so memdir leaves it alone; repair it and try again, or add memdir by hand", path.display())]
    NotYaml {
        /// Which file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// Our name is in use.
    #[error("{}: `{key}` is there already and does not start memdir, so memdir leaves the file alone; rename or remove that entry and try again", path.display())]
    Taken {
        /// Which file.
        path: PathBuf,
        /// Which key.
        key: String,
    },
    /// Something else stands where hooks should.
    #[error("{}: `{key}` is not what the host documents, so memdir leaves the file alone; repair it and try again", path.display())]
    Odd {
        /// Which file.
        path: PathBuf,
        /// Which key.
        key: String,
    },
    /// Somebody else wrote it in the meantime.
    #[error("{} was changed while you decided; nothing was written to it. Try again", .0.display())]
    Changed(PathBuf),
    /// A file of ours was changed by hand.
    #[error("{} was changed by hand since memdir wrote it; it is left alone. Remove it yourself if you do not need it", .0.display())]
    Edited(PathBuf),
    /// No home, no hosts.
    #[error("no home directory is known, so no agent's configuration can be found; set HOME")]
    NoHome,
}

/// The machine, as far as wiring goes.
pub struct Machine<'m> {
    /// Home, variables, directories.
    pub around: &'m Surroundings,
    /// Whether a program can be started.
    pub has_program: &'m dyn Fn(&str) -> bool,
    /// How hosts start memdir.
    pub memdir: &'m str,
    /// Where what was there before is kept: memdir's state directory.
    pub state: &'m Path,
    /// What an agent without hooks is told, in a file of instructions.
    pub instructions: &'m str,
    /// Whether an agent that can do without is given tools of ours as well.
    pub tools: bool,
}

/// What would be done for one host.
#[derive(Debug)]
pub struct HostPlan {
    /// Which one.
    pub host: Host,
    /// Whether it is on this machine.
    pub found: bool,
    /// Whether it is given tools of ours, over MCP.
    pub serves: bool,
    /// The files that change.
    pub changes: Vec<PlannedFile>,
    /// What the user should know or do.
    pub notes: Vec<String>,
    /// Whether memdir was put into one of its files before.
    pub known: bool,
    /// What keeps it from running what is wired, once the plan is carried out.
    pub obstacles: Vec<Obstacle>,
    /// Why it is left alone.
    pub problem: Option<InstallError>,
}

/// One file, before and after; `None` is no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile {
    /// Which file, as the host names it.
    pub path: PathBuf,
    /// What is there.
    pub before: Option<Vec<u8>>,
    /// What will be there.
    pub after: Option<Vec<u8>>,
    /// What is there without what is ours, for the way back.
    clean: Option<Vec<u8>>,
}

impl PlannedFile {
    /// The change for people.
    pub fn diff(&self) -> String {
        let text = |bytes: &Option<Vec<u8>>| String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned();
        let mut options = diffy::DiffOptions::new();
        options.set_original_filename("before").set_modified_filename("after");
        options.create_patch(&text(&self.before), &text(&self.after)).to_string()
    }
}

/// What it takes to wire memdir into a host: all of it, or nothing where one file cannot be changed.
pub fn plan(machine: &Machine<'_>, host: Host) -> Result<HostPlan, InstallError> {
    let target = Target::of(machine, host)?;
    let asked = target.tools().filter(|_| machine.tools);
    let changes: Vec<FileEdit> = (host.definition().install.changes)(&target).into_iter().chain(asked).collect();
    let mut made = file_by_file(&target, host, &changes, put_in)?;
    if made.problem.is_some() {
        made.changes.clear();
    } else {
        made.obstacles = obstacle::find(&target, host, &changes, &made.changes);
    }
    Ok(made)
}

/// What it takes to take memdir out of a host again, as far as that can be done.
pub fn plan_removal(machine: &Machine<'_>, host: Host) -> Result<HostPlan, InstallError> {
    let target = Target::of(machine, host)?;
    let changes: Vec<FileEdit> =
        (host.definition().install.changes)(&target).into_iter().chain(target.tools()).collect();
    Ok(HostPlan { notes: Vec::new(), ..file_by_file(&target, host, &changes, take_out)? })
}

type InstallStep = fn(&FileEdit, Option<&Backup>) -> Result<Option<PlannedFile>, InstallError>;

fn file_by_file(
    target: &Target<'_>,
    host: Host,
    changes: &[FileEdit],
    step: InstallStep,
) -> Result<HostPlan, InstallError> {
    let recipe = &host.definition().install;
    let state = target.machine.state;
    let mut made = HostPlan {
        host,
        found: target.is_there(),
        serves: recipe.serves || (recipe.tools.is_some() && target.machine.tools),
        changes: Vec::new(),
        notes: recipe.notes(host.profile()),
        known: false,
        obstacles: Vec::new(),
        problem: None,
    };
    for change in changes {
        let kept = Backup::read(state, change.path())?;
        made.known |= kept.is_some();
        match step(change, kept.as_ref()) {
            Ok(Some(change)) => made.changes.push(change),
            Ok(None) => {}
            Err(error) => made.problem = Some(error),
        }
    }
    Ok(made)
}

/// Does what a plan says, each file only if it still is what the plan saw.
pub fn apply(machine: &Machine<'_>, plan: &HostPlan, removal: bool) -> Result<(), InstallError> {
    // The first file's directory may hold the others, so it goes last.
    let mut changes: Vec<&PlannedFile> = plan.changes.iter().collect();
    if removal {
        changes.reverse();
    }
    for change in changes {
        if current(&change.path)? != change.before {
            return Err(InstallError::Changed(change.path.clone()));
        }
        if removal {
            finish(change)?;
            Backup::drop_all(machine.state, &change.path)?;
            continue;
        }
        let made_dirs = missing_dirs(&change.path);
        Backup::write(machine.state, change, &made_dirs)?;
        if let Some(dir) = change.path.parent() {
            fs::create_private_dir(dir)?;
        }
        finish(change)?;
    }
    Ok(())
}

fn finish(change: &PlannedFile) -> Result<(), InstallError> {
    match &change.after {
        Some(bytes) => Ok(fs::rewrite(&change.path, bytes)?),
        None => Ok(fs::remove(&fs::real_path(&change.path)?)?),
    }
}

/// Directories that are made for a file, the innermost first.
fn missing_dirs(path: &Path) -> Vec<PathBuf> {
    path.ancestors().skip(1).take_while(|dir| !dir.exists()).map(Path::to_path_buf).collect()
}

/// A host's file as it is; `None` when there is none.
fn current(path: &Path) -> Result<Option<Vec<u8>>, InstallError> {
    let real = fs::real_path(path)?;
    if real.exists() { Ok(Some(fs::read_beside(&real)?)) } else { Ok(None) }
}

fn text_of(path: &Path, bytes: Option<&[u8]>) -> Result<String, InstallError> {
    String::from_utf8(bytes.unwrap_or_default().to_vec()).map_err(|_| InstallError::NotText(path.to_path_buf()))
}

fn put_in(change: &FileEdit, kept: Option<&Backup>) -> Result<Option<PlannedFile>, InstallError> {
    let path = change.path().to_path_buf();
    let before = current(&path)?;
    let text = || text_of(&path, before.as_deref());
    let after = match change {
        FileEdit::Json { ours, .. } => json::put_in(&path, &text()?, ours)?,
        FileEdit::Toml { server, .. } => toml::put_in(&path, &text()?, server)?,
        FileEdit::Yaml { entry, .. } => yaml::put_in(&path, &text()?, entry)?,
        FileEdit::Block { text: ours, .. } => block::put_in(&text()?, ours),
        FileEdit::Own { text, .. } => text.clone(),
    };
    let after = Some(after.into_bytes());
    if before == after {
        return Ok(None);
    }
    let clean = match (&before, change) {
        (Some(_), FileEdit::Own { .. }) if kept.is_some() => kept.and_then(|kept| kept.before.clone()),
        (Some(bytes), _) => without(change, bytes, kept)?,
        (None, _) => None,
    };
    Ok(Some(PlannedFile { path, before, after, clean }))
}

fn take_out(change: &FileEdit, kept: Option<&Backup>) -> Result<Option<PlannedFile>, InstallError> {
    let path = change.path().to_path_buf();
    let before = current(&path)?;
    let Some(bytes) = &before else { return Ok(None) };
    let after = match (kept, change) {
        (Some(kept), _) if kept.is_what_we_wrote(bytes) => kept.before.clone(),
        (_, FileEdit::Own { text, .. }) if text.as_bytes() == bytes.as_slice() => None,
        // Not ours any more, or never was.
        (Some(_), FileEdit::Own { .. }) => return Err(InstallError::Edited(path)),
        (None, FileEdit::Own { .. }) => return Ok(None),
        _ => without(change, bytes, kept)?,
    };
    let clean = after.clone();
    Ok((before != after).then_some(PlannedFile { path, before, after, clean }))
}

/// What a file is without what is ours in it; no file where that made it and nothing else is left.
fn without(change: &FileEdit, bytes: &[u8], kept: Option<&Backup>) -> Result<Option<Vec<u8>>, InstallError> {
    let path = change.path();
    let text = text_of(path, Some(bytes))?;
    let was = kept.and_then(|kept| kept.before.as_deref());
    let rest = match change {
        FileEdit::Json { ours, .. } => json::take_out(path, &text, ours, was)?,
        FileEdit::Toml { server, .. } => toml::take_out(path, &text, server.list, was)?,
        FileEdit::Yaml { entry, .. } => yaml::take_out(path, &text, entry, was)?,
        FileEdit::Block { .. } => block::take_out(&text),
        FileEdit::Own { .. } => text,
    };
    let nothing = matches!(rest.trim(), "" | "{}");
    let made = kept.is_some_and(|kept| kept.before.is_none());
    Ok((!nothing || !made).then(|| rest.into_bytes()))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
