//! A block of our own in somebody else's text file, between two marks.
//!
//! Enters: the file's text. Leaves: it with the block at its end, or without it; every other byte stays.

const OPEN: &str = "<!-- memdir: begin; `memdir init --remove` takes it out -->\n";
const CLOSE: &str = "<!-- memdir: end -->\n";

pub(super) fn put_in(text: &str, block: &str) -> String {
    let rest = take_out(text);
    let gap = match rest.as_str() {
        "" => "",
        rest if rest.ends_with('\n') => "\n",
        _ => "\n\n",
    };
    format!("{rest}{gap}{OPEN}{block}{CLOSE}")
}

pub(super) fn take_out(text: &str) -> String {
    let Some(start) = text.find(OPEN) else { return text.to_owned() };
    let end = text[start..].find(CLOSE).map_or(text.len(), |at| start + at + CLOSE.len());
    // The blank line before it came with it.
    let before = text[..start]
        .strip_suffix('\n')
        .filter(|rest| rest.ends_with('\n') || !rest.is_empty())
        .unwrap_or(&text[..start]);
    format!("{before}{}", &text[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_once_and_out_without_a_trace() {
        for text in ["", "a\n", "a\nb\n\n"] {
            let once = put_in(text, "ours\n");
            assert_eq!(put_in(&once, "ours\n"), once, "{text:?}");
            assert_eq!(take_out(&once), text);
        }
        let changed = put_in("a\n", "old\n") + "theirs\n";
        assert_eq!(take_out(&changed), "a\ntheirs\n");
        assert!(put_in(&changed, "new\n").contains("theirs\n") && !put_in(&changed, "new\n").contains("old"));
    }
}
