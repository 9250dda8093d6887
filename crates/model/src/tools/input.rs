//! What a model's input means. Small models write numbers as text and flags as words; that is
//! understood. What is missing or of no sense is told.

use super::ToolError;
use serde_json::Value;

/// Show a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// Which one, as it was typed.
    pub path: String,
    /// The first line, counted from 1.
    pub offset: usize,
    /// How many.
    pub limit: Option<usize>,
}

/// Search in files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grep {
    /// The regular expression.
    pub pattern: String,
    /// Where; the working directory if not said.
    pub path: Option<String>,
    /// Which files.
    pub glob: Option<String>,
    /// What to show.
    pub show: GrepOutput,
    /// Whether case does not matter.
    pub any_case: bool,
    /// Lines of the answer.
    pub most: Option<usize>,
}

/// What a search shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrepOutput {
    /// The files.
    Files,
    /// The lines.
    Lines,
    /// How many lines in each file.
    Counts,
}

/// Find files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    /// The pattern.
    pub pattern: String,
    /// Where; the working directory if not said.
    pub path: Option<String>,
}

/// Replace text in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditInput {
    /// What is there.
    pub old: String,
    /// What should.
    pub new: String,
    /// Wherever it stands.
    pub all: bool,
}

impl EditInput {
    /// What a model's input for Edit asks for, besides the file.
    pub fn read(input: &Value) -> Result<EditInput, ToolError> {
        let input = Input { tool: "Edit", value: input };
        Ok(EditInput {
            old: input.text("old_string")?,
            new: input.text("new_string")?,
            all: input.flag("replace_all")?,
        })
    }

    /// A text with the replacement made, and how often; or why it cannot be.
    pub fn apply(&self, file: &dyn std::fmt::Display, text: &str) -> Result<(String, usize), ToolError> {
        if self.old.is_empty() {
            return Err("old_string is empty, and the file is not; say what to replace".into());
        }
        if self.old == self.new {
            return Err("old_string and new_string are the same".into());
        }
        // A model sees and writes plain line feeds, whatever the file has.
        let windows = !text.contains(&self.old) && text.contains("\r\n");
        let spelled =
            |text: &str| if windows { text.replace("\r\n", "\n").replace('\n', "\r\n") } else { text.to_owned() };
        let (old, new) = (spelled(&self.old), spelled(&self.new));
        let count = text.matches(&old).count();
        match count {
            0 => Err(format!("old_string is not in {file}; read the file and give the text exactly").into()),
            _ if self.all => Ok((text.replace(&old, &new), count)),
            1 => Ok((text.replacen(&old, &new, 1), 1)),
            _ => {
                Err(format!("old_string occurs in {file} {count} times; give more of the text, or set replace_all")
                    .into())
            }
        }
    }
}

/// Reads a model's input.
pub(super) struct Input<'i> {
    pub(super) tool: &'i str,
    pub(super) value: &'i Value,
}

impl Input<'_> {
    /// Text that must be given.
    pub(super) fn text(&self, key: &str) -> Result<String, String> {
        self.optional(key)?.ok_or_else(|| format!("{} needs {key}", self.tool))
    }

    /// Text that may be given.
    pub(super) fn optional(&self, key: &str) -> Result<Option<String>, String> {
        match &self.value[key] {
            Value::Null => Ok(None),
            Value::String(text) => Ok(Some(text.clone())),
            _ => Err(format!("{key} of {} must be text", self.tool)),
        }
    }

    /// A number that may be given.
    pub(super) fn number(&self, key: &str) -> Result<Option<usize>, String> {
        let number = match &self.value[key] {
            Value::Null => return Ok(None),
            Value::String(text) => text.trim().parse().ok(),
            // Too large for any file is as good as all of it.
            Value::Number(number) => number.as_u64().map(|number| usize::try_from(number).unwrap_or(usize::MAX)),
            _ => None,
        };
        number.map(Some).ok_or_else(|| format!("{key} of {} must be a number, 0 or more", self.tool))
    }

    /// A flag; not given is no.
    pub(super) fn flag(&self, key: &str) -> Result<bool, String> {
        match &self.value[key] {
            Value::Null => Ok(false),
            Value::Bool(flag) => Ok(*flag),
            Value::String(text) if text.eq_ignore_ascii_case("true") => Ok(true),
            Value::String(text) if text.eq_ignore_ascii_case("false") => Ok(false),
            _ => Err(format!("{key} of {} must be true or false", self.tool)),
        }
    }

    /// What a search shows.
    pub(super) fn show(&self) -> Result<GrepOutput, String> {
        match self.optional("output_mode")?.as_deref() {
            None | Some("" | "files_with_matches") => Ok(GrepOutput::Files),
            Some("content") => Ok(GrepOutput::Lines),
            Some("count") => Ok(GrepOutput::Counts),
            Some(_) => Err("output_mode is files_with_matches, content or count".to_owned()),
        }
    }
}
