//! Where a sentence turns: from what is advised to what is forbidden, to a case, an exception or a reason.
//!
//! Enters: a sentence. Leaves: its clauses. The words that turn it are in the lexicon (`CLAUSE_MARKER`); marks end what they
//! began, unless a list goes on. A prohibition may follow what it forbids ("X is never edited", "X is off limits"),
//! and of two things set against each other the first is advised ("X, not Y").

use memdir_lexicon as lexicon;

use super::phrases::{find, unspaced};
use super::words::{ClauseWord, words};
use super::{Clause, Stance};
use crate::likeness;

/// A list goes on with items of at most this many words.
const ITEM_WORDS: usize = 3;
/// This many words before a colon are what the rest is about.
const TOPIC_WORDS: usize = 8;

/// Activities that say how something is touched, and not what.
const PLAIN: [&str; 6] = ["run", "edit", "create", "read", "delete-file", "move-file"];

/// A part of a sentence in the making.
#[derive(Default)]
struct OpenClause {
    stance: Option<Stance>,
    words: Vec<ClauseWord>,
    /// Set against something, so that an advice may follow without a mark between them.
    against: bool,
    /// Says that one thing is better than another.
    prefers: bool,
    /// Where the word stands that makes it an advice.
    marker: Option<u16>,
    /// How many of its words are not markers.
    own: usize,
}

struct Parts {
    done: Vec<OpenClause>,
    now: OpenClause,
}

impl Parts {
    fn begin(&mut self, stance: Option<Stance>) {
        let done = std::mem::replace(&mut self.now, OpenClause { stance, ..OpenClause::default() });
        if !done.words.is_empty() {
            self.done.push(done);
        }
    }
}

/// Whether a part of a sentence opens by saying why.
pub fn opens_with_reason(part: &str) -> bool {
    let markers = find(&divided(words(part)), &lexicon::CLAUSE_MARKER);
    markers.first().is_some_and(|first| first.at == 0 && first.group == "gives_reason")
}

/// The clauses of a sentence.
pub(super) fn clauses(sentence: &str, head: bool, number: u16) -> Vec<Clause> {
    let words = divided(words(sentence));
    let markers = find(&words, &lexicon::CLAUSE_MARKER);
    let mut parts = Parts { done: Vec::new(), now: OpenClause::default() };
    let mut at = 0;
    while at < words.len() {
        let word = &words[at];
        if word.is_mark() {
            end_at_mark(&mut parts, &words, at);
            at += 1;
            continue;
        }
        let marker = markers.iter().find(|found| found.at == at);
        let length = marker.map_or(1, |found| found.length);
        let behind = if let Some(found) = marker { turn(&mut parts, found.group, &words, at, length) } else { false };
        parts.now.own += usize::from(marker.is_none());
        parts.now.words.extend_from_slice(&words[at..at + length]);
        if behind {
            parts.begin(None);
        }
        at += length;
    }
    parts.begin(None);
    carry_topic(parts.done.into_iter().map(|part| clause(part, head, number)).collect())
}

fn clause(mut part: OpenClause, head: bool, sentence: u16) -> Clause {
    // "yarn only": what is advised comes before the marker.
    if part.marker.is_some_and(|marker| usize::from(marker) + 1 >= part.words.len()) {
        part.marker = Some(0);
    }
    let groups = |table| {
        let mut groups: Vec<String> = Vec::new();
        for found in find(&part.words, table) {
            if !groups.iter().any(|group| group == found.group) {
                groups.push(found.group.to_owned());
            }
        }
        groups
    };
    let (activities, files) = (groups(&lexicon::ACTIVITY), groups(&lexicon::FILE_WORD));
    Clause {
        stance: part.stance.unwrap_or(Stance::Explains),
        head,
        sentence,
        words: part.words,
        marker: part.marker,
        activities,
        files,
    }
}

/// A prohibition or an advice that names nothing speaks of what stands before it. Behind a comma, one that says what else is meant and
/// not what is done is set against what stands before it: "branches start from develop, never from main".
fn carry_topic(mut clauses: Vec<Clause>) -> Vec<Clause> {
    for at in 1..clauses.len() {
        let (before, after) = clauses.split_at_mut(at);
        let Some(topic) = before.iter().rev().find(|topic| topic.stance == Stance::Explains) else { continue };
        let clause = &mut after[0];
        let rules = matches!(clause.stance, Stance::Forbids | Stance::Prescribes);
        let names = clause.words.iter().any(ClauseWord::is_technical) || !clause.files.is_empty();
        let does = clause.activities.iter().any(|activity| !PLAIN.contains(&activity.as_str()));
        if rules && !names && !does && !is_contrast(clause) && topic.words.len() <= TOPIC_WORDS {
            clause.words.splice(0..0, topic.words.iter().cloned());
            clause.activities.splice(0..0, topic.activities.iter().cloned());
            clause.files.extend(topic.files.iter().cloned());
        }
    }
    clauses
}

/// Whether a prohibition opens with its marker, says what is meant and names nothing that is done.
fn is_contrast(clause: &Clause) -> bool {
    let marker =
        find(&clause.words, &lexicon::CLAUSE_MARKER).first().filter(|first| first.at == 0).map(|first| first.length);
    let says = |length: usize| clause.words[length..].iter().any(|word| !likeness::words(&word.text).is_empty());
    clause.stance == Stance::Forbids && clause.activities.is_empty() && marker.is_some_and(says)
}

/// Text without blanks is cut where a marker begins, and behind one that says when.
fn divided(words: Vec<ClauseWord>) -> Vec<ClauseWord> {
    let mut found = Vec::with_capacity(words.len());
    for word in words {
        if word.code > 0 || !word.is_unspaced() {
            found.push(word);
            continue;
        }
        let mut from = 0;
        for (at, _) in unspaced(&word.text, &lexicon::CLAUSE_MARKER) {
            if at > from {
                found.push(ClauseWord { text: word.text[from..at].to_owned(), written: String::new(), code: 0 });
                from = at;
            }
        }
        found.push(ClauseWord { text: word.text[from..].to_owned(), written: String::new(), code: 0 });
    }
    found
}

/// What a mark ends, and what goes on behind it.
fn end_at_mark(parts: &mut Parts, words: &[ClauseWord], at: usize) {
    let rest = &words[at + 1..];
    let item = rest.iter().take_while(|word| !word.is_mark()).count();
    let opens = |group: &str| {
        find(rest, &lexicon::CLAUSE_MARKER).first().is_some_and(|first| first.at == 0 && first.group == group)
    };
    let stance = parts.now.stance;
    let rules = matches!(stance, Some(Stance::Forbids | Stance::Disfavours | Stance::Prescribes));
    let kept = match words[at].text.as_str() {
        "," => rules && item <= ITEM_WORDS && !opens("goes_on"),
        ":" => {
            rules
                && (parts.now.own == 0
                    || stance == Some(Stance::Prescribes) && rest.first().is_some_and(|next| next.code > 0))
        }
        _ => false,
    };
    if !kept {
        parts.begin(None);
    }
}

/// Turns the sentence; whether what it turned ends with the marker.
fn turn(parts: &mut Parts, group: &str, words: &[ClauseWord], at: usize, length: usize) -> bool {
    let rest = &words[at + length..];
    let until_mark = || rest.iter().take_while(|word| !word.is_mark());
    let after_mark = parts.now.words.is_empty();
    let in_case = matches!(parts.now.stance, Some(Stance::When | Stance::Exempts)) && !after_mark;
    let postposed = words[at].is_unspaced();
    match group {
        "forbids" if in_case && !postposed => {}
        "forbids_at_start" if !after_mark => {}
        "forbids" | "forbids_at_start" => {
            let names = until_mark().any(ClauseWord::is_technical);
            let tells = parts.now.stance.is_none() && !after_mark;
            // "must never", "should not be": one prohibition.
            let last = u16::try_from(parts.now.words.len().saturating_sub(1)).ok();
            if parts.now.stance == Some(Stance::Prescribes)
                && parts.now.marker.is_some()
                && parts.now.marker == last
                && !names
            {
                parts.now.stance = Some(Stance::Forbids);
                parts.now.marker = None;
                return false;
            }
            if tells && !names {
                parts.now.stance = Some(Stance::Forbids);
            } else if parts.now.stance != Some(Stance::Forbids) {
                if tells && parts.now.words.len() <= ITEM_WORDS {
                    parts.now.stance = Some(Stance::Prescribes);
                }
                parts.begin(Some(Stance::Forbids));
            }
        }
        "forbids_before" if !after_mark => {
            parts.now.stance = Some(Stance::Forbids);
            return true;
        }
        "set_against" => {
            parts.now.stance = parts.now.stance.or(Some(Stance::Prescribes));
            parts.begin(Some(Stance::Forbids));
            parts.now.against = true;
        }
        "preferred_over" if parts.now.prefers => parts.begin(Some(Stance::Disfavours)),
        // "with `make test`": only in front of code.
        "prescribes_code" if rest.first().is_none_or(|next| next.code == 0) => {}
        "prescribes" | "prescribes_code" => {
            let turns = words[..at].last().is_some_and(|before| before.is_mark() || turns(before));
            let far = parts.now.words.len() > 1;
            match parts.now.stance {
                None => parts.now.stance = Some(Stance::Prescribes),
                Some(Stance::Forbids) if turns || parts.now.against && far => parts.begin(Some(Stance::Prescribes)),
                Some(Stance::When | Stance::Exempts) if turns || far => parts.begin(Some(Stance::Prescribes)),
                Some(_) => {}
            }
            if parts.now.stance == Some(Stance::Prescribes) && parts.now.marker.is_none() {
                parts.now.marker = u16::try_from(parts.now.words.len()).ok();
            }
            parts.now.prefers |= words[at].text.starts_with("pref") || words[at].text.starts_with("bevorzug");
        }
        "applies_when" if postposed => {
            let ends =
                rest.first().is_none_or(|next| next.is_mark() || find(&rest[..1], &lexicon::CLAUSE_MARKER).len() == 1);
            if ends && !after_mark {
                parts.now.stance = Some(Stance::When);
                return true;
            }
        }
        "applies_when" => parts.begin(Some(Stance::When)),
        "lacking" if parts.now.stance == Some(Stance::Prescribes) => parts.begin(Some(Stance::Forbids)),
        "exempts" | "lacking" => parts.begin(Some(Stance::Exempts)),
        "gives_reason" => parts.begin(None),
        _ => {}
    }
    false
}

/// Whether a word lets a sentence turn to something else.
fn turns(word: &ClauseWord) -> bool {
    lexicon::CLAUSE_MARKER.iter().any(|(group, words)| group == "turns" && words.contains(&word.text.as_str()))
}
