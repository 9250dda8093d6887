//! The matcher of phrases.
//!
//! Enters: a text, and a list of the lexicon. Leaves: whether the text says one of its phrases, anywhere or at its
//! beginning. A phrase is found as words of its own, a star at its end stands for any ending of the word, and what is
//! written without spaces is found inside words too. Never knows what a phrase means.

use memdir_lexicon::List;

use super::han::is_unspaced;

/// A text with its words, and in lower case for the matcher.
#[derive(Debug)]
pub struct PhraseMatcher<'t> {
    /// Its words as they stand.
    pub words: Vec<&'t str>,
    lower: String,
}

impl<'t> PhraseMatcher<'t> {
    /// Splits a text into words, once for all questions about it.
    pub fn new(text: &'t str) -> Self {
        PhraseMatcher { words: text.split_whitespace().collect(), lower: text.to_lowercase().replace('’', "'") }
    }

    /// Whether one of the phrases is said.
    pub fn says(&self, phrases: &List) -> bool {
        phrases.iter().any(|phrase| {
            let stem = phrase.trim_end_matches('*');
            self.lower.match_indices(stem).any(|(at, _)| self.stands(at, phrase))
        })
    }

    /// Whether it begins with one of the phrases.
    pub fn opens(&self, phrases: &List) -> bool {
        let start = self.lower.len() - self.lower.trim_start_matches(|c: char| !c.is_alphanumeric()).len();
        phrases
            .iter()
            .any(|phrase| self.lower[start..].starts_with(phrase.trim_end_matches('*')) && self.stands(start, phrase))
    }

    /// Whether a phrase that begins at this place is there as words of its own.
    fn stands(&self, at: usize, phrase: &str) -> bool {
        let stem = phrase.trim_end_matches('*');
        // 以后 has no spaces around it, and :// no letters to be words of.
        if stem.contains(is_unspaced) || !stem.contains(char::is_alphanumeric) {
            return true;
        }
        let begins = !self.lower[..at].ends_with(is_word);
        let ends = stem.len() < phrase.len() || !self.lower[at + stem.len()..].starts_with(is_word);
        begins && ends
    }

    /// How many words are of a kind.
    pub(crate) fn count(&self, kind: fn(&str) -> bool) -> usize {
        self.words.iter().filter(|w| kind(w)).count()
    }
}

/// What words are made of; a path and a name with dashes are one word each.
fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\'' | '-' | '_' | '/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use memdir_lexicon::{CHANGE, DURABLE, OUTSIDE_PLACE, TO_DO_OPENING};

    #[test]
    fn a_phrase_is_found_as_words_of_its_own() {
        for text in ["Always.", "from now on: tabs", "`never` push", "以后都用中文", "in future, ask", "\nevery time"]
        {
            assert!(PhraseMatcher::new(text).says(&DURABLE), "{text}");
        }
        for text in ["nevertheless", "for now online", "src/never/x.rs", "always-on", "never_mind"] {
            assert!(!PhraseMatcher::new(text).says(&DURABLE), "{text}");
        }
        assert!(!PhraseMatcher::new("the left-hand menu").says(&CHANGE));
    }

    #[test]
    fn a_star_ends_the_beginning_of_a_word() {
        assert!(
            PhraseMatcher::new("two dashboards").says(&OUTSIDE_PLACE)
                && PhraseMatcher::new("see https://x.org").says(&OUTSIDE_PLACE)
        );
        assert!(!PhraseMatcher::new("the subdashboard").says(&OUTSIDE_PLACE));
    }

    #[test]
    fn an_opening_stands_at_the_beginning_alone() {
        assert!(
            PhraseMatcher::new("- TODO: tests").opens(&TO_DO_OPENING)
                && PhraseMatcher::new("下一步:补测试").opens(&TO_DO_OPENING)
        );
        assert!(
            !PhraseMatcher::new("the wip branch").opens(&TO_DO_OPENING)
                && !PhraseMatcher::new("wipe it").opens(&TO_DO_OPENING)
        );
    }
}
