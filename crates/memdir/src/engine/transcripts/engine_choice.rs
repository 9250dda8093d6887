//! Which engine learns from a conversation: a model on a copy of memory, or the built-in one.
//!
//! Enters: a stretch of a conversation. Leaves: what was saved, turned down and denied, and what it cost. What is asked of
//! memory itself ("remember …", "forget …") is done first, by rule, whichever engine learns. A model that is not there, has spent its
//! day or gives no answer is not waited for: the built-in engine takes over, for the rest of the run, and the reason has a name.

use std::fmt::Write as _;
use std::sync::Arc;

use super::LearningUsage;
use crate::engine::proposal::FileEffect;
use crate::engine::{
    Conversation, Effect, Error, Extracted, Landing, LearnRequest, Learned, Learning, Memory, Proposed, SavedMemory,
    Signature,
};
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_guard::secrets;
use memdir_guard::shown::for_model;
use memdir_hosts::transcript::{Message, Origin, Role};
use memdir_model::command::Runner;
use memdir_model::tools::Shell;
use memdir_model::{self as model, Cancel, SharedModel};
use memdir_store::history::{Actor, ChangeId};
use memdir_store::topic::Topic;

/// Why a stretch was not looked at to its end: somebody stopped the run. It is looked at again.
pub(super) const STOPPED: &str = "stopped";

/// What a model needs from whoever calls.
pub struct ModelEnvironment<'h> {
    /// Runs its read-only commands.
    pub shell: &'h dyn Shell,
    /// Stops it from outside.
    pub cancel: Cancel,
    /// The user's own texts in place of ours, by name.
    pub own_texts: &'h [(String, String)],
    /// Starts an agent of the command line, where that is what thinks.
    pub runner: Option<Arc<dyn Runner>>,
}

/// Which engine learns: a model, or the built-in one and why.
pub struct EngineChoice<'l> {
    model: Option<(SharedModel, ModelEnvironment<'l>)>,
    reason: Option<String>,
}

impl<'l> EngineChoice<'l> {
    /// The built-in engine, for a reason with a name.
    pub fn offline(reason: impl Into<String>) -> EngineChoice<'l> {
        EngineChoice { model: None, reason: Some(reason.into()) }
    }

    /// Why the built-in engine learns; `None` while a model does.
    pub fn reason(&self) -> Option<&str> {
        self.reason.as_deref()
    }

    /// Whether a model learns.
    pub(super) fn thinks(&self) -> bool {
        self.model.is_some()
    }

    /// The built-in engine takes over.
    fn give_up(&mut self, reason: String) {
        self.model = None;
        self.reason = Some(reason);
    }
}

impl Learning<'_> {
    /// Which engine learns now: the model that the user agreed to, where it can be asked; else the built-in engine, and why.
    pub fn choose_engine<'l>(&self, environment: ModelEnvironment<'l>) -> EngineChoice<'l> {
        // A model writes topics; the log is appended to by rule, and a model distils it when memory is dreamt.
        if self.memory.keeps_log() {
            return EngineChoice::offline("mode:log");
        }
        match self.memory.models().get(environment.runner.clone()) {
            Ok(model) => EngineChoice { model: Some((model, environment)), reason: None },
            Err(status) => EngineChoice::offline(status.reason),
        }
    }
}

impl Memory {
    /// Learns from one stretch.
    pub(super) fn learn_stretch(
        &self,
        engine: &mut EngineChoice<'_>,
        conversation: &Conversation<'_>,
        landing: Landing,
        act: ChangeId,
    ) -> Result<(Extracted, Option<LearningUsage>), Error> {
        let Some((model, environment)) = &engine.model else {
            return Ok((self.learn().extract(conversation, landing)?, None));
        };
        let mut done = self.grant_wishes(conversation, landing)?;
        let Some(open) = self.left_to_judge(conversation)? else { return Ok((done, None)) };
        let learned = self.ask(model, environment, conversation, &open, act)?;
        let usage = learned.run.as_ref().map(|run| LearningUsage {
            input: run.usage.input,
            output: run.usage.output,
            cache_read: run.usage.cache_read,
            cache_write: run.usage.cache_write,
            hit_percent: run.hit_percent,
        });
        if learned.is_done() {
            self.take_over(&learned, &mut done)?;
            return Ok((done, usage));
        }
        if environment.cancel.is_cancelled() {
            (done.skipped, done.messages) = (Some(STOPPED), 0);
            return Ok((done, usage));
        }
        let ended = learned.run.as_ref().map_or("failed", |run| run.ended);
        let why = learned.error.as_deref().map_or_else(String::new, |error| format!(": {error}"));
        engine.give_up(format!("model-{ended}{why}"));
        // What was asked of memory is done; the signature of it keeps it from being done twice.
        let mut all = self.learn().extract(conversation, landing)?;
        all.saved.splice(0..0, done.saved);
        all.waiting.splice(0..0, done.waiting);
        all.skipped = None;
        Ok((all, usage))
    }

    fn ask(
        &self,
        model: &SharedModel,
        environment: &ModelEnvironment<'_>,
        conversation: &Conversation<'_>,
        open: &[Message],
        act: ChangeId,
    ) -> Result<Learned, Error> {
        let new_messages = model_messages(&[], open).len();
        let messages = model_messages(conversation.earlier, open);
        let parent = self.fresh_parent(messages, environment.own_texts)?;
        let grounds = self.grounds(&Conversation { messages: open, ..*conversation }, &parent);
        let message = conversation.messages.last().map(|message| message.id.clone());
        let session = conversation.session.map(str::to_owned);
        let learn = LearnRequest {
            shares_prefix: false,
            cancel: environment.cancel.clone(),
            own_texts: environment.own_texts,
            grounds: Some(Arc::new(grounds)),
            group: Some(act),
            ..LearnRequest::from_turn(
                &**model,
                &parent,
                new_messages,
                environment.shell,
                Signature { actor: Actor::Extract, session, message },
            )
        };
        self.learn().run(&learn, &mut |_| {})
    }

    /// The result of a model's run, in the words of the built-in engine.
    fn take_over(&self, learned: &Learned, done: &mut Extracted) -> Result<(), Error> {
        let Some(run) = &learned.run else { return Ok(()) };
        done.skipped = None;
        let store = self.writable(Scope::Private)?;
        for (file, effect) in &run.landed.files {
            let path = RelPath::parse(file)?;
            let topic = store.root().read(&path)?.map(Topic::parse);
            done.saved.push(SavedMemory {
                renamed_from: None,
                file: file.clone(),
                action: effect_of(*effect),
                kind: topic.as_ref().and_then(Topic::kind),
                scope: if path.in_team() { Scope::Team } else { Scope::Private },
                change: run.landed.change.clone(),
            });
        }
        for id in &learned.waiting {
            let proposal = self.inbox().get(id)?;
            for file in &proposal.files {
                let topic = Topic::parse(file.after.clone().unwrap_or_default().into_bytes());
                let effect = match (&file.before, &file.after) {
                    (None, _) => Effect::Created,
                    (_, None) => Effect::Deleted,
                    _ => Effect::Updated,
                };
                done.waiting.push(Proposed {
                    id: Some(id.clone()),
                    action: effect,
                    file: Some(file.file.clone()),
                    kind: topic.kind(),
                    scope: if file.file.starts_with("team/") { Scope::Team } else { Scope::Private },
                    name: topic.name().map(String::from).unwrap_or_default(),
                    description: topic.description().map(String::from).unwrap_or_default(),
                    body: topic.body().into_owned(),
                    message: proposal.message.clone(),
                });
            }
        }
        done.turned_down.extend(run.rejected.iter().cloned());
        done.denied.extend(run.denied.iter().cloned());
        Ok(())
    }
}

fn effect_of(effect: FileEffect) -> Effect {
    match effect {
        FileEffect::Created => Effect::Created,
        FileEffect::Updated => Effect::Updated,
        FileEffect::Removed => Effect::Deleted,
    }
}

/// A conversation as a model is told of it: long texts cut, secrets too, what hosts put in left out.
pub(in crate::engine) fn model_messages(earlier: &[Message], messages: &[Message]) -> Vec<model::ChatMessage> {
    let mut found: Vec<model::ChatMessage> = Vec::new();
    let mut say = |role: model::ChatRole, text: &str| {
        let text = text.trim().to_owned();
        match found.last_mut() {
            _ if text.is_empty() => {}
            Some(last) if last.role == role => last.content.push(model::ContentBlock::Text { text }),
            None if role == model::ChatRole::Assistant => {
                found.push(model::ChatMessage::user("(An earlier part of the conversation is left out.)"));
                found.push(model::ChatMessage { role, content: vec![model::ContentBlock::Text { text }] });
            }
            _ => found.push(model::ChatMessage { role, content: vec![model::ContentBlock::Text { text }] }),
        }
    };
    for message in earlier.iter().chain(messages).filter(|message| message.origin == Origin::Own) {
        match message.role {
            Role::User => say(model::ChatRole::User, &secrets::screen(&message.text).text),
            Role::Assistant => {
                let mut text = secrets::screen(&message.text).text;
                text.truncate(text.floor_char_boundary(limits::EXTRACT_ANSWER_BYTES));
                for used in &message.tool_uses {
                    // Writing into a String does not fail.
                    let _ = write!(text, "\n[calls {}]", used.name);
                }
                say(model::ChatRole::Assistant, &text);
            }
            // Nobody said it: the model must be able to see that.
            Role::Tool => {
                let (mut result, _) = secrets::redact(&message.text);
                result.truncate(result.floor_char_boundary(limits::EXTRACT_TOOL_BYTES));
                say(model::ChatRole::User, &format!("<tool-result>\n{}\n</tool-result>", for_model(&result)));
            }
        }
    }
    found
}
