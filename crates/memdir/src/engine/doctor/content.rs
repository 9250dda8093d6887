//! What is wrong inside the files: secrets, frontmatter that is not read as it was meant, two that say the same.
//!
//! Enters: the files of a store. Leaves: findings. Reads each file once, and changes none.

use std::collections::BTreeSet;

use super::{Checkup, Level};
use crate::engine::listing::{FileRole, role};
use crate::engine::recall::ProjectReader;
use crate::engine::stale::missing_names;
use crate::engine::{Advice, Error, Hint, Memory};
use memdir_core::kind::{Scope, Type};
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_guard::secrets;
use memdir_reader::sentences;
use memdir_store::Store;
use memdir_store::topic::{Flag, Topic};

/// Pairs are compared only below this many memories: the check is for people, not for machines.
const COMPARED: usize = 1_500;

impl Memory {
    pub(super) fn check_content(&self, scope: Scope, store: &Store, checkup: &mut Checkup) -> Result<(), Error> {
        let known = store.known()?;
        let mut said: Vec<(String, String)> = Vec::new();
        let mut reader = ProjectReader::of(&self.place.project.checkout);
        for path in known.paths() {
            let Ok(file) = RelPath::parse(path) else { continue };
            let Ok(Some(bytes)) = store.root().read(&file) else { continue };
            let links = store.root().facts(&file)?.map_or(1, |facts| facts.links);
            let mut report = FileReport { path, checkup };
            report.check_size(links, bytes.len());
            report.check_secrets(&String::from_utf8_lossy(&bytes));
            if role(path) != FileRole::Topic {
                continue;
            }
            let topic = Topic::parse(bytes);
            report.check_frontmatter(&topic);
            // What the user keeps for every project is not held against this one.
            if scope == Scope::Private {
                if file.in_team() {
                    report.check_shared(&topic);
                }
                if let Some(known) = known.get(path) {
                    let gone = missing_names(&mut reader, &topic, known.written.compared_with_files());
                    report.check_evidence(&gone);
                }
            }
            said.push((path.to_owned(), format!("{} {}", topic.description().unwrap_or_default(), topic.body())));
        }
        if said.len() <= COMPARED {
            check_doubles(&said, checkup);
        }
        Ok(())
    }
}

/// What is found in one file.
struct FileReport<'c> {
    path: &'c str,
    checkup: &'c mut Checkup,
}

impl FileReport<'_> {
    fn push(&mut self, check: &'static str, level: Level, message: String, fix: impl Into<Advice>) {
        self.checkup.push(check, level, Some(self.path.to_owned()), message, fix);
    }

    fn check_size(&mut self, links: u64, bytes: usize) {
        if links > 1 {
            let message = format!("has {links} names (hard links); another one may be outside");
            self.push("hard-link", Level::Warning, message, "replace it by a copy");
        }
        if bytes > limits::TOPIC_BYTES {
            let message = format!("has {bytes} bytes; memories are short");
            self.push("huge-file", Level::Warning, message, "keep the point, drop the detail");
        }
    }

    fn check_secrets(&mut self, text: &str) {
        for finding in secrets::scan(text) {
            let message = format!("line {} holds what looks like a secret ({})", finding.line, finding.rule);
            let fix = Advice::new("take it out, and purge it if it must leave the history too", Hint::RemoveSecret);
            self.push("secret", Level::Error, message, fix);
            let example = format!("{} line {} ({})", self.path, finding.line, finding.rule);
            self.checkup.such_as(example, Some(self.path.to_owned()));
        }
    }

    fn check_frontmatter(&mut self, topic: &Topic) {
        for flag in topic.flags() {
            if let Some(level) = how_bad(&flag) {
                self.push(flag.id(), level, flag.to_string(), Advice::new("open it and correct it", Hint::EditFound));
            }
        }
    }

    /// What a team must not get, or got twice.
    fn check_shared(&mut self, topic: &Topic) {
        if topic.kind() == Some(Type::User) {
            let fix = Advice::new("move it to the private scope", Hint::MoveToPrivate);
            self.push("team-scope", Level::Error, "is about a person and is in team memory".to_owned(), fix);
        }
        if memdir_team::merge::has_conflict(&String::from_utf8_lossy(topic.as_bytes())) {
            let fix = Advice::new("keep one of them", Hint::KeepOneVersion);
            self.push("two-versions", Level::Warning, "holds two versions of something".to_owned(), fix);
        }
    }

    fn check_evidence(&mut self, gone: &[String]) {
        if !gone.is_empty() {
            let message = format!("names what the project no longer has: {}", gone.join(", "));
            let fix = Advice::new("correct it, or forget it if it no longer holds", Hint::EditOrForget);
            self.push("stale-evidence", Level::Info, message, fix);
        }
    }
}

/// What of the frontmatter hurts: something in it is not read as it was meant. The rest is how somebody writes.
fn how_bad(flag: &Flag) -> Option<Level> {
    match flag {
        Flag::UnclosedFence | Flag::InvalidUtf8 | Flag::NulByte => Some(Level::Warning),
        Flag::DuplicateKey(_) | Flag::StrayLine(_) => Some(Level::Info),
        Flag::NoFrontmatter | Flag::NoName | Flag::NoDescription | Flag::UnknownType(_) | Flag::Bom | Flag::Crlf => {
            None
        }
    }
}

/// Two that say the same: each sentence of one is a sentence of the other.
fn check_doubles(said: &[(String, String)], checkup: &mut Checkup) {
    let read: Vec<BTreeSet<String>> = said.iter().map(|(_, text)| sentences::said(text)).collect();
    for (at, told) in read.iter().enumerate().filter(|(_, told)| !told.is_empty()) {
        let double =
            read[..at].iter().position(|other| !other.is_empty() && (told.is_subset(other) || other.is_subset(told)));
        if let Some(other) = double {
            let (file, first) = (&said[at].0, &said[other].0);
            let message = format!("says the same as {first}");
            checkup.push(
                "duplicate",
                Level::Info,
                Some(file.clone()),
                message,
                Advice::new("keep one and forget the other", Hint::ForgetDouble),
            );
            checkup.such_as(format!("{file} and {first}"), Some(file.clone()));
        }
    }
}
