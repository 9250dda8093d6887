//! Text → search terms.
//!
//! Enters: any text, of any size. Leaves: terms in the one spelling that index and query share: lower
//! case, accents folded, English words stemmed; identifiers both in parts and whole, so that
//! `retryPolicy`, `retry_policy`, `retry-policy` and "retry policy" meet; Chinese, Japanese and Korean
//! as pairs of characters, since they have no spaces. Never fails, and never holds more than one
//! bounded term in memory, whatever the input.

mod script;
mod stems;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

pub use script::more_than_one_word;
use script::unspaced;
use stems::Stems;

/// Changes whenever the same text would give other terms, so that an old index is rebuilt.
pub const TOKENS_VERSION: u32 = 1;

/// A term is cut here; longer ones are hashes and encoded blobs, where the start tells enough.
const PART_BYTES: usize = 40;
/// A longer identifier or path is found by its parts only.
const WHOLE_BYTES: usize = 64;
/// `::`, `../` and `-->` join, a ruler of dashes does not.
const JOINERS: u8 = 3;

/// The longest word that is dropped.
const DROPPED_BYTES: usize = 5;
/// What a term is made of; the ranker trusts some more than others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TokenShape {
    /// A word of a natural language.
    Word,
    /// A word inside an identifier, path or compound.
    Part,
    /// An identifier, path, version or compound as one term.
    Whole,
    /// Two neighbouring characters of a script without spaces, or one that stands alone.
    Pair,
}

/// One term of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token<'a> {
    /// The term as it is indexed.
    pub text: &'a str,
    /// The same before stemming.
    pub spelled: &'a str,
    /// What it is made of.
    pub shape: TokenShape,
}

/// Cuts text into terms; keeps its buffers between calls.
pub(crate) struct Tokenizer {
    stems: Stems,
    /// The sub-word being read.
    part: String,
    /// The identifier around it, without its separators.
    ident: Whole,
    /// The path or dotted chain around that.
    chain: Whole,
    case: Case,
    pending: Pending,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Case {
    None,
    Lower,
    Upper,
    Uppers,
    Digit,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pending {
    None,
    /// `_` and `-`: the next part belongs to the same identifier.
    Weak(u8),
    /// `.`, `/`, `:` and the like: the next part belongs to the same path.
    Strong(u8),
}

/// Parts written together. `full` once it grew beyond what is worth keeping.
#[derive(Default)]
struct Whole {
    text: String,
    parts: u32,
    full: bool,
}

impl Whole {
    fn push(&mut self, part: &str) {
        // "1.2.3" must not become 123.
        let digits = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let dotted = digits(self.text.chars().next_back()) && digits(part.chars().next());
        if self.full || self.text.len() + part.len() >= WHOLE_BYTES {
            self.full = true;
        } else {
            if dotted {
                self.text.push('.');
            }
            self.text.push_str(part);
        }
        self.parts += 1;
    }

    /// "GitHub" and "github", "dual-writes" and "dualwrite" are one term.
    fn put(&self, stems: &mut Stems, emit: &mut impl FnMut(Token<'_>)) {
        if !self.full {
            stems.put(&self.text, TokenShape::Whole, emit);
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.parts = 0;
        self.full = false;
    }
}

impl Default for Tokenizer {
    fn default() -> Self {
        Tokenizer {
            stems: Stems::default(),
            part: String::new(),
            ident: Whole::default(),
            chain: Whole::default(),
            case: Case::None,
            pending: Pending::None,
        }
    }
}

impl Tokenizer {
    /// Calls `emit` with every term of `text`, in order.
    pub(crate) fn each(&mut self, text: &str, mut emit: impl FnMut(Token<'_>)) {
        let mut before: Option<char> = None;
        let mut paired = true;
        for c in text.chars() {
            if unspaced(c) {
                self.end_chain(&mut emit);
                if let Some(first) = before {
                    pair(first, Some(c), &mut emit);
                    paired = true;
                } else {
                    paired = false;
                }
                before = Some(c);
                continue;
            }
            if let Some(alone) = before.take().filter(|_| !paired) {
                pair(alone, None, &mut emit);
            }
            self.step(c, &mut emit);
        }
        if let Some(alone) = before.filter(|_| !paired) {
            pair(alone, None, &mut emit);
        }
        self.end_chain(&mut emit);
    }

    fn step(&mut self, c: char, emit: &mut impl FnMut(Token<'_>)) {
        if c.is_ascii_alphanumeric() {
            self.letter(c, emit);
        } else if c.is_ascii() || !c.is_alphanumeric() {
            self.separator(c, emit);
        } else {
            // é → e; ﬁ → f, i; ｘ → x. What has no simpler form stays as it is.
            let mut folded: [Option<char>; 4] = [None; 4];
            let mut count = 0;
            decompose_compatible(c, |d| {
                if !is_combining_mark(d) && d.is_alphanumeric() && count < folded.len() {
                    folded[count] = Some(d);
                    count += 1;
                }
            });
            for d in folded.into_iter().flatten() {
                self.letter(d, emit);
            }
        }
    }

    fn letter(&mut self, c: char, emit: &mut impl FnMut(Token<'_>)) {
        match std::mem::replace(&mut self.pending, Pending::None) {
            Pending::None => {}
            Pending::Weak(_) => self.end_part(true, emit),
            Pending::Strong(_) => self.end_ident(true, emit),
        }
        let next = if c.is_numeric() {
            Case::Digit
        } else if c.is_uppercase() {
            if matches!(self.case, Case::Upper | Case::Uppers) { Case::Uppers } else { Case::Upper }
        } else {
            Case::Lower
        };
        match (self.case, next) {
            // retryPolicy, Base64Encoder
            (Case::Lower | Case::Digit, Case::Upper) if self.part.len() > 1 => {
                self.end_part(true, emit);
            }
            // HTTPServer: the last capital begins the next word.
            (Case::Uppers, Case::Lower) => {
                if let Some(last) = self.part.pop() {
                    self.end_part(true, emit);
                    self.part.push(last);
                }
            }
            _ => {}
        }
        self.case = next;
        if self.part.len() >= PART_BYTES {
            return;
        }
        if c.is_ascii() {
            self.part.push(c.to_ascii_lowercase());
        } else {
            self.part.extend(c.to_lowercase());
        }
    }

    fn separator(&mut self, c: char, emit: &mut impl FnMut(Token<'_>)) {
        match c {
            // don't → dont, user's → users: the stemmer knows what to do.
            '\'' | '\u{2019}' if !self.part.is_empty() && self.pending == Pending::None => {}
            '_' | '-' | '.' | '/' | ':' | '\\' | '@' | '#' | '+' | '=' if !self.part.is_empty() => {
                let strong = !matches!(c, '_' | '-');
                self.pending = match self.pending {
                    Pending::None if strong => Pending::Strong(1),
                    Pending::None => Pending::Weak(1),
                    Pending::Weak(n) | Pending::Strong(n) if n >= JOINERS => {
                        return self.end_chain(emit);
                    }
                    Pending::Weak(n) if !strong => Pending::Weak(n + 1),
                    Pending::Weak(n) | Pending::Strong(n) => Pending::Strong(n + 1),
                };
            }
            _ => self.end_chain(emit),
        }
    }

    /// The part is complete; `more` says whether the identifier goes on.
    fn end_part(&mut self, more: bool, emit: &mut impl FnMut(Token<'_>)) {
        self.case = Case::None;
        if self.part.is_empty() {
            return;
        }
        self.ident.push(&self.part);
        self.chain.push(&self.part);
        let shape = if more || self.chain.parts > 1 { TokenShape::Part } else { TokenShape::Word };
        let text = self.part.as_str();
        if text.len() > DROPPED_BYTES || memdir_lexicon::en::SEARCH_STOP_WORD.binary_search(&text).is_err() {
            self.stems.put(text, shape, emit);
        }
        self.part.clear();
    }

    fn end_ident(&mut self, more: bool, emit: &mut impl FnMut(Token<'_>)) {
        self.end_part(more, emit);
        if self.ident.parts > 1 && self.chain.parts > self.ident.parts {
            self.ident.put(&mut self.stems, emit);
        }
        self.ident.clear();
    }

    fn end_chain(&mut self, emit: &mut impl FnMut(Token<'_>)) {
        self.pending = Pending::None;
        if self.part.is_empty() && self.chain.parts == 0 {
            return;
        }
        self.end_ident(false, emit);
        if self.chain.parts > 1 {
            self.chain.put(&mut self.stems, emit);
        }
        self.chain.clear();
    }
}

fn pair(first: char, second: Option<char>, emit: &mut impl FnMut(Token<'_>)) {
    let mut buffer = [0u8; 8];
    let mut end = first.encode_utf8(&mut buffer).len();
    if let Some(second) = second {
        end += second.encode_utf8(&mut buffer[end..]).len();
    }
    if let Ok(text) = std::str::from_utf8(&buffer[..end]) {
        emit(Token { text, spelled: text, shape: TokenShape::Pair });
    }
}

#[cfg(test)]
mod tests;
