//! One turn: recall, answer, tools, until the model has no more to do.
//!
//! What a session starts with is built once ([`super::preamble`]). Reminders are beside the message they belong to (R10). A turn that
//! is stopped or fails leaves a conversation that can go on.

use std::sync::Arc;
use std::time::{Duration, Instant};

use memdir::context::prompts::Prompts;
use memdir::engine::Memory;
use memdir::limits;
use memdir::model::tools::CallLimit;
use memdir::model::{
    CallLimits, Cancel, ChatRole, ContentBlock, ModelError, Reply, Request, SharedModel, StopReason, Usage,
};
use memdir::settings::Selector;
use memdir::store::history::Actor;

use super::conversation::ChatHistory;
use super::keys::Keys;
use super::learner::{LearnJob, Learner};
use super::notes_schedule::NotesSchedule;
use super::preamble::{Preamble, preamble, reminder};
use super::prefetch::{Prefetch, PrefetchQuery};
use super::screen::ChatScreen;
use super::session::ChatSession;
use super::tools::ToolRunner;
use super::transcript::{ReplyExtras, Transcript, UserLine};
use crate::env;
use crate::failure::Failure;

/// How a turn ended.
pub(super) enum TurnOutcome {
    /// The model has answered.
    Done,
    /// The person stopped it.
    Stopped,
    /// The model gave no answer.
    Failed(ModelError),
}

/// A conversation with a model, and all that belongs to it.
pub(super) struct Chat<'k> {
    pub(super) session: Arc<ChatSession>,
    pub(super) keys: &'k Keys,
    pub(super) model: Option<SharedModel>,
    pub(super) preamble: Preamble,
    pub(super) talk: ChatHistory,
    pub(super) transcript: Transcript,
    learner: Option<Learner>,
    pub(super) prefetch: Option<Prefetch>,
    /// The day the model was told of.
    pub(super) day: Option<String>,
    /// Turns since something was learned.
    turns: u64,
    /// How the conversation has grown since its notes were written.
    pub(super) notes_schedule: NotesSchedule,
}

impl<'k> Chat<'k> {
    /// A new conversation, or one that goes on.
    pub(super) fn open(
        chat_session: &Arc<ChatSession>,
        model: Option<SharedModel>,
        keys: &'k Keys,
    ) -> Result<Chat<'k>, Failure> {
        let memory = chat_session.open()?;
        let mut transcript = transcript(chat_session, &memory)?;
        let talk = if chat_session.resumed { transcript.resume()? } else { ChatHistory::default() };
        let learner = model.clone().map(|model| Learner::new(chat_session, model, keys.sender()));
        let mut chat = Chat {
            session: Arc::clone(chat_session),
            keys,
            model,
            preamble: preamble(&memory)?,
            talk,
            transcript,
            learner,
            prefetch: None,
            day: None,
            turns: 0,
            notes_schedule: NotesSchedule::default(),
        };
        chat.answer_open_calls(&memory, "Not done: the session ended before.")?;
        Ok(chat)
    }

    pub(super) fn learner(&self) -> Option<&Learner> {
        self.learner.as_ref()
    }

    /// Whether anything was said.
    pub(super) fn is_begun(&self) -> bool {
        !self.talk.is_empty()
    }

    /// One turn.
    pub(super) fn turn(&mut self, text: &str, screen: &mut ChatScreen<'_>) -> Result<TurnOutcome, Failure> {
        let Some(model) = self.model.clone() else { return Ok(TurnOutcome::Stopped) };
        let cancel = Cancel::default();
        self.keys.stops(cancel.clone());
        // What was looked for in the last turn and came too late for it.
        let late = self.prefetch.take();
        let (tools, files) = self.talk.used();
        let memory = self.session.open()?;
        let by_model = memory.settings.recall_selector == Selector::Model;
        let chooser = self.model.clone().filter(|_| by_model).map(|model| (model, cancel.clone()));
        let prefetch = Prefetch::start(&self.session, PrefetchQuery { query: text.to_owned(), tools, files, chooser });
        self.begin(&memory)?;
        self.user(&memory, text, UserLine::Typed)?;
        if let Some(late) = late {
            self.remind(&memory, &late, screen)?;
        }
        self.prefetch = Some(prefetch);
        let message = self.talk.ends().last().cloned();
        let by_model = if self.preamble.has_memory_tool() { Some(self.session.open()?) } else { None };
        let tool_runner =
            ToolRunner::new(&memory, self.session.signature(Actor::Agent, message), self.session.interactive)
                .with_memory_tool(by_model);
        let mut usage = Usage::default();
        let mut ended = TurnOutcome::Done;
        for step in 1.. {
            if let Some(prefetch) = self.prefetch.take()
                && !self.remind(&memory, &prefetch, screen)?
            {
                self.prefetch = Some(prefetch);
            }
            let call = CallLimits { timeout: Duration::from_secs(limits::CHAT_SECONDS), cancel: cancel.clone() };
            let reply = model.ask(&self.request(), &call, &mut |piece| screen.text(piece));
            screen.end_line()?;
            let reply = match reply {
                Ok(reply) => reply,
                Err(ModelError::Cancelled) => {
                    ended = TurnOutcome::Stopped;
                    break;
                }
                Err(error) => {
                    ended = TurnOutcome::Failed(error);
                    break;
                }
            };
            usage.add(reply.usage);
            self.hear(&memory, &model.name(), reply, screen)?;
            if self.talk.open_calls().is_empty() {
                break;
            }
            self.use_tools(&memory, &tool_runner, &cancel, screen)?;
            if cancel.is_cancelled() {
                ended = TurnOutcome::Stopped;
                break;
            }
            if step >= limits::CHAT_STEPS {
                screen.note(&format!("stopped after {step} steps; say \"go on\" if it should"));
                break;
            }
        }
        if usage.total() > 0 {
            screen.usage(usage);
        }
        if matches!(ended, TurnOutcome::Done) {
            self.learn(&memory);
        }
        Ok(ended)
    }

    /// Everything that is sent.
    pub(super) fn request(&self) -> Request {
        Request {
            system: self.preamble.system.clone(),
            tools: self.preamble.tools.clone(),
            messages: self.talk.messages().to_vec(),
            max_output_tokens: limits::CHAT_TOKENS,
            schema: None,
        }
    }

    /// What comes before the person's words: the context of a session, the day.
    pub(super) fn begin(&mut self, memory: &Memory) -> Result<(), Failure> {
        if self.talk.is_empty()
            && let Some(context) = self.preamble.context.clone()
        {
            self.user(memory, &context, UserLine::Meta)?;
        }
        let day = memory.now.strftime("%A, %Y-%m-%d").to_string();
        if self.day.as_ref() != Some(&day) {
            let mut prompts = Prompts::with_own(env::own_texts(memory));
            let said = prompts.phrase("today", &[("date", &day)]).map_err(|error| Failure::Fault(error.to_string()))?;
            self.user(memory, &reminder(&said), UserLine::Meta)?;
            self.day = Some(day);
        }
        Ok(())
    }

    pub(super) fn user(&mut self, memory: &Memory, text: &str, kind: UserLine) -> Result<(), Failure> {
        let id = self.transcript.user(text, kind, memory.now.timestamp())?;
        self.talk.push(ChatRole::User, ContentBlock::Text { text: text.to_owned() }, &id);
        Ok(())
    }

    /// Puts memories beside the message; says whether they were there by now.
    fn remind(&mut self, memory: &Memory, prefetch: &Prefetch, screen: &mut ChatScreen<'_>) -> Result<bool, Failure> {
        let Some(recalled) = prefetch.take() else { return Ok(false) };
        screen.recalled(&recalled);
        self.user(memory, &recalled.reminder, UserLine::Meta)?;
        Ok(true)
    }

    /// Takes in an answer.
    fn hear(&mut self, memory: &Memory, model: &str, reply: Reply, screen: &mut ChatScreen<'_>) -> Result<(), Failure> {
        let stop = match reply.stop {
            StopReason::Done => "end_turn",
            StopReason::Tools => "tool_use",
            StopReason::Length => "max_tokens",
            StopReason::Refusal => "refusal",
        };
        let mut content = reply.content;
        if reply.stop == StopReason::Length {
            screen.note("the answer is cut off: it reached the model's limit");
            // What it wanted to call may be cut off in the middle.
            content.retain(|block| !matches!(block, ContentBlock::ToolUse { .. }));
        }
        content.retain(|block| !matches!(block, ContentBlock::Text { text } if text.is_empty()));
        let said = ReplyExtras { model, stop, usage: reply.usage };
        let ids = self.transcript.answer(&content, &said, memory.now.timestamp())?;
        for (block, id) in content.into_iter().zip(ids) {
            self.talk.push(ChatRole::Assistant, block, &id);
        }
        Ok(())
    }

    /// Answers every tool call, also those that are not made any more.
    fn use_tools(
        &mut self,
        memory: &Memory,
        tool_runner: &ToolRunner<'_>,
        cancel: &Cancel,
        screen: &mut ChatScreen<'_>,
    ) -> Result<(), Failure> {
        let until = Instant::now() + Duration::from_secs(limits::CHAT_SECONDS);
        let patience = CallLimit { cancel: cancel.clone(), until };
        let last = self.talk.messages().last().map(|last| last.content.clone()).unwrap_or_default();
        let calls = last.into_iter().filter_map(|block| match block {
            ContentBlock::ToolUse { id, name, input } => Some((id, name, input)),
            _ => None,
        });
        for (at, (id, name, input)) in calls.enumerate() {
            let (content, is_error) = if cancel.is_cancelled() {
                ("Not done: the user stopped it.".to_owned(), true)
            } else if at >= limits::TOOL_CALLS {
                (format!("Not done: at most {} calls are made at once.", limits::TOOL_CALLS), true)
            } else {
                screen.tool(&name, &input);
                let done = tool_runner.call(&name, &input, &patience, screen);
                screen.result(&name, &done.text, done.is_error);
                (done.text, done.is_error)
            };
            self.result(memory, ContentBlock::ToolResult { tool_use_id: id, content, is_error })?;
        }
        Ok(())
    }

    fn result(&mut self, memory: &Memory, block: ContentBlock) -> Result<(), Failure> {
        let id = self.transcript.result(&block, memory.now.timestamp())?;
        self.talk.push(ChatRole::User, block, &id);
        Ok(())
    }

    /// A provider takes no conversation in which a call was left without an answer.
    fn answer_open_calls(&mut self, memory: &Memory, why: &str) -> Result<(), Failure> {
        for id in self.talk.open_calls() {
            let block = ContentBlock::ToolResult { tool_use_id: id, content: why.to_owned(), is_error: true };
            self.result(memory, block)?;
        }
        Ok(())
    }

    /// Hands the turn over to be learned from (X1), and to be noted (S2).
    fn learn(&mut self, memory: &Memory) {
        let Some(learner) = &self.learner else { return };
        self.turns += 1;
        if self.talk.messages().last().is_none_or(|last| last.role != ChatRole::Assistant) {
            return;
        }
        let gate = memory.learn().gate(self.session.interactive).is_ok();
        let learn = gate && self.turns >= memory.settings.extract_every_turns;
        let notes = memory.place.enabled && self.notes_schedule.is_due(&self.talk, &memory.settings);
        if learn {
            self.turns = 0;
        }
        if learn || notes {
            let (parent, ends) = (self.request(), self.talk.ends().to_vec());
            learner.offer(LearnJob { parent, ends, session: self.session.id(), learn, notes });
        }
    }

    /// `/clear`: another session, with nothing said and nothing shown yet (R8).
    pub(super) fn clear(&mut self) -> Result<(), Failure> {
        self.session.open()?.sessions().reset(&self.session.id())?;
        self.session.begin_anew()?;
        let memory = self.session.open()?;
        self.transcript = transcript(&self.session, &memory)?;
        self.preamble = preamble(&memory)?;
        (self.talk, self.prefetch, self.day, self.turns) = (ChatHistory::default(), None, None, 0);
        self.notes_schedule = NotesSchedule::default();
        Ok(())
    }
}

fn transcript(chat_session: &ChatSession, memory: &Memory) -> Result<Transcript, Failure> {
    let dir = memory.place.project_dir().map_err(memdir::engine::Error::from)?;
    Ok(Transcript::new(&dir, &chat_session.id(), &memory.place.project.cwd, chat_session.interactive))
}
