//! Why a verb could not be carried out, whose fault that is, and what can be done about it.
//!
//! Enters: what a room refused or failed at. Leaves: a kind, one sentence, and hints as data. Its words name no command and no flag.

use super::Hint;
use memdir_guard::confine::Refusal;
use memdir_hosts::transcript::TranscriptError;
use memdir_store::ChangeError;
use memdir_store::fs::FsError;
use memdir_store::history::FindError;
use memdir_store::place::PlaceError;

/// The directory is somebody else's.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OwnerError {
    /// Two projects meet in one directory.
    #[error("the memory at {memory} belongs to {owner}, not to {here}. Nothing was written")]
    Other {
        /// The directory.
        memory: String,
        /// Its recorded project.
        owner: String,
        /// This project.
        here: String,
    },
    /// The record could not be read or written.
    #[error(transparent)]
    Fs(#[from] FsError),
}

/// A memory that may be meant.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct PossibleMemory {
    /// How it is named so that nothing else fits.
    pub name: String,
    /// What people call it.
    pub title: String,
}

/// This many of the memories that may be meant are named in a message.
const NAMED: usize = 5;

fn named(near: &[PossibleMemory]) -> String {
    let names: Vec<&str> = near.iter().take(NAMED).map(|one| one.name.as_str()).collect();
    let more = near.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{}{more}", names.join(", "))
}

/// Why a verb could not be carried out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Memory is switched off.
    #[error("memory is off: {0}")]
    Off(&'static str),
    /// There is no directory to work in.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// The directory belongs to another project.
    #[error(transparent)]
    Owner(#[from] OwnerError),
    /// No such memory.
    #[error("there is no memory {0}")]
    Unknown(String),
    /// No memory of exactly that name.
    #[error("there is no memory {typed}; did you mean {}?", named(.near))]
    NotExactly {
        /// What was typed.
        typed: String,
        /// Those that may be meant, the likeliest first.
        near: Vec<PossibleMemory>,
        /// It is taken for a slip: no word of it fits.
        misspelled: bool,
    },
    /// No such proposal.
    #[error("no proposal {0} waits")]
    NoProposal(String),
    /// Session notes are switched off.
    #[error("session notes are off")]
    NotesOff,
    /// There is nothing to take over.
    #[error("no former place of this project is known")]
    NoFormerPlace,
    /// The project has no team.
    #[error("this project shares with no team yet")]
    NoTeam,
    /// No such team.
    #[error("there is no team {0}")]
    UnknownTeam(String),
    /// The name of a team is taken.
    #[error("there is a team {0} already")]
    TeamExists(String),
    /// A project has one team of its own.
    #[error("this project has its own team already")]
    HasOwnTeam,
    /// A first sync that nobody has agreed to.
    #[error("the first sync with {0} shows a plan and asks")]
    FirstSync(String),
    /// The team's store is encrypted, and no key was given.
    #[error("{0} is encrypted, and no key was given")]
    NeedsTeamKey(String),
    /// A key that others do not have.
    #[error("{0} does not open what is in the bucket; ask for the key in use")]
    WrongTeamKey(String),
    /// Something about a person was meant for the team.
    #[error("what is about a person is personal and never goes to the team")]
    PersonalToTeam,
    /// The request makes no sense.
    #[error("{0}")]
    Refused(String),
    /// A change was not made.
    #[error(transparent)]
    Change(#[from] ChangeError),
    /// A change was not found.
    #[error(transparent)]
    Find(#[from] FindError),
    /// A file could not be read.
    #[error(transparent)]
    Fs(#[from] FsError),
    /// A path was refused.
    #[error(transparent)]
    Path(#[from] Refusal),
    /// A transcript could not be read.
    #[error(transparent)]
    Transcript(#[from] TranscriptError),
    /// A sync did not come to its end.
    #[error(transparent)]
    Sync(#[from] memdir_team::sync::SyncError),
}

impl Error {
    /// Whether the fault is the request's (exit 1) and not the machine's (exit 2).
    pub fn is_refusal(&self) -> bool {
        match self {
            Error::Off(_)
            | Error::Place(_)
            | Error::Unknown(_)
            | Error::NotExactly { .. }
            | Error::NoProposal(_)
            | Error::NotesOff
            | Error::NoFormerPlace
            | Error::NoTeam
            | Error::UnknownTeam(_)
            | Error::TeamExists(_)
            | Error::HasOwnTeam
            | Error::FirstSync(_)
            | Error::NeedsTeamKey(_)
            | Error::WrongTeamKey(_)
            | Error::PersonalToTeam
            | Error::Refused(_)
            | Error::Path(_)
            | Error::Transcript(_) => true,
            Error::Owner(error) => matches!(error, OwnerError::Other { .. }),
            Error::Change(error) => match error {
                ChangeError::Secret { .. }
                | ChangeError::TooLarge { .. }
                | ChangeError::BrokenFrontmatter { .. }
                | ChangeError::ChangedSince(_)
                | ChangeError::Refused(_)
                | ChangeError::Path(_) => true,
                ChangeError::Fs(error) => is_refusal(error),
                ChangeError::Lock(_) | ChangeError::Contended(_) => false,
            },
            Error::Find(error) => !matches!(error, FindError::Fs(_)),
            Error::Sync(error) => error.is_refusal(),
            Error::Fs(error) => is_refusal(error),
        }
    }

    /// What a person can do about it, where that is more than the message says.
    pub fn hint(&self) -> Option<Hint> {
        match self {
            Error::Owner(OwnerError::Other { .. }) => Some(Hint::AdoptOrSeparate),
            Error::Unknown(_) => Some(Hint::ListMemories),
            Error::NoProposal(_) => Some(Hint::ListProposals),
            Error::NotesOff => Some(Hint::Set("notes.enabled", "true")),
            Error::NoFormerPlace => Some(Hint::NameFormerPlace),
            Error::NoTeam => Some(Hint::BeginTeam),
            Error::UnknownTeam(_) => Some(Hint::ListTeams),
            Error::TeamExists(name) => Some(Hint::LeaveTeam(name.clone())),
            Error::HasOwnTeam => Some(Hint::AddParentTeam),
            Error::FirstSync(_) => Some(Hint::SyncByHand),
            Error::NeedsTeamKey(_) => Some(Hint::GiveTeamKey),
            Error::WrongTeamKey(_) => Some(Hint::RotateKey),
            Error::PersonalToTeam => Some(Hint::ChooseOwnScope),
            Error::Place(PlaceError::NoProject(_)) => Some(Hint::NameProject),
            Error::Transcript(TranscriptError::Unknown(_)) => Some(Hint::NameAgent),
            Error::Find(FindError::Unknown(_)) => Some(Hint::ListChanges),
            Error::Change(ChangeError::BrokenFrontmatter { path, .. }) => Some(Hint::Edit(path.clone())),
            Error::Change(ChangeError::ChangedSince(path)) => Some(Hint::ListChangesOf(path.clone())),
            _ => None,
        }
    }
}

/// What is there is not what memdir works with; the machine is fine.
fn is_refusal(error: &FsError) -> bool {
    matches!(error, FsError::Link(_) | FsError::NotAFile(_) | FsError::NoRoot(_) | FsError::TooLarge { .. })
}
