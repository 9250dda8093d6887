//! Values in a text: dates, addresses, weekdays, names; and which of them give way to a new one.
//!
//! Enters: an old text and a new one about the same thing. Leaves: pairs of an old value and the one that takes
//! its place. A value is only replaced by one of its sort, and only where it is plain which one is meant.

use memdir_lexicon as lexicon;

/// What sort of value stands in a text; a value is only replaced by one of its sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Date,
    Address,
    Clock,
    Weekday,
    Quoted,
    Name,
    Number,
}

const SORTS: [Sort; 7] =
    [Sort::Date, Sort::Address, Sort::Clock, Sort::Weekday, Sort::Quoted, Sort::Name, Sort::Number];

/// Which values of the old text give way to which of the new.
pub(super) fn swaps(old: &str, new: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for sort in SORTS {
        let had = distinct(values(old, sort));
        let (gone, now): (Vec<_>, Vec<_>) = values(new, sort).into_iter().partition(|(_, outdated)| *outdated);
        let (gone, now) = (distinct(gone), distinct(now));
        // A value the old text has already is no news.
        let news: Vec<&String> = now.iter().filter(|value| !stands_in(old, value)).collect();
        let Some(to) = news.first() else { continue };
        let named: Vec<&String> = gone.iter().filter(|value| stands_in(old, value)).collect();
        let from = match (named.as_slice(), had.as_slice(), sort) {
            ([one], ..) => Some(*one),
            // Names and numbers stand for many things; only an old one that is named gives way.
            (_, _, Sort::Name | Sort::Number) => None,
            (_, [one], _) if news.len() == 1 => Some(one),
            _ => None,
        };
        if let Some(from) = from.filter(|from| !now.contains(from)) {
            found.push((from.clone(), (*to).clone()));
        }
    }
    found
}

/// Whether a value stands in a text by itself.
fn stands_in(text: &str, value: &str) -> bool {
    text.match_indices(value).any(|(at, _)| {
        let apart = |c: Option<char>| c.is_none_or(|c| !c.is_ascii_alphanumeric());
        apart(text[..at].chars().next_back()) && apart(text[at + value.len()..].chars().next())
    })
}

fn distinct(values: Vec<(String, bool)>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (value, _) in values {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// The values of a sort, each with whether the words before it call it the old one.
fn values(text: &str, sort: Sort) -> Vec<(String, bool)> {
    let mut found = Vec::new();
    match sort {
        Sort::Quoted => {
            for (open, close) in [('"', '"'), ('「', '」'), ('“', '”')] {
                let mut from = 0;
                while let Some(at) = text[from..].find(open).map(|at| from + at) {
                    let inside = at + open.len_utf8();
                    let Some(length) = text[inside..].find(close) else { break };
                    found.push((text[inside..inside + length].to_owned(), is_old(&text[..at])));
                    from = inside + length + close.len_utf8();
                }
            }
        }
        Sort::Weekday => {
            let lower = text.to_lowercase();
            if lower.len() == text.len() {
                for day in lexicon::WEEKDAY.iter() {
                    for (at, _) in lower.match_indices(day) {
                        let end = at + day.len();
                        let apart = |c: char| !c.is_ascii_alphabetic();
                        let free = !day.is_ascii()
                            || (lower[..at].chars().next_back().is_none_or(apart)
                                && lower[end..].chars().next().is_none_or(apart));
                        if free {
                            found.push((text[at..end].to_owned(), is_old(&text[..at])));
                        }
                    }
                }
            }
        }
        _ => {
            let mut at = 0;
            for (nth, word) in text.split_whitespace().enumerate() {
                let start = text[at..].find(word).map_or(at, |offset| at + offset);
                at = start + word.len();
                let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '#');
                let first = nth == 0
                    || text[..start].trim_end().ends_with(['.', '。', '!', '?', ':'])
                    || text[..start].ends_with('\n');
                if is_sort(bare, sort, first) {
                    found.push((bare.to_owned(), is_old(&text[..start])));
                }
            }
        }
    }
    found
}

fn is_sort(word: &str, sort: Sort, first: bool) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    match sort {
        Sort::Date => word.len() == 10 && word.parse::<jiff::civil::Date>().is_ok(),
        Sort::Clock => {
            digits >= 3 && word.contains(':') && word.chars().all(|c| c.is_ascii_digit() || ":-".contains(c))
        }
        Sort::Address => {
            word.contains("://")
                || (word.contains('.') && word.contains('/') && digits < word.len() / 2)
                || (word.matches('.').count() >= 2
                    && word.chars().all(|c| c.is_ascii_alphanumeric() || ".-/".contains(c)))
        }
        Sort::Name => {
            !(first && lexicon::SENTENCE_OPENING.contains(word))
                && word.chars().next().is_some_and(char::is_uppercase)
                && word.chars().all(char::is_alphabetic)
                && word.chars().count() > 1
        }
        Sort::Number => {
            digits > 0
                && word.parse::<jiff::civil::Date>().is_err()
                && word.chars().all(|c| c.is_ascii_digit() || ".,%".contains(c))
        }
        Sort::Quoted | Sort::Weekday => false,
    }
}

/// Whether the words right before a value say that it no longer holds.
fn is_old(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || "\"“「".contains(c)).to_lowercase();
    lexicon::BEFORE_OLD_VALUE.iter().any(|word| {
        before
            .strip_suffix(word)
            .is_some_and(|rest| !word.is_ascii() || !rest.ends_with(|c: char| c.is_ascii_alphanumeric()))
    }) || before.ends_with("instead of the")
        || before.ends_with("from the")
}
