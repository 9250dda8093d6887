//! goose's extension in `config.yaml`, and what it is told in `.goosehints`.

use crate::install::{ConfigDir, FileEdit, NAME, Recipe, Target, YamlEntry, quoted};

pub(super) const RECIPE: Recipe = Recipe {
    notes: &["goose takes no answers from hooks; it is told to ask memdir itself, with tools of memdir's own."],
    ..Recipe::of(ConfigDir::Config("goose"), changes)
};

fn changes(target: &Target<'_>) -> Vec<FileEdit> {
    let entry = YamlEntry::Below { key: "extensions", lines: extension(target.machine.memdir) };
    vec![
        FileEdit::Yaml { path: target.file("config.yaml"), entry },
        target.instruction_block(target.file(".goosehints")),
    ]
}

/// The lines of our extension.
fn extension(program: &str) -> Vec<String> {
    [
        "enabled: true",
        "type: stdio",
        &format!("name: {NAME}"),
        "description: Long-term memory as plain files",
        &format!("cmd: {}", quoted(program)),
        "args:",
        "- mcp",
        "envs: {}",
        "env_keys: []",
        "timeout: 60",
    ]
    .map(str::to_owned)
    .to_vec()
}
