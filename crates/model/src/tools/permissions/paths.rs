//! Where a path leads that a model typed.
//!
//! Enters: a path as it was typed. Leaves: the path made absolute, whether it is in the memory directory, and whether even reading it is
//! not free. Looks at the file system only to see through links.

use std::path::{Component, Path, PathBuf};

use super::Permissions;

/// Where the system shows processes and devices: the environment of a process holds its keys.
const BARRED: [&str; 3] = ["/proc", "/sys", "/dev"];

impl Permissions {
    /// Whether a path as a model typed it is in the memory directory, or tries to be.
    pub fn is_in_memory(&self, typed: &str) -> bool {
        self.inside(&self.absolute(typed)).is_some()
    }

    /// A path as a model typed it, made absolute.
    pub fn full_path(&self, typed: &str) -> PathBuf {
        self.absolute(typed)
    }

    pub(super) fn is_everything(&self, typed: &str) -> bool {
        let root = Path::new("/");
        self.absolute(typed) == root
            || memdir_store::fs::canonical(&self.as_typed(typed)).is_ok_and(|real| real == root)
    }

    /// Whether a path is, or leads to, what even reading is not free for. What is not there yet is where its directory is.
    pub(in crate::tools) fn is_barred(&self, path: &Path) -> bool {
        let null = Path::new("/dev/null");
        let below = |path: &Path| BARRED.iter().any(|barred| path.starts_with(barred)) && path != null;
        let real = path.ancestors().find_map(|above| memdir_store::fs::canonical(above).ok());
        below(path) || real.is_some_and(|real| below(&real))
    }

    /// A path as a model typed it, made absolute.
    pub(in crate::tools) fn absolute(&self, typed: &str) -> PathBuf {
        match (typed.strip_prefix('~'), &self.home) {
            (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                self.below(&home.join(rest.trim_start_matches('/')))
            }
            _ => self.below(Path::new(typed)),
        }
    }

    /// The same as the system reads it: behind a link, `..` goes up from where the link leads.
    pub(super) fn as_typed(&self, typed: &str) -> PathBuf {
        match (typed.strip_prefix("~/"), &self.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => self.cwd.join(typed),
        }
    }

    /// A path from the working directory; `.` and `..` are worked out in the text.
    pub(in crate::tools) fn below(&self, path: &Path) -> PathBuf {
        let mut whole = PathBuf::new();
        for part in self.cwd.join(path).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => drop(whole.pop()),
                other => whole.push(other),
            }
        }
        whole
    }

    /// Where below the memory directory a path is, if it is there: by its text, else by the place
    /// that its directory really is.
    pub(in crate::tools) fn inside(&self, path: &Path) -> Option<PathBuf> {
        let by_text = self.roots.iter().find_map(|root| path.strip_prefix(root).ok());
        if let Some(rest) = by_text {
            return Some(rest.to_path_buf());
        }
        let (real, rest) = path.ancestors().find_map(|above| {
            let rest = path.strip_prefix(above).ok()?;
            Some((memdir_store::fs::canonical(above).ok()?, rest))
        })?;
        let below = self.roots.iter().find_map(|root| real.strip_prefix(root).ok())?;
        // Joining an empty path would add a slash.
        Some(if rest.as_os_str().is_empty() { below.to_path_buf() } else { below.join(rest) })
    }
}

/// Why such a path is not read.
pub(in crate::tools) fn barred() -> String {
    format!("{} show processes and devices, and are not read", BARRED.join(", "))
}
