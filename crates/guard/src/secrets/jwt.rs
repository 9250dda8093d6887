//! JSON Web Tokens, told by what their head says.
//!
//! Enters: a text. Leaves: the places of tokens whose first part decodes to a JSON object that names an algorithm: signed,
//! encrypted or with no signature at all, in one piece or with blanks around the dots.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::placeholder::is_placeholder;

/// The parts of an encrypted token; a signed one has three.
const PARTS: usize = 5;
/// The shortest body: `{"a":1}` in base64.
const BODY: usize = 8;

/// All tokens of a text.
pub(super) fn tokens(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    // `{"`, `{ ` and `{` with a line end, in base64.
    for start in ["eyJ", "eyA", "ewo", "ew0"].iter().flat_map(|head| memchr::memmem::find_iter(text.as_bytes(), head)) {
        let inside = found.iter().any(|token| token.contains(&start));
        let begins = start == 0 || !is_letter(text.as_bytes()[start - 1]);
        if !inside
            && begins
            && let Some(end) = token(text, start)
            && !is_placeholder(&text[start..end])
        {
            found.push(start..end);
        }
    }
    found.sort_by_key(|token| token.start);
    found
}

/// Where a token that begins here ends.
fn token(text: &str, start: usize) -> Option<usize> {
    let head = part(text, start);
    if !names_an_algorithm(&text[start..head]) {
        return None;
    }
    let (mut end, mut longest) = (head, 0);
    for _ in 1..PARTS {
        let rest = text[end..].trim_start();
        let Some(rest) = rest.strip_prefix('.') else { break };
        let dot = text.len() - rest.len();
        let next = text.len() - rest.trim_start().len();
        let after = part(text, next);
        longest = longest.max(after - next);
        // An empty part is one where the dots stand side by side, or at the end.
        end = if after > next { after } else { dot };
    }
    (longest >= BODY).then_some(end)
}

fn part(text: &str, start: usize) -> usize {
    text.as_bytes()[start..].iter().position(|byte| !is_letter(*byte)).map_or(text.len(), |count| start + count)
}

fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

fn names_an_algorithm(head: &str) -> bool {
    let Ok(bytes) = URL_SAFE_NO_PAD.decode(head) else { return false };
    let holds = |name: &str| memchr::memmem::find(&bytes, name.as_bytes()).is_some();
    holds("\"alg\"") || holds("\"enc\"")
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;

    use super::tokens;

    #[test]
    fn a_head_that_names_an_algorithm_makes_a_token() {
        let part = |json: &str| URL_SAFE_NO_PAD.encode(json);
        let body = part("{\"sub\":\"kiln\",\"iat\":1770000000}");
        for head in ["{\"alg\":\"none\"}", "{ \"typ\": \"JWT\",\"alg\":\"ES256\"}", "{\n\"enc\":\"A256GCM\"}"] {
            for glue in [".", " . ", ".\n"] {
                let token = format!("{}{glue}{body}{glue}c2lnbmF0dXJl", part(head));
                let text = format!("use {token} now");
                assert_eq!(tokens(&text).into_iter().map(|at| text[at].to_owned()).collect::<Vec<_>>(), [token]);
            }
        }
        let unsigned = format!("{}.{body}.", part("{\"alg\":\"none\"}"));
        assert_eq!(tokens(&unsigned).first(), Some(&(0..unsigned.len())));
    }

    #[test]
    fn other_json_is_none() {
        let cursor = URL_SAFE_NO_PAD.encode("{\"page\":2,\"size\":50}");
        assert!(tokens(&format!("{cursor}.{cursor}.{cursor}")).is_empty());
        assert!(tokens("eyJ. eyA ewo").is_empty());
    }
}
