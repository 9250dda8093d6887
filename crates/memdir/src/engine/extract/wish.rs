//! What the person asks of memory itself: remember this, forget that.
//!
//! Enters: a message's own words. Leaves: what should be remembered, or what should be forgotten, in the
//! person's words. Such a wish wins over the judge (not over secrets, nor over what is not worth
//! keeping, F7). Never mistakes "do you remember", "don't forget to push" or "forget it, use tabs" for one:
//! the first asks, the second is a task, and the third finds no memory to forget.

use std::sync::LazyLock;

use memdir_lexicon as lexicon;
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
    compile(&[
        r"(?:remember|memori[sz]e)(?: (?:this|it))?(?: (?:for|in) (?:next time|later|the next time|(?:the )?future(?: sessions?| chats?| work)?|all (?:my )?projects|me))?(?:\s*[:,–-]\s*|\s+)(?:that\s+|this[:,]?\s+)?",
        r"(?:keep|bear) (?:it |this |that )?in (?:mind|memory)(?: for (?:next time|later|me|(?:the )?future(?: sessions?)?))?(?:\s*[:,–-]\s*|\s+)(?:that\s+)?",
        r"(?:make|take|keep) a (?:mental )?note(?: of this| for (?:later|yourself|next time))?(?:\s*[:,–-]\s*|\s+)(?:that\s+|of\s+)?",
        r"(?:a )?(?:mental )?note (?:for you|to self|for later|for next time|for yourself)(?:\s*[:,–-]\s*|\s+)(?:that\s+)?",
        r"note (?:that|down)[:,]?\s+(?:that\s+)?",
        r"(?:add|save|store|put|write|commit|log|record)(?: this| that| it| the following)? (?:to|in|into) (?:your |the |my |long[- ]term )*(?:memory|memories|notes|memory file)(?:\s*[:,–-]\s*|\s+)(?:that\s+)?",
        r"(?:store|save|record|memorise|memorize)(?: that| this[:,])\s+",
        r"don'?t (?:forget|lose this|lose that)(?:\s*[:,–-]\s*|\s+that\s+)",
        r"(?:something|one thing) to (?:keep|remember)(?: for (?:next time|later))?\s*[:,–-]\s*",
        r"for (?:future reference|the record|next time)\s*[:,–-]\s*(?:remember\s+)?(?:that\s+)?",
        r"(?:请|帮我|麻烦|你|先|顺便|也|再)*(?:记住|记一下|记着|记下来|记下|牢记|记录一下|存个备忘|备忘一下|备忘|写进记忆|加到记忆里|加进记忆|记到记忆里|别忘了|存一下)(?:[哦啊呀哈了]*[~～]*)(?:[:：,，\s]+|$)?",
    ])
});

/// A wish that points back at what was said before it.
static REMEMBER_THAT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)(?:^|[\s,，。;])(?:please |pls |and |so |can you |could you )*(?:remember|memori[sz]e|save|store|note|keep|bear|record)(?: down)? (?:that|this|it|these)(?: (?:fix|rule|down|please|pls|for (?:me|later|next time|the future|future sessions|all projects)|in (?:mind|memory|your memory)|somewhere|too|well|so (?:you|that you) .*|in mind (?:when|whenever|while|if) you [^:：]*))*[.!\s]*$|(?:记住|记一下|记着|记下来|记下|记牢|别忘了)(?:[哦啊呀了吧哈]*)[。!！~～\s]*$",
    )
});

/// What only sounds like a wish to remember.
static NO_REMEMBER: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:do|did|can|don'?t|can'?t|cannot|couldn'?t|i|we|if i|you|as far as i|if you|they|must|should i) (?:even |still |you |really |always )*remember\b|\bremember (?:when|how|what|the (?:time|days)|to|me\b|if|where|who|my|the (?:usual|rule))|\bforget to\b|\bto remember\b|\bremember\?|还记得|记得吗|记不记得|记不住|不记得|不用记|别记|不要记|没记住",
    )
});

/// A wish in the form of a question.
static POLITE: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)^(?:and |so |please )*(?:can|could|would|will) you (?:please |also |just )*remember (?:that|this|the following)\b",
    )
});

/// How a wish to forget is put.
static FORGET: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:forget|unlearn|unremember|disremember)\b|\b(?:drop|remove|delete|erase|wipe|purge|strike|discard|clear|scrap|get rid of|throw (?:out|away)|retire|take|lose)\b.{0,80}\b(?:memory|memories|memorised|memorized|your notes?|the notes?|stored|remembered|the entry|that entry|the rule|that rule|that preference|the preference|the fact)\b|\b(?:memory|stored|remembered|saved|noted|wrote down)\b.{0,80}\b(?:drop|remove|delete|erase|wipe|purge|discard|clear|scrap|can go|get rid of)\b|\b(?:don'?t|no need to|stop|you can stop|no longer (?:need to )?|needn'?t) (?:remember(?:ing)?|hold(?:ing)? on to|stor(?:e|ing)|keep(?:ing)? in (?:mind|memory))\b|(?:忘掉|忘了|忘记|别记|不用记|不要记|别再记)|(?:删掉|删除|去掉|清掉|清除|拿掉|作废|取消).{0,20}(?:那条|这条|记忆|记的|备忘|规则|memory)|(?:那条|这条|记忆|记的|备忘|规则|memory).{0,30}(?:删掉|删了|删除|去掉|清掉|清除|拿掉|作废|取消|不用记|过时)",
    )
});

/// The same for something that was just named: "that rule about tabs? scrap it".
static FORGET_THAT: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:scrap|drop|ditch|lose|delete|remove|kill|bin|forget) (?:that|it|this)(?: one| rule| note| preference| entry)?\b|(?:删了|去掉|作废|不要了)(?:吧)?$",
    )
});

/// What shows that memory is spoken of.
static OF_MEMORY: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:remember|memory|memories|stored|saved|noted|the rule|that rule|rule that|preference|i told you|i said|you know that)\b|记|规则",
    )
});

/// What only sounds like a wish to forget.
static NO_FORGET: LazyLock<Regex> = LazyLock::new(|| {
    regex(
        r"(?i)\b(?:don'?t|do not|never|didn'?t|let'?s not|not) forget\b|\b(?:i|we|you|they|he|she|people) (?:always |often |keep |will |would |'ll |just )*forget\b|\bforget(?:s)? to\b|\bforgot\b|别忘|不要忘|没忘|忘了(?:加|写|改|提交|跑|传|带|说|做|关|开)|我忘了|你忘了|又忘了",
    )
});

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
        if let Some(what) = REMEMBER.iter().find_map(|opening| after(opening, sentence)).filter(|_| !negated) {
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
    (super::cues::length(what) >= 2).then_some(what)
}

fn compile(openings: &[&str]) -> Vec<Regex> {
    // Small words may stand before; so may a clause of thanks that ends with a comma.
    const BEFORE: &str = r"(?:^|[.,;:!?，。；：！？]\s*|^(?:ok|okay|yes|and|also|oh|so|but|btw|hey|well|thanks|great|good|perfect|please|pls|just|you should|you must|can you|could you|would you|i want you to|i'd like you to|make sure (?:you|to)|be sure to|let's|another thing|one more thing|by the way)(?:[\s,:.!]+))(?:(?:ok|okay|yes|and|also|oh|so|but|btw|please|pls|just|you should|you must|can you|could you|would you|i want you to|make sure (?:you|to)|be sure to|always)[\s,:]+)*";
    openings.iter().map(|opening| regex(&format!("(?i){BEFORE}{opening}"))).collect()
}

#[allow(clippy::expect_used)] // the patterns are constants, and the tests use each
fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a valid pattern")
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
