//! The topic of a clause: what a memory is called by.
//!
//! Enters: the first clause of a statement. Leaves: the part of it that stands before something is said of it, or as much as a name holds,
//! ending where a phrase ends. Never a part that says the opposite.

use super::super::han::is_unspaced;
use super::bare;
use super::words::SmallWords;
use memdir_lexicon as lexicon;

/// A clause of so many words is a name as it stands; a longer one is cut down to its topic.
const SHORT_WORDS: usize = 5;
const SHORT_CHARS: usize = 40;
/// The most words of a topic.
const TOPIC_WORDS: usize = 6;
/// One more phrase may stand behind them rather than half of it.
const WIDE_WORDS: usize = 8;
/// The most characters of a topic, and of one that is written without spaces.
const TOPIC_CHARS: usize = 44;
const WIDE_CHARS: usize = 52;
const TOPIC_UNSPACED: usize = 16;

/// A word of a clause.
struct TitleWord<'c> {
    /// In small letters, without marks.
    bare: String,
    text: &'c str,
    start: usize,
}

impl TitleWord<'_> {
    fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The topic of a clause: what stands before the word that begins to say something of it.
pub(super) fn topic<'c>(clause: &'c str, small: &SmallWords) -> &'c str {
    let unspaced = clause.chars().filter(|c| is_unspaced(*c)).count();
    if unspaced * 2 > clause.chars().count() {
        return unspaced_topic(clause);
    }
    let words: Vec<TitleWord<'_>> = clause
        .split_whitespace()
        .map(|text| TitleWord { bare: bare(text), text, start: text.as_ptr() as usize - clause.as_ptr() as usize })
        .collect();
    if words.len() <= SHORT_WORDS && clause.chars().count() <= SHORT_CHARS {
        return clause;
    }
    let places = cuts(&words, small);
    let chars = |at: usize| clause[..at].trim_end().chars().count();
    // "When you write SQL for the warehouse" is nothing before its end.
    let conditional = lexicon::CONDITION_OPENING.iter().any(|word| opens(clause, word));
    if !conditional && let Some(cut) = places.iter().find(|cut| cut.says_more && cut.word <= TOPIC_WORDS) {
        return clause[..words[cut.word].start].trim_end();
    }
    let whole =
        |words_limit: usize, chars_limit: usize| words.len() <= words_limit && chars(clause.len()) <= chars_limit;
    let within = |words_limit: usize, chars_limit: usize, splits: bool| {
        let fits = |cut: &&TitleCut| {
            cut.splits == splits && cut.word <= words_limit && chars(words[cut.word].start) <= chars_limit
        };
        places.iter().rev().find(fits).map(|cut| words[cut.word].start)
    };
    // To drop only the last word would save nothing.
    if whole(TOPIC_WORDS + 1, TOPIC_CHARS) || (conditional && whole(WIDE_WORDS, WIDE_CHARS)) {
        return clause;
    }
    let short = within(TOPIC_WORDS, TOPIC_CHARS, false);
    if short.is_none() && whole(WIDE_WORDS, WIDE_CHARS) {
        return clause;
    }
    let wide = || within(WIDE_WORDS, WIDE_CHARS, false).or_else(|| within(WIDE_WORDS, WIDE_CHARS, true));
    match short.or_else(wide) {
        Some(end) => clause[..end].trim_end(),
        None => hard_cut(clause, &words, small),
    }
}

/// A place where a topic may end.
struct TitleCut {
    /// The first word that no longer belongs to it.
    word: usize,
    /// That word begins to say something of the topic.
    says_more: bool,
    /// It is an article: what stands before it may be a verb that is nothing without its object.
    splits: bool,
}

/// The places where a phrase ends and enough was said.
fn cuts(words: &[TitleWord<'_>], small: &SmallWords) -> Vec<TitleCut> {
    let (mut cuts, mut carrying, mut depth) = (Vec::new(), 0, 0i32);
    let leads = |word: &TitleWord<'_>| !small.carries(&word.bare) || small.says_more(&word.bare);
    for (at, word) in words.iter().enumerate() {
        let says_more = small.says_more(&word.bare);
        // "The prices do not" and "invoices over 5000" wait for their next word.
        let ends = at >= 2 && depth == 0 && !waits_for_more(&words[at - 1].bare, small);
        let phrase = |before: &TitleWord<'_>| before.text.ends_with([')', '）']) || (leads(word) && !leads(before));
        // "The docs and tests" of the API, "decides the price and nobody" else: one word is no second part.
        let ends = ends && !small.joins(&words[at - 2].bare);
        if ends && carrying >= 2 && (says_more || phrase(&words[at - 1])) {
            cuts.push(TitleCut { word: at, says_more, splits: small.is_article(&word.bare) });
        }
        depth += word.text.chars().map(|c| i32::from(c == '(') - i32::from(c == ')')).sum::<i32>();
        carrying += usize::from(small.carries(&word.bare));
    }
    cuts
}

/// As many words as fit, where no phrase ends in time.
fn hard_cut<'c>(clause: &'c str, words: &[TitleWord<'_>], small: &SmallWords) -> &'c str {
    let fits = |at: usize| at <= TOPIC_WORDS && clause[..words[at - 1].end()].chars().count() <= TOPIC_CHARS;
    let most = (1..=words.len()).rev().find(|at| fits(*at)).unwrap_or(1);
    let mut at = most;
    while at < words.len() && waits_for_more(&words[at - 1].bare, small) {
        at += 1;
    }
    &clause[..words[at - 1].end()]
}

/// Whether a clause begins with these words.
fn opens(clause: &str, words: &str) -> bool {
    let mut said = clause.split_whitespace().map(bare);
    words.split(' ').all(|word| said.next().is_some_and(|other| other == word))
}

/// Whether a name cannot end with this word: a number without its unit, or a "no" without what is denied.
fn waits_for_more(word: &str, small: &SmallWords) -> bool {
    small.denies(word) || (!word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',')))
}

/// The same where no spaces part the words.
fn unspaced_topic(clause: &str) -> &str {
    if clause.chars().count() <= TOPIC_UNSPACED {
        return clause;
    }
    for (count, (at, _)) in clause.char_indices().enumerate() {
        let breaks = lexicon::TITLE_BREAK.iter().any(|word| !word.is_ascii() && clause[at..].starts_with(word));
        let listed = clause[at..].starts_with('、');
        let cuts_name = clause[..at].ends_with(|c: char| c.is_ascii_alphanumeric())
            && clause[at..].starts_with(|c: char| c.is_ascii_alphanumeric());
        if !cuts_name && (count >= TOPIC_UNSPACED || (count >= 4 && breaks) || (count >= 6 && listed)) {
            return &clause[..at];
        }
    }
    clause
}
