//! What the words of a clause tell, regardless of speaker and subject.
//!
//! Enters: one clause or sentence. Leaves: yes or no to the questions the judge asks. Phrases only, in
//! English and Chinese; what they cannot tell, a model does.

use memdir_lexicon::{self as lexicon, List};

use super::spoken::Spoken;

/// What a clause says of itself.
#[derive(Debug)]
pub struct Clause<'t> {
    /// Its words.
    pub text: &'t str,
    spoken: Spoken<'t>,
}

impl<'t> Clause<'t> {
    /// Reads a clause.
    pub fn new(text: &'t str) -> Clause<'t> {
        Clause { text, spoken: Spoken::new(text) }
    }

    /// It holds from now on.
    pub fn is_durable(&self) -> bool {
        self.spoken.says(&lexicon::DURABLE)
    }

    /// A rule for the future, in so many words.
    pub fn ordains(&self) -> bool {
        self.spoken.says(&lexicon::ORDAINED) && self.commands() && !self.spoken.says(&lexicon::ORDAINED_OTHERWISE)
    }

    /// It repeats what a page or a program says.
    pub fn is_hearsay(&self) -> bool {
        self.spoken.says(&lexicon::HEARSAY)
    }

    /// Bound to the task at hand; a word for "always" beside it wins.
    pub fn is_ephemeral(&self) -> bool {
        self.spoken.says(&lexicon::EPHEMERAL) && !self.is_durable()
    }

    /// It is not decided, or not so.
    pub fn is_doubtful(&self) -> bool {
        // "maybe 20 minutes" is only rough.
        let words = &self.spoken.words;
        let maybe = words.windows(2).any(|pair| {
            let word = pair[0].to_lowercase();
            (word == "maybe" || word == "perhaps") && !pair[1].starts_with(|c: char| c.is_ascii_digit())
        });
        let guessed = self.text.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase().ends_with(" i think");
        self.spoken.says(&lexicon::DOUBTFUL) || maybe || guessed
    }

    /// The opposite is meant.
    pub fn is_sarcastic(&self) -> bool {
        self.spoken.says(&lexicon::SARCASTIC) && !self.is_durable_order()
    }

    fn is_durable_order(&self) -> bool {
        self.spoken.says(&lexicon::ORDAINED) && self.commands()
    }

    /// What was said before does not count.
    pub fn retracts(&self) -> bool {
        self.spoken.says(&lexicon::RETRACTED)
    }

    /// It tells how to work.
    pub fn is_normative(&self) -> bool {
        self.spoken.says(&lexicon::NORMATIVE) || self.spoken.opens(&lexicon::IMPERATIVE)
    }

    /// A direct wish addressed to the assistant, not a fact with "must" in it.
    pub fn commands(&self) -> bool {
        self.spoken.opens(&lexicon::IMPERATIVE) || self.spoken.says(&lexicon::COMMAND)
    }

    /// It begins with what to do.
    pub fn commands_first(&self) -> bool {
        self.spoken.opens(&lexicon::IMPERATIVE) || self.spoken.opens(&lexicon::WISH_OPENING)
    }

    /// One way of working rather than another.
    pub fn prefers_over(&self) -> bool {
        let said = self.spoken.opens(&lexicon::PREFERENCE_OPENING) && self.spoken.says(&lexicon::PREFERENCE_CONTRAST);
        // Rather this than that, of what the assistant shows.
        let han = self.spoken.says(&lexicon::PREFERENCE) && self.spoken.says(&lexicon::PREFERENCE_CONTRAST);
        said || han
    }

    /// It says who the person is, what they know or what they need.
    pub fn tells_identity(&self) -> bool {
        self.spoken.says(&lexicon::IDENTITY)
    }

    /// It holds until a day, or something happens on it.
    pub fn is_dated_plan(&self) -> bool {
        self.spoken.says(&lexicon::DATED_PLAN)
    }

    /// It gives a reason.
    pub fn is_reason(&self) -> bool {
        self.spoken.says(&lexicon::REASON)
    }

    /// It is about the person who speaks.
    pub fn is_about_self(&self) -> bool {
        self.spoken.says(&lexicon::ABOUT_SELF)
    }

    /// Something is no longer what it was.
    pub fn changes(&self) -> bool {
        self.spoken.says(&lexicon::CHANGE) || self.spoken.says(&lexicon::CHANGE_HINT)
    }

    /// A choice is approved in so many words.
    pub fn approves(&self) -> bool {
        self.spoken.says(&lexicon::APPROVED)
    }

    /// It opens like a request.
    pub fn requests(&self) -> bool {
        // "build minutes are capped" is no request: it has a verb of its own.
        let words = self.spoken.words.iter().skip(1).take(3);
        let states = words.into_iter().any(|word| lexicon::STATEMENT_VERB.contains(word));
        // Whoever wants an answer wants it now.
        let answer = self.spoken.opens(&lexicon::IMPERATIVE) && self.spoken.says(&lexicon::WANTS_ANSWER);
        (self.spoken.opens(&lexicon::TASK_OPENING) && !states) || answer
    }

    /// It only says that something will be explained.
    pub fn announces(&self) -> bool {
        self.spoken.opens(&lexicon::ANNOUNCEMENT)
    }

    /// Something does not work.
    pub fn malfunctions(&self) -> bool {
        self.spoken.says(&lexicon::MALFUNCTION) && !self.spoken.opens(&lexicon::CONDITION)
    }

    /// Nobody has written it down.
    pub fn is_unwritten(&self) -> bool {
        self.spoken.says(&lexicon::UNWRITTEN)
    }

    /// The assistant did something that was not wanted.
    pub fn complains(&self) -> bool {
        self.spoken.says(&lexicon::COMPLAINT)
    }

    /// It is taken as a rule for later.
    pub fn promises(&self) -> bool {
        self.spoken.says(&lexicon::PROMISED)
    }

    /// Something else keeps it already.
    pub fn is_kept_elsewhere(&self) -> bool {
        self.spoken.says(&lexicon::KEPT_ELSEWHERE)
    }

    /// Two clauses or more that tell which part of a program has or does what.
    pub fn lists_structure(&self) -> bool {
        let lists = |part: &str| {
            let words: Vec<String> = part.split_whitespace().map(str::to_lowercase).collect();
            (2..=7).contains(&words.len()) && words[1..].iter().take(2).any(|word| lexicon::PART_VERB.contains(word))
        };
        self.text.split([',', ';', '，']).filter(|part| lists(part)).count() >= 2
    }

    /// Something is as it is for a reason.
    pub fn explains_choice(&self) -> bool {
        self.spoken.says(&lexicon::DELIBERATE)
    }

    /// Whether nothing but small words is said.
    pub fn is_acknowledgement(&self) -> bool {
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

    /// It may ask, without a mark that says so.
    pub fn sounds_asking(&self) -> bool {
        self.spoken.opens(&lexicon::QUESTION_OPENING)
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
    let words = text.split_whitespace().filter(|word| word.chars().any(|c| c.is_ascii_alphanumeric())).count();
    words + unspaced.div_ceil(2)
}
