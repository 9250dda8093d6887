//! What a memory says about code: files, symbols, values, literals and commands it names.
//!
//! Enters: a memory's text. Leaves: the names in it, as it writes them. Pure reading: whether any of it is true is asked
//! elsewhere. Takes little for code: a word of English that is looked for in a file and not found would be a false alarm.

use std::path::{Component, Path};

use memdir_lexicon as lexicon;

/// Endings of files that a repository keeps and a memory names without its folder.
const ENDINGS: [&str; 30] = [
    "c", "cc", "cjs", "cpp", "cs", "css", "ex", "go", "gradle", "h", "hpp", "java", "js", "json", "jsx", "kt", "mjs",
    "php", "proto", "py", "rb", "rs", "scala", "sh", "sql", "swift", "tf", "toml", "ts", "tsx",
];
/// Files at the top of a project whose text says what is in use.
const MANIFESTS: [&str; 7] =
    ["Cargo.toml", "Gemfile", "Makefile", "go.mod", "package.json", "pyproject.toml", "requirements.txt"];

/// Relative file paths in a text: with a slash, a plain ending, and no way out of the project.
pub(super) fn paths(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| {
        let stays = Path::new(word).components().all(|part| matches!(part, Component::Normal(_)));
        word.contains('/') && stays && has_ending(word) && !word.contains("://") && word.len() < 200
    })
}

fn has_ending(word: &str) -> bool {
    Path::new(word).extension().is_some_and(|ending| {
        let ending = ending.to_string_lossy();
        (1..=5).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && ending.bytes().any(|byte| byte.is_ascii_alphabetic())
    })
}

/// File names without a folder that can hardly be anything else: `jest.config.cjs`, not `Node.js`.
pub(super) fn bare_files(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| {
        let Some((stem, ending)) = word.rsplit_once('.') else { return false };
        let telling = stem.contains(['_', '-', '.']) || stem.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
        let plain = stem.bytes().any(|byte| byte.is_ascii_alphabetic()) && !word.contains('@') && !word.contains('+');
        !word.contains('/') && ENDINGS.binary_search(&ending).is_ok() && telling && plain && word.len() < 100
    })
}

/// Files at the top of the project that a text names.
pub(super) fn manifests(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| MANIFESTS.binary_search(word).is_ok())
}

/// Identifiers that look like code, not like words: in code spans, or beyond doubt.
pub(super) fn symbols(text: &str) -> Vec<&str> {
    let spans = text.split('`').skip(1).step_by(2).filter(|span| {
        let mixed = span.contains('_') || span.bytes().skip(1).any(|byte| byte.is_ascii_uppercase());
        is_identifier(span) && mixed && span.bytes().any(|byte| byte.is_ascii_lowercase())
    });
    let plain = identifiers(text).filter(|word| {
        let lower = word.bytes().take_while(u8::is_ascii_lowercase).count();
        let camel = lower >= 3 && word.bytes().any(|byte| byte.is_ascii_uppercase()) && !word.contains('.');
        let snake = word.contains('_') && !word.bytes().any(|byte| byte.is_ascii_uppercase());
        let scoped = word.contains("::");
        word.len() >= 6 && word.len() <= 60 && (camel || snake || scoped) && !word.starts_with('_')
    });
    spans.chain(plain).collect()
}

fn is_identifier(word: &str) -> bool {
    (4..=60).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The parts of a name that may be in a file by themselves: `a::b` is written `use a;` and `b()`.
pub(super) fn parts(symbol: &str) -> impl Iterator<Item = &str> {
    symbol.split("::").flat_map(|part| part.split('.')).filter(|part| part.len() > 2)
}

/// A name with the number that a text gives it: `ttlMinutes is 20`, `SEED = 1337`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NamedValue<'t> {
    /// As the memory writes it.
    pub(super) said: &'t str,
    /// The name, without what it belongs to.
    pub(super) name: &'t str,
    pub(super) number: &'t str,
}

pub(super) fn values(text: &str) -> Vec<NamedValue<'_>> {
    let mut found = Vec::new();
    for name in identifiers(text) {
        let last = parts(name).last().unwrap_or(name);
        let code = last.contains('_')
            || last.bytes().skip(1).any(|byte| byte.is_ascii_uppercase())
            || (last.len() > 2 && last.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()));
        let start = name.as_ptr() as usize - text.as_ptr() as usize;
        let rest = &text[start + name.len()..];
        let rest = rest.trim_start_matches(['`', ' ']);
        let Some(rest) =
            ["=", ":", "is set to ", "is ", "was set to ", "set to "].iter().find_map(|link| rest.strip_prefix(link))
        else {
            continue;
        };
        let rest = rest.trim_start_matches([' ', '`']);
        let number = &rest[..rest
            .find(|letter: char| !(letter.is_ascii_digit() || matches!(letter, '.' | '_')))
            .unwrap_or(rest.len())];
        let number = number.trim_end_matches(['.', '_']);
        if code && !number.is_empty() {
            let end = number.as_ptr() as usize - text.as_ptr() as usize + number.len();
            found.push(NamedValue { said: &text[start..end], name: last, number });
        }
    }
    found
}

/// Addresses of networks, which are too telling to be in two places with two meanings.
pub(super) fn networks(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| {
        let (address, prefix) = word.split_once('/').unwrap_or((word, "0"));
        let four = address.split('.').count() == 4 && address.split('.').all(|part| part.parse::<u8>().is_ok());
        four && prefix.parse::<u8>().is_ok_and(|bits| bits <= 32)
    })
}

/// What runs a task of the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TaskRunner {
    Make,
    Just,
    Scripts,
}

/// A task that a text tells to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Task<'t> {
    /// As the memory writes it.
    pub(super) said: &'t str,
    pub(super) runner: TaskRunner,
    pub(super) name: &'t str,
}

/// `make integration-full`, `just bench`, `npm run build`: in a code span, or behind a word that means to run it.
pub(super) fn tasks(text: &str) -> Vec<Task<'_>> {
    let mut found = Vec::new();
    let all: Vec<&str> = text.split_whitespace().collect();
    for (at, window) in all.windows(2).enumerate() {
        let quoted = window[0].starts_with('`');
        let before =
            at.checked_sub(1).map(|before| all[before].trim_matches(|letter: char| !letter.is_ascii_alphabetic()));
        let meant = quoted || before.is_some_and(|word| lexicon::BEFORE_COMMAND.contains(&word.to_ascii_lowercase()));
        let (runner, name) = match window[0].trim_start_matches('`') {
            "make" => (TaskRunner::Make, window[1]),
            "just" => (TaskRunner::Just, window[1]),
            "npm" | "pnpm" | "yarn" | "bun" if window[1] == "run" => match all.get(at + 2) {
                Some(name) => (TaskRunner::Scripts, *name),
                None => continue,
            },
            _ => continue,
        };
        let name = name.trim_end_matches(['`', '.', ',', ';', ':', ')']);
        let plain = name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-:".contains(&byte));
        // "with make it is easy": without a code span only a name that is not an English word counts.
        let sure = quoted || runner == TaskRunner::Scripts || name.contains(['-', '_']);
        if plain && meant && sure && !name.starts_with('-') {
            let start = window[0].trim_start_matches('`').as_ptr() as usize - text.as_ptr() as usize;
            let end = name.as_ptr() as usize - text.as_ptr() as usize + name.len();
            found.push(Task { said: &text[start..end], runner, name });
        }
    }
    found
}

/// Runs of letters of an identifier, with `::` and `.` inside.
fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '_' | ':' | '.')))
        .map(|word| word.trim_matches(['.', ':']))
        .filter(|word| word.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic()))
        // Files and addresses are looked at by themselves.
        .filter(|word| {
            !has_ending(word) || word.contains("::") || word.rsplit('.').next().is_some_and(|last| last.len() > 4)
        })
}

/// Runs of path characters, without quotes, brackets, line numbers and the full stop of a sentence.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '/' | '.' | '_' | '-' | '+' | '@')))
        .map(|word| word.trim_matches(|letter| matches!(letter, '.' | '-' | '@' | '+')).trim_start_matches("./"))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_from_products() {
        let text =
            "Node.js and Vue.js read babel.config.js; RoutePlanner.kt is next to main.py, see v1.2.3 and Cargo.toml.";
        assert_eq!(bare_files(text).collect::<Vec<_>>(), ["babel.config.js", "RoutePlanner.kt"]);
        assert_eq!(manifests(text).collect::<Vec<_>>(), ["Cargo.toml"]);
    }

    #[test]
    fn symbols_are_told_from_words() {
        let text = "GitHub and PostgreSQL on macOS call parseHeader, tokio::select and read_frame; `RetryPolicy` too. e.g. iPhone.";
        let found = symbols(text);
        assert_eq!(found, ["RetryPolicy", "parseHeader", "tokio::select", "read_frame"]);
    }

    #[test]
    fn values_keep_how_they_were_said() {
        let said = |text| values(text).into_iter().map(|value| value.said).collect::<Vec<_>>();
        assert_eq!(said("maxRetries is 3 in a.ts"), ["maxRetries is 3"]);
        assert_eq!(said("Pool.maxIdle is set to 12."), ["Pool.maxIdle is set to 12"]);
        assert_eq!(said("`BATCH` = 64, LIMIT=9"), ["BATCH` = 64", "LIMIT=9"]);
        assert_eq!(said("The port is 80 and Anna is 30."), Vec::<&str>::new());
    }

    #[test]
    fn tasks_are_told_from_english() {
        let names = |text| tasks(text).into_iter().map(|task| task.said).collect::<Vec<_>>();
        assert_eq!(
            names("Run make lint-all and `make e2e`, then use npm run build."),
            ["make lint-all", "make e2e", "npm run build"]
        );
        assert_eq!(names("These make long-lived branches; we just re-run it. With make it works."), Vec::<&str>::new());
    }

    #[test]
    fn networks_are_addresses() {
        let found: Vec<&str> = networks("10.1.0.0/16, 192.168.1.7 but not 1.2.3, 300.1.1.1 or a/b.rs").collect();
        assert_eq!(found, ["10.1.0.0/16", "192.168.1.7"]);
    }
}
