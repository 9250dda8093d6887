//! One memory file, found by its name.
//!
//! Enters: a name or a path, with or without `.md`, in any scope. Leaves: the store and the file in it, or that there is
//! none. Reads of the file what is at its head, and only when asked.

use super::{Error, Files, Memory};
use memdir_core::kind::Scope;
use memdir_core::limits::HEADER_BYTES;
use memdir_guard::confine::{Refusal, RelPath};
use memdir_store::topic::Header;
use memdir_store::{Store, Written};
use memdir_team::parent_folder;

/// One memory file, found.
pub struct MemoryRef<'m> {
    /// Whose it is.
    pub scope: Scope,
    /// Its store.
    pub store: &'m Store,
    /// Where in the store.
    pub file: RelPath,
}

impl MemoryRef<'_> {
    /// The index that points to it.
    pub fn index(&self) -> Result<RelPath, Refusal> {
        index_for(self.scope, &self.file)
    }

    /// How that index names it.
    pub fn target(&self) -> &str {
        let file = self.file.as_str();
        match self.scope {
            Scope::Team => &file[parent_folder(file).unwrap_or("team/").len()..],
            _ => file,
        }
    }
}

impl MemoryRef<'_> {
    /// Its header, and when it was written; `None` when it is gone or cannot be read.
    pub fn head(&self) -> Option<(Header, Written)> {
        let (head, facts) = self.store.root().read_head(&self.file, HEADER_BYTES).ok()??;
        let header = Header::read(&head);
        let written = self.store.written(self.file.as_str(), &header, &facts);
        Some((header, written))
    }
}

/// The index of a scope, relative to its store.
pub(crate) fn index_of(scope: Scope) -> Result<RelPath, Refusal> {
    RelPath::parse(if scope == Scope::Team { "team/MEMORY.md" } else { "MEMORY.md" })
}

/// The index that points to a file of a scope: that of a further team, for what came from it.
pub(crate) fn index_for(scope: Scope, file: &RelPath) -> Result<RelPath, Refusal> {
    match parent_folder(file.as_str()).filter(|_| scope == Scope::Team) {
        Some(folder) => RelPath::parse(&format!("{folder}MEMORY.md")),
        None => index_of(scope),
    }
}

impl<'m> Files<'m> {
    /// Finds a memory by its file, with or without `.md`, in any scope.
    pub(super) fn find_file(self, typed: &str) -> Result<MemoryRef<'m>, Error> {
        let typed = typed.trim();
        let (only_user, name) = match typed.strip_prefix("user:").or_else(|| typed.strip_prefix("user/")) {
            Some(rest) => (true, rest),
            None => (false, typed.strip_prefix("private:").unwrap_or(typed)),
        };
        let absolute = self.memory.relative_to_a_root(name);
        let name = absolute.as_ref().map_or(name, |(_, rest)| rest.as_str());
        let names = [name.to_owned(), format!("{name}.md")];
        let mut refusal = None;
        for (scope, store) in self.memory.stores()? {
            if (only_user && scope != Scope::User) || absolute.as_ref().is_some_and(|(of, _)| *of != scope) {
                continue;
            }
            let prefixes: &[&str] = if scope == Scope::Private { &["", "team/"] } else { &[""] };
            for candidate in prefixes.iter().flat_map(|prefix| names.iter().map(move |name| format!("{prefix}{name}")))
            {
                match RelPath::parse(&candidate) {
                    Ok(file) if store.root().facts(&file)?.is_some() => {
                        let scope = if scope == Scope::Private && file.in_team() { Scope::Team } else { scope };
                        return Ok(MemoryRef { scope, store, file });
                    }
                    Ok(_) => {}
                    // What was typed is refused, not what it was looked for as.
                    Err(error) => refusal = refusal.or(Some(error)),
                }
            }
        }
        match refusal {
            Some(refusal) => Err(refusal.into()),
            None => Err(Error::Unknown(typed.to_owned())),
        }
    }
}

impl Memory {
    /// An absolute path below one of the roots, as a path in it.
    fn relative_to_a_root(&self, typed: &str) -> Option<(Scope, String)> {
        let path = std::path::Path::new(typed);
        if !path.is_absolute() {
            return None;
        }
        self.stores().ok()?.into_iter().find_map(|(scope, store)| {
            let rest = path.strip_prefix(store.root().path()).ok()?;
            Some((scope, rest.to_str()?.to_owned()))
        })
    }
}
