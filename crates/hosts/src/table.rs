//! The table of all hosts: the only place that knows every one of them.
//!
//! Enters: one line a host, its variant and its folder. Leaves: [`Host`], its list and the way to what a folder says.
//! Everything else asks a host through [`Definition`] and never matches on its name.

use serde::{Serialize, Serializer};

use super::Profile;
use super::definition::Definition;
use memdir_core::surroundings::Surroundings;

macro_rules! hosts {
    ($($variant:ident => $folder:ident,)+) => {
        /// An agent that memdir works with.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Host {
            $(
                #[doc = concat!("The agent that the folder `", stringify!($folder), "` describes.")]
                $variant,
            )+
        }

        impl Host {
            /// All of them, in the order of listings.
            pub const ALL: [Host; [$(Host::$variant),+].len()] = [$(Host::$variant),+];

            /// What its folder says.
            pub(crate) fn definition(self) -> &'static Definition {
                match self {
                    $(Host::$variant => &super::$folder::HOST,)+
                }
            }
        }

        /// The variant and the folder of each, for the tests that look at the folders.
        #[cfg(test)]
        pub(crate) const FOLDERS: [(Host, &str); Host::ALL.len()] = [$((Host::$variant, stringify!($folder))),+];
    };
}

hosts! {
    ClaudeCode => claude_code,
    Codex => codex,
    Gemini => gemini,
    Copilot => copilot,
    Opencode => opencode,
    Qwen => qwen,
    Goose => goose,
    Cline => cline,
    Aider => aider,
    Cursor => cursor,
    Zed => zed,
}

impl Host {
    /// The word on the command line and in JSON.
    pub fn as_str(self) -> &'static str {
        self.definition().name
    }

    /// The host of this name.
    pub fn named(name: &str) -> Option<Host> {
        Host::ALL.into_iter().find(|host| host.as_str() == name)
    }

    /// What a hook and a person need to know about it.
    pub fn profile(self) -> &'static Profile {
        &self.definition().profile
    }

    /// Whether memdir can read its conversations.
    pub fn has_transcripts(self) -> bool {
        self.definition().transcripts.is_some()
    }

    /// Whether it makes a long conversation shorter by itself, as it is set up for this user. One that says nothing
    /// about it counts as one that does.
    pub fn compacts_by_itself(self, around: &Surroundings) -> bool {
        self.definition().compacts_by_itself.is_none_or(|compacts| compacts(around))
    }
}

impl std::fmt::Display for Host {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Host {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}
