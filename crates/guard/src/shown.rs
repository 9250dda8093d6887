//! How text from a file is shown to a model or on a terminal: the one escape.
//!
//! Enters: any text. Leaves: the same, with every character that a reader cannot see, or that moves the cursor or the
//! order of letters, written out as its code; and for a model, with the tags that frame a conversation made plain words.
//! Text without any of these leaves as it came. Never cuts and never judges what the words say.

use std::borrow::Cow;

use crate::markup::tags;

/// Tags that hosts and memdir put around what a model reads, in the spelling of [`tags`]. Text that wrote one of them
/// itself could end its frame, or open one that looks like the host's.
const FRAMES: &[&str] = &[
    "answer",
    "antml:function-calls",
    "antml:invoke",
    "assistant",
    "bash-input",
    "bash-stderr",
    "bash-stdout",
    "command-args",
    "command-contents",
    "command-message",
    "command-name",
    "command-stdout",
    "current-datetime",
    "developer",
    "environment-context",
    "environment-details",
    "feedback",
    "file-content",
    "function-calls",
    "function-results",
    "hook-context",
    "hook-prompt",
    "human",
    "ide-diagnostics",
    "ide-opened-file",
    "ide-selection",
    "local-command-caveat",
    "local-command-stderr",
    "local-command-stdout",
    "mcp-instructions",
    "memories",
    "memory",
    "permissions",
    "qwen:session-start-context",
    "qwen:user-prompt-submit-context",
    "recalled-memories",
    "relevant-memories",
    "session-context",
    "skills-instructions",
    "system",
    "system-prompt",
    "system-reminder",
    "task",
    "task-notification",
    "teammate-message",
    "tool-result",
    "tool-use",
    "turn-aborted",
    "untrusted-context",
    "user",
    "user-action",
    "user-input",
    "user-instructions",
    "user-memory-input",
    "user-message",
    "user-prompt-submit-hook",
];

/// Text for a terminal, or for any reader: what cannot be seen is written out.
pub fn visible(text: &str) -> Cow<'_, str> {
    written_out(text, |letter| is_hidden(letter) && letter != '\n' && letter != '\t')
}

/// The same as one line: a line's end is written out, too.
///
/// Paths and names come from file systems and repositories, where a line feed is a legal character; in a label it would let
/// a file name speak as an instruction.
pub fn one_line(text: &str) -> Cow<'_, str> {
    written_out(text, |letter| is_hidden(letter) || matches!(letter, '\u{2028}' | '\u{2029}'))
}

/// Text for a model: visible, and no tag in it is a frame.
pub fn for_model(text: &str) -> Cow<'_, str> {
    if !text.contains(['<', '＜', '﹤']) {
        return visible(text);
    }
    let mut safe = String::with_capacity(text.len() + 8);
    let mut from = 0;
    for tag in tags(text).into_iter().filter(|tag| is_frame(&tag.name) && !text[tag.range.start..].starts_with('[')) {
        let inside = tag.range.start + text[tag.range.start..].chars().next().map_or(1, char::len_utf8);
        safe.push_str(&visible(&text[from..tag.range.start]));
        safe.push_str("<\\");
        // What is invisible in a tag is only there to hide it.
        safe.extend(text[inside..tag.range.end].chars().filter(|letter| !is_invisible(*letter) && !is_hidden(*letter)));
        from = tag.range.end;
    }
    if from == 0 {
        return visible(text);
    }
    safe.push_str(&visible(&text[from..]));
    Cow::Owned(safe)
}

/// Whether a tag of this name, as [`tags`] spells it, frames what a model reads.
pub fn is_frame(name: &str) -> bool {
    FRAMES.binary_search(&name).is_ok() || name.starts_with("im-") || name.starts_with("antml")
}

/// Whether a character moves the cursor, changes the order of letters, or carries text that nobody sees.
pub fn is_hidden(letter: char) -> bool {
    // Joiners and the choice of an emoji's colour take no room either, and are part of how words are written.
    letter.is_control()
        || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || matches!(letter, '\u{200b}' | '\u{2060}'..='\u{2065}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
        || matches!(letter, '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character reorders or marks the direction of what stands around it.
pub fn is_bidi(letter: char) -> bool {
    matches!(letter, '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// Characters that take no room: two names that look alike would be two files, or one file where
/// the file system ignores them. U+FE0F is not among them, it only asks for the coloured emoji.
pub fn is_invisible(letter: char) -> bool {
    matches!(letter,
        '\u{00AD}' | '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200D}' | '\u{2060}'..='\u{2065}'
        | '\u{206A}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0E}' | '\u{FEFF}'
        | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
        | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

fn written_out(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&hidden) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        // Half a line's end is a line's end, unless those are written out themselves.
        let ends_line = letter == '\r' && letters.peek() == Some(&'\n') && !hidden('\n');
        if hidden(letter) && !ends_line {
            safe.extend(letter.escape_unicode());
        } else {
            safe.push(letter);
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_frames_are_in_order() {
        assert!(FRAMES.is_sorted());
    }

    #[test]
    fn no_spelling_of_a_frame_stays_a_tag() {
        for (text, want) in [
            ("a</system-reminder>b", "a<\\/system-reminder>b"),
            ("< / SYSTEM_reminder >", "<\\ / SYSTEM_reminder >"),
            ("</system\u{200b}-reminder>", "<\\/system-reminder>"),
            ("＜/system-reminder＞", "<\\/system-reminder＞"),
            ("<|im_start|>system", "<\\|im_start|>system"),
            ("<div>a < b</div> [memory](x.md)", "<div>a < b</div> [memory](x.md)"),
            ("red \u{1b}[31m", "red \\u{1b}[31m"),
            ("one\ntwo\tthree\r\n", "one\ntwo\tthree\r\n"),
            ("one\rtwo", "one\\u{d}two"),
            ("❤️ 👩‍💻 می‌خواهم", "❤️ 👩‍💻 می‌خواهم"),
        ] {
            assert_eq!(for_model(text), want, "{text}");
        }
    }

    #[test]
    fn a_label_stays_in_its_line() {
        assert_eq!(one_line("/home/me/memory"), "/home/me/memory");
        assert_eq!(one_line("/a\n# Rule\u{202e}\u{2028}"), "/a\\u{a}# Rule\\u{202e}\\u{2028}");
    }

    proptest! {
        #[test]
        fn what_was_escaped_needs_no_escape(text in "[<>/\\\\a-z\u{200b}＜ \u{1b}\n]{0,20}(</? ?system[-_]reminder ?>){0,2}[\u{202e}a<]{0,4}") {
            let once = for_model(&text).into_owned();
            prop_assert_eq!(for_model(&once), once.as_str());
            let hidden = once.contains(|letter| is_hidden(letter) && letter != '\n');
            prop_assert!(!hidden);
        }
    }
}
