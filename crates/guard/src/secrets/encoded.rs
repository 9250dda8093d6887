//! Secrets behind an encoding that anybody can undo: base64, base32, hex, numbers of letters, percent signs, entities, escapes,
//! letters moved by thirteen, written backwards.
//!
//! Enters: a text. Leaves: the places of words that, decoded, hold a secret, and the rule that says so. Words too short for a
//! secret are not looked at, and what does not decode to text is nobody's secret: a picture, a digest, a key of its own rules.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use super::entropy::Mix;
use super::find;
use super::rule::SecretRule;

/// Encoded letters that may hold a secret at all.
const SHORTEST: usize = 16;
/// Nobody hides more in a message, and a picture is longer.
const LONGEST: usize = 64 * 1024;
/// Letters of a word that may be a token from right to left.
const LEAST_BACKWARDS: usize = 20;
/// Encodings on top of each other that are undone.
const DEPTH: usize = 2;

/// Words that hold a secret once they are decoded.
pub(super) fn secrets(text: &str) -> Vec<(&'static str, Range<usize>)> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in text
        .split_inclusive(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '<' | '>' | ','))
    {
        let start = at;
        at += word.len();
        let word = word.trim_end_matches(|letter: char| {
            letter.is_whitespace() || matches!(letter, '"' | '\'' | '`' | '<' | '>' | ',')
        });
        if (SHORTEST..LONGEST).contains(&word.len())
            && let Some((rule, part)) = inside(word, DEPTH)
        {
            found.push((rule.name, start + part.start..start + part.end));
        }
    }
    found.extend(number_rows(text));
    found
}

/// `41 4b 49`, `0x41, 0x4b`, `[103, 104, 112]`, `01000001 01001011`: letters by their numbers.
fn number_rows(text: &str) -> Vec<(&'static str, Range<usize>)> {
    let mut found = Vec::new();
    for base in [16, 10, 2] {
        let mut row: Vec<u8> = Vec::new();
        let (mut begins, mut at) = (0, 0);
        let apart = |letter: char| {
            letter.is_whitespace() || matches!(letter, ',' | ';' | '[' | ']' | '{' | '}' | '(' | ')' | ':')
        };
        for word in text.split_inclusive(apart).chain([""]) {
            let start = at;
            at += word.len();
            let digits = word.trim_end_matches(apart);
            match number(digits, base) {
                Some(letter) => {
                    if row.is_empty() {
                        begins = start;
                    }
                    row.push(letter);
                }
                // Between two numbers may stand a blank and a comma.
                None if digits.is_empty() && !word.is_empty() => {}
                None => {
                    let letters = std::mem::take(&mut row);
                    if letters.len() >= SHORTEST
                        && let Some(decoded) = readable(letters)
                        && let Some((rule, _)) = find::secrets(&decoded).into_iter().next()
                    {
                        found.push((rule.name, begins..start));
                    }
                }
            }
        }
    }
    found
}

fn number(digits: &str, base: u32) -> Option<u8> {
    let plain = if base == 16 { digits.strip_prefix("0x").unwrap_or(digits) } else { digits };
    let fits = match base {
        16 => plain.len() == 2,
        2 => plain.len() == 8,
        _ => (2..=3).contains(&plain.len()),
    };
    u8::from_str_radix(plain, base).ok().filter(|letter| fits && (b' '..=b'~').contains(letter))
}

fn inside(word: &str, depth: usize) -> Option<(&'static SecretRule, Range<usize>)> {
    let look = |decoded: String| {
        let here = find::secrets(&decoded).into_iter().next().map(|(rule, _)| rule);
        here.or_else(|| {
            if depth > 1 { decoded.split_whitespace().find_map(|word| Some(inside(word, depth - 1)?.0)) } else { None }
        })
    };
    let whole = 0..word.len();
    if let Some(decoded) = unescaped(word)
        && let Some(rule) = look(decoded)
    {
        return Some((rule, whole));
    }
    for part in runs(word) {
        let run = &word[part.clone()];
        let decoded = hex(run).or_else(|| base32(run)).into_iter().chain(base64(run));
        if let Some(rule) = decoded.into_iter().find_map(&look) {
            return Some((rule, part));
        }
    }
    let mix = Mix::of(word);
    let random =
        word.len() >= LEAST_BACKWARDS && word.is_ascii() && mix.digits > 1 && mix.upper > 1 && !word.contains('/');
    let backwards = random.then(|| word.bytes().rev().map(char::from).collect::<String>())?;
    let turned = base64(backwards.trim_matches('=')).filter(|decoded| decoded.is_ascii());
    if let Some(rule) = turned.and_then(&look) {
        return Some((rule, whole));
    }
    let moved: String = word.chars().map(thirteen_on).collect();
    let (rule, _) =
        [backwards, moved].iter().flat_map(|text| find::secrets(text)).find(|(rule, _)| rule.has_shape())?;
    Some((rule, whole))
}

/// The letter thirteen places on, which is also thirteen places back.
fn thirteen_on(letter: char) -> char {
    let turned = |first: u8| char::from((letter as u8 - first + 13) % 26 + first);
    match letter {
        'a'..='z' => turned(b'a'),
        'A'..='Z' => turned(b'A'),
        other => other,
    }
}

/// The parts of a word that are made of letters of base64.
fn runs(word: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    word.split_inclusive(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '-' | '_')))
        .filter_map(move |run| {
            let start = at;
            at += run.len();
            let run = run.trim_end_matches(|letter: char| {
                !(letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '-' | '_'))
            });
            (run.len() >= SHORTEST).then_some(start..start + run.len())
        })
}

/// Whether a word is text in base64: what it says is looked at, and the word itself is no noise.
pub(super) fn is_text(word: &str) -> bool {
    word.len() >= 12 && base64(word.trim_end_matches('=')).is_some_and(|text| text.is_ascii())
}

fn hex(run: &str) -> Option<String> {
    let digits = run.strip_prefix("0x").unwrap_or(run);
    if !digits.len().is_multiple_of(2) || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let bytes = (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok())
        .collect::<Option<_>>()?;
    readable(bytes)
}

fn base32(run: &str) -> Option<String> {
    let (mut bytes, mut bits, mut held) = (Vec::with_capacity(run.len()), 0_u32, 0_u32);
    for letter in run.bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'2'..=b'7' => letter - b'2' + 26,
            _ => return None,
        };
        held = (held << 5 | u32::from(value)) & 0xfff;
        bits += 5;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xff) as u8);
        }
    }
    readable(bytes)
}

fn base64(run: &str) -> Option<String> {
    let plain = STANDARD_NO_PAD.decode(run).or_else(|_| URL_SAFE_NO_PAD.decode(run));
    readable(plain.ok()?)
}

/// Text that was meant to be read, and not bytes that happen to be letters. Every other byte of UTF-16 is empty.
fn readable(mut bytes: Vec<u8>) -> Option<String> {
    if bytes.len() >= SHORTEST && bytes.iter().skip(1).step_by(2).all(|byte| *byte == 0) {
        bytes = bytes.into_iter().step_by(2).collect();
    }
    let text = String::from_utf8(bytes).ok()?;
    text.chars().all(|letter| !letter.is_control() || letter.is_ascii_whitespace()).then_some(text)
}

/// Signs of addresses and tokens that HTML has names for.
const NAMED: [(&str, u8); 10] = [
    ("&colon;", b':'),
    ("&sol;", b'/'),
    ("&commat;", b'@'),
    ("&period;", b'.'),
    ("&lowbar;", b'_'),
    ("&hyphen;", b'-'),
    ("&dash;", b'-'),
    ("&equals;", b'='),
    ("&plus;", b'+'),
    ("&percnt;", b'%'),
];

/// Undoes `%67`, `=67`, `&#103;`, `&#x67;`, `&colon;`, `\u0067`, `\u{67}`, `\x67` and `\147`, if there are several.
fn unescaped(word: &str) -> Option<String> {
    if !word.contains(['%', '&', '\\', '=']) {
        return None;
    }
    let mut out: Vec<u8> = Vec::with_capacity(word.len());
    let (mut rest, mut undone) = (word, 0);
    while let Some(first) = rest.chars().next() {
        if let Some((bytes, after)) = escape(rest) {
            out.extend(bytes);
            rest = after;
            undone += 1;
        } else {
            out.extend(first.encode_utf8(&mut [0; 4]).as_bytes());
            rest = &rest[first.len_utf8()..];
        }
    }
    (undone >= 2).then(|| readable(out)).flatten()
}

fn escape(rest: &str) -> Option<(Vec<u8>, &str)> {
    let number = |digits: &str, base| u32::from_str_radix(digits, base).ok();
    let as_letter = |code: u32| Some(char::from_u32(code)?.to_string().into_bytes());
    let fixed = |prefix: &str, digits: usize| {
        let after = rest.strip_prefix(prefix)?;
        Some((number(after.get(..digits)?, 16)?, after.get(digits..)?))
    };
    if let Some((code, after)) = fixed("%", 2).or_else(|| fixed("\\x", 2)).or_else(|| fixed("=", 2)) {
        return Some((vec![u8::try_from(code).ok()?], after));
    }
    if let Some(after) = rest.strip_prefix('\\') {
        let digits = after.bytes().take(3).take_while(|byte| (b'0'..=b'7').contains(byte)).count();
        if digits >= 2
            && let Ok(code) = u8::from_str_radix(&after[..digits], 8)
        {
            return Some((vec![code], &after[digits..]));
        }
    }
    if let Some(open) = rest.strip_prefix("\\u{") {
        let (digits, after) = open.split_once('}').filter(|(digits, _)| digits.len() <= 6)?;
        return Some((as_letter(number(digits, 16)?)?, after));
    }
    if let Some((sign, after)) = NAMED.iter().find_map(|(name, sign)| Some((sign, rest.strip_prefix(name)?))) {
        return Some((vec![*sign], after));
    }
    if let Some((code, after)) = fixed("\\u", 4) {
        return Some((as_letter(code)?, after));
    }
    let entity = rest.strip_prefix("&#")?;
    let (digits, after) = entity.split_once(';').filter(|(digits, _)| digits.len() <= 7)?;
    let code = digits.strip_prefix(['x', 'X']).map_or_else(|| number(digits, 10), |hex| number(hex, 16))?;
    Some((as_letter(code)?, after))
}
