//! A folder of Markdown files, one memory each.
//!
//! With a MEMORY.md at its top it is a memory directory: every file of it comes in as it is, the index too. Elsewhere
//! read-me files are none, a file with frontmatter comes in as it is, and the heading of a plain note is its name.

use std::path::{Path, PathBuf};

use super::{ImportedMemory, VerbatimFile};
use memdir_core::kind::Scope;
use memdir_core::limits::{SCAN_DEPTH, TOOL_WALK_ENTRIES};
use memdir_store::topic::{Topic, TopicShape};

pub(super) fn folder(dir: &Path, scope: Option<Scope>) -> Vec<ImportedMemory> {
    let files = files(dir);
    let ours = files.iter().any(|path| path.parent() == Some(dir) && is_index(&name(path)));
    let wanted = |path: &&PathBuf| ours || !(is_index(&name(path)) || name(path).eq_ignore_ascii_case("README.md"));
    let mut found: Vec<ImportedMemory> =
        files.iter().filter(wanted).filter_map(|path| file(dir, path, scope, ours)).collect();
    found.sort_by(|a, b| a.origin.cmp(&b.origin));
    found
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut left = vec![(dir.to_path_buf(), 0)];
    let mut looked_at = 0;
    while let Some((dir, depth)) = left.pop() {
        let Ok(entries) = std::fs::read_dir(&dir) else { continue };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            looked_at += 1;
            // Links lead elsewhere; a whole disk is not a memory.
            if path.is_symlink() || looked_at > TOOL_WALK_ENTRIES {
                continue;
            }
            if path.is_dir() && depth < SCAN_DEPTH && !name(&path).starts_with('.') {
                left.push((path, depth + 1));
            } else if path.is_file() && name(&path).ends_with(".md") {
                files.push(path);
            }
        }
    }
    files
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether a file of that name is an index.
pub(super) fn is_index(name: &str) -> bool {
    name.eq_ignore_ascii_case("MEMORY.md")
}

fn file(dir: &Path, path: &Path, scope: Option<Scope>, ours: bool) -> Option<ImportedMemory> {
    let bytes = super::bytes(path)?;
    let topic = Topic::parse(bytes.clone());
    let body = topic.body().trim().to_owned();
    let (heading, rest) = match body.strip_prefix("# ").and_then(|rest| rest.split_once('\n')) {
        Some((heading, rest)) if topic.name().is_none() => (Some(heading.trim().to_owned()), rest.trim().to_owned()),
        _ => (None, body),
    };
    let stem = || path.file_stem().map(|stem| stem.to_string_lossy().replace(['_', '-'], " "));
    let parts = || path.strip_prefix(dir).ok()?.iter().map(|part| part.to_str()).collect::<Option<Vec<_>>>();
    let kept = (ours || topic.shape() != TopicShape::None).then(parts).flatten();
    (kept.is_some() || !rest.is_empty()).then(|| ImportedMemory {
        scope,
        kind: topic.kind(),
        name: topic.name().map(std::borrow::Cow::into_owned).or(heading).or_else(stem),
        description: topic.description().map(std::borrow::Cow::into_owned),
        body: rest,
        origin: path.display().to_string(),
        day: None,
        kept: kept.map(|parts| VerbatimFile { path: parts.join("/"), bytes }),
    })
}
