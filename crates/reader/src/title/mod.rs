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
/// A clause of so many words is a name as it stands; a longer one is cut down to its topic.
const SHORT_WORDS: usize = 5;
const SHORT_CHARS: usize = 40;
/// The most words of a topic, and the most characters of one that is written without spaces.
const TOPIC_WORDS: usize = 6;
const TOPIC_CHARS: usize = 44;
const TOPIC_UNSPACED: usize = 16;
/// The most words of a file's name.
const FILE_WORDS: usize = 5;
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
    let clause = first_clause(&line);
    let cut = cut_at_word(topic(clause), TITLE_CHARS, "");
    let name = trimmed(&cut);
    let name = if cut.len() < clause.len() { without_loose_end(name) } else { name };
    let name = if headed.is_none() { without_opening(name) } else { name };
    let mut chars = name.chars();
    match chars.next() {
        Some(first) if is_plain_word(name) && first.to_uppercase().count() == 1 => {
            first.to_uppercase().chain(chars).collect()
        }
        _ => name.to_owned(),
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

/// The statement, or all of the text where nothing comes before its labels.
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
    let carries = |word: &&str| {
        let word = bare(word);
        lexicon::DENIAL.contains(&word) || !(lexicon::STOP_WORD.contains(&word) || lexicon::LOOSE_END.contains(&word))
    };
    let carrying: Vec<&str> = words.iter().copied().filter(carries).collect();
    let words = if carrying.is_empty() { &words } else { &carrying };
    words[..words.len().min(FILE_WORDS)].join(" ")
}

/// What somebody wants kept, without the words that ask for it: "please remember that", "from now on".
pub fn fact(line: &str) -> String {
    let line = without_openings(line);
    let said = line.trim_end_matches(|c: char| c.is_whitespace() || ".!。！".contains(c));
    let lower = lowered(said);
    let closing = lexicon::REMEMBER_CLOSING.iter().filter(|closing| lower.ends_with(closing)).map(str::len).max();
    match closing {
        // "Please." alone says nothing, but it is all there is.
        Some(length) if said.len() > length => {
            format!("{}{}", said[..said.len() - length].trim_end_matches([' ', ',']), line[said.len()..].trim_end())
        }
        _ => line.to_owned(),
    }
}

/// In small letters, as long as the text itself.
fn lowered(text: &str) -> String {
    let lower = text.to_lowercase();
    if lower.len() == text.len() { lower } else { text.to_ascii_lowercase() }
}

/// A word as the lists have it.
fn bare(word: &str) -> String {
    word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase()
}

fn without_openings(line: &str) -> &str {
    let mut rest = line.trim_start_matches(|c: char| !c.is_alphanumeric() && !"\"'`(《「".contains(c));
    // "Ok so please remember that" has three.
    for _ in 0..4 {
        let Some(opening) = lexicon::REMEMBER_OPENING.longest_prefix_of(&lowered(rest)) else { break };
        let after = rest[opening.len()..].trim_start_matches([' ', ',', ':', '，', '：', '、']);
        if after.is_empty() {
            break;
        }
        rest = after;
    }
    rest
}

/// Up to the first mark that ends a clause, if that says enough to be a name.
fn first_clause(line: &str) -> &str {
    let mut depth = 0usize;
    for (at, c) in line.char_indices() {
        let next = line[at + c.len_utf8()..].chars().next();
        let spaced = next.is_none_or(char::is_whitespace);
        match c {
            '(' | '（' | '「' | '《' | '“' => depth += 1,
            ')' | '）' | '」' | '》' | '”' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = match c {
            '。' | '；' | '！' | '？' | '，' | '：' => true,
            ',' | ';' | ':' | '.' | '!' | '?' => spaced || next.is_some_and(is_unspaced),
            '—' | '–' => line[..at].ends_with(' '),
            _ => false,
        };
        if ends && depth == 0 && is_enough(&line[..at]) {
            return &line[..at];
        }
    }
    line
}

/// The topic of a clause: what comes before the word that begins to say something of it.
fn topic(clause: &str) -> &str {
    let unspaced = clause.chars().filter(|c| is_unspaced(*c)).count();
    if unspaced * 2 > clause.chars().count() {
        return unspaced_topic(clause);
    }
    let words: Vec<(usize, &str)> =
        clause.split_whitespace().map(|word| (word.as_ptr() as usize - clause.as_ptr() as usize, word)).collect();
    if words.len() <= SHORT_WORDS && clause.chars().count() <= SHORT_CHARS {
        return clause;
    }
    let (mut carrying, mut depth) = (0, 0i32);
    for (at, (start, word)) in words.iter().enumerate() {
        let name = bare(word);
        // "The prices do not" and "invoices over 5000" wait for their next word.
        let waits = at > 0 && waits_for_more(words[at - 1].1);
        let enough = carrying >= 2 && at >= 2 && depth == 0 && !waits;
        // To drop only the last word would save nothing.
        let few = at < TOPIC_WORDS || at + 1 == words.len();
        let fits = few && clause[..start + word.len()].chars().count() <= TOPIC_CHARS;
        if enough && lexicon::TITLE_BREAK.contains(&name) {
            return clause[..*start].trim_end();
        }
        if !fits && at >= 2 && !waits {
            let whole = carrying == 0 && clause.chars().count() <= TITLE_CHARS;
            return if whole { clause } else { clause[..*start].trim_end() };
        }
        depth += word.chars().map(|c| i32::from(c == '(') - i32::from(c == ')')).sum::<i32>();
        carrying += usize::from(carries(&name));
    }
    clause
}

/// Whether a name cannot end with this word: a number without its unit, or a "no" without what is denied.
fn waits_for_more(word: &str) -> bool {
    let word = bare(word);
    lexicon::DENIES_NEXT.contains(&word)
        || (!word.is_empty() && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',')))
}

/// Whether a word says something by itself, in a language that has lists.
fn carries(word: &str) -> bool {
    let lists = [&lexicon::STOP_WORD, &lexicon::LOOSE_END, &lexicon::FUNCTION_WORD, &lexicon::DENIES_NEXT];
    !lists.iter().any(|list| list.contains(word))
}

/// The same where no spaces part the words.
fn unspaced_topic(clause: &str) -> &str {
    if clause.chars().count() <= TOPIC_UNSPACED {
        return clause;
    }
    for (count, (at, _)) in clause.char_indices().enumerate() {
        let breaks = lexicon::TITLE_BREAK.iter().any(|word| !word.is_ascii() && clause[at..].starts_with(word));
        if count >= TOPIC_UNSPACED || (count >= 4 && breaks) {
            return &clause[..at];
        }
    }
    clause
}

/// Whether a clause can stand as a name: three words, or four unspaced characters.
fn is_enough(clause: &str) -> bool {
    let unspaced = clause.chars().filter(|c| is_unspaced(*c)).count();
    clause.split_whitespace().count() >= 3 || unspaced >= 4
}

/// A cut name without the words that only lead on to what was cut.
fn without_loose_end(name: &str) -> &str {
    let mut rest = name;
    while let Some((before, last)) = rest.rsplit_once(' ') {
        if !lexicon::LOOSE_END.contains(&last.to_lowercase()) || !before.contains(' ') {
            break;
        }
        rest = trimmed(before);
    }
    rest
}

/// A name without the article that it begins with, if more than one letter is left.
fn without_opening(name: &str) -> &str {
    let Some((first, rest)) = name.split_once(' ') else { return name };
    let rest = rest.trim_start();
    if lexicon::NAME_OPENING.contains(&first.to_lowercase()) && rest.chars().nth(1).is_some() { rest } else { name }
}

/// A leading word that may take a capital: no identifier, no unit, no domain.
fn is_plain_word(name: &str) -> bool {
    let word = name.split_whitespace().next().unwrap_or("");
    word.trim_end_matches([',', ':', ';', '.']).chars().all(|c| c.is_lowercase() || matches!(c, '\'' | '’' | '-'))
}

fn trimmed(name: &str) -> &str {
    let name = name
        .trim_end_matches(|c: char| c.is_whitespace() || ".,;:!?…。，；：！？、—–-/\\|&+=(（[「《\"'“‘".contains(c));
    name.trim_start_matches(|c: char| c.is_whitespace() || ".,;:!?。，；：！？、—–)]".contains(c))
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

#[cfg(test)]
mod tests;
