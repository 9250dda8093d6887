//! What a changed sentence puts in the place of what: "Ben runs the rota" and "Dana runs the rota" exchange one name.
//!
//! Enters: the sentence as it was and as it is said now. Leaves: the old words and the new ones where one stretch is exchanged and the
//! rest stays, or where one name stands for another; and what the old sentence says behind it, which nobody took back. Where the two
//! are worded too differently to tell, nothing is exchanged. Pure: nothing is read or written.

use std::ops::Range;

use memdir_reader::likeness;
use memdir_reader::subjects::opens_with_reason;

/// A sentence of more words is compared by its names alone.
const LONGEST: usize = 120;
/// Two in five words of the new sentence stand in both where one stretch is exchanged.
const COMMON: (usize, usize) = (2, 5);

/// One stretch of words in the place of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Exchange {
    pub(super) old: String,
    pub(super) new: String,
    /// What the old sentence says behind what was exchanged, with its comma.
    pub(super) tail: String,
}

impl Exchange {
    pub(super) fn between(old: &str, new: &str) -> Option<Exchange> {
        aligned(old, new).or_else(|| renamed(old, new))
    }

    /// A text with the new words in the place of the old ones, where they are words that can stand elsewhere: a name or one
    /// word that means something, not a number, which may count something else there.
    pub(super) fn applied_to(&self, text: &str) -> Option<String> {
        let is_word = words(&self.old).len() == 1 && likeness::words(&self.old).len() == 1;
        let is_number = self.old.chars().all(|c| !c.is_alphabetic());
        let short = words(&self.new).len() <= 4 || !self.new.is_ascii();
        if is_number || !short || !(is_name(&self.old) || is_word || is_cjk_name(&self.old)) {
            return None;
        }
        let mut out = String::with_capacity(text.len());
        let mut from = 0;
        for at in places_of(&self.old, text) {
            out.push_str(&text[from..at]);
            out.push_str(&self.new);
            from = at + self.old.len();
        }
        (from > 0).then(|| {
            out.push_str(&text[from..]);
            out
        })
    }
}

/// Both sentences word by word, when they differ in one stretch.
fn aligned(old: &str, new: &str) -> Option<Exchange> {
    let (was, is) = (words(old), words(new));
    if was.len().max(is.len()) > LONGEST || is.is_empty() {
        return None;
    }
    let pairs = common(
        &was.iter().map(|w| &old[w.clone()]).collect::<Vec<_>>(),
        &is.iter().map(|w| &new[w.clone()]).collect::<Vec<_>>(),
    );
    if pairs.len() < 2 || pairs.len() * COMMON.1 < is.len() * COMMON.0 {
        return None;
    }
    let mut gaps = Vec::new();
    let mut last = (0, 0);
    for &(a, b) in pairs.iter().chain([&(was.len(), is.len())]) {
        // "Backups now run": a word of time or of course changes nothing.
        if b > last.1 && says_something(&new[is[last.1].start..is[b - 1].end]) {
            gaps.push((last.0..a, last.1..b));
        }
        last = (a + 1, b + 1);
    }
    let [(a, b)] = gaps.as_slice() else { return None };
    let inserted = &new[is[b.start].start..is[b.end - 1].end];
    let ends_it = b.end == is.len();
    let a = if ends_it { a.start..a.start + value_length(old, &was[a.clone()], inserted) } else { a.clone() };
    if a.is_empty() {
        return None;
    }
    let (from, to) = (was[a.start].start, was[a.end - 1].end);
    // Behind the last word that both have, the old one may go on.
    let behind = if ends_it { to } else { pairs.last().map_or(to, |(at, _)| was[*at].end) };
    let tail = without_reason(old[behind..].trim_end().trim_end_matches(['.', '。', '!', '！']));
    let says = likeness::words(tail).iter().filter(|word| !likeness::words(new).contains(word)).count();
    let names =
        words(tail).into_iter().any(|word| is_name(&tail[word.clone()]) || tail[word].contains(char::is_numeric));
    let tail = if (says > 1 || says == 1 && names) && !tail.contains(&old[from..to]) { tail } else { "" };
    Some(Exchange { old: old[from..to].to_owned(), new: inserted.to_owned(), tail: tail.to_owned() })
}

/// Whether some words mean anything by themselves.
fn says_something(text: &str) -> bool {
    !likeness::words(text).is_empty() || text.contains(char::is_numeric)
}

/// What a sentence goes on with, up to where it says why: the old reason goes with the old value.
fn without_reason(tail: &str) -> &str {
    let begins = |at: &usize| !tail[..*at].ends_with(|c: char| c.is_alphanumeric() && !is_cjk(c));
    let reason =
        words(tail).into_iter().map(|word| word.start).filter(begins).find(|at| opens_with_reason(&tail[*at..]));
    reason.map_or(tail, |at| tail[..at].trim_end_matches([' ', ',', ';', '，', '；', '—', '-', '(', '（']))
}

/// How many words the old value has, when the sentence may go on behind it: up to a comma, and of a number or a name only as
/// much as is one.
fn value_length(old: &str, words: &[Range<usize>], new: &str) -> usize {
    let Some(first) = words.first() else { return 0 };
    let stop = words
        .windows(2)
        .position(|two| old[two[0].end..two[1].start].contains([',', ';', '，', '；', '、', '(', '（', ':', '：']));
    let clause = stop.map_or(words.len(), |at| at + 1);
    let like = |word: &Range<usize>| -> bool {
        let word = &old[word.clone()];
        word.contains(|c: char| c.is_numeric()) || word.starts_with(char::is_uppercase)
    };
    if like(first) && (new.contains(|c: char| c.is_numeric()) || is_name(new)) {
        words[..clause].iter().take_while(|word| like(word)).count()
    } else {
        clause
    }
}

/// The one name that only the old sentence says, and the one that only the new one says.
fn renamed(old: &str, new: &str) -> Option<Exchange> {
    let only = |one: &str, other: &str| -> Vec<String> {
        let mut names = names(one);
        names.retain(|name| places_of(name, other).is_empty());
        names.dedup();
        names
    };
    let (gone, come) = (only(old, new), only(new, old));
    let ([was], [is]) = (gone.as_slice(), come.as_slice()) else { return None };
    Some(Exchange { old: was.clone(), new: is.clone(), tail: String::new() })
}

/// Names of a sentence: words with a capital behind its beginning, neighbours together.
fn names(text: &str) -> Vec<String> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for (place, word) in words(text).into_iter().enumerate() {
        let said = &text[word.clone()];
        let inner = said.chars().skip(1).any(char::is_uppercase);
        let opens = place == 0 || text[..word.start].trim_end().ends_with(['.', '!', '?', '\n', '-', '*']);
        if !said.starts_with(char::is_uppercase) || (opens && !inner) || said.chars().count() < 2 {
            continue;
        }
        match out.last_mut() {
            Some(last) if text[last.end..word.start] == *" " => last.end = word.end,
            _ => out.push(word),
        }
    }
    out.into_iter().map(|range| text[range].to_owned()).collect()
}

fn is_name(text: &str) -> bool {
    text.starts_with(char::is_uppercase) && text.chars().count() > 1
}

/// A short stretch of a script without capitals is taken for a name.
fn is_cjk_name(text: &str) -> bool {
    (2..=6).contains(&text.chars().count()) && text.chars().all(is_cjk)
}

fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// Where a text says some words, not as part of another word.
pub(super) fn places_of(words: &str, text: &str) -> Vec<usize> {
    let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && !is_cjk(c));
    let own = !words.chars().any(is_cjk);
    text.match_indices(words)
        .map(|(at, _)| at)
        .filter(|at| !own || !(part(text[..*at].chars().next_back()) || part(text[at + words.len()..].chars().next())))
        .collect()
}

/// Words with their places: letters and digits with what joins them, and each character of a script that writes no blanks.
pub(super) fn words(text: &str) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let joins = matches!(c, '\'' | '’' | '-' | '.' | ':' | '_' | '/' | '@' | '+' | '#')
            && next.is_some_and(|next| next.is_alphanumeric() && !is_cjk(next));
        let grows = out.last().is_some_and(|last| last.end == at && !text[last.clone()].starts_with(is_cjk));
        match out.last_mut() {
            Some(last) if grows && !is_cjk(c) && (c.is_alphanumeric() || joins) => last.end = at + c.len_utf8(),
            _ if c.is_alphanumeric() => out.push(at..at + c.len_utf8()),
            _ => {}
        }
    }
    out
}

/// The longest run of words that both say in the same order.
fn common(one: &[&str], other: &[&str]) -> Vec<(usize, usize)> {
    let width = other.len() + 1;
    let mut longest = vec![0u16; (one.len() + 1) * width];
    let lower = |words: &[&str]| words.iter().map(|word| word.to_lowercase()).collect::<Vec<_>>();
    let (a, b) = (lower(one), lower(other));
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = if alike(&a[i], &b[j]) {
                longest[(i + 1) * width + j + 1] + 1
            } else {
                longest[(i + 1) * width + j].max(longest[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut out) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if alike(&a[i], &b[j]) {
            out.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    out
}

/// The same word, or the same with another ending.
fn alike(one: &str, other: &str) -> bool {
    if one == other {
        return true;
    }
    let shared = one.chars().zip(other.chars()).take_while(|(a, b)| a == b && a.is_alphabetic()).count();
    shared >= 4 && shared + 2 >= one.chars().count().max(other.chars().count())
}

#[cfg(test)]
mod tests {
    use super::Exchange;

    fn exchange(old: &str, new: &str) -> Option<(String, String, String)> {
        Exchange::between(old, new).map(|found| (found.old, found.new, found.tail))
    }

    #[test]
    fn one_stretch_is_exchanged_and_the_rest_of_the_sentence_stays() {
        for (old, new, was, is, tail) in [
            ("Ben runs the rota.", "Dana runs the rota", "Ben", "Dana", ""),
            (
                "Letters follow Duden, with footnotes and no endnotes.",
                "Letters follow the Oxford Guide",
                "Duden",
                "the Oxford Guide",
                ", with footnotes and no endnotes",
            ),
            (
                "Visitors call by 8:15 through the app or by phone.",
                "visitors call by 7:45",
                "8:15",
                "7:45",
                " through the app or by phone",
            ),
            (
                "Backups run nightly at 2am to S3, since the disk is small.",
                "Backups now run at 4am",
                "2am",
                "4am",
                " to S3",
            ),
            ("Die Ausgabe leitet Jörg.", "Die Ausgabe leitet Meike.", "Jörg", "Meike", ""),
            ("数值由高敏拍板。", "数值由邵凡拍板。", "高敏", "邵凡", ""),
        ] {
            assert_eq!(exchange(old, new), Some((was.into(), is.into(), tail.into())), "{new}");
        }
    }

    #[test]
    fn one_name_stands_for_another_however_the_sentence_is_worded() {
        let found = exchange(
            "The forwarder is BlueHarbor for frozen goods.",
            "We switched to Meridian Lines for what is frozen",
        );
        assert_eq!(found, Some(("BlueHarbor".into(), "Meridian Lines".into(), String::new())));
        assert_eq!(exchange("Nothing is pushed on Fridays.", "pushing is fine whenever you like"), None);
    }

    #[test]
    fn a_name_changes_wherever_it_stands_alone_and_a_number_does_not() {
        let name = Exchange { old: "Ben".into(), new: "Dana".into(), tail: String::new() };
        assert_eq!(
            name.applied_to("Ask Ben; Benny knows too (Ben).").as_deref(),
            Some("Ask Dana; Benny knows too (Dana).")
        );
        assert_eq!(name.applied_to("Nobody is named"), None);
        let number = Exchange { old: "30".into(), new: "90".into(), tail: String::new() };
        assert_eq!(number.applied_to("30 seats"), None);
    }
}
