//! The words that ask for a fact to be kept, which are no part of it.
//!
//! Enters: one line that somebody said. Leaves: the line without "please remember that", "just so you know", "from now on" and "thanks",
//! in whatever number they stand. Never takes all of it, and never a word that says something of the fact.

use super::super::han::is_unspaced;
use super::bare;
use super::words::SmallWords;
use memdir_lexicon::{self as lexicon, List};

/// "Hey, also, could you please remember that from now on" has six.
const ROUNDS: usize = 8;
/// A clause of more words says something.
const EMPTY_WORDS: usize = 8;
/// What parts an opening from the point.
const MARKS: &str = ",;:!…—–，；：！、";

/// What somebody wants kept, without the words that ask for it.
pub fn fact(line: &str) -> String {
    let opened = without_openings(line);
    let fact = without_closings(opened);
    let was_capital = line.trim_start().starts_with(char::is_uppercase);
    if opened.len() < line.trim_start().len() && was_capital { super::capital(&fact) } else { fact }
}

fn without_openings(line: &str) -> &str {
    let mut rest = line.trim_start_matches(is_ornament);
    for _ in 0..ROUNDS {
        let Some(length) = opening(&lowered(rest)) else { break };
        let after = behind_marks(&rest[length..]);
        if !after.contains(char::is_alphanumeric) {
            break;
        }
        rest = after;
    }
    rest
}

/// How much of a text in small letters asks for the rest to be kept.
fn opening(text: &str) -> Option<usize> {
    plain_opening(text).or_else(|| {
        let frame = longest(&lexicon::REMEMBER_FRAME, text)?;
        let rest = &text[frame..];
        let goes_on = text.len() - behind_fillers(rest).len();
        let next = &text[goes_on..];
        let more = plain_opening(next);
        more.map(|more| goes_on + more).or_else(|| longest(&lexicon::STATEMENT_OPENING, next).map(|_| goes_on))
    })
}

fn plain_opening(text: &str) -> Option<usize> {
    let said = [longest(&lexicon::REMEMBER_OPENING, text), headed(text), request(text)];
    said.into_iter().flatten().max().or_else(|| empty_clause(text))
}

/// The longest entry that a text begins with, as whole words.
fn longest(list: &List, text: &str) -> Option<usize> {
    list.iter().filter(|entry| text.starts_with(entry) && ends_word(&text[entry.len()..], entry)).map(str::len).max()
}

/// Whether nothing of a word that was found is left over.
fn ends_word(rest: &str, entry: &str) -> bool {
    if entry.ends_with(is_unspaced) || entry.ends_with('\'') {
        return true;
    }
    let mut next = rest.chars();
    match next.next() {
        None => true,
        Some('-' | '.' | '/' | '_' | '\'' | '’') => next.next().is_none_or(|c| !c.is_alphanumeric()),
        Some(c) => !c.is_alphanumeric() || is_unspaced(c),
    }
}

/// "Important!!", "fyi:": one such word, and a mark behind it.
fn headed(text: &str) -> Option<usize> {
    let length = longest(&lexicon::REMEMBER_HEADING, text)?;
    is_parted(&text[length..]).then_some(length)
}

/// "Don't forget that": a request, and what introduces the point, or a mark, or a statement right away.
fn request(text: &str) -> Option<usize> {
    let ends = lexicon::REMEMBER_REQUEST.iter().filter_map(|request| {
        let behind = behind_fillers(behind_request(text, request)?);
        let that = behind.trim_start_matches([',', ' ']);
        let at = text.len() - behind.len();
        match longest(&lexicon::REMEMBER_THAT, that) {
            Some(length) => Some(text.len() - that.len() + length),
            None if is_parted(behind) || longest(&lexicon::STATEMENT_OPENING, that).is_some() => Some(at),
            None => None,
        }
    });
    ends.max()
}

/// What stands behind a request, whose words others may part: "denk bitte daran".
fn behind_request<'t>(text: &'t str, request: &str) -> Option<&'t str> {
    let mut rest = text;
    for (at, word) in request.split(' ').enumerate() {
        if at > 0 {
            rest = rest.strip_prefix(' ')?;
            if !rest.starts_with(word) {
                rest = behind_fillers(rest).trim_start();
            }
        }
        rest = rest.strip_prefix(word).filter(|rest| ends_word(rest, word))?;
    }
    Some(rest)
}

/// What stands behind "please" and the like.
fn behind_fillers(text: &str) -> &str {
    let mut rest = text;
    loop {
        let word = rest.trim_start_matches([' ', ',']);
        match longest(&lexicon::REMEMBER_BETWEEN, word) {
            Some(length) if word.len() < rest.len() || rest.len() == text.len() => rest = &word[length..],
            _ => return if rest.len() == text.len() { text.trim_start() } else { rest.trim_start_matches(' ') },
        }
    }
}

/// "For what it's worth,": a first clause in which nothing is said yet.
fn empty_clause(text: &str) -> Option<usize> {
    let end = text.char_indices().find(|(at, c)| {
        let next = text[at + c.len_utf8()..].chars().next();
        MARKS.contains(*c)
            || (*c == '.' && next == Some(' '))
            || (*c == '-' && next == Some(' ') && text[..*at].ends_with(' '))
    })?;
    let words: Vec<String> = text[..end.0].split(' ').map(bare).filter(|word| !word.is_empty()).collect();
    let small = SmallWords::of(&text[..end.0]);
    let spoken = |word: &str| lexicon::REMEMBER_WORD.contains(word) || lexicon::REMEMBER_HEADING.contains(word);
    let empty = |word: &str| spoken(word) || lexicon::REMEMBER_MODIFIER.contains(word) || !small.carries(word);
    // "It's", "d'info": each part by itself.
    let says_nothing = |word: &String| empty(word) || word.split(['\'', '’']).all(|part| part.len() < 2 || empty(part));
    let speaks = |word: &String| spoken(word) || word.split(['\'', '’']).any(spoken);
    let alone = (2..=EMPTY_WORDS).contains(&words.len());
    (alone && words.iter().all(says_nothing) && words.iter().any(speaks)).then_some(end.0)
}

/// Whether a mark stands between what was found and the rest.
fn is_parted(rest: &str) -> bool {
    let behind = rest.trim_start_matches(' ');
    let stop = behind.starts_with(". ")
        || (behind.len() < rest.len() && (behind.starts_with("- ") || behind.starts_with('\n')));
    stop || behind.starts_with(|c: char| MARKS.contains(c) || c == '。')
}

/// What stands behind an opening, without the marks and signs that part them.
fn behind_marks(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let mut next = rest.chars();
        let trimmed = match (next.next(), next.next()) {
            (Some(mark), _) if MARKS.contains(mark) || mark == '。' || is_ornament(mark) => next_of(rest),
            (Some('.' | '-' | '?'), Some(' ')) => next_of(rest),
            _ => return rest,
        };
        rest = trimmed.trim_start();
    }
}

fn next_of(text: &str) -> &str {
    let mut rest = text.chars();
    rest.next();
    rest.as_str()
}

/// Signs that say nothing: an emoji, a bullet, white space.
fn is_ornament(c: char) -> bool {
    c.is_whitespace() || c.is_control() || (!c.is_ascii() && !c.is_alphanumeric() && !"«“‘„「『《（¿¡§€£°".contains(c))
}

fn without_closings(line: &str) -> String {
    let (mut said, mut cut) = (line, false);
    for _ in 0..ROUNDS {
        let body = said.trim_end_matches(|c: char| is_ornament(c) || ".!?。！？,".contains(c));
        let lower = lowered(body);
        let Some(length) = lexicon::REMEMBER_CLOSING.iter().filter_map(|closing| ends_with(&lower, closing)).max()
        else {
            break;
        };
        let before = body[..body.len() - length].trim_end_matches(|c: char| is_ornament(c) || ",;:-".contains(c));
        // "Please." alone says nothing, but it is all there is.
        if !before.contains(char::is_alphanumeric) {
            break;
        }
        (said, cut) = (before, true);
    }
    let whole = line.trim_end_matches(|c: char| c.is_whitespace() || ".!。！".contains(c));
    if cut { format!("{said}{}", line[whole.len()..].trim_end()) } else { line.to_owned() }
}

/// How much of the end of a text a closing is: "ok" is one only behind a mark.
fn ends_with(text: &str, closing: &str) -> Option<usize> {
    let Some(word) = closing.strip_prefix(", ") else {
        return text.ends_with(closing).then_some(closing.len());
    };
    let before = text.strip_suffix(word)?.strip_suffix(' ')?;
    before.ends_with(|c: char| MARKS.contains(c) || ".?-".contains(c)).then_some(word.len())
}

/// In small letters, as long as the text itself.
fn lowered(text: &str) -> String {
    let lower = text.to_lowercase();
    if lower.len() == text.len() { lower } else { text.to_ascii_lowercase() }
}
