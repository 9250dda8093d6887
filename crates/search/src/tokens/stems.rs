//! English words by their stems, so that "retries" and "retried" meet.
//!
//! Enters: a spelled term. Leaves: the term as it is indexed. What is not an English word by its letters and its length is
//! left as it is. Never remembers more than [`STEMS`] words.

use std::collections::HashMap;

use frostem::{Algorithm, Stemmer};

use super::{Token, TokenShape};

/// A stem is only looked for in words of a length that English has; `aws` and `ios` are not plurals.
const STEM_BYTES: std::ops::RangeInclusive<usize> = 4..=30;
/// Stems remembered while a store is indexed; the words of a language are few and stemming is not free.
const STEMS: usize = 1 << 15;

/// Knows the stems of the words it has met; the rest it makes.
pub(super) struct Stems {
    stemmer: Stemmer,
    known: HashMap<Box<str>, Box<str>>,
}

impl Default for Stems {
    fn default() -> Self {
        Stems { stemmer: Stemmer::new(Algorithm::English), known: HashMap::new() }
    }
}

impl Stems {
    /// Hands on a term by its stem.
    pub(super) fn put(&mut self, spelled: &str, shape: TokenShape, emit: &mut impl FnMut(Token<'_>)) {
        if !stemmable(spelled) {
            return emit(Token { text: spelled, spelled, shape });
        }
        if let Some(text) = self.known.get(spelled) {
            return emit(Token { text, spelled, shape });
        }
        let text = self.stemmer.stem(spelled);
        emit(Token { text: &text, spelled, shape });
        if self.known.len() < STEMS {
            self.known.insert(spelled.into(), text.into());
        }
    }
}

fn stemmable(text: &str) -> bool {
    STEM_BYTES.contains(&text.len()) && text.bytes().all(|b| b.is_ascii_lowercase())
}
