//! Read: a text file with line numbers.

use super::input::Read;
use super::view::PathView;
use memdir_core::limits;
use memdir_core::read::{ReadError, small};

pub(super) fn read(view: &PathView<'_>, ask: &Read) -> Result<String, String> {
    let shown = view.absolute(&ask.path);
    let actual = view.actual(&shown);
    let name = shown.display();
    if actual.is_dir() {
        return Err(format!("{name} is a directory; list it with Glob or ls"));
    }
    let bytes = match small(&actual, limits::TOOL_READ_BYTES) {
        Ok(Some(bytes)) => bytes,
        Ok(None) => return Err(format!("{name} does not exist")),
        Err(ReadError::TooLarge(most)) => {
            return Err(format!("{name} has more than {most} bytes; search it with Grep, or use head and tail"));
        }
        Err(why) => return Err(format!("{name}: {why}")),
    };
    if is_binary(&bytes) {
        return Err(format!("{name} is not a text file"));
    }
    let text = String::from_utf8_lossy(&bytes);
    if text.is_empty() {
        return Ok(format!("({name} is empty)"));
    }
    let most = ask.limit.unwrap_or(limits::TOOL_READ_LINES).min(limits::TOOL_READ_LINES);
    let all = text.lines().count();
    let mut out = String::new();
    for (at, line) in text.lines().enumerate().skip(ask.offset - 1).take(most) {
        out.push_str(&format!("{:>6}\t", at + 1));
        push_line(&mut out, line);
        if out.len() > limits::TOOL_RESULT_BYTES {
            break;
        }
    }
    if out.is_empty() {
        return Err(format!("{name} has {all} lines; there is none numbered {}", ask.offset));
    }
    let last = (ask.offset - 1).saturating_add(most);
    if last < all {
        out.push_str(&format!("[lines {} to {last} of {all} are shown]\n", ask.offset));
    }
    Ok(out)
}

/// A line of an answer, cut where it would fill the whole of it.
pub(super) fn push_line(out: &mut String, line: &str) {
    match line.char_indices().nth(limits::TOOL_LINE_CHARS) {
        Some((end, _)) => {
            out.push_str(&line[..end]);
            out.push_str(" [the line goes on]");
        }
        None => out.push_str(line),
    }
    out.push('\n');
}

/// Whether some bytes are not text, by the usual sign.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    memchr::memchr(0, &bytes[..bytes.len().min(limits::BINARY_PROBE_BYTES)]).is_some()
}
