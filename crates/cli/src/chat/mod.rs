//! `memdir chat`: a small agent on the command line, built on the library's own parts.
//!
//! Enters: what a person types, or one prompt (`-p`). Leaves: answers as they are said, a transcript,
//! and memories that were learned on the way. Everything that makes it an agent with memory is the
//! library's: context, recall, tools, the forked agent. Without a model it explains itself and still
//! keeps memory by hand.
//!
//! - `session`: how memory is opened, and which session it is.
//! - `conversation`, `transcript`: what was said, and the file it is kept in.
//! - `compact`, `notes_schedule`: going on from a summary and notes; when notes are due.
//! - `turn`: one turn: recall, answer, tools, until nothing is left to do.
//! - `preamble`: what comes before a conversation. `tools`: the six tools on the real project.
//! - `prefetch`, `learner`: recall beside the answer, learning after it.
//! - `keys`, `screen`: what is typed, what is shown. `slash`: commands that begin with `/`.

mod compact;
mod conversation;
mod keys;
mod learner;
mod notes_schedule;
mod preamble;
mod prefetch;
mod screen;
mod session;
mod slash;
mod tools;
mod transcript;
mod turn;

use std::sync::Arc;
use std::time::Duration;

use memdir::limits;
use memdir::model::SharedModel;
use memdir::model::command::Runner;

use crate::args::{self, Global};
use crate::commands::CommandResult;
use crate::failure::Failure;
use crate::hint;
use crate::runner::Processes;
use crate::ui::Ui;
use keys::{KeyEvent, Keys};
use screen::ChatScreen;
use session::ChatSession;
use turn::{Chat, TurnOutcome};

/// Talks, once or until somebody leaves.
pub(crate) fn run(global: Global, args: args::ChatArgs, ui: &mut Ui) -> CommandResult {
    let chat_session = Arc::new(ChatSession::new(global, args.model, args.resume.as_deref(), args.prompt.is_none())?);
    let model = model(&chat_session)?;
    match args.prompt {
        Some(prompt) => once(&chat_session, model, crate::commands::remember::text_or_stdin(prompt)?, ui),
        None => talk(&chat_session, model, ui),
    }
}

/// The model that answers, or why there is none. An agent of the command line is no model that takes our tools.
fn model(chat_session: &ChatSession) -> Result<Result<SharedModel, String>, Failure> {
    let memory = chat_session.open()?;
    let runner = Some(Arc::new(Processes) as Arc<dyn Runner>);
    Ok(match memory.models().get(runner) {
        Ok(_) if !memory.models().is_quick() => Err("your agent on the command line is a chat of its own; \
             `memdir chat` needs a model it can give tools to: set ANTHROPIC_API_KEY or OPENAI_API_KEY"
            .to_owned()),
        Ok(model) => Ok(model),
        Err(status) => Err(hint::with_command(&status.reason_text, status.hint().as_ref())),
    })
}

/// What somebody reads who has no model.
fn explain(why: &str) -> String {
    format!(
        "chat has no model to talk to: {why}.\n\
         To use one, set ANTHROPIC_API_KEY (or OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own) \
         and say yes once: `memdir settings model.consent true`\n\
         Memory works without it: /remember /memory /forget /undo here, or memdir remember, list, recall."
    )
}

/// `-p`: one turn, then what was learned is waited for (X9).
fn once(
    chat_session: &Arc<ChatSession>,
    model: Result<SharedModel, String>,
    prompt: String,
    ui: &mut Ui,
) -> CommandResult {
    let model = model.map_err(|why| Failure::refused(explain(&why)))?;
    if prompt.trim().is_empty() {
        return Err(Failure::refused("there is nothing to say: the prompt is empty"));
    }
    let keys = Keys::closed();
    let mut screen = ChatScreen::new(ui, false);
    let mut chat = Chat::open(chat_session, Some(model), &keys)?;
    let ended = chat.turn(&prompt, &mut screen);
    drain(&mut chat, &keys, &mut screen);
    match ended? {
        TurnOutcome::Done | TurnOutcome::Stopped => {
            screen.ended(Some(&chat_session.id()));
            Ok(())
        }
        TurnOutcome::Failed(error) => Err(failure(&error)),
    }
}

/// A person's own fault (a wrong key) is a refusal, everything else a fault of the way there.
fn failure(error: &memdir::model::ModelError) -> Failure {
    use memdir::model::ModelError;
    match error {
        ModelError::Refused { .. } | ModelError::NotConfigured(_) | ModelError::Spent { .. } => {
            Failure::refused(error.to_string())
        }
        other => Failure::Fault(other.to_string()),
    }
}

/// The conversation with a person.
fn talk(chat_session: &Arc<ChatSession>, model: Result<SharedModel, String>, ui: &mut Ui) -> CommandResult {
    let keys = Keys::open();
    keys.answer_for(ui);
    let mut screen = ChatScreen::new(ui, keys.is_terminal());
    let (model, why) = match model {
        Ok(model) => (Some(model), None),
        Err(why) => (None, Some(why)),
    };
    screen.welcome(chat_session, model.as_deref().map(memdir::model::Model::name).as_deref());
    if let Some(why) = &why {
        screen.say(&explain(why));
    }
    let memory = chat_session.open()?;
    if !memory.place.enabled {
        screen.note(&format!("memory is off: {}", memory.place.enabled_rule.sentence()));
    }
    let mut chat = Chat::open(chat_session, model, &keys)?;
    let mut pressed = false;
    let mut typed = String::new();
    screen.prompt(false);
    while let Some(event) = keys.next() {
        match event {
            KeyEvent::Learned(learned) => {
                if screen.learned(&learned, true) {
                    screen.prompt(!typed.is_empty());
                }
                continue;
            }
            KeyEvent::Interrupt if pressed => {
                screen.leave_line();
                break;
            }
            KeyEvent::Interrupt => {
                pressed = true;
                typed.clear();
                screen.leave_line();
                screen.note("Ctrl-C again, or /quit, to leave");
            }
            KeyEvent::Line(line) => {
                pressed = false;
                // A line that ends in a backslash goes on in the next.
                if let Some(begun) = line.strip_suffix('\\') {
                    typed.push_str(begun);
                    typed.push('\n');
                    screen.prompt(true);
                    continue;
                }
                let line = std::mem::take(&mut typed) + &line;
                let line = line.trim();
                if line.starts_with('/') {
                    if slash::run(&mut chat, line, &mut screen)?.is_break() {
                        break;
                    }
                } else if !line.is_empty() {
                    say(&mut chat, line, why.as_deref(), &mut screen)?;
                    // What stopped the turn has done its work; once more is the second time.
                    pressed = keys.was_interrupted();
                }
            }
        }
        screen.prompt(false);
    }
    drain(&mut chat, &keys, &mut screen);
    screen.ended(chat.is_begun().then(|| chat_session.id()).as_deref());
    Ok(())
}

fn say(chat: &mut Chat<'_>, line: &str, why: Option<&str>, screen: &mut ChatScreen<'_>) -> Result<(), Failure> {
    if let Some(why) = why {
        screen.note(&format!("no model answers ({why}); /help lists what works without one"));
        return Ok(());
    }
    match chat.turn(line, screen) {
        Ok(TurnOutcome::Done) | Err(Failure::Answered) => {}
        Ok(TurnOutcome::Stopped) => screen.note("stopped"),
        Ok(TurnOutcome::Failed(error)) => screen.complain(&error.to_string()),
        // Nobody listens any more.
        Err(Failure::PipeClosed) => return Err(Failure::PipeClosed),
        Err(Failure::Refused(error) | Failure::Fault(error)) => screen.complain(&error),
    }
    Ok(())
}

/// Waits for what is being learned (X9). Ctrl-C ends the waiting and the learning.
fn drain(chat: &mut Chat<'_>, keys: &Keys, screen: &mut ChatScreen<'_>) {
    let Some(learner) = chat.learner() else { return };
    keys.stops(learner.cancel());
    if learner.is_busy() && keys.is_terminal() {
        screen.note("finishing what is being learned; Ctrl-C stops it");
    }
    learner.drain(Duration::from_secs(limits::DRAIN_SECONDS));
    for learned in keys.learned() {
        screen.learned(&learned, false);
    }
}
