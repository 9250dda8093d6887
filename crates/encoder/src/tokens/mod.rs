//! Text in, token numbers out: the `WordPiece` tokenizer of an uncased BERT model.
//!
//! Agrees with the `tokenizers` library on every text, with one exception on purpose: a text that spells out `[SEP]` or another
//! marker gets no marker. Reads no further than it must, so a huge text costs no more than its first words.

mod character;
mod piece;

use crate::blob::{END, START};
use character::CharacterKind;

/// A word longer than this is unknown, whatever it holds.
const LONGEST_WORD: usize = 100;

/// Splits a text into tokens, with the marker for the start in front and the marker for the end behind.
///
/// Gives at most `limit` tokens, markers included (at least the two markers).
pub(crate) fn tokens(text: impl Iterator<Item = char>, limit: usize) -> Vec<u32> {
    let mut tokens = vec![START];
    let most = limit.max(2) - 1;
    let mut word = Word::default();
    for char in text {
        match character::kind(char) {
            CharacterKind::Part => word.push(char),
            CharacterKind::Dropped => {}
            CharacterKind::Space => word.end(&mut tokens),
            CharacterKind::Alone => {
                word.end(&mut tokens);
                word.push(char);
                word.end(&mut tokens);
            }
        }
        if tokens.len() >= most {
            break;
        }
    }
    word.end(&mut tokens);
    tokens.truncate(most);
    tokens.push(END);
    tokens
}

/// Joins two texts: the first behind the marker for the start, each with the marker for the end behind it.
///
/// Gives at most `limit` tokens, and the place where the second text starts. Where both do not fit, the longer one is cut first.
pub(crate) fn pair(
    first: impl Iterator<Item = char>,
    second: impl Iterator<Item = char>,
    limit: usize,
) -> (Vec<u32>, usize) {
    let room = limit.max(5) - 3;
    let mut joined = tokens(first, limit);
    let second = tokens(second, limit);
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
struct Word {
    text: String,
    chars: usize,
}

impl Word {
    fn push(&mut self, char: char) {
        for char in character::plain(char) {
            self.chars += 1;
            if self.chars <= LONGEST_WORD {
                self.text.push(char);
            }
        }
    }

    /// Adds the tokens of the word, if there is one, and starts the next.
    fn end(&mut self, tokens: &mut Vec<u32>) {
        if self.chars > LONGEST_WORD {
            tokens.push(crate::blob::UNKNOWN);
        } else if self.chars > 0 {
            piece::split(&self.text, tokens);
        }
        self.text.clear();
        self.chars = 0;
    }
}

#[cfg(test)]
mod tests;
