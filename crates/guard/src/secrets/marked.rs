//! Tokens of services that no rule knows: a mark of small letters, and then more noise than any identifier has.
//!
//! Enters: any text. Leaves: the places of such tokens, mark and all. What is part of an address, or in hex like a digest, is
//! none, and neither is what the trade calls by such a mark.

use std::ops::Range;

use super::noise::is_noise;

/// The name of what is found here, as rules have one.
pub(super) const NAME: &str = "marked-token";

/// Letters behind the mark, at least: identifiers have fewer.
const LEAST: usize = 32;
/// A part of noise that must be noise by itself: names of files are words with hyphens.
const LONG_PART: usize = 12;
/// Letters of a mark, at most.
const MARK: usize = 24;

/// The tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Range<usize>> {
    let is_inside = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(|letter: char| !is_inside(letter)) {
        let start = at;
        at += word.len();
        let token = word.trim_end_matches(|letter: char| !is_inside(letter));
        let before = text[..start].chars().next_back();
        if token.len() > LEAST && is_marked(token) && !matches!(before, Some('/' | ':' | '.' | '@')) {
            found.push(start..start + token.len());
        }
    }
    found
}

/// Whether somewhere a mark ends and noise begins. A hyphen inside of noise is one more letter of it.
fn is_marked(token: &str) -> bool {
    token.match_indices(['_', '-']).any(|(at, sign)| {
        let (mark, noise) = (&token[..at], &token[at + 1..]);
        (2..=MARK).contains(&mark.len())
            && mark.starts_with(|letter: char| letter.is_ascii_lowercase())
            && mark
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'-'))
            && noise.len() >= LEAST
            && (sign == "_" || !is_of_a_digest(mark))
            && is_noise(noise)
            && noise.split(['_', '-']).all(|part| part.len() < LONG_PART || is_noise(part))
    })
}

/// `sha512-…` and what else says how to check a file.
fn is_of_a_digest(mark: &str) -> bool {
    mark.split(['_', '-']).any(|part| part.starts_with("sha") || matches!(part, "md5" | "blake3" | "blake2b" | "h1"))
}

#[cfg(test)]
mod tests {
    use super::tokens;

    #[test]
    fn a_mark_and_noise_are_a_token() {
        let noise = "q4W7zP2mX9rT3lKbQ4w7Zp2Mx9Rt3LkB";
        for mark in ["kiln_", "kiln_live_", "k2-x_", "kiln-", "sk-kiln-"] {
            let text = format!("use {mark}{noise}, please");
            assert!(tokens(&text).into_iter().eq(std::iter::once(4..4 + mark.len() + noise.len())), "{text}");
        }
        for text in [
            format!("kiln_{}", &noise[..27]),
            format!("kiln_{}", "5f9c0a7b3e8d1f2a".repeat(2)),
            format!("https://x.example/kiln_{noise}"),
            format!("KILN_{noise}"),
            format!("sha512-{noise}"),
            noise.to_owned(),
            "some_very_long_name_of_a_function_in_a_module_somewhere".to_owned(),
            "test_ReadsTheWholeFileAndThenWritesItBackAgain2".to_owned(),
        ] {
            assert!(tokens(&text).is_empty(), "{text}");
        }
    }
}
