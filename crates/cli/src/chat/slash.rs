//! Commands that begin with `/`: the same verbs as on the command line, by hand, without a model.

use std::ops::ControlFlow;

use memdir::engine::DreamRequest;

use super::screen::ChatScreen;
use super::turn::{Chat, TurnOutcome};
use crate::args;
use crate::commands::{dream, forget, history, list, remember};
use crate::failure::Failure;

/// Each command with what it does, for `/help`.
const COMMANDS: &[(&str, &str)] = &[
    ("/remember TEXT", "save a memory now"),
    ("/forget FILE or WORDS", "archive a memory; /undo brings it back"),
    ("/memory", "list all memories"),
    ("/undo", "take back the last change of memory"),
    ("/dream", "consolidate memory"),
    ("/compact", "go on from a summary of this conversation"),
    ("/clear", "begin a new conversation"),
    ("/help", "this list"),
    ("/quit", "leave; so does Ctrl-D"),
];

/// Runs a command; `Break` when the person leaves.
pub(super) fn run(chat: &mut Chat<'_>, line: &str, screen: &mut ChatScreen<'_>) -> Result<ControlFlow<()>, Failure> {
    let (name, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(name, rest)| (name, rest.trim()));
    let done = match name {
        "/quit" | "/exit" => return Ok(ControlFlow::Break(())),
        "/help" => {
            for (command, what) in COMMANDS {
                screen.say(&format!("  {command:<24} {what}"));
            }
            Ok(())
        }
        "/remember" if rest.is_empty() => Err(Failure::refused("say what: /remember TEXT")),
        "/remember" => chat.session.open().and_then(|memory| {
            let (text, none) = (vec![rest.to_owned()], None);
            let wanted = args::RememberArgs {
                batch: None,
                text,
                kind: None,
                name: none,
                description: None,
                why: None,
                apply: None,
                scope: None,
                agent: None,
                agent_scope: args::AgentScopeArg::User,
            };
            remember::run(&memory, wanted, screen.ui)
        }),
        "/forget" if rest.is_empty() => Err(Failure::refused("say which: /forget FILE or WORDS")),
        "/forget" => chat.session.open().and_then(|memory| forget::run(&memory, rest, screen.ui)),
        "/memory" => chat.session.open().and_then(|memory| list::run(&memory, None, None, screen.ui)),
        "/undo" => {
            let change = (!rest.is_empty()).then_some(rest);
            chat.session.open().and_then(|memory| history::run_undo(&memory, change, screen.ui))
        }
        "/dream" => chat.session.open().and_then(|memory| {
            let request = DreamRequest { force: true, ..DreamRequest::default() };
            dream::run(&memory, &request, screen.ui)
        }),
        "/compact" => chat.compact(screen).map(|ended| match ended {
            TurnOutcome::Done => {}
            TurnOutcome::Stopped => screen.note("stopped; the conversation stays as it is"),
            TurnOutcome::Failed(error) => screen.complain(&error.to_string()),
        }),
        "/clear" => chat.clear().map(|()| screen.note("a new conversation")),
        other => Err(Failure::refused(format!("there is no {other}; /help lists the commands"))),
    };
    match done {
        Ok(()) | Err(Failure::Answered) => Ok(ControlFlow::Continue(())),
        Err(Failure::PipeClosed) => Err(Failure::PipeClosed),
        Err(Failure::Refused(why) | Failure::Fault(why)) => {
            screen.complain(&why);
            Ok(ControlFlow::Continue(()))
        }
    }
}
