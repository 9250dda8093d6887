//! Words: what is left of a shell word when its quotes are gone.
//!
//! Enters: a word as the parser cut it. Leaves: pieces that say whether `*` in them is a pattern
//! or a letter. Whatever would have to be computed by a shell is refused.

use brush_parser::word::{Parameter, ParameterExpr, WordPiece, WordPieceWithSource, parse};

use super::list::options;
use crate::shown::one_line;

/// A word, in pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// In order; never two literal pieces of one kind side by side.
    pub pieces: Vec<Piece>,
}

/// A piece of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text in which `*`, `?` and `[` stand for file names.
    Bare(String),
    /// Text that stands for itself.
    Quoted(String),
    /// The home directory.
    Home,
    /// The working directory.
    Here,
}

impl Word {
    /// A word that stands for itself.
    pub fn text(text: impl Into<String>) -> Word {
        Word { pieces: vec![Piece::Quoted(text.into())] }
    }

    /// The text up to the first piece that only the caller knows.
    pub fn prefix(&self) -> String {
        let known = self.pieces.iter().map_while(|piece| match piece {
            Piece::Bare(text) | Piece::Quoted(text) => Some(text.as_str()),
            Piece::Home | Piece::Here => None,
        });
        known.collect()
    }

    /// Whether the word has such a piece.
    pub(crate) fn is_open(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Home | Piece::Here))
    }

    /// Whether a shell could make an option of this word, or another option than it seems: a pattern stands for whatever
    /// names are there, and those may begin with a dash. Behind `--name=` it cannot.
    pub(super) fn may_become_option(&self) -> bool {
        let mut before = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Bare(text) => {
                    if let Some(at) = text.find(['*', '?', '[']) {
                        before.push_str(&text[..at]);
                        let named = before.starts_with("--") && before.contains('=');
                        return (before.is_empty() && !is_letters(&text[at..])) || (before.starts_with('-') && !named);
                    }
                    before.push_str(text);
                }
                Piece::Quoted(text) => before.push_str(text),
                // Both are absolute paths.
                Piece::Home | Piece::Here => return false,
            }
        }
        false
    }

    /// The word without its first bytes, which must be text.
    pub(super) fn without(&self, mut bytes: usize) -> Word {
        let mut pieces = Vec::new();
        for piece in &self.pieces {
            let left = |text: &String| text.get(bytes.min(text.len())..).unwrap_or_default().to_owned();
            let (rest, length) = match piece {
                Piece::Bare(text) => (Piece::Bare(left(text)), text.len()),
                Piece::Quoted(text) => (Piece::Quoted(left(text)), text.len()),
                other => (other.clone(), 0),
            };
            bytes = bytes.saturating_sub(length);
            if !matches!(&rest, Piece::Bare(text) | Piece::Quoted(text) if text.is_empty()) {
                pieces.push(rest);
            }
        }
        Word { pieces }
    }

    fn push(&mut self, text: &str, quoted: bool) {
        match (self.pieces.last_mut(), quoted) {
            (Some(Piece::Bare(last)), false) | (Some(Piece::Quoted(last)), true) => last.push_str(text),
            (_, false) => self.pieces.push(Piece::Bare(text.to_owned())),
            (_, true) => self.pieces.push(Piece::Quoted(text.to_owned())),
        }
    }
}

/// Whether a pattern begins with one of a set of letters and digits, none of which is a dash.
fn is_letters(pattern: &str) -> bool {
    let set = pattern.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or("", |(set, _)| set);
    let ends = set.starts_with(char::is_alphanumeric) && set.ends_with(char::is_alphanumeric);
    ends && set.chars().all(|letter| letter.is_alphanumeric() || letter == '-')
}

pub(super) fn read(raw: &str) -> Result<Word, String> {
    let pieces = parse(raw, &options()).map_err(|_| format!("the word {} cannot be read", shown(raw)))?;
    let mut word = Word::default();
    add(&mut word, &pieces, false)?;
    Ok(word)
}

fn add(word: &mut Word, pieces: &[WordPieceWithSource], quoted: bool) -> Result<(), String> {
    for piece in pieces {
        match &piece.piece {
            WordPiece::Text(text) if text.contains('`') => return Err("a backquote is not allowed".to_owned()),
            WordPiece::Text(text) => word.push(text, quoted),
            WordPiece::SingleQuotedText(text) => word.push(text, true),
            WordPiece::DoubleQuotedSequence(inner) => {
                // An empty pair of quotes is an empty word, not none.
                word.push("", true);
                add(word, inner, true)?;
            }
            // A line that goes on on the next one leaves nothing behind.
            WordPiece::EscapeSequence(text) if text == "\\\n" => {}
            WordPiece::EscapeSequence(text) => word.push(text.strip_prefix('\\').unwrap_or(text), true),
            WordPiece::TildePrefix(user) if user.is_empty() => word.pieces.push(Piece::Home),
            WordPiece::TildePrefix(_) => return Err("only ~ and ~/… are known, no other use of ~".to_owned()),
            WordPiece::ParameterExpansion(ParameterExpr::Parameter {
                parameter: Parameter::Named(name),
                indirect: false,
            }) if name == "HOME" => word.pieces.push(Piece::Home),
            WordPiece::ParameterExpansion(ParameterExpr::Parameter {
                parameter: Parameter::Named(name),
                indirect: false,
            }) if name == "PWD" => word.pieces.push(Piece::Here),
            WordPiece::ParameterExpansion(_) => {
                return Err("variables are not allowed, but for $HOME and $PWD; write the value".to_owned());
            }
            WordPiece::CommandSubstitution(_) | WordPiece::BackquotedCommandSubstitution(_) => {
                return Err("a command inside the command is not allowed; run it on its own".to_owned());
            }
            WordPiece::ArithmeticExpression(_)
            | WordPiece::AnsiCQuotedText(_)
            | WordPiece::GettextDoubleQuotedSequence(_) => {
                return Err("what has to be computed by a shell is not allowed".to_owned());
            }
        }
    }
    Ok(())
}

/// A word in a message: short, and safe to print.
pub(super) fn shown(text: &str) -> String {
    const CHARS: usize = 40;
    let mut out: String = one_line(text).chars().take(CHARS).collect();
    if text.chars().nth(CHARS).is_some() {
        out.push('…');
    }
    format!("`{out}`")
}
