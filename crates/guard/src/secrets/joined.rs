//! A text with its tokens in one piece again.
//!
//! Enters: any text. Leaves: a view in which a token that was wrapped over lines, spelled letter by letter, put together from
//! string literals, or cut by markup is whole; nothing where there is no such token. Words are left apart: only pieces that no
//! language writes are joined.

use super::chunks;
use super::entropy::Mix;
use super::view::RewrittenText;

/// Pieces shorter than this are not joined over a line end: they may well be words.
const PIECE: usize = 8;
/// Letters in a row with a blank between each.
const SPELLED: usize = 6;
/// Letters of a piece in a list of pieces.
const LISTED: usize = 4;
/// Digits of a line's number.
const NUMBER: usize = 5;
/// Bytes of a comment inside a token.
const COMMENT: usize = 64;

/// The text with its tokens joined, or nothing if all are whole.
pub(super) fn joined(text: &str) -> Option<RewrittenText> {
    let chunked = chunks::signs(text);
    if chunked.is_empty() {
        (0..text.len()).find(|at| gap(text, *at).is_some())?;
    }
    let mut chunked = chunked.into_iter().peekable();
    let mut view = RewrittenText::default();
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        while chunked.next_if(|sign| sign.start < at).is_some() {}
        if let Some(sign) = chunked.next_if(|sign| sign.start == at) {
            at = sign.end;
        } else if let Some(next) = gap(text, at) {
            at = next;
        } else {
            view.push(letter, at);
            at += letter.len_utf8();
        }
    }
    Some(view.end(text))
}

/// Where the token goes on behind a gap that begins here.
fn gap(text: &str, at: usize) -> Option<usize> {
    match text.as_bytes()[at] {
        b'\n' | b'\r' => over_a_line(text, at),
        // A shell's line goes on behind it.
        b'\\' if text[at + 1..].starts_with('\n') => over_a_line(text, at),
        b' ' | b'.' | b'-' | b'_' => spelled(text.as_bytes(), at),
        b'"' | b'\'' | b'`' => between_literals(text, at),
        b'*' | b'<' | b']' => markup(text, at),
        _ => None,
    }
}

fn over_a_line(text: &str, at: usize) -> Option<usize> {
    let rest = text[at..].strip_prefix('\\').unwrap_or(&text[at..]);
    let at = text.len() - rest.len();
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    let next = without_mark(rest.trim_start_matches(['\r', '\n', ' ', '\t', '>', '|', '#', '\\']), line);
    let before = last_piece(text[..at].trim_end_matches('\\'));
    let after = first_piece(next);
    // One line end: an empty line between two tokens keeps them apart.
    let lines = rest[..rest.len() - next.len()].matches('\n').count();
    (lines == 1 && is_piece(before, PIECE) && is_piece(after, 2)).then(|| at + rest.len() - next.len())
}

/// A line without what makes it one of a comment or of a list, or, as the one before it, of a patch or of a listing.
fn without_mark<'t>(line: &'t str, before: &str) -> &'t str {
    let marked = ["// ", "* ", "- ", "+ ", "; ", "-- ", "% "].iter().find_map(|mark| line.strip_prefix(mark));
    let added = || line.strip_prefix('+').filter(|_| before.starts_with('+'));
    let counted = || without_number(line).filter(|_| without_number(before).is_some());
    marked.or_else(added).or_else(counted).unwrap_or(line)
}

/// A line of a listing without its number.
fn without_number(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let text = rest.trim_start_matches([':', '|', ' ', '\t']);
    ((1..=NUMBER).contains(&(line.len() - rest.len())) && text.len() < rest.len()).then_some(text)
}

fn last_piece(text: &str) -> &str {
    let start = text
        .rfind(|letter: char| !is_token(letter))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    &text[start..]
}

fn first_piece(text: &str) -> &str {
    &text[..text.find(|letter: char| !is_token(letter)).unwrap_or(text.len())]
}

fn is_token(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '+' | '/' | '=' | '.' | '~')
}

/// Letters and digits, or letters whose case changes inside.
fn is_piece(piece: &str, least: usize) -> bool {
    let mix = Mix::of(piece);
    piece.len() >= least
        && (mix.digits > 0 && mix.letters() > 0
            || super::judge::is_jumble(piece)
            || humps(piece) >= 2
            || least < PIECE && mix.digits == piece.len())
}

/// How often a capital stands behind a small letter.
fn humps(piece: &str) -> usize {
    piece.as_bytes().windows(2).filter(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase()).count()
}

/// A blank, or another sign, inside a row of single letters.
fn spelled(bytes: &[u8], at: usize) -> Option<usize> {
    let sign = *bytes.get(at)?;
    let single = |letter: usize| {
        let fits = |byte: &u8| if sign == b' ' { byte.is_ascii_graphic() } else { byte.is_ascii_alphanumeric() };
        bytes.get(letter).is_some_and(fits)
            && (letter == 0 || bytes[letter - 1] == sign || sign != b' ' && bytes[letter - 1].is_ascii_whitespace())
            && bytes
                .get(letter + 1)
                .is_none_or(|next| *next == sign || matches!(next, b' ' | b'\n' | b',' | b'.' | b':' | b'='))
    };
    // The row is followed to both sides from here.
    let (mut count, mut left, mut right) = (0, at.checked_sub(1), at + 1);
    while let Some(letter) = left.filter(|letter| count < SPELLED && single(*letter)) {
        count += 1;
        left = letter.checked_sub(2);
    }
    if count == 0 || !single(right) {
        return None;
    }
    while count < SPELLED && single(right) {
        count += 1;
        right += 2;
    }
    (count >= SPELLED).then_some(at + 1)
}

/// `"ghp_" + "…"`
fn between_literals(text: &str, at: usize) -> Option<usize> {
    let rest = &text[at + 1..];
    // `${"ghp_"}${"…"}`
    if let Some(opened) = rest.strip_prefix("}${").and_then(|next| next.strip_prefix(['"', '\'', '`'])) {
        return Some(text.len() - opened.len());
    }
    // `"\("ghp_")\("…")"`
    if let Some(opened) = rest.strip_prefix(")\\(").and_then(|next| next.strip_prefix(['"', '\''])) {
        return Some(text.len() - opened.len());
    }
    // `ghp_1r``QWiCs`: two literals side by side.
    let touching = text[at..].chars().next().and_then(|quote| rest.strip_prefix(quote));
    if let Some(opened) = touching {
        let inside = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_alphanumeric());
        let both = inside(text[..at].chars().next_back()) && inside(opened.chars().next());
        return both.then(|| text.len() - opened.len());
    }
    // A line that goes on has a sign at its end, in a shell's and in Ruby's way.
    let operator = rest.trim_start();
    let goes_on = operator.strip_prefix(['\\', '`']).filter(|next| next.starts_with('\n')).map(str::trim_start);
    let literal = |next: &str| next.starts_with(['"', '\'']);
    let operator = goes_on.unwrap_or(operator);
    let after = goes_on
        .filter(|next| literal(next))
        .or_else(|| operator.strip_prefix(['+', '.', '&']))
        .or_else(|| operator.strip_prefix("||"))
        .or_else(|| operator.strip_prefix(".."))
        .or_else(|| listed(text, at, operator))?;
    let after = after.trim_start();
    let opened = after.strip_prefix(['"', '\'', '`'])?;
    Some(text.len() - opened.len())
}

/// `"ghp_1r", "QWiCsQ"`: two pieces of one length, as nobody lists words.
fn listed<'t>(text: &str, at: usize, operator: &'t str) -> Option<&'t str> {
    let after = operator.strip_prefix(',')?;
    let inside = after.trim_start().strip_prefix(['"', '\'', '`'])?;
    let (before, piece) = (last_piece(&text[..at]), first_piece(inside));
    let opened = text[..at - before.len()].ends_with(['"', '\'', '`']);
    (opened && before.len() >= LISTED && !piece.is_empty() && piece.len() <= before.len()).then_some(after)
}

/// `gh**p_**…`, `gh<b>p_</b>…`
fn markup(text: &str, at: usize) -> Option<usize> {
    let inside = |letter: Option<&u8>| {
        letter.is_some_and(|letter| letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-'))
    };
    let end = if text[at..].starts_with("**") {
        at + 2
    } else if text[at..].starts_with("](") {
        at + text[at..].find(')').filter(|end| *end <= COMMENT)? + 1
    } else if text[at..].starts_with("<!--") {
        at + text[at..].find("-->").filter(|end| *end <= COMMENT)? + 3
    } else {
        let name = text[at..].strip_prefix('<')?;
        let close = name.bytes().take(16).position(|byte| byte == b'>')?;
        let letters = name[..close].trim_matches('/').trim();
        let tags = ["b", "i", "u", "s", "em", "strong", "span", "wbr", "code", "mark", "sub", "sup", "font"];
        tags.contains(&letters.to_ascii_lowercase().as_str()).then_some(at + 1 + close + 1)?
    };
    let before = at.checked_sub(1).and_then(|before| text.as_bytes().get(before));
    (inside(before) && inside(text.as_bytes().get(end))).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::joined;

    fn seen(text: &str) -> Option<String> {
        joined(text).map(|view| view.text)
    }

    #[test]
    fn pieces_of_a_token_are_joined() {
        let whole = "q4W7zP2mX9rT3lKb";
        assert_eq!(seen("use q4W7zP2m\nX9rT3lKb now"), Some(format!("use {whole} now")));
        assert_eq!(seen("> q4W7zP2m\n> X9rT3lKb"), Some(format!("> {whole}")));
        assert_eq!(seen("q4W7zP2m**X9rT**3lKb"), Some(whole.to_owned()));
        assert_eq!(seen("q4W7zP2m<b>X9rT</b>3lKb"), Some(whole.to_owned()));
        assert_eq!(seen("\"q4W7zP2m\" + \"X9rT3lKb\""), Some(format!("\"{whole}\"")));
        assert_eq!(seen("q4W7zP2m\\\nX9rT3lKb"), Some(whole.to_owned()));
        assert_eq!(seen("[\"q4W7\", \"zP2m\", \"X9rT\", \"3lKb\"]"), Some(format!("[\"{whole}\"]")));
        assert_eq!(seen("q4W7zP2m\n// X9rT3lKb"), Some(whole.to_owned()));
        assert_eq!(seen("- q4W7zP2m\n- X9rT3lKb"), Some(format!("- {whole}")));
        assert_eq!(seen("+q4W7zP2m\n+X9rT3lKb"), Some(format!("+{whole}")));
        assert_eq!(seen("  9  q4W7zP2m\n 10  X9rT3lKb"), Some(format!("  9  {whole}")));
        assert_eq!(seen("'q4W7zP2m' \\\n'X9rT3lKb'"), Some(format!("'{whole}'")));
        assert_eq!(seen("'q4W7zP2m' `\n  + 'X9rT3lKb'"), Some(format!("'{whole}'")));
        assert_eq!(seen("\"\\(\"q4W7zP2m\")\\(\"X9rT3lKb\")\""), Some(format!("\"\\(\"{whole}\")\"")));
        assert_eq!(seen("[q4W7zP2m](https://x.example)X9rT3lKb"), Some(format!("[{whole}")));
        assert_eq!(seen("`${\"q4W7zP2m\"}${\"X9rT3lKb\"}`"), Some(format!("`${{\"{whole}\"}}`")));
        assert_eq!(seen("p.a.s.s.w.o.r.d x"), Some("password x".to_owned()));
        assert_eq!(seen("q4W7<!-- x -->zP2mX9rT3lKb"), Some(whole.to_owned()));
        assert_eq!(seen("P A S S W O R D: x"), Some("PASSWORD: x".to_owned()));
        assert_eq!(seen("is q 4 W 7 z P 2 m X 9 r T 3 l K b ."), Some(format!("is {whole}.")));
    }

    #[test]
    fn words_stay_apart() {
        for text in [
            "the password\nis kept",
            "a b c d",
            "**bold** words",
            "x\ny",
            "say \"a\" and \"b\"",
            "ticket 4821\nand 4822",
            "a < b > c",
            "1  the first step\n2  the second step",
        ] {
            assert_eq!(seen(text), None, "{text}");
        }
    }
}
