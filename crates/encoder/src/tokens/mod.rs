//! Text in, token numbers out: the `WordPiece` tokenizer of an uncased BERT model.
//!
//! Agrees with the `tokenizers` library on every text, with one exception on purpose: a text that spells out `[SEP]` or another
//! marker gets no marker. Reads no further than it must, so a huge text costs no more than its first words.

mod character;
mod piece;

use crate::blob::{END, START};
use character::Kind;

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
            Kind::Part => word.push(char),
            Kind::Dropped => {}
            Kind::Space => word.end(&mut tokens),
            Kind::Alone => {
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
