//! What a memory's words say about it: is it a usage note, a warning, news that replaces something?
//!
//! Enters: a name and a description, English or Chinese. Leaves: yes or no to each question. Judged by
//! single words, so it is a hint to be weighed with others, never a verdict.

use super::tokens::{TokenShape, Tokenizer};
use memdir_lexicon::{self as lexicon, List};
use std::collections::HashSet;
use std::sync::LazyLock;

/// A set of terms in the spelling of the index.
pub(super) struct Terms(HashSet<String>);

impl Terms {
    /// The single words of some lists: of a phrase, each word alone says something else.
    fn new(lists: &[&List]) -> Terms {
        let mut terms = HashSet::new();
        let mut tokenizer = Tokenizer::default();
        for word in lists.iter().flat_map(|list| list.iter()).filter(|word| !word.contains(' ')) {
            tokenizer.each(word, |token| {
                terms.insert(token.text.to_string());
            });
        }
        Terms(terms)
    }

    /// How many of the terms are in it.
    pub(super) fn count(&self, terms: &HashSet<String>) -> usize {
        terms.iter().filter(|term| self.0.contains(*term)).count()
    }

    /// Whether any of the terms is in it.
    pub(super) fn any(&self, terms: &HashSet<String>) -> bool {
        terms.iter().any(|term| self.0.contains(term))
    }
}

pub(super) static USAGE_WORDS: LazyLock<Terms> = LazyLock::new(|| Terms::new(&[&lexicon::USAGE_NOTE]));
pub(super) static WARNING_WORDS: LazyLock<Terms> = LazyLock::new(|| Terms::new(&[&lexicon::WARNING]));
pub(super) static CHANGE_WORDS: LazyLock<Terms> =
    LazyLock::new(|| Terms::new(&[&lexicon::CHANGE, &lexicon::CHANGE_HINT, &lexicon::NEWER_STATE]));
pub(super) static PAST_WORDS: LazyLock<Terms> = LazyLock::new(|| Terms::new(&[&lexicon::PAST_STATE]));

/// The distinct terms of some texts. Identifiers come whole and in parts.
pub(super) fn terms(tokenizer: &mut Tokenizer, texts: &[&str]) -> HashSet<String> {
    let mut terms = HashSet::new();
    for text in texts {
        tokenizer.each(text, |token| {
            if token.shape != TokenShape::Whole || token.text.len() > 3 {
                terms.insert(token.text.to_string());
            }
        });
    }
    terms
}
