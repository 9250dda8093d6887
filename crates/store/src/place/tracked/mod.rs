//! Whether git tracks a file, read from the repository's index.
//!
//! Enters: the index file and a path relative to the working tree. Leaves: not tracked, or
//! tracked; whatever cannot be understood counts as tracked, because the answer decides whether a
//! file may redirect writes (P5). Never runs `git`, never trusts the order or the counts of the
//! file, never reads beyond its end.
//!
//! A path also counts as tracked when a parent directory of it is an entry: a committed link or
//! submodule named `.claude` brings its contents with it. Names are compared as the laxest file
//! system would: without case and without invisible characters.

use std::path::Path;

use memdir_core::limits;
use memdir_core::read;

const LONGEST_NAME: usize = 4096;

/// Whether the index lists the path or something that stands for a parent of it.
pub(super) fn is_tracked(index: &Path, path: &str) -> bool {
    match read::small(index, limits::GIT_INDEX_BYTES) {
        Ok(None) => false, // a repository without a first `git add`
        Ok(Some(bytes)) => lists(&bytes, path).unwrap_or(true),
        Err(_) => true,
    }
}

/// `None` when the bytes are not an index that this reader understands to its last byte.
fn lists(index: &[u8], path: &str) -> Option<bool> {
    // The length of an object id is not in the file. A wrong guess cannot end exactly at the
    // checksum with every name free of NUL bytes.
    let wanted = fold(path.as_bytes());
    [20, 32].into_iter().find_map(|id_len| {
        let mut found = false;
        walk(index, id_len, |name| found |= covers(name, path, &wanted)).map(|()| found)
    })
}

/// Whether an entry is the path itself or one of its parents.
fn covers(name: &[u8], path: &str, wanted: &str) -> bool {
    let name = name.strip_suffix(b"/").unwrap_or(name); // a directory of a sparse index
    let starts = |longer: &[u8], shorter: &[u8]| {
        longer.get(..shorter.len()).is_some_and(|head| head.eq_ignore_ascii_case(shorter))
            && matches!(longer.get(shorter.len()), None | Some(b'/'))
    };
    if name.is_ascii() && path.is_ascii() {
        starts(path.as_bytes(), name)
    } else {
        starts(wanted.as_bytes(), fold(name).as_bytes())
    }
}

/// Case and invisible characters taken out.
fn fold(name: &[u8]) -> String {
    String::from_utf8_lossy(name)
        .chars()
        .filter(|ch| {
            !matches!(ch, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        })
        .flat_map(char::to_uppercase)
        .collect()
}

/// Calls `visit` with each entry's name; `None` as soon as something does not fit.
fn walk(index: &[u8], id_len: usize, mut visit: impl FnMut(&[u8])) -> Option<()> {
    let body = index.get(..index.len().checked_sub(id_len)?)?;
    let mut rest = SliceReader(body);
    if rest.take(4)? != b"DIRC" {
        return None;
    }
    let version = rest.number()?;
    if !(2..=4).contains(&version) {
        return None;
    }
    let entries = rest.number()?;
    let mut name = Vec::new();
    for _ in 0..entries {
        let before = rest.0.len();
        rest.take(40 + id_len)?; // times, mode, owner, size, object id
        let flags = rest.short()?;
        if flags & 0x4000 != 0 {
            if version == 2 {
                return None;
            }
            rest.take(2)?;
        }
        if version == 4 {
            let drop = rest.varint()?;
            name.truncate(name.len().checked_sub(drop)?);
            name.extend_from_slice(rest.until_nul()?);
        } else {
            name.clear();
            name.extend_from_slice(rest.until_nul()?);
            // Entries are padded with NULs to a multiple of eight; `until_nul` took the first.
            let padding = (before - rest.0.len()).next_multiple_of(8) - (before - rest.0.len());
            if rest.take(padding)?.iter().any(|byte| *byte != 0) {
                return None;
            }
        }
        // The length is stored too, up to 4095: a name that ends early hides something. No file
        // system takes a longer path than that.
        if name.is_empty() || name.len() > LONGEST_NAME || usize::from(flags & 0xfff) != name.len().min(0xfff) {
            return None;
        }
        visit(&name);
    }
    while !rest.0.is_empty() {
        // `link`: most entries are in another file. Such an index is not read.
        if rest.take(4)? == b"link" {
            return None;
        }
        let length = rest.number()? as usize;
        rest.take(length)?;
    }
    Some(())
}

/// A slice read from the front.
struct SliceReader<'a>(&'a [u8]);

impl<'a> SliceReader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.0.split_at_checked(count)?;
        self.0 = tail;
        Some(head)
    }

    fn short(&mut self) -> Option<u16> {
        self.take(2)?.try_into().ok().map(u16::from_be_bytes)
    }

    fn number(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_be_bytes)
    }

    fn until_nul(&mut self) -> Option<&'a [u8]> {
        let end = memchr::memchr(0, self.0)?;
        let name = self.take(end)?;
        self.take(1)?;
        Some(name)
    }

    /// The offset encoding of pack files: seven bits a byte, each further byte adding one.
    fn varint(&mut self) -> Option<usize> {
        let mut value = 0_usize;
        loop {
            let byte = *self.take(1)?.first()?;
            value = value.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
            value = value.checked_add(1)?;
        }
    }
}

#[cfg(test)]
mod tests;
