//! Files that an operation touches, and whether a memory's words mean them.
//!
//! Enters: the path of a call, and a path, directory or pattern as a memory writes it. Leaves: whether the one is the other.
//! Compares text only: nothing is looked up, and case does not matter.

use memdir_lexicon::programs;

/// How a file is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TouchKind {
    Read,
    /// Given to a program that does something with it.
    Use,
    Write,
    Delete,
}

/// A file that is touched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    /// In small letters, seen from the project.
    pub(super) path: String,
    pub(super) how: TouchKind,
    /// The kinds of files it is one of (`programs::KIND_OF_FILE`).
    pub(super) kinds: Vec<&'static str>,
}

impl Touch {
    pub(super) fn new(path: &str, root: &str, how: TouchKind) -> Touch {
        let path = seen_from(path, root);
        let fits = |patterns: &[&str]| patterns.iter().any(|pattern| means(&pattern.to_lowercase(), &path));
        let kinds =
            programs::KIND_OF_FILE.iter().filter(|(_, patterns)| fits(patterns)).map(|(kind, _)| *kind).collect();
        Touch { path, how, kinds }
    }

    pub(super) fn read(path: &str, root: &str) -> Touch {
        Touch::new(path, root, TouchKind::Read)
    }

    pub(super) fn write(path: &str, root: &str) -> Touch {
        Touch::new(path, root, TouchKind::Write)
    }
}

fn seen_from(path: &str, root: &str) -> String {
    let inside = path.strip_prefix(root).filter(|rest| !root.is_empty() && (rest.is_empty() || rest.starts_with('/')));
    let mut parts: Vec<&str> = Vec::new();
    for part in inside.unwrap_or(path).split('/').filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." && parts.last().is_some_and(|last| *last != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/").to_lowercase()
}

/// Whether a word looks like the path of something: with a directory, an extension, or a pattern.
pub(super) fn is_path(word: &str) -> bool {
    if word.starts_with('-')
        || word.contains("://")
        || word.contains(['(', '=', '"', '|', '<', '>', '`', '$'])
        || word.contains("..")
    {
        return false;
    }
    let base = word.trim_end_matches('/').rsplit('/').next().unwrap_or(word);
    let extension = base.rsplit_once('.').is_some_and(|(_, extension)| {
        (1..=10).contains(&extension.len())
            && extension.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && extension.bytes().any(|byte| byte.is_ascii_alphabetic())
    });
    (word.contains('/') && word.contains(char::is_alphabetic) && !word.starts_with('@'))
        || extension
        || word.contains('*')
}

/// Whether a word looks like the address of a host: `api.shop.example`, and not the name of a file.
pub(super) fn is_host(word: &str) -> bool {
    let host = word.split_once("://").map_or(word, |(_, rest)| rest);
    let host = host.split(['/', ':']).next().unwrap_or(host).to_lowercase();
    let Some((name, top)) = host.rsplit_once('.') else { return false };
    let known = |extension: &str| {
        let pattern = format!("*.{extension}");
        programs::KIND_OF_FILE.iter().any(|(_, patterns)| patterns.contains(&pattern.as_str()))
    };
    !name.is_empty()
        && top.len() > 1
        && top.bytes().all(|byte| byte.is_ascii_lowercase())
        && !known(top)
        && !word.starts_with(['.', '*'])
        && (name.contains('.')
            || name.contains('-')
            || word.contains("://")
            || matches!(top, "com" | "org" | "net" | "io" | "dev" | "internal" | "lan" | "local"))
}

/// Whether what a memory calls a path means this one: the file, a directory above it, or a pattern it fits. A path means all
/// that end like it, wherever the project lies.
pub(super) fn means(said: &str, path: &str) -> bool {
    let said = said.trim_start_matches("./").trim_start_matches("~/").trim_start_matches("**/").trim_matches('/');
    let path = path.trim_end_matches('/');
    if said.is_empty() {
        return false;
    }
    // ".sql files".
    if said.starts_with('.') && !said[1..].contains(['.', '/', '*']) && path.ends_with(said) {
        return true;
    }
    let parts: Vec<&str> = path.split('/').collect();
    let wanted: Vec<&str> = said.split('/').collect();
    // At any depth; a path that goes on behind what was said lies below it.
    (0..parts.len()).any(|from| {
        if said.contains(['*', '?', '{', '[']) {
            fits_all(&wanted, &parts[from..])
        } else {
            parts[from..].starts_with(&wanted)
        }
    }) || (path.contains('*') && fits_all(&parts, &wanted))
}

fn fits_all(wanted: &[&str], parts: &[&str]) -> bool {
    match (wanted.split_first(), parts.split_first()) {
        // What lies below a directory that fits is meant too, unless the pattern ends in a name of files.
        (None, _) => true,
        (Some((&"**", rest)), _) => (0..=parts.len()).any(|skip| fits_all(rest, &parts[skip..])) && !parts.is_empty(),
        (Some(_), None) => false,
        (Some((first, rest)), Some((part, more))) => {
            fits(first.as_bytes(), part.as_bytes())
                && (!rest.is_empty() || more.is_empty() || !first.contains('*'))
                && fits_all(rest, more)
        }
    }
}

/// Whether one part of a path fits one part of a pattern.
fn fits(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|skip| fits(rest, &text[skip..])),
        Some((b'?', rest)) => !text.is_empty() && fits(rest, &text[1..]),
        Some((b'{', rest)) => {
            let Some(end) = rest.iter().position(|byte| *byte == b'}') else { return false };
            rest[..end]
                .split(|byte| *byte == b',')
                .any(|choice| text.strip_prefix(choice).is_some_and(|left| fits(&rest[end + 1..], left)))
        }
        Some((byte, rest)) => text.first() == Some(byte) && fits(rest, &text[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v1_a_file_a_directory_and_a_pattern_mean_what_lies_below() {
        for (said, path, meant) in [
            ("db/migrations", "db/migrations/001.sql", true),
            ("db/migrations/", "srv/db/migrations/001.sql", true),
            ("migrations", "db/migrations/001.sql", true),
            ("db/migrations", "db/migrations.md", false),
            ("src/gen/**", "src/gen/a/b.ts", true),
            ("src/gen/*", "src/gen/a.ts", true),
            ("*.proto", "api/v1/x.proto", true),
            ("**/*.proto", "api/v1/x.proto", true),
            ("*.proto", "api/v1/x.proton", false),
            ("src/**/*.test.ts", "src/a/b/c.test.ts", true),
            ("src/**/*.test.ts", "lib/a.test.ts", false),
            (".nc", "parts/a.nc", true),
            (".env", "web/.env", true),
            (".env", "web/.envrc", false),
            ("infra/{prod,live}/main.tf", "infra/prod/main.tf", true),
            ("./docs/a.md", "docs/a.md", true),
            ("raw", "photos/raw/*.jpg", true),
            ("", "a", false),
        ] {
            assert_eq!(means(said, path), meant, "{said} {path}");
        }
    }

    #[test]
    fn v1_paths_are_seen_from_the_project() {
        assert_eq!(Touch::read("/w/app/./src/../Db/x.sql", "/w/app").path, "db/x.sql");
        assert_eq!(Touch::read("/w/apple/x", "/w/app").path, "w/apple/x");
        assert!(
            is_host("api.shop.example") && is_host("https://x.test/a") && !is_host("main.py") && !is_host("a.test.ts")
        );
        assert!(is_path("src/a.rs") && is_path("*.sql") && is_path(".env") && !is_path("v1.2") && !is_path("--x=a/b"));
    }
}
