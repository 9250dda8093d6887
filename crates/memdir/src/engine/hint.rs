//! What a person can do about something, told apart from what is the matter.
//!
//! Enters: a kind of help. Leaves: the same as data. The library has no commands, so its own words name none; a front end that has
//! some turns a hint into them, and one that has none shows the words alone.

use std::fmt;

use serde::{Serialize, Serializer};

use memdir_hosts::Host;

/// What can be done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Hint {
    /// Look at the memories there are.
    ListMemories,
    /// Look at the proposals that wait.
    ListProposals,
    /// Look at the changes that were made.
    ListChanges,
    /// Look at the changes of one file.
    ListChangesOf(String),
    /// Look at the teams of this project.
    ListTeams,
    /// Begin to share with a team.
    BeginTeam,
    /// Add another team as a parent.
    AddParentTeam,
    /// Leave the team of this name first.
    LeaveTeam(String),
    /// Sync for the first time where a person sees the plan.
    SyncByHand,
    /// Change a team's key for everybody.
    RotateKey,
    /// Give the key of a team whose store is encrypted.
    GiveTeamKey,
    /// Say that the project found in the directory is this one, or use another directory.
    AdoptOrSeparate,
    /// Take over what is in a former place: this many memories.
    TakeOver(usize),
    /// Let this project's instruction files include a file outside it.
    ApproveInclude(String),
    /// Decide whose the directory is.
    DecideOwner,
    /// Name the former place to take over.
    NameFormerPlace,
    /// Save it in a scope that is the person's own.
    ChooseOwnScope,
    /// Name a project directory that exists.
    NameProject,
    /// Say which agent wrote the transcript.
    NameAgent,
    /// Look at a setting.
    Setting(&'static str),
    /// Give a setting a value; in capitals, one of the user's own.
    Set(&'static str, &'static str),
    /// Open a memory and correct it.
    Edit(String),
    /// Repair the index.
    RepairIndex,
    /// Take a secret out of a memory, and out of its history.
    RemoveSecret,
    /// Open what was found and correct it.
    EditFound,
    /// Move what was found out of the team's memory.
    MoveToPrivate,
    /// Keep one of two versions.
    KeepOneVersion,
    /// Correct what was found, or forget it.
    EditOrForget,
    /// See what a dream would do about it, or forget it.
    PreviewDream,
    /// Forget one of two that say the same.
    ForgetDouble,
    /// Wire memory into an agent again.
    Wire(Host),
}

impl fmt::Display for Hint {
    /// What can be done, in words that name no command.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self {
            Hint::ListMemories => "list the memories there are",
            Hint::ListProposals => "list the proposals that wait",
            Hint::ListChanges => "list the changes that were made",
            Hint::ListChangesOf(file) => return write!(out, "list the changes of {file}"),
            Hint::ListTeams => "list the teams of this project",
            Hint::BeginTeam => "begin to share with a team",
            Hint::AddParentTeam => "add another team as a parent",
            Hint::LeaveTeam(name) => return write!(out, "leave the team {name} first"),
            Hint::SyncByHand => "sync once at a terminal",
            Hint::RotateKey => "change the team's key for everybody",
            Hint::GiveTeamKey => "give the file that holds the team's key",
            Hint::AdoptOrSeparate => "take the directory over if it is the same project, or use another directory",
            Hint::TakeOver(_) => "take over what is in the former place",
            Hint::ApproveInclude(file) => return write!(out, "approve that {file} is included"),
            Hint::DecideOwner => "decide whose the directory is",
            Hint::NameFormerPlace => "name the former place",
            Hint::ChooseOwnScope => "use the private or the user scope",
            Hint::NameProject => "give a project directory that exists",
            Hint::NameAgent => "name the agent that wrote it",
            Hint::Setting(key) => return write!(out, "look at the setting {key}"),
            Hint::Set(key, value) => return write!(out, "set {key} to {value}"),
            Hint::Edit(file) => return write!(out, "open {file} and correct it"),
            Hint::RepairIndex => "repair the index",
            Hint::RemoveSecret => "take the secret out of the memory, and out of its history",
            Hint::EditFound => "open it and correct it",
            Hint::MoveToPrivate => "move it to the private memory",
            Hint::KeepOneVersion => "keep one of the versions",
            Hint::EditOrForget => "correct it, or forget it if it no longer holds",
            Hint::PreviewDream => "see what a dream would make of both, or forget this one",
            Hint::ForgetDouble => "keep one and forget the other",
            Hint::Wire(host) => return write!(out, "wire memory into {host} again"),
        };
        out.write_str(words)
    }
}

/// A sentence for a person, with a hint where a front end may say it in its own commands. Serialized, it is the sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advice {
    /// The sentence; it stands without the hint.
    pub text: String,
    /// What can be done.
    pub hint: Option<Hint>,
}

impl Advice {
    /// A sentence and its hint.
    pub(crate) fn new(text: impl Into<String>, hint: Hint) -> Advice {
        Advice { text: text.into(), hint: Some(hint) }
    }
}

impl From<&str> for Advice {
    fn from(text: &str) -> Advice {
        Advice { text: text.to_owned(), hint: None }
    }
}

impl From<String> for Advice {
    fn from(text: String) -> Advice {
        Advice { text, hint: None }
    }
}

impl fmt::Display for Advice {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

impl Serialize for Advice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}
