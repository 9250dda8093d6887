//! Reads a text with the vocabulary alone and with the pieces of the languages, and says which reading counts.
//!
//! Each piece has a sign: how much it speaks for one of the languages and against English and Chinese, in sixteenths of a natural
//! logarithm. The signs of the first pieces are added up. So a text in English or Chinese keeps the tokens that it had before
//! there were other languages, and "die" can be an article in German and a verb in English.

use super::piece;
use crate::blob::{SIGNS, START, UNKNOWN};

/// The sum of signs above which a text is in one of the languages; `training/train_languages.py` has the same.
const THRESHOLD: i32 = 64;
/// This many pieces decide, so that it does not depend on how much of a text is read.
const SIGNED: usize = 64;

/// Both readings of a text so far.
pub(super) struct BothReadings {
    plain: Vec<u32>,
    languages: Vec<u32>,
}

impl Default for BothReadings {
    fn default() -> Self {
        Self { plain: vec![START], languages: vec![START] }
    }
}

impl BothReadings {
    pub(super) fn add(&mut self, word: &str) {
        piece::split(piece::VOCABULARY, word, &mut self.plain);
        piece::split(piece::LANGUAGES, word, &mut self.languages);
    }

    pub(super) fn unknown(&mut self) {
        self.plain.push(UNKNOWN);
        self.languages.push(UNKNOWN);
    }

    /// Whether enough is read to choose, and for `most` tokens.
    pub(super) fn reach(&self, most: usize) -> bool {
        self.languages.len() > SIGNED && self.plain.len() >= most && self.languages.len() >= most
    }

    /// The reading that counts.
    pub(super) fn chosen(self) -> Vec<u32> {
        let signs = SIGNS.integers();
        let signed = self.languages[1..].iter().take(SIGNED);
        let sum: i32 = signed.map(|token| i32::from(signs[*token as usize])).sum();
        if sum > THRESHOLD { self.languages } else { self.plain }
    }
}
