//! The file system as the model sees it: the copy stands where the memory directory is.
//!
//! Paths in a conversation are the real ones. Here each is turned into the one that is opened, and
//! back again in what is shown.

use std::path::{Path, PathBuf};

use super::Permissions;

/// Which real path a path that was shown stands for.
pub(super) struct PathView<'v> {
    permissions: &'v Permissions,
    copy: &'v Path,
}

impl<'v> PathView<'v> {
    pub(super) fn new(permissions: &'v Permissions, copy: &'v Path) -> PathView<'v> {
        PathView { permissions, copy }
    }

    /// A path as it was typed, as the model would spell it in full.
    pub(super) fn absolute(&self, typed: &str) -> PathBuf {
        self.permissions.absolute(typed)
    }

    /// The same for a path in which `~` is a letter like any other.
    pub(super) fn below(&self, typed: &str) -> PathBuf {
        self.permissions.below(Path::new(typed))
    }

    /// The path that is opened for one that was shown.
    pub(super) fn actual(&self, shown: &Path) -> PathBuf {
        match self.permissions.inside(shown) {
            // Joining an empty path would add a slash.
            Some(inside) if inside.as_os_str().is_empty() => self.copy.to_path_buf(),
            Some(inside) => self.copy.join(inside),
            None => shown.to_path_buf(),
        }
    }

    /// Whether a path is in the copy.
    pub(super) fn is_copied(&self, shown: &Path) -> bool {
        self.permissions.inside(shown).is_some()
    }

    /// Whether a path is not to be read at all.
    pub(super) fn is_barred(&self, shown: &Path) -> bool {
        self.permissions.is_barred(shown)
    }

    /// Output of a program, with the memory directory in the place of its copy.
    pub(super) fn shown(&self, output: &str) -> String {
        let root = self.permissions.roots.first().map(|root| root.display().to_string()).unwrap_or_default();
        output.replace(&*self.copy.to_string_lossy(), &root)
    }

    pub(super) fn cwd(&self) -> &Path {
        &self.permissions.cwd
    }

    pub(super) fn home(&self) -> Option<&Path> {
        self.permissions.home.as_deref()
    }

    /// The directory of the copy.
    pub(super) fn copy(&self) -> &Path {
        self.copy
    }

    /// The spellings of the memory directory.
    pub(super) fn roots(&self) -> &[PathBuf] {
        &self.permissions.roots
    }
}
