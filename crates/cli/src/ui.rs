//! What a person sees: data on stdout, talk on stderr, colours only on a terminal.

#![allow(clippy::disallowed_methods)] // NO_COLOR is a question of taste, not of memory

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use memdir::guard::shown::visible;
use serde::Serialize;

use crate::args::{Color, Global};

/// Where output goes and how it looks.
pub(crate) struct Ui {
    /// One JSON document on stdout instead of text.
    pub(crate) json: bool,
    /// Answer every question with yes.
    pub(crate) yes: bool,
    /// Where answers come from when somebody else reads what is typed.
    pub(crate) listen: Option<Listen>,
    quiet: bool,
    color: bool,
}

/// Gives the next line that is typed.
pub(crate) type Listen = Box<dyn FnMut() -> Option<String>>;

/// The few styles there are.
#[derive(Clone, Copy)]
pub(crate) enum Style {
    /// What the eye should find.
    Bold,
    /// What it may skip.
    Dim,
    /// All is well.
    Good,
    /// Look here.
    Warn,
    /// Something is wrong.
    Bad,
}

impl Ui {
    pub(crate) fn new(global: &Global) -> Ui {
        let color = match global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => {
                io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
            }
        };
        Ui { json: global.json, yes: global.yes, listen: None, quiet: global.quiet, color }
    }

    /// Whether somebody is there to answer a question.
    pub(crate) fn interactive(&self) -> bool {
        !self.json && io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Whether talk is wanted.
    pub(crate) fn talks(&self) -> bool {
        !self.quiet && !self.json
    }

    /// How many columns a line of data may have; none where it goes into a file or a pipe.
    pub(crate) fn width(&self) -> Option<usize> {
        if !io::stdout().is_terminal() {
            return None;
        }
        ratatui::crossterm::terminal::size()
            .ok()
            .map(|(columns, _)| usize::from(columns))
            .filter(|columns| *columns > 0)
    }

    /// What was done, which a person wants to know and a script has asked for: not where it shall be quiet.
    pub(crate) fn done(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        if self.quiet { Ok(()) } else { self.line(text) }
    }

    /// Whether colours are wanted.
    pub(crate) fn has_color(&self) -> bool {
        self.color
    }

    /// One line of data.
    pub(crate) fn line(&mut self, text: impl AsRef<str>) -> io::Result<()> {
        writeln!(io::stdout().lock(), "{}", text.as_ref())
    }

    /// Data as it is, without a line end of ours.
    pub(crate) fn raw(&mut self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// One JSON document.
    pub(crate) fn print_json(&mut self, value: &impl Serialize) -> io::Result<()> {
        // Standard output of its own flushes at every line end; a long document is written in pieces.
        let mut out = io::BufWriter::with_capacity(64 * 1024, io::stdout().lock());
        serde_json::to_writer(&mut out, value)?;
        writeln!(out)?;
        out.flush()
    }

    /// Talk that data does not depend on.
    pub(crate) fn say(&mut self, text: impl AsRef<str>) {
        if self.talks() {
            tell(&format!("{}\n", text.as_ref()));
        }
    }

    /// A warning, unless quiet.
    pub(crate) fn warn(&mut self, text: impl AsRef<str>) {
        if self.talks() {
            tell(&format!("memdir: {}\n", text.as_ref()));
        }
    }

    /// The reason of a failure; never silenced.
    pub(crate) fn complain(&mut self, text: &str) {
        tell(&format!("memdir: {text}\n"));
    }

    /// A yes or no. Without a terminal, only `--yes` is a yes.
    pub(crate) fn confirm(&mut self, question: &str) -> Result<bool, crate::failure::Failure> {
        if self.yes {
            return Ok(true);
        }
        self.ask(question)
    }

    /// The same, and only a person can say yes.
    pub(crate) fn ask(&mut self, question: &str) -> Result<bool, crate::failure::Failure> {
        if !self.interactive() {
            return Err(crate::failure::Failure::refused(format!(
                "{question} Nobody is here to answer; pass --yes to agree"
            )));
        }
        let answer = self.answer(&format!("{question} [y/N] "))?;
        Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    /// One of so many choices, by the number that a person types; anything else is none of them. Only where somebody is
    /// there to answer.
    pub(crate) fn pick(&mut self, question: &str, choices: usize) -> io::Result<Option<usize>> {
        let answer = self.answer(&format!("{question} [1-{choices}, or nothing] "))?;
        let number: Option<usize> = answer.trim().parse().ok();
        Ok(number.filter(|number| (1..=choices).contains(number)).map(|number| number - 1))
    }

    /// What is typed after a question.
    fn answer(&mut self, question: &str) -> io::Result<String> {
        let mut err = io::stderr().lock();
        write!(err, "{question}")?;
        err.flush()?;
        drop(err);
        Ok(match &mut self.listen {
            Some(listen) => listen().unwrap_or_default(),
            None => {
                let mut answer = String::new();
                io::stdin().read_line(&mut answer)?;
                answer
            }
        })
    }

    /// Text in a style, or plain.
    pub(crate) fn paint(&self, style: Style, text: &str) -> String {
        let mut painted = String::with_capacity(text.len());
        self.paint_onto(&mut painted, style, text);
        painted
    }

    /// The same, at the end of what is there.
    pub(crate) fn paint_onto(&self, out: &mut String, style: Style, text: &str) {
        if !self.color || text.is_empty() {
            return out.push_str(text);
        }
        let code = match style {
            Style::Bold => "1",
            Style::Dim => "2",
            Style::Good => "32",
            Style::Warn => "33",
            Style::Bad => "31",
        };
        for part in ["\u{1b}[", code, "m", text, "\u{1b}[0m"] {
            out.push_str(part);
        }
    }
}

/// Talk goes out in one piece: standard error has no buffer of its own.
fn tell(text: &str) {
    let line = if io::stderr().is_terminal() { ratatui::crossterm::terminal::size().ok() } else { None };
    let text = match line {
        Some((columns, _)) if columns > 0 => wrapped(text, usize::from(columns)),
        _ => Cow::Borrowed(text),
    };
    // Whoever does not listen misses talk, nothing else.
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Text whose lines end between words where a terminal would break them anywhere. What is in backquotes can be copied, so it
/// stays together.
fn wrapped(text: &str, width: usize) -> Cow<'_, str> {
    if text.split('\n').all(|line| shown_columns(line) <= width) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let (mut used, mut quoted) = (0, false);
        for word in line.split_inclusive(|letter| {
            quoted ^= letter == '`';
            letter == ' ' && !quoted
        }) {
            let needs = shown_columns(word.trim_end());
            if used > indent && used + needs > width {
                out.truncate(out.trim_end_matches(' ').len());
                out.push('\n');
                out.extend(std::iter::repeat_n(' ', indent));
                used = indent;
            }
            out.push_str(word);
            used += shown_columns(word.trim_end_matches('\n'));
        }
    }
    Cow::Owned(out)
}

/// How many columns a terminal gives a text that may be painted.
fn shown_columns(text: &str) -> usize {
    let mut pieces = text.split('\u{1b}');
    let plain = columns(pieces.next().unwrap_or_default());
    plain + pieces.map(|piece| columns(piece.split_once('m').map_or(piece, |(_, rest)| rest))).sum::<usize>()
}

/// Text from files, safe for a terminal: control characters and direction tricks are shown, not obeyed.
pub(crate) fn safe(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { visible(text).into_owned() }
}

/// `1 file`, `2 files`: a number and what it counts.
pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// One line of at most this many columns; wide characters count double.
pub(crate) fn clip(text: &str, columns: usize) -> Cow<'_, str> {
    // Most text is a plain line already: a column a byte, single spaces, nothing to hide.
    if is_tidy(text) {
        return match text.get(..columns.saturating_sub(1)) {
            Some(kept) if text.len() > columns => Cow::Owned([kept, "…"].concat()),
            _ => Cow::Borrowed(text),
        };
    }
    let line = safe(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    let wide = |letter: char| if is_wide(letter) { 2 } else { 1 };
    if line.chars().map(wide).sum::<usize>() <= columns {
        return Cow::Owned(line);
    }
    let mut used = 0;
    let kept: String = line
        .chars()
        .take_while(|&letter| {
            used += wide(letter);
            used < columns
        })
        .collect();
    Cow::Owned(format!("{kept}…"))
}

/// How many columns a terminal gives a text; wide characters count double.
pub(crate) fn columns(text: &str) -> usize {
    if is_plain(text) { text.len() } else { text.chars().map(|letter| if is_wide(letter) { 2 } else { 1 }).sum() }
}

/// Printable ASCII and nothing else. Looks at every byte: many at once cost less than an early stop.
fn is_plain(text: &str) -> bool {
    text.bytes().fold(0, |odd, byte| odd | u8::from(!matches!(byte, b' '..=b'~'))) == 0
}

/// Plain, without a space at an end or two in a row.
#[allow(clippy::needless_bitwise_bool)] // many at once cost less than an early end
fn is_tidy(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return true };
    is_plain(text) && *first != b' ' && *last != b' ' && !bytes.windows(2).any(|pair| pair == b"  ")
}

fn is_wide(letter: char) -> bool {
    matches!(letter as u32, 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x1f300..=0x1faff | 0x20000..=0x3fffd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn talk_is_broken_between_words_and_never_inside_what_can_be_copied() {
        let text = "chat has no model: set one, and run `memdir settings a b` once\n";
        assert_eq!(wrapped(text, 30), "chat has no model: set one,\nand run `memdir settings a b`\nonce\n");
        assert_eq!(wrapped(text, 80), text);
        assert_eq!(wrapped("  two words here\nand more\n", 11), "  two words\n  here\nand more\n");
        assert_eq!(wrapped("\u{1b}[2mfour\u{1b}[0m four\n", 9), "\u{1b}[2mfour\u{1b}[0m four\n");
        assert_eq!(wrapped("onewordthatislong\n", 5), "onewordthatislong\n");
    }

    #[test]
    fn a_line_is_clipped_by_what_a_terminal_shows() {
        for (text, columns, shown) in [
            ("", 4, ""),
            ("four", 4, "four"),
            ("fives", 4, "fiv…"),
            ("two  spaces", 20, "two spaces"),
            (" outer ", 20, "outer"),
            ("a\tb\nc", 20, "a b c"),
            ("中文字", 4, "中…"),
            ("中文", 4, "中文"),
            ("red \u{1b}[31m", 40, "red \\u{1b}[31m"),
            ("right \u{202e}left", 40, "right \\u{202e}left"),
        ] {
            assert_eq!(clip(text, columns), shown, "{text:?}");
            assert!(super::columns(&clip(text, columns)) <= columns);
        }
    }
}
