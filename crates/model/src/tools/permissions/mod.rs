//! Whether a call may be (X6): the tool list stays what it is, the permission is decided here.
//!
//! Enters: the name of a tool and its input. Leaves: what was asked, checked, or the reason why
//! not. Reading is free, but for the system's own view of processes; commands must only read; writing is confined to the memory directory, or
//! to one file of it (S3); everything else, tools nobody knows included, is denied.
//!
//! The same check answers a host's own hook when a host's program is the driver. It looks at
//! paths, and at the file system only to see through links on the way to the directory.

mod paths;
mod writing;

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

pub(super) use self::paths::barred;
use super::expansion;
use super::input::{EditInput, Glob, Grep, Input, Read};
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_guard::secrets;
use memdir_guard::shell::{self, ArgRole, Plan, ShellVerdict};

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
}

impl From<String> for RefusedCall {
    fn from(reason: String) -> RefusedCall {
        RefusedCall::Input(reason)
    }
}

pub(in crate::tools) fn denied(tool: &str, what: &str, reason: String) -> RefusedCall {
    let (what, _) = secrets::redact(what);
    let short = |text: &str| text.chars().take(SHOWN_CHARS).collect::<String>();
    RefusedCall::Denied(DeniedCall { tool: short(tool), what: short(&what), reason })
}
