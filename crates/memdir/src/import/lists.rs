//! Files with many memories in them: Codex's task groups, Gemini's bullets, goose's entries.

use std::path::Path;

use serde_json::Value;

use super::ImportedMemory;
use memdir_core::kind::Scope;

/// The heading below which Gemini CLI adds what it was told to remember.
const ADDED: &str = "## Gemini Added Memories";
/// What starts one of Codex's memories.
const GROUP: &str = "# Task Group:";

/// Codex: a block for each group of tasks.
pub(super) fn codex(file: &Path) -> Vec<ImportedMemory> {
    let Some(text) = super::text(file) else { return Vec::new() };
    let blocks = text.split(GROUP).skip(1);
    blocks
        .filter_map(|block| {
            let (name, body) = block.trim().split_once('\n')?;
            let body = body.trim();
            (!body.is_empty()).then(|| ImportedMemory {
                name: Some(name.trim().to_owned()),
                body: body.to_owned(),
                origin: file.display().to_string(),
                ..ImportedMemory::default()
            })
        })
        .collect()
}

/// Gemini CLI: a bullet each, for every project.
pub(super) fn gemini(file: &Path) -> Vec<ImportedMemory> {
    let Some(text) = super::text(file) else { return Vec::new() };
    let section = text.split(ADDED).nth(1).unwrap_or_default();
    let lines = section.lines().skip(1).take_while(|line| !line.starts_with('#'));
    lines
        .filter_map(|line| line.trim().strip_prefix("- ").or_else(|| line.trim().strip_prefix("* ")))
        .map(|body| ImportedMemory {
            scope: Some(Scope::User),
            body: body.trim().to_owned(),
            origin: file.display().to_string(),
            ..ImportedMemory::default()
        })
        .filter(|found| !found.body.is_empty())
        .collect()
}

/// The name that Gemini CLI gives a project's folder.
pub(super) fn gemini_folder(projects: &Path, root: &Path) -> Option<String> {
    let text = super::text(projects)?;
    let known: Value = serde_json::from_str(&text).ok()?;
    let name = known.get("projects")?.get(root.to_str()?)?.as_str()?;
    // A folder's name, not a way to somewhere else.
    (!name.contains(['/', '\\']) && !name.starts_with('.')).then(|| name.to_owned())
}

/// goose: a file for each category, entries with blank lines between them, tags in a first line.
pub(super) fn goose(dir: &Path, scope: Option<Scope>) -> Vec<ImportedMemory> {
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "txt"));
    files.sort();
    let mut found = Vec::new();
    for path in files {
        let Some(text) = super::text(&path) else { continue };
        for entry in text.split("\n\n") {
            let lines = entry.trim().lines().filter(|line| !line.starts_with('#'));
            let body = lines.collect::<Vec<_>>().join("\n").trim().to_owned();
            if !body.is_empty() {
                found.push(ImportedMemory {
                    scope,
                    body,
                    origin: path.display().to_string(),
                    ..ImportedMemory::default()
                });
            }
        }
    }
    found
}
