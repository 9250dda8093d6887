//! What people type as a password, and what only stands where one would.
//!
//! Enters: a value behind the word for a password, or out of a URL. Leaves: a verdict. Passwords are
//! no noise, so a digit or a symbol must do; all the more has to be known of what else carries
//! digits: versions, algorithms, variables, code.

use std::ops::Range;

use super::entropy::Mix;
use super::judge::{has_letter_and_digit, is_jumble, reads_like_a_name};
use super::placeholder::is_placeholder;

/// Digits, or letters in both cases with something inside that prose does not put there.
pub(super) fn could_hold(run: &[u8]) -> bool {
    let hump = |pair: &[u8]| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase();
    let Ok(text) = std::str::from_utf8(run) else {
        return false;
    };
    let inner = Mix::of(text.trim_matches(EDGES));
    has_letter_and_digit(run)
        || inner.digits >= 6
        || inner.upper > 0 && inner.lower > 0 && (inner.symbols > 0 || run.windows(2).any(hump))
}

/// What Markdown and grammar put around any word.
const EDGES: [char; 12] = ['*', '_', '"', '\'', '`', '(', ')', '[', ']', ',', '.', ':'];

/// Words of the trade that carry digits and turn up behind "password:" in prose.
pub(super) const TRADE: [&str; 26] = [
    "sha1",
    "sha2",
    "sha3",
    "sha5",
    "md5",
    "bcrypt",
    "argon2",
    "scrypt",
    "pbkdf2",
    "base64",
    "base32",
    "utf8",
    "utf-8",
    "oauth",
    "hs256",
    "rs256",
    "es256",
    "ed25519",
    "x509",
    "aes1",
    "aes2",
    "k8s",
    "1password",
    "auth0",
    "x25519",
    "b64",
];

pub(super) fn is_of_the_trade(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    TRADE.iter().any(|word| lower.contains(word))
}

/// Nobody types more; what is longer is data.
const LONGEST: usize = 128;

/// The password in a match. What stands in quotes was meant to be taken literally; what does not
/// may be code or the end of a sentence.
pub(super) fn typed(text: &str, secret: Range<usize>) -> Option<Range<usize>> {
    let before = secret.start.checked_sub(1).and_then(|at| text.as_bytes().get(at));
    let quoted = before.is_some_and(|byte| b"\"'`".contains(byte));
    let value = text.get(secret.clone())?;
    let value = if quoted { value } else { value.trim_end_matches(['.', ',', ';', ':', ')', ']', '}', '*', '\\']) };
    let strong = if quoted { could_be_typed(value, 6) } else { could_be_typed(value, 8) && !reads_like_code(value) };
    strong.then(|| secret.start..secret.start + value.len())
}

fn could_be_typed(value: &str, least: usize) -> bool {
    let mix = Mix::of(value);
    let varied = if mix.letters() == 0 {
        mix.digits >= 6 && mix.symbols == 0 && value.len() == mix.digits && !is_date(value)
    } else {
        let inner = Mix::of(value.trim_matches(EDGES));
        mix.digits > 0 || inner.symbols > 0 && mix.upper > 0 && mix.lower > 0 || is_jumble(value)
    };
    (least..=LONGEST).contains(&value.len())
        && varied
        && !is_placeholder(value)
        && !is_of_the_trade(value)
        && !is_several_words(value)
        && !is_variable(value)
}

/// `20260410`
fn is_date(digits: &str) -> bool {
    digits.len() == 8 && (digits.starts_with("19") || digits.starts_with("20"))
}

/// Several parts of which none mixes letters and digits like a password: `min-12-chars`,
/// `db-credentials-v2`, but not `hunter2-blue`.
fn is_several_words(value: &str) -> bool {
    let parts: Vec<&str> = value.split(['-', '_', '.', '/', ':']).filter(|part| !part.is_empty()).collect();
    parts.len() > 1 && parts.iter().all(|part| reads_like_a_name(part) && (part.len() < 6 || Mix::of(part).digits == 0))
}

/// `DB_PASSWORD2`
pub(super) fn is_variable(value: &str) -> bool {
    value.contains('_') && value.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
}

/// `hash(input1)`, `config["x1"]`, `settings.db.password2`, `/etc/app/pw1`, `Option<Secret2>`
pub(super) fn reads_like_code(value: &str) -> bool {
    value.contains(['(', ')', '[', ']', '{', '}', '<', '>'])
        || value.starts_with(['/', '~', '-', '='])
        || value.contains('/') && Mix::of(value).symbols == 0
        || value.contains("::")
        || value.split_once('.').is_some_and(|(object, _)| {
            object.len() > 1 && object.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        }) && reads_like_a_name(value)
}

/// A password inside a URL.
pub(super) fn is_in_url(text: &str, value: &str, end: usize) -> bool {
    is_given(value) && !is_port(value) && !ships_with_product(text, value, end)
}

/// Anything that is not a stand-in, where a program takes a password.
pub(super) fn is_given(value: &str) -> bool {
    value.len() >= 3 && !is_placeholder(value)
}

/// `http://host:3000,someone@…`: a port and the start of the next word.
fn is_port(value: &str) -> bool {
    value
        .split_once([',', ';', '?'])
        .is_some_and(|(head, _)| !head.is_empty() && head.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Passwords that ship with a product; on one's own machine they protect nothing.
const SHIPPED: [&str; 12] =
    ["postgres", "root", "guest", "admin", "test", "redis", "mysql", "rabbitmq", "mongo", "minioadmin", "dev", "sa"];

fn ships_with_product(text: &str, value: &str, end: usize) -> bool {
    let host = text.get(end..).and_then(|rest| rest.strip_prefix('@')).unwrap_or_default();
    let host = host.split(['/', ':', '?', ' ', '\n', '"', '\'', '`', ')']).next().unwrap_or_default();
    let own = host.starts_with("127.") || host == "host.docker.internal" || !host.contains('.');
    own && SHIPPED.contains(&value.to_ascii_lowercase().as_str())
}

/// Several words in quotes, with a number among them.
pub(super) fn is_phrase(value: &str) -> bool {
    (8..=LONGEST).contains(&value.len())
        && value.contains(' ')
        && Mix::of(value).digits > 0
        && !is_placeholder(value)
        && !is_of_the_trade(value)
}

#[cfg(test)]
mod tests;
