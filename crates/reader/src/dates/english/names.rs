//! The words that English dates are made of.
//!
//! Enters: one word. Leaves: the day, month or number it names. Never looks at its neighbours.

use jiff::civil::Weekday;

use super::one_of;

const WEEKDAYS: &[(Weekday, &str, &[&str])] = &[
    (Weekday::Monday, "monday", &["mon"]),
    (Weekday::Tuesday, "tuesday", &["tue", "tues"]),
    (Weekday::Wednesday, "wednesday", &["wed", "weds"]),
    (Weekday::Thursday, "thursday", &["thu", "thur", "thurs"]),
    (Weekday::Friday, "friday", &["fri"]),
    (Weekday::Saturday, "saturday", &["sat"]),
    (Weekday::Sunday, "sunday", &["sun"]),
];

/// A weekday in the singular; short forms that are also words must be capitalised.
pub(super) fn weekday(word: &str) -> Option<Weekday> {
    let capital = word.starts_with(|c: char| c.is_ascii_uppercase());
    WEEKDAYS.iter().find_map(|(day, long, short)| {
        let known = word.eq_ignore_ascii_case(long)
            || (one_of(word, short) && (capital || !one_of(word, &["sat", "sun", "wed", "mon"])));
        known.then_some(*day)
    })
}

const MONTHS: &[(&str, &[&str])] = &[
    ("january", &["jan"]),
    ("february", &["feb"]),
    ("march", &["mar"]),
    ("april", &["apr"]),
    ("may", &[]),
    ("june", &["jun"]),
    ("july", &["jul"]),
    ("august", &["aug"]),
    ("september", &["sep", "sept"]),
    ("october", &["oct"]),
    ("november", &["nov"]),
    ("december", &["dec"]),
];

/// A month by its number, and whether the word was its short form.
pub(super) fn month(word: &str) -> Option<(i8, bool)> {
    MONTHS.iter().zip(1i8..).find_map(|((long, short), number)| {
        if word.eq_ignore_ascii_case(long) {
            Some((number, false))
        } else if one_of(word, short) {
            Some((number, true))
        } else {
            None
        }
    })
}

/// A day of a month written as a plain number.
pub(super) fn day_number(word: &str) -> Option<i8> {
    let plain = word.len() <= 2 && word.bytes().all(|b| b.is_ascii_digit());
    word.parse().ok().filter(|d| plain && (1..=31).contains(d))
}

/// A day of a month written as 1st, 2nd, 3rd, 4th.
pub(super) fn day_ordinal(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let ending = one_of(word.get(digits.len()..)?, &["st", "nd", "rd", "th"]);
    day_number(digits).filter(|_| ending)
}

/// A day of a month written out, as in "the first of July".
pub(super) fn day_spelled(word: &str) -> Option<i8> {
    const WORDS: &[&str] = &[
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
        "twentieth",
    ];
    let spelled = || WORDS.iter().zip(1i8..).find(|(w, _)| word.eq_ignore_ascii_case(w)).map(|(_, n)| n);
    spelled().or_else(|| word.eq_ignore_ascii_case("thirtieth").then_some(30))
}

pub(super) fn day(word: &str) -> Option<i8> {
    day_number(word).or_else(|| day_ordinal(word))
}

/// A quarter written as Q1 to Q4.
pub(super) fn quarter(word: &str) -> Option<i8> {
    match word.as_bytes() {
        [b'Q' | b'q', digit @ b'1'..=b'4'] => Some((digit - b'0') as i8),
        _ => None,
    }
}

/// A count in digits or words.
pub(super) fn count(word: &str) -> Option<i64> {
    const WORDS: &[&str] = &[
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
        "fourteen",
    ];
    if one_of(word, &["a", "an"]) {
        return Some(1);
    }
    let spelled = WORDS.iter().zip(1..).find(|(w, _)| word.eq_ignore_ascii_case(w)).map(|(_, n)| n);
    let digits = word.len() <= 3 && word.bytes().all(|b| b.is_ascii_digit());
    spelled.or_else(|| word.parse().ok().filter(|_| digits))
}

/// Whether a piece of a hyphenated chunk can be part of a date: "mid-June", "5-7", "year-end".
pub(super) fn may_be_part(piece: &str) -> bool {
    one_of(piece, &["mid", "early", "late", "month", "quarter", "year", "end"])
        || day(piece).is_some()
        || month(piece).is_some()
        || weekday(piece).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_that_are_words_need_a_capital() {
        assert_eq!(weekday("fri"), Some(Weekday::Friday));
        assert_eq!(weekday("Sat"), Some(Weekday::Saturday));
        assert_eq!(weekday("sat"), None);
        assert_eq!(weekday("fridays"), None);
    }

    #[test]
    fn numbers_have_limits() {
        assert_eq!(day("31st"), Some(31));
        assert_eq!(day("32"), None);
        assert_eq!(day("0"), None);
        assert_eq!(day_ordinal("5x"), None);
        assert_eq!(day_ordinal("é5th"), None);
        assert_eq!(count("1234"), None);
        assert_eq!(count("twelve"), Some(12));
        assert_eq!(quarter("Q5"), None);
        assert_eq!(month("Sept"), Some((9, true)));
    }
}
