//! What the small words of a sentence do, in the language that it is written in.
//!
//! Enters: the sentence, then its words in small letters. Leaves: whether a word says something by itself, begins to say something of the
//! topic, leads on, or denies. A word of one language ("no", "alle") is nothing but a word in another; where nothing tells the language,
//! the lists of all count. Never knows a name or a noun.

use super::bare;
use memdir_lexicon::{self as lexicon, Lang, List};

/// The small words of the language of one sentence.
pub(super) struct SmallWords {
    /// `None`: nothing tells.
    lang: Option<Lang>,
}

impl SmallWords {
    /// Those of the language whose small words a sentence says most often.
    pub(super) fn of(sentence: &str) -> SmallWords {
        let words: Vec<String> = sentence.split_whitespace().map(bare).collect();
        let (mut best, mut most) = (None, 0);
        for lang in Lang::ALL {
            let own = SmallWords { lang: Some(*lang) };
            let count = words.iter().filter(|word| own.is_small(word)).count();
            if count >= most && count > 0 {
                (best, most) = (Some(*lang).filter(|_| count > most), count);
            }
        }
        SmallWords { lang: best }
    }

    /// Whether a word says something by itself.
    pub(super) fn carries(&self, word: &str) -> bool {
        let lists = [&lexicon::STOP_WORD, &lexicon::LOOSE_END, &lexicon::FUNCTION_WORD];
        let small = [&lexicon::DENIES_NEXT, &lexicon::NAME_OPENING];
        !lists.iter().chain(&small).any(|list| self.has(list, word))
    }

    /// Whether it ends the topic of a sentence.
    pub(super) fn says_more(&self, word: &str) -> bool {
        self.has(&lexicon::TITLE_BREAK, word)
    }

    /// Whether it only leads on to what follows.
    pub(super) fn leads_on(&self, word: &str) -> bool {
        self.has(&lexicon::LOOSE_END, word)
    }

    /// Whether it joins what stands before it with more of its kind.
    pub(super) fn joins(&self, word: &str) -> bool {
        self.has(&lexicon::JOINS, word)
    }

    /// Whether it denies what follows.
    pub(super) fn denies(&self, word: &str) -> bool {
        self.has(&lexicon::DENIES_NEXT, word)
    }

    /// Whether it is an article or the like.
    pub(super) fn is_article(&self, word: &str) -> bool {
        self.has(&lexicon::NAME_OPENING, word)
    }

    fn is_small(&self, word: &str) -> bool {
        !self.carries(word) || self.says_more(word)
    }

    fn has(&self, list: &List, word: &str) -> bool {
        match self.lang {
            Some(lang) => list.of(lang).binary_search(&word).is_ok(),
            None => list.contains(word),
        }
    }
}
