//! A repository's `config`, as far as names and values go.
//!
//! Enters: the bytes of the file. Leaves: each `section.subsection.key = value` in order. Never
//! follows an include, never acts on a value, never fails: a line it cannot read is passed over.

/// One assignment; section and key are lower case, the subsection is as written.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct GitAssignment<'a> {
    pub(super) section: &'a str,
    pub(super) subsection: &'a str,
    pub(super) key: &'a str,
    pub(super) value: &'a str,
}

/// Calls `visit` for every assignment, in file order.
pub(super) fn each(text: &str, mut visit: impl FnMut(GitAssignment<'_>)) {
    let (mut section, mut subsection) = (String::new(), String::new());
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    while !rest.is_empty() {
        let line_end = rest.find('\n').map_or(rest.len(), |at| at + 1);
        let mut line = rest[..line_end].trim_start();
        if let Some(inside) = line.strip_prefix('[') {
            line = header(inside, &mut section, &mut subsection).map_or("", str::trim_start);
        }
        if let Some((key, after)) = assignment(line) {
            // A value may run over several lines, so it is read from the text, not from the line.
            let start = line_end - after.len();
            let (value, used) = value(&rest[start..]);
            visit(GitAssignment { section: &section, subsection: &subsection, key: &key, value: &value });
            rest = &rest[start + used..];
        } else {
            rest = &rest[line_end..];
        }
    }
}

/// Reads `key =`; returns the key and what follows the sign on the line.
fn assignment(line: &str) -> Option<(String, &str)> {
    let name_end = line.find(|ch: char| !(ch.is_ascii_alphanumeric() || ch == '-'))?;
    let after = line[name_end..].trim_start_matches([' ', '\t']).strip_prefix('=')?;
    (name_end > 0).then(|| (line[..name_end].to_ascii_lowercase(), after))
}

/// Reads `name "sub"]`; returns what follows the bracket on the line.
fn header<'a>(inside: &'a str, section: &mut String, subsection: &mut String) -> Option<&'a str> {
    let name_end = inside.find(|ch: char| !(ch.is_ascii_alphanumeric() || matches!(ch, '-' | '.')))?;
    let name = inside[..name_end].to_ascii_lowercase();
    let mut rest = inside[name_end..].trim_start_matches([' ', '\t']);
    let mut sub = String::new();
    if let Some(quoted) = rest.strip_prefix('"') {
        let mut chars = quoted.char_indices();
        let end = loop {
            match chars.next()? {
                (at, '"') => break at + 1,
                (_, '\n') => return None,
                (_, '\\') => sub.push(chars.next()?.1),
                (_, ch) => sub.push(ch),
            }
        };
        rest = &quoted[end..];
    }
    let after = rest.strip_prefix(']')?;
    // The old spelling `[remote.origin]` folds the subsection's case.
    let (name, old) = name.split_once('.').unwrap_or((&name, ""));
    name.clone_into(section);
    *subsection = if sub.is_empty() { old.to_owned() } else { sub };
    Some(after)
}

/// Reads a value up to the end of its last line; returns it and the bytes used.
fn value(text: &str) -> (String, usize) {
    let mut value = Unquoted::default();
    let (mut in_quotes, mut in_comment) = (false, false);
    let mut chars = text.char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        match ch {
            '\n' => return (value.text, at + 1),
            _ if in_comment => {}
            '"' => {
                in_quotes = !in_quotes;
                value.start();
            }
            '#' | ';' if !in_quotes => in_comment = true,
            '\\' => match chars.next() {
                Some((_, '\n')) | None => {}
                Some((_, '\r')) if chars.peek().is_some_and(|(_, next)| *next == '\n') => {
                    chars.next();
                }
                Some((_, 'n')) => value.push('\n'),
                Some((_, 't')) => value.push('\t'),
                Some((_, escaped)) => value.push(escaped),
            },
            ' ' | '\t' | '\r' if !in_quotes => value.blank.push(ch),
            ch => value.push(ch),
        }
    }
    (value.text, text.len())
}

/// A value as it grows: blank space counts only between two other things.
#[derive(Default)]
struct Unquoted {
    text: String,
    blank: String,
    started: bool,
}

impl Unquoted {
    fn start(&mut self) {
        if self.started {
            self.text.push_str(&self.blank);
        }
        self.blank.clear();
        self.started = true;
    }

    fn push(&mut self, ch: char) {
        self.start();
        self.text.push(ch);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        each(text, |e| {
            out.push(format!("{}|{}|{}|{}", e.section, e.subsection, e.key, e.value));
        });
        out
    }

    #[test]
    fn reads_what_git_writes_and_what_people_write() {
        let text = "\u{feff}[core]\n\tbare = false ; no\r\n\tWorkTree = \"/a b\" # c\n\
                    [Remote \"or\\\"igin\"] url = x\n[remote.Old]\nurl=a\\\nb\n# [remote \"no\"]\n\
                    flag\n= odd\n[broken\nurl = kept in old\n[x \"y\"]z=1\n[e]\nk =\n";
        assert_eq!(
            read(text),
            [
                "core||bare|false",
                "core||worktree|/a b",
                "remote|or\"igin|url|x",
                "remote|old|url|ab",
                "remote|old|url|kept in old",
                "x|y|z|1",
                "e||k|",
            ]
        );
    }

    #[test]
    fn a_value_keeps_its_inner_blanks_only() {
        assert_eq!(read("[a]\nb =  x  y \t\n")[0], "a||b|x  y");
        assert_eq!(read("[a]\nb = \" x \"\n")[0], "a||b| x ");
        assert_eq!(read("[a]\nb = \"x;y\" ;z\n")[0], "a||b|x;y");
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_failure(text in "([\\[\\]\"=\\\\ \t\r\n;#a-cé\0]|\\PC){0,200}") {
            read(&text);
        }
    }

    #[test]
    fn a_hostile_file_is_read_once() {
        // Quadratic reading of these would take minutes.
        for unit in ["[", "[a \"", "a=\\\n", "\"\\", "\n"] {
            read(&unit.repeat(1_000_000 / unit.len()));
        }
    }
}
