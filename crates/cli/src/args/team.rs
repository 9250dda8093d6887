//! Sharing with a team.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

#[derive(Subcommand, Debug)]
pub(crate) enum TeamCommand {
    /// Share this project's team memory through git or an object store
    #[command(
        after_help = "Examples:\n  memdir team init --git git@host:team/memory.git\n  memdir team init --git https://host/app.git --branch memory --path docs/memory\n  memdir team init --store s3://bucket/app --endpoint https://minio.host\n  memdir team init --git git@host:org/memory.git --parent --name org --read-only"
    )]
    Init(TeamInit),
    /// Which teams there are, what came of the last sync, what is held back and why
    Status,
    /// Send and fetch what is new; the first time shows a plan
    Sync {
        /// Only this team
        #[arg(long, value_name = "TEAM")]
        name: Option<String>,
        /// Show what would move and move nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Keep an author's memories out, or one memory
    Mute(TeamAuthor),
    /// Let a muted author's memories, or a muted memory, in again
    Unmute(TeamAuthor),
    /// Let in only what is named so: authors, by key or by a name that can be verified, and single memories
    Only(TeamAuthor),
    /// Say whose a signing key is
    Trust {
        /// Their name
        author: String,
        /// Their public key, as `memdir team key` prints it
        key: String,
        /// In this team
        #[arg(long, value_name = "TEAM")]
        name: Option<String>,
    },
    /// Let a memory leave although it holds personal data, as it is now
    Allow {
        /// The file
        file: String,
    },
    /// Your public signing key; or the team's key for encryption
    Key {
        #[command(subcommand)]
        command: Option<TeamKey>,
    },
    /// Remove old versions from a team's bucket, at most every four weeks
    Tidy {
        /// In this team
        #[arg(long, value_name = "TEAM")]
        name: Option<String>,
        /// Count what would go and remove nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Stop sharing with a team; the memories stay
    Leave {
        /// The team
        name: String,
    },
}

#[derive(ClapArgs, Debug)]
pub(crate) struct TeamAuthor {
    /// An author by name, address or key; or a memory by its file or title. The beginning is enough where only one fits
    pub(crate) author: String,
    /// In this team
    #[arg(long, value_name = "TEAM")]
    pub(crate) name: Option<String>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum TeamKey {
    /// Make a new team key and write it to a file, to be given to the members by a safe way
    New {
        /// The file
        file: PathBuf,
    },
    /// Use the key that somebody else changed to
    Add {
        /// The file with the key
        file: PathBuf,
        /// In this team
        #[arg(long, value_name = "TEAM")]
        name: Option<String>,
    },
    /// Encrypt with another key from now on; what was encrypted with the old one is encrypted again
    Rotate {
        /// The file with the new key
        file: PathBuf,
        /// In this team
        #[arg(long, value_name = "TEAM")]
        name: Option<String>,
    },
}

#[derive(ClapArgs, Debug)]
pub(crate) struct TeamInit {
    /// A git repository
    #[arg(long, value_name = "URL", required_unless_present = "store", conflicts_with = "store")]
    pub(crate) git: Option<String>,
    /// A bucket of any S3-compatible store: `s3://BUCKET/PREFIX`
    #[arg(long, value_name = "URL")]
    pub(crate) store: Option<String>,
    /// What to call it here
    #[arg(long, default_value = "team", value_name = "TEAM")]
    pub(crate) name: String,
    /// The branch, in git
    #[arg(long, default_value = "main", value_name = "BRANCH")]
    pub(crate) branch: String,
    /// The folder in the repository
    #[arg(long, default_value = "", value_name = "FOLDER")]
    pub(crate) path: String,
    /// The server of the bucket (default: AWS)
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint: Option<String>,
    /// The region of the bucket
    #[arg(long, value_name = "REGION")]
    pub(crate) region: Option<String>,
    /// Heads of a new bucket: 1, or 16 or 256 when many write at once
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub(crate) shards: u32,
    /// Encrypt a new bucket with the key in this file (age format)
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
    /// Only read from it
    #[arg(long)]
    pub(crate) read_only: bool,
    /// A team above this project's own: its memories come after
    #[arg(long)]
    pub(crate) parent: bool,
}
