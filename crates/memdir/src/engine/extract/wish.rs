//! What a wish to remember is about.
//!
//! Enters: a sentence that the reader takes for a wish. Leaves: what should be remembered, without the words of the wish, or nothing
//! where it only points at something else ("remember that"). Whether it is a wish at all is not decided here.

use std::sync::LazyLock;

use memdir_lexicon as lexicon;
use regex::Regex;

use memdir_reader::cues;

/// Fewer words than this say nothing that can stand alone.
const LEAST: usize = 3;
/// A wish that ends with a colon is no longer than this.
const ANNOUNCED: usize = 8;

/// How a wish opens; what follows is to be remembered.
static OPENING: LazyLock<Regex> = LazyLock::new(|| {
    let openings = lexicon::REMEMBER_PATTERN.iter().collect::<Vec<_>>().join("|");
    #[allow(clippy::expect_used)] // the patterns are constants, and the tests use each
    Regex::new(&format!("(?i){openings}")).expect("a valid pattern")
});

/// What should be remembered, where the sentence says it.
pub(super) fn content(sentence: &str) -> Option<&str> {
    let said = match OPENING.find(sentence) {
        Some(wish) => {
            let (before, after) = (&sentence[..wish.start()], &sentence[wish.end()..]);
            // "the server is behind the vpn, remember that": it stands on the other side.
            if cues::length(after) >= LEAST { after } else { before }
        }
        None => match sentence.split_once([':', '：']) {
            Some((wish, said)) if cues::length(wish) <= ANNOUNCED => said,
            _ => sentence,
        },
    };
    let said = said.trim().trim_end_matches([',', '，', ' ']);
    (cues::length(said) >= LEAST).then_some(said)
}

/// Whether a sentence opens with the words of a wish to remember.
pub(super) fn opens(sentence: &str) -> bool {
    OPENING.find(sentence).is_some_and(|wish| wish.start() == 0)
}

/// Whether a sentence opens with a wish in so many words and goes on with what it is about.
pub(super) fn is_plain(sentence: &str) -> bool {
    OPENING.find(sentence).is_some_and(|wish| {
        let words = wish.as_str().trim_end();
        let announces = words.ends_with([':', '：']) || words.to_lowercase().ends_with(" that");
        // "remember this for the next two steps: …"
        let later =
            sentence[wish.end()..].split_once([':', '：']).is_some_and(|(before, _)| cues::length(before) <= ANNOUNCED);
        (announces || later) && cues::length(&sentence[..wish.start()]) < LEAST
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_words_of_a_wish_are_left_out() {
        for (sentence, want) in [
            ("remember that prices are in cents", Some("prices are in cents")),
            ("please remember: no deploys on fridays", Some("no deploys on fridays")),
            ("ok thanks, keep in mind that the vpn drops at noon", Some("the vpn drops at noon")),
            ("could you make a note that Ines owns billing", Some("Ines owns billing")),
            ("the printers take latin-1 only, remember that please", Some("the printers take latin-1 only")),
            ("one for later: the crane is serviced in march", Some("the crane is serviced in march")),
            ("记住,线上只能读从库", Some("线上只能读从库")),
            ("10.2 网段只能从跳板机进,记着啊", Some("10.2 网段只能从跳板机进")),
            ("remember that", None),
        ] {
            assert_eq!(content(sentence), want, "{sentence}");
        }
    }

    #[test]
    fn a_plain_wish_says_that_something_follows() {
        for (sentence, plain) in [
            ("remember that the parser is in src", true),
            ("please remember: no deploys on fridays", true),
            ("remember this for the next two steps: use the dev profile", true),
            ("remember to push", false),
            ("I can never remember that flag", false),
        ] {
            assert_eq!(is_plain(sentence), plain, "{sentence}");
        }
    }

    proptest! {
        #[test]
        fn any_sentence_is_read(sentence in "(?s).{0,120}") {
            if let Some(what) = content(&sentence) {
                prop_assert!(sentence.contains(what));
            }
        }
    }
}
