//! What the words of a clause tell, regardless of speaker and subject.
//!
//! Enters: one clause or sentence. Leaves: yes or no to the questions the judge asks. Phrases only, in
//! English and Chinese; what they cannot tell, the classifier does.

use super::phrases::{
    ACKNOWLEDGED, APPROVED, CHANGED, COMPLAINT, DELIBERATE, DOUBTFUL, DURABLE, EPHEMERAL, HEARSAY, IDENTITY,
    IMPERATIVE, KEPT_ELSEWHERE, MALFUNCTION, NORMATIVE, ORDAINED, PROMISED, REASON, RETRACTED, SARCASTIC, SELF, TASK,
    UNWRITTEN,
};
use memdir_reader::spoken::Spoken;

/// What a clause says of itself.
#[derive(Debug)]
pub(super) struct Clause<'t> {
    pub(super) text: &'t str,
    spoken: Spoken<'t>,
}

impl<'t> Clause<'t> {
    pub(super) fn new(text: &'t str) -> Clause<'t> {
        Clause { text, spoken: Spoken::new(text) }
    }

    pub(super) fn is_durable(&self) -> bool {
        self.spoken.says(DURABLE)
    }

    /// A rule for the future, in so many words.
    pub(super) fn ordains(&self) -> bool {
        self.spoken.says(ORDAINED) && self.commands() && !self.spoken.says("点以后|分以后|in this session|this session")
    }

    /// It repeats what a page or a program says.
    pub(super) fn is_hearsay(&self) -> bool {
        self.spoken.says(HEARSAY)
    }

    /// Bound to the task at hand; a word for "always" beside it wins.
    pub(super) fn is_ephemeral(&self) -> bool {
        self.spoken.says(EPHEMERAL) && !self.is_durable()
    }

    pub(super) fn is_doubtful(&self) -> bool {
        // "maybe 20 minutes" is only rough.
        let words = &self.spoken.words;
        let maybe = words.windows(2).any(|pair| {
            let word = pair[0].to_lowercase();
            (word == "maybe" || word == "perhaps") && !pair[1].starts_with(|c: char| c.is_ascii_digit())
        });
        let guessed = self.text.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase().ends_with(" i think");
        self.spoken.says(DOUBTFUL) || maybe || guessed
    }

    /// The opposite is meant.
    pub(super) fn is_sarcastic(&self) -> bool {
        self.spoken.says(SARCASTIC) && !self.is_durable_order()
    }

    fn is_durable_order(&self) -> bool {
        self.spoken.says(ORDAINED) && self.commands()
    }

    pub(super) fn retracts(&self) -> bool {
        self.spoken.says(RETRACTED)
    }

    pub(super) fn is_normative(&self) -> bool {
        self.spoken.says(NORMATIVE) || self.spoken.opens(IMPERATIVE)
    }

    /// A direct wish addressed to the assistant, not a fact with "must" in it.
    pub(super) fn commands(&self) -> bool {
        self.spoken.opens(IMPERATIVE)
            || self.spoken.says("please|don't|dont|never|always|ask me|tell me|show me|from now on|going forward|以后|别|不要|请|先给我|一律")
    }

    /// It begins with what to do.
    pub(super) fn commands_first(&self) -> bool {
        self.spoken.opens(IMPERATIVE)
            || self.spoken.opens("i prefer|i'd prefer|i want|i like|i'd like|i'd rather|以后|别|不要|请|先|统一|一律")
    }

    /// One way of working rather than another.
    pub(super) fn prefers_over(&self) -> bool {
        let said = self.spoken.opens("i prefer|i'd prefer|i want|i'd rather|i like|prefer")
            && self.spoken.says("no|not|instead|over|rather|never|without|than");
        // Rather this than that, of what the assistant shows.
        let han = self.spoken.says("我不喜欢|我不想|我喜欢|我更喜欢|我想要|我希望")
            && self.spoken.says("直接|就行|就好|而不是|别|不要|只要|给我");
        said || han
    }

    /// It says who the person is, what they know or what they need.
    pub(super) fn tells_identity(&self) -> bool {
        self.spoken.says(IDENTITY)
    }

    /// It holds until a day, or something happens on it.
    pub(super) fn is_dated_plan(&self) -> bool {
        self.spoken.says("until|till|by|due|deadline|freeze|starts|ends|launch*|go-live|from|截止|之前|前|开始|到")
    }

    pub(super) fn is_reason(&self) -> bool {
        self.spoken.says(REASON)
    }

    pub(super) fn is_about_self(&self) -> bool {
        self.spoken.says(SELF)
    }

    pub(super) fn changes(&self) -> bool {
        self.spoken.says(CHANGED)
    }

    /// A choice is approved in so many words.
    pub(super) fn approves(&self) -> bool {
        self.spoken.says(APPROVED)
    }

    /// It opens like a request.
    pub(super) fn requests(&self) -> bool {
        // "build minutes are capped" is no request: it has a verb of its own.
        let words = self.spoken.words.iter().skip(1).take(3);
        let states = words
            .into_iter()
            .any(|word| ["is", "are", "was", "were", "has", "have", "go", "goes", "come"].contains(word));
        // Whoever wants an answer wants it now.
        let answer = self.spoken.opens(IMPERATIVE)
            && self.spoken.says(
                "and tell me|and show me|and give me|and explain|and summarise|and summarize|and list|and report|tell me which|tell me what|\
                 tell me how|tell me whether|tell me if|tell me why|tell me where|let me know which|let me know what|let me know if|告诉我",
            );
        (self.spoken.opens(TASK) && !states) || answer
    }

    /// It only says that something will be explained.
    pub(super) fn announces(&self) -> bool {
        self.spoken.opens("let me explain|let me show|let me tell|let me describe|i'll explain|i will explain|i'll show|我来解释|我说一下|我解释一下|我给你讲")
    }

    pub(super) fn malfunctions(&self) -> bool {
        self.spoken.says(MALFUNCTION) && !self.spoken.opens("when|whenever|if|once|如果|一旦")
    }

    pub(super) fn is_unwritten(&self) -> bool {
        self.spoken.says(UNWRITTEN)
    }

    pub(super) fn complains(&self) -> bool {
        self.spoken.says(COMPLAINT)
    }

    pub(super) fn promises(&self) -> bool {
        self.spoken.says(PROMISED)
    }

    pub(super) fn is_kept_elsewhere(&self) -> bool {
        self.spoken.says(KEPT_ELSEWHERE)
    }

    /// Two clauses or more that tell which part of a program has or does what.
    pub(super) fn lists_structure(&self) -> bool {
        const VERBS: &[&str] = &[
            "has", "have", "holds", "contains", "wires", "handles", "calls", "talks", "imports", "exports", "wraps",
            "owns", "does",
        ];
        let lists = |part: &str| {
            let words: Vec<String> = part.split_whitespace().map(str::to_lowercase).collect();
            (2..=7).contains(&words.len()) && words[1..].iter().take(2).any(|word| VERBS.contains(&word.as_str()))
        };
        self.text.split([',', ';', '，']).filter(|part| lists(part)).count() >= 2
    }

    pub(super) fn explains_choice(&self) -> bool {
        self.spoken.says(DELIBERATE)
    }

    /// Whether nothing but small words is said.
    pub(super) fn is_acknowledgement(&self) -> bool {
        let bare = self.text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        ACKNOWLEDGED.split('|').any(|word| word.trim_start() == bare)
    }

    /// Whether it asks; a wish in the form of a question does not.
    pub(super) fn asks(&self) -> bool {
        let marked = self.text.trim_end().ends_with(['?', '？']);
        let bare = self.text.trim_end_matches(['?', '？', '。', ' ']);
        let last: String = bare.chars().rev().take(6).collect::<Vec<_>>().into_iter().rev().collect();
        let particle = bare.ends_with(['吗', '呢', '么', '不'])
            || ["什么", "怎么", "哪里", "哪个", "哪些", "多少", "如何", "为什么", "哪儿", "谁"]
                .iter()
                .any(|word| last.contains(word));
        let wish = self.spoken.opens(
            "can you stop|could you stop|can you please|could you please|can you not|would you please|can you always|can you never",
        );
        (marked || particle) && !wish
    }

    /// It may ask, without a mark that says so.
    pub(super) fn sounds_asking(&self) -> bool {
        self.spoken.opens(
            "why|what|what's|whats|how|where|who|which|when is|when does|when did|is there|is it|is the|are there|are we|do we|\
             does|did|can we|could we|should i|should we|shall i|any idea|have we|has|was|were|will it|为什么|怎么|哪里|哪个|是不是|\
             有没有|能不能|谁|什么",
        )
    }

    /// How much is said: words, with two Chinese characters as one.
    pub(super) fn length(&self) -> usize {
        length(self.text)
    }

    pub(super) fn says(&self, phrases: &str) -> bool {
        self.spoken.says(phrases)
    }

    pub(super) fn opens(&self, phrases: &str) -> bool {
        self.spoken.opens(phrases)
    }
}

/// How much is said: words, with two Chinese characters as one.
pub(super) fn length(text: &str) -> usize {
    let unspaced = text.chars().filter(|c| memdir_reader::han::is_unspaced(*c)).count();
    let words = text.split_whitespace().filter(|word| word.chars().any(|c| c.is_ascii_alphanumeric())).count();
    words + unspaced.div_ceil(2)
}
