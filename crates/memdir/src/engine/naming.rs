//! A memory by what somebody calls it: its file, its title, the beginning of either, words about it.
//!
//! Enters: what was typed. Leaves: the one memory of exactly that file or title; or those that may be meant, for a person to
//! choose from. Never takes a memory that merely sounds like it for the one that was named.

use super::{Error, Files, Listed, Listing, MemoryRef, PossibleMemory};
use memdir_core::kind::Scope;
use memdir_core::nearest::nearest;
use memdir_reader::likeness;

/// What a name may mean.
pub struct NameMatches {
    /// The memories, the likeliest first; never none.
    pub memories: Vec<Listed<'static>>,
    /// It is the file or the title of the only one.
    pub exact: bool,
}

impl<'m> Files<'m> {
    /// Finds a memory by its file, with or without `.md`, in any scope, or by its title. What only comes near is named in
    /// the error.
    pub fn find(&self, typed: &str) -> Result<MemoryRef<'m>, Error> {
        match self.find_file(typed) {
            Err(Error::Unknown(_)) => {}
            found => return found,
        }
        let meant = self.meant_by(typed.trim())?;
        match meant.memories.as_slice() {
            [only] if meant.exact => self.find_file(&only.path()),
            several => {
                let near = several.iter().map(candidate).collect();
                Err(Error::NotExactly { typed: typed.trim().to_owned(), near, misspelled: false })
            }
        }
    }

    /// What a name may mean: the memory of that file or title, or else every memory whose file or title begins so or that
    /// is about these words. Where nothing fits, the error names what was probably meant to be typed.
    pub fn meant(&self, typed: &str) -> Result<NameMatches, Error> {
        match self.find_file(typed) {
            Err(Error::Unknown(_)) => self.meant_by(typed.trim()),
            Err(error) => Err(error),
            Ok(memory_ref) => {
                let (file, scope) = (memory_ref.file.to_string(), memory_ref.scope);
                let same = |listed: &Listed<'_>| listed.file == file && listed.scope == scope;
                let memories: Vec<_> = self.list()?.memories().filter(same).map(Listed::into_owned).collect();
                if memories.is_empty() {
                    // A listing passes over what it cannot open; who names that very file has to hear of it.
                    memory_ref.store.root().read(&memory_ref.file)?;
                    return Err(Error::Refused(format!("{file} is there, but could not be listed; try again")));
                }
                Ok(NameMatches { memories, exact: true })
            }
        }
    }

    fn meant_by(self, typed: &str) -> Result<NameMatches, Error> {
        let listing = self.list()?;
        let own = |listed: Listed<'_>| listed.into_owned();
        let called: Vec<_> = listing.memories().filter(|listed| is_called(listed, typed)).map(own).collect();
        if !called.is_empty() {
            return Ok(NameMatches { exact: called.len() == 1, memories: called });
        }
        // Who names a file means that file: never guess another one from its letters.
        let memories = if names_a_file(typed) { Vec::new() } else { about(&listing, typed) };
        if !memories.is_empty() {
            return Ok(NameMatches { memories, exact: false });
        }
        Err(match misspelled(&listing, typed) {
            Some(near) => Error::NotExactly { typed: typed.to_owned(), near: vec![near], misspelled: true },
            None => Error::Unknown(typed.to_owned()),
        })
    }
}

/// Those whose file or title begins so, then those about these words.
fn about(listing: &Listing, typed: &str) -> Vec<Listed<'static>> {
    let wanted = likeness::words(typed);
    let begins = |listed: &Listed<'_>| begins_with(listed, typed);
    let about = |listed: &Listed<'_>| {
        !wanted.is_empty() && !begins(listed) && {
            let words = likeness::words(&everything_said_of(listed));
            wanted.iter().all(|word| words.contains(word))
        }
    };
    let own = |listed: Listed<'_>| listed.into_owned();
    let mut found: Vec<_> = listing.memories().filter(begins).map(own).collect();
    // Words joined like those of a file are the beginning of its name.
    if !found.is_empty() && typed.contains('_') {
        return found;
    }
    found.extend(listing.memories().filter(about).map(own));
    found
}

/// The memory whose file or title differs from what was typed by a slip.
fn misspelled(listing: &Listing, typed: &str) -> Option<PossibleMemory> {
    let plain = slug(base(typed));
    let names: Vec<(String, PossibleMemory)> = listing
        .memories()
        .flat_map(|listed| {
            let (file, title) = (slug(base(&listed.file)), slug(&listed.title));
            let bare = without_type(&file).to_owned();
            [file, bare, title].map(|name| (name, candidate(&listed)))
        })
        .collect();
    let near = nearest(&plain, names.iter().map(|(name, _)| name.as_str()))?;
    names.iter().find(|(name, _)| name == near).map(|(_, of)| of.clone())
}

fn candidate(listed: &Listed<'_>) -> PossibleMemory {
    let name = match listed.scope {
        Scope::User => format!("user:{}", listed.file),
        _ => listed.file.to_string(),
    };
    PossibleMemory { name, title: listed.title.to_string() }
}

fn names_a_file(typed: &str) -> bool {
    typed.ends_with(".md") || typed.contains('/')
}

fn is_called(listed: &Listed<'_>, typed: &str) -> bool {
    let same = |name: &str| name.trim().to_lowercase() == typed.to_lowercase();
    same(&listed.title) || listed.name.as_deref().is_some_and(same)
}

fn begins_with(listed: &Listed<'_>, typed: &str) -> bool {
    match_kind(typed, &listed.file, Some(&listed.title)).is_some()
}

/// How well a name fits a memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MatchKind {
    /// It is its file, with or without type and extension, or its title.
    Whole,
    /// One of those begins so.
    Beginning,
}

/// How well what was typed fits a memory of this file and title.
pub(super) fn match_kind(typed: &str, file: &str, title: Option<&str>) -> Option<MatchKind> {
    let (typed, file) = (slug(typed.strip_suffix(".md").unwrap_or(typed)), slug(base(file)));
    let title = title.map(slug).unwrap_or_default();
    let names = [without_type(&file), &file, &title];
    match () {
        () if typed.is_empty() => None,
        () if names.contains(&typed.as_str()) => Some(MatchKind::Whole),
        () => names.iter().any(|name| name.starts_with(&typed)).then_some(MatchKind::Beginning),
    }
}

fn everything_said_of(listed: &Listed<'_>) -> String {
    let stem = listed.file.trim_end_matches(".md").replace(['_', '-', '/', '.'], " ");
    let said = |text: Option<&str>| text.unwrap_or_default().to_owned();
    format!("{stem} {} {} {}", listed.title, said(listed.name.as_deref()), said(listed.description.as_deref()))
}

/// The last part of a path, without its extension.
fn base(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.strip_suffix(".md").unwrap_or(name)
}

/// Letters and digits, small, with one mark between words: how files and titles are compared.
fn slug(text: &str) -> String {
    let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("_").to_lowercase()
}

/// A file's name without the type that it may begin with.
fn without_type(stem: &str) -> &str {
    let typed = stem.split_once('_').filter(|(first, _)| memdir_core::kind::Type::parse(first).is_some());
    typed.map_or(stem, |(_, rest)| rest)
}
