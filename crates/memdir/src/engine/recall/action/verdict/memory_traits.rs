//! What holds for a memory as a whole, whichever clause is looked at.
//!
//! Enters: what a memory is about, and its type. Leaves: its things clause by clause, its words, and what its clauses name together.

use std::collections::HashSet;

use memdir_core::kind::Type;
use memdir_reader::subjects::{Stance, Subjects};

use super::super::clause_match::is_surely_own_name;
use super::super::paths::is_host;
use super::super::things::{NamedThing, ThingKind, things};
use super::first_activity;

/// A shorter word is the name of a folder in every project.
const FOLDER_LETTERS: usize = 6;

/// "handlers" and "handler" are one word.
pub(super) fn singular(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

/// A memory as a whole.
pub(super) struct MemoryTraits {
    pub(super) things: Vec<Vec<NamedThing>>,
    pub(super) words: HashSet<String>,
    pub(super) is_user: bool,
    pub(super) is_feedback: bool,
    /// It names something that code would say, as code.
    pub(super) has_code: bool,
    /// It names hosts, so that names of sites mean those.
    pub(super) names_hosts: bool,
    /// It names paths, so that kinds of files mean those.
    pub(super) names_paths: bool,
    /// A prohibition names something that code would say.
    pub(super) forbids_names: bool,
    /// A prohibition names something, or something that is done.
    pub(super) forbids_else: bool,
    /// Sentences that say what is done, how files are touched aside.
    pub(super) doing: HashSet<u16>,
    /// What it speaks of doing in a place that it names, and the place.
    pub(super) placed: Vec<(String, String)>,
    /// What it forbids to do to something that has a name of its own.
    pub(super) own_named: Vec<String>,
    /// Everyday words of its name and description that a folder may be called by.
    pub(super) head_words: HashSet<String>,
    /// Kinds of files that its name and description speak of.
    pub(super) head_kinds: Vec<String>,
}

impl MemoryTraits {
    pub(super) fn of(subjects: &Subjects, kind: Option<Type>) -> MemoryTraits {
        let things: Vec<Vec<NamedThing>> = subjects.clauses.iter().map(things).collect();
        let forbids = |named: fn(&ThingKind) -> bool| {
            let pairs = subjects.clauses.iter().zip(&things);
            pairs
                .filter(|(clause, _)| clause.stance == Stance::Forbids)
                .any(|(_, things)| things.iter().any(|thing| named(&thing.what)))
        };
        MemoryTraits {
            is_user: kind == Some(Type::User),
            is_feedback: kind == Some(Type::Feedback),
            has_code: things.iter().flatten().any(|thing| thing.coded && matches!(thing.what, ThingKind::Name)),
            names_hosts: things.iter().flatten().any(|thing| is_host(&thing.text)),
            names_paths: things.iter().flatten().any(|thing| matches!(thing.what, ThingKind::Path)),
            forbids_names: forbids(|what| matches!(what, ThingKind::Name | ThingKind::Command(_))),
            head_words: subjects
                .clauses
                .iter()
                .filter(|clause| clause.head)
                .flat_map(|clause| &clause.words)
                .filter(|word| word.code == 0 && word.text.len() >= FOLDER_LETTERS && word.text.is_ascii())
                .map(|word| singular(&word.text).to_owned())
                .collect(),
            doing: subjects
                .clauses
                .iter()
                .filter(|clause| first_activity(clause).is_some())
                .map(|clause| clause.sentence)
                .collect(),
            placed: subjects
                .clauses
                .iter()
                .zip(&things)
                .filter_map(|(clause, things)| Some((first_activity(clause)?, things)))
                .flat_map(|(activity, things)| {
                    let paths = things.iter().filter(|thing| matches!(thing.what, ThingKind::Path));
                    paths.map(|thing| (activity.to_owned(), thing.text.to_lowercase()))
                })
                .collect(),
            own_named: subjects
                .clauses
                .iter()
                .filter(|clause| clause.stance == Stance::Forbids)
                .filter(|clause| clause.words.iter().any(|word| is_surely_own_name(&word.text)))
                .filter_map(|clause| first_activity(clause).map(str::to_owned))
                .collect(),
            head_kinds: subjects
                .clauses
                .iter()
                .filter(|clause| clause.head)
                .flat_map(|clause| clause.files.iter().cloned())
                .collect(),
            forbids_else: subjects.clauses.iter().zip(&things).any(|(clause, things)| {
                clause.stance == Stance::Forbids && (first_activity(clause).is_some() || !things.is_empty())
            }),
            words: subjects
                .clauses
                .iter()
                .flat_map(|clause| clause.words.iter().map(|word| word.text.clone()))
                .collect(),
            things,
        }
    }
}
