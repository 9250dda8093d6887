//! A file that aider reads, and its name in `.aider.conf.yml`.

use crate::install::{ConfigDir, FileEdit, Recipe, Target, YamlEntry};

const SETTINGS: &str = ".aider.conf.yml";

pub(super) const RECIPE: Recipe = Recipe {
    signs: &[SETTINGS],
    serves: false,
    notes: &[
        "aider has neither hooks nor tools; it is told to suggest recall by hand. A project with a `read:` of its own in .aider.conf.yml does not see it; for the index there, add <memory directory>/MEMORY.md.",
    ],
    ..Recipe::of(ConfigDir::Home(".aider"), changes)
};

fn changes(target: &Target<'_>) -> Vec<FileEdit> {
    let file = target.file("memdir.md");
    let entry = YamlEntry::Item { key: "read", text: file.display().to_string() };
    vec![target.instructions(file), FileEdit::Yaml { path: target.home.join(SETTINGS), entry }]
}
