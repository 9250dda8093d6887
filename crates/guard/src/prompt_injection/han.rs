//! The same signs in Chinese, which has no spaces to cut sentences at: told by what stands near what.
//!
//! Enters: the whole text in lower case. Leaves: how heavily it weighs.

use memdir_lexicon::guard as lexicon;

/// Places of `words` in a text without spaces, with what follows each within `room` characters.
fn after<'t>(text: &'t str, words: &[&'static str], room: usize) -> Vec<&'t str> {
    let found = words.iter().flat_map(|word| text.match_indices(word).map(|(at, word)| &text[at + word.len()..]));
    found.map(|rest| rest.char_indices().nth(room).map_or(rest, |(end, _)| &rest[..end])).collect()
}

pub(super) fn overrides(lower: &str) -> u8 {
    let any = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    let weigh = |rest: &str| {
        if !any(rest, lexicon::HAN_STANDING) {
            0
        } else if any(rest, lexicon::HAN_COMMANDS) {
            2
        } else {
            u8::from(any(rest, lexicon::HAN_RULES))
        }
    };
    after(lower, lexicon::HAN_DROP, 14).into_iter().map(weigh).max().unwrap_or(0)
}

pub(super) fn secrecy(lower: &str) -> u8 {
    let kept = after(lower, lexicon::HAN_NOT, 8).into_iter().any(|rest| {
        let told = after(rest, lexicon::HAN_TELL, 5);
        told.iter().any(|whom| lexicon::HAN_PEOPLE.iter().any(|person| whom.contains(person)))
            && !rest.starts_with("让用户等")
    });
    u8::from(kept || lower.contains("瞒着用户"))
}
