//! Which words of what was known no longer hold.
//!
//! Enters: what was said and what is said now. Leaves: the content words that only the former says, or that the new one mentions to
//! deny them ("yarn instead of pnpm"): where a name, a line or a file name says one of them, it claims the old value.

use std::collections::BTreeSet;

use memdir_lexicon as lexicon;
use memdir_reader::likeness::{self, TextPolarity};

/// What no longer holds.
#[derive(Debug)]
pub(super) struct Outdated {
    /// Words that only the old one says.
    words: BTreeSet<String>,
    new: TextPolarity,
}

impl Outdated {
    pub(super) fn between(old: &str, new: &str) -> Outdated {
        let kept: BTreeSet<String> = affirmed(new);
        let gone = likeness::words(old).into_iter().filter(|word| !kept.contains(word));
        // A particle may hang on a foreign word: "RabbitMQ를".
        let words =
            gone.flat_map(|word| foreign_part(&word).filter(|part| !kept.contains(part)).into_iter().chain([word]));
        let words = words.collect();
        Outdated { words, new: TextPolarity::read(new) }
    }

    /// Whether a text says one of them, or denies what holds now.
    pub(super) fn claimed_by(&self, text: &str) -> bool {
        likeness::words(text).iter().any(|word| self.words.contains(word))
            || TextPolarity::read(text).opposes(&self.new)
    }
}

/// The Latin letters and digits that a word of another script begins with.
fn foreign_part(word: &str) -> Option<String> {
    let end = word.find(|c: char| !c.is_ascii())?;
    (end > 1).then(|| word[..end].to_owned())
}

/// The words that a text says of how things are, not of how they were.
fn affirmed(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let cut = lexicon::CONTRAST.iter().filter_map(|contrast| lower.find(contrast).map(|at| (at, contrast.len()))).min();
    let said = TextPolarity::read(text);
    let mut words: BTreeSet<String> = said.affirmed().map(str::to_owned).collect();
    if let Some((at, length)) = cut.filter(|_| lower.len() == text.len()) {
        // What follows the contrast, up to the end of its clause, is what it was; what comes before is what it is.
        let rest = &text[at + length..];
        let end = rest.find([',', ';', '.', '，', '；', '。', '、']).unwrap_or(rest.len());
        // Denied a second time ("…, no longer with X") it is no more true.
        let (before, behind) =
            (TextPolarity::read(&text[..at]), TextPolarity::read(rest.get(end..).unwrap_or_default()));
        let elsewhere: BTreeSet<&str> = before.affirmed().chain(behind.affirmed()).collect();
        for word in likeness::words(rest.get(..end).unwrap_or_default()) {
            // "moved from X to Y": only the word right behind the contrast is the old one.
            if !elsewhere.contains(word.as_str()) {
                words.remove(&word);
                break;
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::Outdated;

    #[test]
    fn a_name_claims_what_no_longer_holds() {
        for (old, new, name, claims) in [
            ("Always use pnpm, never npm", "Use yarn instead of pnpm", "Always use pnpm", true),
            ("Always use pnpm, never npm", "use yarn for installs", "Package manager", false),
            ("Ben runs the rota", "Dana runs the rota", "Rota: Ben", true),
            ("Ben runs the rota", "Dana runs the rota", "Rota", false),
            ("Foreign keys never cascade", "Cascade is fine on foreign keys", "No cascade", true),
            ("Foreign keys never cascade", "Cascade is fine on foreign keys", "Cascade", false),
            ("发版在周四", "发版改到周二", "周四发版", true),
            ("비동기 통신은 RabbitMQ를 쓴다", "비동기 통신은 이제 Kafka로 해", "메시지 큐는 RabbitMQ", true),
            (
                "Deploys go through Jenkins",
                "We moved from Jenkins to Buildkite for deploys",
                "Deploys with Jenkins",
                true,
            ),
            ("Deploys go through Jenkins", "We moved from Jenkins to Buildkite for deploys", "Deploys", false),
            (
                "Deploys go through Jenkins",
                "We have moved from Jenkins to Buildkite: deploys go through Buildkite now, no longer through Jenkins",
                "Deploys with Jenkins",
                true,
            ),
        ] {
            assert_eq!(Outdated::between(old, new).claimed_by(name), claims, "{new} / {name}");
        }
    }
}
