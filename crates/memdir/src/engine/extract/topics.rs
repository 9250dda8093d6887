//! Splits a message that is about two things.
//!
//! Enters: the sentences of a message that are worth keeping. Leaves: one group a topic, in order. A new
//! topic is believed only where the person marks it ("also …", ", and I …", 另外) and it is another kind of
//! thing or far from the first in meaning: a reason is no topic of its own.

use jiff::civil::Date;
use memdir_encoder::Encoder;
use memdir_lexicon as lexicon;

use super::classifier::Classifier;
use super::sort::kind_of;
use memdir_reader::cues;

/// Nearer than this, two pieces are about one thing.
const NEAR: f32 = 0.3;
/// Fewer words do not make a topic.
const LEAST: usize = 4;

/// The sentences by topic.
pub(super) fn topics(classifier: Classifier, kept: &[String], before: &str, day: Date) -> Vec<Vec<String>> {
    let pieces: Vec<(String, bool)> = kept.iter().flat_map(|sentence| pieces(sentence)).collect();
    let mut groups: Vec<Vec<String>> = Vec::new();
    for (piece, marked) in pieces {
        let goes_on = match groups.last() {
            None => false,
            Some(group) => !marked || !apart(classifier, &group.join(". "), &piece, before, day),
        };
        match groups.last_mut() {
            Some(group) if goes_on => group.push(piece),
            _ => groups.push(vec![piece]),
        }
    }
    groups
}

/// A sentence, cut where it marks another topic; with each piece whether it is marked.
fn pieces(sentence: &str) -> Vec<(String, bool)> {
    let lower = sentence.to_lowercase();
    let marked = lexicon::NEW_TOPIC_OPENING.longest_prefix_of(&lower).is_some();
    let cut = lexicon::NEW_TOPIC_INSIDE
        .iter()
        .filter_map(|mark| lower.find(mark))
        .filter(|_| lower.len() == sentence.len())
        .min();
    if let Some(at) = cut {
        let (first, rest) = sentence.split_at(at);
        let rest = rest.trim_start_matches([',', '，', ' ']);
        if cues::length(first) >= LEAST && cues::length(rest) >= LEAST {
            return vec![(first.to_owned(), marked), (rest.to_owned(), true)];
        }
    }
    vec![(sentence.to_owned(), marked && cues::length(sentence) >= LEAST)]
}

/// Whether two pieces are about different things.
fn apart(classifier: Classifier, first: &str, second: &str, before: &str, day: Date) -> bool {
    let kind = |text: &str| {
        let scores = classifier.classify(text, before);
        kind_of(text, scores, scores.act(), day)
    };
    kind(first) != kind(second) || nearness(classifier.encoder(), first, second) < NEAR
}

/// How near two pieces are in meaning.
pub(super) fn nearness(encoder: Encoder, first: &str, second: &str) -> f32 {
    let [whole, _] = encoder.encode_memory("", "", first);
    encoder.encode_query(second).cosine(&whole)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    fn count(kept: &[&str]) -> usize {
        let kept: Vec<String> = kept.iter().map(|sentence| (*sentence).to_owned()).collect();
        topics(Classifier::new(), &kept, "", date(2026, 4, 14)).len()
    }

    #[test]
    fn a_marked_change_of_subject_is_a_topic_and_a_reason_is_none() {
        assert_eq!(
            count(&[
                "the build server is called \"oak\" now instead of \"elm\", and I am fine with long answers about security"
            ]),
            2
        );
        assert_eq!(
            count(&["never mock the ledger in tests", "last year the migration broke in prod and nobody saw it"]),
            1
        );
        assert_eq!(count(&["never push on fridays", "also the sprint board is at board.example.org/x"]), 2);
        assert_eq!(count(&["改配置先给我看 diff", "上次直接改导致网关重启"]), 1);
    }
}
