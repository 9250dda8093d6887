//! What a model's dream would lose or invent, sentence by sentence.
//!
//! Enters: what it wants to change, judged file by file already, and its last words. Leaves: which memories
//! would lose something that nothing says any more, whether the model said why, and what bears that out; and the first date
//! that nobody said. A sentence counts as kept when a memory has it afterwards, or says it in other words with every
//! number, name, path and date of it (H3). The line of a memory that goes is part of what it said. Never
//! believes that a merge was one, nor that a reason is true because it was given: it looks at the files.

use std::collections::HashSet;
use std::path::PathBuf;

use super::sources::{NamedSources, names_in};
use super::workspace::{WorkspaceMemory, pointers};
use super::{raw_statements, statement, tidy, versions};
use crate::engine::listing::{FileRole, role};
use crate::engine::outside_memory::dated;
use crate::engine::proposal::{Accepted, ProposalVerdict};
use crate::engine::{Error, Memory};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_guard::secrets;
use memdir_reader::facts::{Facts, sentences};
use memdir_reader::likeness::{TextPolarity, words};
use memdir_store::Store;
use memdir_store::topic::Topic;

/// Words of a reason beside the name of the file.
const REASON_WORDS: usize = 3;

/// What would be lost.
#[derive(Debug, Default)]
pub(super) struct Audit {
    /// How many memories there are.
    pub(super) known: usize,
    /// Those that would lose something.
    pub(super) losing: Vec<LosingMemory>,
}

/// One memory that would lose something.
#[derive(Debug)]
pub(super) struct LosingMemory {
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
        verdict: &ProposalVerdict,
        said: &str,
        transcripts: &[PathBuf],
    ) -> Result<Audit, Error> {
        let touched: HashSet<&str> = verdict.accepted.iter().map(|accepted| accepted.file.as_str()).collect();
        let afters: Vec<ReadText> =
            verdict.accepted.iter().filter_map(|one| Some(ReadText::read(&text(one.after.as_ref()?)))).collect();
        let known = store.known()?;
        let topics: Vec<&str> = known.paths().into_iter().filter(|path| role(path) == FileRole::Topic).collect();
        let pointers = pointers(store)?;
        let mut open: Vec<(&Accepted, Vec<String>)> = Vec::new();
        for accepted in &verdict.accepted {
            let Some(before) = &accepted.before else { continue };
            let old = Topic::parse(before.clone());
            let mut lines = sentences(&format!("{}\n{}", old.description().unwrap_or_default(), old.body()));
            let gone = |line: &String| !versions::is_mark(line) && !afters.iter().any(|told| told.says(line));
            lines.retain(gone);
            // Where all of it is said elsewhere, its line in the index may still say more.
            if accepted.after.is_none() && lines.is_empty() {
                let line = pointers.get(accepted.file.as_str()).map(String::as_str).unwrap_or_default();
                lines.extend(line.lines().map(str::to_owned).filter(gone));
            }
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
            let standing = ReadText::read(&text(&bytes));
            for (_, lines) in &mut open {
                lines.retain(|line| !standing.says(line));
            }
            open.retain(|(_, lines)| !lines.is_empty());
        }
        let mut losing = Vec::new();
        if !open.is_empty() {
            let sources = NamedSources::of(memory, store, verdict, transcripts)?;
            losing.extend(open.into_iter().map(|(accepted, lines)| judged(accepted, &lines, said, &sources)));
        }
        Ok(Audit { known: topics.len(), losing })
    }

    /// The first one whose loss nothing bears out.
    pub(super) fn unborne(&self) -> Option<&LosingMemory> {
        self.losing.iter().find(|losing| losing.source.is_none())
    }

    /// Which part of all memories would lose something, from 0 to 1.
    pub(super) fn share(&self) -> f64 {
        if self.known == 0 { 0.0 } else { self.losing.len() as f64 / self.known as f64 }
    }
}

impl LosingMemory {
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

/// A text, to be asked what it says.
struct ReadText {
    said: TextPolarity,
    facts: Facts,
}

impl ReadText {
    fn read(text: &str) -> ReadText {
        ReadText { said: TextPolarity::read(text), facts: Facts::read(text) }
    }

    /// Whether it has a sentence, or says it in other words without losing a fact.
    fn says(&self, sentence: &str) -> bool {
        let wanted = Facts::read(sentence);
        wanted.sentences.is_subset(&self.facts.sentences)
            || (wanted.marks.is_subset(&self.facts.marks) && self.said.covers(&TextPolarity::read(sentence)))
    }
}

/// The first date that a model writes and nobody said: it is in no memory, log or conversation that was shown.
pub(super) fn invented(
    memory: &Memory,
    store: &Store,
    verdict: &ProposalVerdict,
    transcripts: &[PathBuf],
) -> Result<Option<(RelPath, String)>, Error> {
    let read = |bytes: &Option<Vec<u8>>| Facts::read(&String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()));
    let new = |accepted: &Accepted| -> Vec<String> {
        let (before, after) = (read(&accepted.before), read(&accepted.after));
        let known: HashSet<&str> = before.dates().collect();
        after.dates().filter(|date| !known.contains(date)).map(str::to_owned).collect()
    };
    let mut open: Vec<(RelPath, String)> = verdict
        .accepted
        .iter()
        .flat_map(|accepted| new(accepted).into_iter().map(|date| (accepted.file.clone(), date)))
        .collect();
    if open.is_empty() {
        return Ok(None);
    }
    let mut said: HashSet<String> = HashSet::new();
    let (logged, _) = raw_statements::logs(memory, store, Scope::Private, &raw_statements::Distilled::new())?;
    for one in logged.into_iter().chain(raw_statements::conversations(memory, transcripts)) {
        said.insert(one.day.to_string());
        said.extend(Facts::read(&format!("{}\n{}", one.text, statement::dated(&one))).dates().map(str::to_owned));
    }
    open.retain(|(_, date)| !said.contains(date));
    let known = store.known()?;
    let dated = dated(store.root())?;
    let paths = known.paths().into_iter().filter_map(|path| RelPath::parse(path).ok()).chain(dated);
    for path in paths {
        if open.is_empty() {
            break;
        }
        let facts = read(&store.root().read(&path).ok().flatten());
        let stands: HashSet<&str> = facts.dates().collect();
        open.retain(|(_, date)| !stands.contains(date.as_str()));
    }
    Ok(open.into_iter().next())
}

/// What a memory would lose, and what the model has to say for it. Every line that goes needs something that
/// bears it out; the first without is the one that is told.
fn judged(accepted: &Accepted, lines: &[String], said: &str, sources: &NamedSources<'_>) -> LosingMemory {
    let reason = reason(said, &accepted.file);
    let borne = |line: &str| -> Option<String> {
        if let Some(rule) = by_rule(accepted, line) {
            return Some(rule);
        }
        sources.bearing_out(reason.as_deref()?, &accepted.file, line)
    };
    let found: Vec<(&str, Option<String>)> = lines.iter().map(|line| (line.as_str(), borne(line))).collect();
    let (line, source) =
        found.iter().find(|(_, source)| source.is_none()).or(found.first()).cloned().unwrap_or_default();
    LosingMemory { file: accepted.file.clone(), line: line.to_owned(), reason, source }
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
        None => tidy::unwanted(&WorkspaceMemory::loose(accepted.file.clone(), before)),
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
