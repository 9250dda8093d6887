//! Whether a word was made by chance: by a generator, or by a person who imitates one.
//!
//! Enters: a word without the punctuation around it. Leaves: a verdict. Digests, identifiers, names, paths and addresses are
//! made by chance as well, or look so, and are told apart here: they stand beside talk of passwords every day.

use super::encoded;
use super::entropy::Mix;
use super::judge::{is_uuid, reads_like_a_name};
use super::password::{is_of_the_trade, is_variable, reads_like_code};
use super::placeholder::is_placeholder;

/// What is shorter is an abbreviation.
const SHORTEST: usize = 8;
/// What is longer is data.
const LONGEST: usize = 256;

/// Letters behind the head of an identifier, at most.
const LONGEST_IDENTIFIER: usize = 30;

/// Noise wherever it stands: letters in both cases and digits, mixed as no name mixes them.
pub(super) fn is_noise(word: &str) -> bool {
    let mix = Mix::of(word);
    (SHORTEST..=LONGEST).contains(&word.len())
        && mix.upper > 0
        && mix.lower > 0
        && mix.digits > 0
        && is_jumbled(word)
        && !is_something_else(word)
}

/// Letters and digits in no order, whatever else is known of the word: no name anybody gives to a variable.
pub(super) fn is_unread(word: &str) -> bool {
    let mix = Mix::of(word);
    word.len() >= 6 && mix.upper > 0 && mix.lower > 0 && mix.digits > 0 && is_jumbled(word)
}

/// The same in a sentence that tells a password: shorter, and less mixed.
pub(super) fn is_noise_here(word: &str) -> bool {
    let mix = Mix::of(word);
    let (letters, pieces) = pieces(word);
    (6..=LONGEST).contains(&word.len())
        && mix.upper > 0
        && mix.lower > 0
        && mix.digits > 0
        && letters < pieces * 4
        && !reads_like_a_name(word)
        && !is_something_else(word)
}

/// Noise where a value is expected: two kinds of characters do, or letters in an order that no word has.
pub(super) fn is_value(word: &str) -> bool {
    let mix = Mix::of(word);
    let kinds = [mix.upper, mix.lower, mix.digits, mix.symbols].iter().filter(|count| **count > 0).count();
    (6..=LONGEST).contains(&word.len())
        && (kinds >= 2 && mix.digits > 0 && mix.letters() > 0 || kinds >= 2 && mix.letters() >= 6 && is_jumbled(word))
        && !is_something_else(word)
        && !is_counted(word)
}

/// Letters in both cases, not only at the beginning: no word, where a name and its password are told.
pub(super) fn is_odd_case(word: &str) -> bool {
    let all_letters = word.bytes().all(|byte| byte.is_ascii_alphabetic());
    let (letters, pieces) = pieces(word);
    (6..=64).contains(&word.len()) && all_letters && pieces > 1 && letters < pieces * 4 && !is_something_else(word)
}

/// Pieces between changes of case and kind that are too short for words.
fn is_jumbled(word: &str) -> bool {
    let (letters, pieces) = pieces(word);
    letters < pieces * 3 || letters < pieces * 5 && is_unspoken(word)
}

/// How many letters there are, in how many pieces: `HTTPServer2` has two, `aB3dE` four.
fn pieces(word: &str) -> (usize, usize) {
    let bytes = word.as_bytes();
    let letters = bytes.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let begins = |at: usize| {
        let (before, after) = (at.checked_sub(1).and_then(|before| bytes.get(before)), bytes.get(at + 1));
        let first = before.is_none_or(|before| !before.is_ascii_alphabetic());
        let upper = bytes[at].is_ascii_uppercase();
        // A capital begins a word behind a small letter, and behind capitals if a small one follows.
        first || upper && (before.is_some_and(u8::is_ascii_lowercase) || after.is_some_and(u8::is_ascii_lowercase))
    };
    (letters, (0..bytes.len()).filter(|at| bytes[*at].is_ascii_alphabetic() && begins(*at)).count())
}

/// Five consonants in a row.
fn is_unspoken(word: &str) -> bool {
    let spoken = |byte: &u8| !byte.is_ascii_alphabetic() || b"aeiouyAEIOUY".contains(byte);
    word.as_bytes().split(spoken).any(|consonants| consonants.len() >= 5)
}

/// `12-chars`, `90days`, `24h`: a number and what it counts.
fn is_counted(word: &str) -> bool {
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    rest.len() < word.len() && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
}

fn is_something_else(word: &str) -> bool {
    is_placeholder(word)
        || is_uuid(word)
        || is_of_the_trade(word)
        || is_variable(word)
        || reads_like_code(word)
        || is_address(word)
        || is_identifier(word)
        || is_public(word)
        || encoded::is_text(word)
}

/// A path, a URL, somebody's mail, a name in a registry.
fn is_address(word: &str) -> bool {
    let spoken = |part: &str| part.len() >= 3 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    word.contains("://")
        || word.contains('@') && word.rsplit('@').next().is_some_and(|host| host.contains('.'))
        || word.contains('/') && word.split(['/', '-', '_', '.']).any(spoken)
        || word.starts_with("arn:")
        || word.contains(':') && word.split(':').next().is_some_and(spoken)
        || word.split('.').count() > 2 && word.split('.').any(spoken)
}

/// `cus_N3x…`, `run_7Hq…`, `SHA256:…`, `sha512-…`, `h1:…`: says itself that it names something.
fn is_identifier(word: &str) -> bool {
    let head = word.split(['_', ':', '-', '~']).next().unwrap_or_default();
    let named =
        (2..=10).contains(&head.len()) && head.len() < word.len() && head.bytes().all(|byte| byte.is_ascii_lowercase());
    // What is longer than any identifier is a token.
    named && word.as_bytes()[head.len()] == b'_' && word.len() <= head.len() + LONGEST_IDENTIFIER
        || ["sha1", "sha256", "sha384", "sha512", "md5", "h1"].contains(&head.to_ascii_lowercase().as_str())
        // The id of a change under review: a digest behind a letter.
        || word.len() == 41 && word.starts_with('I') && word[1..].bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Heads of what is meant to be seen: keys for others, certificates, pictures.
fn is_public(word: &str) -> bool {
    ["AAAAC3Nza", "AAAAB3Nza", "AAAAE2Vj", "MII", "iVBORw0KGgo", "R0lGOD", "/9j/", "RWQ", "age1", "6L"]
        .iter()
        .any(|head| word.starts_with(head))
}

#[cfg(test)]
mod tests {
    use super::{is_noise, is_value};

    #[test]
    fn noise_is_told_from_names() {
        for word in ["Kx9mP2vQ", "q4W7zP2mX9rT3lKb", "aB3dE5gH7j", "x9-Qw3-Zt7-Lm2"] {
            assert!(is_noise(word) && is_value(word), "{word}");
        }
        for word in [
            "Release2026",
            "Ed25519PrivateKey",
            "dbPassword2",
            "C02ABCDEFGH",
            "9fceb02d0ae598e9",
            "run_q4W7zP2mX9rT3lKb",
            "SHA256:q4W7zP2mX9rT3lKb",
            "https://x.io/q4W7zP2m",
            "docs/a4W7zP2m",
            "2026-04-10T08:15:00Z",
            "v1.24.3-rc.1",
        ] {
            assert!(!is_noise(word), "{word}");
        }
    }

    #[test]
    fn a_value_may_be_plainer() {
        for word in ["hunter42x7", "tr0ub4dor", "qLzRmXvBk", "kiln7fire"] {
            assert!(is_value(word), "{word}");
        }
        for word in ["rotation", "12-chars", "90days", "argon2id", "DB_PASSWORD2", "input.len2()", "required"] {
            assert!(!is_value(word), "{word}");
        }
    }
}
