//! Sentences: where they end, and which of them a text says.
//!
//! Enters: text. Leaves: its sentences, as they stand or as their bare words. Two sentences are the same only if they
//! have the same words, numbers and names in the same order: nothing is folded, so no fact is taken for another.

use std::collections::BTreeSet;

/// The sentences of a line with what ends them; together they are the line.
pub(crate) fn sentences_of(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let mut letters = rest.char_indices().peekable();
        let mut end = rest.len();
        while let Some((at, letter)) = letters.next() {
            let next = letters.peek().map(|(_, next)| *next);
            let stops = matches!(letter, '。' | '！' | '？' | '।' | '።' | '؟')
                || matches!(letter, '.' | '!' | '?') && next.is_some_and(char::is_whitespace);
            let more = rest[at + letter.len_utf8()..].trim_start();
            if stops && !more.is_empty() {
                end = rest.len() - more.len();
                break;
            }
        }
        let (sentence, left) = rest.split_at(end);
        rest = left;
        (!sentence.is_empty()).then_some(sentence)
    })
}

/// Every sentence of a text by its words alone, without marks, case and line ends.
pub fn said(text: &str) -> BTreeSet<String> {
    let bare = |sentence: &str| {
        let words = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
    };
    text.lines().flat_map(sentences_of).map(bare).filter(|sentence| !sentence.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_its_words_and_no_other_words() {
        assert_eq!(said("- **Use** a real Postgres, never mocks.\n"), said("use a real postgres; never mocks"));
        assert_ne!(said("Use Postgres."), said("Use MySQL."));
        assert!(said("One thing. Another 3.5 thing! Ende。完").contains("another 3 5 thing"));
    }
}
