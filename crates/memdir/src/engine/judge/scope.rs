//! Whether a statement holds for one case only.
//!
//! Enters: a statement and what a memory says. Leaves: whether the statement narrows itself, by an exception, a condition or the case it
//! opens with, where the memory does not. Read whole, "deploys on Friday are fine if it is a flag" sounds like the end of "no deploys on
//! Friday"; what it narrows itself to says that it is not. Function words of eight languages, nothing about any subject.

use memdir_lexicon::{self as lexicon, List};
use memdir_reader::han::is_unspaced;
use memdir_reader::{likeness, sentences};

/// So many words of a sentence name the case that it opens with, where no mark ends it.
const CASE_WORDS: usize = 4;

/// Whether a statement narrows itself to a case that the text does not speak of.
pub(super) fn is_narrower(statement: &str, known: &str) -> bool {
    let all = sentences::sentences(statement);
    // What a later sentence sets a condition for is not what the first one says.
    let first = all.first().copied().unwrap_or(statement);
    let says = |list: &List| has(first, list) && !has(known, list);
    let opens = opens_with(first, &lexicon::SCOPE_OPENING) && is_new_case(first, known);
    says(&lexicon::EXCEPTION) || says(&lexicon::NARROWING) || opens
}

/// Whether the case that a sentence opens with is none that a text speaks of: the words up to a mark, or the first few.
fn is_new_case(sentence: &str, known: &str) -> bool {
    let few = sentence.split_inclusive(char::is_whitespace).take(CASE_WORDS).map(str::len).sum();
    let case = &sentence[..sentence.find([',', '，', ':', '：', '、']).unwrap_or(few).min(few)];
    let known = likeness::words(known);
    likeness::words(case).iter().any(|word| !known.contains(word))
}

fn has(text: &str, list: &List) -> bool {
    let text = text.to_lowercase();
    list.iter().any(|phrase| text.match_indices(phrase).any(|(at, _)| stands_alone(&text, at, phrase)))
}

fn opens_with(text: &str, list: &List) -> bool {
    let text = text.trim_start().to_lowercase();
    list.iter().any(|phrase| text.starts_with(phrase) && stands_alone(&text, 0, phrase))
}

/// Whether a phrase is a word here and no part of one; where words are not spaced it is.
fn stands_alone(text: &str, at: usize, phrase: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    phrase.chars().all(|c| !c.is_ascii() && !c.is_lowercase())
        || !text[..at].ends_with(is_letter) && !text[at + phrase.len()..].starts_with(is_letter)
}

#[cfg(test)]
mod tests {
    use super::is_narrower;

    #[test]
    fn a_case_that_the_memory_does_not_speak_of_narrows() {
        for (statement, known, narrower) in [
            ("docs deploys may go out on Friday if nobody is on leave", "No deploys on Friday", true),
            ("For the archive a scan is enough", "Contracts are kept on paper", true),
            ("Friday deploys are fine", "No deploys on Friday", false),
            ("除了周报,其他都用英文", "文档都写英文", true),
            ("文档改写中文", "文档都写英文", false),
            ("In the lab gloves are blue", "gloves are blue", true),
            ("Informal notes go to the wiki", "notes go to the drive", false),
            ("Für das Versandmodul ist Herr Özdemir da", "Ansprechpartner für das Versandmodul ist Frau Brandl", false),
            ("ON DELETE CASCADE is fine on foreign keys", "Do not put ON DELETE CASCADE on foreign keys", false),
            ("Events go over NATS. If you see RabbitMQ it is stale", "Events go over RabbitMQ", false),
            ("Reports for the Boston partner may carry mg/dL", "Reports use SI units only", true),
            ("Bei Kleinaufträgen reicht ein Angebot", "Immer drei Angebote einholen", true),
        ] {
            assert_eq!(is_narrower(statement, known), narrower, "{statement}");
        }
    }
}
