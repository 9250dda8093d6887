//! The forked agent that writes notes: it may edit one file, and only below the lines in italics (S3).
//!
//! Enters: a model, the conversation and a budget. Leaves: the notes, or why they stay as they were. The model
//! works on a copy, the user's own agent on the file, which is put back first; a change of the frame, a secret or a
//! run that was cut off leaves the file alone.

use super::{Notes, NotesReport, estimate_tokens, fill_once, report};
use crate::engine::agent_run::{self, AgentTask};
use crate::engine::{Error, Memory, Sessions};
use memdir_context::prompts::PromptTemplate;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_guard::secrets;
use memdir_model::command::AgentRun;
use memdir_model::fork::{Fork, ForkProgress, RunBudget};
use memdir_model::tools::{Permissions, Shell, Toolbox, Writes};
use memdir_model::{Cancel, Model, Request};
use memdir_store::fs::{self, Durability, Root};
use memdir_store::staging::Staging;

const FILE: &str = "summary.md";

/// How notes are written by a model.
pub struct NotesJob<'j> {
    /// The model.
    pub model: &'j dyn Model,
    /// The conversation it goes on from, which stays as it is.
    pub parent: &'j Request,
    /// Runs its read-only commands.
    pub shell: &'j dyn Shell,
    /// What that may cost.
    pub budget: RunBudget,
    /// Stops it.
    pub cancel: Cancel,
}

impl Sessions<'_> {
    /// Lets a model bring the notes up to date, on a copy of the one file.
    pub fn update_notes_with(
        &self,
        session: &str,
        job: &NotesJob<'_>,
        progress: &mut dyn FnMut(ForkProgress<'_>),
    ) -> Result<NotesReport, Error> {
        self.memory.require_notes()?;
        let path = self.notes_path(session)?;
        let template = Notes::read(&self.notes_template());
        let Some(dir) = path.parent() else { return Err(Error::Refused("the notes have no directory".into())) };
        fs::create_private_dir(dir)?;
        if !path.exists() {
            self.memory.write_notes(&path, &template)?;
        }
        let prompt = self.memory.notes_prompt(session)?;
        let (root, file) = (Root::open(dir)?, RelPath::parse(FILE)?);
        let before = root.read(&file)?.unwrap_or_default();
        let staging = Staging::of_file(&root, &file, &self.memory.dirs().state.join("notes"))?;
        let permissions = Permissions {
            writes: Writes::OnlyEdit(file.clone()),
            roots: vec![root.path().to_path_buf()],
            cwd: self.memory.around.directory(),
            home: self.memory.around.home.clone(),
        };
        let (run, after) = if let Some(agent) = job.model.as_agent() {
            let mark = Some(staging.mark().to_path_buf());
            let RunBudget { turns, tokens, .. } = job.budget;
            let agent_run = AgentRun { permissions, max_turns: turns, max_tokens: tokens, mark };
            let sent = AgentTask { parent: job.parent, prompt: &prompt, budget: job.budget, cancel: &job.cancel };
            let run = agent_run::send(agent, &agent_run, &sent, progress);
            // It worked on the file itself: what was there is put back before anybody looks at what it made of it.
            let after = root.read(&file);
            fs::replace(&path, &before, Durability::Synced)?;
            (run, after?)
        } else {
            let mut tools = Toolbox::new(permissions, &staging, job.shell);
            let fork = Fork {
                model: job.model,
                parent: job.parent,
                prompt: &prompt,
                budget: job.budget,
                cancel: job.cancel.clone(),
            };
            (fork.run(&mut tools, progress), staging.read(&file)?)
        };
        if !run.ended.is_whole() {
            return Err(Error::Refused(format!(
                "the notes stay as they were: the run ended early ({})",
                run.ended.as_str()
            )));
        }
        let after = after.unwrap_or_default();
        let text =
            String::from_utf8(after).map_err(|_| Error::Refused("the notes stay as they were: no text".into()))?;
        let (old, new) = (Notes::read(&String::from_utf8_lossy(&before)), Notes::read(&text));
        if let Some(fault) = old.frame_fault(&new) {
            return Err(Error::Refused(format!("the notes stay as they were: {fault}")));
        }
        if root.read(&file)?.unwrap_or_default() != before {
            return Err(Error::Refused("the notes stay as they were: somebody else changed them meanwhile".into()));
        }
        let clean = Notes::read(&secrets::redact(&new.write()).0);
        self.memory.write_notes(&path, &clean)?;
        Ok(report(&path, &clean, &template))
    }
}

impl Memory {
    /// What a model is asked to do with the notes of a session: the user's own prompt, else the built-in one (S6).
    pub(crate) fn notes_prompt(&self, session: &str) -> Result<String, Error> {
        let path = self.sessions().notes_path(session)?;
        let notes = Notes::read(&self.standing_notes(&path));
        let over: Vec<String> = notes
            .sections
            .iter()
            .map(|section| (section, estimate_tokens(&section.text)))
            .filter(|(_, tokens)| *tokens > limits::NOTES_SECTION_TOKENS)
            .map(|(section, tokens)| format!("- {}: about {tokens} tokens", section.title))
            .collect();
        let total: u64 = notes.sections.iter().map(|section| estimate_tokens(&section.text)).sum();
        let mut told = String::new();
        if !over.is_empty() {
            told = format!("\nThese sections are too long and must become shorter:\n{}\n", over.join("\n"));
        }
        if total > limits::NOTES_TOKENS {
            told.push_str(&format!("\nAll of it is about {total} tokens, which is too long.\n"));
        }
        let template = self.own_notes_text("prompt.md").unwrap_or_else(|| PromptTemplate::Notes.built_in().to_owned());
        let values = [
            ("currentNotes", notes.write()),
            ("notesPath", path.display().to_string()),
            ("sectionTokens", limits::NOTES_SECTION_TOKENS.to_string()),
            ("totalTokens", limits::NOTES_TOKENS.to_string()),
            ("tooLong", told.clone()),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
        let text = fill_once(&template, &values);
        // An own prompt need not know of sizes; what is too long is told all the same (S4).
        Ok(if told.is_empty() || template.contains("{{tooLong}}") { text } else { format!("{text}\n{told}") })
    }
}
