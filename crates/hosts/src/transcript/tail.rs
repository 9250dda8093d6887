//! Where in a file the known part ends.
//!
//! Enters: an open file of JSON lines and the id of the last known message (X3). Leaves: the part
//! after the line that carries it. The file is looked through backwards in blocks, so a cursor near
//! the end of a very long conversation costs what lies behind it and no more.

use std::fs::File;
use std::io;

use memchr::memmem;

use super::lines::Region;

/// Bytes looked at in one step.
const BLOCK: usize = 1024 * 1024;
/// What may stand before a message's own id; other keys name other messages.
const KEYS: [&[u8]; 2] = [b"\"uuid\"", b"\"id\""];
/// Marks the name of a message that has no id of its own: the byte its line begins at.
const PLACE: char = '@';
/// The longest id that is taken for one, and room for its key.
const ID_BYTES: usize = 256;

/// The part of the file after the message `since`, and whether it was found. Without a cursor, or
/// when it is not there any more, all of the file.
pub(crate) fn after(file: &File, since: Option<&str>) -> io::Result<(Region, bool)> {
    let end = file.metadata()?.len();
    let all = Region { start: 0, end };
    let Some(id) = since.filter(|id| !id.is_empty() && id.len() <= ID_BYTES) else { return Ok((all, false)) };
    if let Some(at) = id.strip_prefix(PLACE).and_then(|at| at.parse().ok()) {
        return if begins_line(file, at, end)? {
            Ok((Region { start: next_line(file, at, end)?, end }, true))
        } else {
            Ok((all, false))
        };
    }
    let quoted = format!("\"{id}\"");
    let finder = memmem::FinderRev::new(quoted.as_bytes());
    // Blocks overlap by what an id and its key can take, so that none is cut in two.
    let overlap = (quoted.len() + 16) as u64;
    let mut block = Vec::new();
    let mut upto = end;
    while upto > 0 {
        let start = upto.saturating_sub(BLOCK as u64);
        let stop = (upto + overlap).min(end);
        block.resize((stop - start) as usize, 0);
        read_at(file, &mut block, start)?;
        let mut within = block.len();
        while let Some(at) = finder.rfind(&block[..within]) {
            if is_own_id(&block[..at]) {
                let line_end = next_line(file, start + at as u64, end)?;
                return Ok((Region { start: line_end, end }, true));
            }
            within = at + quoted.len() - 1;
        }
        upto = start;
    }
    Ok((all, false))
}

/// The name of a message without an id.
pub(crate) fn place(at: u64) -> String {
    format!("{PLACE}{at}")
}

/// Whether a line begins at a place.
fn begins_line(file: &File, at: u64, end: u64) -> io::Result<bool> {
    let mut before = [0];
    if at > 0 && at < end {
        read_at(file, &mut before, at - 1)?;
    }
    Ok(at < end && (at == 0 || before[0] == b'\n'))
}

/// Whether the key right before a quoted id says that it is the line's own.
fn is_own_id(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let Some(before) = before.strip_suffix(b":") else { return false };
    let before = before.trim_ascii_end();
    KEYS.iter().any(|key| before.ends_with(key))
}

/// Where the line after the one at `from` begins.
pub(crate) fn next_line(file: &File, from: u64, end: u64) -> io::Result<u64> {
    let mut at = from;
    let mut block = vec![0; 64 * 1024];
    while at < end {
        let length = block.len().min((end - at) as usize);
        read_at(file, &mut block[..length], at)?;
        if let Some(found) = memchr::memchr(b'\n', &block[..length]) {
            return Ok(at + found as u64 + 1);
        }
        at += length as u64;
    }
    Ok(end)
}

/// Fills a buffer; what the file has lost meanwhile reads as zeros.
fn read_at(file: &File, buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    let mut rest = buffer;
    while !rest.is_empty() {
        match memdir_store::fs::read_at(file, rest, at) {
            Ok(0) => {
                rest.fill(0);
                break;
            }
            Ok(read) => {
                at += read as u64;
                rest = &mut rest[read..];
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn rest(content: &str, since: Option<&str>) -> (String, bool) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content.as_bytes()).unwrap();
        let (region, found) = after(&file, since).unwrap();
        (content[region.start as usize..region.end as usize].to_owned(), found)
    }

    #[test]
    fn x3_the_part_after_the_cursor() {
        let text = "{\"uuid\":\"a\"}\n{\"uuid\": \"b\",\"parentUuid\":\"a\"}\n{\"parentUuid\":\"b\",\"uuid\":\"c\"}\n";
        assert_eq!(rest(text, Some("a")).0.lines().count(), 2);
        assert_eq!(rest(text, Some("b")), ("{\"parentUuid\":\"b\",\"uuid\":\"c\"}\n".into(), true));
        assert_eq!(rest(text, Some("c")), (String::new(), true));
    }

    #[test]
    fn x3_a_lost_cursor_gives_all_messages() {
        let text = "{\"uuid\":\"a\"}\n{\"parentUuid\":\"gone\",\"uuid\":\"b\"}";
        assert_eq!(rest(text, Some("gone")), (text.into(), false));
        assert_eq!(rest(text, None), (text.into(), false));
        assert_eq!(rest("", Some("a")), (String::new(), false));
    }

    #[test]
    fn x3_a_message_without_an_id_is_named_by_its_place() {
        let text = "{}\n{\"a\":1}\n{}\n";
        assert_eq!(rest(text, Some(&place(3))), ("{}\n".into(), true));
        assert_eq!(rest(text, Some(&place(0))).0.lines().count(), 2);
        assert_eq!(rest(text, Some(&place(4))), (text.into(), false));
        assert_eq!(rest(text, Some(&place(400))), (text.into(), false));
    }

    #[test]
    fn x3_a_cursor_is_found_wherever_the_blocks_are_cut() {
        for shift in 0..40 {
            let filler = format!("{{\"x\":\"{}\"}}\n", "x".repeat(BLOCK - 60 + shift));
            let text = format!("{{\"uuid\":\"here\"}}\n{filler}{{\"uuid\":\"later\"}}\n");
            let (rest, found) = rest(&text, Some("here"));
            assert!(found && rest.starts_with("{\"x\"") && rest.len() == text.len() - 16, "{shift}");
        }
    }
}
