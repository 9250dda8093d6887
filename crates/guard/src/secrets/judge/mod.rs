//! Weighs what a pattern matched: is it a secret, or does it only stand where one could?
//!
//! Enters: the text and the ranges of the match and of the value in it. Leaves: the range of the
//! secret, perhaps shortened, or nothing. A judge errs towards silence on values that read like
//! names and towards a finding on values that read like noise.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};

use super::entropy::{Mix, bits};
use super::password;
use super::placeholder::is_placeholder;

/// How the value of a rule is weighed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Judge {
    /// The shape is proof enough; only stand-ins are let go.
    Shape,
    /// A random value with letters and digits, not a name or a path.
    Random,
    /// A random value of letters in both cases, with or without digits.
    MixedCase,
    /// A random value that no vendor's name vouches for.
    Unnamed,
    /// What a person might type as a password.
    Password,
    /// Several words with a number among them.
    Passphrase,
    /// A password inside a URL, where anything goes.
    Url,
    /// A token in place of the user of a URL.
    UrlToken,
    /// A password in a connection string or on a command line, where anything goes as well.
    Argument,
    /// A block of armoured key material.
    KeyBlock,
    /// `user:password` in base64.
    Basic,
    /// A word made by chance.
    Noise,
}

impl Judge {
    /// Whether a stretch of text could hold such a value at all. Asked before the pattern is even
    /// compiled: most talk of keys and tokens holds nothing that looks like one.
    pub(super) fn possible(self, window: &[u8]) -> bool {
        match self {
            Judge::Shape | Judge::MixedCase => any_run(window, |run| {
                run.len() >= 12 && run.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
            }),
            Judge::Random | Judge::Unnamed => any_run(window, |run| run.len() >= 15 && has_letter_and_digit(run)),
            Judge::Password => {
                let runs = window.split(|byte| !byte.is_ascii_graphic());
                runs.into_iter().any(|run| run.len() >= 6 && password::could_hold(run))
            }
            Judge::Passphrase => window.iter().any(|byte| b"\"'`".contains(byte)),
            Judge::Url | Judge::UrlToken => memchr::memchr(b'@', window).is_some(),
            Judge::Argument | Judge::KeyBlock | Judge::Basic | Judge::Noise => true,
        }
    }

    /// The secret in a match, or nothing if it is none.
    pub(super) fn keep(self, text: &str, whole: Range<usize>, secret: Range<usize>) -> Option<Range<usize>> {
        let value = text.get(secret.clone())?;
        let kept = match self {
            Judge::Shape => !is_placeholder(value),
            Judge::Random => is_random(value, 2.5),
            Judge::MixedCase | Judge::UrlToken => {
                let mix = Mix::of(value);
                mix.upper > 0 && mix.lower > 0 && bits(value) >= 2.5 && !is_placeholder(value)
            }
            Judge::Unnamed => !follows_colon(text, whole.start) && !is_uuid(value) && is_random(value, 3.5),
            Judge::Password => return password::typed(text, secret),
            Judge::Passphrase => password::is_phrase(value),
            Judge::Url => password::is_in_url(text, value, secret.end),
            Judge::Argument => password::is_given(value),
            Judge::KeyBlock => longest_base64(value) >= 16,
            Judge::Basic => is_basic(value),
            Judge::Noise => super::noise::is_noise(value),
        };
        kept.then_some(secret)
    }
}

/// Looks at each stretch of the characters that machines make tokens of.
fn any_run(window: &[u8], fits: impl Fn(&[u8]) -> bool) -> bool {
    window.split(|byte| !byte.is_ascii_alphanumeric() && !b"_+/.~=-".contains(byte)).any(fits)
}

pub(super) fn has_letter_and_digit(run: &[u8]) -> bool {
    run.iter().any(u8::is_ascii_digit) && run.iter().any(u8::is_ascii_alphabetic)
}

/// Letters and digits in no order. Hex spends fewer bits a character, so it is asked for fewer.
fn is_random(value: &str, least_bits: f64) -> bool {
    let mix = Mix::of(value);
    let hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let least_bits = if hex { least_bits.min(2.7) } else { least_bits };
    mix.digits > 0
        && mix.letters() > 0
        && bits(value) >= least_bits
        && !is_placeholder(value)
        && !reads_like_a_name(value)
        && !reads_like_a_name(&without_trade(value))
}

/// `ed25519.Ed25519PublicKey` is a name for all its digits.
fn without_trade(value: &str) -> String {
    let lower = value.to_ascii_lowercase();
    password::TRADE.iter().fold(lower, |rest, word| rest.replace(word, ""))
}

/// Whether every part between joints is a word, a number or a word with a number behind it, as in
/// `prod/payments-db-v2`, `config.dbPassword2`, `PAYMENTS_API_KEY_2`, `2026-04-10`.
pub(super) fn reads_like_a_name(value: &str) -> bool {
    value.split(['-', '_', '.', '/', ':', '=', '+', '~', '@']).all(|part| {
        let word = part.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = part.len() - word.len();
        let spoken = word.bytes().all(|byte| byte.is_ascii_alphabetic()) && !is_jumble(word);
        spoken && digits <= if word.is_empty() { 8 } else { 4 }
    })
}

/// Letters that change case too often for words run together: `qLzRmXvB`, but not `dbPassword`.
pub(super) fn is_jumble(word: &str) -> bool {
    let humps = word.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    word.len() >= 8 && humps.count() * 4 > word.len()
}

/// `arn:…:secret:prod/db-x1` and `op:token:…` name a place.
fn follows_colon(text: &str, start: usize) -> bool {
    start > 0 && text.as_bytes().get(start - 1) == Some(&b':')
}

pub(super) fn is_uuid(value: &str) -> bool {
    value.len() == 36
        && value.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

fn longest_base64(value: &str) -> usize {
    let body = value.splitn(3, "-----").nth(2).unwrap_or(value);
    // In JSON and in shell strings the line ends are written out.
    let body = body.replace("\\r", " ").replace("\\n", " ");
    body.split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '+' | '/' | '='))
        .filter(|line| !is_placeholder(line))
        .map(str::len)
        .max()
        .unwrap_or(0)
}

fn is_basic(value: &str) -> bool {
    let decoded = STANDARD.decode(value).or_else(|_| STANDARD_NO_PAD.decode(value));
    let Some(decoded) = decoded.ok().and_then(|bytes| String::from_utf8(bytes).ok()) else {
        return false;
    };
    let Some((user, password)) = decoded.split_once(':') else {
        return false;
    };
    decoded.chars().all(|c| !c.is_control())
        && if password.is_empty() {
            // A token in place of the user name, as some services take it.
            user.len() >= 16 && !is_placeholder(user)
        } else {
            !is_placeholder(password)
        }
}

#[cfg(test)]
mod tests;
