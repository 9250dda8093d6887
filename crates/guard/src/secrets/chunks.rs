//! Tokens cut into pieces of one length: `AKIA7 | DYQMP | …`, `g.h.p._.b.k…`, `ghp_-1rQW-iCsQ-…`.
//!
//! Enters: any text. Leaves: the places of the signs between the pieces. What is said in words has pieces of many lengths, so that
//! nothing of it is joined but by chance, and what is joined by chance is no secret.

use std::ops::Range;

/// What stands between two pieces.
const SIGNS: [&[u8]; 10] = [b" | ", b"{}", b", ", b" ", b"_", b".", b"-", b"|", b"/", b","];
/// Letters of a piece, at most.
const LONGEST: usize = 12;
/// Pieces, at least.
const PIECES: usize = 4;
/// Pieces that are read at once, at most: so a text of words of one length costs what it is long, and not the square of that. A longer row
/// is read in parts.
const MOST_PIECES: usize = 96;
/// Letters of all pieces together, at least.
const LEAST: usize = 16;

/// The signs between pieces, in order.
pub(super) fn signs(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begins = bytes[at].is_ascii_alphanumeric() && (at == 0 || !bytes[at - 1].is_ascii_alphanumeric());
        match begins.then(|| row(bytes, at)).flatten() {
            Some(row) => {
                at = row.last().map_or(at, |sign| sign.end) + 1;
                found.extend(row);
            }
            None => at += 1,
        }
    }
    found
}

/// The signs of a row of pieces that begins here.
fn row(bytes: &[u8], start: usize) -> Option<Vec<Range<usize>>> {
    (1..=LONGEST).find_map(|size| {
        let next = start + size;
        let sign = *bytes.get(next)?;
        let signs = SIGNS.iter().filter(|known| known[0] == sign && bytes[next..].starts_with(known));
        signs.into_iter().find_map(|sign| row_of(bytes, start, size, sign))
    })
}

fn row_of(bytes: &[u8], start: usize, size: usize, sign: &[u8]) -> Option<Vec<Range<usize>>> {
    let is_piece = |piece: &[u8]| piece.iter().all(u8::is_ascii_graphic);
    let mut row = Vec::new();
    let mut at = start;
    while row.len() < MOST_PIECES
        && bytes.get(at..at + size).is_some_and(is_piece)
        && bytes[at + size..].starts_with(sign)
    {
        row.push(at + size..at + size + sign.len());
        at += size + sign.len();
    }
    // The last piece may be shorter.
    let rest = bytes[at..].iter().take(size).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let letters = row.len() * size + rest;
    let joined = || bytes[start..at + rest].iter();
    let enough = row.len() >= PIECES - 1 && letters >= LEAST;
    (enough
        && joined().any(u8::is_ascii_digit)
        && joined().filter(|byte| byte.is_ascii_alphabetic()).count() > letters / 4)
        .then_some(row)
}

#[cfg(test)]
mod tests {
    use super::signs;

    fn joined(text: &str) -> String {
        let mut out = String::new();
        let mut at = 0;
        for sign in signs(text) {
            out.push_str(&text[at..sign.start]);
            at = sign.end;
        }
        out + &text[at..]
    }

    #[test]
    fn pieces_of_one_length_are_joined() {
        for text in [
            "q4W7z | P2mX9 | rT3lK | bQ4w7",
            "q.4.W.7.z.P.2.m.X.9.r.T.3.l.K.b.Q.4.w.7",
            "q4W7-zP2m-X9rT-3lKb-Q4w7",
            "q4W7 zP2m X9rT 3lKb Q4w7",
            "q4W, 7zP, 2mX, 9rT, 3lK, bQ4, w7",
        ] {
            assert_eq!(joined(text), "q4W7zP2mX9rT3lKbQ4w7", "{text}");
        }
    }

    #[test]
    fn a_long_text_of_words_of_one_length_is_read_in_time_that_grows_with_it() {
        // With the square of its length this takes hours.
        assert!(signs(&"word ".repeat(1 << 18)).is_empty());
        let long = "q4W7 zP2m X9rT 3lKb ".repeat(200);
        assert!(joined(&long).split(' ').all(|part| part.len() >= 16), "a long row is joined in parts");
    }

    #[test]
    fn what_is_said_stays_as_it_is() {
        for text in [
            "this that have been said",
            "GET | PUT | POST | HEAD",
            "2026-04-10 08:15",
            "one of two in a row of 4",
            "a.b.c.d",
            "-----BEGIN CERTIFICATE-----",
            "10.0.0.4, 10.0.0.5",
        ] {
            assert_eq!(joined(text), text);
        }
    }
}
