//! Memories that other programs kept, read as things to remember.
//!
//! Enters: which program, and where its files are. Leaves: one [`ImportedMemory`] a memory, with where it comes
//! from and when it was written. Never writes, never trusts: files that are too large, unreadable or
//! empty are stepped over. What becomes of it is decided by
//! [`Files::import`](crate::engine::Files::import).
//!
//! - `markdown`: folders of Markdown files: Claude Code, Qwen Code, Gemini CLI, Cline. Those of a memory directory, and
//!   those with frontmatter, come in as they are; a plain note becomes a memory.
//! - `lists`: files with many memories in them: Codex, Gemini CLI, goose.
//! - `json`: mem0's export, and memdir's own.

mod json;
mod lists;
mod markdown;

use std::path::{Path, PathBuf};

use jiff::civil::Date;

use memdir_core::kind::{Scope, Type};
use memdir_store::place::slug;

/// A memory that somebody else kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportedMemory {
    /// Whose it is; by type when it is not said.
    pub scope: Option<Scope>,
    /// Its type, if it says one.
    pub kind: Option<Type>,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What it is about, if it says so.
    pub description: Option<String>,
    /// The text.
    pub body: String,
    /// The file it was in.
    pub origin: String,
    /// The day it was said, if that was written down with it; relative dates mean that day. When a file was last
    /// copied says nothing about it.
    pub day: Option<Date>,
    /// The file itself, where it is one of a memory directory and comes in as it is.
    pub kept: Option<VerbatimFile>,
}

/// A file that comes in byte for byte.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerbatimFile {
    /// Relative to its folder, with slashes.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

impl ImportedMemory {
    /// Whether it is the index of a folder and no memory.
    pub fn is_index(&self) -> bool {
        let name = |kept: &VerbatimFile| kept.path.rsplit('/').next().is_some_and(markdown::is_index);
        self.kept.as_ref().is_some_and(name)
    }
}

/// Why nothing could be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// There is no such program or file.
    #[error("{0} is neither a file, a folder nor a program memdir can import from; it knows {known}", known = SOURCES.join(", "))]
    Unknown(String),
    /// The file cannot be understood.
    #[error("{} holds no memories in a shape memdir knows: mem0's export, memdir's export, or a list of texts", .0.display())]
    NoMemories(PathBuf),
    /// The system said no.
    #[error("could not read {}: {reason}", path.display())]
    Unread {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: String,
    },
}

/// The programs whose memories are found by name.
pub const SOURCES: &[&str] = &["claude-code", "codex", "gemini", "qwen", "goose", "cline", "mem0"];

/// Where to look.
pub struct ImportPaths<'w> {
    /// The user's home.
    pub home: &'w Path,
    /// The platform's configuration directory.
    pub config: &'w Path,
    /// `$CLAUDE_CONFIG_DIR`, else `~/.claude`.
    pub claude: &'w Path,
    /// The project's root.
    pub root: &'w Path,
    /// Where the command was given; paths are relative to it.
    pub cwd: &'w Path,
}

/// Reads everything from a source: a program's name, a folder, or a file of JSON. `path` names the file or
/// folder of a program where it is not in its usual place.
pub fn read(source: &str, path: Option<&Path>, at: &ImportPaths<'_>) -> Result<Vec<ImportedMemory>, ImportError> {
    let given = path.map(|path| at.cwd.join(path));
    if let Some(given) = given.as_ref().filter(|given| !given.exists()) {
        return Err(ImportError::Unread { path: given.clone(), reason: "it does not exist".into() });
    }
    let place = |usual: PathBuf| given.clone().unwrap_or(usual);
    match source {
        "claude-code" => {
            Ok(markdown::folder(&place(at.claude.join("projects").join(slug(at.root)).join("memory")), None))
        }
        "qwen" => {
            let mut all =
                markdown::folder(&place(at.home.join(".qwen/projects").join(slug(at.root)).join("memory")), None);
            if given.is_none() {
                all.extend(markdown::folder(&at.home.join(".qwen/memories"), Some(Scope::User)));
            }
            Ok(all)
        }
        "cline" => Ok(markdown::folder(&place(at.root.join("memory-bank")), None)),
        "gemini" => {
            let name = lists::gemini_folder(&at.home.join(".gemini/projects.json"), at.root);
            let folder = name.map(|name| at.home.join(".gemini/tmp").join(name).join("memory"));
            let mut all = given.clone().or(folder).map_or_else(Vec::new, |folder| markdown::folder(&folder, None));
            if given.is_none() {
                all.extend(lists::gemini(&at.home.join(".gemini/GEMINI.md")));
            }
            Ok(all)
        }
        "codex" => Ok(lists::codex(&place(at.home.join(".codex/memories/MEMORY.md")))),
        "goose" => {
            let mut all = lists::goose(&place(at.config.join("goose/memory")), Some(Scope::User));
            if given.is_none() {
                all.extend(lists::goose(&at.root.join(".goose/memory"), None));
            }
            Ok(all)
        }
        "mem0" => match given {
            Some(file) => json::file(&file),
            None => Err(ImportError::Unread { path: "mem0".into(), reason: "name the file that it exported".into() }),
        },
        other => {
            let path = at.cwd.join(other);
            if path.is_dir() {
                Ok(markdown::folder(&path, None))
            } else if path.is_file() {
                json::file(&path)
            } else {
                Err(ImportError::Unknown(other.to_owned()))
            }
        }
    }
}

/// A file of a foreign memory, if it can be read.
fn bytes(path: &Path) -> Option<Vec<u8>> {
    memdir_core::read::small(path, memdir_core::limits::TOPIC_BYTES).ok().flatten()
}

/// Its text.
fn text(path: &Path) -> Option<String> {
    Some(String::from_utf8_lossy(&bytes(path)?).into_owned())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests set up their own files")]
mod tests;
