//! What is wrong inside the files: secrets, frontmatter that is not read as it was meant, two that say the same.

use std::collections::BTreeSet;

use super::{Checkup, Level};
use crate::engine::listing::{FileRole, role};
use crate::engine::recall::ProjectReader;
use crate::engine::stale::named_in_vain;
use crate::engine::{Advice, Error, Hint, Memory};
use memdir_core::kind::Scope;
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
        let paths: Vec<String> = known.paths().into_iter().map(str::to_owned).collect();
        let mut said: Vec<(String, String)> = Vec::new();
        let mut sight = ProjectReader::of(&self.place.project.checkout);
        for path in paths {
            let Ok(file) = RelPath::parse(&path) else { continue };
            let Ok(Some(bytes)) = store.root().read(&file) else { continue };
            let facts = store.root().facts(&file)?;
            if let Some(facts) = facts
                && facts.links > 1
            {
                let message = format!("has {} names (hard links); another one may be outside", facts.links);
                checkup.push("hard-link", Level::Warning, Some(path.clone()), message, "replace it by a copy");
            }
            if bytes.len() > limits::TOPIC_BYTES {
                let message = format!("has {} bytes; memories are short", bytes.len());
                checkup.push(
                    "huge-file",
                    Level::Warning,
                    Some(path.clone()),
                    message,
                    "keep the point, drop the detail",
                );
            }
            let text = String::from_utf8_lossy(&bytes);
            for finding in secrets::scan(&text) {
                let message = format!("line {} holds what looks like a secret ({})", finding.line, finding.rule);
                let fix = Advice::new("take it out, and purge it if it must leave the history too", Hint::RemoveSecret);
                checkup.push("secret", Level::Error, Some(path.clone()), message, fix);
                let example = format!("{path} line {} ({})", finding.line, finding.rule);
                checkup.such_as(example, Some(path.clone()));
            }
            if role(&path) != FileRole::Topic {
                continue;
            }
            let topic = Topic::parse(bytes.clone());
            for flag in topic.flags() {
                if let Some(level) = how_bad(&flag) {
                    checkup.push(
                        flag.id(),
                        level,
                        Some(path.clone()),
                        flag.to_string(),
                        Advice::new("open it and correct it", Hint::EditFound),
                    );
                }
            }
            if scope == Scope::Private && file.in_team() && topic.kind() == Some(memdir_core::kind::Type::User) {
                let message = "is about a person and is in team memory".to_owned();
                checkup.push(
                    "team-scope",
                    Level::Error,
                    Some(path.clone()),
                    message,
                    Advice::new("move it to the private scope", Hint::MoveToPrivate),
                );
            }
            if scope == Scope::Private && file.in_team() && memdir_team::merge::has_conflict(&text) {
                let message = "holds two versions of something".to_owned();
                checkup.push(
                    "two-versions",
                    Level::Warning,
                    Some(path.clone()),
                    message,
                    Advice::new("keep one of them", Hint::KeepOneVersion),
                );
            }
            // What the user keeps for every project is not held against this one.
            if scope == Scope::Private
                && let Some(known) = known.get(&path)
            {
                let gone = named_in_vain(&mut sight, &topic, known.written.compared_with_files());
                if !gone.is_empty() {
                    let message = format!("names what the project no longer has: {}", gone.join(", "));
                    let fix = Advice::new("correct it, or forget it if it no longer holds", Hint::EditOrForget);
                    checkup.push("stale-evidence", Level::Info, Some(path.clone()), message, fix);
                }
            }
            said.push((path, format!("{} {}", topic.description().unwrap_or_default(), topic.body())));
        }
        if said.len() <= COMPARED {
            check_doubles(&said, checkup);
        }
        Ok(())
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
