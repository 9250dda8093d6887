//! A line of speech in the form that rules about phrases look at.
//!
//! Enters: one line. Leaves: whether it says one of some phrases, anywhere or at its beginning. Never
//! knows what a phrase means.

/// A line with its words, and in lower case with blanks for marks.
#[derive(Debug)]
pub struct Spoken<'t> {
    /// Its words as they stand.
    pub words: Vec<&'t str>,
    lower: String,
}

impl<'t> Spoken<'t> {
    /// Splits a line into words, once for all questions about it.
    pub fn new(line: &'t str) -> Self {
        let mut lower = String::with_capacity(line.len() + 2);
        lower.push(' ');
        // Marks become blanks, so that a phrase is found at the end of a clause too.
        lower.extend(
            line.to_lowercase().chars().map(|c| {
                if matches!(c, ',' | ';' | '.' | '!' | '?' | '(' | ')' | '"' | '。' | '，') { ' ' } else { c }
            }),
        );
        lower.push(' ');
        Spoken { words: line.split_whitespace().collect(), lower }
    }

    /// Whether one of the phrases is said; they stand between bars, and a star ends the
    /// beginning of a word. Chinese is found inside words too.
    pub fn says(&self, phrases: &str) -> bool {
        phrases.split('|').any(|phrase| match phrase.strip_suffix('*') {
            Some(beginning) => self.lower.contains(&format!(" {beginning}")),
            None if phrase.is_ascii() && phrase != "://" => self.lower.contains(&format!(" {phrase} ")),
            None => self.lower.contains(phrase),
        })
    }

    /// The same for the words that the line begins with.
    pub fn opens(&self, phrases: &str) -> bool {
        let start = self.lower.trim_start();
        phrases.split('|').any(|phrase| match phrase.strip_suffix('*') {
            Some(beginning) => start.starts_with(beginning),
            None if phrase.is_ascii() => start.starts_with(&format!("{phrase} ")),
            None => start.starts_with(phrase),
        })
    }

    /// How many words are of a kind.
    pub(crate) fn count(&self, kind: fn(&str) -> bool) -> usize {
        self.words.iter().filter(|w| kind(w)).count()
    }
}
