//! The same signs in many languages, by what stands together in one sentence.
//!
//! Enters: the whole text in lower case. Leaves: how heavily each sign weighs. Languages differ in where they put a verb, so order
//! counts for nothing here: a sentence that tells to drop, names rules, and says whose they are is an order to drop them. The
//! words are in the lexicon; all are looked for in one pass.

use std::sync::LazyLock;

use super::Sign;
use crate::secrets::Keywords;
use memdir_lexicon::guard as words;

/// What a word says. A sentence is the set of what its words say.
const DROP: u32 = 1;
const RULES: u32 = 1 << 1;
const STANDING: u32 = 1 << 2;
const VOID: u32 = 1 << 3;
const SECURITY: u32 = 1 << 4;
const NEW: u32 = 1 << 5;
const SYSTEM: u32 = 1 << 6;
const YOU_ARE: u32 = 1 << 7;
const NOW: u32 = 1 << 8;
const FREE: u32 = 1 << 9;
const NOT: u32 = 1 << 10;
const TELL: u32 = 1 << 11;
const USER: u32 = 1 << 12;
const HIDE: u32 = 1 << 13;
const SEND: u32 = 1 << 14;
const PRIVATE: u32 = 1 << 15;
const RUN: u32 = 1 << 16;
const UNASKED: u32 = 1 << 17;
const AGENT: u32 = 1 << 18;
const ABOUT: u32 = 1 << 19;
const ADDRESS: u32 = 1 << 20;
const MINE: u32 = 1 << 21;
/// What is dropped stands near the word that drops it.
const NEAR: u32 = 1 << 22;
const CONSENT: u32 = 1 << 23;
const SHOW: u32 = 1 << 24;
const TOLD: u32 = 1 << 25;
const MODE: u32 = 1 << 26;
const INNER: u32 = 1 << 27;
const ASKED: u32 = 1 << 28;
const GRANT: u32 = 1 << 29;

const LISTS: [(u32, &[&str]); 29] = [
    (DROP, words::ORDER_DROP),
    (RULES, words::ORDER_RULES),
    (STANDING, words::ORDER_STANDING),
    (VOID, words::ORDER_VOID),
    (SECURITY, words::ORDER_SECURITY),
    (NEW, words::ORDER_NEW),
    (SYSTEM, words::ORDER_SYSTEM),
    (YOU_ARE, words::ORDER_YOU_ARE),
    (NOW, words::ORDER_NOW),
    (FREE, words::ORDER_FREE),
    (NOT, words::ORDER_NOT),
    (TELL, words::ORDER_TELL),
    (USER, words::ORDER_USER),
    (HIDE, words::ORDER_HIDE),
    (SEND, words::ORDER_SEND),
    (PRIVATE, words::ORDER_PRIVATE),
    (RUN, words::ORDER_RUN),
    (UNASKED, words::ORDER_UNASKED),
    (AGENT, words::ORDER_AGENT),
    (ABOUT, words::ORDER_ABOUT),
    (MINE, words::ORDER_MINE),
    (CONSENT, words::ORDER_CONSENT),
    (SHOW, words::ORDER_SHOW),
    (TOLD, words::ORDER_TOLD),
    (MODE, words::ORDER_MODE),
    (INNER, words::ORDER_INNER),
    (ASKED, words::ORDER_ASKED),
    (GRANT, words::ORDER_GRANT),
    (ADDRESS, &["http://*", "https://*", "ftp://*"]),
];

/// Bytes after which a line ends a sentence.
const LONG_SENTENCE: usize = 240;

/// Bytes between a word that drops and the rules it drops.
const APART: usize = 64;

struct Lexicon {
    keywords: Keywords,
    /// For each word what it says, and whether it is a stem.
    says: Vec<(u32, bool)>,
}

static LEXICON: LazyLock<Lexicon> = LazyLock::new(|| {
    let all: Vec<(&'static str, u32)> =
        LISTS.iter().flat_map(|(says, words)| words.iter().map(|word| (*word, *says))).collect();
    let keywords = Keywords::new(all.iter().enumerate().map(|(at, (word, _))| (word.trim_end_matches('*'), at)));
    Lexicon { keywords, says: all.iter().map(|(word, says)| (*says, word.ends_with('*'))).collect() }
});

/// Calls `see` with each sign of a text and its weight.
pub(super) fn signs(lower: &str, mut see: impl FnMut(Sign, u8)) {
    let mut sentences = Sentences::of(lower);
    LEXICON.keywords.each(lower.as_bytes(), |word, start, end| {
        let (says, stem) = LEXICON.says[word];
        if is_word(lower, start, end, stem) {
            sentences.add(start, says);
        }
    });
    for at in memchr::memchr_iter(b'@', lower.as_bytes()) {
        if is_mail(lower, at) {
            sentences.add(at, ADDRESS);
        }
    }
    for said in sentences.said {
        weigh(said, &mut see);
    }
}

/// Whether a sign stands between a name and a host.
fn is_mail(text: &str, at: usize) -> bool {
    let host = text[at + 1..].split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '.' | '-'))).next();
    text[..at].ends_with(char::is_alphanumeric) && host.is_some_and(|host| host.trim_end_matches('.').contains('.'))
}

/// Whether a text is about orders: what it quotes then is an example.
pub(super) fn is_about_orders(lower: &str) -> bool {
    let mut about = false;
    LEXICON.keywords.each(lower.as_bytes(), |word, start, end| {
        let (says, stem) = LEXICON.says[word];
        about |= says == ABOUT && is_word(lower, start, end, stem);
    });
    about
}

fn weigh(said: u32, see: &mut impl FnMut(Sign, u8)) {
    let all = |wanted: u32| said & wanted == wanted;
    let any = |wanted: u32| said & wanted != 0;
    // Of their own words a person may well say so: "ignore my earlier instruction about tabs".
    let dropped = if all(DROP | RULES | STANDING | NEAR) {
        2 - u8::from(any(MINE))
    } else {
        u8::from(all(DROP | RULES | NEAR) && any(HIDE | AGENT | UNASKED | PRIVATE))
    };
    let void = if all(VOID | SECURITY | STANDING) || all(VOID | TOLD) {
        2
    } else {
        u8::from(all(VOID) && any(SECURITY | NEW))
    };
    see(Sign::Override, dropped.max(void));
    let unbound = all(YOU_ARE | NOW | FREE) || all(MODE | SECURITY) && any(VOID | FREE | RUN);
    see(Sign::Disguise, if unbound { 2 } else { u8::from(all(NEW | SYSTEM)) });
    let untold = all(NOT | TELL | USER) && !all(ABOUT);
    see(
        Sign::Secrecy,
        if untold {
            1 + u8::from(any(RULES) && any(STANDING | DROP) || all(RULES))
        } else {
            let hidden = any(USER | SEND | RUN | AGENT | PRIVATE | NEW | NEAR | GRANT);
            u8::from(all(HIDE) && hidden) + u8::from(all(HIDE | SHOW | SYSTEM)) * 2
        },
    );
    // Nobody keeps from the reader of a memory that it was asked for, and nobody else has hidden instructions.
    see(Sign::Secrecy, u8::from(all(NOT | ASKED) && any(TELL | AGENT)) * 2);
    see(Sign::CarriesAway, u8::from(all(SHOW | INNER) && (!all(NOT) || all(HIDE))) * 2);
    see(Sign::Authority, u8::from(all(GRANT)));
    // Who has a consent need not tell a model of it.
    see(Sign::Authority, u8::from(all(CONSENT | USER) && any(AGENT | UNASKED)));
    see(Sign::CarriesAway, u8::from(all(SEND | PRIVATE) && any(ADDRESS | HIDE)));
    see(Sign::FetchAndRun, u8::from(all(RUN | ADDRESS | UNASKED)));
    see(Sign::Pressure, u8::from(any(AGENT | UNASKED | MODE)));
}

/// Words of alphabets stand alone, or at least begin; Chinese, Japanese and Korean have anything around them.
fn is_word(text: &str, start: usize, end: usize, stem: bool) -> bool {
    let (Some(before), Some(word), Some(after)) = (text.get(..start), text.get(start..end), text.get(end..)) else {
        return false;
    };
    let spaced = |letter: char| letter.is_alphanumeric() && u32::from(letter) < 0x1100;
    if !word.chars().next().is_some_and(spaced) {
        return true;
    }
    let open = !word.chars().next_back().is_some_and(spaced);
    !before.chars().next_back().is_some_and(spaced) && (stem || open || !after.chars().next().is_some_and(spaced))
}

/// What is said in each sentence.
struct Sentences {
    /// Where each sentence ends.
    ends: Vec<usize>,
    said: Vec<u32>,
    /// Where a word that drops, and one for rules, stood last.
    dropped: Option<usize>,
    ruled: Option<usize>,
}

impl Sentences {
    fn of(text: &str) -> Sentences {
        let bytes = text.as_bytes();
        let mut ends = Vec::new();
        for at in memchr::memchr3_iter(b'.', b'!', b'?', bytes) {
            // A full stop inside a word (`.env`, `a.rs`) ends none.
            if bytes.get(at + 1).is_none_or(u8::is_ascii_whitespace) {
                ends.push(at);
            }
        }
        ends.extend(
            ["。", "！", "？", "；", "; ", "\n\n", "\n- "].iter().flat_map(|end| memchr::memmem::find_iter(bytes, end)),
        );
        ends.push(text.len());
        ends.sort_unstable();
        // Lists and tables have no full stops: what is said far apart there is not one sentence.
        let mut last = 0;
        let lines = memchr::memchr_iter(b'\n', bytes).filter(|at| {
            let before = ends.partition_point(|end| end < at).checked_sub(1).map_or(0, |end| ends[end]);
            let far = *at - last.max(before) > LONG_SENTENCE;
            last = if far { *at } else { last };
            far
        });
        let lines: Vec<usize> = lines.collect();
        ends.extend(lines);
        ends.sort_unstable();
        let said = vec![0; ends.len()];
        Sentences { ends, said, dropped: None, ruled: None }
    }

    fn add(&mut self, at: usize, says: u32) {
        let sentence = self.ends.partition_point(|end| *end <= at);
        match says {
            DROP => self.dropped = Some(at),
            RULES => self.ruled = Some(at),
            _ => {}
        }
        let near = self.dropped.zip(self.ruled).is_some_and(|(dropped, ruled)| dropped.abs_diff(ruled) <= APART);
        if let Some(said) = self.said.get_mut(sentence) {
            *said |= says;
            if matches!(says, DROP | RULES) && near {
                *said |= NEAR;
            }
        }
    }
}
