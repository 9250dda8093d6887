//! What the person asks of memory itself: remember this, forget that.
//!
//! Enters: a message's own words. Leaves: what should be remembered, or what should be forgotten, in the
//! person's words. Such a wish wins over the judge (not over secrets, nor over what is not worth
//! keeping, F7). Never mistakes "do you remember", "don't forget to push" or "forget it, use tabs" for one:
//! the first asks, the second is a task, and the third finds no memory to forget.

use std::sync::LazyLock;

use memdir_lexicon::{self as lexicon, List};
use regex::Regex;

use memdir_reader::sentences::sentences;

/// What is asked of memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// Keep this. Empty: what was said before it, in this message or the one before.
    Remember(String),
    /// Let go of the memory about this.
    Forget(String),
}

/// How a wish to remember opens; what follows is to be remembered.
static REMEMBER: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    // A sentence begins, or small words stand before; so may a clause of thanks that ends with a comma.
    let (lead, filler) = (any(&lexicon::WISH_LEAD_PATTERN), any(&lexicon::WISH_FILLER_PATTERN));
    let before = format!(r"(?:^|[.,;:!?，。；：！？]\s*|^(?:{lead})(?:[\s,:.!]+))(?:(?:{filler})[\s,:]+)*");
    lexicon::REMEMBER_PATTERN.iter().map(|opening| regex(&format!("{before}{opening}"))).collect()
});

/// A wish that points back at what was said before it.
static REMEMBER_THAT: LazyLock<Regex> = LazyLock::new(|| regex(&any(&lexicon::REMEMBER_THAT_PATTERN)));

/// What only sounds like a wish to remember.
static NO_REMEMBER: LazyLock<Regex> = LazyLock::new(|| regex(&any(&lexicon::NOT_REMEMBER_PATTERN)));

/// A wish in the form of a question.
static POLITE: LazyLock<Regex> = LazyLock::new(|| regex(&any(&lexicon::POLITE_REMEMBER_PATTERN)));

/// How a wish to forget is put.
static FORGET: LazyLock<Regex> = LazyLock::new(|| regex(&any(&lexicon::FORGET_PATTERN)));

/// The same for something that was just named: "that rule about tabs? scrap it".
static FORGET_THAT: LazyLock<Regex> = LazyLock::new(|| regex(&any(&lexicon::FORGET_THAT_PATTERN)));

/// What shows that memory is spoken of.
static OF_MEMORY: LazyLock<Regex> = LazyLock::new(|| regex(&any(&lexicon::MEMORY_PATTERN)));

/// What only sounds like a wish to forget.
static NO_FORGET: LazyLock<Regex> = LazyLock::new(|| regex(&any(&lexicon::NOT_FORGET_PATTERN)));

/// The wish in a message, if there is one.
pub(super) fn wish(words: &str) -> Option<Wish> {
    let asked =
        |sentence: &str| sentence.trim_end().ends_with(['?', '？']) && !sentence.to_lowercase().contains("please");
    for sentence in sentences(words) {
        let named = FORGET_THAT.is_match(sentence) && OF_MEMORY.is_match(words);
        if (FORGET.is_match(sentence) || named) && !NO_FORGET.is_match(sentence) {
            return Some(Wish::Forget(gone(words)));
        }
        if asked(sentence) && !sentence.to_lowercase().starts_with(['c', 'w']) {
            continue;
        }
        let negated = NO_REMEMBER.is_match(sentence) && !POLITE.is_match(sentence);
        if let Some(found) = REMEMBER_THAT.find(sentence).filter(|_| !negated) {
            let end = sentence.as_ptr() as usize - words.as_ptr() as usize + found.start();
            return Some(Wish::Remember(words[..end].trim().trim_end_matches([',', '，']).to_owned()));
        }
        let openings = REMEMBER.iter().filter_map(|opening| after(opening, sentence));
        if let Some(what) = openings.max_by_key(|what| what.len()).filter(|_| !negated) {
            let start = what.as_ptr() as usize - words.as_ptr() as usize;
            // What comes later in the message belongs to it: reasons follow.
            return Some(Wish::Remember(words[start..].trim().to_owned()));
        }
    }
    None
}

/// What should go: the message without what it says should stay.
fn gone(words: &str) -> String {
    let stays = |clause: &str| {
        let lower = clause.trim_start().to_lowercase();
        lexicon::STAYS_OPENING.longest_prefix_of(&lower).is_some()
    };
    let kept: Vec<&str> = sentences(words)
        .into_iter()
        .flat_map(super::clause::clauses)
        .flat_map(|clause| clause.split(", "))
        .filter(|clause| !stays(clause))
        .collect();
    if kept.is_empty() { words.to_owned() } else { kept.join(", ") }
}

/// What follows an opening, where it stands at the beginning of a sentence or after small words.
fn after<'s>(opening: &Regex, sentence: &'s str) -> Option<&'s str> {
    let found = opening.find(sentence)?;
    let what = sentence[found.end()..].trim();
    (memdir_reader::cues::length(what) >= 2).then_some(what)
}

/// One of the patterns, in whatever language.
fn any(patterns: &List) -> String {
    patterns.iter().collect::<Vec<_>>().join("|")
}

#[allow(clippy::expect_used)] // the patterns are constants, and the tests use each
fn regex(pattern: &str) -> Regex {
    Regex::new(&format!("(?i){pattern}")).expect("a valid pattern")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_wish_to_remember_is_heard_with_what_it_is_about() {
        for (words, what) in [
            ("remember that prices are in cents", "prices are in cents"),
            ("Please remember: no deploys on fridays. the bank is closed", "no deploys on fridays. the bank is closed"),
            ("ok thanks. keep in mind that the vpn drops at noon", "the vpn drops at noon"),
            ("add to your memory: the kafka test is flaky", "the kafka test is flaky"),
            ("the license server is behind the vpn. remember that please", "the license server is behind the vpn."),
            ("remember this for all my projects: tabs, not spaces", "tabs, not spaces"),
            ("don't forget, thursdays there's no deploying", "thursdays there's no deploying"),
            ("mental note for you: sprint means three weeks", "sprint means three weeks"),
            ("could you make a note that Ines owns billing", "Ines owns billing"),
            ("记住,线上只能读从库", "线上只能读从库"),
            ("好的,帮我记一下:周四不发版", "周四不发版"),
            ("10.2 网段只能从跳板机进,记着啊", "10.2 网段只能从跳板机进"),
            ("save that fix somewhere", ""),
        ] {
            assert_eq!(wish(words), Some(Wish::Remember(what.into())), "{words}");
        }
    }

    #[test]
    fn a_wish_to_forget_is_heard() {
        for words in [
            "forget what I said about tabs",
            "please forget my working hours, I don't want that stored",
            "drop the jira key from memory",
            "the no-emoji rule can go. Forget it",
            "unlearn the three-line rule",
            "you can stop remembering my birthday",
            "评测集那条不用记了,修好了",
            "把发版日那条删掉",
            "that rule about squashing everything? scrap it",
        ] {
            assert!(matches!(wish(words), Some(Wish::Forget(_))), "{words}");
        }
        let both = "forget the squash rule, keep the branch names";
        assert_eq!(wish(both), Some(Wish::Forget("forget the squash rule".into())));
    }

    #[test]
    fn what_only_sounds_like_a_wish_is_none() {
        for words in [
            "do you remember the freeze?",
            "I can't remember the flag, what was it",
            "don't forget to push",
            "you forgot the semicolon",
            "remember when we used svn",
            "note the typo in line 3",
            "save the file and run it",
            "remove the old rows from the table",
            "我忘了密码",
            "还记得上次那个报错吗",
        ] {
            assert_eq!(wish(words), None, "{words}");
        }
    }

    proptest! {
        #[test]
        fn any_words_are_heard(words in "(?s).{0,200}") {
            if let Some(Wish::Remember(what)) = wish(&words) {
                prop_assert!(words.contains(&what));
            }
        }
    }
}
