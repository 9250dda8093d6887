//! Carrying out wishes: the one place of the list that touches memory.
//!
//! Enters: a wish. Leaves: news. Memory is opened for each wish anew, so that every answer is about
//! the present; what is refused is said and nothing ends.

use memdir::engine::{Error, Memory, Proposal};
use memdir::kind::Type;
use memdir::store::topic::Topic;

use super::page::Page;
use super::rows::{age, rows};
use super::state::{News, Waiting, Wish};
use crate::args::Global;
use crate::failure::Failure;
use crate::ui::{Ui, counted};
use crate::{commands, env};

/// Does what can be done without leaving the screen; an edit needs the terminal back first.
pub(super) fn grant(wish: Wish, global: &Global, ui: &mut Ui) -> Option<News> {
    let done = env::open(global).and_then(|memory| act(&wish, &memory, ui));
    match done {
        Ok(news) => news,
        Err(Failure::Refused(words) | Failure::Fault(words)) => Some(News::Failed(words)),
        Err(Failure::Answered | Failure::PipeClosed) => None,
    }
}

/// Everything there is.
pub(super) fn all(memory: &Memory) -> Result<News, Error> {
    let rows = rows(&memory.list()?);
    // What cannot be read in the inbox keeps nobody from reading memories.
    let waiting = memory.proposals().unwrap_or_default().iter().map(waiting).collect();
    Ok(News::All { rows, waiting })
}

fn act(wish: &Wish, memory: &Memory, ui: &mut Ui) -> Result<Option<News>, Failure> {
    let news = match wish {
        Wish::Reload => all(memory)?,
        Wish::Read { handle, opened } => read(memory, handle, *opened)?,
        Wish::Edit(handle) => {
            memory.notice()?;
            let (file, change) = commands::edit::in_editor(memory, handle, ui)?;
            env::take_in_change(memory);
            let words = if change.is_some() { format!("Changed {file}") } else { format!("{file} is as it was") };
            News::Done { words, change }
        }
        Wish::Pin(handle, pinned) => {
            let (file, change) = memory.set_pinned(handle, *pinned)?;
            let words = if *pinned { "pinned: only you change it" } else { "no longer pinned" };
            News::Done { words: format!("{file} is {words}"), change }
        }
        Wish::Forget(handle) => {
            let memory_ref = memory.find(handle)?;
            let path = memory_ref.store.root().show(&memory_ref.file);
            let done = memory.forget(&memory.forget_candidates(&path)?)?;
            env::take_in_change(memory);
            News::Done { words: format!("Forgot {}; u brings it back", done.files.join(", ")), change: done.change }
        }
        Wish::LastChange => match memory.history(None, 1)?.first() {
            Some(event) => {
                let files = event.files.first().cloned().unwrap_or_default();
                News::LastChange(format!("{} of {files} by {}", event.reason, event.actor))
            }
            None => News::Failed("there is nothing to undo".to_owned()),
        },
        Wish::Undo(change) => {
            let undone = memory.undo(change.as_deref())?;
            env::take_in_change(memory);
            News::Undone { words: format!("As before: {}", undone.files.join(", ")) }
        }
        Wish::Accept(id) => {
            let landed = memory.accept(id)?;
            env::take_in_change(memory);
            let words = match landed.rejected.first() {
                Some(rejection) => format!("{} stays as it is: {}", rejection.file, rejection.reason),
                None => format!("Accepted; {} changed", counted(landed.files.len(), "file", "files")),
            };
            News::Done { words, change: landed.change }
        }
        Wish::Reject(id) => {
            memory.reject(id)?;
            News::Done { words: "Dropped; nothing was changed".to_owned(), change: None }
        }
        Wish::LookFor(_) | Wish::Suspend | Wish::Leave => return Ok(None),
    };
    Ok(Some(news))
}

fn read(memory: &Memory, handle: &str, opened: bool) -> Result<News, Error> {
    let memory_ref = memory.find(handle)?;
    let bytes = memory_ref.store.root().read(&memory_ref.file)?.ok_or_else(|| Error::Unknown(handle.to_owned()))?;
    if opened {
        memory.note_use(&memory_ref);
    }
    let topic = Topic::parse(bytes);
    let days = memory_ref.head().and_then(|(_, written)| memory.age(&written));
    let kind = topic.kind().map_or("untyped", Type::as_str);
    let pinned = if topic.pinned() { " · pinned" } else { "" };
    let from = memory.origin(memory_ref.file.as_str()).filter(|_| memory_ref.scope == memdir::kind::Scope::Team);
    let from = from.map_or_else(String::new, |origin| format!(" · from {}", origin.shown()));
    let about = format!("{kind} · {} · {}{pinned} · {}{from}", memory_ref.scope, age(days), memory_ref.file);
    let page = Page {
        title: memory.title(&memory_ref, topic.name().as_deref()),
        about,
        text: topic.body().to_string(),
        is_diff: false,
    };
    Ok(News::Read { handle: handle.to_owned(), page, opened })
}

fn waiting(proposal: &Proposal) -> Waiting {
    let files: Vec<&str> = proposal.files.iter().map(|file| file.file.as_str()).collect();
    // One file says for itself why; of many, the whole has a reason.
    let reason = match proposal.files.as_slice() {
        [only] if !only.why.is_empty() => only.why.clone(),
        _ => proposal.reason.clone(),
    };
    let created = proposal.created.strftime("%Y-%m-%d %H:%M");
    Waiting {
        id: proposal.id.clone(),
        title: format!("{reason} · {}", files.join(", ")),
        page: Page {
            title: reason,
            about: format!("{} · {created} · {}", proposal.kind, counted(files.len(), "file", "files")),
            text: proposal.diff(),
            is_diff: true,
        },
    }
}
