//! Which phrases of the lexicon are in a row of words.
//!
//! Enters: words, and a list of phrases. Leaves: where the longest phrase at a place ends. A star at the end of a phrase's word
//! stands for any ending; in text without blanks a phrase may stand anywhere. Code is never a phrase of prose.

use memdir_lexicon::Groups;

use super::words::ClauseWord;
use crate::han::is_unspaced;

/// A phrase that was found: its group, where it begins and how many words it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FoundPhrase {
    pub(super) group: &'static str,
    pub(super) at: usize,
    pub(super) length: usize,
}

/// All phrases of the groups in a row of words, the longest at each place, from left to right and without overlaps.
pub(super) fn find(words: &[ClauseWord], groups: &Groups) -> Vec<FoundPhrase> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let word = &words[at];
        if word.code == 0 && word.is_unspaced() {
            found.extend(unspaced(&word.text, groups).into_iter().map(|(_, group)| FoundPhrase {
                group,
                at,
                length: 1,
            }));
            at += 1;
            continue;
        }
        let here = |phrase: &'static str| spaced(&words[at..], phrase);
        let longest = groups
            .iter()
            .flat_map(|(group, phrases)| {
                phrases.iter().filter_map(move |phrase| Some((here(phrase)?, phrase.len(), group)))
            })
            .max_by_key(|(length, letters, _)| (*length, *letters));
        match longest {
            Some((length, _, group)) => {
                found.push(FoundPhrase { group, at, length });
                at += length;
            }
            None => at += 1,
        }
    }
    found
}

/// How many words a phrase takes at the beginning of a row.
fn spaced(words: &[ClauseWord], phrase: &str) -> Option<usize> {
    // Thousands of phrases are held against each word, and nearly none begins like it.
    let begins =
        |byte: &u8| *byte == b'*' || words.first().is_some_and(|word| word.text.as_bytes().first() == Some(byte));
    if !phrase.as_bytes().first().is_none_or(begins) || phrase.chars().any(is_unspaced) {
        return None;
    }
    let mut length = 0;
    for part in phrase.split(' ') {
        let word = words.get(length).filter(|word| word.code == 0)?;
        let fits = match part.strip_suffix('*') {
            Some(begin) => word.text.starts_with(begin),
            None => word.text == part,
        };
        if !fits {
            return None;
        }
        length += 1;
    }
    Some(length)
}

/// The phrases in a text without blanks with their places; none begins inside of another.
pub(super) fn unspaced(text: &str, groups: &Groups) -> Vec<(usize, &'static str)> {
    let mut found: Vec<(usize, usize, &'static str)> = Vec::new();
    for (group, phrases) in groups.iter() {
        for phrase in phrases.iter().filter(|phrase| phrase.chars().any(is_unspaced)) {
            found.extend(text.match_indices(phrase).map(|(at, _)| (at, at + phrase.len(), group)));
        }
    }
    // From left to right, the longest at each place.
    found.sort_unstable_by_key(|(at, end, group)| (*at, usize::MAX - end, *group));
    let mut whole = Vec::new();
    let (mut from, mut until) = (0, 0);
    for (at, end, group) in found {
        // The same phrase may be in two groups.
        if at >= until || (at, end) == (from, until) {
            whole.push((at, group));
            (from, until) = (at, end);
        }
    }
    whole
}
