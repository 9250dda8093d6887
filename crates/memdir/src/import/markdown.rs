//! A folder of Markdown files, one memory each; indexes and read-me files are none.

use std::path::Path;

use super::Found;
use crate::kind::Scope;
use crate::limits::{SCAN_DEPTH, TOOL_WALK_ENTRIES};
use crate::store::topic::Topic;

pub(super) fn folder(dir: &Path, scope: Option<Scope>) -> Vec<Found> {
    let mut found = Vec::new();
    let mut left = vec![(dir.to_path_buf(), 0)];
    let mut looked_at = 0;
    while let Some((dir, depth)) = left.pop() {
        let Ok(entries) = std::fs::read_dir(&dir) else { continue };
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            looked_at += 1;
            // Links lead elsewhere; a whole disk is no memory.
            if path.is_symlink() || looked_at > TOOL_WALK_ENTRIES {
                continue;
            }
            if path.is_dir() && depth < SCAN_DEPTH && !name(&path).starts_with('.') {
                left.push((path, depth + 1));
            } else if path.is_file() && name(&path).ends_with(".md") && !is_index(&path) {
                found.extend(file(&path, scope));
            }
        }
    }
    found.sort_by(|a, b| a.origin.cmp(&b.origin));
    found
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn is_index(path: &Path) -> bool {
    matches!(name(path).to_lowercase().as_str(), "memory.md" | "readme.md")
}

fn file(path: &Path, scope: Option<Scope>) -> Option<Found> {
    let (text, day) = super::text(path)?;
    let topic = Topic::parse(text.into_bytes());
    let body = topic.body().trim().to_owned();
    let (heading, rest) = match body.strip_prefix("# ").and_then(|rest| rest.split_once('\n')) {
        Some((heading, rest)) if topic.name().is_none() => (Some(heading.trim().to_owned()), rest.trim().to_owned()),
        _ => (None, body),
    };
    let stem = || path.file_stem().map(|stem| stem.to_string_lossy().replace(['_', '-'], " "));
    (!rest.is_empty()).then(|| Found {
        scope,
        kind: topic.kind(),
        name: topic.name().map(std::borrow::Cow::into_owned).or(heading).or_else(stem),
        description: topic.description().map(std::borrow::Cow::into_owned),
        body: rest,
        origin: path.display().to_string(),
        day,
    })
}
