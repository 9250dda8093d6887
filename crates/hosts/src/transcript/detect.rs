//! Which host wrote a file, by what is in it.
//!
//! Enters: a path. Leaves: the host, or nothing. The first lines decide; names of files can be
//! anything by the time somebody passes one. Each host names the [`Signs`] of its files.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::Value;

use super::TranscriptError;
use super::database::ConversationPath;
use crate::Host;

/// Bytes of a file that are looked at; a first line can be long.
const HEAD: u64 = 256 * 1024;
/// Lines that are looked at.
const LINES: usize = 40;

/// What tells a host's files from those of others.
pub(crate) struct Signs {
    /// How a text that is no JSON begins.
    pub(crate) openings: &'static [&'static str],
    /// Whether an object on a line of its own is one of the host's.
    pub(crate) line: fn(&Value) -> Option<Claim>,
    /// Keys that all stand near the beginning of a JSON document.
    pub(crate) document: &'static [(Claim, &'static [&'static str])],
}

/// How sure a host is that something is its own. Who is sure is asked before who is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// Nobody else writes this.
    Sure,
    /// It is, unless somebody else is sure.
    Perhaps,
}

impl Claim {
    /// This claim, where a condition holds.
    pub(crate) fn when(self, holds: bool) -> Option<Claim> {
        holds.then_some(self)
    }
}

/// The host whose transcript this is.
pub fn detect(path: &Path) -> Result<Host, TranscriptError> {
    let unknown = || TranscriptError::Unknown(path.to_path_buf());
    if let Some(stored) = ConversationPath::of(path) {
        return stored.host().ok_or_else(unknown);
    }
    let head = read_head(path).map_err(|source| TranscriptError::Io { path: path.to_path_buf(), source })?;
    of(&head).ok_or_else(unknown)
}

fn read_head(path: &Path) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    File::open(path)?.take(HEAD).read_to_end(&mut head)?;
    Ok(head)
}

fn of(head: &[u8]) -> Option<Host> {
    let trimmed = head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(head).trim_ascii_start();
    let opens = |signs: &Signs| signs.openings.iter().any(|opening| trimmed.starts_with(opening.as_bytes()));
    if let Some(host) = claimed(|signs| Claim::Sure.when(opens(signs))) {
        return Some(host);
    }
    let lines = trimmed.split(|byte| *byte == b'\n').take(LINES);
    let values = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    values.into_iter().find_map(|value| claimed(|signs| (signs.line)(&value))).or_else(|| {
        // A document: its first keys have been read even where its end has not.
        let has = |key: &&str| memchr::memmem::find(trimmed, format!("\"{key}\"").as_bytes()).is_some();
        let shows =
            |signs: &Signs| signs.document.iter().find(|(_, keys)| keys.iter().all(has)).map(|(claim, _)| *claim);
        trimmed.starts_with(b"{").then(|| claimed(shows)).flatten()
    })
}

/// The host that claims something: the first that is sure, else the first that may be.
fn claimed(claim: impl Fn(&Signs) -> Option<Claim>) -> Option<Host> {
    let asked = Host::ALL.into_iter().filter_map(|host| {
        let signs = &host.definition().transcripts.as_ref()?.signs;
        Some((host, claim(signs)?))
    });
    let claims: Vec<(Host, Claim)> = asked.collect();
    let first = |wanted: Claim| claims.iter().find(|(_, claim)| *claim == wanted).map(|(host, _)| *host);
    first(Claim::Sure).or_else(|| first(Claim::Perhaps))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strange_bytes_have_no_host() {
        for bytes in ["", "\0\0", "hello", "{}", "[1]", "{\"a\":1}\n{\"b\":2}", "{\"messages\":"] {
            assert_eq!(of(bytes.as_bytes()), None, "{bytes:?}");
        }
    }
}
