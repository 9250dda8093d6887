//! Where a shared memory came from: which team, which author, and what is worth knowing about it.

use std::collections::HashMap;

use serde::Serialize;

use crate::engine::{Error, Memory, Sharing};
use memdir_context::prompts::Prompts;
use memdir_team::base::{BaseDir, Bases as _};
use memdir_team::transport::Authorship;

/// Where a memory came from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MemoryOrigin {
    /// The team.
    pub team: String,
    /// Who wrote it last, as they call themselves; nothing when it was this machine.
    pub author: Option<String>,
    /// Whether that could be verified.
    pub verified: bool,
    /// `unverified`, `instructions`.
    pub marks: Vec<String>,
}

impl MemoryOrigin {
    /// What a model reads before it, if it needs a warning.
    pub fn warning(&self, prompts: &mut Prompts) -> Option<String> {
        let marked = |mark: &str| self.marks.iter().any(|known| known == mark);
        let label = match (marked("instructions"), marked("unverified")) {
            (true, _) => "shared-instructions",
            (false, true) => "shared-unverified",
            (false, false) => return None,
        };
        prompts.phrase(label, &[("from", &self.shown())]).ok()
    }

    /// In a few words: `app, Ada <ada@x> (unverified)`.
    pub fn shown(&self) -> String {
        // A name comes from outside and is read by people and models.
        let short = |name: &str| -> String { memdir_guard::shown::one_line(name).chars().take(60).collect() };
        let author = self.author.as_ref().map(|author| format!(", {}", short(author))).unwrap_or_default();
        let marks = if self.marks.is_empty() { String::new() } else { format!(" ({})", self.marks.join(", ")) };
        format!("{}{author}{marks}", self.team)
    }
}

impl Sharing<'_> {
    /// Who has written what a team shares, as far as it was seen here, by the names they go by.
    pub fn authors(&self, team: &str) -> Result<Vec<Authorship>, Error> {
        let base = BaseDir::at(&self.memory.team_state(team)?).load()?;
        let mut authors: Vec<Authorship> =
            base.files.into_values().map(|known| known.author).filter(|author| !author.name.is_empty()).collect();
        authors.sort_by(|one, other| one.name.cmp(&other.name).then_with(|| one.key.cmp(&other.key)));
        authors.dedup_by(|one, other| one.name == other.name && one.key == other.key);
        Ok(authors)
    }

    /// Where one memory came from.
    pub fn origin(&self, file: &str) -> Option<MemoryOrigin> {
        if !file.starts_with("team/") {
            return None;
        }
        self.memory.origins().ok()?.remove(file)
    }
}

impl Memory {
    /// Where each shared memory came from, by its path in the memory directory. Memories that were never shared are not in it.
    pub(crate) fn origins(&self) -> Result<HashMap<String, MemoryOrigin>, Error> {
        let mut origins = HashMap::new();
        for team in self.teams().list()?.teams {
            let base = BaseDir::at(&self.team_state(&team.name)?).load()?;
            for (path, known) in base.files {
                if known.held.is_some() || known.common.is_none() {
                    continue;
                }
                let author = Some(known.author.name).filter(|name| !name.is_empty());
                let origin = MemoryOrigin {
                    team: team.name.clone(),
                    verified: author.is_none() || known.author.verified,
                    author,
                    marks: known.marks,
                };
                origins.insert(format!("{}{path}", team.folder()), origin);
            }
        }
        Ok(origins)
    }
}
