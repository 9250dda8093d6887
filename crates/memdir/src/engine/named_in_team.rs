//! Whom or what somebody means who wants to hear less of a team, or only some of it.
//!
//! Enters: a name as it was typed. Leaves: the author of that name, the memory of that file or title, or the only one of either whose
//! name begins so; several are named and none is chosen. Never reads the shared side: what was seen there is kept with the last sync.

use super::naming::{MatchKind, match_kind};
use super::{Error, Sharing};
use memdir_team::author::{begins, means};
use memdir_team::base::{BaseDir, Bases as _};
use memdir_team::config::Team;
use memdir_team::transport::Authorship;

/// What a name means in a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedInTeam {
    /// An author, by the name that goes on a list.
    Author(String),
    /// A memory, by its path in the team's folder.
    Memory(String),
    /// Any of these.
    Several(Vec<String>),
    /// Nobody and nothing that was seen here yet; these authors were.
    Nobody(Vec<String>),
}

impl Sharing<'_> {
    /// Whom or what a name means in a team: an author by name, address or key, else a memory by its file or title, else the only
    /// author or memory whose name begins so.
    pub fn meant_in(&self, team: &Team, typed: &str) -> Result<NamedInTeam, Error> {
        let authors = self.authors(&team.name)?;
        if authors.iter().any(|author| means(typed, author)) {
            return Ok(NamedInTeam::Author(typed.trim().to_owned()));
        }
        let typed_in_team = typed.trim().strip_prefix(&team.folder()).unwrap_or(typed.trim());
        let fits: Vec<(String, MatchKind)> = self
            .shared_memories(team)?
            .into_iter()
            .filter_map(|(path, title)| {
                let fit = match_kind(typed_in_team, &path, title.as_deref())?;
                Some((path, fit))
            })
            .collect();
        let of = |wanted: MatchKind| fits.iter().filter(move |(_, fit)| *fit == wanted).map(|(path, _)| path.clone());
        let whole: Vec<String> = of(MatchKind::Whole).collect();
        match whole.as_slice() {
            [] => {}
            [one] => return Ok(NamedInTeam::Memory(one.clone())),
            _ => return Ok(NamedInTeam::Several(whole)),
        }
        let memories: Vec<String> = of(MatchKind::Beginning).collect();
        let people: Vec<String> =
            authors.iter().filter(|author| begins(typed, author)).map(|author| author.name.clone()).collect();
        Ok(match (people.as_slice(), memories.as_slice()) {
            ([], []) => NamedInTeam::Nobody(authors.into_iter().map(|author| author.name).collect()),
            ([one], []) => NamedInTeam::Author(one.clone()),
            ([], [one]) => NamedInTeam::Memory(one.clone()),
            _ => NamedInTeam::Several(people.into_iter().chain(memories).collect()),
        })
    }

    /// Every memory that a team shares as far as it was seen here: its path in the team's folder, and its title where it is here.
    fn shared_memories(self, team: &Team) -> Result<Vec<(String, Option<String>)>, Error> {
        let base = BaseDir::at(&self.memory.team_state(&team.name)?).load()?;
        let listing = self.memory.files().list()?;
        let folder = team.folder();
        let title = |path: &str| {
            let file = format!("{folder}{path}");
            listing.memories().find(|listed| listed.file == file.as_str()).map(|listed| listed.title.into_owned())
        };
        let shared = base.files.into_keys().filter(|path| !path.ends_with("MEMORY.md"));
        let titled = shared.map(|path| {
            let title = title(&path);
            (path, title)
        });
        Ok(titled.collect())
    }
}

/// Takes what a name means off a list of authors and memories; whether there was anything.
pub fn unlist(list: &mut Vec<String>, typed: &str) -> bool {
    let meant = Authorship { name: typed.to_owned(), key: Some(typed.trim().to_owned()), verified: false };
    let whole = |entry: &String| {
        means(entry, &meant) || (is_path(entry) && match_kind(typed, entry, None) == Some(MatchKind::Whole))
    };
    let begins = |entry: &String| {
        let author = Authorship { name: entry.clone(), ..Authorship::default() };
        begins(typed, &author) || (is_path(entry) && match_kind(typed, entry, None).is_some())
    };
    let before = list.len();
    if list.iter().any(whole) {
        list.retain(|entry| !whole(entry));
    } else if list.iter().filter(|entry| begins(entry)).count() == 1 {
        list.retain(|entry| !begins(entry));
    }
    list.len() < before
}

fn is_path(entry: &str) -> bool {
    entry.ends_with(".md")
}
