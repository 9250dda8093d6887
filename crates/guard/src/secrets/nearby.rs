//! Secrets told by the words around them, in many languages: `user kiln, pw …`, `密码用 …`, `… is the root password`.
//!
//! Enters: a text. Leaves: the places of values that stand where a password is told, and of words made by chance anywhere
//! near talk of one. That a random word beside the word "password" is harmless cannot be known from outside, so it is not assumed: what
//! is refused wrongly can be said again in other words, what is saved wrongly cannot be taken back.

use std::ops::Range;
use std::sync::LazyLock;

use super::keywords::Keywords;
use super::noise::{is_noise, is_noise_here};
use super::told::{pair, pin, row, told, told_before, told_key};
use memdir_lexicon::guard as lexicon;

/// Names of what is found here, as rules have them.
pub(super) const NAMES: [&str; 5] = [TOLD, BESIDE, PIN, SEED, PHRASE];
const TOLD: &str = "password-in-prose";
const BESIDE: &str = "random-word-beside-a-credential-word";
const PIN: &str = "pin-in-prose";
const SEED: &str = "seed-phrase";
const PHRASE: &str = "passphrase-in-prose";

/// How far from a credential word a random word is taken for its value: a message, or a few paragraphs of a long one.
const NEAR: usize = 400;
/// How far behind the word for a login or a key.
pub(super) const AHEAD: usize = 80;
/// How far before the word for a password the name it belongs to is told.
const PAIR: usize = 48;
/// Words of a wallet's seed, at least.
const SEED_WORDS: usize = 12;
/// Words of a passphrase, at least.
const PHRASE_WORDS: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Password,
    Token,
    Key,
    Login,
    Pin,
    Seed,
    Phrase,
}

const KINDS: [(Kind, &[&str]); 7] = [
    (Kind::Password, lexicon::PASSWORD),
    (Kind::Token, lexicon::TOKEN),
    (Kind::Key, lexicon::KEY),
    (Kind::Login, lexicon::LOGIN),
    (Kind::Pin, lexicon::PIN),
    (Kind::Seed, lexicon::SEED),
    (Kind::Phrase, lexicon::PHRASE),
];

static WORDS: LazyLock<Keywords> = LazyLock::new(|| {
    let words = KINDS.iter().enumerate().flat_map(|(kind, (_, words))| words.iter().map(move |word| (*word, kind)));
    Keywords::new(words)
});

/// A word of the lexicon in the text.
#[derive(Debug)]
struct Hit {
    kind: Kind,
    at: Range<usize>,
}

/// All values that are told; `hidden` are the places of markers, which say nothing.
pub(super) fn secrets(text: &str, hidden: &[Range<usize>]) -> Vec<(&'static str, Range<usize>)> {
    let hits = hits(text, hidden);
    if hits.is_empty() {
        return Vec::new();
    }
    let words = words(text);
    let random: Vec<bool> = words.iter().map(|word| is_noise(&text[word.clone()])).collect();
    let mut found: Vec<(&'static str, Range<usize>)> = Vec::new();
    for hit in &hits {
        let next = words.partition_point(|word| word.start < hit.at.end);
        let behind = &words[next..];
        match hit.kind {
            Kind::Password => {
                let paired = hits.iter().any(|login| {
                    login.kind == Kind::Login && (1..PAIR).contains(&hit.at.start.saturating_sub(login.at.end))
                });
                found.extend(told(text, &hit.at, behind, paired).map(|word| (TOLD, word)));
            }
            Kind::Token => {
                let told = told_key(text, &hit.at, behind).or_else(|| told_before(text, &hit.at, &words[..next]));
                found.extend(told.map(|word| (TOLD, word)));
            }
            Kind::Pin => found.extend(pin(text, &hit.at, behind).map(|word| (PIN, word))),
            Kind::Seed => found.extend(row(text, hit.at.end, SEED_WORDS).map(|row| (SEED, row))),
            Kind::Phrase => found.extend(row(text, hit.at.end, PHRASE_WORDS).map(|row| (PHRASE, row))),
            Kind::Login => found.extend(pair(text, &hit.at, behind).map(|word| (TOLD, word))),
            Kind::Key => {}
        }
        found.extend(near(text, hit, &words, &random).into_iter().map(|word| (BESIDE, word)));
    }
    found.sort_by_key(|(_, at)| (at.start, at.end));
    found
}

/// Values told outright, and no others: for a text in which words may have been joined.
pub(super) fn told_in(text: &str) -> Vec<(&'static str, Range<usize>)> {
    let mut found = secrets(text, &[]);
    found.retain(|(rule, _)| *rule == TOLD);
    found
}

/// Whether a text speaks of a password or a token.
pub(super) fn names_a_credential(text: &str, hidden: &[Range<usize>]) -> bool {
    hits(text, hidden).iter().any(|hit| matches!(hit.kind, Kind::Password | Kind::Token))
}

fn hits(text: &str, hidden: &[Range<usize>]) -> Vec<Hit> {
    let mut hits = Vec::new();
    let spelled = letters_for_signs(text);
    let mut add = |kind: usize, start: usize, end: usize| {
        let masked = hidden.iter().any(|marker| marker.start < end && start < marker.end);
        if !masked && stands_alone(text, start, end) && !is_stand_in(text, start) {
            hits.push(Hit { kind: KINDS[kind].0, at: start..end });
        }
    };
    WORDS.each(text.as_bytes(), &mut add);
    if let Some(spelled) = spelled {
        WORDS.each(spelled.as_bytes(), |kind, start, end| {
            let word = &text.as_bytes()[start..end];
            let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
            if word != &spelled.as_bytes()[start..end] && letters * 2 > word.len() {
                add(kind, start, end);
            }
        });
    }
    hits.sort_by_key(|hit| (hit.at.start, hit.at.end));
    hits
}

/// `p@ssw0rd` as `password`, byte by byte; nothing where no sign stands for a letter.
fn letters_for_signs(text: &str) -> Option<String> {
    let letter = |sign: char| match sign {
        '@' | '4' => 'a',
        '0' => 'o',
        '1' => 'i',
        '3' => 'e',
        '$' | '5' => 's',
        '7' => 't',
        other => other,
    };
    text.contains(['@', '4', '0', '1', '3', '$', '5', '7']).then(|| text.chars().map(letter).collect())
}

/// `<your-token>`, `${DB_PASSWORD}`, `$TOKEN` and `{{ token }}` stand where a value would.
fn is_stand_in(text: &str, start: usize) -> bool {
    text[..start]
        .trim_end_matches(|letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.'))
        .ends_with(['<', '$', '{'])
}

/// Latin words end where they end; in other scripts and behind other letters anything may follow.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let (Some(before), Some(word), Some(after)) = (text.get(..start), text.get(start..end), text.get(end..)) else {
        return false;
    };
    let is_latin = |letter: char| letter.is_alphabetic() && u32::from(letter) < 0x250;
    let first = word.chars().next().is_some_and(|letter| u32::from(letter) < 0x2e80);
    let free = |letter: Option<char>| {
        letter.is_none_or(|letter| !letter.is_alphabetic() || !is_latin(letter) && u32::from(letter) >= 0x2e80)
    };
    (!first || free(before.chars().next_back()))
        && (!word.is_ascii()
            || !word.ends_with(|letter: char| letter.is_ascii_alphabetic())
            || free(after.chars().next()))
}

/// What stands before a colon and names the kind of what follows.
fn is_scheme(name: &str) -> bool {
    ["arn", "http", "https", "file", "urn", "data", "sha", "key", "id", "sess", "docker", "oci", "npm", "git", "op"]
        .contains(&name)
}

/// The words of printable ASCII, without what grammar and Markdown put around them.
fn words(text: &str) -> Vec<Range<usize>> {
    const CUTS: &[u8] = b"\"'`()[]{}<>,;";
    const EDGES: &[char] = &['*', '.', ':', '!', '?', '|', '=', '-', '_', '\\', '/', '&'];
    let mut words = Vec::new();
    let mut next = 0;
    for piece in text.as_bytes().split(|byte| !byte.is_ascii_graphic() || CUTS.contains(byte)) {
        let start = next;
        next += piece.len() + 1;
        let Some(piece) = text.get(start..start + piece.len()).filter(|piece| piece.len() >= 4) else { continue };
        let trimmed = piece.trim_start_matches(EDGES);
        let start = start + piece.len() - trimmed.len();
        let trimmed = trimmed.trim_end_matches(EDGES);
        if !trimmed.is_empty() {
            words.push(start..start + trimmed.len());
            // `kiln:…`: a name and what belongs to it.
            let name = trimmed.split(':').next().unwrap_or_default();
            let tail = trimmed.len().saturating_sub(name.len() + 1);
            if tail >= 6 && name.len() >= 2 && name.bytes().all(|byte| byte.is_ascii_lowercase()) && !is_scheme(name) {
                words.push(start + name.len() + 1..start + trimmed.len());
            }
        }
    }
    words
}

/// Random words around the word for a credential.
fn near(text: &str, hit: &Hit, words: &[Range<usize>], random: &[bool]) -> Vec<Range<usize>> {
    let (before, after, least) = match hit.kind {
        Kind::Password | Kind::Token => (NEAR, NEAR, 0),
        Kind::Login => (0, AHEAD, 0),
        Kind::Key => (0, AHEAD, 20),
        Kind::Pin | Kind::Seed | Kind::Phrase => return Vec::new(),
    };
    let (from, to) = (hit.at.start.saturating_sub(before), hit.at.end.saturating_add(after));
    // Talk of a login or a key is too common to reach over a line.
    let line = || memchr::memchr(b'\n', &text.as_bytes()[hit.at.end..]).map_or(text.len(), |end| hit.at.end + end);
    let to = if matches!(hit.kind, Kind::Login | Kind::Key) { to.min(line()) } else { to };
    let told = if hit.kind == Kind::Password { hit.at.end..hit.at.end + AHEAD } else { 0..0 };
    let first = words.partition_point(|word| word.start < from);
    let around = words[first..].iter().zip(&random[first..]).take_while(|(word, _)| word.start < to);
    let suspects = around.filter(|(word, random)| {
        word.len() >= least && (**random || told.contains(&word.start) && is_noise_here(&text[(*word).clone()]))
    });
    let named =
        |word: &Range<usize>| is_part(text, word) || is_called_a_name(text, word) || is_of_others(text, &hit.at);
    suspects.map(|(word, _)| word).filter(|word| !named(word)).cloned().collect()
}

/// "public key", "site key", "key id", "public token"
pub(super) fn is_of_others(text: &str, word: &Range<usize>) -> bool {
    let before = text[..word.start].trim_end();
    let last = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    ["public", "site", "publishable", "öffentlicher", "publique", "pública", "公"]
        .iter()
        .any(|other| last.eq_ignore_ascii_case(other))
        || text[word.end..].split_whitespace().next().is_some_and(|next| next.eq_ignore_ascii_case("id"))
}

/// "voice ID: `…`", "commit …": the word before says that it names something.
pub(super) fn is_called_a_name(text: &str, word: &Range<usize>) -> bool {
    let before = text[..word.start].trim_end_matches(|letter: char| !letter.is_alphanumeric());
    let last = before.rsplit(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
    ["id", "ids", "commit", "digest", "checksum", "hash", "fingerprint", "etag", "sha", "md5", "crc", "编号", "标识"]
        .iter()
        .any(|name| last.eq_ignore_ascii_case(name))
}

/// A piece of a longer thing that says what it is: of a path, of an address, of a list of hashes.
pub(super) fn is_part(text: &str, word: &Range<usize>) -> bool {
    let before = text[..word.start].trim_end_matches(|letter: char| {
        letter.is_ascii_graphic() && !matches!(letter, '"' | '\'' | '`' | '(' | ')' | ',' | ';' | '<' | '>')
    });
    let whole = &text[before.len()..word.start];
    let publics = ["ssh-rsa", "ssh-ed25519", "ecdsa-sha2-nistp256"];
    whole.contains("://")
        || whole.contains('$')
        || text[..word.start].trim_end().rsplit(char::is_whitespace).next().is_some_and(|last| publics.contains(&last))
}
