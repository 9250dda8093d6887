//! One pointer line, read generously (I1).
//!
//! Enters: a line of text without its ending. Leaves: its parts, or nothing if the line is the
//! user's own. Never takes a link that leaves the memory directory for a pointer.

use std::borrow::Cow;

/// The parts of a pointer line.
#[derive(Debug)]
pub(super) struct PointerLink<'a> {
    /// Indentation, bullet and the space behind it.
    pub(super) lead: &'a str,
    pub(super) title: Cow<'a, str>,
    pub(super) target: Cow<'a, str>,
    pub(super) hook: &'a str,
}

/// Reads a pointer: a bullet, a link to a topic file, and perhaps a hook.
pub(super) fn read(line: &str) -> Option<PointerLink<'_>> {
    let rest = after_bullet(line)?;
    let lead = &line[..line.len() - rest.len()];
    let (title, rest) = bracketed(rest)?;
    let (target, rest) = destination(rest)?;
    let target = topic_file(target)?;
    Some(PointerLink { lead, title: unescape(title.trim()), target, hook: hook(rest) })
}

/// A pointer line up to its target, the target as it is written, and the rest.
fn around_target(line: &str) -> Option<(&str, &str, &str)> {
    let (_, rest) = bracketed(after_bullet(line)?)?;
    let (raw, _) = destination(rest)?;
    topic_file(raw)?;
    // In front of it stand only the parenthesis and what may be between.
    let start = line.len() - rest.len() + rest.find(raw)?;
    Some((&line[..start], raw, &line[start + raw.len()..]))
}

/// A pointer line that leads to another file, written as it is in a link; every other byte stays.
pub(super) fn retargeted(line: &str, target: &str) -> Option<String> {
    let (before, raw, after) = around_target(line)?;
    let part = raw.find('#').map_or("", |at| &raw[at..]);
    Some(format!("{before}{target}{part}{after}"))
}

/// A pointer line that says other values in its title and hook; the file it names stays.
pub(super) fn told(line: &str, swaps: &[(String, String)]) -> Option<String> {
    let (before, raw, after) = around_target(line)?;
    let told = |text: &str| swaps.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    Some(format!("{}{raw}{}", told(before), told(after)))
}

/// A pointer line as a plain note: its words stay, the file it named among them, and nothing links to it.
pub(super) fn unlinked(line: &str) -> Option<String> {
    let text = after_bullet(line)?;
    let (title, rest) = bracketed(text)?;
    Some(format!("{}{title} {rest}", &line[..line.len() - text.len()]))
}

/// Whether a line is a list item of any kind.
pub(super) fn is_item(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    matches!(text.first(), Some(b'-' | b'*' | b'+')) && matches!(text.get(1), Some(b' ' | b'\t'))
}

/// What follows a bullet and its space.
pub(super) fn after_bullet(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches([' ', '\t']).strip_prefix(['-', '*', '+'])?;
    let text = rest.trim_start_matches([' ', '\t']);
    (text.len() < rest.len()).then_some(text)
}

/// `[title]`, with brackets inside if they are balanced or escaped: the title and the rest.
pub(super) fn bracketed(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('[')?;
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'[' => depth += 1,
            b']' if depth == 0 => return Some((&inside[..at], &inside[at + 1..])),
            b']' => depth -= 1,
            _ => {}
        }
    }
    // A bracket that nobody closed: the first `](` must do.
    let (title, _) = inside.split_once("](")?;
    (!title.contains(']')).then(|| (title, &inside[title.len() + 1..]))
}

/// `(file.md)`, `(<file.md>)`, `(file.md "remark")`: the raw target and the rest of the line.
fn destination(text: &str) -> Option<(&str, &str)> {
    let inside = text.strip_prefix('(')?;
    if let Some(angled) = inside.trim_start().strip_prefix('<') {
        let (target, rest) = angled.split_once('>')?;
        return rest.split_once(')').map(|(_, rest)| (target, rest));
    }
    let mut depth = 0_usize;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 0 => {
                let target = inside[..at].trim();
                let remark = target.find('"').filter(|at| target[..*at].ends_with(' '));
                let target = remark.map_or(target, |at| target[..at].trim_end());
                return Some((target, &inside[at + 1..]));
            }
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The file a link means, if it is a topic file below the memory directory.
pub(super) fn topic_file(raw: &str) -> Option<Cow<'_, str>> {
    let raw = raw.split('#').next().unwrap_or_default();
    let target = match unescape(raw) {
        Cow::Borrowed(text) => decode(without_dot(text)),
        Cow::Owned(text) => Cow::Owned(decode(without_dot(&text)).into_owned()),
    };
    let name = target.rsplit('/').next().unwrap_or_default();
    let stem = name.len().checked_sub(3).filter(|stem| name.is_char_boundary(*stem))?;
    let fits = name[stem..].eq_ignore_ascii_case(".md")
        && stem > 0
        && !name.eq_ignore_ascii_case("MEMORY.md")
        && !target.contains('\0')
        // An empty part is the root, or what follows the scheme of a URL.
        && target
            .split('/')
            .all(|part| !part.is_empty() && part != "..");
    fits.then_some(target)
}

/// The target as it is kept and compared.
pub(super) fn without_dot(mut target: &str) -> &str {
    while let Some(rest) = target.strip_prefix("./") {
        target = rest;
    }
    target
}

/// What follows the link, without the dash or colon between.
pub(super) fn hook(rest: &str) -> &str {
    let rest = rest.trim();
    ["—", "–", "―", "--", "-", ":"].into_iter().find_map(|mark| rest.strip_prefix(mark)).unwrap_or(rest).trim_start()
}

fn decode(raw: &str) -> Cow<'_, str> {
    if !raw.contains('%') {
        return Cow::Borrowed(raw);
    }
    let bytes = raw.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        let digits = raw
            .get(at + 1..at + 3)
            .filter(|digits| *byte == b'%' && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let decoded = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        out.push(decoded.unwrap_or(*byte));
        at += if decoded.is_some() { 3 } else { 1 };
    }
    // Escapes that spell no text were not escapes.
    String::from_utf8(out).map_or(Cow::Borrowed(raw), Cow::Owned)
}

/// Resolves Markdown's backslash in front of punctuation.
fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = (letter == '\\').then(|| letters.next_if(char::is_ascii_punctuation));
        out.push(escaped.flatten().unwrap_or(letter));
    }
    Cow::Owned(out)
}
