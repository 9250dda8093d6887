//! Turns what people say about themselves into the third person.
//!
//! Enters: a sentence in the first person. Leaves: the same about "the user", since a memory is read by
//! somebody else. English and Chinese; verbs are made to agree. Never touches "we": that is the team.

use memdir_lexicon as lexicon;

/// The sentence as it would be said about the user.
pub(super) fn about_user(sentence: &str) -> String {
    let mut out = String::with_capacity(sentence.len() + 16);
    let mut rest = sentence;
    let mut agree = false;
    while !rest.is_empty() {
        let blank = rest.len() - rest.trim_start().len();
        out.push_str(&rest[..blank]);
        rest = &rest[blank..];
        if rest.is_empty() {
            break;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let lower = bare(word).to_lowercase().replace('’', "'");
        if agree && word.starts_with(|c: char| c.is_alphabetic()) {
            agree = lexicon::ADVERB_BEFORE_VERB.contains(&lower);
            out.push_str(&if agree { word.to_owned() } else { third(word, &lower) });
            rest = after;
            continue;
        }
        agree = false;
        let next = after.trim_start();
        let next_end = next.find(char::is_whitespace).unwrap_or(next.len());
        let pair = format!("{lower} {}", bare(&next[..next_end]).to_lowercase().replace('’', "'"));
        if let Some((_, put)) = lexicon::ABOUT_USER.iter().find(|(said, _)| *said == pair).filter(|_| plain(word)) {
            out.push_str(put);
            out.push_str(tail(&next[..next_end]));
            rest = &next[next_end..];
            continue;
        }
        match lower.as_str() {
            "i" if plain(word) => {
                out.push_str("the user");
                agree = true;
            }
            // "I do it myself": of one who was named already.
            "myself" if out.contains("the user") => swap(&mut out, word, "themselves"),
            "me" | "myself" => swap(&mut out, word, "the user"),
            "my" | "mine" => swap(&mut out, word, "the user's"),
            _ => match lexicon::ABOUT_USER.iter().find(|(said, _)| *said == lower) {
                Some((_, put)) => swap(&mut out, word, put),
                None => out.push_str(word),
            },
        }
        rest = after;
    }
    han(&out)
}

/// Chinese: 我 is the user, 我们 is the team.
fn han(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter == '我' && letters.peek() != Some(&'们') { out.push_str("用户") } else { out.push(letter) }
    }
    out
}

fn bare(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
}

/// The marks after a word.
fn tail(word: &str) -> &str {
    let bare = bare(word);
    word.find(bare).map_or("", |at| &word[at + bare.len()..])
}

/// No mark ends the word, so what follows belongs to it.
fn plain(word: &str) -> bool {
    tail(word).is_empty()
}

fn swap(out: &mut String, word: &str, put: &str) {
    let bare = bare(word);
    let at = word.find(bare).unwrap_or(0);
    out.push_str(&word[..at]);
    out.push_str(put);
    out.push_str(&word[at + bare.len()..]);
}

/// A verb in the third person.
fn third(word: &str, lower: &str) -> String {
    let past = lexicon::PAST_FORM.contains(lower) || (lower.ends_with("ed") && !lower.ends_with("eed"));
    if past || lexicon::HELPER_VERB.contains(lower) || !lower.chars().all(|c| c.is_ascii_alphabetic()) {
        return word.to_owned();
    }
    let made = match lower {
        "have" => "has".to_owned(),
        "do" => "does".to_owned(),
        "go" => "goes".to_owned(),
        verb if ["s", "x", "z", "ch", "sh"].iter().any(|end| verb.ends_with(end)) => format!("{verb}es"),
        verb => match verb.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{verb}s"),
        },
    };
    format!("{made}{}", tail(word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::about_user;

    #[test]
    fn the_first_person_becomes_the_user() {
        for (said, want) in [
            (
                "I'm a data scientist, I mostly care about what we log",
                "the user is a data scientist, the user mostly cares about what we log",
            ),
            ("I own observability", "the user owns observability"),
            ("I do the pushing myself, ask me first", "the user does the pushing themselves, ask the user first"),
            ("I was an ICU nurse, my laptop is old", "the user was an ICU nurse, the user's laptop is old"),
            ("ask me first, I don't like surprises.", "ask the user first, the user doesn't like surprises."),
            ("I try to keep it simple", "the user tries to keep it simple"),
            ("I lost work twice", "the user lost work twice"),
            ("so am I", "so is the user"),
            ("we deploy on fridays", "we deploy on fridays"),
            ("我是运维,我们组不写代码", "用户是运维,我们组不写代码"),
            ("implementation in time", "implementation in time"),
        ] {
            assert_eq!(about_user(said), want, "{said}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_turned(text in "(?s).{0,120}") {
            let _ = about_user(&text);
        }
    }
}
