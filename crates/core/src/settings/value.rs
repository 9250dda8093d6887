//! What a setting can hold, and how text becomes it.
//!
//! Enters: a word from a file, a variable or a flag. Leaves: a typed value of the key's kind, or
//! nothing. Never guesses: what does not fit leaves the setting as it was.

use serde::Serialize;

use crate::limits::MODEL_NAME_CHARS;
use crate::surroundings::truth;

/// A value in a listing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SettingValue {
    /// On or off.
    Bool(bool),
    /// A count.
    Integer(u64),
    /// A share between 0 and 1.
    Fraction(f64),
    /// One of the key's words.
    Word(&'static str),
    /// Free text; empty means that nothing is set.
    Text(String),
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueKind {
    /// `true` or `false`, and the other yes/no words.
    Bool,
    /// A whole number in a range, both ends included.
    Integer(u64, u64),
    /// A number from 0 to 1.
    Fraction,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A name, in one line.
    Name,
    /// Where a server is.
    Url,
    /// Where a file is: the whole path, or below the home directory.
    File,
}

impl ValueKind {
    /// Reads a value as people write it.
    pub fn parse(self, text: &str) -> Option<SettingValue> {
        let text = text.trim();
        match self {
            ValueKind::Bool => truth(text).map(SettingValue::Bool),
            ValueKind::Integer(..) => self.integer(text.parse().ok()?),
            ValueKind::Fraction => fraction(text.parse().ok()?),
            ValueKind::Choice(words) => {
                words.iter().find(|word| word.eq_ignore_ascii_case(text)).map(|word| SettingValue::Word(word))
            }
            ValueKind::Name => is_line(text).then(|| SettingValue::Text(text.to_owned())),
            ValueKind::Url => {
                (text.is_empty() || base_url_problem(text).is_none()).then(|| SettingValue::Text(text.to_owned()))
            }
            ValueKind::File => (text.is_empty() || is_whole_path(text)).then(|| SettingValue::Text(text.to_owned())),
        }
    }

    /// Reads a value of a TOML file: typed, or as text.
    pub(super) fn read_toml(self, value: &toml_edit::Value) -> Option<SettingValue> {
        match (self, value) {
            (_, toml_edit::Value::String(text)) => self.parse(text.value()),
            (ValueKind::Bool, toml_edit::Value::Boolean(on)) => Some(SettingValue::Bool(*on.value())),
            (ValueKind::Fraction, toml_edit::Value::Float(number)) => fraction(*number.value()),
            (ValueKind::Fraction, toml_edit::Value::Integer(number)) => fraction(*number.value() as f64),
            (ValueKind::Integer(..), toml_edit::Value::Integer(number)) => {
                self.integer(u64::try_from(*number.value()).ok()?)
            }
            _ => None,
        }
    }

    fn integer(self, number: u64) -> Option<SettingValue> {
        match self {
            ValueKind::Integer(least, most) if (least..=most).contains(&number) => Some(SettingValue::Integer(number)),
            _ => None,
        }
    }

    /// What is accepted, for a message.
    pub fn accepts(self) -> String {
        match self {
            ValueKind::Bool => "true or false".to_owned(),
            ValueKind::Integer(least, most) => format!("a whole number from {least} to {most}"),
            ValueKind::Fraction => "a number from 0 to 1".to_owned(),
            ValueKind::Choice(words) => format!("one of {}", words.join(", ")),
            ValueKind::Name => format!("one line of at most {MODEL_NAME_CHARS} characters"),
            ValueKind::Url => "an http or https address without a password in it".to_owned(),
            ValueKind::File => "the whole path of a file, or one that begins with ~/".to_owned(),
        }
    }
}

fn fraction(number: f64) -> Option<SettingValue> {
    (0.0..=1.0).contains(&number).then_some(SettingValue::Fraction(number))
}

fn is_whole_path(text: &str) -> bool {
    !text.chars().any(char::is_control) && (text.starts_with("~/") || std::path::Path::new(text).is_absolute())
}

fn is_line(text: &str) -> bool {
    text.chars().count() <= MODEL_NAME_CHARS && !text.chars().any(char::is_control)
}

/// What is wrong with the base URL of a server, if anything is.
///
/// A password in it would show in listings and errors; a key has its own place.
pub fn base_url_problem(text: &str) -> Option<&'static str> {
    let lower = text.to_ascii_lowercase();
    let Some(rest) = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")) else {
        return Some("it does not begin with http:// or https://");
    };
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if authority.is_empty() || authority.starts_with(':') {
        Some("it names no host")
    } else if authority.contains('@') {
        Some("it holds a user or a password")
    } else if rest.contains(['?', '#']) {
        Some("it has a query")
    } else if !is_line(text) || text.chars().any(|letter| letter.is_whitespace() || !letter.is_ascii()) {
        Some("it has blanks or letters that no address has")
    } else {
        None
    }
}

impl std::fmt::Display for SettingValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SettingValue::Bool(on) => on.fmt(f),
            SettingValue::Integer(number) => number.fmt(f),
            SettingValue::Fraction(share) => share.fmt(f),
            SettingValue::Word(word) => f.write_str(word),
            SettingValue::Text(text) => f.write_str(text),
        }
    }
}

/// A field type of [`super::SettingValues`].
pub(super) trait SettingField: Sized {
    /// The field as a listed value.
    fn value(&self) -> SettingValue;
    /// The field from a value of its own kind.
    fn from_value(value: SettingValue) -> Option<Self>;
}

impl SettingField for bool {
    fn value(&self) -> SettingValue {
        SettingValue::Bool(*self)
    }
    fn from_value(value: SettingValue) -> Option<Self> {
        if let SettingValue::Bool(on) = value { Some(on) } else { None }
    }
}

impl SettingField for u64 {
    fn value(&self) -> SettingValue {
        SettingValue::Integer(*self)
    }
    fn from_value(value: SettingValue) -> Option<Self> {
        if let SettingValue::Integer(number) = value { Some(number) } else { None }
    }
}

impl SettingField for f64 {
    fn value(&self) -> SettingValue {
        SettingValue::Fraction(*self)
    }
    fn from_value(value: SettingValue) -> Option<Self> {
        if let SettingValue::Fraction(share) = value { Some(share) } else { None }
    }
}

impl SettingField for String {
    fn value(&self) -> SettingValue {
        SettingValue::Text(self.clone())
    }
    fn from_value(value: SettingValue) -> Option<Self> {
        if let SettingValue::Text(text) = value { Some(text) } else { None }
    }
}

/// A closed set of words as an enum that is a [`SettingField`].
macro_rules! choice {
    ($(#[doc = $doc:literal])+ $name:ident { $( #[doc = $about:literal] $variant:ident = $word:literal ),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name { $( #[doc = $about] $variant ),+ }

        impl $name {
            /// The words, in the order they are offered.
            pub(crate) const WORDS: &'static [&'static str] = &[$($word),+];

            /// The word in files, variables and listings.
            pub const fn as_str(self) -> &'static str {
                match self { $( $name::$variant => $word ),+ }
            }
        }

        impl SettingField for $name {
            fn value(&self) -> SettingValue {
                SettingValue::Word(self.as_str())
            }
            fn from_value(value: SettingValue) -> Option<Self> {
                match value { $( SettingValue::Word($word) => Some($name::$variant), )+ _ => None }
            }
        }
    };
}

choice! {
    /// Who picks the memories for a prompt (R3).
    Selector {
        /// Local ranking, refined by a model where one is at hand.
        Auto = "auto",
        /// Local ranking only.
        Local = "local",
        /// A model or nothing.
        Model = "model",
    }
}

choice! {
    /// What a memory does that speaks about what a tool is about to do (V2).
    BeforeAction {
        /// A prohibition holds the call once; anything else is told.
        Hold = "hold",
        /// Everything is told.
        Tell = "tell",
        /// Nothing is said.
        Off = "off",
    }
}

choice! {
    /// How the 25,000 of the index are counted (I2).
    IndexUnit {
        /// Bytes.
        Bytes = "bytes",
        /// UTF-16 units, as today's Claude Code counts.
        Utf16 = "utf16",
    }
}

choice! {
    /// How memory is kept (M2); off is not a mode but the outcome of E1–E5.
    Mode {
        /// Topic files and an index.
        Normal = "normal",
        /// The same, and a team directory beside it.
        Team = "team",
        /// Daily logs that a dream distils.
        Log = "log",
    }
}

choice! {
    /// Which model does the thinking.
    Driver {
        /// The first one that can be used and was agreed to.
        Auto = "auto",
        /// Anthropic's Messages API.
        Anthropic = "anthropic",
        /// An OpenAI-compatible API.
        Openai = "openai",
        /// The user's own agent on the command line.
        Command = "command",
        /// None: the built-in engine.
        Offline = "offline",
    }
}

choice! {
    /// Which of OpenAI's two APIs a server is asked through.
    WireChoice {
        /// Responses for OpenAI itself, Chat Completions for all others.
        Auto = "auto",
        /// Chat Completions.
        Chat = "chat",
        /// Responses.
        Responses = "responses",
    }
}

choice! {
    /// Which agent on the command line thinks, when one does.
    AgentChoice {
        /// The first that is installed, in this order.
        Auto = "auto",
        /// Claude Code.
        Claude = "claude",
        /// Codex.
        Codex = "codex",
        /// Gemini CLI.
        Gemini = "gemini",
        /// Qwen Code.
        Qwen = "qwen",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_becomes_a_value_of_its_kind_or_nothing() {
        for (kind, text, want) in [
            (ValueKind::Bool, "Yes", Some(SettingValue::Bool(true))),
            (ValueKind::Bool, "maybe", None),
            (ValueKind::File, "~/.keys/model", Some(SettingValue::Text("~/.keys/model".into()))),
            (ValueKind::File, "keys/model", None),
            (ValueKind::File, "", Some(SettingValue::Text(String::new()))),
            (ValueKind::Integer(1, 10), " 10 ", Some(SettingValue::Integer(10))),
            (ValueKind::Integer(1, 10), "0", None),
            (ValueKind::Integer(1, 10), "-1", None),
            (ValueKind::Integer(1, 10), "1.5", None),
            (ValueKind::Integer(0, u64::MAX), "99999999999999999999999", None),
            (ValueKind::Fraction, "0.25", Some(SettingValue::Fraction(0.25))),
            (ValueKind::Fraction, "1.01", None),
            (ValueKind::Fraction, "NaN", None),
            (ValueKind::Fraction, "-0.1", None),
            (ValueKind::Choice(Mode::WORDS), "LOG", Some(SettingValue::Word("log"))),
            (ValueKind::Choice(Mode::WORDS), "logs", None),
            (ValueKind::Name, " qwen3:8b ", Some(SettingValue::Text("qwen3:8b".into()))),
            (ValueKind::Name, "", Some(SettingValue::Text(String::new()))),
            (ValueKind::Name, "two\nlines", None),
            (ValueKind::Url, "http://localhost:11434/v1", Some(SettingValue::Text("http://localhost:11434/v1".into()))),
            (ValueKind::Url, "", Some(SettingValue::Text(String::new()))),
            (ValueKind::Url, "file:///etc/passwd", None),
            (ValueKind::Url, "https://me:secret@example.org", None),
            (ValueKind::Url, "https://", None),
            (ValueKind::Url, "https://:80/", None),
            (ValueKind::Url, "https://example.org/v1?key=x", None),
            (ValueKind::Url, "https://exämple.org", None),
        ] {
            assert_eq!(kind.parse(text), want, "{kind:?} {text:?}");
        }
    }
}
