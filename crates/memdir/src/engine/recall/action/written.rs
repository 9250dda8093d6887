//! What a file is about to say: the names in it that were not there before.
//!
//! Enters: the new text of a file, and the old one. Leaves: names, calls, imported modules and lines to look in. Never keeps
//! more than a bounded part of the text, and never looks at the file.

use std::collections::BTreeSet;

use memdir_core::limits::ACTION_CONTENT_BYTES;

/// What is written.
#[derive(Clone, Debug, Default)]
pub(super) struct NewContent {
    /// The new text, as it is.
    pub(super) text: String,
    /// The text it replaces.
    old: String,
    /// Names, in small letters.
    pub(super) names: BTreeSet<String>,
    /// Names that are called.
    pub(super) called: BTreeSet<String>,
    /// Modules and packages that are brought in.
    pub(super) modules: BTreeSet<String>,
}

impl NewContent {
    pub(super) fn of(path: &str, new: &str, old: &str) -> NewContent {
        let text = new[..new.floor_char_boundary(ACTION_CONTENT_BYTES)].to_owned();
        let old = old[..old.floor_char_boundary(ACTION_CONTENT_BYTES)].to_owned();
        let mut names = names_of(&text);
        for name in names_of(&old) {
            names.remove(&name);
        }
        let called = called_in(&text);
        let modules = modules_of(path, &text);
        NewContent { text, old, names, called, modules }
    }

    /// Whether the new text says these very letters, and the old one does not.
    pub(super) fn says(&self, code: &str) -> bool {
        stands_in(code, &self.text) && !stands_in(code, &self.old)
    }

    /// Whether two words stand side by side in it, in either order.
    pub(super) fn joins(&self, one: &str, other: &str) -> bool {
        let is = |word: &str, name: &str| {
            word == name || word.strip_suffix('s') == Some(name) || name.strip_suffix('s') == Some(word)
        };
        self.text.lines().any(|line| {
            let lower = line.to_lowercase();
            let words: Vec<&str> =
                lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            words
                .windows(2)
                .any(|pair| is(pair[0], one) && is(pair[1], other) || is(pair[0], other) && is(pair[1], one))
        })
    }
}

/// Whether a piece of code is in a text, not inside of a longer name.
fn stands_in(code: &str, text: &str) -> bool {
    let code = code.trim_end_matches("()").trim_end_matches('(');
    if code.is_empty() {
        return false;
    }
    let part_of_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let first = code.starts_with(part_of_name);
    let last = code.ends_with(part_of_name);
    text.match_indices(code).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + code.len()..].chars().next();
        !(first && before.is_some_and(part_of_name) || last && after.is_some_and(part_of_name))
    })
}

fn names_of(text: &str) -> BTreeSet<String> {
    let parts = text.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.')));
    let whole = parts.map(|part| part.trim_matches(['.', '-']).to_lowercase()).filter(|part| part.len() > 1);
    let mut names: BTreeSet<String> = whole.collect();
    let pieces: Vec<String> = names.iter().flat_map(|name| name.split(['.', '-']).map(str::to_owned)).collect();
    names.extend(pieces);
    names
}

fn called_in(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices(['(', '!']) {
        let name: String =
            text[..at].chars().rev().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        if !name.is_empty() {
            found.insert(name.chars().rev().collect::<String>().to_lowercase());
        }
    }
    found
}

fn modules_of(path: &str, text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let clean = |word: &str| {
        word.trim_matches(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '-' | '@' | '/')))
            .to_lowercase()
    };
    let listing =
        ["package.json", "requirements", "cargo.toml", "pyproject.toml", "gemfile", "composer.json", "go.mod"];
    let lists = listing.iter().any(|name| path.contains(name));
    for line in text.lines() {
        let line = line.trim();
        let opens = [
            "import ",
            "from ",
            "use ",
            "#include",
            "require",
            "using ",
            "library(",
            "const ",
            "export ",
            "@import",
            "extern crate",
        ];
        let imports =
            opens.iter().any(|open| line.starts_with(open)) || line.contains("require(") || line.contains("import(");
        if imports || lists {
            for word in
                line.split([' ', '"', '\'', '(', ')', ';', ',', '<', '>', ':', '=', '{', '}', '[', ']', '~', '^'])
            {
                let word = clean(word);
                found.extend(word.split(['/', '.']).map(str::to_owned));
                found.insert(word);
            }
        }
    }
    found
}
