//! What the words of a clause tell, regardless of speaker and subject.
//!
//! Enters: one clause or sentence. Leaves: yes or no to the questions the judge asks. Phrases only, in
//! English and Chinese; what they cannot tell, a model does.

use memdir_lexicon::{self as lexicon, List};

use super::phrase_match::PhraseMatcher;

/// What a clause says of itself.
#[derive(Debug)]
pub struct ClauseCues<'t> {
    /// Its words.
    pub text: &'t str,
    spoken: PhraseMatcher<'t>,
}

impl<'t> ClauseCues<'t> {
    /// Reads a clause.
    pub fn new(text: &'t str) -> ClauseCues<'t> {
        ClauseCues { text, spoken: PhraseMatcher::new(text) }
    }

    /// It holds from now on.
    fn is_durable(&self) -> bool {
        self.spoken.says(&lexicon::DURABLE)
    }

    /// It repeats what a page or a program says.
    pub(crate) fn is_hearsay(&self) -> bool {
        self.spoken.says(&lexicon::HEARSAY)
    }

    /// Bound to the task at hand; a word for "always" beside it wins.
    pub(crate) fn is_ephemeral(&self) -> bool {
        self.spoken.says(&lexicon::EPHEMERAL) && !self.is_durable()
    }

    /// It is not decided, or not so.
    pub(crate) fn is_doubtful(&self) -> bool {
        // "maybe 20 minutes" is only rough.
        let words = &self.spoken.words;
        let maybe = words.windows(2).any(|pair| {
            let word = pair[0].to_lowercase();
            (word == "maybe" || word == "perhaps") && !pair[1].starts_with(|c: char| c.is_ascii_digit())
        });
        let guessed = self.text.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase().ends_with(" i think");
        self.spoken.says(&lexicon::DOUBTFUL) || maybe || guessed
    }

    /// What was said before does not count.
    pub fn retracts(&self) -> bool {
        self.spoken.says(&lexicon::RETRACTED)
    }

    /// It only says that something will be explained.
    pub fn announces(&self) -> bool {
        self.spoken.opens(&lexicon::ANNOUNCEMENT)
    }

    /// Whether nothing but small words is said.
    pub(crate) fn is_acknowledgement(&self) -> bool {
        let bare = self.text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        lexicon::ACKNOWLEDGEMENT.contains(&bare)
    }

    /// Whether it asks; a wish in the form of a question does not.
    pub fn asks(&self) -> bool {
        let marked = self.text.trim_end().ends_with(['?', '？']);
        let bare = self.text.trim_end_matches(['?', '？', '。', ' ']);
        let last: String = bare.chars().rev().take(6).collect::<Vec<_>>().into_iter().rev().collect();
        // "write down why" gives an order.
        let worded = !self.spoken.says(&lexicon::INDIRECT_QUESTION)
            && lexicon::QUESTION_WORD.iter().any(|word| last.contains(word));
        let particle = bare.ends_with(['吗', '呢', '么', '不']) || worded;
        let wish = self.spoken.opens(&lexicon::POLITE_REQUEST);
        (marked || particle) && !wish
    }

    /// How much is said: words, with two Chinese characters as one.
    pub fn length(&self) -> usize {
        length(self.text)
    }

    /// Whether it says one of the phrases.
    pub fn says(&self, phrases: &List) -> bool {
        self.spoken.says(phrases)
    }

    /// Whether it begins with one of the phrases.
    pub fn opens(&self, phrases: &List) -> bool {
        self.spoken.opens(phrases)
    }
}

/// How much is said: words, with two Chinese characters as one.
pub fn length(text: &str) -> usize {
    let unspaced = text.chars().filter(|c| crate::han::is_unspaced(*c)).count();
    let spaced = |c: char| c.is_alphanumeric() && !crate::han::is_unspaced(c);
    let words = text.split_whitespace().filter(|word| word.contains(spaced)).count();
    words + unspaced.div_ceil(2)
}
