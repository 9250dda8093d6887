//! The header of an age file: for whom the file key is wrapped, and a sum over all of it.
//!
//! Enters: bytes that anybody may have written. Leaves: the stanzas, what the sum covers, the sum, and the payload after it. Nothing is
//! forgiven: a header that is not exactly as the format says is none, so every age program reads the same out of a file or nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

/// The first line of a file.
pub(super) const VERSION: &str = "age-encryption.org/v1\n";
/// Characters in a full line of a stanza's body. The last line is always a shorter one, be it empty.
const COLUMNS: usize = 64;

/// What comes before the payload.
pub(super) struct SealHeader<'a> {
    /// The file key, wrapped once for each recipient.
    pub(super) stanzas: Vec<Stanza<'a>>,
    /// What the sum is made of.
    pub(super) summed: &'a [u8],
    /// The sum.
    pub(super) sum: Vec<u8>,
    /// Everything after the header.
    pub(super) payload: &'a [u8],
}

/// The file key as it is wrapped for one recipient.
pub(super) struct Stanza<'a> {
    /// The kind of the recipient, then what the kind needs.
    pub(super) words: Vec<&'a str>,
    /// The wrapped key.
    pub(super) body: Vec<u8>,
}

/// Reads the header at the start of a file.
pub(super) fn read(file: &[u8]) -> Option<SealHeader<'_>> {
    let mut rest = file.strip_prefix(VERSION.as_bytes())?;
    let mut stanzas = Vec::new();
    loop {
        let (line, after) = split_line(rest)?;
        if let Some(sum) = line.strip_prefix("--- ") {
            let summed = &file[..file.len() - rest.len() + "---".len()];
            let sum = STANDARD_NO_PAD.decode(sum).ok()?;
            return (!stanzas.is_empty()).then_some(SealHeader { stanzas, summed, sum, payload: after });
        }
        let words: Vec<&str> = line.strip_prefix("-> ")?.split(' ').collect();
        if !words.iter().all(|word| is_word(word)) {
            return None;
        }
        let (body, after) = read_body(after)?;
        stanzas.push(Stanza { words, body });
        rest = after;
    }
}

/// Full lines, then the one that is not.
fn read_body(mut rest: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut body = Vec::new();
    loop {
        let (line, after) = split_line(rest)?;
        if line.len() > COLUMNS {
            return None;
        }
        STANDARD_NO_PAD.decode_vec(line, &mut body).ok()?;
        if line.len() < COLUMNS {
            return Some((body, after));
        }
        rest = after;
    }
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_graphic())
}

fn split_line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = memchr::memchr(b'\n', bytes)?;
    Some((std::str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}
