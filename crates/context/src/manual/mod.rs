//! The manual: what a model is told about keeping memory (M1, M2, M5, M6, T2, L1, G2).
//!
//! Enters: directories, the mode and a few choices, as plain values. Leaves: one Markdown
//! section, byte for byte the same for the same input. Never holds a date, a time or a count, so
//! that it can stay in a provider's prompt cache for a whole session (M3).
//!
//! Two levels (M2): [`lines`] are the instructions, [`with_index`] adds the index (for
//! sub-agents, whose index has no other way in). Whether memory is on is not asked here.

use std::borrow::Cow;

use crate::prompts::{PromptTemplate, PromptWarning, Prompts, RenderError};
use memdir_core::kind::{AgentScope, Type};
use memdir_core::limits::{INDEX_LINES, POINTER_CHARS, PROMPT_BYTES};
use memdir_core::settings::Mode;
use memdir_guard::shown::{for_model, one_line};

/// The phrase that says how far a sub-agent's memory reaches.
const fn agent_phrase(scope: AgentScope) -> &'static str {
    match scope {
        AgentScope::User => "agent-user",
        AgentScope::Project => "agent-project",
        AgentScope::Local => "agent-local",
    }
}

/// Where to search past context (M6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchDirs<'a> {
    /// The memory directory.
    pub memory: &'a str,
    /// The directory of this project's transcripts.
    pub transcripts: &'a str,
}

/// Everything the manual depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ManualInput<'a> {
    /// The memory directory, which exists.
    pub dir: &'a str,
    /// The team's directory; needed in team mode, not looked at otherwise.
    pub team_dir: Option<&'a str>,
    /// How memory is kept.
    pub mode: Mode,
    /// Whether a save needs a pointer in the index (I5: not in index-free mode).
    pub index_required: bool,
    /// Where to search, when that section is wanted.
    pub search: Option<SearchDirs<'a>>,
    /// Guidelines to append as they are (M5).
    pub extra: Option<&'a str>,
    /// For a sub-agent's own memory: how far it reaches.
    pub agent: Option<AgentScope>,
}

/// The instructions alone.
pub fn lines(input: &ManualInput<'_>, prompts: &mut Prompts) -> Result<String, RenderError> {
    let dir = shown(input.dir);
    let team_dir = match (input.mode, input.team_dir) {
        (Mode::Team, None) => return Err(RenderError::NoTeamDirectory),
        (Mode::Team, Some(team)) => Some(shown(team)),
        _ => None,
    };
    let place = match (input.mode, &team_dir) {
        (Mode::Log, _) => prompts.render(PromptTemplate::WhereLog, &[("dir", &dir)])?,
        (_, Some(team)) => prompts.render(PromptTemplate::WhereTeam, &[("dir", &dir), ("team_dir", team)])?,
        (_, None) => prompts.render(PromptTemplate::Where, &[("dir", &dir)])?,
    };
    let team = if team_dir.is_some() { prompts.render(PromptTemplate::Team, &[])? } else { String::new() };
    let [user, feedback, project, reference] = scopes(team_dir.is_some(), prompts)?;
    let agent = match input.agent {
        Some(scope) => prompts.phrase(agent_phrase(scope), &[])?,
        None => String::new(),
    };
    let search = match input.search {
        Some(dirs) => prompts.render(
            PromptTemplate::Search,
            &[("memory", &shell_word(&shown(dirs.memory))), ("transcripts", &shell_word(&shown(dirs.transcripts)))],
        )?,
        None => String::new(),
    };
    let values = [
        ("where", place.as_str()),
        ("agent", &agent),
        ("scope_user", &user),
        ("scope_feedback", &feedback),
        ("scope_project", &project),
        ("scope_reference", &reference),
        ("team", &team),
        ("how_to_save", &how_to_save(input, &dir, prompts)?),
        ("search", &search),
        ("extra", extra(input.extra, prompts)),
    ];
    Ok(prompts.render(PromptTemplate::Manual, &values)? + "\n")
}

/// The instructions and, below `## MEMORY.md`, the index as it was loaded.
///
/// `index` is shown as given: cutting it to its limits (I2) is done before.
pub fn with_index(input: &ManualInput<'_>, index: &str, prompts: &mut Prompts) -> Result<String, RenderError> {
    let mut text = lines(input, prompts)?;
    text.push_str("\n## MEMORY.md\n\n");
    match index.trim() {
        "" => text.push_str(&prompts.phrase("empty-index", &[])?),
        index => text.push_str(&for_model(index)),
    }
    text.push('\n');
    Ok(text)
}

fn how_to_save(input: &ManualInput<'_>, dir: &str, prompts: &mut Prompts) -> Result<String, RenderError> {
    if input.mode == Mode::Log {
        return prompts.render(PromptTemplate::SaveLog, &[("dir", dir)]);
    }
    if !input.index_required {
        return prompts.render(PromptTemplate::SaveNoIndex, &[]);
    }
    let numbers = [("index_lines", &*INDEX_LINES.to_string()), ("pointer_chars", &*POINTER_CHARS.to_string())];
    prompts.render(PromptTemplate::Save, &numbers)
}

/// The `<scope>` line of each type (T2), empty outside team mode.
fn scopes(team: bool, prompts: &mut Prompts) -> Result<[String; 4], RenderError> {
    let mut lines = [const { String::new() }; 4];
    if team {
        for (line, kind) in lines.iter_mut().zip(Type::ALL) {
            let words = prompts.phrase(&format!("scope-{kind}"), &[])?;
            *line = format!("<scope>{words}</scope>");
        }
    }
    Ok(lines)
}

/// The extra guidelines, not longer than a prompt may be.
fn extra<'a>(text: Option<&'a str>, prompts: &mut Prompts) -> &'a str {
    let text = text.unwrap_or_default().trim();
    if text.len() <= PROMPT_BYTES {
        return text;
    }
    prompts.warn(PromptWarning::TooLong { name: "extra".to_owned(), bytes: text.len() });
    text[..text.floor_char_boundary(PROMPT_BYTES)].trim_end()
}

/// A directory as it is written in the text: on one line, without a slash at its end.
fn shown(dir: &str) -> Cow<'_, str> {
    match dir.trim_end_matches('/') {
        "" => one_line(dir),
        dir => one_line(dir),
    }
}

/// A word that a shell takes literally: the model may run the line as it stands.
fn shell_word(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"/._-+,@%:=".contains(&b);
    if !text.is_empty() && text.bytes().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests;
