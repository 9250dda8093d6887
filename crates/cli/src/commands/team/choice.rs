//! Whom and what of a team one wants to hear of: `mute`, `unmute`, `only`, `trust`.
//!
//! Enters: a name as it was typed. Leaves: the list with who or what it means, and a word about it; where nobody and nothing of that
//! name was seen yet, that is said.

use memdir::engine::{Memory, NamedInTeam, unlist};
use memdir::team::author::means;
use memdir::team::config::{Team, Trusted};
use serde_json::json;

use super::{CommandResult, said};
use crate::args::TeamAuthor;
use crate::failure::Failure;
use crate::ui::{Ui, safe};

pub(super) fn mute(memory: &Memory, args: &TeamAuthor, ui: &mut Ui) -> CommandResult {
    let words = ["muted; what they wrote goes with the next sync", "muted; it goes with the next sync"];
    list(memory, args, ui, words, |team| &mut team.muted)
}

pub(super) fn only(memory: &Memory, args: &TeamAuthor, ui: &mut Ui) -> CommandResult {
    let words = ["on the list; who is not on it stays outside", "on the list; what is not on it stays outside"];
    list(memory, args, ui, words, |team| &mut team.only)
}

pub(super) fn unmute(memory: &Memory, args: &TeamAuthor, ui: &mut Ui) -> CommandResult {
    let mut matched = false;
    let team = memory.teams().change(args.name.as_deref(), |team| matched = unlist(&mut team.muted, &args.author))?;
    if !matched {
        let muted = named("muted are", &team.muted).unwrap_or_else(|| "the list is empty".to_owned());
        ui.warn(format!("nobody and nothing of that name is muted; {muted}"));
        return told(ui, &team, matched, &format!("{} is as before", safe(&args.author)));
    }
    memory.teams().review(&team)?;
    told(ui, &team, matched, &format!("{} is let in again with the next sync", safe(&args.author)))
}

pub(super) fn trust(memory: &Memory, args: &TeamAuthor, key: String, ui: &mut Ui) -> CommandResult {
    let trusted = Trusted { name: args.author.clone(), key };
    let team = memory.teams().change(args.name.as_deref(), |team| team.trusted.push(trusted))?;
    memory.teams().review(&team)?;
    let matched = memory.teams().authors(&team.name)?.iter().any(|author| means(&args.author, author));
    told(ui, &team, matched, &format!("{} is known by that key", safe(&args.author)))
}

/// Puts an author or a memory on a list; the words are for either.
fn list(
    memory: &Memory,
    args: &TeamAuthor,
    ui: &mut Ui,
    [of_author, of_memory]: [&str; 2],
    of: impl Fn(&mut Team) -> &mut Vec<String>,
) -> CommandResult {
    let teams = memory.teams().list()?;
    let team = memory.teams().named(&teams, args.name.as_deref())?;
    let meant = memory.teams().meant_in(team, &args.author)?;
    let (entry, words, matched) = match meant {
        NamedInTeam::Author(name) => (name, of_author, true),
        NamedInTeam::Memory(path) => (path, of_memory, true),
        NamedInTeam::Several(names) => {
            let names: Vec<String> = names.iter().map(|name| safe(name)).collect();
            return Err(Failure::refused(format!(
                "{} may mean {}; name one of them",
                safe(&args.author),
                names.join(", ")
            )));
        }
        NamedInTeam::Nobody(authors) => {
            let known = named("known are", &authors).unwrap_or_else(|| "no sync has brought anything yet".to_owned());
            ui.warn(format!(
                "nobody of that name has written anything here yet, and no shared memory is called so; {known}"
            ));
            (args.author.trim().to_owned(), of_author, false)
        }
    };
    let team = memory.teams().change(Some(&team.name), |team| {
        let list = of(team);
        if !list.contains(&entry) {
            list.push(entry.clone());
        }
    })?;
    // What is common must be looked at again: the rules have changed.
    memory.teams().review(&team)?;
    told(ui, &team, matched, &format!("{} is {words}", safe(&entry)))
}

fn named(head: &str, names: &[String]) -> Option<String> {
    let names: Vec<String> = names.iter().map(|name| safe(name)).collect();
    (!names.is_empty()).then(|| format!("{head} {}", names.join(", ")))
}

fn told(ui: &mut Ui, team: &Team, matched: bool, words: &str) -> CommandResult {
    let document = json!({
        "team": team.name, "muted": team.muted, "only": team.only, "trusted": team.trusted, "matched": matched,
    });
    said(ui, &document, words)
}
