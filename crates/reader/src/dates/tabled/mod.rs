//! Languages whose dates are read from tables: German, French, Spanish, Portuguese, Italian, Dutch, Russian, Ukrainian, Polish,
//! Czech, Swedish, Danish with Norwegian, Turkish, Indonesian, Vietnamese, Japanese, Korean.
//!
//! Enters: text, what is not prose in it, and the day. Leaves: recognised phrases. Each sentence is read in the language
//! its small words belong to, or in the one its script tells; of the rules of that language the one that reaches
//! furthest wins, and some only say that a phrase is not a date. Never dates a weekday or a day of the month without a sign
//! of one time in its clause (F4).

mod language;
mod matcher;
mod placing;

use std::ops::Range;
use std::sync::LazyLock;

use jiff::civil::Date;

use super::Found;
use super::marks::is_hangul;
use language::{Language, Sense};
use matcher::NamedDate;
use memdir_lexicon::{self as lexicon, DateTable, dates};

/// The tables of the languages written with blanks between words.
const SPACED_TABLES: &[DateTable] = &[
    dates::DE,
    dates::FR,
    dates::ES,
    dates::PT,
    dates::IT,
    dates::NL,
    dates::RU,
    dates::UK,
    dates::PL,
    dates::CS,
    dates::SV,
    dates::DA,
    dates::TR,
    dates::ID,
    dates::VI,
];
static SPACED: LazyLock<Vec<Language>> = LazyLock::new(|| read(SPACED_TABLES));
static JAPANESE: LazyLock<Vec<Language>> = LazyLock::new(|| read(&[dates::JA]));
static KOREAN: LazyLock<Vec<Language>> = LazyLock::new(|| read(&[dates::KO]));

/// The longest word that is looked up, in bytes.
const LONGEST: usize = 40;

fn read(tables: &[DateTable]) -> Vec<Language> {
    tables.iter().map(|table| Language::read(table, |_| ())).collect()
}

pub(super) fn find(text: &str, excluded: &[Range<usize>], today: Date) -> Vec<Found> {
    let mut found = Vec::new();
    for sentence in sentences(text) {
        let languages = languages_of(&text[sentence.clone()]);
        let read: Vec<(Vec<Found>, Vec<Range<usize>>)> = languages
            .into_iter()
            .map(|language| in_sentence(language, text, sentence.clone(), excluded, today))
            .collect();
        // Where two languages are as likely, what one of them knows to be no date is none.
        let (dates, refused): (Vec<Vec<Found>>, Vec<Vec<Range<usize>>>) = read.into_iter().unzip();
        let is_refused = |found: &Found, ranges: &Vec<Range<usize>>| {
            ranges.get(ranges.partition_point(|range| range.end <= found.start)).is_some_and(|r| r.start < found.end)
        };
        found.extend(
            dates.into_iter().flatten().filter(|found| !refused.iter().any(|ranges| is_refused(found, ranges))),
        );
    }
    found
}

/// The sentences of a text, by its full stops; a stop after a number ends none.
fn sentences(text: &str) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut start = 0;
    for (at, c) in text.char_indices() {
        let next = at + c.len_utf8();
        let stop = match c {
            '.' => !text[..at].ends_with(|c: char| c.is_ascii_digit()) && text[next..].starts_with(char::is_whitespace),
            '\n' => text[next..].starts_with(['\n', '-', '*', '#', '>']),
            '!' | '?' | ';' | '。' | '！' | '？' => true,
            _ => false,
        };
        if stop {
            sentences.push(start..next);
            start = next;
        }
    }
    sentences.push(start..text.len());
    sentences
}

/// Whether a word is the name of a month in one of the languages that write an ordinal with a full stop or none.
pub(super) fn is_month(word: &str) -> bool {
    let word = word.to_lowercase();
    SPACED.iter().any(|language| language.months.iter().any(|(month, _)| *month == word))
}

/// The weekdays that a text names in its own language, Monday 1.
pub(super) fn weekdays(text: &str) -> Vec<i8> {
    let lower = text.to_lowercase();
    let is_named = |name: &str| match name.chars().next() {
        // Between letters a name is part of another word; where words are not spaced, it stands anywhere.
        Some(first) if crate::han::is_unspaced(first) || is_hangul(first) => lower.contains(name),
        // A name of two words is looked for as it stands.
        _ if name.contains(' ') => lower.contains(name),
        _ => lower
            .split(|c: char| !c.is_alphabetic() && c != '-')
            .any(|word| word == name || word.strip_suffix('s') == Some(name)),
    };
    let named = |language: &Language| -> Vec<i8> {
        let long = language.weekdays.iter().filter(|(name, _)| name.chars().count() > 2);
        long.filter(|(name, _)| is_named(name)).map(|(_, day)| day.to_monday_one_offset()).collect()
    };
    languages_of(text).into_iter().flat_map(named).collect()
}

/// The languages that a sentence may be in: the one its script tells, or those that most of its small words belong to.
fn languages_of(sentence: &str) -> Vec<&'static Language> {
    if sentence.contains(|c: char| matches!(c, '\u{3040}'..='\u{30ff}')) {
        return JAPANESE.iter().collect();
    }
    if sentence.contains(is_hangul) {
        return KOREAN.iter().collect();
    }
    if !sentence.contains(char::is_alphabetic) {
        return Vec::new();
    }
    let words: Vec<String> = sentence
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty() && word.len() <= LONGEST)
        .map(str::to_lowercase)
        .collect();
    let count = |known: &dyn Fn(&str) -> bool| words.iter().filter(|word| known(word)).count();
    let english = count(&|word| lexicon::en::SMALL_WORD.contains(&word));
    let weights: Vec<usize> = SPACED.iter().map(|language| count(&|word| language.knows(word))).collect();
    let most = weights.iter().copied().max().unwrap_or_default();
    if most <= english {
        return Vec::new();
    }
    SPACED.iter().zip(weights).filter(|(_, weight)| *weight == most).map(|(language, _)| language).collect()
}

/// The phrases of a sentence that are dates in `language`, and those that only look like one.
fn in_sentence(
    language: &Language,
    text: &str,
    sentence: Range<usize>,
    excluded: &[Range<usize>],
    today: Date,
) -> (Vec<Found>, Vec<Range<usize>>) {
    let (mut found, mut refused) = (Vec::new(), Vec::new());
    let mut after = sentence.start;
    for (offset, _) in text[sentence.clone()].char_indices() {
        let at = sentence.start + offset;
        if at < after || !may_begin(language, text, at) {
            continue;
        }
        let Some((sense, said)) = longest(language, text, at) else {
            continue;
        };
        if excluded.iter().any(|range| range.start < said.end && at < range.end) || said.end > sentence.end {
            continue;
        }
        let place = placing::PhraseContext { language, text, sentence: sentence.clone(), today };
        if let Some((start, end, meant)) = place.meant(at, sense, said) {
            found.push(Found { start, end, meant });
            after = said.end;
        } else if sense != Sense::DayOnce {
            // A day that has no month may be part of one that has: "am 5. Juni".
            after = said.end;
            refused.push(at..said.end);
        }
    }
    (found, refused)
}

/// Whether a word begins at `at`.
fn may_begin(language: &Language, text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let own = language.not_after.iter().any(|word| text[..at].ends_with(word));
    let begins = text[at..].starts_with(char::is_alphanumeric);
    let tied = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | '.' | '@' | '#' | '\\');
    let number = text[at..].starts_with(|c: char| c.is_ascii_digit());
    match before {
        Some(c) if language.spaced => begins && !own && !tied(c),
        Some(c) if number => !own && !tied(c) || !own && !c.is_ascii_alphanumeric() && !".-/_".contains(c),
        _ => begins && !own,
    }
}

/// The rule that reaches furthest.
fn longest(language: &Language, text: &str, at: usize) -> Option<(Sense, NamedDate)> {
    let mut best: Option<(Sense, NamedDate)> = None;
    for rule in &language.rules {
        let Some(said) = matcher::matched(language, rule, text, at) else {
            continue;
        };
        if best.is_none_or(|(_, known)| said.end > known.end) && whole(language, text, said.end) {
            best = Some((rule.sense, said));
        }
    }
    best
}

/// Whether a phrase may end at `end`.
fn whole(language: &Language, text: &str, end: usize) -> bool {
    let rest = &text[end..];
    if language.not_before.iter().any(|word| rest.starts_with(word)) {
        return false;
    }
    let tied = rest.starts_with(['-', '_', '/', '@', '=', '(']) && rest[1..].starts_with(|c: char| c.is_alphanumeric())
        || rest.starts_with('.') && rest[1..].starts_with(char::is_alphanumeric);
    if rest.starts_with(is_hangul) {
        return matcher::ends_with_ending(language, text, end);
    }
    !tied && (!language.spaced || matcher::ends_word(text, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_every_table_says_something() {
        for table in SPACED_TABLES.iter().chain([&dates::JA, &dates::KO]) {
            let language = Language::read(table, |line| panic!("{line}"));
            assert!(language.weekdays.len() >= 7 && language.months.len() >= 12 && language.rules.len() > 20);
            assert!(!language.often.is_empty() && !language.past.is_empty() && !language.planned.is_empty());
        }
    }

    #[test]
    fn a_sentence_is_read_in_its_own_language() {
        let of = |text: &str| languages_of(text).first().map(|language| language.weekdays[0].0);
        let own = |languages: &LazyLock<Vec<Language>>, at: usize| Some(languages[at].weekdays[0].0);
        assert_eq!(of("Der Dienst ist hier nicht zu finden"), own(&SPACED, 0));
        assert_eq!(of("Hier le serveur est tombé"), own(&SPACED, 1));
        assert_eq!(of("Релиз будет завтра"), own(&SPACED, 6));
        for (text, at) in [
            ("Реліз буде завтра", 7),
            ("Wydanie jest jutro", 8),
            ("Zítra je vydání", 9),
            ("Vi släpper det imorgon", 10),
            ("Vi lancerer det i morgen", 11),
            ("Yarın yeni sürüm için bir toplantı var", 12),
            ("Besok kami rilis", 13),
            ("Ngày mai chúng tôi phát hành", 14),
        ] {
            assert_eq!(of(text), own(&SPACED, at), "{text}");
        }
        assert_eq!(of("明日、出します"), own(&JAPANESE, 0));
        assert_eq!(of("내일 나온다"), own(&KOREAN, 0));
        assert_eq!(of("We ship on the day after"), None);
        assert_eq!(of("明天上线"), None);
    }
}
