//! Which memory is meant: one way to name it for every command.
//!
//! Enters: the words of an argument. Leaves: the name of one memory that nothing else fits. What only comes near is read at
//! once where it is the only one; before it is changed a person is asked, and without one the command ends and says the exact
//! names.

use memdir::engine::{Error, Memory, PossibleMemory};
use memdir::kind::Scope;

use crate::failure::Failure;
use crate::ui::{Style, Ui, clip, safe};

/// This many choices fit on a screen.
const CHOICES: usize = 9;

/// The memory to print: the only one that fits is good enough.
pub(super) fn to_read(memory: &Memory, words: &[String], ui: &mut Ui) -> Result<String, Failure> {
    match look_up(memory, &words.join(" "))? {
        Found::Exactly(name) => Ok(name),
        Found::Near(near, error) => match near.as_slice() {
            [only] if !is_slip(&error) => {
                ui.say(format!("{} is the only one that fits", safe(&only.name)));
                Ok(only.name.clone())
            }
            _ => chosen(&near, error, ui),
        },
    }
}

/// The memory to change: one that is not named exactly needs a yes.
pub(super) fn to_change(memory: &Memory, words: &[String], ui: &mut Ui) -> Result<String, Failure> {
    match look_up(memory, &words.join(" "))? {
        Found::Exactly(name) => Ok(name),
        Found::Near(near, error) => chosen(&near, error, ui),
    }
}

/// What a name leads to.
enum Found {
    /// One memory, be it there or only in the history.
    Exactly(String),
    /// Those that come near, and what is said where nobody chooses.
    Near(Vec<PossibleMemory>, Error),
}

fn look_up(memory: &Memory, typed: &str) -> Result<Found, Failure> {
    if typed.trim().is_empty() {
        return Err(Failure::refused("which memory? The name is empty; `memdir list` shows what there is"));
    }
    match memory.files().find(typed) {
        Ok(found) if found.scope == Scope::User => Ok(Found::Exactly(format!("user:{}", found.file))),
        Ok(found) => Ok(Found::Exactly(found.file.to_string())),
        Err(Error::Unknown(_) | Error::NotExactly { .. }) if memory.history().knows(typed)? => {
            Ok(Found::Exactly(typed.to_owned()))
        }
        Err(error) => match &error {
            Error::NotExactly { near, .. } => Ok(Found::Near(near.clone(), error)),
            _ => Err(error.into()),
        },
    }
}

fn is_slip(error: &Error) -> bool {
    matches!(error, Error::NotExactly { misspelled: true, .. })
}

fn chosen(near: &[PossibleMemory], error: Error, ui: &mut Ui) -> Result<String, Failure> {
    if let ([only], true, false) = (near, ui.yes, is_slip(&error)) {
        return Ok(only.name.clone());
    }
    if !ui.interactive() || near.len() > CHOICES {
        return Err(error.into());
    }
    if let [only] = near {
        let question = format!("Do you mean {} ({})?", safe(&only.name), clip(&only.title, 60));
        return if ui.ask(&question)? { Ok(only.name.clone()) } else { Err(Failure::refused("nothing was done")) };
    }
    for (at, one) in near.iter().enumerate() {
        let title = ui.paint(Style::Dim, &clip(&one.title, 60));
        ui.say(format!("  {}  {}  {title}", at + 1, safe(&one.name)));
    }
    let picked = ui.pick("Which one?", near.len())?;
    picked.map(|at| near[at].name.clone()).ok_or_else(|| Failure::refused("nothing was done"))
}
