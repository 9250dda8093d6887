//! A sentence cut into clauses.
//!
//! Enters: prose in English or Chinese, as people type it: few capitals, commas for full stops. Leaves:
//! pieces of it in order, none empty. Never cuts inside a quotation, a path, a number or an address.

use memdir_lexicon as lexicon;
use memdir_reader::han::is_unspaced;
use memdir_reader::sentences::Enclosed;

fn push<'t>(found: &mut Vec<&'t str>, piece: &'t str) {
    let piece = piece.trim();
    if piece.chars().any(char::is_alphanumeric) {
        found.push(piece);
    }
}

/// The clauses of a sentence: what is between commas, dashes and "because", where each side can
/// stand alone.
pub(super) fn clauses(sentence: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, Enclosed::default());
    for (at, letter) in sentence.char_indices() {
        depth.step(sentence, at, letter);
        if depth.is_inside() || at < start {
            continue;
        }
        let rest = &sentence[at + letter.len_utf8()..];
        let cuts = match letter {
            '，' | '；' | '：' => true,
            ';' => rest.is_empty() || rest.starts_with(char::is_whitespace),
            ',' => rest.starts_with(is_unspaced) || sentence[..at].ends_with(is_unspaced) || stands_alone(rest),
            '—' | '–' => sentence[..at].ends_with(' ') && rest.starts_with(' '),
            '-' => sentence[..at].ends_with(' ') && rest.starts_with(' ') && rest.split_whitespace().count() >= 3,
            ':' => rest.starts_with(' ') && rest.split_whitespace().count() >= 4,
            ' ' => begins_reason(rest) && sentence[start..at].split_whitespace().count() >= 2,
            _ => false,
        };
        if cuts {
            push(&mut found, &sentence[start..at]);
            start = at + letter.len_utf8();
        }
    }
    push(&mut found, &sentence[start..]);
    found
}

/// Whether what follows a comma says something by itself.
fn stands_alone(rest: &str) -> bool {
    let rest = &rest[..rest.find([',', '，', '—', '–']).unwrap_or(rest.len())];
    let mut words = rest.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\''));
    let Some(first) = words.next().map(str::to_lowercase) else { return false };
    let second = words.next().map(str::to_lowercase).unwrap_or_default();
    let count = 2 + words.count();
    match first.as_str() {
        "and" | "but" | "so" => count >= 4 && (first != "and" || lexicon::CLAUSE_SUBJECT.contains(&second)),
        "because" | "since" | "otherwise" | "cause" | "cuz" => true,
        _ => count >= 4 && rest.starts_with(' ') && !lexicon::LINKING_WORD.contains(&first),
    }
}

/// "because" and its like in the middle of a sentence.
fn begins_reason(rest: &str) -> bool {
    lexicon::REASON_IN_SENTENCE.iter().any(|word| rest.starts_with(word))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use memdir_reader::sentences::sentences;

    #[test]
    fn clauses_stand_alone() {
        for (text, want) in [
            (
                "never push charts without a changelog entry, argo picks it up within a minute and ops has no idea",
                &[
                    "never push charts without a changelog entry",
                    "argo picks it up within a minute and ops has no idea",
                ][..],
            ),
            ("tabs, not spaces, in go files", &["tabs, not spaces, in go files"]),
            ("it moved, and I am fine with longer answers", &["it moved", "and I am fine with longer answers"]),
            ("keep it because the clinic needs it", &["keep it", "because the clinic needs it"]),
            ("测试里别mock数据库，上次全绿上线炸了", &["测试里别mock数据库", "上次全绿上线炸了"]),
            (
                "we use \"Sie\", never \"du\" — it is in our contract",
                &["we use \"Sie\", never \"du\"", "it is in our contract"],
            ),
        ] {
            assert_eq!(clauses(text), want, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_is_invented_and_order_stays(text in "(?s)[a-z ,.?!;\"()，。：我们\n-]{0,120}") {
            let mut from = 0;
            for sentence in sentences(&text) {
                let at = text[from..].find(sentence).map(|at| from + at);
                prop_assert!(at.is_some());
                from = at.unwrap_or(from) + sentence.len();
                let mut inside = 0;
                for clause in clauses(sentence) {
                    let at = sentence[inside..].find(clause).map(|at| inside + at);
                    prop_assert!(at.is_some());
                    inside = at.unwrap_or(inside) + clause.len();
                }
            }
        }
    }
}
