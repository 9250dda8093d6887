//! Drift between the index and the files (I6).
//!
//! Enters: the index and the topic files that exist. Leaves: every disagreement, with its line.
//! Never judges how a line is written, except that it may be over-long.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::{Index, compose, line, lossy, rows};
use memdir_core::limits;

/// One disagreement. Lines are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drift {
    /// A pointer to a file that is not there.
    Dangling {
        /// Where it stands.
        line: usize,
        /// The file it names.
        target: String,
    },
    /// The same line once more. Two lines that say different things about one file are not disagreement.
    Doubled {
        /// Where the second one stands.
        line: usize,
        /// Where the first one stands.
        first: usize,
        /// The file both name.
        target: String,
    },
    /// A line too long to be a pointer; without a target it is the user's own.
    LongLine {
        /// Where it stands.
        line: usize,
        /// Its length in characters.
        chars: usize,
        /// The file it points to, if it is a pointer.
        target: Option<String>,
    },
    /// A file that the index does not name.
    Orphan {
        /// The file.
        target: String,
    },
}

impl Drift {
    /// A stable name for JSON.
    pub const fn id(&self) -> &'static str {
        match self {
            Drift::Dangling { .. } => "dangling-pointer",
            Drift::Doubled { .. } => "doubled-pointer",
            Drift::LongLine { .. } => "long-line",
            Drift::Orphan { .. } => "missing-pointer",
        }
    }

    /// The topic file it is about.
    pub fn target(&self) -> Option<&str> {
        match self {
            Drift::Dangling { target, .. } | Drift::Doubled { target, .. } | Drift::Orphan { target } => Some(target),
            Drift::LongLine { target, .. } => target.as_deref(),
        }
    }
}

impl fmt::Display for Drift {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Drift::Dangling { line, target } => {
                write!(f, "line {line} points to {target}, which does not exist")
            }
            Drift::Doubled { line, first, target } => {
                write!(f, "line {line} about {target} is line {first} once more")
            }
            Drift::LongLine { line, chars, .. } => {
                write!(f, "line {line} has {chars} characters, more than {}", limits::LONG_LINE_CHARS)
            }
            Drift::Orphan { target } => write!(f, "nothing points to {target}"),
        }
    }
}

/// Compares the index with the topic files present, given relative to the memory directory: first
/// by line, then the files without a pointer in the order given. What no pointer can name, such
/// as another MEMORY.md, is left out.
pub fn drift(index: &Index, files: &[&str]) -> Vec<Drift> {
    let files: Vec<&str> = files.iter().copied().filter(|file| compose::is_target(file)).collect();
    let present: HashSet<&str> = files.iter().copied().collect();
    let bytes = index.as_bytes();
    let mut found = Vec::new();
    let mut pointed: HashSet<String> = HashSet::new();
    let mut said: HashMap<String, usize> = HashMap::new();
    for (number, row) in rows(bytes).enumerate() {
        let line = number + 1;
        let text = lossy(row.text(bytes));
        let link = line::read(&text);
        let chars = text.chars().count();
        let least = |link: &line::PointerLink<'_>| compose::shortest(link.lead, &link.target);
        let is_long = chars > limits::LONG_LINE_CHARS && link.as_ref().is_none_or(|link| chars > least(link));
        let target = link.map(|link| link.target.into_owned());
        if is_long {
            found.push(Drift::LongLine { line, chars, target: target.clone() });
        }
        let Some(target) = target else { continue };
        if !present.contains(&*target) {
            found.push(Drift::Dangling { line, target });
            continue;
        }
        if let Some(first) = said.get(&*text) {
            found.push(Drift::Doubled { line, first: *first, target: target.clone() });
        }
        said.entry(text.into_owned()).or_insert(line);
        pointed.insert(target);
    }
    let missing = unnamed(index, &files, &pointed);
    found.extend(missing.into_iter().map(|file| Drift::Orphan { target: file.to_owned() }));
    found
}

/// The files that the index should name and does not. A folder of which it names nothing is left out on purpose, an
/// archive perhaps; a read-me file is not a memory.
pub(super) fn unnamed<'f>(index: &Index, files: &[&'f str], pointed: &HashSet<String>) -> Vec<&'f str> {
    let folder = |file: &'f str| file.rsplit_once('/').map(|(folder, _)| folder);
    let (named, missing): (Vec<&str>, Vec<&str>) =
        files.iter().partition(|file| pointed.contains(**file) || index.mentions(file));
    let spoken_of: HashSet<&str> = named.into_iter().filter_map(folder).collect();
    let is_memory = |file: &&str| !file.rsplit('/').next().is_some_and(|name| name.eq_ignore_ascii_case("README.md"));
    let mut seen = HashSet::new();
    let wanted = |file: &&'f str| folder(file).is_none_or(|folder| spoken_of.contains(folder)) && seen.insert(*file);
    missing.into_iter().filter(is_memory).filter(wanted).collect()
}
