//! The content words of a text, folded so that forms of one word are equal.
//!
//! Enters: text. Leaves: words in order, each as often as it is there. English loses its
//! endings and its stop words, Chinese is cut into known words and then into pairs, words that mean
//! the same in this trade become one. Never looks beyond a line.

use memdir_lexicon as lexicon;

use super::concepts;
use crate::han::is_unspaced;

/// The content words of `text`, folded.
pub fn words(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for_each(text, |word, _| found.push(word));
    found
}

/// Calls `each` with every content word and where in `text` it begins.
pub(super) fn for_each(text: &str, mut each: impl FnMut(String, usize)) {
    let mut rest = 0;
    while rest < text.len() {
        let tail = &text[rest..];
        let Some(c) = tail.chars().next() else { break };
        if is_unspaced(c) {
            let run = tail.find(|c| !is_unspaced(c)).map_or(tail, |end| &tail[..end]);
            han(run, |word, at| each(word, rest + at));
            rest += run.len();
        } else if c.is_alphanumeric() {
            let end = word_end(tail);
            let word = &tail[..end];
            if let Some(word) = folded(word) {
                each(word, rest);
            }
            rest += end;
        } else {
            rest += c.len_utf8();
        }
    }
}

/// Where a word ends: numbers keep their inner points, dashes and colons, as in 2026-04-10 and 3.5.
fn word_end(text: &str) -> usize {
    let number = text.starts_with(|c: char| c.is_ascii_digit());
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let inner =
            number && matches!(c, '.' | '-' | ':' | ',') && chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if is_unspaced(c) || !(c.is_alphanumeric() || inner) {
            return at;
        }
        end = at + c.len_utf8();
    }
    end
}

/// One word in its common form, or nothing if it carries no content.
fn folded(word: &str) -> Option<String> {
    let lower = word.to_lowercase();
    if lexicon::en::STOP_WORD.binary_search(&lower.as_str()).is_ok() {
        return None;
    }
    if lower.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(lower);
    }
    if lower.chars().count() < 2 {
        return None;
    }
    let stem = stem(&lower);
    Some(concepts::of(&stem).map_or(stem, str::to_owned))
}

/// Takes off plural, "ing", "ed", "ly" and a final "e"; short words stay as they are.
pub(super) fn stem(word: &str) -> String {
    if word.len() < 4 || !word.is_ascii() {
        return word.to_owned();
    }
    let mut stem = match word {
        w if w.ends_with("ies") && w.len() > 4 => format!("{}y", &w[..w.len() - 3]),
        w if w.ends_with("sses") || w.ends_with("xes") || w.ends_with("ches") || w.ends_with("shes") => {
            w[..w.len() - 2].to_owned()
        }
        w if w.ends_with('s') && !w.ends_with("ss") && !w.ends_with("us") && !w.ends_with("is") => {
            w[..w.len() - 1].to_owned()
        }
        w => w.to_owned(),
    };
    for ending in ["ing", "ed", "ly"] {
        let Some(shorter) = stem.strip_suffix(ending) else {
            continue;
        };
        let vowel = shorter.contains(['a', 'e', 'i', 'o', 'u', 'y']);
        if shorter.len() < 3 || !vowel {
            continue;
        }
        let bytes = shorter.as_bytes();
        let doubled = bytes.len() > 3
            && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
            && !matches!(bytes[bytes.len() - 1], b's' | b'l' | b'z');
        stem = shorter[..shorter.len() - usize::from(doubled)].to_owned();
        break;
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    stem
}

/// A run of Chinese: known words first, pairs for the rest.
fn han(run: &str, mut each: impl FnMut(String, usize)) {
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    let mut at = 0;
    let mut piece = Vec::new();
    while at < chars.len() {
        if let Some((concept, length)) = concepts::han(&run[chars[at].0..]) {
            pairs(&piece, &mut each);
            piece.clear();
            each(concept.to_owned(), chars[at].0);
            at += length;
        } else {
            if is_stop(chars[at].1) {
                pairs(&piece, &mut each);
                piece.clear();
            } else {
                piece.push(chars[at]);
            }
            at += 1;
        }
    }
    pairs(&piece, &mut each);
}

/// Whether a character only ties words together.
fn is_stop(letter: char) -> bool {
    lexicon::zh::STOP_WORD.binary_search(&&*letter.encode_utf8(&mut [0; 4])).is_ok()
}

fn pairs(piece: &[(usize, char)], each: &mut impl FnMut(String, usize)) {
    match piece {
        [] => {}
        [(at, c)] => each(c.to_string(), *at),
        _ => piece.windows(2).for_each(|p| each(p.iter().map(|(_, c)| c).collect(), p[0].0)),
    }
}

pub(super) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// What a shared word is worth: names and numbers more, everyday words less.
pub(super) fn weight(word: &str) -> f32 {
    if is_number(word) {
        1.2
    } else if lexicon::COMMON_WORD.contains(word) {
        0.5
    } else if !word.is_ascii() {
        // Pairs overlap: a word of three characters makes two of them.
        0.7
    } else if word.len() >= 7 {
        1.2
    } else {
        1.0
    }
}
