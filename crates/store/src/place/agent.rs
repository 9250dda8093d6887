//! The directory name of a sub-agent (G1).
//!
//! Enters: an agent type from a host or a flag. Leaves: one plain directory name, the one Claude
//! Code uses. Never changes a name beyond `:` to `-`: two agents must not come to share a
//! directory, so what cannot be a name is refused.

use super::PlaceError;
use memdir_core::limits::AGENT_TYPE_BYTES;
use memdir_core::warning::quoted;
use memdir_guard::shown::{is_bidi, is_hidden, is_invisible};

/// The directory name of an agent type.
pub(super) fn directory_name(agent: &str) -> Result<String, PlaceError> {
    let refuse = |why| Err(PlaceError::AgentType(quoted(agent), why));
    let name = agent.trim().replace(':', "-");
    let stem = name.split('.').next().unwrap_or_default();
    if name.is_empty() {
        refuse("it is empty")
    } else if name.len() > AGENT_TYPE_BYTES {
        refuse("it is too long")
    } else if name.starts_with('.') || name.ends_with('.') {
        refuse("it starts or ends with a dot")
    } else if name.chars().any(|ch| is_hidden(ch) || is_bidi(ch) || is_separator(ch) || is_invisible(ch)) {
        refuse("it holds a path separator or a character that does not print")
    } else if name.contains(['<', '>', '"', '|', '?', '*'])
        || RESERVED.iter().any(|word| stem.eq_ignore_ascii_case(word))
    {
        refuse("some systems do not allow it as a file name")
    } else {
        Ok(name)
    }
}

/// Names that mean a device on Windows.
const RESERVED: &[&str] = &[
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2",
    "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Slashes, and the characters that look like one or become one when normalised.
fn is_separator(ch: char) -> bool {
    matches!(
        ch,
        '/' | '\\'
            | '\u{2044}'
            | '\u{2215}'
            | '\u{29f8}'
            | '\u{29f5}'
            | '\u{2216}'
            | '\u{ff0f}'
            | '\u{ff3c}'
            | '\u{fe68}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn g1_agent_types_and_their_directories() {
        for (agent, want) in [
            ("reviewer", Some("reviewer")),
            ("memplug:z", Some("memplug-z")),
            (" a:b:c ", Some("a-b-c")),
            ("général v2.1", Some("général v2.1")),
            ("", None),
            ("  ", None),
            (".", None),
            ("..", None),
            (".hidden", None),
            ("end.", None),
            ("../x", None),
            ("a/../../x", None),
            ("a\\b", None),
            ("/etc", None),
            ("a\0b", None),
            ("a\nb", None),
            ("a\u{2215}b", None),
            ("a\u{ff0f}b", None),
            ("a\u{202e}b", None),
            ("CON", None),
            ("nul.txt", None),
            ("what?", None),
        ] {
            assert_eq!(directory_name(agent).ok().as_deref(), want, "{agent:?}");
        }
        assert!(directory_name(&"x".repeat(5_000_000)).is_err());
    }

    proptest! {
        #[test]
        fn g1_a_directory_name_is_one_plain_component(agent in "\\PC{0,40}|[./\\\\:a\0]{0,12}") {
            if let Ok(name) = directory_name(&agent) {
                let path = std::path::Path::new(&name);
                prop_assert_eq!(path.components().count(), 1);
                prop_assert!(matches!(path.components().next(), Some(std::path::Component::Normal(_))));
            }
        }
    }
}
