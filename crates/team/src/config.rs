//! Which teams a project shares memory with, as the user of this machine said.
//!
//! Kept in the user's configuration directory, one file a memory directory: nothing that is committed in a repository can choose
//! where memory goes. The first team is the project's own, in `team/`; further ones (the organisation's, say) are in `team/from/NAME/` and
//! come after it: what a nearer team has, a farther one does not replace.

use serde::{Deserialize, Serialize};

use super::PARENTS;
use super::address;
use super::bucket::BucketLayout;
use super::gate::TeamRules;

/// The teams of one project, the nearest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Teams {
    /// Them.
    #[serde(default)]
    pub teams: Vec<Team>,
}

/// One team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    /// What it is called here.
    pub name: String,
    /// Where what it shares is.
    pub source: TeamSource,
    /// It is a parent: its memories are in a folder of their own.
    #[serde(default)]
    pub parent: bool,
    /// This machine only reads.
    #[serde(default)]
    pub read_only: bool,
    /// The user has seen the plan and said yes.
    #[serde(default)]
    pub agreed: bool,
    /// Authors, by name or key, whose memories stay outside, and paths of single memories that do.
    #[serde(default)]
    pub muted: Vec<String>,
    /// If there are any, only these authors and memories are let in.
    #[serde(default)]
    pub only: Vec<String>,
    /// Keys that the user knows the owner of.
    #[serde(default)]
    pub trusted: Vec<Trusted>,
    /// Hashes of contents that may leave although they hold personal data.
    #[serde(default)]
    pub agreed_contents: Vec<String>,
}

/// A key whose owner is known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trusted {
    /// Whose it is.
    pub name: String,
    /// The public key.
    pub key: String,
}

/// Where a team shares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TeamSource {
    /// A branch of a repository.
    Git {
        /// Its address.
        url: String,
        /// The branch.
        branch: String,
        /// The folder in it; empty: all of it.
        #[serde(default)]
        path: String,
    },
    /// A bucket.
    Store {
        /// `s3://bucket/prefix`.
        url: String,
        /// The server; nothing: AWS.
        #[serde(default)]
        endpoint: Option<String>,
        /// The region.
        region: String,
        /// How it is laid out.
        layout: BucketLayout,
        /// Files with the team's keys (age format), the one that encrypts first.
        #[serde(default)]
        keys: Vec<std::path::PathBuf>,
    },
}

impl TeamSource {
    /// Whether this may be used; else why not, without what is secret in it.
    pub fn check(&self) -> Result<(), address::BadAddress> {
        match self {
            TeamSource::Git { url, branch, path } => address::check(url, branch, path),
            TeamSource::Store { .. } => Ok(()),
        }
    }

    /// The address, for people.
    pub fn shown(&self) -> String {
        match self {
            TeamSource::Git { url, branch, path } if path.is_empty() => format!("{} ({branch})", address::shown(url)),
            TeamSource::Git { url, branch, path } => format!("{} ({branch}, {path})", address::shown(url)),
            TeamSource::Store { url, endpoint: Some(endpoint), .. } => format!("{url} at {endpoint}"),
            TeamSource::Store { url, .. } => url.clone(),
        }
    }
}

impl Team {
    /// A team that the user has not agreed to yet.
    pub fn new(name: &str, source: TeamSource) -> Team {
        Team {
            name: name.to_owned(),
            source,
            parent: false,
            read_only: false,
            agreed: false,
            muted: Vec::new(),
            only: Vec::new(),
            trusted: Vec::new(),
            agreed_contents: Vec::new(),
        }
    }

    /// Where its memories are in the memory directory, with a slash at the end.
    pub fn folder(&self) -> String {
        if self.parent { format!("team/{PARENTS}/{}/", self.name) } else { "team/".to_owned() }
    }

    /// What may leave and come in.
    pub fn rules(&self) -> TeamRules {
        TeamRules {
            read_only: self.read_only,
            muted: self.muted.iter().cloned().collect(),
            allowed: self.only.iter().cloned().collect(),
            trusted: self.trusted.iter().map(|trusted| (trusted.key.clone(), trusted.name.clone())).collect(),
            agreed: self.agreed_contents.iter().cloned().collect(),
            ..TeamRules::default()
        }
    }
}

impl Teams {
    /// The team of this name.
    pub fn named(&self, name: &str) -> Option<&Team> {
        self.teams.iter().find(|team| team.name == name)
    }

    /// The team that a file of the memory directory belongs to.
    pub fn of_file(&self, file: &str) -> Option<&Team> {
        let parents = self.teams.iter().filter(|team| team.parent);
        parents.into_iter().find(|team| file.starts_with(&team.folder())).or_else(|| {
            let own = file.starts_with("team/") && !file.starts_with(&format!("team/{PARENTS}/"));
            self.teams.iter().find(|team| own && !team.parent)
        })
    }
}

/// Whether a name can be a folder's.
pub fn is_name(name: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    (1..=40).contains(&name.len()) && name.chars().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_belongs_to_the_team_whose_folder_it_is_in() {
        let git = |url: &str| TeamSource::Git { url: url.into(), branch: "main".into(), path: String::new() };
        let own = Team::new("app", git("u"));
        let org = Team { parent: true, ..Team::new("org", git("v")) };
        let teams = Teams { teams: vec![own, org] };
        let of = |file: &str| teams.of_file(file).map(|team| team.name.as_str());
        assert_eq!((of("team/a.md"), of("team/from/org/a.md")), (Some("app"), Some("org")));
        assert_eq!((of("a.md"), of("team/from/other/a.md")), (None, None));
    }

    #[test]
    fn an_address_is_shown_without_its_password() {
        assert_eq!(address::shown("https://me:pw@host/x@y.git"), "https://host/x@y.git");
        assert_eq!(address::shown("git@host:x.git"), "git@host:x.git");
    }
}
