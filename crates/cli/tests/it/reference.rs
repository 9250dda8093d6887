//! docs/reference.md is what the program says of itself.

use super::env;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference.md");

#[test]
fn the_reference_is_what_the_program_says() {
    let made = env().run(&["reference"]).ok().stdout;
    let page = std::fs::read_to_string(PAGE).unwrap_or_default();
    let differs = page.lines().zip(made.lines()).position(|(old, new)| old != new);
    let line = differs.unwrap_or(page.lines().count().min(made.lines().count())) + 1;
    assert!(
        page == made,
        "docs/reference.md is not what the code says, from line {line} on: {:?} should be {:?}. \
         Make it anew: cargo run -- reference > docs/reference.md",
        page.lines().nth(line - 1),
        made.lines().nth(line - 1),
    );
}

#[test]
fn z1_z2_every_command_setting_and_variable_is_in_it() {
    let env = env();
    let page = env.run(&["reference"]).ok().stdout;
    for entry in env.json(&["settings"])["settings"].as_array().unwrap() {
        let key = entry["key"].as_str().unwrap();
        let variable = format!("MEMDIR_{}", key.replace('.', "_").to_uppercase());
        assert!(page.contains(&format!("`{key}`")) && page.contains(&format!("`{variable}`")), "{key} is missing");
    }
    let help = env.run(&["--help"]).ok().stdout;
    let commands = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    for command in commands.lines().filter_map(|line| line.split_whitespace().next()) {
        assert!(page.contains(&format!("\n### memdir {command}")), "{command} is missing");
    }
    for variable in memdir::settings::OTHER_VARIABLES {
        assert!(page.contains(&format!("`{variable}`")), "{variable} is missing");
    }
}

/// A variable that the library asks for is one that people can look up.
#[test]
fn every_variable_that_is_read_is_in_it() {
    let page = env().run(&["reference"]).ok().stdout;
    let mut count = 0;
    for (path, text) in
        super::sources().into_iter().filter(|(path, _)| !path.components().any(|part| part.as_os_str() == "tests"))
    {
        for name in text.split('"').filter(|word| word.starts_with("CLAUDE_") || word.starts_with("XDG_")) {
            if name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') && !name.ends_with('_') {
                count += 1;
                assert!(page.contains(&format!("`{name}`")), "{name} of {} is missing", path.display());
            }
        }
    }
    assert!(count > 10, "only {count} variables were found");
}

#[test]
fn it_is_not_offered_to_those_who_only_use_memdir() {
    let env = env();
    assert!(!env.run(&["--help"]).ok().stdout.contains("reference.md"));
    assert!(!env.run(&["man"]).ok().stdout.contains("reference.md"));
}

#[test]
fn the_page_on_embedding_shows_the_examples() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let read = |path: &str| std::fs::read_to_string(format!("{root}/{path}")).unwrap();
    for (name, most) in [("open", 12), ("embed", 50)] {
        let example = read(&format!("crates/memdir/examples/{name}.rs"));
        let shown = read("docs/embedding.md").contains(&format!("```rust\n{example}```\n"));
        assert!(shown, "docs/embedding.md differs from {name}.rs");
        assert!(example.lines().count() <= most, "{name}.rs: {} lines", example.lines().count());
    }
}
