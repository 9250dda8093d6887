//! What a memory is about, for whoever is about to act: its parts of sentences, each with its stance.
//!
//! Enters: the name, description and body of a memory. Leaves: clauses, which say whether they forbid, advise, explain, name a
//! case or an exception, with their words, the activities and the kinds of files they speak of. Understood once, when a
//! memory is saved; it can be written down and read back. Never reads a file, and never knows a call: that is for the matcher.
//!
//! - `words`: a sentence in words, with what is set as code.
//! - `phrases`: which phrases of the lexicon are in it.
//! - `stance`: where a sentence turns from advice to prohibition, to a case or to a reason.

mod phrases;
mod stance;
mod words;

use serde::{Deserialize, Serialize};

pub use stance::opens_with_reason;
pub use words::ClauseWord;

use crate::sentences::sentences;

/// What a part of a sentence does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stance {
    /// It forbids what it names.
    Forbids,
    /// It names what something else is preferred to.
    Disfavours,
    /// It says what to use or do.
    Prescribes,
    /// It tells something.
    Explains,
    /// It says in which case the rest holds.
    When,
    /// It takes a case out of the rest.
    Exempts,
}

/// A part of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    /// What it does.
    pub stance: Stance,
    /// Whether it is in the name or the description.
    pub head: bool,
    /// Its sentence: clauses of one sentence belong together.
    pub sentence: u16,
    /// Its words, in order.
    pub words: Vec<ClauseWord>,
    /// Where the word stands that makes it an advice; what is advised comes behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub marker: Option<u16>,
    /// What it speaks of doing, the first thing first (`lexicon::ACTIVITY`).
    pub activities: Vec<String>,
    /// The kinds of files it speaks of (`lexicon::FILE_WORD`).
    pub files: Vec<String>,
}

/// What a memory is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subjects {
    /// In the order of the text.
    pub clauses: Vec<Clause>,
}

impl Subjects {
    /// Understands a memory.
    pub fn of(name: &str, description: &str, body: &str) -> Subjects {
        let mut clauses = Vec::new();
        let mut number = 0;
        for (text, head) in [(name, true), (description, true), (body, false)] {
            for sentence in sentences(text) {
                clauses.extend(stance::clauses(sentence, head, number));
                number += 1;
            }
        }
        carry_paths(&mut clauses);
        Subjects { clauses }
    }

    /// The words by which a call can be found to concern it.
    pub fn keys(&self) -> Vec<String> {
        let mut keys: Vec<String> = Vec::new();
        for clause in &self.clauses {
            for word in &clause.words {
                keys.push(word.text.clone());
                keys.extend(word.text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_owned));
            }
            keys.extend(clause.activities.iter().map(|activity| activity_key(activity)));
            keys.extend(clause.files.iter().map(|kind| file_key(kind)));
        }
        keys.retain(|key| key.chars().nth(1).is_some());
        keys.sort_unstable();
        keys.dedup();
        keys
    }
}

/// This many words of a prohibition name nothing by themselves: "never edit it by hand".
const BARE_WORDS: usize = 6;

/// A prohibition that names nothing forbids what the sentence before it says of a path: "Everything in src/gen/ is made from the protos. Never
/// edit it by hand."
fn carry_paths(clauses: &mut [Clause]) {
    let is_path = |word: &&ClauseWord| word.text.contains('/') && !word.text.contains("://");
    for at in 1..clauses.len() {
        let (before, after) = clauses.split_at_mut(at);
        let clause = &mut after[0];
        let is_bare = clause.stance == Stance::Forbids
            && clause.words.len() <= BARE_WORDS
            && !clause.activities.is_empty()
            && clause.files.is_empty()
            && !clause.words.iter().any(ClauseWord::is_technical);
        let begins = before.last().is_some_and(|last| last.sentence + 1 == clause.sentence);
        if !is_bare || !begins || clause.head {
            continue;
        }
        let told =
            before.iter().filter(|other| other.sentence + 1 == clause.sentence && other.stance == Stance::Explains);
        let paths: Vec<ClauseWord> = told.flat_map(|other| other.words.iter().filter(is_path).cloned()).collect();
        if let [path] = paths.as_slice() {
            clause.words.push(path.clone());
        }
    }
}

/// The key of an activity.
pub fn activity_key(activity: &str) -> String {
    format!("@{activity}")
}

/// The key of a kind of files.
pub fn file_key(kind: &str) -> String {
    format!("%{kind}")
}

#[cfg(test)]
mod tests;
