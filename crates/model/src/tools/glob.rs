//! Glob: files by a pattern, the newest first. And the walk that Grep shares.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use globset::{GlobBuilder, GlobMatcher};

use super::CallLimit;
use super::input::Glob;
use super::view::PathView;
use memdir_core::limits;

/// Directories that hold what others made, by the thousand.
const SKIPPED: [&str; 4] = ["node_modules", "target", "__pycache__", "venv"];

pub(super) fn glob(view: &PathView<'_>, ask: &Glob, patience: &CallLimit) -> Result<String, String> {
    let (base, pattern) = split(view, ask);
    let matcher = matcher(&pattern)?;
    let mut found: Vec<(SystemTime, PathBuf)> = Vec::new();
    let walked = walk(view, &base, patience, &mut |shown, actual| {
        if matcher.is_match(shown.strip_prefix(&base).unwrap_or(shown)) {
            let changed = actual.metadata().and_then(|facts| facts.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
            found.push((changed, shown.to_path_buf()));
        }
        true
    })?;
    found.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let all = found.len();
    let mut out: String =
        found.iter().take(limits::TOOL_FILES).map(|(_, path)| format!("{}\n", path.display())).collect();
    if all == 0 {
        out.push_str("no file matches\n");
    }
    if all > limits::TOOL_FILES {
        out.push_str(&format!("[{} of {all} files are shown]\n", limits::TOOL_FILES));
    }
    Ok(out + walked.note())
}

/// The directory that a pattern starts in, and the pattern below it.
fn split(view: &PathView<'_>, ask: &Glob) -> (PathBuf, String) {
    let base = view.absolute(ask.path.as_deref().unwrap_or("."));
    let pattern = ask.pattern.as_str();
    if !pattern.starts_with('/') && !pattern.starts_with("~/") {
        return (base, pattern.trim_start_matches("./").to_owned());
    }
    // Up to the first component with a sign in it.
    let fixed = pattern.split('/').take_while(|part| !part.contains(['*', '?', '[', '{'])).count();
    let parts: Vec<&str> = pattern.split('/').collect();
    let fixed = fixed.min(parts.len() - 1);
    let head = parts[..fixed].join("/");
    (view.absolute(if head.is_empty() { "/" } else { &head }), parts[fixed..].join("/"))
}

/// Reads a pattern whose `*` does not cross directories.
pub(super) fn matcher(pattern: &str) -> Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| format!("this is not a pattern: {error}"))
}

/// How far a walk got.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Walked {
    All,
    TooMany,
    Stopped,
}

impl Walked {
    pub(super) fn note(self) -> &'static str {
        match self {
            Walked::All => "",
            Walked::TooMany => "[there are too many files to look at all of them; name a directory further down]\n",
            Walked::Stopped => "[time was up before all files were looked at]\n",
        }
    }
}

/// Hands every file below a path to `meet`, as it is shown and as it is opened, until that says no. Follows
/// no link to a directory and enters no hidden one, nor the copy by its own path.
pub(super) fn walk(
    view: &PathView<'_>,
    base: &Path,
    patience: &CallLimit,
    meet: &mut dyn FnMut(&Path, &Path) -> bool,
) -> Result<Walked, String> {
    let actual = view.actual(base);
    if actual.is_file() {
        meet(base, &actual);
        return Ok(Walked::All);
    }
    if !actual.is_dir() {
        return Err(format!("{} does not exist", base.display()));
    }
    let mut met = 0_usize;
    let mut left = vec![base.to_path_buf()];
    while let Some(dir) = left.pop() {
        let Ok(entries) = std::fs::read_dir(view.actual(&dir)) else { continue };
        let mut entries: Vec<_> = entries.flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        let mut below = Vec::new();
        for entry in entries {
            met += 1;
            if met > limits::TOOL_WALK_ENTRIES {
                return Ok(Walked::TooMany);
            }
            if patience.is_over() {
                return Ok(Walked::Stopped);
            }
            let name = entry.file_name();
            let (shown, text) = (dir.join(&name), name.to_string_lossy());
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                let entered = !text.starts_with('.') && !SKIPPED.contains(&&*text) && shown != view.copy();
                below.extend((entered && !view.is_barred(&shown)).then_some(shown));
            } else if kind.is_file() && !meet(&shown, &view.actual(&shown)) {
                return Ok(Walked::All);
            }
        }
        left.extend(below.into_iter().rev());
    }
    Ok(Walked::All)
}
