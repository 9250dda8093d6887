//! Words that mean the same in notes about software work, in both languages.
//!
//! Enters: a folded English word, or a place in Chinese text. Leaves: the word that stands for its
//! group. Never groups words that only belong together: `test` and `ci` are different things.

use std::collections::HashMap;
use std::sync::LazyLock;

use memdir_lexicon as lexicon;

use super::words::stem;

struct ConceptTable {
    english: HashMap<String, &'static str>,
    /// By first character, longest first, so that 测试环境 is not read as 测试.
    han: HashMap<char, Vec<(&'static str, &'static str)>>,
}

static TABLE: LazyLock<ConceptTable> = LazyLock::new(|| {
    let mut table = ConceptTable { english: HashMap::new(), han: HashMap::new() };
    for (concept, words) in lexicon::CONCEPT.iter() {
        for word in words {
            match word.chars().next() {
                Some(c) if !c.is_ascii() => table.han.entry(c).or_default().push((word, concept)),
                _ => {
                    table.english.insert(stem(word), concept);
                }
            }
        }
    }
    for words in table.han.values_mut() {
        words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    }
    table
});

/// The group of a folded English word.
pub(super) fn of(stem: &str) -> Option<&'static str> {
    TABLE.english.get(stem).copied()
}

/// The group of the Chinese word that `text` begins with, and how many characters it has.
pub(super) fn han(text: &str) -> Option<(&'static str, usize)> {
    let words = TABLE.han.get(&text.chars().next()?)?;
    let (word, head) = words.iter().find(|(word, _)| text.starts_with(word))?;
    Some((head, word.chars().count()))
}
