//! How a string is written as a YAML scalar: bare where YAML reads it back as the same string,
//! in double quotes where not.
//!
//! Enters: any string. Leaves: one line of text that every YAML 1.1 and 1.2 reader takes for that
//! very string. Never quotes what needs no quotes, so that files stay as people write them.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Where the scalar will stand; braces forbid more characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarPlace {
    Block,
    Flow,
}

/// Bare if YAML allows it, else quoted.
pub(super) fn write(text: &str, place: ScalarPlace) -> Cow<'_, str> {
    if is_bare(text, place) { Cow::Borrowed(text) } else { Cow::Owned(quote(text)) }
}

/// In double quotes, whatever it is.
pub(super) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ if needs_escape(letter) => {
                let code = u32::from(letter);
                // Writing to a String cannot fail.
                let _ = if code <= 0xff { write!(out, "\\x{code:02x}") } else { write!(out, "\\u{code:04x}") };
            }
            _ => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// Line breaks and the space around them as one space, for what must stay on one line.
pub(super) fn one_line(text: &str) -> Cow<'_, str> {
    let is_break =
        |letter: char| matches!(letter, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}');
    if !text.contains(is_break) {
        return Cow::Borrowed(text);
    }
    let parts: Vec<&str> = text.split(is_break).map(str::trim).filter(|part| !part.is_empty()).collect();
    Cow::Owned(parts.join(" "))
}

fn needs_escape(letter: char) -> bool {
    let odd = ['\u{2028}', '\u{2029}', '\u{feff}', '\u{fffe}', '\u{ffff}'];
    letter.is_control() || odd.contains(&letter)
}

fn is_bare(text: &str, place: ScalarPlace) -> bool {
    let Some(first) = text.chars().next() else {
        return false;
    };
    let bytes = text.as_bytes();
    // `-`, `?` and `:` mean something only in front of a space.
    let led = match first {
        '-' | '?' | ':' => bytes.get(1).is_some_and(|byte| *byte != b' ') && !text.starts_with("---"),
        _ => !",[]{}#&*!|>'\"%@`".contains(first) && text != "...",
    };
    led && text.trim() == text
        && !text.chars().any(needs_escape)
        && !text.contains(": ")
        && !text.contains(" #")
        && !text.ends_with(':')
        && (place == ScalarPlace::Block || is_plain_word(text))
        && !is_other_type(text)
}

/// Inside braces readers differ on the rest; one word is safe with all of them.
fn is_plain_word(text: &str) -> bool {
    !text.ends_with('-') && text.chars().all(|letter| letter.is_alphanumeric() || "_-./".contains(letter))
}

/// Whether some YAML reader takes the bare text for a null, a boolean, a number or a date.
fn is_other_type(text: &str) -> bool {
    const WORDS: [&str; 13] = ["~", "null", "true", "false", "yes", "no", "on", "off", "y", "n", "=", "<<", ".nan"];
    let unsigned = text.trim_start_matches(['+', '-']);
    WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
        || unsigned.eq_ignore_ascii_case(".inf")
        || is_number(unsigned)
        || is_date(text)
}

fn is_number(text: &str) -> bool {
    let digits = |text: &str, radix: u32| text.chars().all(|letter| letter.is_digit(radix) || letter == '_');
    match text.get(..2) {
        Some("0x" | "0X") => return digits(&text[2..], 16),
        Some("0o" | "0O") => return digits(&text[2..], 8),
        Some("0b" | "0B") => return digits(&text[2..], 2),
        _ => {}
    }
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    // Base sixty: YAML 1.1 reads 12:30 as a number.
    mantissa.starts_with(|letter: char| letter.is_ascii_digit() || letter == '.')
        && mantissa.contains(|letter: char| letter.is_ascii_digit())
        && mantissa.matches('.').count() <= 1
        && mantissa.split(['.', ':']).all(|part| digits(part, 10))
        && digits(exponent, 10)
}

/// `2026-04-16` and what follows it as a time of day.
fn is_date(text: &str) -> bool {
    let mut parts = text.splitn(3, '-');
    let (Some(year), Some(month), Some(rest)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let day = rest.bytes().take_while(u8::is_ascii_digit).count();
    let after = rest[day..].trim_start_matches([' ', '\t', 'T', 't']);
    year.len() == 4
        && number(year)
        && number(month)
        && (1..=2).contains(&day)
        && (rest.len() == day
            || after.len() < rest.len() - day && after.starts_with(|letter: char| letter.is_ascii_digit()))
}
