//! Text in, token numbers out: the `WordPiece` tokenizer of an uncased BERT model.
//!
//! A text is read twice, with the vocabulary alone and with the pieces of the languages, and one of the two is taken (`reading`).
//! Agrees with the `tokenizers` library on every text, with one exception on purpose: a text that spells out `[SEP]` or another
//! marker gets no marker. Reads no further than it must, so a huge text costs no more than its first words.

mod character;
mod piece;
mod reading;

use crate::blob::{END, START};
use character::CharacterKind;
use reading::BothReadings;

/// A word longer than this is unknown, whatever it holds.
const LONGEST_WORD: usize = 100;

/// Splits a text into tokens, with the marker for the start in front and the marker for the end behind.
///
/// Gives at most `limit` tokens, markers included (at least the two markers).
pub(crate) fn tokens(text: impl Iterator<Item = char>, limit: usize) -> Vec<u32> {
    let mut readings = BothReadings::default();
    let most = limit.max(2) - 1;
    let mut word = TokenWord::default();
    for char in text {
        match character::kind(char) {
            CharacterKind::Part => word.push(char),
            CharacterKind::Dropped => {}
            CharacterKind::Space => word.end(&mut readings),
            CharacterKind::Alone => {
                word.end(&mut readings);
                word.push(char);
                word.end(&mut readings);
            }
        }
        if readings.reach(most) {
            break;
        }
    }
    word.end(&mut readings);
    let mut tokens = readings.chosen();
    tokens.truncate(most);
    tokens.push(END);
    tokens
}

/// The tokens of several texts, one behind the other behind the marker for the start. Each is read in its own language.
pub(crate) fn parts<const N: usize>(parts: [&str; N], limit: usize) -> Vec<u32> {
    let mut joined = vec![START];
    for part in parts {
        let part = tokens(part.chars(), limit);
        joined.extend_from_slice(&part[1..part.len() - 1]);
    }
    joined.truncate(limit.max(2) - 1);
    joined.push(END);
    joined
}

/// Joins the tokens of two texts: the first behind the marker for the start, each with the marker for the end behind it.
///
/// Gives at most `limit` tokens, and the place where the second text starts. Where both do not fit, the longer one is cut first.
pub(crate) fn pair(first: Vec<u32>, second: &[u32], limit: usize) -> (Vec<u32>, usize) {
    let room = limit.max(5) - 3;
    let mut joined = first;
    let (one, other) = share(joined.len() - 2, second.len() - 2, room);
    joined.truncate(one + 1);
    joined.push(END);
    let start = joined.len();
    joined.extend_from_slice(&second[1..=other]);
    joined.push(END);
    (joined, start)
}

/// How many tokens each of two texts keeps: the shorter one all of its own while the longer one can give way.
fn share(first: usize, second: usize, room: usize) -> (usize, usize) {
    let (shorter, longer) = (first.min(second), first.max(second));
    let (shorter, longer) = if shorter + longer <= room {
        (shorter, longer)
    } else if 2 * shorter <= room {
        (shorter, room - shorter)
    } else {
        (room / 2, room / 2 + room % 2)
    };
    if first <= second { (shorter, longer) } else { (longer, shorter) }
}

/// The word being read, in lower case and without accents.
#[derive(Default)]
struct TokenWord {
    text: String,
    chars: usize,
}

impl TokenWord {
    fn push(&mut self, char: char) {
        for char in character::plain(char) {
            self.chars += 1;
            if self.chars <= LONGEST_WORD {
                self.text.push(char);
            }
        }
    }

    /// Adds the tokens of the word, if there is one, and starts the next.
    fn end(&mut self, readings: &mut BothReadings) {
        if self.chars > LONGEST_WORD {
            readings.unknown();
        } else if self.chars > 0 {
            readings.add(&self.text);
        }
        self.text.clear();
        self.chars = 0;
    }
}

#[cfg(test)]
mod tests;
