//! The words memdir says to models, from `prompts/`, each of which a user may replace.
//!
//! Enters: the user's own texts by name (whoever calls has looked them up) and values for slots.
//! Leaves: rendered text. Never fails because of a user's text: one that is broken, too long or
//! not the name of anything is left aside with a warning, and the built-in text stands.
//!
//! Whole texts are [`Prompt`]s. One-line texts are phrases, `key: words` lines of
//! `prompts/phrases.md`; an own `phrases` text replaces only the lines it has.

use std::collections::BTreeMap;

use crate::context::render::{FillError, fill};
use crate::limits::PROMPT_BYTES;

/// The texts in `prompts/`, by what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Prompt {
    /// The frame of the manual, with the eight parts of M1.
    Manual,
    /// Where memory is, in normal mode.
    Where,
    /// Where memory is, private and team.
    WhereTeam,
    /// Where memory is, in daily-log mode.
    WhereLog,
    /// How to save: file and pointer.
    Save,
    /// How to save without an index (I5).
    SaveNoIndex,
    /// How to save in daily-log mode (L1).
    SaveLog,
    /// What goes to the team and what does not (T2, T3).
    Team,
    /// Searching past context (M6).
    Search,
    /// The caveat above an old memory (A2).
    Staleness,
    /// The note below an old daily log (A3).
    DailyNote,
    /// Choosing memories for a prompt, for a model (R3).
    Select,
    /// What an agent without hooks is told.
    Instructions,
    /// What the extraction after a turn is to do (X).
    Extract,
    /// What `memdir chat` is.
    Chat,
    /// Asking for a summary in place of a conversation.
    Compact,
    /// Dreaming, for a model (D3).
    Dream,
    /// Bringing session notes up to date, for a model (S3).
    Notes,
    /// The ten sections of session notes (S1).
    NotesTemplate,
    /// The tools and their parameters, `key: words` lines.
    Tools,
    /// One-line texts.
    Phrases,
}

impl Prompt {
    /// Every text, in the order of a listing.
    pub const ALL: [Prompt; 21] = [
        Prompt::Manual,
        Prompt::Where,
        Prompt::WhereTeam,
        Prompt::WhereLog,
        Prompt::Save,
        Prompt::SaveNoIndex,
        Prompt::SaveLog,
        Prompt::Team,
        Prompt::Search,
        Prompt::Staleness,
        Prompt::DailyNote,
        Prompt::Select,
        Prompt::Instructions,
        Prompt::Extract,
        Prompt::Chat,
        Prompt::Compact,
        Prompt::Dream,
        Prompt::Notes,
        Prompt::NotesTemplate,
        Prompt::Tools,
        Prompt::Phrases,
    ];

    /// The file name without `.md`, here and in the user's folder.
    pub const fn name(self) -> &'static str {
        match self {
            Prompt::Manual => "manual",
            Prompt::Where => "where",
            Prompt::WhereTeam => "where-team",
            Prompt::WhereLog => "where-log",
            Prompt::Save => "save",
            Prompt::SaveNoIndex => "save-no-index",
            Prompt::SaveLog => "save-log",
            Prompt::Team => "team",
            Prompt::Search => "search",
            Prompt::Staleness => "staleness",
            Prompt::DailyNote => "daily-note",
            Prompt::Select => "select",
            Prompt::Instructions => "instructions",
            Prompt::Extract => "extract",
            Prompt::Chat => "chat",
            Prompt::Compact => "compact",
            Prompt::Dream => "dream",
            Prompt::Notes => "notes",
            Prompt::NotesTemplate => "notes-template",
            Prompt::Tools => "tools",
            Prompt::Phrases => "phrases",
        }
    }

    /// The text that is built in.
    pub const fn built_in(self) -> &'static str {
        match self {
            Prompt::Manual => include_str!("../../prompts/manual.md"),
            Prompt::Where => include_str!("../../prompts/where.md"),
            Prompt::WhereTeam => include_str!("../../prompts/where-team.md"),
            Prompt::WhereLog => include_str!("../../prompts/where-log.md"),
            Prompt::Save => include_str!("../../prompts/save.md"),
            Prompt::SaveNoIndex => include_str!("../../prompts/save-no-index.md"),
            Prompt::SaveLog => include_str!("../../prompts/save-log.md"),
            Prompt::Team => include_str!("../../prompts/team.md"),
            Prompt::Search => include_str!("../../prompts/search.md"),
            Prompt::Staleness => include_str!("../../prompts/staleness.md"),
            Prompt::DailyNote => include_str!("../../prompts/daily-note.md"),
            Prompt::Select => include_str!("../../prompts/select.md"),
            Prompt::Instructions => include_str!("../../prompts/instructions.md"),
            Prompt::Extract => include_str!("../../prompts/extract.md"),
            Prompt::Chat => include_str!("../../prompts/chat.md"),
            Prompt::Compact => include_str!("../../prompts/compact.md"),
            Prompt::Dream => include_str!("../../prompts/dream.md"),
            Prompt::Notes => include_str!("../../prompts/notes.md"),
            Prompt::NotesTemplate => include_str!("../../prompts/notes-template.md"),
            Prompt::Tools => include_str!("../../prompts/tools.md"),
            Prompt::Phrases => include_str!("../../prompts/phrases.md"),
        }
    }

    fn named(name: &str) -> Option<Prompt> {
        Prompt::ALL.into_iter().find(|prompt| prompt.name() == name)
    }
}

/// Something a user gave that was not used, or not whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Warning {
    /// The text is for no prompt or phrase.
    #[error("prompt-unknown: there is no prompt `{0}` to replace; rename or remove your text")]
    Unknown(String),
    /// The text and its slots do not fit.
    #[error("prompt-broken: your text for `{name}` is not used, {problem}; the built-in stands")]
    Broken {
        /// Which prompt, or `phrases/<key>`.
        name: String,
        /// What is wrong with it.
        problem: FillError,
    },
    /// The text is longer than anything a model should be told at once.
    #[error("prompt-too-long: `{name}` has {bytes} bytes, at most {PROMPT_BYTES} are used")]
    TooLong {
        /// Which prompt, or `extra` for the extra guidelines.
        name: String,
        /// How long it is.
        bytes: usize,
    },
}

/// A built-in text cannot be rendered: wrong input from the caller, or a fault of ours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// A built-in text and the values for it do not fit.
    #[error("built-in prompt `{name}`: {problem}")]
    BuiltIn {
        /// Which one.
        name: String,
        /// What does not fit.
        problem: FillError,
    },
    /// There is no such phrase.
    #[error("there is no phrase `{0}` in prompts/phrases.md")]
    NoPhrase(String),
    /// Team mode was asked for without saying where the team's memory is.
    #[error("team mode needs the team directory; give it, or use normal mode")]
    NoTeamDirectory,
}

/// The texts in force for one session, and what was wrong with the user's own.
#[derive(Clone, Debug, Default)]
pub struct Book {
    own: BTreeMap<Prompt, String>,
    own_phrases: BTreeMap<String, String>,
    warnings: Vec<Warning>,
}

impl Book {
    /// The built-in texts alone.
    pub fn built_in() -> Book {
        Book::default()
    }

    /// The built-in texts with the user's own in place of some, given as (name, text).
    pub fn with_own<N, T>(texts: impl IntoIterator<Item = (N, T)>) -> Book
    where
        N: AsRef<str>,
        T: AsRef<str>,
    {
        let mut book = Book::default();
        for (name, text) in texts {
            book.replace(name.as_ref(), text.as_ref());
        }
        book
    }

    fn replace(&mut self, name: &str, text: &str) {
        let Some(prompt) = Prompt::named(name) else {
            return self.warn(Warning::Unknown(name.to_owned()));
        };
        if text.len() > PROMPT_BYTES {
            return self.warn(Warning::TooLong { name: name.to_owned(), bytes: text.len() });
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        if prompt == Prompt::Phrases {
            for (key, words) in phrases(&text) {
                if built_in_phrase(key).is_some() {
                    self.own_phrases.insert(key.to_owned(), words.to_owned());
                } else {
                    self.warn(Warning::Unknown(format!("phrases/{key}")));
                }
            }
        } else {
            self.own.insert(prompt, text);
        }
    }

    /// What was wrong with the user's texts so far, each thing once.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    pub(super) fn warn(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// A text with its slots filled and no blank lines at its end.
    pub fn render(&mut self, prompt: Prompt, values: &[(&str, &str)]) -> Result<String, RenderError> {
        let own = self.own.get(&prompt).map(|own| fill(own, values));
        self.settle(prompt.name(), own, fill(prompt.built_in(), values))
    }

    /// A phrase with its slots filled.
    pub fn phrase(&mut self, key: &str, values: &[(&str, &str)]) -> Result<String, RenderError> {
        let built_in = built_in_phrase(key).ok_or_else(|| RenderError::NoPhrase(key.to_owned()))?;
        let own = self.own_phrases.get(key).map(|own| fill(own, values));
        self.settle(&format!("phrases/{key}"), own, fill(built_in, values))
    }

    fn settle(
        &mut self,
        name: &str,
        own: Option<Result<String, FillError>>,
        built_in: Result<String, FillError>,
    ) -> Result<String, RenderError> {
        let text = match own {
            Some(Ok(text)) => text,
            Some(Err(problem)) => {
                self.warn(Warning::Broken { name: name.to_owned(), problem });
                built_in.map_err(|problem| RenderError::BuiltIn { name: name.to_owned(), problem })?
            }
            None => built_in.map_err(|problem| RenderError::BuiltIn { name: name.to_owned(), problem })?,
        };
        Ok(text.trim_end().to_owned())
    }
}

fn built_in_phrase(key: &str) -> Option<&'static str> {
    phrases(Prompt::Phrases.built_in()).find(|(k, _)| *k == key).map(|(_, words)| words)
}

fn phrases(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let (key, words) = line.split_once(':')?;
        Some((key.trim(), words.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAYS: &[(&str, &str)] = &[("days", "7")];

    #[test]
    fn every_file_in_prompts_is_a_prompt() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/prompts");
        let mut files: Vec<String> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        let mut known: Vec<String> = Prompt::ALL.iter().map(|prompt| format!("{}.md", prompt.name())).collect();
        files.sort();
        known.sort();
        assert_eq!(files, known);
    }

    #[test]
    fn phrases_have_distinct_keys_and_words() {
        let all: Vec<_> = phrases(Prompt::Phrases.built_in()).collect();
        let keys: std::collections::BTreeSet<_> = all.iter().map(|(key, _)| key).collect();
        assert_eq!(keys.len(), all.len());
        assert!(all.iter().all(|(key, words)| !key.contains(' ') && !words.is_empty()));
    }

    #[test]
    fn an_own_text_takes_the_place_of_the_built_in() {
        let mut book = Book::with_own([("staleness", "\u{feff}Old: {{days}} d.\r\n")]);
        assert_eq!(book.render(Prompt::Staleness, DAYS).unwrap(), "Old: 7 d.");
        assert!(book.warnings().is_empty());
    }

    #[test]
    fn a_broken_own_text_falls_back_with_one_named_warning() {
        for own in ["no slot at all", "{{days}} and {{weeks}}", ""] {
            let mut book = Book::with_own([("staleness", own)]);
            let built_in = Book::built_in().render(Prompt::Staleness, DAYS).unwrap();
            assert_eq!(book.render(Prompt::Staleness, DAYS).unwrap(), built_in);
            assert_eq!(book.render(Prompt::Staleness, DAYS).unwrap(), built_in);
            assert_eq!(book.warnings().len(), 1, "{own:?}");
            let said = book.warnings()[0].to_string();
            assert!(said.starts_with("prompt-broken: ") && said.contains("`staleness`"), "{said}");
        }
    }

    #[test]
    fn unknown_and_oversized_texts_are_named_and_left_aside() {
        let long = "{{days}}".repeat(PROMPT_BYTES);
        let mut book = Book::with_own([("stale", "x"), ("staleness", &long)]);
        let built_in = Book::built_in().render(Prompt::Staleness, DAYS).unwrap();
        assert_eq!(book.render(Prompt::Staleness, DAYS).unwrap(), built_in);
        assert!(matches!(book.warnings(), [Warning::Unknown(_), Warning::TooLong { .. }]));
    }

    #[test]
    fn own_phrases_replace_line_by_line() {
        let mut book = Book::with_own([("phrases", "index: the notes\nscope-user: {{x}}\nnope: 1")]);
        let built_in = Book::built_in().phrase("scope-user", &[]).unwrap();
        assert_eq!(book.phrase("index", &[]).unwrap(), "the notes");
        assert_eq!(book.phrase("scope-user", &[]).unwrap(), built_in);
        assert_eq!(book.warnings().len(), 2);
        assert_eq!(book.phrase("nope", &[]), Err(RenderError::NoPhrase("nope".into())));
    }
}
