//! `@path` mentions in instruction files (C2): which there are, and what they point at.
//!
//! Enters: the text of a file, or one mention and where it was written. Leaves: mentions in
//! order, candidate paths, whether a file is text. Never touches a file: what may be read and
//! what is read is decided in [`crate::rules`].

use std::path::{Component, Path, PathBuf};

use crate::prose::prose;
use memdir_core::limits::{BINARY_PROBE_BYTES, INCLUDE_PATH_BYTES};

/// Files that are text by their name; others are not included.
#[rustfmt::skip] // One extension a line would fill two screens.
const TEXT_EXTENSIONS: &[&str] = &[
    "adoc", "asciidoc", "astro", "awk", "bash", "bat", "c", "cc", "cfg", "cjs", "clj", "cmake",
    "cmd", "conf", "cpp", "cs", "css", "csv", "cts", "cxx", "dart", "diff", "dockerfile", "elm",
    "erl", "ex", "exs", "fish", "fs", "go", "gql", "gradle", "graphql", "groovy", "h", "hbs",
    "hcl", "hpp", "hrl", "hs", "htm", "html", "hxx", "ini", "java", "jl", "js", "json", "json5",
    "jsonc", "jsx", "kt", "kts", "less", "lhs", "lock", "log", "lua", "m", "make", "markdown",
    "md", "mdc", "mdx", "mjs", "mk", "ml", "mli", "mm", "mts", "nim", "nix", "org", "patch",
    "php", "pl", "pm", "prisma", "properties", "proto", "ps1", "py", "pyi", "r", "rb", "rs",
    "rst", "sass", "sbt", "scala", "scss", "sh", "sol", "sql", "svelte", "swift", "tex", "text",
    "tf", "toml", "ts", "tsv", "tsx", "txt", "v", "vim", "vue", "xml", "xsd", "yaml", "yml",
    "zig", "zsh",
];

/// Prose, in which `@path` means an include; in code an `@` is a decorator or an import.
const PROSE_EXTENSIONS: &[&str] = &["adoc", "asciidoc", "markdown", "md", "mdc", "mdx", "org", "rst", "text", "txt"];

/// The mentions in a text as they are written, without the `@`, in order.
///
/// A mention starts at the start of a word and reaches to the next white space (`\ ` is a space
/// in the path), less the punctuation at its end. Code and comments are not looked at.
pub fn mentions(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for range in prose(text) {
        let mut at = range.start;
        while let Some(offset) = text[at..range.end].find('@') {
            let path_start = at + offset + 1;
            if !starts_word(&text[..path_start - 1]) {
                at = path_start;
                continue;
            }
            let (path, length) = word(&text[path_start..range.end]);
            at = path_start + length;
            let path = path.trim_end_matches(ends_phrase);
            if is_path(path) {
                found.push(path.to_owned());
            }
        }
    }
    found
}

fn starts_word(before: &str) -> bool {
    before.chars().next_back().is_none_or(|c| c.is_whitespace() || "([{\"'*“‘「（".contains(c))
}

/// Everything up to white space, with escaped spaces unescaped, and how far it reaches.
fn word(text: &str) -> (String, usize) {
    let mut path = String::new();
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\\' && chars.next_if(|(_, next)| *next == ' ').is_some() {
            path.push(' ');
        } else if c.is_whitespace() || c.is_control() {
            return (path, at);
        } else {
            path.push(c);
        }
    }
    (path, text.len())
}

fn ends_phrase(c: char) -> bool {
    ".,;:!?)]}>\"'*”’」)。,、;:!?".contains(c)
}

fn is_path(path: &str) -> bool {
    let first = match path.strip_prefix("~/").or_else(|| path.strip_prefix('/')) {
        Some(rest) => rest.chars().next(),
        None => path.chars().next(),
    };
    path.len() <= INCLUDE_PATH_BYTES && first.is_some_and(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-'))
}

/// The files that a mention in `from` can mean, best first: as written, then without `#section`.
pub(super) fn candidates(written: &str, from: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let without_section = written.split_once('#').map(|(path, _)| path);
    [Some(written), without_section]
        .into_iter()
        .flatten()
        .filter(|path| !path.is_empty())
        .filter_map(|path| match path.strip_prefix("~/") {
            Some(rest) => Some(home?.join(rest)),
            None => Some(from.parent()?.join(path)),
        })
        .collect()
}

/// Whether somebody who wrote this surely meant a file: `@alice` and `@scope/package` may well
/// name something else, and are no news when no such file exists.
pub(super) fn surely_a_file(written: &str) -> bool {
    let path = Path::new(written.split('#').next().unwrap_or(written));
    let rooted =
        matches!(path.components().next(), Some(Component::CurDir | Component::ParentDir | Component::RootDir));
    rooted || written.starts_with("~/") || extension(path).is_some_and(|e| is_in(&e, TEXT_EXTENSIONS))
}

/// Whether a file of this name is text. Names without an extension (`README`) are, hidden ones
/// (`.env`) are not: what they hold is rarely meant for a model.
pub(super) fn is_text_name(path: &Path) -> bool {
    match extension(path) {
        Some(extension) => is_in(&extension, TEXT_EXTENSIONS),
        None => path.file_name().is_some_and(|name| !name.as_encoded_bytes().starts_with(b".")),
    }
}

/// Whether mentions in a file of this name are includes.
pub(super) fn may_include(path: &Path) -> bool {
    extension(path).is_none_or(|extension| is_in(&extension, PROSE_EXTENSIONS))
}

/// Whether bytes are text: no NUL near the start.
pub(super) fn is_text(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(BINARY_PROBE_BYTES)]).is_none()
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_string_lossy().to_ascii_lowercase())
}

fn is_in(extension: &str, table: &[&str]) -> bool {
    table.binary_search(&extension).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn c2_what_is_a_mention() {
        let cases: &[(&str, &[&str])] = &[
            ("@a.md", &["a.md"]),
            ("see @./a.md and @~/b.md, @/c.md; @d/e.md.", &["./a.md", "~/b.md", "/c.md", "d/e.md"]),
            ("- @../up.md\n- (@docs/x.md)", &["../up.md", "docs/x.md"]),
            ("@README for the overview", &["README"]),
            ("@.claude/extra.md", &[".claude/extra.md"]),
            ("@with\\ space.md x", &["with space.md"]),
            ("@说明/文件.md。", &["说明/文件.md"]),
            ("**@bold.md**", &["bold.md"]),
            ("mail me@host.md or x.@y.md", &[]),
            ("`@a.md` ``@b.md``", &[]),
            ("```\n@a.md\n```\n\n    @b.md\n", &[]),
            ("<!-- @a.md -->", &[]),
            ("@ a @@b.md @#x @(y) @~ @/ @~user/x", &[]),
            ("@a\0b.md", &["a"]),
        ];
        for (text, want) in cases {
            assert_eq!(mentions(text), *want, "{text:?}");
        }
    }

    #[test]
    fn c2_where_a_mention_points() {
        let (from, home) = (Path::new("/p/docs/a.md"), Some(Path::new("/home/me")));
        let paths = |written| candidates(written, from, home);
        assert_eq!(paths("./b.md"), [Path::new("/p/docs/./b.md")]);
        assert_eq!(paths("b.md#x"), [Path::new("/p/docs/b.md#x"), Path::new("/p/docs/b.md")]);
        assert_eq!(paths("~/b.md"), [Path::new("/home/me/b.md")]);
        assert_eq!(paths("/b.md"), [Path::new("/b.md")]);
        assert!(candidates("~/b.md", from, None).is_empty());
    }

    #[test]
    fn c2_text_is_told_by_name_and_content() {
        for table in [TEXT_EXTENSIONS, PROSE_EXTENSIONS] {
            assert!(table.is_sorted(), "the tables are searched by halves");
        }
        for name in ["a.md", "a.MD", "README", "Makefile", "x/a.rs", ".eslintrc.json"] {
            assert!(is_text_name(Path::new(name)), "{name}");
        }
        for name in ["a.png", "a.pdf", ".env", "id.pem", "a.", "x.exe"] {
            assert!(!is_text_name(Path::new(name)), "{name}");
        }
        assert!(is_text("é".as_bytes()) && is_text(b"") && is_text(b"\xff\xfe"));
        assert!(!is_text(b"a\0b"));
        assert!(may_include(Path::new("a.md")) && !may_include(Path::new("a.ts")));
    }

    #[test]
    fn c2_only_what_was_surely_meant_is_worth_reporting() {
        for written in ["./x", "../x", "~/x", "/x", "docs/x.md", "x.toml#table"] {
            assert!(surely_a_file(written), "{written}");
        }
        for written in ["alice", "types/node", "angular/core"] {
            assert!(!surely_a_file(written), "{written}");
        }
    }

    #[test]
    fn c2_hostile_mentions_cost_linear_time() {
        for piece in ["@", "(@", " @", "@a\\ ", "@a/"] {
            mentions(&piece.repeat(1 << 18));
        }
    }

    proptest! {
        #[test]
        fn c2_mentions_never_hold_white_space_ends_or_controls(text in r"(@|[a-z/.~`\\ (]|\PC|\n|\x00){0,60}") {
            for path in mentions(&text) {
                prop_assert!(!path.is_empty() && !path.contains(['\n', '\0']));
                prop_assert!(path.trim_end_matches(ends_phrase) == path);
            }
        }
    }
}
