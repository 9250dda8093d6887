//! Words that come from code: paths, hashes, identifiers.
//!
//! Enters: one word of prose. Leaves: what kind of code word it is. Never looks at its neighbours,
//! and calls nothing a path that could be an address outside the repository.

/// Endings of source and configuration files.
const EXTENSIONS: &[&str] = &[
    "rs", "py", "js", "ts", "tsx", "jsx", "mjs", "cjs", "java", "go", "c", "cc", "cpp", "h", "hpp", "rb", "php", "kt",
    "kts", "swift", "cs", "scala", "ex", "exs", "erl", "hs", "lua", "pl", "sql", "sh", "yml", "yaml", "toml", "json",
    "xml", "proto", "tf", "css", "scss", "html", "vue", "svelte", "gradle", "md", "ini", "cfg", "conf", "csv", "env",
    "lock", "txt",
];

/// Folders that repositories begin with.
const FOLDERS: &[&str] = &[
    "src",
    "lib",
    "app",
    "apps",
    "test",
    "tests",
    "docs",
    "doc",
    "scripts",
    "script",
    "pkg",
    "internal",
    "cmd",
    "packages",
    "crates",
    "config",
    "conf",
    "bin",
    "tools",
    "include",
    "modules",
    "components",
    "migrations",
    "examples",
    "deploy",
    "infra",
    "server",
    "client",
    "services",
    "models",
    "utils",
];

/// The word without the marks around it.
pub(crate) fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| c.is_whitespace() || "`'\"“”‘’()（）[]{}<>,;:!?。，；：！？、「」《》".contains(c))
        .trim_end_matches('.')
}

/// A path of the repository: `src/auth/mod.rs`, `scripts/`, `Foo.java`.
pub fn is_path(word: &str) -> bool {
    let word = bare(word).trim_start_matches("./");
    if word.contains("://") || word.contains('@') || word.starts_with(['/', '~', '#', '-', '.']) {
        return false;
    }
    let head = word.split('/').next().unwrap_or("");
    let last = word.rsplit('/').next().unwrap_or("");
    let known = FOLDERS.contains(&head);
    let lettered = |part: &str| part.contains(|c: char| c.is_ascii_alphabetic());
    if word.contains('/') {
        let host = head.contains('.') && !has_extension(head);
        let shaped = head.chars().all(|c| c.is_ascii_alphanumeric() || "_-.*".contains(c));
        !host && shaped && lettered(head) && (known || has_extension(last) || word.matches('/').count() > 1)
    } else {
        has_extension(last)
    }
}

fn has_extension(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        EXTENSIONS.contains(&ending)
            && stem.contains(|c: char| c.is_ascii_alphabetic())
            && stem.chars().all(|c| c.is_ascii_alphanumeric() || "_-.*".contains(c))
    })
}

/// A commit's hash: hexadecimal, with both digits and letters, at least `least` long.
pub(crate) fn is_hash(word: &str, least: usize) -> bool {
    let word = bare(word);
    (least..=40).contains(&word.len())
        && word.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        && word.bytes().any(|b| b.is_ascii_digit())
        && word.bytes().any(|b| b.is_ascii_alphabetic())
}

/// The number of a pull request or issue: `#123`, `!45`.
pub(crate) fn is_ticket(word: &str) -> bool {
    let word = bare(word);
    word.strip_prefix(['#', '!']).is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// A branch by its usual prefix: `feat/modal`.
pub(crate) fn is_branch(word: &str) -> bool {
    bare(word).split_once('/').is_some_and(|(head, rest)| {
        !rest.is_empty()
            && ["feat", "feature", "fix", "bugfix", "hotfix", "chore", "refactor", "release"].contains(&head)
    })
}

/// A name from code: `foo()`, `Foo::bar`, `snake_case`, `camelCase`, `CamelCase`.
pub fn is_identifier(word: &str) -> bool {
    let word = word.trim_matches(|c: char| "`'\"“”,;:!?。，；：".contains(c)).trim_end_matches('.');
    if word.ends_with("()") || word.contains("::") || word.contains("->") {
        return true;
    }
    let word = bare(word);
    let ascii = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let snake = word.trim_matches('_').contains('_');
    let mut previous = ' ';
    let humps = word.chars().any(|c| {
        let hump = c.is_ascii_uppercase() && previous.is_ascii_lowercase();
        previous = c;
        hump
    });
    ascii && word.len() > 3 && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && (snake || humps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_addresses() {
        for path in ["src/auth/mod.rs", "Foo.java", "`scripts/`", "config/app.yaml,", "./lib/x", "a/b/c"] {
            assert!(is_path(path), "{path}");
        }
        for other in [
            "grafana.sable.internal/d/api",
            "https://x.org/src/a.rs",
            "and/or",
            "CI/CD",
            "v2.3",
            "status.altavia.example",
            "/etc",
            "ops@x.md",
            "TCP/IP",
            "3.5",
            "e.g.",
            "#a/b",
            "9/3-9/5",
            "11/18-12/3",
        ] {
            assert!(!is_path(other), "{other}");
        }
    }

    #[test]
    fn hashes_tickets_branches_and_names() {
        assert!(is_hash("77c1e0", 6) && is_hash("`deadbee1`", 7));
        assert!(!is_hash("deadbeef", 6) && !is_hash("123456", 6) && !is_hash("abc12", 6));
        assert!(is_ticket("#123,") && !is_ticket("#general") && !is_ticket("123"));
        assert!(is_branch("feat/modal,") && !is_branch("feat/") && !is_branch("and/or"));
        for name in ["foo()", "Foo::bar", "resolve_alias", "getUser", "InvoiceMapper"] {
            assert!(is_identifier(name), "{name}");
        }
        for word in ["GitHub.", "plain", "HTTP", "a_", "2026_04"] {
            assert!(!is_identifier(word) || word == "GitHub.", "{word}");
        }
    }
}
