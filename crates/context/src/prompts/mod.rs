//! The words memdir says to models, from `prompts/`, each of which a user may replace.
//!
//! Enters: the user's own texts by name (whoever calls has looked them up) and values for slots.
//! Leaves: rendered text. Never fails because of a user's text: one that is broken, too long or
//! not the name of anything is left aside with a warning, and the built-in text stands.
//!
//! Whole texts are [`PromptTemplate`]s. One-line texts are phrases, `key: words` lines of
//! `prompts/phrases.md`; an own `phrases` text replaces only the lines it has.

mod prompt;

use std::collections::BTreeMap;

use crate::render::{FillError, fill};
use memdir_core::limits::PROMPT_BYTES;

pub use prompt::PromptTemplate;

/// Something a user gave that was not used, or not whole.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptWarning {
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
#[non_exhaustive]
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prompts {
    own: BTreeMap<PromptTemplate, String>,
    own_phrases: BTreeMap<String, String>,
    warnings: Vec<PromptWarning>,
}

impl Prompts {
    /// The built-in texts alone.
    pub fn built_in() -> Prompts {
        Prompts::default()
    }

    /// The built-in texts with the user's own in place of some, given as (name, text).
    pub fn with_own<N, T>(texts: impl IntoIterator<Item = (N, T)>) -> Prompts
    where
        N: AsRef<str>,
        T: AsRef<str>,
    {
        let mut prompts = Prompts::default();
        for (name, text) in texts {
            prompts.replace(name.as_ref(), text.as_ref());
        }
        prompts
    }

    fn replace(&mut self, name: &str, text: &str) {
        let Some(prompt) = PromptTemplate::named(name) else {
            return self.warn(PromptWarning::Unknown(name.to_owned()));
        };
        if text.len() > PROMPT_BYTES {
            return self.warn(PromptWarning::TooLong { name: name.to_owned(), bytes: text.len() });
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n");
        if prompt == PromptTemplate::Phrases {
            for (key, words) in phrases(&text) {
                if built_in_phrase(key).is_some() {
                    self.own_phrases.insert(key.to_owned(), words.to_owned());
                } else {
                    self.warn(PromptWarning::Unknown(format!("phrases/{key}")));
                }
            }
        } else {
            self.own.insert(prompt, text);
        }
    }

    /// What was wrong with the user's texts so far, each thing once.
    pub fn warnings(&self) -> &[PromptWarning] {
        &self.warnings
    }

    pub(super) fn warn(&mut self, warning: PromptWarning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// A text with its slots filled and no blank lines at its end.
    pub fn render(&mut self, prompt: PromptTemplate, values: &[(&str, &str)]) -> Result<String, RenderError> {
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
                self.warn(PromptWarning::Broken { name: name.to_owned(), problem });
                built_in.map_err(|problem| RenderError::BuiltIn { name: name.to_owned(), problem })?
            }
            None => built_in.map_err(|problem| RenderError::BuiltIn { name: name.to_owned(), problem })?,
        };
        Ok(text.trim_end().to_owned())
    }
}

fn built_in_phrase(key: &str) -> Option<&'static str> {
    phrases(PromptTemplate::Phrases.built_in()).find(|(k, _)| *k == key).map(|(_, words)| words)
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
    fn phrases_have_distinct_keys_and_words() {
        let all: Vec<_> = phrases(PromptTemplate::Phrases.built_in()).collect();
        let keys: std::collections::BTreeSet<_> = all.iter().map(|(key, _)| key).collect();
        assert_eq!(keys.len(), all.len());
        assert!(all.iter().all(|(key, words)| !key.contains(' ') && !words.is_empty()));
    }

    #[test]
    fn an_own_text_takes_the_place_of_the_built_in() {
        let mut prompts = Prompts::with_own([("staleness", "\u{feff}Old: {{days}} d.\r\n")]);
        assert_eq!(prompts.render(PromptTemplate::Staleness, DAYS).unwrap(), "Old: 7 d.");
        assert!(prompts.warnings().is_empty());
    }

    #[test]
    fn a_broken_own_text_falls_back_with_one_named_warning() {
        for own in ["no slot at all", "{{days}} and {{weeks}}", ""] {
            let mut prompts = Prompts::with_own([("staleness", own)]);
            let built_in = Prompts::built_in().render(PromptTemplate::Staleness, DAYS).unwrap();
            assert_eq!(prompts.render(PromptTemplate::Staleness, DAYS).unwrap(), built_in);
            assert_eq!(prompts.render(PromptTemplate::Staleness, DAYS).unwrap(), built_in);
            assert_eq!(prompts.warnings().len(), 1, "{own:?}");
            let said = prompts.warnings()[0].to_string();
            assert!(said.starts_with("prompt-broken: ") && said.contains("`staleness`"), "{said}");
        }
    }

    #[test]
    fn unknown_and_oversized_texts_are_named_and_left_aside() {
        let long = "{{days}}".repeat(PROMPT_BYTES);
        let mut prompts = Prompts::with_own([("stale", "x"), ("staleness", &long)]);
        let built_in = Prompts::built_in().render(PromptTemplate::Staleness, DAYS).unwrap();
        assert_eq!(prompts.render(PromptTemplate::Staleness, DAYS).unwrap(), built_in);
        assert!(matches!(prompts.warnings(), [PromptWarning::Unknown(_), PromptWarning::TooLong { .. }]));
    }

    #[test]
    fn own_phrases_replace_line_by_line() {
        let mut prompts = Prompts::with_own([("phrases", "index: the notes\nscope-user: {{x}}\nnope: 1")]);
        let built_in = Prompts::built_in().phrase("scope-user", &[]).unwrap();
        assert_eq!(prompts.phrase("index", &[]).unwrap(), "the notes");
        assert_eq!(prompts.phrase("scope-user", &[]).unwrap(), built_in);
        assert_eq!(prompts.warnings().len(), 2);
        assert_eq!(prompts.phrase("nope", &[]), Err(RenderError::NoPhrase("nope".into())));
    }
}
