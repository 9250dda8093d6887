//! Learning with a model after a turn: the forked agent of X1–X8.
//!
//! Enters: the conversation as its last request was, how many of its messages are new, and a model.
//! Leaves: which memories changed, what was refused and denied, what it cost, or the name of the
//! reason why nothing was looked at. The parent's system prompt, tools and messages go out as they
//! are, so the provider's cache of them is used; where they are not known ([`LearnRequest::shares_prefix`])
//! there is no hit percentage. Never changes memory but through the proposal check, as one change;
//! never decides when to run: that is the host's. With `review` on nothing lands: it waits in the inbox.

mod last;
mod learned;

pub use last::{LastExtraction, TurnedDown};
pub use learned::Learned;

use std::sync::Arc;
use std::time::Duration;

use super::inbox::ProposalOrigin;
use super::proposal::Bounds;
use super::recall::{OfferedMemory, manifest_line};
use super::{ContextPart, ContextRequest, Conversation, Error, ForkJob, Grounds, Landing, Learning, Memory, Signature};
use memdir_context::prompts::{PromptTemplate, Prompts};
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_hosts::transcript;
use memdir_model::fork::{ForkProgress, RunBudget};
use memdir_model::tools::{Shell, specs};
use memdir_model::{Cancel, ChatMessage, ChatRole, ContentBlock, Model, Request};
use memdir_store::fs::{self, Durability};
use memdir_store::history::ChangeId;

/// What is to be learned from.
pub struct LearnRequest<'l> {
    /// The model.
    pub model: &'l dyn Model,
    /// The conversation, the last answer included.
    pub parent: &'l Request,
    /// How many of its last messages are new (X3).
    pub new_messages: usize,
    /// Whether `parent` is what the main conversation sent; else there is no cache to share (X2).
    pub shares_prefix: bool,
    /// Runs its read-only commands.
    pub shell: &'l dyn Shell,
    /// Stops it from outside.
    pub cancel: Cancel,
    /// Who signs, in which session, by which message.
    pub signature: Signature,
    /// The user's own texts in place of ours, by name.
    pub own_texts: &'l [(String, String)],
    /// Who said what, where the caller knows better than the new messages of `parent` tell.
    pub grounds: Option<Arc<Grounds>>,
    /// The group that what lands belongs to.
    pub group: Option<ChangeId>,
}

impl<'l> LearnRequest<'l> {
    /// Learns from the last messages of a conversation as its model has seen it.
    pub fn from_turn(
        model: &'l dyn Model,
        parent: &'l Request,
        new_messages: usize,
        shell: &'l dyn Shell,
        signature: Signature,
    ) -> LearnRequest<'l> {
        let cancel = Cancel::default();
        LearnRequest {
            model,
            parent,
            new_messages,
            shares_prefix: true,
            shell,
            cancel,
            signature,
            own_texts: &[],
            grounds: None,
            group: None,
        }
    }
}

/// What the history says of a run.
const LEARNED: &str = "learned from the conversation";

/// The messages of a request as a transcript would tell them: what hosts and hooks put in is cut out. Their ids are not known.
fn spoken(messages: &[ChatMessage]) -> Vec<transcript::Message> {
    let mut found = Vec::new();
    let mut say = |role: transcript::Role, text: String| {
        if !text.trim().is_empty() {
            let (id, origin) = (String::new(), transcript::Origin::Own);
            found.push(transcript::Message { id, role, origin, text, tool_uses: Vec::new(), time: None });
        }
    };
    for message in messages {
        let brings_results = message.content.iter().any(|block| matches!(block, ContentBlock::ToolResult { .. }));
        for block in &message.content {
            match (block, message.role) {
                // What is beside a tool's answer was put there by a program.
                (ContentBlock::Text { .. }, ChatRole::User) if brings_results => {}
                (ContentBlock::Text { text }, ChatRole::User) => say(transcript::Role::User, transcript::own(text)),
                (ContentBlock::Text { text }, ChatRole::Assistant) => say(transcript::Role::Assistant, text.clone()),
                (ContentBlock::ToolResult { content, .. }, _) => say(transcript::Role::Tool, content.clone()),
                _ => {}
            }
        }
    }
    found
}

impl Learning<'_> {
    /// Whether extraction may run here at all, or the name of the reason why not (X1).
    pub fn gate(&self, interactive: bool) -> Result<(), &'static str> {
        if !self.memory.place.enabled {
            Err("memory-off")
        } else if self.memory.place.memory_dir.is_err() {
            Err("no-directory")
        } else if !self.memory.settings.extract_enabled {
            Err("setting:extract.enabled")
        } else if !interactive && !self.memory.settings.extract_non_interactive {
            Err("setting:extract.non_interactive")
        } else if self.memory.around.switch("CLAUDE_CODE_REMOTE") == Some(true) {
            Err("remote")
        } else {
            Ok(())
        }
    }

    /// Learns from the last messages of a conversation.
    pub fn run(&self, learn: &LearnRequest<'_>, progress: &mut dyn FnMut(ForkProgress<'_>)) -> Result<Learned, Error> {
        self.memory.require_on()?;
        let from = learn.parent.messages.len().saturating_sub(learn.new_messages);
        let new = &learn.parent.messages[from..];
        let learned = if new.is_empty() {
            Learned::skipped("nothing-new")
        } else if self.memory.is_written_by_itself(new)? {
            Learned::skipped("already-written")
        } else if self.memory.keeps_log() {
            let (said, session) = (spoken(new), learn.signature.session.as_deref());
            self.extract(&Conversation { messages: &said, session, ..Conversation::default() }, Landing::Now)?;
            Learned::skipped("mode:log")
        } else {
            let prompt = self.memory.learn_prompt(new.len(), learn.own_texts)?;
            let grounds = match &learn.grounds {
                Some(grounds) => Arc::clone(grounds),
                None => Arc::new(
                    self.memory
                        .grounds(&Conversation { messages: &spoken(new), ..Conversation::default() }, learn.parent),
                ),
            };
            let review = self.memory.settings.review;
            let outcome = self.memory.run_fork(
                &ForkJob {
                    model: learn.model,
                    parent: learn.parent,
                    prompt: &prompt,
                    budget: RunBudget {
                        turns: limits::EXTRACT_TURNS,
                        time: Duration::from_secs(limits::EXTRACT_SECONDS),
                        tokens: limits::EXTRACT_TOKENS,
                    },
                    bounds: Bounds { grounds: Some(grounds), ..Bounds::extraction() },
                    shell: learn.shell,
                    cancel: learn.cancel.clone(),
                    signature: learn.signature.clone(),
                    reason: LEARNED,
                    group: learn.group.clone(),
                    land: !review,
                },
                progress,
            )?;
            let error = match &outcome.run.ended {
                memdir_model::fork::RunEnd::Failed(error) => Some(error.to_string()),
                _ => None,
            };
            let waiting =
                if review { self.memory.propose_verdict(&outcome.verdict, &learn.signature)? } else { Vec::new() };
            let mut run = outcome.report();
            // The user's own agent knows the conversation it branches off, cache and all.
            let is_branch = learn.model.as_agent().is_some_and(memdir_model::command::CodingAgent::is_branch);
            if !learn.shares_prefix && !is_branch {
                run.hit_percent = None;
            }
            Learned { skipped: None, run: Some(run), waiting, error }
        };
        self.memory.keep_last_extraction(&learned, learn.signature.session.as_deref())?;
        Ok(learned)
    }

    /// The last message of a session that was learned from (X3).
    pub fn learned_up_to(&self, session: &str) -> Option<String> {
        let bytes = fs::read_beside(&self.memory.session_dir(session).join("learned")).ok()?;
        String::from_utf8(bytes).ok().filter(|cursor| !cursor.is_empty())
    }

    /// Moves that cursor.
    pub fn set_learned_up_to(&self, session: &str, message: &str) -> Result<(), Error> {
        let dir = self.memory.session_dir(session);
        fs::create_private_dir(&dir)?;
        Ok(fs::replace(&dir.join("learned"), message.as_bytes(), Durability::Synced)?)
    }
}

impl Memory {
    /// What a model's memories must stand on in a conversation.
    pub(crate) fn grounds(&self, conversation: &Conversation<'_>, parent: &Request) -> Grounds {
        let rules: Vec<String> = self.rules().files.iter().map(|file| file.text.clone()).collect();
        Grounds::new(conversation, &self.now, &rules.join("\n\n"), &parent.system.join("\n\n"))
    }

    /// Leaves what a model proposed before a person, a proposal for each file.
    fn propose_verdict(
        &self,
        verdict: &super::proposal::ProposalVerdict,
        signature: &Signature,
    ) -> Result<Vec<String>, Error> {
        let text = |bytes: &Option<Vec<u8>>| bytes.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let mut ids = Vec::new();
        for accepted in &verdict.accepted {
            let messages = accepted.messages.join(" ");
            let message = if messages.trim().is_empty() { signature.message.clone() } else { Some(messages) };
            let origin = ProposalOrigin { scope: Scope::Private, session: signature.session.clone(), message };
            let file = super::ProposedFile {
                file: accepted.file.to_string(),
                before: text(&accepted.before),
                after: text(&accepted.after),
                why: accepted.notes.join("; "),
                ..super::ProposedFile::default()
            };
            let new = super::NewProposal { kind: "extract", reason: LEARNED.to_owned(), files: vec![file] };
            ids.extend(self.propose_once(new, origin)?);
        }
        Ok(ids)
    }

    /// A parent for [`LearnRequest`] where the conversation as its model saw it is not known: the manual, the
    /// tools, and what was said. Such a fork shares no cache.
    pub(crate) fn fresh_parent(
        &self,
        messages: Vec<ChatMessage>,
        own_texts: &[(String, String)],
    ) -> Result<Request, Error> {
        let own_texts = own_texts.to_vec();
        let manual = ContextRequest { session: None, part: ContextPart::Manual, mode: None, agent: None, own_texts };
        let system = self.sessions().context(&manual)?.blocks.into_iter().map(|block| block.text).collect();
        Ok(Request { system, tools: specs(), messages, max_output_tokens: limits::CHAT_TOKENS, schema: None })
    }

    /// Whether the main agent saved something in these messages (X4): a call that failed saved nothing.
    fn is_written_by_itself(&self, messages: &[ChatMessage]) -> Result<bool, Error> {
        let permissions = self.files().agent_permissions()?;
        let blocks = || messages.iter().flat_map(|message| &message.content);
        let failed = |wanted: &str| {
            blocks().any(
                |block| matches!(block, ContentBlock::ToolResult { tool_use_id, is_error: true, .. } if tool_use_id == wanted),
            )
        };
        Ok(blocks().any(|block| {
            let ContentBlock::ToolUse { id, name, input } = block else { return false };
            let inside = input["file_path"].as_str().is_some_and(|path| permissions.is_in_memory(path));
            let by_file = matches!(name.as_str(), "Edit" | "Write") && inside;
            let by_tool = name == "memory" && input["command"].as_str().is_some_and(|command| command != "view");
            (by_file || by_tool) && !failed(id)
        }))
    }

    /// What the fork is asked to do, with what memory holds (X7).
    fn learn_prompt(&self, count: usize, own: &[(String, String)]) -> Result<String, Error> {
        let listing = self.files().list()?;
        let mut lines: Vec<String> = listing
            .memories()
            .filter(|listed| listed.scope != Scope::User && !listed.flags.contains(&"log"))
            .take(limits::MANIFEST_FILES)
            .map(|listed| {
                manifest_line(&OfferedMemory {
                    file: &listed.file,
                    kind: listed.kind,
                    written: listed.written.time(self.now.timestamp()),
                    description: listed.description.as_deref().unwrap_or_default(),
                })
            })
            .collect();
        if lines.is_empty() {
            lines.push("(nothing yet)".to_owned());
        }
        let date = self.now.date().to_string();
        let today = format!("{}, {date}", self.now.strftime("%A"));
        let dir = self.private_dir()?.display().to_string();
        let values = [
            ("count", count.to_string()),
            ("today", today),
            ("date", date),
            ("dir", dir),
            ("manifest", lines.join("\n")),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let mut prompts = Prompts::with_own(own.iter().map(|(name, text)| (name, text)));
        prompts.render(PromptTemplate::Extract, &values).map_err(|error| Error::Refused(error.to_string()))
    }
}

#[cfg(test)]
mod tests;
