//! A short name and a one-line description for a statement.
//!
//! Enters: what somebody wrote, Markdown or not. Leaves: one line within a limit of characters, cut at a word: as a name the
//! topic of the first clause, which is where the sentence begins to say something of it. Never empty while there is anything to
//! say, never longer than its limit, and never a name that says the opposite.

use super::dates;
use super::han::is_unspaced;
use super::plain::{plain, statement};
use super::sentences::sentences_of;
use memdir_core::limits::DESCRIPTION_CHARS;
use memdir_lexicon as lexicon;

/// The longest name; index lines hold it beside the hook.
const TITLE_CHARS: usize = 60;
/// The most words of a file's name.
const FILE_WORDS: usize = 5;
/// What somebody decided stands behind no more words than these.
const LEAD_WORDS: usize = 6;
/// Text beyond this cannot change a title or a summary.
const ENOUGH_BYTES: usize = 8 * 1024;

/// A short clean name from the first clause of `text`.
pub fn title(text: &str) -> String {
    // A text that begins with a heading has its name.
    let headed = heading(text);
    let text = headed.unwrap_or(text);
    // Words such as "tomorrow" would be all that is read of it in an index.
    let line = dates::without_words(&first_words(text));
    let line = fact(&line);
    let small = SmallWords::of(&line);
    let clause = first_clause(&line);
    let clause = if headed.is_none() { without_lead(clause) } else { clause };
    let cut = cut_at_word(topic::topic(clause, &small), TITLE_CHARS, "");
    let name = trimmed(&cut);
    let name = if cut.len() < clause.len() { without_loose_end(name, &small) } else { name };
    let name = if headed.is_none() { without_opening(name, &small) } else { name };
    capital(name)
}

/// With a capital, unless the first word is one that is never written so.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if is_plain_word(text) && first.to_uppercase().count() == 1 => {
            first.to_uppercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

/// The heading that a longer text begins with.
fn heading(text: &str) -> Option<&str> {
    let (first, rest) = text.trim_start().split_once('\n')?;
    let words = first.trim_start_matches('#').strip_prefix(' ')?.trim();
    (first.starts_with('#') && !words.is_empty() && !rest.trim().is_empty()).then_some(words)
}

/// One line that says what `text` says, within [`DESCRIPTION_CHARS`].
pub fn summary(text: &str) -> String {
    let line = first_words(text);
    let mut end = 0;
    for sentence in sentences_of(&line) {
        let upto = end + sentence.len();
        if end > 0 && line[..upto].trim_end().chars().count() > DESCRIPTION_CHARS {
            break;
        }
        end = upto;
    }
    cut_at_word(line[..end].trim(), DESCRIPTION_CHARS, "…")
}

/// Whether a line begins with what a name says, behind an article or "make sure that" or not: then it stands for both.
pub fn is_said_by(name: &str, line: &str) -> bool {
    let small = SmallWords::of(line);
    let begins = |line: &str| line.to_lowercase().starts_with(&name.to_lowercase());
    let led = without_lead(line);
    [line, without_opening(line, &small), led, without_opening(led, &small)].into_iter().any(begins)
}

/// The statement, or all of the text where nothing stands before its labels.
fn first_words(text: &str) -> String {
    let text = &text[..text.floor_char_boundary(ENOUGH_BYTES)];
    let line = statement(text);
    if line.is_empty() { plain(text) } else { line }
}

/// The words of a name that a file is called by: few, and those that carry it.
pub fn file_words(name: &str) -> String {
    let words: Vec<&str> = name.split_whitespace().collect();
    if words.len() <= FILE_WORDS {
        return name.to_owned();
    }
    let small = SmallWords::of(name);
    let carries = |word: &&str| {
        let word = bare(word);
        lexicon::DENIAL.contains(&word) || small.denies(&word) || small.carries(&word)
    };
    let carrying: Vec<&str> = words.iter().copied().filter(carries).collect();
    let words = if carrying.is_empty() { &words } else { &carrying };
    let mut words = &words[..words.len().min(FILE_WORDS)];
    // A number says nothing without what it counts.
    while let [before @ .., last] = words
        && before.len() > 1
        && last.chars().all(|c| c.is_ascii_digit())
    {
        words = before;
    }
    words.join(" ")
}

/// A word as the lists have it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

/// Up to the first mark that ends a clause, if that says enough to be a name.
fn first_clause(line: &str) -> &str {
    let (mut depth, mut ends) = (0usize, sentence_ends(line).peekable());
    for (at, c) in line.char_indices() {
        while ends.next_if(|end| *end < at).is_some() {}
        let next = line[at + c.len_utf8()..].chars().next();
        let spaced = next.is_none_or(char::is_whitespace);
        match c {
            '(' | '（' | '「' | '《' | '“' => depth += 1,
            ')' | '）' | '」' | '》' | '”' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = match c {
            '。' | '；' | '！' | '？' | '，' | '：' => true,
            // "The 31. of January" goes on.
            '.' | '!' | '?' => ends.peek() == Some(&at),
            ',' | ';' | ':' => spaced || next.is_some_and(is_unspaced),
            '—' | '–' => line[..at].ends_with(' '),
            _ => false,
        };
        if ends && depth == 0 && is_enough(&line[..at]) {
            return &line[..at];
        }
    }
    line
}

/// Where the mark stands that ends each sentence of a line.
fn sentence_ends(line: &str) -> impl Iterator<Item = usize> {
    let mut end = 0;
    sentences_of(line).filter_map(move |sentence| {
        end += sentence.len();
        let said = line[..end].trim_end();
        let mark = said.chars().next_back().filter(|c| ".!?".contains(*c))?;
        Some(said.trim_end_matches(mark).len())
    })
}

/// Whether a clause can stand as a name: three words, or four unspaced characters.
fn is_enough(clause: &str) -> bool {
    let unspaced = clause.chars().filter(|c| is_unspaced(*c)).count();
    clause.split_whitespace().count() >= 3 || unspaced >= 4
}

/// A clause without what it begins with before it comes to its topic: "make sure that", "we decided yesterday that".
fn without_lead(clause: &str) -> &str {
    let lower = clause.to_lowercase();
    let behind = |lead: &str| {
        let rest = clause.get(lead.len()..)?;
        (lower.starts_with(lead) && rest.starts_with(' ')).then(|| rest.trim_start())
    };
    let opened = lexicon::TITLE_OPENING.iter().filter_map(behind).min_by_key(|rest| rest.len());
    let rest = opened.or_else(|| reported(clause));
    rest.filter(|rest| rest.contains(' ')).unwrap_or(clause)
}

/// What somebody decided, said or found.
fn reported(clause: &str) -> Option<&str> {
    let words: Vec<&str> = clause.split_whitespace().collect();
    let that = words.iter().take(LEAD_WORDS).position(|word| lexicon::REMEMBER_THAT.contains(&bare(word)))?;
    let tells = words[..that].iter().any(|word| lexicon::REPORTS.contains(&bare(word)));
    let first = words.get(that + 1).filter(|_| tells)?;
    clause.get(first.as_ptr() as usize - clause.as_ptr() as usize..)
}

/// A cut name without the words that only lead on to what was cut.
fn without_loose_end<'n>(name: &'n str, small: &SmallWords) -> &'n str {
    let mut rest = name;
    while let Some((before, last)) = rest.rsplit_once(' ') {
        // A verb at the end waits for what it says of the topic.
        let verb = small.says_more(&bare(last)) && before.contains([' ', '-']);
        let loose = verb || (small.leads_on(&last.to_lowercase()) && before.contains(' '));
        if !loose {
            break;
        }
        rest = trimmed(before);
    }
    rest
}

/// A name without the article that it begins with, if more than one letter is left.
fn without_opening<'n>(name: &'n str, small: &SmallWords) -> &'n str {
    let Some((first, rest)) = name.split_once(' ') else { return name };
    let rest = rest.trim_start();
    if small.is_article(&first.to_lowercase()) && rest.chars().nth(1).is_some() { rest } else { name }
}

/// A leading word that may take a capital: no identifier, no unit, no domain.
fn is_plain_word(name: &str) -> bool {
    let word = name.split_whitespace().next().unwrap_or("");
    word.trim_end_matches([',', ':', ';', '.']).chars().all(|c| c.is_lowercase() || matches!(c, '\'' | '’' | '-'))
}

fn trimmed(name: &str) -> &str {
    let marks = |c: char| c.is_whitespace() || ".,;:!?…。，；：！？、—–-/\\|&+=(（[「《“‘".contains(c);
    let mut name = name.trim_end_matches(marks);
    // A quote at the end stays where another one opens it.
    while let Some(quote) = name.chars().next_back().filter(|c| matches!(c, '"' | '\''))
        && name.chars().filter(|c| *c == quote).count() % 2 == 1
    {
        name = name.trim_end_matches(quote).trim_end_matches(marks);
    }
    let begun = name.trim_start_matches(|c: char| c.is_whitespace() || ".,;:!?。，；：！？、—–)]".contains(c));
    // ".env" and "::1" are names.
    let before = &name[..name.len() - begun.len()];
    if before.ends_with(['.', ':']) && begun.starts_with(char::is_alphanumeric) { name.trim_start() } else { begun }
}

/// At most `limit` characters of `line`, cut between words; what was cut is told by `mark`.
fn cut_at_word(line: &str, limit: usize, mark: &str) -> String {
    let Some((end, _)) = line.char_indices().nth(limit) else {
        return line.to_owned();
    };
    let room = limit - mark.chars().count();
    let hard = line.char_indices().nth(room).map_or(end, |(at, _)| at);
    let cuts_word = |at: usize| {
        let tied = |c: char| !c.is_whitespace() && !is_unspaced(c);
        line[..at].ends_with(tied) && line[at..].starts_with(tied)
    };
    let mut at = hard;
    while at > 0 && cuts_word(at) {
        at -= line[..at].chars().next_back().map_or(1, char::len_utf8);
    }
    // A single word longer than the limit has no better place.
    let at = if at < hard / 3 { hard } else { at };
    let kept = line[..at].trim_end_matches(|c: char| c.is_whitespace() || ",;:，；：、—–-(（".contains(c));
    format!("{kept}{mark}")
}

mod request;
mod topic;
mod words;

pub use request::fact;
use words::SmallWords;

#[cfg(test)]
mod tests;
