//! Whether a call may be (X6): the tool list stays what it is, the permission is decided here.
//!
//! Enters: the name of a tool and its input. Leaves: what was asked, checked, or the reason why
//! not. Reading is free, but for the system's own view of processes; commands must only read; writing is confined to the memory directory, or
//! to one file of it (S3); everything else, tools nobody knows included, is denied.
//!
//! The same check answers a host's own hook when a host's program is the driver. It looks at
//! paths, and at the file system only to see through links on the way to the directory.

use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::ask::{EditInput, Glob, Grep, Input, Read};
use super::expansion;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_guard::secrets;
use memdir_guard::shell::{self, ArgRole, Plan, ShellVerdict};

/// Where the system shows processes and devices: the environment of a process holds its keys.
const BARRED: [&str; 3] = ["/proc", "/sys", "/dev"];

/// What is in the name of an input of a command that is the directory to run it in, however an agent spells it.
const PLACES: [&str; 6] = ["dir", "cwd", "path", "root", "folder", "location"];

/// Why nothing is searched from there.
const EVERYTHING: &str = "the root directory holds too much; name a directory below it";

/// Characters of what was asked that a record of a denial keeps.
const SHOWN_CHARS: usize = 200;

/// What one run may do, and where.
#[derive(Clone, Debug)]
pub struct Permissions {
    /// What it may write.
    pub writes: Writes,
    /// The memory directory, as it is named to the model first, then in other spellings.
    pub roots: Vec<PathBuf>,
    /// The working directory.
    pub cwd: PathBuf,
    /// The home directory.
    pub home: Option<PathBuf>,
}

/// What a run may write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Writes {
    /// Nothing.
    Nothing,
    /// Memories: Markdown files below the directory.
    Memories,
    /// One file, which it may only edit (S3).
    OnlyEdit(RelPath),
}

/// A call that may be.
#[derive(Clone, Debug, PartialEq)]
pub enum AllowedCall {
    /// Show a file.
    Read(Read),
    /// Search in files.
    Grep(Grep),
    /// Find files.
    Glob(Glob),
    /// Replace text in a memory.
    Edit(RelPath, EditInput),
    /// Write a memory.
    Write(RelPath, String),
    /// Run a command that only reads.
    Bash(Plan),
}

/// A call that may not be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusedCall {
    /// It makes no sense; the model can try again.
    Input(String),
    /// It is not allowed.
    Denied(DeniedCall),
}

/// What was not allowed, for the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DeniedCall {
    /// The tool.
    pub tool: String,
    /// What it was to do: a path, a command; shortened, secrets cut out.
    pub what: String,
    /// Why not.
    pub reason: String,
}

impl Permissions {
    /// Decides about one call.
    pub fn judge(&self, tool: &str, value: &Value) -> Result<AllowedCall, RefusedCall> {
        let input = Input { tool, value };
        let granted = match tool {
            "Read" => AllowedCall::Read(Read {
                path: self.readable(tool, input.text("file_path")?)?,
                offset: input.number("offset")?.unwrap_or(1).max(1),
                limit: input.number("limit")?,
            }),
            "Grep" => AllowedCall::Grep(Grep {
                pattern: input.text("pattern")?,
                path: input.optional("path")?.map(|path| self.searchable(tool, path)).transpose()?,
                glob: input.optional("glob")?,
                show: input.show()?,
                any_case: input.flag("-i")?,
                most: input.number("head_limit")?,
            }),
            "Glob" => AllowedCall::Glob(Glob {
                pattern: self.pattern_of_files(tool, input.text("pattern")?)?,
                path: input.optional("path")?.map(|path| self.searchable(tool, path)).transpose()?,
            }),
            "Bash" => {
                let command = input.text("command")?;
                let plan = match shell::judge(&command) {
                    ShellVerdict::Allow(plan) => plan,
                    ShellVerdict::Deny { reason } => return Err(denied(tool, &command, reason)),
                };
                self.in_working_directory(value).map_err(|reason| denied(tool, &command, reason))?;
                self.only_readable(&plan).map_err(|reason| denied(tool, &command, reason))?;
                AllowedCall::Bash(plan)
            }
            "Edit" => {
                let file = self.writable(tool, &input.text("file_path")?)?;
                AllowedCall::Edit(file, EditInput::read(value).map_err(String::from)?)
            }
            "Write" => {
                let file = self.writable(tool, &input.text("file_path")?)?;
                let content = input.text("content")?;
                if content.len() > limits::TOPIC_BYTES {
                    let reason = format!("{} bytes are more than a memory may have", content.len());
                    return Err(denied(tool, file.as_str(), reason));
                }
                AllowedCall::Write(file, content)
            }
            _ => {
                let reason = "only Read, Grep, Glob, Edit, Write and Bash may be used here".to_owned();
                return Err(denied(tool, &value.to_string(), reason));
            }
        };
        Ok(granted)
    }

    /// Whether a path as a model typed it is in the memory directory, or tries to be.
    pub fn is_in_memory(&self, typed: &str) -> bool {
        self.inside(&self.absolute(typed)).is_some()
    }

    /// A path as a model typed it, made absolute.
    pub fn full_path(&self, typed: &str) -> PathBuf {
        self.absolute(typed)
    }

    /// A path as it was typed, if it may be read.
    fn readable(&self, tool: &str, typed: String) -> Result<String, RefusedCall> {
        if self.is_barred(&self.absolute(&typed)) || self.is_barred(&self.as_typed(&typed)) {
            return Err(denied(tool, &typed, barred()));
        }
        Ok(typed)
    }

    /// A directory as it was typed, if all below it may be searched.
    fn searchable(&self, tool: &str, typed: String) -> Result<String, RefusedCall> {
        let typed = self.readable(tool, typed)?;
        if self.is_everything(&typed) {
            return Err(denied(tool, &typed, EVERYTHING.to_owned()));
        }
        Ok(typed)
    }

    /// A pattern of files as it was typed, if all below the directory that it begins in may be searched.
    fn pattern_of_files(&self, tool: &str, typed: String) -> Result<String, RefusedCall> {
        let fixed = typed.split_inclusive('/').take_while(|part| !part.contains(['*', '?', '[', '{']));
        let begins: String = fixed.collect();
        if !begins.is_empty() && begins.len() < typed.len() {
            self.searchable(tool, begins)?;
        }
        if ["{/", ",/", "{~", ",~"].iter().any(|another| typed.contains(another)) {
            return Err(denied(tool, &typed, "a pattern begins in one directory; name it".to_owned()));
        }
        self.readable(tool, typed)
    }

    fn is_everything(&self, typed: &str) -> bool {
        let root = Path::new("/");
        self.absolute(typed) == root
            || memdir_store::fs::canonical(&self.as_typed(typed)).is_ok_and(|real| real == root)
    }

    /// Whether a path is, or leads to, what even reading is not free for. What is not there yet is where its directory is.
    pub(super) fn is_barred(&self, path: &Path) -> bool {
        let null = Path::new("/dev/null");
        let below = |path: &Path| BARRED.iter().any(|barred| path.starts_with(barred)) && path != null;
        let real = path.ancestors().find_map(|above| memdir_store::fs::canonical(above).ok());
        below(path) || real.is_some_and(|real| below(&real))
    }

    /// The memory file that a path names, if it may be written.
    fn writable(&self, tool: &str, typed: &str) -> Result<RelPath, RefusedCall> {
        let deny = |reason: String| Err(denied(tool, typed, reason));
        let place = match &self.writes {
            Writes::Nothing => return deny("nothing may be written here".to_owned()),
            Writes::Memories => "files in the memory directory",
            Writes::OnlyEdit(_) => "the one file of these notes",
        };
        if Path::new(typed).components().any(|part| part == Component::ParentDir) {
            return deny("a path to write may not go up with ..".to_owned());
        }
        let path = self.absolute(typed);
        let Some(inside) = self.inside(&path) else {
            return deny(format!("only {place} may be written, which is in {}", self.shown_root()));
        };
        let file = match inside.to_str().map(RelPath::parse) {
            Some(Ok(file)) => file,
            Some(Err(refusal)) => return deny(refusal.to_string()),
            None => return deny("the path is not valid UTF-8".to_owned()),
        };
        if self.leads_through_link(&file) {
            return deny("a link is on the way to it, and nothing is written through links".to_owned());
        }
        match &self.writes {
            Writes::OnlyEdit(only) if *only != file || tool != "Edit" => {
                deny(format!("only {} may be changed here, and only by Edit", only.as_str()))
            }
            Writes::Memories if !file.is_markdown() || file.is_hidden() => {
                deny("a memory is a file whose name ends in .md and does not begin with a dot".to_owned())
            }
            Writes::Memories if file.components().count() > limits::SCAN_DEPTH => {
                deny("the path is nested too deeply".to_owned())
            }
            _ => Ok(file),
        }
    }

    /// A command runs where the run does: another place would make other files of the same names.
    fn in_working_directory(&self, input: &Value) -> Result<(), String> {
        let is_place = |key: &str| {
            let key = key.to_ascii_lowercase();
            PLACES.iter().any(|place| key.contains(place))
        };
        let elsewhere = input
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(key, _)| is_place(key))
            .filter_map(|(_, place)| place.as_str())
            .any(|place| !place.is_empty() && self.absolute(place) != self.below(Path::new(".")));
        if elsewhere {
            return Err(
                "a command runs in the working directory; name the paths instead of another directory".to_owned()
            );
        }
        if self.cwd == Path::new("/") || self.is_barred(&self.cwd) {
            return Err(
                "commands do not run in the root directory, nor where processes and devices are shown".to_owned()
            );
        }
        Ok(())
    }

    /// Whether all that a command opens may be read: the files that its words name, and those that its patterns stand for.
    fn only_readable(&self, plan: &Plan) -> Result<(), String> {
        let calls = plan.steps.iter().flat_map(|step| &step.pipeline);
        for arg in calls.flat_map(|call| &call.args).filter(|arg| arg.role == ArgRole::Path) {
            let (typed, pattern) = expansion::filled_in(&arg.word, &self.cwd, self.home.as_deref())?;
            let matched = pattern.map(|pattern| expansion::expand(&pattern, &|base| self.below(Path::new(base))));
            for path in matched.iter().flatten().chain([&typed]) {
                if self.is_barred(&self.below(Path::new(path))) || self.is_barred(&self.cwd.join(path)) {
                    return Err(barred());
                }
                if self.is_everything(path) {
                    return Err(EVERYTHING.to_owned());
                }
            }
        }
        Ok(())
    }

    /// Whether a link stands on the way to a file of the memory directory, or the file has other names elsewhere.
    fn leads_through_link(&self, file: &RelPath) -> bool {
        self.roots.iter().any(|root| {
            let whole = root.join(file.as_str());
            let mut way = whole.ancestors().take_while(|path| path.starts_with(root) && *path != root);
            way.any(|path| path.symlink_metadata().is_ok_and(|facts| facts.is_symlink() || has_other_names(&facts)))
        })
    }

    fn shown_root(&self) -> String {
        self.roots.first().map(|root| root.display().to_string()).unwrap_or_default()
    }

    /// A path as a model typed it, made absolute.
    pub(super) fn absolute(&self, typed: &str) -> PathBuf {
        match (typed.strip_prefix('~'), &self.home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                self.below(&home.join(rest.trim_start_matches('/')))
            }
            _ => self.below(Path::new(typed)),
        }
    }

    /// The same as the system reads it: behind a link, `..` goes up from where the link leads.
    fn as_typed(&self, typed: &str) -> PathBuf {
        match (typed.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => self.cwd.join(typed),
        }
    }

    /// A path from the working directory; `.` and `..` are worked out in the text.
    pub(super) fn below(&self, path: &Path) -> PathBuf {
        let mut whole = PathBuf::new();
        for part in self.cwd.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => drop(whole.pop()),
                other => whole.push(other),
            }
        }
        whole
    }

    /// Where below the memory directory a path is, if it is there: by its text, else by the place
    /// that its directory really is.
    pub(super) fn inside(&self, path: &Path) -> Option<PathBuf> {
        let by_text = self.roots.iter().find_map(|root| path.strip_prefix(root).ok());
        if let Some(rest) = by_text {
            return Some(rest.to_path_buf());
        }
        let (real, rest) = path.ancestors().find_map(|above| {
            let rest = path.strip_prefix(above).ok()?;
            Some((memdir_store::fs::canonical(above).ok()?, rest))
        })?;
        let below = self.roots.iter().find_map(|root| real.strip_prefix(root).ok())?;
        // Joining an empty path would add a slash.
        Some(if rest.as_os_str().is_empty() { below.to_path_buf() } else { below.join(rest) })
    }
}

impl From<String> for RefusedCall {
    fn from(reason: String) -> RefusedCall {
        RefusedCall::Input(reason)
    }
}

/// Whether a file has more than one name: a write to it is a write to all of them.
fn has_other_names(facts: &Metadata) -> bool {
    #[cfg(unix)]
    return facts.is_file() && std::os::unix::fs::MetadataExt::nlink(facts) > 1;
    #[cfg(not(unix))]
    {
        let _ = facts;
        false
    }
}

/// Why such a path is not read.
pub(super) fn barred() -> String {
    format!("{} show processes and devices, and are not read", BARRED.join(", "))
}

pub(super) fn denied(tool: &str, what: &str, reason: String) -> RefusedCall {
    let (what, _) = secrets::redact(what);
    let short = |text: &str| text.chars().take(SHOWN_CHARS).collect::<String>();
    RefusedCall::Denied(DeniedCall { tool: short(tool), what: short(&what), reason })
}
