//! Anthropic's memory tool (`memory_20250818`) over the private directory.
//!
//! Enters: the input of a tool call, whose paths begin with `/memories`. Leaves: the result text
//! that the tool's documentation describes, or its error text. Every change is a
//! transaction, so that it is in the history and can be undone, secrets are refused, and what the user
//! pinned stays as it is. The index follows by itself and is only looked at through the tool.
//!
//! Files that are not Markdown work like any other here; recall does not see them.

mod text;

#[cfg(test)]
mod tests;

use serde::Deserialize;
use serde_json::Value;

use super::pointer::ChangedBy;
use super::{Error, Files, Memory, MemoryRef};
use memdir_core::kind::Scope;
use memdir_core::limits::{MEMORY_TOOL_LINES, MEMORY_TOOL_RESULT_BYTES};
use memdir_guard::confine::RelPath;
use memdir_model::tools::ToolError;
use memdir_store::topic::Topic;
use memdir_store::walk::{WalkedFile, plain_files};
use memdir_store::{ChangeError, Edit, Intent, Store};

/// What every path begins with.
const TOP: &str = "/memories";

/// The input of a call.
#[derive(Debug, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
enum ToolInput {
    View {
        path: String,
        view_range: Option<(i64, i64)>,
    },
    Create {
        path: String,
        file_text: String,
    },
    StrReplace {
        path: String,
        old_str: String,
        #[serde(default)]
        new_str: String,
    },
    Insert {
        path: String,
        insert_line: i64,
        #[serde(alias = "new_str")]
        insert_text: String,
    },
    Delete {
        path: String,
    },
    Rename {
        old_path: String,
        new_path: String,
    },
}

/// A place below `/memories`; the root itself has no file.
struct ToolPath {
    shown: String,
    file: Option<RelPath>,
}

impl ToolPath {
    fn parse(path: &str) -> Result<ToolPath, String> {
        let refused = |why: &str| format!("Error: The path {path} is not allowed: {why}");
        let rest = path.strip_prefix(TOP).filter(|rest| rest.is_empty() || rest.starts_with('/'));
        let rest = rest.ok_or_else(|| refused("every path begins with /memories"))?;
        let lower = rest.to_ascii_lowercase();
        if ["%2e", "%2f", "%5c"].iter().any(|code| lower.contains(code)) {
            return Err(refused("write it without % codes"));
        }
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        let rest = rest.strip_suffix('/').unwrap_or(rest);
        if rest.is_empty() {
            return Ok(ToolPath { shown: TOP.to_owned(), file: None });
        }
        let file = RelPath::parse(rest).map_err(|refusal| refused(&refusal.to_string()))?;
        if file.is_hidden() {
            return Err(refused("names that begin with a dot are not used"));
        }
        Ok(ToolPath { shown: format!("{TOP}/{rest}"), file: Some(file) })
    }

    /// The file, which the root is not.
    fn file(&self, doing: &str) -> Result<&RelPath, String> {
        self.file.as_ref().ok_or_else(|| format!("Error: Cannot {doing} the {TOP} directory itself"))
    }

    /// The files at or below it.
    fn among<'f>(&self, files: &'f [WalkedFile]) -> Vec<&'f WalkedFile> {
        let Some(own) = &self.file else { return files.iter().collect() };
        let below = format!("{own}/");
        files.iter().filter(|found| found.path == own.as_str() || found.path.starts_with(&below)).collect()
    }
}

impl Files<'_> {
    /// Answers one call of the memory tool: the result, or the error as the model reads it.
    pub fn memory_tool(&self, input: &Value) -> Result<String, ToolError> {
        Ok(self.memory.answer_tool(input)?)
    }
}

impl Memory {
    fn answer_tool(&self, input: &Value) -> Result<String, String> {
        let call = ToolInput::deserialize(input).map_err(|error| format!("Error: The input does not fit: {error}"))?;
        self.require_on().map_err(|error| said(&error))?;
        self.history().notice().map_err(|error| said(&error))?;
        match call {
            ToolInput::View { path, view_range } => self.tool_view(&ToolPath::parse(&path)?, view_range),
            ToolInput::Create { path, file_text } => self.tool_create(&ToolPath::parse(&path)?, &file_text),
            ToolInput::StrReplace { path, old_str, new_str } => {
                self.tool_replace(&ToolPath::parse(&path)?, &old_str, &new_str)
            }
            ToolInput::Insert { path, insert_line, insert_text } => {
                self.tool_insert(&ToolPath::parse(&path)?, insert_line, &insert_text)
            }
            ToolInput::Delete { path } => self.tool_delete(&ToolPath::parse(&path)?),
            ToolInput::Rename { old_path, new_path } => {
                self.tool_rename(&ToolPath::parse(&old_path)?, &ToolPath::parse(&new_path)?)
            }
        }
    }

    fn tool_view(&self, target: &ToolPath, range: Option<(i64, i64)>) -> Result<String, String> {
        let missing = || format!("The path {} does not exist. Please provide a valid path.", target.shown);
        let store = self.private_store().map_err(|error| said(&error))?;
        let files = listed(store)?;
        let found = target.among(&files);
        let file = match (&target.file, found.as_slice()) {
            (Some(file), [one]) if one.path == file.as_str() => file,
            (Some(_), []) => return Err(missing()),
            _ => return Ok(text::directory(&target.shown, target.file.as_ref(), &found)),
        };
        let store = store.ok_or_else(missing)?;
        let bytes = store.root().read(file).map_err(|error| said(&error.into()))?.ok_or_else(missing)?;
        if !file.is_index() {
            self.files().note_use(&self.memory_ref(store, file));
        }
        let content = String::from_utf8_lossy(&bytes);
        if content.lines().count() > MEMORY_TOOL_LINES {
            return Err(format!("File {} exceeds maximum line limit of 999,999 lines.", target.shown));
        }
        let mut shown = text::numbered(&content, range)?;
        if shown.len() > MEMORY_TOOL_RESULT_BYTES {
            let end = shown.floor_char_boundary(MEMORY_TOOL_RESULT_BYTES);
            let end = shown[..end].rfind('\n').unwrap_or(end);
            shown.truncate(end);
            shown.push_str("\n(cut here; use view_range to see more)");
        }
        Ok(format!("Here's the content of {} with line numbers:\n{shown}", target.shown))
    }

    fn tool_create(&self, target: &ToolPath, content: &str) -> Result<String, String> {
        let file = target.file("create")?;
        let exists = format!("Error: File {} already exists", target.shown);
        let store = self.writable(Scope::Private).map_err(|error| said(&error))?;
        if !target.among(&listed(Some(store))?).is_empty() {
            return Err(exists);
        }
        self.tool_change(store, "memory tool: create", |edit| {
            if edit.read(file)?.is_some() {
                return Err(ChangeError::Refused(exists.clone()));
            }
            self.tool_write(edit, store, file, content.as_bytes().to_vec())
        })?;
        Ok(format!("File created successfully at: {}", target.shown))
    }

    fn tool_replace(&self, target: &ToolPath, old: &str, new: &str) -> Result<String, String> {
        let missing = format!("Error: The path {} does not exist. Please provide a valid path.", target.shown);
        let edited = self.tool_edit(target, "memory tool: str_replace", &missing, |content| {
            text::replaced(content, old, new, &target.shown)
        })?;
        let snippet = text::around(&edited, new);
        Ok(format!("The memory file has been edited. Here is the part that changed, with line numbers:\n{snippet}"))
    }

    fn tool_insert(&self, target: &ToolPath, line: i64, added: &str) -> Result<String, String> {
        let missing = format!("Error: The path {} does not exist", target.shown);
        self.tool_edit(target, "memory tool: insert", &missing, |content| text::inserted(content, line, added))?;
        Ok(format!("The file {} has been edited.", target.shown))
    }

    fn tool_delete(&self, target: &ToolPath) -> Result<String, String> {
        target.file("delete")?;
        let missing = || format!("Error: The path {} does not exist", target.shown);
        let store = self.private_store().map_err(|error| said(&error))?.ok_or_else(missing)?;
        let files = paths(&target.among(&listed(Some(store))?))?;
        if files.is_empty() {
            return Err(missing());
        }
        let store = self.writable(Scope::Private).map_err(|error| said(&error))?;
        self.tool_change(store, "memory tool: delete", |edit| {
            files.iter().try_for_each(|file| self.tool_remove(edit, store, file).map(drop))
        })?;
        Ok(format!("Successfully deleted {}", target.shown))
    }

    fn tool_rename(&self, from: &ToolPath, to: &ToolPath) -> Result<String, String> {
        let (old, new) = (from.file("rename")?, to.file("rename to")?);
        let missing = || format!("Error: The path {} does not exist", from.shown);
        let exists = format!("Error: The destination {} already exists", to.shown);
        let store = self.private_store().map_err(|error| said(&error))?.ok_or_else(missing)?;
        let all = listed(Some(store))?;
        let files = paths(&from.among(&all))?;
        if files.is_empty() {
            return Err(missing());
        }
        if !to.among(&all).is_empty() {
            return Err(exists);
        }
        if new.as_str().starts_with(&format!("{old}/")) {
            return Err(format!("Error: {} cannot be moved into itself", from.shown));
        }
        let store = self.writable(Scope::Private).map_err(|error| said(&error))?;
        self.tool_change(store, "memory tool: rename", |edit| {
            for file in &files {
                let moved = format!("{new}{}", &file.as_str()[old.as_str().len()..]);
                let moved = RelPath::parse(&moved)?;
                if edit.read(&moved)?.is_some() {
                    return Err(ChangeError::Refused(exists.clone()));
                }
                let (old, new) = (self.memory_ref(store, file), self.memory_ref(store, &moved));
                let (index, line) = (new.index()?, edit.line_to(&old.index()?, old.target())?);
                match line.filter(|_| moved.is_markdown()) {
                    Some(_) if old.index()? == index => edit.rename(&index, old.target(), new.target())?,
                    Some(line) => edit.carry(&index, new.target(), &line)?,
                    None => {}
                }
                let content = self.tool_remove(edit, store, file)?;
                self.tool_write(edit, store, &moved, content)?;
            }
            Ok(())
        })?;
        Ok(format!("Successfully renamed {} to {}", from.shown, to.shown))
    }

    /// Changes the text of one file; gives what it became.
    fn tool_edit(
        &self,
        target: &ToolPath,
        reason: &str,
        missing: &str,
        change: impl Fn(&str) -> Result<String, String>,
    ) -> Result<String, String> {
        let file = target.file("edit")?;
        let store = self.private_store().map_err(|error| said(&error))?.ok_or(missing)?;
        // A directory of that name is as little a file as nothing is.
        if store.root().facts(file).map_err(|error| said(&error.into()))?.is_none() {
            return Err(missing.to_owned());
        }
        let store = self.writable(Scope::Private).map_err(|error| said(&error))?;
        self.tool_change(store, reason, |edit| {
            let gone = || ChangeError::Refused(missing.to_owned());
            let content = String::from_utf8(edit.read(file)?.ok_or_else(gone)?)
                .map_err(|_| ChangeError::Refused(format!("Error: {} is not valid UTF-8", target.shown)))?;
            let edited = change(&content).map_err(ChangeError::Refused)?;
            self.tool_write(edit, store, file, edited.clone().into_bytes())?;
            Ok(edited)
        })
    }

    fn tool_change<T>(
        &self,
        store: &Store,
        reason: &str,
        work: impl FnMut(&mut Edit<'_>) -> Result<T, ChangeError>,
    ) -> Result<T, String> {
        let done = store.change(&self.author(), &Intent::new(reason), work);
        done.map(|(value, _)| value).map_err(|error| said(&error.into()))
    }

    /// Writes a file and, where it is a memory, its pointer.
    fn tool_write(
        &self,
        edit: &mut Edit<'_>,
        store: &Store,
        file: &RelPath,
        content: Vec<u8>,
    ) -> Result<(), ChangeError> {
        may_change(edit, file)?;
        let before = edit.read(file)?;
        let topic = Topic::parse(content.clone());
        edit.write(file, content)?;
        let memory_ref = self.memory_ref(store, file);
        match before {
            _ if !file.is_markdown() || !self.settings.index_required => Ok(()),
            Some(before) => self.follow(edit, &memory_ref, &Topic::parse(before), &topic, &ChangedBy::Program(&[])),
            None => {
                let (title, hook) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
                edit.point(&memory_ref.index()?, memory_ref.target(), &title, &hook)
            }
        }
    }

    /// Removes a file and its pointer; gives what it said.
    fn tool_remove(&self, edit: &mut Edit<'_>, store: &Store, file: &RelPath) -> Result<Vec<u8>, ChangeError> {
        may_change(edit, file)?;
        let content = edit.read(file)?.unwrap_or_default();
        edit.remove(file)?;
        let memory_ref = self.memory_ref(store, file);
        edit.unpoint(&memory_ref.index()?, memory_ref.target())?;
        Ok(content)
    }

    fn memory_ref<'m>(&self, store: &'m Store, file: &RelPath) -> MemoryRef<'m> {
        let scope = if file.in_team() { Scope::Team } else { Scope::Private };
        MemoryRef { scope, store, file: file.clone() }
    }
}

/// What the user pinned, and the index, are not for the tool to change.
fn may_change(edit: &mut Edit<'_>, file: &RelPath) -> Result<(), ChangeError> {
    if file.is_index() {
        return Err(ChangeError::Refused(format!("Error: {TOP}/{file} is the index, which is kept automatically")));
    }
    let pinned = file.is_markdown() && edit.read(file)?.is_some_and(|bytes| Topic::parse(bytes).pinned());
    if pinned {
        return Err(ChangeError::Refused(format!("Error: {TOP}/{file} is pinned: only the user changes it")));
    }
    Ok(())
}

fn listed(store: Option<&Store>) -> Result<Vec<WalkedFile>, String> {
    let files = store.map(|store| plain_files(store.root())).transpose().map_err(|error| said(&error.into()))?;
    Ok(files.unwrap_or_default())
}

fn paths(files: &[&WalkedFile]) -> Result<Vec<RelPath>, String> {
    files.iter().map(|found| RelPath::parse(&found.path)).collect::<Result<_, _>>().map_err(|error| said(&error.into()))
}

/// An error in the tool's manner.
fn said(error: &Error) -> String {
    let text = error.to_string();
    if text.starts_with("Error:") || text.starts_with("No replacement") { text } else { format!("Error: {text}") }
}
