//! Tags in a text, as a model or a careless reader takes them: `<name …>`, `</name>`, `[/name]`, `<|name|>`.
//!
//! Enters: any text. Leaves: its tags in order, their names in one spelling whatever the case, the blanks, the invisible
//! or full-width characters they were written with. Never decides what a tag means, and takes linear time.

use std::ops::Range;

use crate::shown::is_invisible;

/// Attributes longer than this are no attributes: a `<` in prose and a `>` much later are not one tag.
const TAG_BYTES: usize = 600;

/// Tags that people type to set a word off.
const INLINE: &[&str] = &[
    "a", "abbr", "b", "br", "code", "del", "em", "i", "ins", "kbd", "mark", "q", "s", "small", "span", "strong", "sub",
    "sup", "u", "var", "wbr",
];
/// Elements of a page, which stand alone where a page is spoken of.
const ELEMENTS: &[&str] = &[
    "article", "aside", "audio", "body", "button", "canvas", "div", "dl", "footer", "form", "h1", "h2", "h3", "h4",
    "head", "header", "hr", "html", "iframe", "img", "input", "label", "li", "link", "main", "meta", "nav", "ol",
    "option", "p", "pre", "script", "section", "select", "slot", "style", "svg", "table", "tbody", "td", "template",
    "textarea", "th", "thead", "title", "tr", "ul", "video",
];
/// What a tag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagKind {
    /// `<name>`, or `[name]`.
    Opens,
    /// `</name>`, or `[/name]`.
    Closes,
    /// `<name/>`.
    Alone,
    /// `<|name|>`: where a chat's record says who speaks next.
    Turn,
}

/// One tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Where it stands.
    pub range: Range<usize>,
    /// Its name in small letters, `_` as `-`; with the bracket in front if it stands in square ones.
    pub name: String,
    /// What it does.
    pub kind: TagKind,
}

/// Whether a tag only sets a word off.
pub fn is_inline(name: &str) -> bool {
    INLINE.contains(&name)
}

/// Whether a tag is an element of a page.
pub fn is_element(name: &str) -> bool {
    ELEMENTS.contains(&name)
}

/// The tags of a text, in order.
pub fn tags(text: &str) -> Vec<Tag> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(['<', '＜', '﹤', '[']).map(|at| from + at) {
        let tag = read(text, at);
        from =
            tag.as_ref().map_or_else(|| at + text[at..].chars().next().map_or(1, char::len_utf8), |tag| tag.range.end);
        found.extend(tag);
    }
    found
}

/// The tag that begins at a byte.
fn read(text: &str, at: usize) -> Option<Tag> {
    let mut rest = Letters { text, at };
    let square = rest.next()? == '[';
    if rest.skip_if('|') {
        let name = rest.name()?;
        return (rest.skip_if('|') && rest.skip_if('>')).then_some(Tag {
            range: at..rest.at,
            name,
            kind: TagKind::Turn,
        });
    }
    rest.blanks();
    let closes = rest.skip_if('/');
    rest.blanks();
    let name = rest.name()?;
    if square {
        rest.blanks();
        let kind = if closes { TagKind::Closes } else { TagKind::Opens };
        return rest.skip_if(']').then(|| Tag { range: at..rest.at, name: format!("[{name}"), kind });
    }
    let before = rest.at;
    let mut last = ' ';
    loop {
        match rest.next()? {
            '>' => break,
            '<' => return None,
            letter if before + letter.len_utf8() == rest.at && !letter.is_whitespace() && letter != '/' => return None,
            letter if !letter.is_whitespace() => last = letter,
            _ => {}
        }
        if rest.at - at > TAG_BYTES {
            return None;
        }
    }
    let kind = match (closes, last) {
        (true, _) => TagKind::Closes,
        (false, '/') => TagKind::Alone,
        _ => TagKind::Opens,
    };
    Some(Tag { range: at..rest.at, name, kind })
}

/// Letters as a reader sees them: invisible ones are not there, full-width ones are plain.
struct Letters<'t> {
    text: &'t str,
    at: usize,
}

impl Letters<'_> {
    fn peek(&self) -> Option<(char, usize)> {
        let mut at = self.at;
        for letter in self.text[self.at..].chars() {
            at += letter.len_utf8();
            if !is_invisible(letter) {
                return Some((plain(letter), at));
            }
        }
        None
    }

    fn next(&mut self) -> Option<char> {
        let (letter, after) = self.peek()?;
        self.at = after;
        Some(letter)
    }

    fn skip_if(&mut self, wanted: char) -> bool {
        let there = self.peek().filter(|(letter, _)| *letter == wanted);
        if let Some((_, after)) = there {
            self.at = after;
        }
        there.is_some()
    }

    fn blanks(&mut self) {
        while let Some((_, after)) = self.peek().filter(|(letter, _)| letter.is_whitespace()) {
            self.at = after;
        }
    }

    fn name(&mut self) -> Option<String> {
        let mut name = String::new();
        while let Some((letter, after)) = self.peek() {
            match letter {
                '_' => name.push('-'),
                '-' | ':' | '.' if !name.is_empty() => name.push(letter),
                letter if letter.is_alphabetic() || (letter.is_ascii_digit() && !name.is_empty()) => {
                    name.extend(letter.to_lowercase());
                }
                _ => break,
            }
            self.at = after;
        }
        (!name.is_empty() && !name.ends_with(':')).then_some(name)
    }
}

/// A full-width or small letter as the plain one it stands for.
fn plain(letter: char) -> char {
    match letter {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(letter) - 0xfee0).unwrap_or(letter),
        '﹤' => '<',
        '﹥' => '>',
        '∕' | '⁄' => '/',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn one_name_however_it_is_written() {
        for (text, name, kind) in [
            ("<system-reminder>", "system-reminder", TagKind::Opens),
            ("</SYSTEM_Reminder>", "system-reminder", TagKind::Closes),
            ("< / system-\u{200b}reminder  >", "system-reminder", TagKind::Closes),
            ("＜/ｓystem-reminder＞", "system-reminder", TagKind::Closes),
            ("<a href=\"x\"\nid=b>", "a", TagKind::Opens),
            ("<Button />", "button", TagKind::Alone),
            ("<|im_start|>", "im-start", TagKind::Turn),
            ("[/quote]", "[quote", TagKind::Closes),
        ] {
            let found = tags(text);
            assert_eq!(found, [Tag { range: 0..text.len(), name: name.into(), kind }], "{text}");
        }
    }

    #[test]
    fn what_is_no_tag() {
        for text in ["a <= b", "<https://x.example>", "<ada@example.org>", "1 << 4", "<- x", "[the page](x)", "a < b"] {
            assert_eq!(tags(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "[<>/\\[\\]|a \u{200b}＜é]{0,80}") {
            let mut end = 0;
            for tag in tags(&text) {
                prop_assert!(tag.range.start >= end && text.get(tag.range.clone()).is_some());
                end = tag.range.end;
            }
        }
    }
}
