//! The words of a command as paths: home and working directory filled in, patterns as the names they stand for.
//!
//! Enters: a word of a judged command. Leaves: text, and for a pattern the files that are there. Used by whoever decides
//! about a command and by whoever runs it, so that both see the same files. Never opens a file.

use std::path::{Path, PathBuf};

use super::glob::matcher;
use memdir_core::limits;
use memdir_guard::shell::{Piece, Word};

/// A word as text, and as a pattern of file names if it is one.
pub(super) fn filled_in(word: &Word, cwd: &Path, home: Option<&Path>) -> Result<(String, Option<String>), String> {
    let (mut text, mut pattern, mut is_one) = (String::new(), String::new(), false);
    for piece in &word.pieces {
        let known = match piece {
            Piece::Bare(bare) => {
                is_one |= bare.contains(['*', '?', '[']);
                text.push_str(bare);
                // Braces were turned away before; a stray one stands for itself.
                pattern.push_str(&bare.replace('{', "[{]").replace('}', "[}]"));
                continue;
            }
            Piece::Quoted(text) => text.clone(),
            Piece::Home => home.ok_or("the home directory is not known; write the path")?.display().to_string(),
            Piece::Here => cwd.display().to_string(),
        };
        text.push_str(&known);
        pattern.push_str(&globset::escape(&known));
    }
    Ok((text, is_one.then_some(pattern)))
}

/// The files that a pattern stands for, spelled as it is, in order; none if nothing matches. `at` says where a path is.
pub(super) fn expand(pattern: &str, at: &dyn Fn(&str) -> PathBuf) -> Vec<String> {
    let absolute = pattern.starts_with('/');
    let mut found = vec![if absolute { "/".to_owned() } else { String::new() }];
    let parts: Vec<&str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    for (number, part) in parts.iter().enumerate() {
        let last = number + 1 == parts.len();
        let mut next = Vec::new();
        for base in &found {
            next.extend(below(at, base, part, last));
            if next.len() > limits::SHELL_ARGUMENTS {
                break;
            }
        }
        found = next;
    }
    // A file whose name begins with a dash must not be taken for an option.
    found.into_iter().map(|path| if path.starts_with('-') { format!("./{path}") } else { path }).collect()
}

/// What one component of a pattern stands for, below a path that is matched already.
fn below(at: &dyn Fn(&str) -> PathBuf, base: &str, part: &str, last: bool) -> Vec<String> {
    let join = |name: &str| match base {
        "" => name.to_owned(),
        base if base.ends_with('/') => format!("{base}{name}"),
        base => format!("{base}/{name}"),
    };
    let dir = at(if base.is_empty() { "." } else { base });
    let literal = part.replace("[{]", "{").replace("[}]", "}");
    if !part.contains(['*', '?', '[', '\\']) || matches!(part, "." | "..") {
        let there = last || Path::new(&dir).join(&literal).is_dir();
        let exists = dir.join(&literal).exists();
        return if there && exists { vec![join(&literal)] } else { Vec::new() };
    }
    let (Ok(wanted), Ok(entries)) = (matcher(part), std::fs::read_dir(&dir)) else { return Vec::new() };
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| last || entry.path().is_dir())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| (part.starts_with('.') || !name.starts_with('.')) && wanted.is_match(name))
        .collect();
    names.sort();
    names.into_iter().map(|name| join(&name)).collect()
}
