//! Carries out actions: the only part of the list that touches memory.
//!
//! Enters: an action. Leaves: an update. Memory is opened again for each action, so that every answer is about
//! the present; what is refused is said and nothing ends.

use memdir::engine::{Error, Memory, Proposal};
use memdir::kind::Type;
use memdir::store::topic::Topic;

use super::page::TextPage;
use super::rows::{age, rows};
use super::state::{BrowseAction, Update, WaitingProposal};
use crate::args::Global;
use crate::failure::Failure;
use crate::ui::{Ui, counted};
use crate::{commands, env};

/// Does what can be done without leaving the screen; an edit needs the terminal back first.
pub(super) fn perform(action: BrowseAction, global: &Global, ui: &mut Ui) -> Option<Update> {
    let done = env::open(global).and_then(|memory| act(&action, &memory, ui));
    match done {
        Ok(update) => update,
        Err(Failure::Refused(words) | Failure::Fault(words)) => Some(Update::Failed(words)),
        Err(Failure::Answered | Failure::PipeClosed) => None,
    }
}

/// Everything there is.
pub(super) fn all(memory: &Memory) -> Result<Update, Error> {
    let rows = rows(&memory.files().list()?);
    // What cannot be read in the inbox keeps nobody from reading memories.
    let waiting = memory.inbox().list().unwrap_or_default().iter().map(waiting).collect();
    Ok(Update::All { rows, waiting })
}

fn act(action: &BrowseAction, memory: &Memory, ui: &mut Ui) -> Result<Option<Update>, Failure> {
    let update = match action {
        BrowseAction::Reload => all(memory)?,
        BrowseAction::Read { handle, opened } => read(memory, handle, *opened)?,
        BrowseAction::Edit(handle) => {
            memory.history().notice()?;
            let (file, change) = commands::edit::in_editor(memory, handle, ui)?;
            env::take_in_change(memory);
            let words = if change.is_some() { format!("Changed {file}") } else { format!("{file} is as it was") };
            Update::Done { words, change }
        }
        BrowseAction::New => match commands::remember::in_editor(memory, ui)? {
            Some(done) => {
                env::take_in_change(memory);
                let words = format!("Remembered {}", done.file);
                Update::Added { words, change: done.change, handle: super::rows::handle(done.scope, &done.file) }
            }
            None => Update::Failed("nothing was written, so nothing was remembered".to_owned()),
        },
        BrowseAction::Pin(handle, pinned) => {
            let (file, change) = memory.files().set_pinned(handle, *pinned)?;
            let words = if *pinned { "pinned: only you change it" } else { "no longer pinned" };
            Update::Done { words: format!("{file} is {words}"), change }
        }
        BrowseAction::Forget(handle) => {
            let memory_ref = memory.files().find(handle)?;
            let path = memory_ref.store.root().show(&memory_ref.file);
            let done = memory.files().forget(&memory.files().meant(&path)?.memories)?;
            env::take_in_change(memory);
            Update::Done { words: format!("Forgot {}; u brings it back", done.files.join(", ")), change: done.change }
        }
        BrowseAction::LastChange => match memory.history().events(None, 1)?.first() {
            Some(event) => {
                let files = event.files.first().cloned().unwrap_or_default();
                Update::LastChange(format!("{} of {files} by {}", event.reason, event.actor))
            }
            None => Update::Failed("there is nothing to undo".to_owned()),
        },
        BrowseAction::Undo(change) => {
            let undone = memory.history().undo(change.as_deref())?;
            // A directory that was moved back is not here any more.
            if undone.change.is_some() {
                env::take_in_change(memory);
            }
            Update::Undone { words: format!("As before: {}", undone.files.join(", ")) }
        }
        BrowseAction::Accept(id) => {
            let landed = memory.inbox().accept(id)?;
            env::take_in_change(memory);
            let words = match landed.rejected.first() {
                Some(rejection) => format!("{} stays as it is: {}", rejection.file, rejection.reason),
                None => format!("Accepted; {} changed", counted(landed.files.len(), "file", "files")),
            };
            Update::Done { words, change: landed.change }
        }
        BrowseAction::Reject(id) => {
            memory.inbox().reject(id)?;
            Update::Done { words: "Dropped; nothing was changed".to_owned(), change: None }
        }
        BrowseAction::LookFor(_) | BrowseAction::Suspend | BrowseAction::Leave => return Ok(None),
    };
    Ok(Some(update))
}

fn read(memory: &Memory, handle: &str, opened: bool) -> Result<Update, Error> {
    let memory_ref = memory.files().find(handle)?;
    let bytes = memory_ref.store.root().read(&memory_ref.file)?.ok_or_else(|| Error::Unknown(handle.to_owned()))?;
    if opened {
        memory.files().note_use(&memory_ref);
    }
    let topic = Topic::parse(bytes);
    let days = memory_ref.head().and_then(|(_, written)| memory.files().age(&written));
    let kind = topic.kind().map_or("untyped", Type::as_str);
    let pinned = if topic.pinned() { " · pinned" } else { "" };
    let from =
        memory.teams().origin(memory_ref.file.as_str()).filter(|_| memory_ref.scope == memdir::kind::Scope::Team);
    let from = from.map_or_else(String::new, |origin| format!(" · from {}", origin.shown()));
    let about = format!("{kind} · {} · {}{pinned} · {}{from}", memory_ref.scope, age(days), memory_ref.file);
    let page = TextPage {
        title: memory.files().title(&memory_ref, topic.name().as_deref()),
        about,
        text: topic.body().to_string(),
        is_diff: false,
    };
    Ok(Update::Read { handle: handle.to_owned(), page, opened })
}

fn waiting(proposal: &Proposal) -> WaitingProposal {
    let files: Vec<&str> = proposal.files.iter().map(|file| file.file.as_str()).collect();
    // One file says for itself why; of many, the whole has a reason.
    let reason = match proposal.files.as_slice() {
        [only] if !only.why.is_empty() => only.why.clone(),
        _ => proposal.reason.clone(),
    };
    let created = proposal.created.strftime("%Y-%m-%d %H:%M");
    WaitingProposal {
        id: proposal.id.clone(),
        title: format!("{reason} · {}", files.join(", ")),
        page: TextPage {
            title: reason,
            about: format!("{} · {created} · {}", proposal.kind, counted(files.len(), "file", "files")),
            text: proposal.diff(),
            is_diff: true,
        },
    }
}
