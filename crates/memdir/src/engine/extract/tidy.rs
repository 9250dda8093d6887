//! Strips the small talk around a sentence.
//!
//! Enters: a sentence as it was typed. Leaves: the same without "ok so", "btw", "please" and their like at both
//! ends. Never cuts in the middle, and never leaves nothing.

use memdir_lexicon as lexicon;

/// Strips the small talk around a sentence.
pub(super) fn tidy(sentence: &str) -> String {
    let mut rest = sentence.trim().trim_start_matches(['-', '*', '•', ' ']);
    'lead: loop {
        let lower = rest.to_lowercase();
        if let Some(after) = announced(rest) {
            rest = after;
            continue;
        }
        for lead in lexicon::LEAD.iter() {
            if lower.len() == rest.len()
                && let Some(after) = lower.strip_prefix(lead)
                && after.starts_with([',', ':', '.', '!', ';', '，', '：', '。', '、'])
            {
                let next =
                    rest[lead.len()..].trim_start_matches(|c: char| c.is_whitespace() || ",:.!;，：。、".contains(c));
                if !next.is_empty() {
                    rest = next;
                    continue 'lead;
                }
            }
        }
        for lead in lexicon::LEAD_SPACED.iter() {
            if lower.len() == rest.len() && lower.starts_with(lead) {
                let next = &rest[lead.len()..];
                if next.starts_with(' ') || (!lead.is_ascii() && !next.is_empty()) {
                    rest = next.trim_start();
                    continue 'lead;
                }
            }
        }
        break;
    }
    let mut rest = rest.trim_end_matches(|c: char| c.is_whitespace() || ".,;!。，；！".contains(c));
    loop {
        let lower = rest.to_lowercase();
        let shorter = lexicon::TRAIL.iter().find_map(|trail| {
            let before = lower.strip_suffix(trail).filter(|_| lower.len() == rest.len())?;
            before.ends_with([' ', ',', '，']).then(|| rest[..before.len()].trim_end_matches([' ', ',', '，']))
        });
        match shorter {
            Some(shorter) if !shorter.is_empty() => rest = shorter,
            _ => break,
        }
    }
    rest.to_owned()
}

/// What follows "two things changed:", where something does.
fn announced(text: &str) -> Option<&str> {
    let (opening, after) = text.split_once([':', ','])?;
    let words: Vec<String> = opening.split_whitespace().map(str::to_lowercase).collect();
    let [count, thing, more @ ..] = words.as_slice() else { return None };
    let counted = lexicon::NUMBER.iter().any(|(number, _)| number == count);
    (counted && lexicon::ANNOUNCED.contains(thing) && more.len() <= 2 && !after.trim().is_empty())
        .then(|| after.trim_start())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::tidy;

    #[test]
    fn small_talk_goes_and_words_stay() {
        for (said, want) in [
            ("ok. btw please use tabs, thanks", "use tabs"),
            ("hm. right, that was deliberate", "that was deliberate"),
            ("no mocks in tests pls", "no mocks in tests"),
            ("good that you left it out", "good that you left it out"),
            ("对了,我是运维", "我是运维"),
            ("also from now on ask first", "from now on ask first"),
            ("three points: no emoji", "no emoji"),
            ("two reviewers: Ana and Bo", "two reviewers: Ana and Bo"),
            ("ok", "ok"),
        ] {
            assert_eq!(tidy(said), want, "{said}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_invented(said in "(?s).{0,80}") {
            prop_assert!(said.contains(&tidy(&said)));
        }
    }
}
