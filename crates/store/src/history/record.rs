//! One change of memory, as it is in the history.
//!
//! A record is self-contained: it carries what each file was before and is after, so any change
//! can be shown, undone or finished from its record alone. Index pointers are recorded as edits
//! of single lines, because an index changes with every save and belongs to the user.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::index::PointerEdit;

/// The name of a change: short, unique in its store, accepted by any unique beginning.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ChangeId(pub String);

impl ChangeId {
    /// Derives an id from what makes a change unique. Letters and digits that cannot be confused.
    pub fn derive(parts: &[&[u8]]) -> ChangeId {
        const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let letters =
            hasher.finalize().as_bytes()[..10].iter().map(|byte| ALPHABET[usize::from(byte & 31)] as char).collect();
        ChangeId(letters)
    }
}

impl std::fmt::Display for ChangeId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who made a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Actor {
    /// A person at the command line or the page.
    User,
    /// The main agent of a session, through a tool of ours.
    Agent,
    /// The extraction after a turn.
    Extract,
    /// Dreaming.
    Dream,
    /// What came in from the team.
    Team,
    /// Somebody else: an editor, another tool, the host itself.
    Outside,
    /// memdir repairing what it found broken.
    Doctor,
    /// A version newer than this one wrote it.
    #[serde(other)]
    Unknown,
}

impl Actor {
    /// The word in listings.
    pub const fn as_str(self) -> &'static str {
        match self {
            Actor::User => "user",
            Actor::Agent => "agent",
            Actor::Extract => "extract",
            Actor::Dream => "dream",
            Actor::Team => "team",
            Actor::Outside => "outside",
            Actor::Doctor => "doctor",
            Actor::Unknown => "unknown",
        }
    }
}

/// Who, when and why: what a change is signed with.
#[derive(Clone, Debug)]
pub struct Author {
    /// Who.
    pub actor: Actor,
    /// The session it came from.
    pub session: Option<String>,
    /// The message in that session.
    pub message: Option<String>,
    /// When.
    pub time: Timestamp,
}

/// One change: everything that was changed together.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Change {
    /// Its name.
    pub id: ChangeId,
    /// When it was made.
    pub time: Timestamp,
    /// By whom.
    pub actor: Actor,
    /// In which session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// By which message of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Why, in words.
    pub reason: String,
    /// Changes of one group (a dream, a move between scopes) share a group and are undone together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<ChangeId>,
    /// The change that this one takes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<ChangeId>,
    /// Nothing happened: this only records what was there at first sight, so it cannot be undone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub baseline: bool,
    /// Files that were written or removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<FileChange>,
    /// Index lines that were set or removed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pointers: Vec<PointerChange>,
}

/// What happened to one file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FileChange {
    /// Relative to the root.
    pub path: String,
    /// What it was; `None`: there was no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Version>,
    /// What it is; `None`: it was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Version>,
    /// When that was written, where it is not the time of the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<Timestamp>,
    /// The path it had until this change, where it got another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

impl FileChange {
    /// Follows a file backwards through its history: whether this is about it, and if so under which name it went before.
    pub fn follows(&self, path: &mut String) -> bool {
        let about = self.path == *path;
        if let Some(from) = self.from.as_ref().filter(|_| about) {
            path.clone_from(from);
        }
        about
    }
}

/// What happened to one index.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PointerChange {
    /// The index, relative to the root.
    pub index: String,
    /// The lines.
    pub edits: Vec<PointerEdit>,
    /// Hash of the index before; `None`: there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Hash>,
    /// Hash of the index afterwards, so that our own edit is not taken for somebody else's.
    pub after: Hash,
}

/// Hash of a content: 128 bits of BLAKE3 in hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hash(pub [u8; 16]);

impl Hash {
    /// Hashes a content.
    pub fn of(content: &[u8]) -> Hash {
        let mut half = [0; 16];
        half.copy_from_slice(&blake3::hash(content).as_bytes()[..16]);
        Hash(half)
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> String {
        hash.0.iter().fold(String::with_capacity(32), |mut hex, byte| {
            use std::fmt::Write as _;
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
}

impl TryFrom<String> for Hash {
    type Error = &'static str;

    fn try_from(hex: String) -> Result<Hash, Self::Error> {
        let bad = "a hash is 32 hex digits";
        if hex.len() != 32 || !hex.is_ascii() {
            return Err(bad);
        }
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(hex.as_bytes().chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| bad)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| bad)?;
        }
        Ok(Hash(bytes))
    }
}

/// A content with its hash. Text stays readable in the journal; other bytes go as base64.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Version {
    /// Hash of the content.
    pub hash: Hash,
    /// The content, when it is UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// The content, when it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base64: Option<String>,
}

impl Version {
    /// Keeps a content.
    pub fn of(content: &[u8]) -> Version {
        let hash = Hash::of(content);
        match std::str::from_utf8(content) {
            Ok(text) => Version { hash, text: Some(text.to_owned()), base64: None },
            Err(_) => Version { hash, text: None, base64: Some(STANDARD.encode(content)) },
        }
    }

    /// A content of which only the hash is left.
    pub(crate) fn only(hash: Hash) -> Version {
        Version { hash, text: None, base64: None }
    }

    /// The content again; `None` when it was purged or does not match its hash.
    pub fn content(&self) -> Option<Vec<u8>> {
        let bytes = match (&self.text, &self.base64) {
            (Some(text), _) => text.as_bytes().to_vec(),
            (None, Some(encoded)) => STANDARD.decode(encoded).ok()?,
            (None, None) => return None,
        };
        (Hash::of(&bytes) == self.hash).then_some(bytes)
    }

    /// Forgets the content and keeps the hash (`purge`).
    pub(super) fn empty(&mut self) {
        self.text = None;
        self.base64 = None;
    }
}

impl Change {
    /// Whether a text that it had is gone (`purge`), so that it cannot be taken back.
    pub fn is_emptied(&self) -> bool {
        let versions = self.files.iter().flat_map(|file| file.before.iter().chain(&file.after));
        versions.into_iter().any(|version| version.text.is_none() && version.base64.is_none())
    }

    /// Every file this change touched, indexes included, each once.
    pub fn paths(&self) -> Vec<&str> {
        let mut paths: Vec<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        for pointer in &self.pointers {
            if !paths.contains(&pointer.index.as_str()) {
                paths.push(&pointer.index);
            }
        }
        paths
    }
}
