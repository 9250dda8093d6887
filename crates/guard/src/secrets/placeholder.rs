//! What people write where a secret would stand: `<your-token>`, `${VAR}`, `xxxx`, `changeme`.
//!
//! Enters: a candidate value. Leaves: whether it stands for a secret instead of being one.

use super::entropy::{longest_climb, longest_run};

/// Pieces of long values that only documentation has. Short pieces are no use here: a random
/// token holds a given word of four letters once in ten thousand, and would be let through.
const PIECES: [&str; 21] = [
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "redacted",
    "removed",
    "dummy",
    "sample",
    "your_",
    "your-",
    "yourkey",
    "yourtoken",
    "yourapi",
    "yoursecret",
    "yourpass",
    "my-secret",
    "my_secret",
    "process.env",
    "os.environ",
    // The payload of the token that every introduction to JWT shows.
    "eyjzdwiioiixmjm0nty3odkwiiwibmftzsi6ikpvag4grg9l",
];

/// Whole values that stand for a password.
const WHOLE: [&str; 34] = [
    "password",
    "passwd",
    "pass",
    "pwd",
    "pw",
    "secret",
    "token",
    "key",
    "apikey",
    "api_key",
    "api-key",
    "value",
    "string",
    "str",
    "text",
    "none",
    "null",
    "nil",
    "undefined",
    "true",
    "false",
    "todo",
    "tbd",
    "hidden",
    "empty",
    "user",
    "username",
    "mypassword",
    "my-password",
    "my_password",
    "p",
    "pswd",
    "passphrase",
    "credentials",
];

/// Whether the value is a stand-in.
pub(super) fn is_placeholder(value: &str) -> bool {
    is_reference(value) || is_mask(value) || {
        let lower = value.to_ascii_lowercase();
        PIECES.iter().any(|piece| lower.contains(piece)) || is_word(&lower)
    }
}

/// Whether the whole value is a word for a secret, alone or numbered: `password`, `PASSWORD1`.
fn is_word(lower: &str) -> bool {
    WHOLE.contains(&lower.trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// Whether it names a place the value comes from.
fn is_reference(value: &str) -> bool {
    value.starts_with(['<', '{', '[', '('])
        || is_named_by_sign(value)
        || ["${", "$(", "{{", "}}", "<", "://", "..."].iter().any(|piece| value.contains(piece))
}

/// `$TOKEN`, `%TOKEN%`, `%(token)s`, `%s`: a sign and a name, while a password may begin with the sign as well.
fn is_named_by_sign(value: &str) -> bool {
    let Some(rest) = value.strip_prefix(['$', '%']) else { return false };
    let end = rest.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')).unwrap_or(rest.len());
    let name = &rest[..end];
    rest.starts_with(['{', '(', '[', '<', '$', '%'])
        || !name.is_empty()
            && !name.starts_with(|letter: char| letter.is_ascii_digit())
            && !super::noise::is_unread(name)
}

/// Whether it was blanked out, or typed along the keyboard.
fn is_mask(value: &str) -> bool {
    let run = longest_run(value);
    let blank = |byte: u8| matches!(byte, b'x' | b'X' | b'*' | b'#' | b'_' | b'-' | b'.' | b'?');
    let climb = longest_climb(value);
    // A prefix and perhaps a tail stand beside the digits and letters in order.
    run >= 8 && run * 2 >= value.len()
        || climb >= 8 && value.len() <= climb + 12
        || value.len() >= 3 && value.bytes().all(blank)
        || crossed_out(value) * 3 > value.len()
}

/// How long the longest run of `x` or `*` is, if it is one.
fn crossed_out(value: &str) -> usize {
    let runs = value.split(|c: char| !matches!(c, 'x' | 'X' | '*'));
    runs.map(str::len).max().filter(|&run| run >= 4).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{is_mask, is_placeholder, is_reference};

    #[test]
    fn stand_ins_are_told_from_values() {
        let stand_ins = [
            "<your-token>",
            "${DB_PASSWORD}",
            "$TOKEN",
            "{{ vault.db }}",
            "%(password)s",
            "xxxxxxxxxxxx",
            "XXXX-XXXX",
            "********",
            "...",
            "changeme",
            "change-me-please",
            "ghp_xxxxxxxxxxxxxxxxxxxx",
            "AKIAIOSFODNN7EXAMPLE",
            "0000000000000000",
            "1234567890",
            "abcdefghijkl",
            "process.env.API_KEY",
            "password123",
            "your_api_key",
            "abc...xyz",
            "[redacted",
            "--------",
        ];
        for value in stand_ins {
            assert!(is_placeholder(value), "{value}");
        }
        let values = [
            "hunter2-fake-pw",
            "Summer2026!",
            concat!("xoxb-", "000000000000-FAKEFAKEFAKEFAKEFAKEFAKE"),
            concat!("AKIA", "FAKEFAKEFAKE0000"),
            "tr0ub4dor",
            "qL7zR2mX9vB4nK8t",
        ];
        for value in values {
            assert!(!is_placeholder(value), "{value}");
        }
    }

    #[test]
    fn a_run_or_a_climb_counts_when_it_is_most_of_the_value() {
        let run = "aaaaaaaa";
        assert!(is_mask(&format!("{run}qzrmvbnk")) && !is_mask(&format!("{run}qzrmvbnkt")));
        assert!(!is_mask("aaaaaaa"));
        let climb = "12345678";
        assert!(is_mask(&format!("{climb}qzrmvbnktwpj")) && !is_mask(&format!("{climb}qzrmvbnktwpjd")));
        assert!(!is_mask("1234567"));
    }

    #[test]
    fn what_is_blanked_or_crossed_out_is_a_mask() {
        assert!(is_mask("-.-") && is_mask("?_#") && !is_mask("--") && !is_mask("-a-"));
        assert!(is_mask("xxxxqzrmvbn") && !is_mask("xxxxqzrmvbnk"), "more than a third");
        assert!(is_mask("qzX*xXrmvbn") && !is_mask("xxxqz"), "from four on");
    }

    #[test]
    fn a_place_is_named_at_the_start_or_by_its_marks() {
        for value in ["<a", "$a", "{a", "%a", "[a", "(a", "a${b", "a$(b", "a{{b", "a}}b", "a<b", "a://b", "a...b"] {
            assert!(is_reference(value), "{value}");
        }
        for value in ["a%b", "a[b", "a(b", "a{b", "a$b", "a..b", "a>b"] {
            assert!(!is_reference(value), "{value}");
        }
    }
}
