//! What a model's dream would lose, line by line.
//!
//! Enters: what it wants to change, judged file by file already, and its last words. Leaves: which memories
//! would lose a line that nothing says any more, and whether the model said why. A line counts as kept when
//! any memory says it afterwards, in whatever words, or says it with its dates made absolute. Never
//! believes that a merge was one: it compares the files.

use std::collections::HashSet;

use super::checks::lines_of;
use crate::engine::listing::{Role, role, timestamp};
use crate::engine::proposal::{Accepted, Verdict};
use crate::engine::{Error, Memory};
use crate::guard::confine::RelPath;
use crate::store::Store;
use crate::store::topic::Topic;
use crate::text::likeness::{Said, words};

/// Words of a reason beside the name of the file.
const REASON_WORDS: usize = 3;

/// What would be lost.
#[derive(Debug, Default)]
pub(super) struct Audit {
    /// How many memories there are.
    pub(super) known: usize,
    /// Those that would lose something.
    pub(super) losing: Vec<Losing>,
}

/// One memory that would lose something.
#[derive(Debug)]
pub(super) struct Losing {
    pub(super) file: RelPath,
    /// The first line that nothing says any more.
    pub(super) line: String,
    /// Why, in the model's own words.
    pub(super) reason: Option<String>,
}

impl Audit {
    /// Looks at everything that would change.
    pub(super) fn of(memory: &Memory, store: &Store, verdict: &Verdict, said: &str) -> Result<Audit, Error> {
        let touched: HashSet<&str> = verdict.accepted.iter().map(|accepted| accepted.file.as_str()).collect();
        let afters: Vec<Said> =
            verdict.accepted.iter().filter_map(|one| Some(Said::read(&text(one.after.as_ref()?)))).collect();
        let known = store.known()?;
        let topics: Vec<&str> = known.paths().into_iter().filter(|path| role(path) == Role::Topic).collect();
        let mut open: Vec<(&Accepted, Vec<[String; 2]>)> = Vec::new();
        for accepted in &verdict.accepted {
            let Some(before) = &accepted.before else { continue };
            let facts = known.get(accepted.file.as_str()).and_then(|entry| entry.facts);
            let written = facts.map_or(memory.now.timestamp(), |facts| timestamp(facts.mtime_ns));
            let day = written.to_zoned(memory.now.time_zone().clone()).date();
            let mut lines = lines_of(&accepted.file, &Topic::parse(before.clone()), written, day);
            lines.retain(|line| !afters.iter().any(|said| says(said, line)));
            if !lines.is_empty() {
                open.push((accepted, lines));
            }
        }
        // Memories that stay may say it already; they are read only if something is open.
        for path in topics.iter().filter(|path| !touched.contains(*path)) {
            if open.is_empty() {
                break;
            }
            let Ok(Some(bytes)) =
                RelPath::parse(path).map_err(Error::from).and_then(|file| Ok(store.root().read(&file)?))
            else {
                continue;
            };
            let standing = Said::read(&text(&bytes));
            for (_, lines) in &mut open {
                lines.retain(|line| !says(&standing, line));
            }
            open.retain(|(_, lines)| !lines.is_empty());
        }
        let losing = open.into_iter().map(|(accepted, mut lines)| {
            let [line, _] = lines.swap_remove(0);
            Losing { file: accepted.file.clone(), line, reason: reason(said, &accepted.file) }
        });
        Ok(Audit { known: topics.len(), losing: losing.collect() })
    }

    /// Which part of all memories would lose something, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        if self.known == 0 { 0.0 } else { self.losing.len() as f64 / self.known as f64 }
    }
}

fn text(bytes: &[u8]) -> String {
    let topic = Topic::parse(bytes.to_vec());
    format!("{}\n{}\n{}", topic.name().unwrap_or_default(), topic.description().unwrap_or_default(), topic.body())
}

fn says(said: &Said, line: &[String; 2]) -> bool {
    line.iter().any(|line| said.covers(&Said::read(line)))
}

/// What the model said about a file: the line that names it, if it gives a reason.
fn reason(said: &str, file: &RelPath) -> Option<String> {
    let name = file.as_str().rsplit('/').next().unwrap_or(file.as_str());
    let line = said.lines().find(|line| line.contains(name))?;
    let rest = line.replace(name, " ");
    (words(&rest).len() >= REASON_WORDS).then(|| line.trim().trim_start_matches(['-', '*', ' ']).to_owned())
}
