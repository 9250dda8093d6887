//! The day on which a note says it was written.
//!
//! Enters: a note. Leaves: the date after "written", "noted", "as of", 记录于 and the like, or the one that a
//! line begins with as an entry of a diary does, so that the note's relative dates can be read from that
//! day. Never takes a date that is merely mentioned.

use jiff::civil::Date;
use memdir_lexicon as lexicon;

/// What follows a date at the beginning of a line when it is the day of an entry, behind a weekday in brackets.
const AFTER: &[&str] = &[":", "：", "记", "写", "更新", " - ", " – ", " — "];

/// Finds the first explicit `written 2026-03-02` of a note, else the one day that a line begins with.
pub fn anchor(text: &str) -> Option<Date> {
    introduced_date(text).or_else(|| entry_date(text))
}

/// The day of an entry: `2026-03-02: …`, `- 2026-03-02 (Mon) — …`, `2026-03-02(周一)记:…`. Several days are a
/// timetable, and say nothing about when it was written.
fn entry_date(text: &str) -> Option<Date> {
    let mut days = text.lines().filter_map(|line| {
        let line = line.trim_start_matches([' ', '-', '*', '+', '[', '(', '>', '#', '_']);
        let date = iso_at(line, 0)?;
        let rest = line[10..].trim_start_matches([']', '*', '_']);
        let rest = without_weekday(rest);
        AFTER.iter().any(|mark| rest.starts_with(mark) || rest.trim_start().starts_with(mark)).then_some(date)
    });
    let day = days.next()?;
    days.all(|other| other == day).then_some(day)
}

/// What comes after a weekday in brackets.
fn without_weekday(text: &str) -> &str {
    let Some(inside) = text.trim_start().strip_prefix(['(', '（', ',', '，']) else { return text };
    match inside.find([')', '）', ' ', ':', '：']) {
        Some(end) if inside[..end].chars().count() <= 12 => {
            inside[end..].strip_prefix([')', '）']).unwrap_or(&inside[end..])
        }
        _ => text,
    }
}

/// The date after a word that says so.
fn introduced_date(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(offset) = memchr::memchr(b'-', &bytes[from..]) {
        let dash = from + offset;
        from = dash + 1;
        let Some(start) = dash.checked_sub(4) else {
            continue;
        };
        let Some(date) = iso_at(text, start) else {
            continue;
        };
        if introduced(&text[..start]) {
            return Some(date);
        }
    }
    None
}

/// The ISO date that begins at `start` and is not part of a longer number.
fn iso_at(text: &str, start: usize) -> Option<Date> {
    let date = text.get(start..start + 10)?;
    let shaped = date.bytes().enumerate().all(|(i, b)| match i {
        4 | 7 => b == b'-',
        _ => b.is_ascii_digit(),
    });
    let tied = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let free =
        !text[..start].ends_with(tied) && !text[start + 10..].starts_with(|c: char| c.is_ascii_digit() || c == '-');
    (shaped && free).then(|| date.parse().ok()).flatten()
}

/// Whether the words right before say that the note was written then.
fn introduced(before: &str) -> bool {
    let before = before.trim_end_matches([' ', ':', '：', '(', '（', '*', '_', '\u{a0}']);
    let before = ["on", "at"].iter().fold(before, |text, word| strip_word(text, word));
    lexicon::WRITTEN_ON.iter().any(|word| {
        let Some(at) = before.len().checked_sub(word.len()) else {
            return false;
        };
        let Some(tail) = before.get(at..) else {
            return false;
        };
        let own = !before[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
        tail.eq_ignore_ascii_case(word) && own
    })
}

fn strip_word<'t>(text: &'t str, word: &str) -> &'t str {
    let Some(at) = text.len().checked_sub(word.len()) else {
        return text;
    };
    match (text.get(..at), text.get(at..)) {
        (Some(head), Some(tail)) if tail.eq_ignore_ascii_case(word) && head.ends_with(' ') => {
            head.trim_end_matches([' ', ':'])
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{Date, date};

    use super::anchor;

    #[test]
    fn f4_the_day_of_writing_is_found() {
        let march = Some(date(2026, 3, 2));
        let table: &[(&str, Option<Date>)] = &[
            ("(written 2026-03-02) ship next Friday", march),
            ("Written on 2026-03-02: ship next Friday", march),
            ("Noted 2026-03-02: x", march),
            ("Noted on 2026-03-02 (a Monday): x", march),
            ("As of 2026-03-02 the migration", march),
            ("release is 2026-05-01, noted 2026-03-02", march),
            ("**Written:** 2026-03-02", march),
            ("记录于 2026-03-02(周一):下周三上线", march),
            ("截至2026-03-02,进度一半", march),
            ("写于2026-03-02。", march),
            ("2026-03-02: the outage was yesterday", march),
            ("- 2026-03-02 (Mon) — demo next Tuesday", march),
            ("[2026-03-02]: demo next Tuesday", march),
            ("2026-03-02(周一)记:上周五盘点", march),
            ("2026-03-02 记录:上周五盘点", march),
            ("2026-03-02: freeze\n2026-03-09: release", None),
            ("2026-03-02 is the day of the release", None),
            ("the freeze starts 2026-03-02", None),
            ("rewritten 2026-03-02", None),
            ("noted 2026-13-02", None),
            ("noted 2026-02-30", None),
            ("noted 12026-03-02", None),
            ("noted 2026-03-02-rc1", None),
            ("-", None),
            ("é-26-", None),
            ("", None),
        ];
        for (text, want) in table {
            assert_eq!(anchor(text), *want, "{text:?}");
        }
    }
}
