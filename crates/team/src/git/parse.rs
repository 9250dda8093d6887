//! What `git` prints, read. Pure; whatever is there was written by somebody else.

use std::collections::HashMap;

use super::GitFailure;
use crate::transport::{Authorship, EntryKind};

/// One path of a tree, or of a difference between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TreePath {
    mode: String,
    pub(super) id: String,
    pub(super) path: String,
    gone: bool,
}

impl TreePath {
    pub(super) fn is_file(&self) -> bool {
        !self.gone && matches!(self.mode.as_str(), "100644" | "100755" | "100664")
    }

    pub(super) fn kind(&self, bytes: u64) -> EntryKind {
        if self.gone {
            return EntryKind::Gone { id: self.id.clone() };
        }
        match self.mode.as_str() {
            _ if self.is_file() => EntryKind::File { id: self.id.clone(), bytes },
            "120000" => EntryKind::Odd { what: "a symbolic link" },
            "160000" => EntryKind::Odd { what: "another repository" },
            _ => EntryKind::Odd { what: "no regular file" },
        }
    }
}

/// `ls-tree -z`: `mode type id\tpath`.
pub(super) fn tree(raw: &str) -> Vec<TreePath> {
    raw.split('\0')
        .filter_map(|record| {
            let (head, path) = record.split_once('\t')?;
            let mut head = head.split(' ');
            let (mode, _, id) = (head.next()?, head.next()?, head.next()?);
            Some(TreePath { mode: mode.to_owned(), id: id.to_owned(), path: path.to_owned(), gone: false })
        })
        .collect()
}

/// `diff-tree -z --raw`: `:mode mode id id status`, then the path.
pub(super) fn changes(raw: &str) -> Vec<TreePath> {
    let mut records = raw.split('\0');
    let mut found = Vec::new();
    while let Some(record) = records.next() {
        let Some(head) = record.trim_start_matches('\n').strip_prefix(':') else { continue };
        let parts: Vec<&str> = head.split(' ').collect();
        let ([old_mode, new_mode, old, new, status], Some(path)) = (parts.as_slice(), records.next()) else { continue };
        let gone = *status == "D";
        let (mode, id) = if gone { (old_mode, old) } else { (new_mode, new) };
        found.push(TreePath { mode: (*mode).to_owned(), id: (*id).to_owned(), path: path.to_owned(), gone });
    }
    found
}

/// Whether a signer is the author: somebody's good signature says nothing of somebody else's name.
fn is_of(signer: &str, mail: &str) -> bool {
    let address = signer.rsplit_once('<').map_or(signer, |(_, rest)| rest.trim_end_matches('>'));
    !mail.is_empty() && address.eq_ignore_ascii_case(mail)
}

/// The log of names: the newest author of each path.
pub(super) fn authors(log: &str, folder: &str) -> HashMap<String, Authorship> {
    let mut authors = HashMap::new();
    for commit in log.split('\u{1}').skip(1) {
        let mut records = commit.split(['\0', '\n']);
        let Some(head) = records.next() else { continue };
        let parts: Vec<&str> = head.split('\u{2}').collect();
        let [name, mail, trust, key, signer] = parts.as_slice() else { continue };
        let author = Authorship {
            name: format!("{name} <{mail}>"),
            key: Some((*key).to_owned()).filter(|key| !key.is_empty() && matches!(*trust, "G" | "U")),
            verified: *trust == "G" && is_of(signer, mail),
        };
        for path in records.filter_map(|path| path.strip_prefix(folder)).filter(|path| !path.is_empty()) {
            authors.entry(path.to_owned()).or_insert_with(|| author.clone());
        }
    }
    authors
}

/// `cat-file --batch`: `id type size`, the content, a line end; or `id missing`.
pub(super) fn batch(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut contents = Vec::new();
    while let Some(end) = memchr::memchr(b'\n', bytes) {
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        bytes = &bytes[end + 1..];
        let Some(size) = head.rsplit(' ').next().and_then(|size| size.parse::<usize>().ok()) else { break };
        let Some(content) = bytes.get(..size) else { break };
        contents.push(content.to_vec());
        bytes = bytes.get(size + 1..).unwrap_or_default();
    }
    contents
}

/// Whether the other side names its objects by another hash.
pub(super) fn is_other_hash(failure: &GitFailure) -> bool {
    failure.said.contains("hash algorithm") || failure.said.contains("mismatched algorithms")
}

/// Whether a push came too late.
pub(super) fn is_overtaken(failure: &GitFailure) -> bool {
    let said = format!("{}\n{}", failure.output, failure.said);
    let late = [
        "fetch first",
        "non-fast-forward",
        "cannot lock ref",
        "failed to update ref",
        "incorrect old value",
        "stale info",
    ];
    said.contains("rejected]") && late.iter().any(|word| said.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_and_differences_are_read_and_links_are_odd() {
        let tree = tree("100644 blob aa\ta b.md\x00120000 blob bb\tlink.md\0");
        assert_eq!(tree[0].kind(3), EntryKind::File { id: "aa".into(), bytes: 3 });
        assert_eq!((tree[0].path.as_str(), tree[1].kind(0)), ("a b.md", EntryKind::Odd { what: "a symbolic link" }));
        let changes = changes(":100644 000000 aa 00 D\0gone.md\0:000000 100644 00 cc A\0new.md\0");
        assert_eq!(changes[0].kind(0), EntryKind::Gone { id: "aa".into() });
        assert_eq!(changes[1].kind(1), EntryKind::File { id: "cc".into(), bytes: 1 });
    }

    #[test]
    fn the_newest_author_of_a_path_counts() {
        let log = "\u{1}Ada\u{2}a@x\u{2}N\u{2}\u{2}\0\nmem/a.md\0mem/b.md\0\u{1}Jon\u{2}j@x\u{2}G\u{2}KEY\u{2}Jon <J@x>\0\nmem/a.md\0mem/c.md\0";
        let authors = authors(log, "mem/");
        assert_eq!(authors["a.md"].name, "Ada <a@x>");
        assert!(authors["c.md"].verified && !authors["b.md"].verified);
        assert_eq!(authors["c.md"].key.as_deref(), Some("KEY"));
    }

    #[test]
    fn a_good_signature_of_somebody_else_verifies_no_author() {
        let log = |signer: &str, name: &str| format!("\u{1}{name}\u{2}ada@x\u{2}G\u{2}KEY\u{2}{signer}\0\na.md\0");
        for (signer, verified) in [("ada@x", true), ("Ada <ada@x>", true), ("mallory@x", false), ("", false)] {
            assert_eq!(authors(&log(signer, "Ada"), "")["a.md"].verified, verified, "{signer}");
        }
        // A name that pretends to be more than a name is nobody's.
        assert!(authors(&log("mallory@x", "x\u{1}Ada\u{2}ada@x\u{2}G\u{2}KEY\u{2}ada@x"), "").is_empty());
    }

    #[test]
    fn contents_come_by_their_length() {
        assert_eq!(batch(b"aa blob 3\na\nb\nbb blob 0\n\n"), [b"a\nb".to_vec(), Vec::new()]);
        assert_eq!(batch(b"aa missing\n"), Vec::<Vec<u8>>::new());
    }
}
