//! Our entry in a host's YAML, every other byte kept.
//!
//! Enters: the file's text. Leaves: it with our entry below a key of the first level, or one more item in a
//! list of the first level; or without them. Works line by line, so it only touches what it can be sure of: a
//! file in one document with block style at its first level. What is written otherwise is left alone, with a reason.

use std::path::Path;

use super::InstallError;
use super::server::{NAME, is_ours};

const BOM: &str = "\u{feff}";

/// What goes into the file.
#[derive(Clone, Debug)]
pub(crate) enum YamlEntry {
    /// Below a key, under our name; the lines without their indent.
    Below { key: &'static str, lines: Vec<String> },
    /// An item in the list of a key.
    Item { key: &'static str, text: String },
}

impl YamlEntry {
    fn key(&self) -> &'static str {
        match self {
            YamlEntry::Below { key, .. } | YamlEntry::Item { key, .. } => key,
        }
    }
}

pub(super) fn put_in(path: &Path, text: &str, entry: &YamlEntry) -> Result<String, InstallError> {
    let mut file = File::read(path, text, entry.key())?;
    let Some(at) = file.key_line else {
        file.end_with_newline();
        let end = file.lines.len();
        file.insert(end, format!("{}:", entry.key()));
        file.insert_entry(end + 1, "  ", entry);
        return Ok(file.text());
    };
    let value = file.value(at);
    let open = !value.is_empty();
    match entry {
        YamlEntry::Below { .. } => {
            if open && !matches!(value.as_str(), "{}" | "null" | "~") {
                return Err(file.odd());
            }
            if open {
                file.set_value(at, "");
            }
            let children = file.children(at);
            if children.iter().any(|&line| file.content(line).starts_with('-')) {
                return Err(file.odd());
            }
            if let Some((start, end)) = file.ours(&children) {
                return file.renewed(start, end, entry);
            }
            if children.iter().any(|&line| file.names(line, NAME)) {
                let key = format!("{}.{NAME}", entry.key());
                return Err(InstallError::Taken { path: path.to_path_buf(), key });
            }
            let indent = children.first().map_or("  ".to_owned(), |&line| " ".repeat(file.indent(line)));
            let end = children.last().map_or(at + 1, |&line| file.end_of(line));
            file.insert_entry(end, &indent, entry);
        }
        YamlEntry::Item { text: item, .. } => {
            let shown = quoted(item);
            if value.is_empty() || matches!(value.as_str(), "[]" | "null" | "~") {
                if open {
                    file.set_value(at, "");
                }
                let items = file.items(at);
                if items.iter().any(|&line| unquoted(file.content(line).trim_start_matches('-')) == *item) {
                    return Ok(text.to_owned());
                }
                let indent = items.first().map_or("  ".to_owned(), |&line| " ".repeat(file.indent(line)));
                let end = items.last().map_or(at + 1, |&line| file.end_of(line));
                file.insert_entry(end, &indent, entry);
            } else if let Some(inner) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                if inner.split(',').any(|one| unquoted(one) == *item) {
                    return Ok(text.to_owned());
                }
                let inner = inner.trim_end().trim_end_matches(',').to_owned();
                file.set_value(at, &format!("[{inner}, {shown}]"));
            } else if plain_scalar(&value) {
                if unquoted(&value) == *item {
                    return Ok(text.to_owned());
                }
                file.set_value(at, &format!("[{value}, {shown}]"));
            } else {
                return Err(file.odd());
            }
        }
    }
    Ok(file.text())
}

/// Takes our entry out. `was` is the file before it was put in: a key it had stays, empty or not.
pub(super) fn take_out(path: &Path, text: &str, entry: &YamlEntry, was: Option<&[u8]>) -> Result<String, InstallError> {
    let mut file = File::read(path, text, entry.key())?;
    let Some(at) = file.key_line else { return Ok(text.to_owned()) };
    let left = match entry {
        YamlEntry::Below { .. } => {
            let children = file.children(at);
            let Some((start, end)) = file.ours(&children) else { return Ok(text.to_owned()) };
            file.lines.drain(start..end);
            children.len() - 1
        }
        YamlEntry::Item { text: item, .. } => {
            let value = file.value(at);
            if let Some(inner) = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                let kept: Vec<&str> = inner.split(',').filter(|one| unquoted(one) != *item).map(str::trim).collect();
                if kept.len() == inner.split(',').count() {
                    return Ok(text.to_owned());
                }
                file.set_value(at, &format!("[{}]", kept.join(", ")));
                kept.len()
            } else {
                let items = file.items(at);
                let ours = items.iter().find(|&&line| unquoted(file.content(line).trim_start_matches('-')) == *item);
                let Some(&ours) = ours else { return Ok(text.to_owned()) };
                file.lines.remove(ours);
                items.len() - 1
            }
        }
    };
    let had = was.and_then(|bytes| File::read(path, &String::from_utf8_lossy(bytes), entry.key()).ok());
    if left == 0 {
        if had.is_some_and(|had| had.key_line.is_some()) {
            let empty = if matches!(entry, YamlEntry::Below { .. }) { "{}" } else { "[]" };
            file.set_value(at, empty);
        } else {
            file.lines.remove(at);
        }
    }
    Ok(file.text())
}

/// A file as lines with their ends.
struct File<'p> {
    path: &'p Path,
    key: &'static str,
    bom: &'static str,
    end: &'static str,
    lines: Vec<String>,
    key_line: Option<usize>,
}

impl<'p> File<'p> {
    fn read(path: &'p Path, text: &str, key: &'static str) -> Result<File<'p>, InstallError> {
        let (bom, text) = text.strip_prefix(BOM).map_or(("", text), |rest| (BOM, rest));
        let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
        let mut file = File { path, key, bom, end, lines, key_line: None };
        let mut content = false;
        for line in 0..file.lines.len() {
            if file.is_talk(line) {
                continue;
            }
            let said = file.content(line).to_owned();
            let broken = |reason: &str| InstallError::NotYaml { path: path.to_path_buf(), reason: reason.to_owned() };
            if file.lines[line].trim_start_matches(' ').starts_with('\t') {
                return Err(broken(&format!("line {} is indented with a tab", line + 1)));
            }
            if file.indent(line) == 0 {
                if said == "..." || (said.starts_with("---") && content) {
                    return Err(broken("it holds more than one document"));
                }
                if !content && said.starts_with(['{', '[', '-']) && !said.starts_with("---") {
                    return Err(InstallError::Odd { path: path.to_path_buf(), key: "(the file)".to_owned() });
                }
                if !content && !said.starts_with(['%', '-']) && !said.contains(':') {
                    return Err(broken(&format!("line {} has no key", line + 1)));
                }
                if file.names(line, key) && file.key_line.replace(line).is_some() {
                    return Err(broken(&format!("`{key}` is there twice")));
                }
            }
            content |= !said.starts_with(['%', '-']);
        }
        Ok(file)
    }

    fn odd(&self) -> InstallError {
        InstallError::Odd { path: self.path.to_path_buf(), key: self.key.to_owned() }
    }

    fn text(&self) -> String {
        format!("{}{}", self.bom, self.lines.concat())
    }

    fn content(&self, line: usize) -> &str {
        self.lines[line].trim()
    }

    fn indent(&self, line: usize) -> usize {
        self.lines[line].len() - self.lines[line].trim_start_matches(' ').len()
    }

    /// Blank, or a comment.
    fn is_talk(&self, line: usize) -> bool {
        self.content(line).is_empty() || self.content(line).starts_with('#')
    }

    /// Whether a line begins the value of a key.
    fn names(&self, line: usize, key: &str) -> bool {
        let said = self.content(line).trim_start_matches(['"', '\'']);
        let rest = said.strip_prefix(key).map(|rest| rest.trim_start_matches(['"', '\'']));
        rest.and_then(|rest| rest.strip_prefix(':')).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    }

    /// What stands behind a key on its line, without a comment.
    fn value(&self, line: usize) -> String {
        let said = self.content(line);
        let value = said.split_once(':').map_or("", |(_, value)| value).trim_start();
        let cut = if value.starts_with('#') { Some(0) } else { value.find(" #") };
        value[..cut.unwrap_or(value.len())].trim_end().to_owned()
    }

    /// Puts another value behind a key; a comment there stays.
    fn set_value(&mut self, line: usize, new: &str) {
        let old = self.value(line);
        let text = self.lines[line].clone();
        let colon = text.find(':').map_or(text.len(), |at| at + 1);
        let (head, tail) = text.split_at(colon);
        let tail = if old.is_empty() { tail.to_owned() } else { tail.trim_start().replacen(&old, "", 1) };
        let space = if new.is_empty() { "" } else { " " };
        self.lines[line] = format!("{head}{space}{new}{tail}");
    }

    /// The first line after a block that begins here and its comments.
    fn end_of(&self, start: usize) -> usize {
        let indent = self.indent(start);
        let mut end = start + 1;
        for line in start + 1..self.lines.len() {
            if self.content(line).is_empty() || (self.is_talk(line) && self.indent(line) <= indent) {
                continue;
            }
            if self.indent(line) <= indent {
                break;
            }
            end = line + 1;
        }
        end
    }

    /// The lines that begin an entry below a key.
    fn children(&self, at: usize) -> Vec<usize> {
        let end = self.end_of(at);
        let inside: Vec<usize> = (at + 1..end).filter(|&line| !self.is_talk(line)).collect();
        let indent = inside.first().map_or(0, |&line| self.indent(line));
        inside.into_iter().filter(|&line| self.indent(line) == indent).collect()
    }

    /// The lines that begin an item of a list, which may stand as far left as its key.
    fn items(&self, at: usize) -> Vec<usize> {
        let mut items: Vec<usize> = Vec::new();
        for line in at + 1..self.lines.len() {
            if self.is_talk(line) {
                continue;
            }
            let is_item = self.content(line).starts_with('-');
            let fits = items.first().is_none_or(|&first| self.indent(first) == self.indent(line));
            match (is_item && fits, self.indent(line)) {
                (true, _) => items.push(line),
                (false, 0) => break,
                _ => {}
            }
        }
        items
    }

    /// Our entry among others, as lines; only one that starts `memdir mcp`.
    fn ours(&self, children: &[usize]) -> Option<(usize, usize)> {
        let start = children.iter().copied().find(|&line| self.names(line, NAME))?;
        let end = self.end_of(start);
        let text = self.lines[start + 1..end].concat();
        let split = |letter: char| letter.is_whitespace() || matches!(letter, '[' | ']' | ',' | '"' | '\'');
        is_ours(text.split(split)).then_some((start, end))
    }

    /// Our entry with the program that is in force now; everything else in it is the user's by now.
    fn renewed(mut self, start: usize, end: usize, entry: &YamlEntry) -> Result<String, InstallError> {
        let YamlEntry::Below { lines, .. } = entry else { return Err(self.odd()) };
        let Some(wanted) = lines.iter().find(|line| line.starts_with("cmd:")) else { return Err(self.odd()) };
        if let Some(line) = (start..end).find(|&line| self.names(line, "cmd")) {
            let new = wanted.trim_start_matches("cmd:").trim();
            if unquoted(&self.value(line)) != unquoted(new) {
                self.set_value(line, new);
            }
        }
        Ok(self.text())
    }

    fn end_with_newline(&mut self) {
        let end = self.end;
        if let Some(last) = self.lines.last_mut().filter(|last| !last.ends_with('\n')) {
            last.push_str(end);
        }
    }

    fn insert(&mut self, at: usize, line: String) {
        if at == self.lines.len() {
            self.end_with_newline();
        }
        self.lines.insert(at, format!("{line}{}", self.end));
    }

    fn insert_entry(&mut self, at: usize, indent: &str, entry: &YamlEntry) {
        match entry {
            YamlEntry::Below { lines, .. } => {
                self.insert(at, format!("{indent}{NAME}:"));
                for (more, line) in lines.iter().enumerate() {
                    self.insert(at + 1 + more, format!("{indent}  {line}"));
                }
            }
            YamlEntry::Item { text, .. } => self.insert(at, format!("{indent}- {}", quoted(text))),
        }
    }
}

/// A value as it may stand in any place.
pub(crate) fn quoted(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '/' | '.' | '_' | '-' | '+');
    let word = text.starts_with(|letter: char| letter.is_ascii_alphabetic() || letter == '/');
    if word && text.chars().all(plain) { text.to_owned() } else { format!("'{}'", text.replace('\'', "''")) }
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    match text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(inner) => inner.replace("''", "'"),
        None => text.trim_matches('"').to_owned(),
    }
}

/// One value on one line, no block and no flow.
fn plain_scalar(value: &str) -> bool {
    !value.starts_with(['[', '{', '|', '>', '&', '*', '!', '@', '`', '%'])
        && !value.contains([',', '[', ']', '{', '}'])
        && !(value.starts_with(['"', '\'']) && !(value.len() > 1 && value.ends_with(['"', '\''])))
}
