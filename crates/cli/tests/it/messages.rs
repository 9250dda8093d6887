//! Every message of the library's error types is explained in docs/errors.md.

use super::sources;

/// What comes before a message; in two pieces, or this file would hold one.
const MARK: &str = concat!("#[", "error(");
/// Words that a person would recognise a message by; shorter pieces are in many.
const TELLING: usize = 8;

#[test]
fn every_error_message_is_explained() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/errors.md")).unwrap();
    let page = squeezed(&page);
    let mut count = 0;
    for (path, text) in sources() {
        for message in messages(&text) {
            let Some(piece) = longest_piece(&message) else { continue };
            count += 1;
            assert!(page.contains(&piece), "docs/errors.md does not explain {piece:?} of {}", path.display());
        }
    }
    assert!(count > 50, "only {count} messages were found");
}

/// The texts of all `error` attributes.
fn messages(source: &str) -> Vec<String> {
    source
        .split(MARK)
        .skip(1)
        .filter_map(|rest| {
            let rest = rest.trim_start().strip_prefix('"')?;
            let mut text = String::new();
            let mut letters = rest.chars();
            while let Some(letter) = letters.next() {
                match letter {
                    '"' => return Some(text),
                    '\\' => match letters.next()? {
                        '\n' => text.push(' '),
                        escaped => text.push(escaped),
                    },
                    _ => text.push(letter),
                }
            }
            None
        })
        .collect()
}

/// The longest run of words between two placeholders.
fn longest_piece(message: &str) -> Option<String> {
    let mut pieces = vec![String::new()];
    let mut depth = 0;
    for letter in message.replace("{{", "").replace("}}", "").chars() {
        match letter {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                pieces.push(String::new());
            }
            _ if depth == 0 => pieces.last_mut()?.push(letter),
            _ => {}
        }
    }
    let longest = pieces.iter().map(|piece| squeezed(piece).trim().to_owned()).max_by_key(String::len)?;
    (longest.len() >= TELLING).then_some(longest)
}

/// Runs of blank space as one space: messages and pages break their lines where they like.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
