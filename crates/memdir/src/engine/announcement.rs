//! What the user should hear of work that nobody watched (X8, D5, B2).
//!
//! Enters: a sentence about what was saved, dreamt or put into the inbox, from a run in the background. Leaves: the sentences that
//! wait, handed out once, to the first front end that can say them. Kept in one small file beside the queue of the work, under a
//! lock of its own, so that of two that ask only one gets them. Never holds what a memory says, only its name.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{Error, Memory, Sessions};
use memdir_core::limits::ANNOUNCEMENTS;
use memdir_store::fs::{self, Durability};

/// One sentence for the user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Announcement {
    /// What happened; it stands without the rest.
    pub text: String,
    /// What can be done about it.
    pub next: Next,
}

/// What the user can do about something.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Next {
    /// Nothing has to be.
    #[default]
    Nothing,
    /// Take this change back.
    Undo(String),
    /// Say yes or no.
    Decide,
    /// Take over what is in a former place.
    TakeOver,
    /// Say yes to the directory that the project names for its memory.
    AllowDirectory,
    /// Wire this agent again.
    Rewire(String),
    /// Something in files that are not memdir's; this.
    ByHand(String),
}

impl Announcement {
    /// Something was changed.
    pub(crate) fn changed(text: String, undo: Option<&str>) -> Announcement {
        Announcement { text, next: undo.map_or(Next::Nothing, |change| Next::Undo(change.to_owned())) }
    }

    /// Something waits for a yes.
    pub(crate) fn waiting(changes: usize) -> Option<Announcement> {
        let text = match changes {
            0 => return None,
            1 => "1 change waits for your yes".to_owned(),
            many => format!("{many} changes wait for your yes"),
        };
        Some(Announcement { text, next: Next::Decide })
    }
}

impl Sessions<'_> {
    /// What the user has not heard yet, oldest first; it is gone afterwards.
    pub(crate) fn announcements(self) -> Result<Vec<Announcement>, Error> {
        let file = self.memory.announcement_file()?;
        // One look is all that the usual call costs.
        if !file.exists() {
            return Ok(Vec::new());
        }
        let _alone = fs::hold(&file.with_extension("lock"))?;
        let waiting = read(&fs::read_beside(&file)?);
        fs::remove(&file)?;
        Ok(waiting)
    }
}

impl Memory {
    /// Keeps sentences until somebody can say them; of too many, the newest stay.
    pub(crate) fn announce(&self, said: impl IntoIterator<Item = Announcement>) -> Result<(), Error> {
        let mut said = said.into_iter().peekable();
        if said.peek().is_none() {
            return Ok(());
        }
        let file = self.announcement_file()?;
        if let Some(dir) = file.parent() {
            fs::create_private_dir(dir)?;
        }
        let _alone = fs::hold(&file.with_extension("lock"))?;
        let mut waiting = read(&fs::read_beside(&file)?);
        waiting.extend(said);
        waiting.drain(..waiting.len().saturating_sub(ANNOUNCEMENTS));
        Ok(fs::replace(&file, &serde_json::to_vec(&waiting).unwrap_or_default(), Durability::Cache)?)
    }

    fn announcement_file(&self) -> Result<PathBuf, Error> {
        Ok(self.extract_dir()?.join("announcements.json"))
    }
}

fn read(bytes: &[u8]) -> Vec<Announcement> {
    serde_json::from_slice(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_memory::TestMemory;

    #[test]
    fn b2_each_is_handed_out_once_and_of_too_many_the_newest_stay() {
        let bench = TestMemory::new();
        let memory = bench.memory();
        assert_eq!(memory.sessions().announcements().unwrap(), []);
        for at in 0..ANNOUNCEMENTS + 3 {
            memory.announce([Announcement::changed(format!("saved {at}.md"), None)]).unwrap();
        }
        memory.announce(Announcement::waiting(0)).unwrap();
        let said = memory.sessions().announcements().unwrap();
        assert_eq!((said.len(), said[0].text.as_str()), (ANNOUNCEMENTS, "saved 3.md"));
        assert_eq!(memory.sessions().announcements().unwrap(), []);
    }
}
