//! Which memory file a call may write.
//!
//! Enters: a path as a model typed it. Leaves: the file below the memory directory, or why it may not be written. Nothing is written
//! through links, nor to a file that has other names elsewhere.

use std::fs::Metadata;
use std::path::{Component, Path};

use super::{Permissions, RefusedCall, Writes, denied};
use memdir_core::limits;
use memdir_guard::confine::RelPath;

impl Permissions {
    /// The memory file that a path names, if it may be written.
    pub(super) fn writable(&self, tool: &str, typed: &str) -> Result<RelPath, RefusedCall> {
        let deny = |reason: String| Err(denied(tool, typed, reason));
        let place = match &self.writes {
            Writes::Nothing => return deny("nothing may be written here".to_owned()),
            Writes::Memories => "files in the memory directory",
            Writes::OnlyEdit(_) => "the one file of these notes",
        };
        if Path::new(typed).components().any(|part| part == Component::ParentDir) {
            return deny("a path to write may not go up with ..".to_owned());
        }
        let path = self.absolute(typed);
        let Some(inside) = self.inside(&path) else {
            return deny(format!("only {place} may be written, which is in {}", self.shown_root()));
        };
        let file = match inside.to_str().map(RelPath::parse) {
            Some(Ok(file)) => file,
            Some(Err(refusal)) => return deny(refusal.to_string()),
            None => return deny("the path is not valid UTF-8".to_owned()),
        };
        if self.leads_through_link(&file) {
            return deny("a link is on the way to it, and nothing is written through links".to_owned());
        }
        match &self.writes {
            Writes::OnlyEdit(only) if *only != file || tool != "Edit" => {
                deny(format!("only {} may be changed here, and only by Edit", only.as_str()))
            }
            Writes::Memories if !file.is_markdown() || file.is_hidden() => {
                deny("a memory is a file whose name ends in .md and does not begin with a dot".to_owned())
            }
            Writes::Memories if file.components().count() > limits::SCAN_DEPTH => {
                deny("the path is nested too deeply".to_owned())
            }
            _ => Ok(file),
        }
    }

    /// Whether a link stands on the way to a file of the memory directory, or the file has other names elsewhere.
    fn leads_through_link(&self, file: &RelPath) -> bool {
        self.roots.iter().any(|root| {
            let whole = root.join(file.as_str());
            let mut way = whole.ancestors().take_while(|path| path.starts_with(root) && *path != root);
            way.any(|path| path.symlink_metadata().is_ok_and(|facts| facts.is_symlink() || has_other_names(&facts)))
        })
    }

    fn shown_root(&self) -> String {
        self.roots.first().map(|root| root.display().to_string()).unwrap_or_default()
    }
}

/// Whether a file has more than one name: a write to it is a write to all of them.
fn has_other_names(facts: &Metadata) -> bool {
    #[cfg(unix)]
    return facts.is_file() && std::os::unix::fs::MetadataExt::nlink(facts) > 1;
    #[cfg(not(unix))]
    {
        let _ = facts;
        false
    }
}
