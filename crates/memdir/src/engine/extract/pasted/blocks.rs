//! What of a message stands outside every block: tags, fences, quotes, comments, indented code, patches, records of chats.
//!
//! Enters: a message. Leaves: the lines outside. A block may hold text that pretends to end it, so a block ends where nothing
//! behind it could still be its end: at the last closing tag or fence of its kind. One whose end is not there reaches to
//! the end of the message. Never cuts a tag that a sentence only speaks of.

use std::collections::HashMap;

use memdir_guard::markup::{Tag, TagKind, is_element, is_inline, tags};
use memdir_guard::shown::is_invisible;
use memdir_lexicon as lexicon;

use super::{forms, patch};

/// Words between two tags in one line that are still spoken of, not wrapped.
const SPOKEN_WORDS: usize = 3;

/// More blocks than these, each with typed words right behind it, nobody writes; what follows is not looked at.
const BLOCKS: usize = 64;

/// The text outside every block.
pub(super) fn outside(text: &str) -> String {
    let text = with_plain_line_ends(text);
    let mut kept = String::with_capacity(text.len());
    let mut rest = Some(text.as_str());
    for _ in 0..BLOCKS {
        rest = rest.and_then(|text| up_to_rest(text, &mut kept));
    }
    kept
}

/// Keeps what stands outside blocks up to one that ends within a line, and leaves what follows it there.
fn up_to_rest<'t>(text: &'t str, kept: &mut String) -> Option<&'t str> {
    let lines = lines(text);
    let all = tags(text);
    let mut line = 0;
    while line < lines.len() {
        if let Some(after) = block(&lines, line) {
            line = after;
            continue;
        }
        let (start, content) = lines[line];
        let Some((from, to)) = inside_line(text, start, content, &all) else {
            kept.push_str(content);
            kept.push('\n');
            line += 1;
            continue;
        };
        kept.push_str(&text[start..from]);
        kept.push('\n');
        line = lines.partition_point(|(start, _)| *start <= to).saturating_sub(1);
        let (start, content) = lines[line];
        if !text[to..start + content.len()].trim().is_empty() {
            return Some(&text[to..]);
        }
        line += 1;
    }
    None
}

/// One kind of line end: some terminals and editors know others.
fn with_plain_line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace(['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'], "\n")
}

/// The lines of a text with where they begin.
fn lines(text: &str) -> Vec<(usize, &str)> {
    let mut start = 0;
    text.split('\n')
        .map(|line| {
            let at = start;
            start += line.len() + 1;
            (at, line)
        })
        .collect()
}

/// The line after the block that begins with this line, if one does.
fn block(lines: &[(usize, &str)], line: usize) -> Option<usize> {
    let content = seen(lines[line].1);
    let rest = lines[line..].iter().map(|(_, line)| *line);
    if let Some(length) = forms::length(rest.clone()) {
        return Some(line + length);
    }
    if is_quote(content) {
        return Some(line + 1);
    }
    let length = fence(rest.clone())
        .or_else(|| patch::length(rest.clone()))
        .or_else(|| heredoc(rest.clone()))
        .or_else(|| marked(rest.clone()))
        .or_else(|| front_matter(rest.clone()))
        .or_else(|| terminal(rest.clone()))
        .or_else(|| chat_or_mail(rest, line > 0 && lines[line - 1].1.trim().is_empty()))?;
    Some(line + length)
}

/// A line without what nobody sees before it.
fn seen(line: &str) -> &str {
    line.trim_start_matches(|letter: char| letter.is_whitespace() || is_invisible(letter))
}

/// Whether a line quotes; a comparison begins with its sign, too.
fn is_quote(content: &str) -> bool {
    let quoted = ["&gt;", ">", "＞"].into_iter().find_map(|mark| content.strip_prefix(mark));
    quoted.is_some_and(|rest| !rest.starts_with('='))
}

/// How many lines a fenced block has: to the last fence of its kind, since every one before it may be part of what it holds.
fn fence<'l>(mut lines: impl Iterator<Item = &'l str>) -> Option<usize> {
    let (mark, length, _) = fence_of(lines.next()?)?;
    let (mut depth, mut last, mut count) = (1_usize, 0, 1);
    for line in lines {
        count += 1;
        let Some((_, _, named)) = fence_of(line).filter(|(other, run, _)| *other == mark && *run >= length) else {
            continue;
        };
        depth = if named || depth == 0 { depth + 1 } else { depth - 1 };
        last = count;
    }
    Some(if depth == 0 { last } else { count })
}

/// The mark of a fence, its length, and whether it names a language.
fn fence_of(line: &str) -> Option<(char, usize, bool)> {
    let mut content = seen(line);
    for lead in ["- ", "* ", "+ "] {
        content = content.strip_prefix(lead).map_or(content, seen);
    }
    let mark = content.chars().next().filter(|mark| matches!(mark, '`' | '~' | '"' | '\''))?;
    let rest = content.trim_start_matches(mark);
    let length = (content.len() - rest.len()) / mark.len_utf8();
    let ends_in_line = rest.contains(mark) && mark != '~';
    (length >= 3 && !ends_in_line).then(|| (mark, length, !rest.trim().is_empty()))
}

/// How many lines a shell's text up to a word has, its command included.
fn heredoc<'l>(mut lines: impl Iterator<Item = &'l str>) -> Option<usize> {
    let first = lines.next()?;
    let word = first.split("<<").nth(1)?.trim_start_matches('-').trim_start_matches(['\'', '"']);
    let word = word.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
    let named = word.starts_with(char::is_alphabetic);
    let end = lines.enumerate().filter(|(_, line)| named && line.trim() == word).last()?;
    Some(end.0 + 2)
}

/// How many lines stand from a line that says it begins something to the last that says it ends.
fn marked<'l>(mut lines: impl Iterator<Item = &'l str>) -> Option<usize> {
    let says = |line: &str, words: &[&str]| {
        let content = seen(line);
        let rest = content.trim_start_matches(['-', '=', '*', '#', '~', '_']);
        let first = rest.split_whitespace().next().unwrap_or_default().to_lowercase();
        content.len() - rest.len() >= 3 && words.contains(&first.as_str())
    };
    if !says(lines.next()?, &["begin", "start"]) {
        return None;
    }
    lines.enumerate().filter(|(_, line)| says(line, &["end", "stop", "eof"])).last().map(|(at, _)| at + 2)
}

/// How many lines the front matter of a file has: from one `---` to the last, with a key behind the first.
fn front_matter<'l>(mut lines: impl Iterator<Item = &'l str>) -> Option<usize> {
    let is_rule = |line: &str| line.trim_end() == "---";
    let is_key = |line: &str| {
        let name = line.split(':').next().unwrap_or_default();
        name.len() < line.len()
            && !name.is_empty()
            && name.chars().all(|letter| letter.is_alphanumeric() || "_-".contains(letter))
    };
    if !is_rule(lines.next()?) || !is_key(lines.next()?) {
        return None;
    }
    lines.enumerate().filter(|(_, line)| is_rule(line)).last().map(|(at, _)| at + 3)
}

/// How many lines a copy of a terminal has: from a prompt to the last one, or to the end of what the only one printed.
fn terminal<'l>(lines: impl Iterator<Item = &'l str> + Clone) -> Option<usize> {
    if !is_prompt(lines.clone().next()?) {
        return None;
    }
    let printed = lines.clone().take_while(|line| !line.trim().is_empty()).count();
    let last = lines.enumerate().filter(|(_, line)| is_prompt(line) || line.trim() == "$").last()?;
    Some(printed.max(last.0 + 1))
}

/// `$ make`, `ada@kiln:~$ make`, `❯ make`, `PS C:\> make`; an amount of money is none.
fn is_prompt(line: &str) -> bool {
    let content = seen(line);
    let Some((sign, command)) = content.split_once(' ') else { return false };
    let shell = ["$", "❯", "➜"].contains(&sign) || sign.contains('@') && sign.ends_with(['$', '#']);
    let command = command.trim_start();
    shell && command.starts_with(|letter: char| letter.is_alphabetic() || matches!(letter, '.' | '/' | '~'))
        || content.starts_with("PS ") && content.contains(":\\") && content.contains('>')
}

/// How many lines are left where the record of a chat or a mail begins: neither says where it ends. `apart`: a blank line comes before;
/// then one line of a mail's head is enough.
fn chat_or_mail<'l>(lines: impl Iterator<Item = &'l str> + Clone, apart: bool) -> Option<usize> {
    let label = |line: &str| {
        let line = seen(line);
        let (name, said) = line.split_once("：").or_else(|| line.split_once(':'))?;
        let name = name.trim_matches(['*', '#', ' ', '[', ']']).to_lowercase();
        let spaced = said.starts_with([' ', '*', '\t']) || line.contains('：') || !name.is_ascii();
        (!name.contains(char::is_whitespace) && spaced).then_some(name)
    };
    let is = |line: &str, names: &[&str]| label(line).is_some_and(|name| names.contains(&name.as_str()));
    let mut following = lines.clone();
    let first = following.next()?;
    let chat = (is(first, lexicon::en::CHAT_PERSON)
        && following.clone().any(|line| is(line, lexicon::en::CHAT_PROGRAM)))
        || (is(first, lexicon::en::CHAT_PROGRAM) && following.clone().any(|line| is(line, lexicon::en::CHAT_PERSON)));
    let head = |line: &str| label(line).is_some_and(|name| lexicon::MAIL_HEAD.contains(&name));
    let formal = apart && !seen(first).starts_with(char::is_lowercase);
    let mail = head(first) && following.next().is_some_and(|line| formal || head(line));
    (chat || mail).then(|| lines.count())
}

/// The first block that begins within a line: a tag's, a comment's, or one between dashes.
fn inside_line(text: &str, start: usize, content: &str, all: &[Tag]) -> Option<(usize, usize)> {
    let end = start + content.len();
    let comment = content.find("<!--").filter(|at| !in_code(&content[..*at])).map(|at| {
        let behind = &text[start + at + 4..];
        let room = behind.find("<!--").unwrap_or(behind.len());
        let close = ["-->", "--!>"].iter().filter_map(|close| Some(behind[..room].rfind(close)? + close.len())).max();
        (start + at, close.map_or(text.len(), |close| start + at + 4 + close))
    });
    let first = all.partition_point(|tag| tag.range.start < start);
    let tagged = all[first..].iter().enumerate().take_while(|(_, tag)| tag.range.start < end).find_map(|(at, tag)| {
        let before = &text[start..tag.range.start];
        (!in_code(before))
            .then(|| tag_end(text, before, tag, &all[first + at + 1..]))
            .flatten()
            .map(|to| (tag.range.start, to))
    });
    let dashed = dashed(content).map(|(from, to)| (start + from, start + to));
    [comment, tagged, dashed].into_iter().flatten().min()
}

/// What is between two runs of dashes within a line: somebody pasted it without line ends.
fn dashed(content: &str) -> Option<(usize, usize)> {
    let runs: Vec<usize> = content.match_indices("---").map(|(at, _)| at).collect();
    let parts =
        |at: &usize| content[..*at].ends_with(' ') && content[at + 3..].starts_with(' ') || *at + 3 == content.len();
    let from = *runs.iter().find(|at| parts(at))?;
    let to = *runs.iter().rfind(|at| parts(at))?;
    (from < to).then_some((from, to + 3))
}

/// Whether what follows in a line is in code marks.
fn in_code(before: &str) -> bool {
    before.matches('`').count() % 2 == 1
}

/// Where the block that a tag opens ends, if it opens one.
fn tag_end(text: &str, before: &str, tag: &Tag, behind: &[Tag]) -> Option<usize> {
    let opens_line = seen(before).is_empty();
    let quoted = |tag: &Tag| text[..tag.range.start].ends_with('`') && text[tag.range.end..].starts_with('`');
    match tag.kind {
        TagKind::Turn if opens_line => return Some(text.len()),
        TagKind::Opens => {}
        _ => return None,
    }
    let name = tag.name.as_str();
    let close = behind.iter().rfind(|one| one.kind == TagKind::Closes && one.name == name && !quoted(one));
    let Some(close) = close else {
        let alone = text[tag.range.end..].lines().next().is_none_or(|rest| rest.trim().is_empty());
        let known = name.starts_with('[') || is_inline(name) || is_element(name);
        return (opens_line && alone && !known).then_some(text.len());
    };
    let held = &text[tag.range.end..close.range.start];
    let wraps =
        held.contains('\n') || (!is_inline(name) && (opens_line || held.split_whitespace().count() > SPOKEN_WORDS));
    wraps.then(|| past_unclosed(behind, close.range.end))
}

/// The end of a block, moved behind the last closing tag of every one that was opened in it and is still open there.
fn past_unclosed(behind: &[Tag], mut end: usize) -> usize {
    let closing = behind.iter().filter(|tag| tag.kind == TagKind::Closes);
    let last: HashMap<&str, usize> = closing.map(|tag| (tag.name.as_str(), tag.range.end)).collect();
    let mut open: HashMap<&str, usize> = HashMap::new();
    let mut at = 0;
    loop {
        while let Some(tag) = behind.get(at).filter(|tag| tag.range.start < end) {
            let count = open.entry(tag.name.as_str()).or_default();
            match tag.kind {
                TagKind::Opens => *count += 1,
                TagKind::Closes => *count = count.saturating_sub(1),
                TagKind::Alone | TagKind::Turn => {}
            }
            at += 1;
        }
        let unclosed = open.iter().filter(|(_, count)| **count > 0);
        match unclosed.filter_map(|(name, _)| last.get(name)).max() {
            Some(farther) if *farther > end => end = *farther,
            _ => return end,
        }
    }
}
