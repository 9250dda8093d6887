//! What a memory is called wherever people see it.
//!
//! Enters: the name in its file, the file, and what its index calls it. Leaves: the name where it is one; where it is a slug or
//! missing, the title of the pointer; without a pointer the slug, read as words. Never changes a file.

use std::borrow::Cow;
use std::collections::HashMap;

use super::memory_ref::index_for;
use super::{Files, MemoryRef};
use memdir_core::kind::{Scope, Type};
use memdir_guard::confine::RelPath;
use memdir_store::Store;
use memdir_store::index::Index;
use memdir_team::parent_folder;

/// The titles that the indexes of one store give, each index read once and only when it is asked.
pub(super) struct Titles<'s> {
    store: &'s Store,
    /// By the folder of the index.
    indexes: HashMap<String, HashMap<String, String>>,
}

impl<'s> Titles<'s> {
    /// Those of a store.
    pub(super) fn of(store: &'s Store) -> Titles<'s> {
        Titles { store, indexes: HashMap::new() }
    }

    /// What the index of a memory calls it; `None`: no line points to it.
    pub(super) fn pointed(&mut self, scope: Scope, file: &str) -> Option<&str> {
        let folder = match scope {
            Scope::Team => parent_folder(file).unwrap_or("team/"),
            _ => "",
        };
        if !self.indexes.contains_key(folder) {
            let read = titles(self.store, scope, file).unwrap_or_default();
            self.indexes.insert(folder.to_owned(), read);
        }
        self.indexes.get(folder)?.get(file.strip_prefix(folder)?).map(String::as_str)
    }

    /// What a memory is called.
    pub(super) fn title<'t>(&'t mut self, scope: Scope, file: &'t str, name: Option<&'t str>) -> Cow<'t, str> {
        let pointed = if needs_title(name, file) { self.pointed(scope, file) } else { None };
        title(name, file, pointed)
    }
}

impl Files<'_> {
    /// What a memory is called whose file has this name; an index is called what it is.
    pub fn title(&self, memory_ref: &MemoryRef<'_>, name: Option<&str>) -> String {
        if memory_ref.file.is_index() {
            return memory_ref.file.to_string();
        }
        Titles::of(memory_ref.store).title(memory_ref.scope, memory_ref.file.as_str(), name).into_owned()
    }
}

/// Target and title of every line of the index that points to a file. The first of two lines counts.
fn titles(store: &Store, scope: Scope, file: &str) -> Option<HashMap<String, String>> {
    let index = index_for(scope, &RelPath::parse(file).ok()?).ok()?;
    let index = Index::parse(store.root().read(&index).ok()??);
    let mut titles = HashMap::new();
    for (target, title) in index.titles() {
        titles.entry(target.into_owned()).or_insert_with(|| title.into_owned());
    }
    Some(titles)
}

/// Decides what a memory is called. `pointed` is the title of its pointer, if it has one.
pub(super) fn title<'t>(name: Option<&'t str>, file: &'t str, pointed: Option<&'t str>) -> Cow<'t, str> {
    let stem = stem(file);
    let speaks = |text: &&str| !text.is_empty() && !is_slug(text, stem);
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    match name.filter(speaks).or(pointed.map(str::trim).filter(speaks)) {
        Some(said) => Cow::Borrowed(said),
        None => words(name.unwrap_or(stem)),
    }
}

/// Whether a name says less than a title would.
pub(super) fn needs_title(name: Option<&str>, file: &str) -> bool {
    name.is_none_or(|name| name.trim().is_empty() || is_slug(name.trim(), stem(file)))
}

fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.strip_suffix(".md").unwrap_or(name)
}

/// Whether a text is a name for machines: that of the file, or words joined by `-` or `_`.
fn is_slug(text: &str, stem: &str) -> bool {
    let text = text.strip_suffix(".md").unwrap_or(text);
    let joined = |mark: char| {
        text.contains(mark) && text.split(['-', '_']).all(|part| !part.is_empty() && part.chars().all(is_letter))
    };
    // `CI-CD` and `E2E-tests` are words of people; nobody writes `Two_words`.
    text == stem || joined('_') || (joined('-') && !text.chars().any(char::is_uppercase))
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '.'
}

/// A slug read as words, without the type that it may begin with. A date stays one.
fn words(slug: &str) -> Cow<'_, str> {
    let slug = slug.strip_suffix(".md").unwrap_or(slug);
    if !slug.chars().any(char::is_alphabetic) {
        return Cow::Borrowed(slug);
    }
    let typed = slug.split_once(['-', '_']).filter(|(first, rest)| Type::parse(first).is_some() && !rest.is_empty());
    let rest = typed.map_or(slug, |(_, rest)| rest);
    let mut words = rest.split(['-', '_']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if let Some(first) = words.chars().next() {
        words.replace_range(..first.len_utf8(), &first.to_uppercase().to_string());
    }
    Cow::Owned(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_and_a_slug_is_what_the_index_calls_it() {
        let index = Some("How the factor command rounds");
        let cases = [
            // (name, file, what the index says, what people see)
            (Some("No mocks in tests"), "feedback_no_mocks.md", index, "No mocks in tests"),
            (Some("factor-command-semantics"), "factor.md", index, "How the factor command rounds"),
            (Some("feedback_x_y"), "a/b.md", index, "How the factor command rounds"),
            (Some("rollout"), "rollout.md", index, "How the factor command rounds"),
            (Some("rollout.md"), "rollout.md", index, "How the factor command rounds"),
            (None, "rollout.md", index, "How the factor command rounds"),
            (Some("  "), "rollout.md", index, "How the factor command rounds"),
            (Some("배포-규칙"), "x.md", Some("배포는 금요일에 하지 않는다"), "배포는 금요일에 하지 않는다"),
            // Words of people that only look joined.
            (Some("CI-CD"), "ci.md", index, "CI-CD"),
            (Some("Rollout"), "rollout.md", index, "Rollout"),
            (Some("部署"), "deploy.md", index, "部署"),
            (Some("Node 22 - not 20"), "node.md", index, "Node 22 - not 20"),
        ];
        for (name, file, index, want) in cases {
            assert_eq!(title(name, file, index), want, "{name:?} in {file}");
        }
    }

    #[test]
    fn without_a_line_that_says_more_a_slug_is_read_as_words() {
        let cases = [
            (Some("factor-command-semantics"), "factor.md", None, "Factor command semantics"),
            (Some("feedback_no_mocks"), "x.md", Some("feedback_no_mocks"), "No mocks"),
            (Some("no-mocks"), "x.md", Some("x.md"), "No mocks"),
            (None, "team/project_über_alles.md", None, "Über alles"),
            (None, "user.md", None, "User"),
            (None, "user_.md", None, "User"),
            (None, "logs/2026/04/2026-04-14.md", None, "2026-04-14"),
            (None, "메모_하나.md", None, "메모 하나"),
        ];
        for (name, file, index, want) in cases {
            assert_eq!(title(name, file, index), want, "{name:?} in {file}");
        }
    }
}
