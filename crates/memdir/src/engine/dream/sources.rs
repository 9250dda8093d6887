//! What a model names as the source of a loss: is it there, and does it speak of what went?
//!
//! Enters: the line in which a model says why something went. Leaves: the source that bears it out: another memory
//! as it was before the dream and that stays, a daily log, or a conversation that the dream was shown. What
//! the model wrote itself in the same dream is no source, nor is a memory that goes with it. Never believes
//! that a name stands for anything: the file is read, and must share words with what was lost.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::raw_statements;
use crate::engine::listing::{FileRole, role};
use crate::engine::outside_memory::{BESIDE, dated};
use crate::engine::proposal::ProposalVerdict;
use crate::engine::{Error, Memory};
use memdir_guard::confine::RelPath;
use memdir_reader::likeness::words;
use memdir_store::Store;
use memdir_store::daily_log::day_of_log;
use memdir_store::fs::Root;

/// Content words that a source must share with what was lost, to speak of it.
const SHARED_WORDS: usize = 2;

/// Everything that can be named.
pub(super) struct NamedSources<'s> {
    memory: &'s Memory,
    store: &'s Store,
    verdict: &'s ProposalVerdict,
    transcripts: &'s [PathBuf],
    topics: Vec<RelPath>,
    logs: Vec<(String, RelPath)>,
    beside: Option<Root>,
}

impl<'s> NamedSources<'s> {
    pub(super) fn of(
        memory: &'s Memory,
        store: &'s Store,
        verdict: &'s ProposalVerdict,
        transcripts: &'s [PathBuf],
    ) -> Result<NamedSources<'s>, Error> {
        let known = store.known()?;
        let topics = known.paths().into_iter().filter(|path| role(path) == FileRole::Topic);
        let topics = topics.filter_map(|path| RelPath::parse(path).ok()).collect();
        let beside = memory.logs_beside();
        let mut logs = Vec::new();
        for (root, prefix) in [(Some(store.root()), ""), (beside.as_ref(), BESIDE)] {
            let Some(root) = root else { continue };
            let of_days = dated(root)?.into_iter().filter(|path| day_of_log(path.as_str()).is_some());
            logs.extend(of_days.map(|path| (format!("{prefix}{path}"), path)));
        }
        Ok(NamedSources { memory, store, verdict, transcripts, topics, logs, beside })
    }

    /// The source in a model's words that bears out the loss of a line.
    pub(super) fn bearing_out(&self, said: &str, own: &RelPath, lost: &str) -> Option<String> {
        let wanted: HashSet<String> = words(lost).into_iter().collect();
        let speaks = |text: &str| {
            let shared: HashSet<String> = words(text).into_iter().filter(|word| wanted.contains(word)).collect();
            shared.len() >= SHARED_WORDS.min(wanted.len())
        };
        names_in(said).into_iter().find_map(|name| {
            let texts = self.memories(&name, own).chain(self.logged(&name)).chain(self.conversations(&name));
            texts.into_iter().find(|(_, text)| speaks(text)).map(|(source, _)| source)
        })
    }

    /// Memories of that name that are there before and after.
    fn memories<'a>(&'a self, name: &'a str, own: &'a RelPath) -> impl Iterator<Item = (String, String)> + 'a {
        let goes = |file: &RelPath| self.verdict.accepted.iter().any(|one| one.file == *file && one.after.is_none());
        let named = self.topics.iter().filter(move |file| *file != own && means(name, file.as_str()) && !goes(file));
        named.filter_map(|file| {
            let touched = self.verdict.accepted.iter().find(|one| one.file == *file);
            let before = match touched {
                Some(accepted) => accepted.before.clone(),
                None => self.store.root().read(file).ok().flatten(),
            };
            Some((file.to_string(), String::from_utf8_lossy(&before?).into_owned()))
        })
    }

    fn logged<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (String, String)> + 'a {
        let named = self.logs.iter().filter(move |(log, _)| means(name, log));
        named.filter_map(|(log, path)| {
            let root = if log.starts_with(BESIDE) { self.beside.as_ref()? } else { self.store.root() };
            Some((log.clone(), String::from_utf8_lossy(&root.read(path).ok()??).into_owned()))
        })
    }

    /// What people said in the conversations of that name, as the dream was shown them.
    fn conversations<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (String, String)> + 'a {
        let is_it = move |path: &&PathBuf| {
            let part = |part: Option<&std::ffi::OsStr>| part.is_some_and(|part| part.to_string_lossy() == name);
            part(path.file_name()) || part(path.file_stem()) || **path == Path::new(name)
        };
        self.transcripts.iter().filter(is_it).map(|path| {
            let said = raw_statements::conversations(self.memory, std::slice::from_ref(path));
            let text: Vec<String> = said.into_iter().map(|one| one.text).collect();
            (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text.join("\n"))
        })
    }
}

/// Whether a name in a text means a path: all of it, its end, or its last part.
fn means(name: &str, path: &str) -> bool {
    name == path || name.ends_with(&format!("/{path}")) || path.ends_with(&format!("/{name}"))
}

/// The names of files in a line, in order.
pub(super) fn names_in(line: &str) -> Vec<String> {
    let apart = |c: char| c.is_whitespace() || "()[]<>{}`'\",:;*“”‘’，。；：（）、→".contains(c);
    let names = line.split(apart).map(|word| word.trim_matches(['.', '!', '?', '-']));
    // A conversation may be named by its session alone.
    names.filter(|name| name.contains('.') || name.len() >= 8).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn d3_names_stand_for_whole_files_and_not_for_ends_of_words() {
        assert_eq!(names_in("- `a.md`: gone, (team/b.md) says so."), ["a.md", "team/b.md"]);
        assert!(means("b.md", "team/b.md") && means("/home/x/team/b.md", "team/b.md") && means("a.md", "a.md"));
        assert!(!means("a.md", "data.md") && !means("data.md", "a.md"));
    }
}
