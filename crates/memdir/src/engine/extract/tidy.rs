//! Strips the small talk around a sentence.
//!
//! Enters: a sentence as it was typed. Leaves: the same without "ok so", "btw", "please" and their like at both
//! ends. Never cuts in the middle, and never leaves nothing.

/// Words that only lead on to what is said; a comma, colon or stop must follow.
const LEADS: &str = "ok|okay|yes|yeah|yep|no|nope|hm|hmm|ah|oh|wait|hold on|hey|hi|hello|well|so|good|great|nice|perfect|\
     right|exactly|thanks|sorry|cool|fine|sure|works|look|again|for context|quick context|context|\
     some context|for planning|one more thing|another thing|heads up|fyi|btw|by the way|as i said|\
     like i said|first|second|third|fourth|finally|last|note|reminder|ok so|for the record|\
     just so you know|i mean|to be clear|hm no|hm right|ok long list today|good point|two things changed|\
     two things|one thing|small thing|correction|update|hang on|too much|not quite|please|also|and|but|\
     then|anyway|actually|agreed|understood|makes sense|got it|thought so|对了|对|好的|好|嗯|另外|还有|顺便|顺便说一下|哦|\
     其实|可以|不用|不是|提醒一下|那个|行|不对|等等|是的|没错";

/// The same, where only a space follows.
const LEADS_SPACED: &str = "and|but|also|please|pls|btw|fyi|ok|okay|oh|ah|hm|so please|just fyi|另外|请|对了";

/// What only trails behind.
const TRAILS: &str = "please|pls|btw|by the way|thanks|thank you|thx|ok|okay|redo|fyi|haha|lol|哈|谢谢";

/// Strips the small talk around a sentence.
pub(super) fn tidy(sentence: &str) -> String {
    let mut rest = sentence.trim().trim_start_matches(['-', '*', '•', ' ']);
    'lead: loop {
        let lower = rest.to_lowercase();
        for lead in LEADS.split('|') {
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
        for lead in LEADS_SPACED.split('|') {
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
        let shorter = TRAILS.split('|').find_map(|trail| {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::tidy;

    #[test]
    fn small_talk_goes_and_words_stay() {
        for (said, want) in [
            ("ok. btw please use tabs, thanks", "use tabs"),
            ("hm right, that was deliberate", "that was deliberate"),
            ("no mocks in tests pls", "no mocks in tests"),
            ("good that you left it out", "good that you left it out"),
            ("对了,我是运维", "我是运维"),
            ("also from now on ask first", "from now on ask first"),
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
