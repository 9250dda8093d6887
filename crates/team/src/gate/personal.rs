//! Personal data: what tells who somebody is, or where.
//!
//! Knows shapes, not meanings: addresses, telephone numbers, account and card numbers, home directories with a name in them. What documentation writes in
//! place of a person is not one.

use std::sync::LazyLock;

use regex::Regex;

/// Addresses that are nobody's: of documentation, of programs, of a git remote.
const NOBODY: &[&str] = &["example.", "noreply", "no-reply", "localhost", "users.noreply", "git@", "invalid", "test@"];

/// The patterns, each with what it finds.
static SHAPES: LazyLock<Vec<(&'static str, Option<Regex>)>> = LazyLock::new(|| {
    [
        ("an e-mail address", r"(?i)\b[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}\b"),
        ("a telephone number", r"(?:^|[\s(:])(\+\d{1,3}[\s()./-]{0,2}(?:\d[\s()./-]{0,2}){7,12})(?:$|[^\d])"),
        ("an account number", r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,4})?\b"),
        ("a card number", r"\b(?:\d[ -]?){12,18}\d\b"),
        ("a home directory", r"(?:/home/|/Users/|[A-Za-z]:\\Users\\)([A-Za-z0-9._-]+)"),
    ]
    .into_iter()
    .map(|(what, pattern)| (what, Regex::new(pattern).ok()))
    .collect()
});

/// The first piece of personal data in a text: its line, counted from 1, and what it is.
pub(super) fn personal_data(text: &str) -> Option<(usize, &'static str)> {
    text.lines().enumerate().find_map(|(at, line)| {
        let found = SHAPES.iter().find(|(what, pattern)| {
            pattern.as_ref().is_some_and(|pattern| pattern.find_iter(line).any(|found| is_real(what, found.as_str())))
        });
        found.map(|(what, _)| (at + 1, *what))
    })
}

fn is_real(what: &str, found: &str) -> bool {
    let lower = found.to_lowercase();
    match what {
        "an e-mail address" => !NOBODY.iter().any(|word| lower.contains(word)),
        "a card number" => is_card(found),
        "an account number" => is_account(found),
        "a home directory" => {
            let name = lower.rsplit(['/', '\\']).next().unwrap_or_default();
            !["user", "username", "you", "me", "runner", "ubuntu", "shared", "public", "name"].contains(&name)
        }
        _ => true,
    }
}

/// Luhn's check.
fn is_card(text: &str) -> bool {
    let digits: Vec<u32> = text.chars().filter_map(|letter| letter.to_digit(10)).collect();
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(at, digit)| if at % 2 == 0 { *digit } else { digit * 2 / 10 + digit * 2 % 10 })
        .sum();
    (13..=19).contains(&digits.len()) && sum.is_multiple_of(10) && digits.iter().any(|digit| *digit != digits[0])
}

/// The check of an IBAN: the remainder by 97 is 1.
fn is_account(text: &str) -> bool {
    let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let Some((head, rest)) = text.split_at_checked(4) else { return false };
    let remainder = format!("{rest}{head}").chars().try_fold(0_u64, |sum, letter| {
        let value = u64::from(letter.to_digit(36)?);
        Some((if value > 9 { sum * 100 } else { sum * 10 } + value) % 97)
    });
    remainder == Some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_found_and_documentation_is_not() {
        for (text, what) in [
            ("one\nask mara.lind@corp.io", "an e-mail address"),
            ("call +49 30 901820 11", "a telephone number"),
            ("pay DE89 3704 0044 0532 0130 00", "an account number"),
            ("card 4111 1111 1111 1111", "a card number"),
            ("see /home/mara/notes", "a home directory"),
            ("see C:\\Users\\mara\\notes", "a home directory"),
        ] {
            assert_eq!(personal_data(text).map(|(_, what)| what), Some(what), "{text}");
        }
        assert_eq!(personal_data("one\nask mara.lind@corp.io").unwrap().0, 2);
        for text in [
            "git@github.com:team/app.git",
            "mail someone@example.org",
            "v1.2.3-4567890123455",
            "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
            "port 8080, 2026-04-14T10:00:00Z, 10.0.0.1",
            "/home/user/project",
            "order 1234567890123456",
        ] {
            assert_eq!(personal_data(text), None, "{text}");
        }
    }
}
