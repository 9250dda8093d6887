//! Strips Markdown: the plain text that is left.
//!
//! Enters: Markdown. Leaves: one line of prose. Never interprets more than the marks that memories
//! use: headings, lists, quotes, emphasis, code, links, and the labelled lines **Why** and **How to
//! apply**. Linear in the text: a mark looks ahead `AHEAD` bytes for its partner, no further.

use memdir_lexicon as lexicon;

/// How far an opening mark looks for its closing one.
const AHEAD: usize = 400;

/// A labelled line of a memory's body (F3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    /// The reason.
    Why,
    /// Where and when the memory applies.
    Apply,
}

impl Label {
    /// The label that opens a line, and what follows it: `**Why:** …`, `Why: …`.
    pub fn of(line: &str) -> Option<(Label, &str)> {
        let head = line.trim_start_matches(['*', '_', '-', ' ', '\t', '>', '#']);
        let labels = [(Label::Why, &lexicon::LABEL_WHY), (Label::Apply, &lexicon::LABEL_APPLY)];
        let mut words = labels.into_iter().flat_map(|(label, list)| list.iter().map(move |word| (word, label)));
        words.find_map(|(word, label)| {
            let cut = head.get(..word.len())?;
            let rest = head[word.len()..].trim_start_matches(['*', '_']);
            let after = rest.strip_prefix([':', '：'])?;
            cut.eq_ignore_ascii_case(word).then(|| (label, after.trim_start_matches(['*', '_']).trim()))
        })
    }
}

/// The statement of a memory: its body up to the first labelled line, as one line of prose.
pub(crate) fn statement(text: &str) -> String {
    let body: usize = text.split_inclusive('\n').take_while(|line| Label::of(line).is_none()).map(str::len).sum();
    plain(&text[..body])
}

/// All of `text` as one line of prose.
pub(crate) fn plain(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    let mut fenced = false;
    for raw in text.lines() {
        let raw = raw.trim();
        if raw.starts_with("```") || raw.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            line.push_str(raw);
        } else {
            inline(without_line_marks(raw), &mut line);
        }
        line.push(' ');
    }
    collapse(&line)
}

/// Takes off what a Markdown line begins with.
fn without_line_marks(line: &str) -> &str {
    let rest = line.trim_start_matches(['#', '>', ' ']);
    let rest = ["- [ ] ", "- [x] ", "- ", "* ", "+ ", "• "]
        .iter()
        .find_map(|bullet| rest.strip_prefix(bullet))
        .unwrap_or(rest);
    if rest.trim_matches(['-', '*', '_', '=', ' ']).is_empty() { "" } else { rest.trim() }
}

/// Appends `text` without emphasis, code marks and link targets.
fn inline(text: &str, out: &mut String) {
    let mut rest = text;
    let mut emphasis = false;
    while let Some(at) = rest.find(['*', '`', '[', ']', '_', '!']) {
        out.push_str(&rest[..at]);
        let (mark, after) = rest[at..].split_at(1);
        let before = out.chars().next_back();
        rest = match mark {
            "[" | "!" => match link(&rest[at..]) {
                Some((label, after)) => {
                    inline(label, out);
                    after
                }
                None if rest[at..].starts_with("[[") => &after[1..],
                None => {
                    out.push_str(mark);
                    after
                }
            },
            "]" if after.starts_with(']') => &after[1..],
            "*" if is_literal_star(before, after) => {
                out.push('*');
                after
            }
            "*" | "`" => after,
            "_" => {
                let (keep, inside) = underscore(before, after, emphasis);
                emphasis = inside;
                if keep {
                    out.push('_');
                }
                after
            }
            _ => {
                out.push_str(mark);
                after
            }
        };
    }
    out.push_str(rest);
}

/// A star that is written, not drawn: `2 * 3`, `*.md`, `mini-prod-*`.
fn is_literal_star(before: Option<char>, after: &str) -> bool {
    let blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
    let next = after.chars().next();
    match before {
        Some('-' | '/' | '.') => blank(next) || matches!(next, Some('.' | '/' | ',' | ';' | ')')),
        before if blank(before) => next == Some('.') || (next.is_some() && blank(next)),
        _ => false,
    }
}

/// Whether an underscore is kept, and whether emphasis is open after it.
fn underscore(before: Option<char>, after: &str, open: bool) -> (bool, bool) {
    let wordy = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let next = after.chars().next();
    match (wordy(before), wordy(next)) {
        (true, true) | (false, false) => (true, open),
        (true, false) => (!open, false),
        (false, true) => {
            let near = &after[..after.floor_char_boundary(AHEAD)];
            let closes = near.char_indices().any(|(i, c)| {
                let end = &near[i + c.len_utf8()..];
                c == '_' && !wordy(end.chars().next())
            });
            (!closes, closes)
        }
    }
}

/// A link or image at the start of `text`: its label, and what follows it.
fn link(text: &str) -> Option<(&str, &str)> {
    let body = text.strip_prefix("![").or_else(|| text.strip_prefix('['))?;
    let near = &body[..body.floor_char_boundary(AHEAD)];
    let close = near.find("](")?;
    let end = close + near[close..].find(')')?;
    let label = &body[..close];
    (!label.contains('[')).then_some((label, &body[end + 1..]))
}

/// Runs of blanks and control characters become one blank.
fn collapse(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control() || c == '\u{feff}');
    let mut out = String::with_capacity(text.len());
    for word in words.filter(|w| !w.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_off_and_names_stay() {
        for (text, want) in [
            ("# A **bold** _move_", "A bold move"),
            ("- use `cargo test`, not *make*", "use cargo test, not make"),
            ("see [the board](https://x.org/a_b) and [[notes]]", "see the board and notes"),
            ("snake_case, sup_ and _private stay", "snake_case, sup_ and _private stay"),
            ("index mini-prod-* and *.md, 2 * 3", "index mini-prod-* and *.md, 2 * 3"),
            ("a\n\n---\n> b\r\n* c", "a b c"),
            ("```sh\nmake all\n```", "make all"),
            ("![chart](c.png) up!", "chart up!"),
            ("\u{feff}x\0y", "x y"),
            ("[unclosed", "[unclosed"),
            ("用 **中文** 注释", "用 中文 注释"),
            ("", ""),
        ] {
            assert_eq!(plain(text), want, "{text:?}");
        }
    }

    #[test]
    fn labels_are_read_in_every_dress() {
        for line in ["**Why:** x", "**Why**: x", "Why: x", "- **why:** x", "原因：x", "_Why:_ x"] {
            assert_eq!(Label::of(line), Some((Label::Why, "x")), "{line}");
        }
        assert_eq!(Label::of("**How to apply:** all"), Some((Label::Apply, "all")));
        assert_eq!(Label::of("Why not x"), None);
        assert_eq!(Label::of("a Why: x"), None);
        assert_eq!(statement("Use tabs.\n\n**Why:** taste.\n**How to apply:** all."), "Use tabs.");
    }
}
