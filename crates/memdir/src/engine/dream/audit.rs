//! What a model's dream would lose, line by line.
//!
//! Enters: what it wants to change, judged file by file already, and its last words. Leaves: which memories
//! would lose a line that nothing says any more, whether the model said why, and what bears that out. A line counts as
//! kept when any memory says it afterwards, in whatever words, or says it with its dates made absolute. Never
//! believes that a merge was one, nor that a reason is true because it was given: it looks at the files.

use std::collections::HashSet;
use std::path::PathBuf;

use super::checks::lines_of;
use super::desk::Sheet;
use super::sources::{Sources, names_in};
use super::{tidy, versions};
use crate::engine::listing::{Role, role, timestamp};
use crate::engine::proposal::{Accepted, Verdict};
use crate::engine::{Error, Memory};
use crate::guard::confine::RelPath;
use crate::guard::secrets;
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
    /// What bears that out: a memory, a log, a conversation, or a rule of our own.
    pub(super) source: Option<String>,
}

impl Audit {
    /// Looks at everything that would change.
    pub(super) fn of(
        memory: &Memory,
        store: &Store,
        verdict: &Verdict,
        said: &str,
        transcripts: &[PathBuf],
    ) -> Result<Audit, Error> {
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
        let mut losing = Vec::new();
        if !open.is_empty() {
            let sources = Sources::of(memory, store, verdict, transcripts)?;
            losing.extend(open.into_iter().map(|(accepted, lines)| judged(accepted, &lines, said, &sources)));
        }
        Ok(Audit { known: topics.len(), losing })
    }

    /// The first one whose loss nothing bears out.
    pub(super) fn unborne(&self) -> Option<&Losing> {
        self.losing.iter().find(|losing| losing.source.is_none())
    }

    /// Which part of all memories would lose something, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        if self.known == 0 { 0.0 } else { self.losing.len() as f64 / self.known as f64 }
    }
}

impl Losing {
    /// Why it went and what bears that out, for the history.
    pub(super) fn told(&self) -> Option<String> {
        let source = self.source.as_deref()?;
        Some(match &self.reason {
            Some(reason) => format!("{reason} [{source}]"),
            None => format!("{}: {source}", self.file),
        })
    }
}

fn text(bytes: &[u8]) -> String {
    let topic = Topic::parse(bytes.to_vec());
    format!("{}\n{}\n{}", topic.name().unwrap_or_default(), topic.description().unwrap_or_default(), topic.body())
}

fn says(said: &Said, line: &[String; 2]) -> bool {
    line.iter().any(|line| said.covers(&Said::read(line)))
}

/// What a memory would lose, and what the model has to say for it. Every line that goes needs something that
/// bears it out; the first without is the one that is told.
fn judged(accepted: &Accepted, lines: &[[String; 2]], said: &str, sources: &Sources<'_>) -> Losing {
    let reason = reason(said, &accepted.file);
    let borne = |line: &str| -> Option<String> {
        if let Some(rule) = by_rule(accepted, line) {
            return Some(rule);
        }
        sources.bearing_out(reason.as_deref()?, &accepted.file, line)
    };
    let found: Vec<(&str, Option<String>)> = lines.iter().map(|[line, _]| (line.as_str(), borne(line))).collect();
    let (line, source) =
        found.iter().find(|(_, source)| source.is_none()).or(found.first()).cloned().unwrap_or_default();
    Losing { file: accepted.file.clone(), line: line.to_owned(), reason, source }
}

/// The rule of our own by which a line may go: a secret, one of two versions where the other stays, or what
/// the built-in engine would not keep either.
fn by_rule(accepted: &Accepted, line: &str) -> Option<String> {
    if !secrets::scan(line).is_empty() {
        return Some("a secret".to_owned());
    }
    let before = Topic::parse(accepted.before.clone()?);
    match &accepted.after {
        Some(after) => {
            let contested = versions::contested(&before.body());
            let rest = Topic::parse(after.clone());
            let one_stays = rest.body().lines().any(|kept| !kept.trim().is_empty() && contested.contains(kept));
            (contested.contains(line) && one_stays).then(|| "the other of two versions".to_owned())
        }
        None => tidy::unwanted(&Sheet::loose(accepted.file.clone(), before)),
    }
}

/// What the model said about a file: the line that names it first, if it gives a reason.
fn reason(said: &str, file: &RelPath) -> Option<String> {
    let name = file.as_str().rsplit('/').next().unwrap_or(file.as_str());
    let is_it = |named: &String| named == name || named.ends_with(&format!("/{name}"));
    // A file that is named further on in a line is what bears another one out.
    let line = said.lines().find(|line| names_in(line).iter().find(|one| one.ends_with(".md")).is_some_and(is_it))?;
    let rest = line.replace(name, " ");
    (words(&rest).len() >= REASON_WORDS).then(|| line.trim().trim_start_matches(['-', '*', ' ']).to_owned())
}
