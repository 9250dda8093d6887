//! What a statement says that a memory has not said: a number, a date, an identifier or a name that stands nowhere in it.
//!
//! Enters: a statement, and what a memory says. Leaves: whether the statement only says again what is known, brings something more, or has
//! another value where the memory has one of the same sort. The reader takes "orders close at 15:30" for "orders close at 17:00" in other
//! words often enough that a correction would be lost; a value that nowhere stands cannot be known. Goes by the shape of the writing, in
//! any language. Numbers spelled out are not seen.

use std::collections::HashSet;

use memdir_reader::facts::{FactKind, Facts};
use memdir_reader::han::is_unspaced;

/// A number up to this one may stand in the other text as a word.
const SPELLED_OUT: u32 = 12;
/// Where more of the words inside sentences than this have a capital, nouns have them too, and a capital tells no name.
const CAPITALS: f32 = 0.3;
/// Letters at the beginning that a name keeps however it is inflected.
const STEM: usize = 4;

/// What a statement brings beside what a memory says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unsaid {
    /// Every value in it stands in the memory.
    Nothing,
    /// A value of a sort of which the memory has none that the statement leaves out.
    More,
    /// A value where the memory has another one of the same sort.
    Another,
}

impl Unsaid {
    pub(super) fn in_memory(statement: &str, known: &str) -> Unsaid {
        let (new, old) = (Facts::read(statement), Facts::read(known));
        let tells_names = share_of_capitals(&format!("{statement}. {known}")) <= CAPITALS;
        let new_in_old = values_missing(&new, &Words::of(known), tells_names);
        let old_in_new = values_missing(&old, &Words::of(statement), tells_names);
        let exchanged = new_in_old.iter().any(|one| old_in_new.iter().any(|other| one.sort == other.sort));
        let brings = new_in_old.iter().any(|one| !one.may_be_a_word);
        match (exchanged, brings) {
            (true, _) => Unsaid::Another,
            (false, true) => Unsaid::More,
            (false, false) => Unsaid::Nothing,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueSort {
    Count,
    Named,
}

struct Missing {
    sort: ValueSort,
    /// A small number or a name, which the other text may say as a word: "2" and "two", "Sydney" and "onshore".
    may_be_a_word: bool,
}

/// The values of a text that do not stand among some words.
fn values_missing(facts: &Facts, there: &Words, tells_names: bool) -> Vec<Missing> {
    let mut found = Vec::new();
    for (sort, value) in &facts.marks {
        // Where words are not spaced, a number brings its neighbours along.
        let sort = if value.chars().any(is_unspaced) { FactKind::Number } else { *sort };
        let missing = match sort {
            FactKind::Number | FactKind::Date => {
                let runs: Vec<&str> = digit_runs(value).collect();
                let may_be_a_word = runs.len() == 1 && runs[0].parse::<u32>().is_ok_and(|number| number <= SPELLED_OUT);
                let missing = runs.iter().any(|run| !there.digits.contains(run.trim_start_matches('0')));
                missing.then_some(Missing { sort: ValueSort::Count, may_be_a_word })
            }
            FactKind::Identifier => {
                let missing = runs(value).any(|run| !there.whole.contains(&run));
                missing.then_some(Missing { sort: ValueSort::Named, may_be_a_word: false })
            }
            FactKind::Name => {
                let missing = tells_names && is_proper(value) && runs(value).any(|run| !there.has_stem(&run));
                missing.then_some(Missing { sort: ValueSort::Named, may_be_a_word: true })
            }
        };
        found.extend(missing);
    }
    found
}

/// The words of a text as values are looked for among them.
struct Words {
    whole: HashSet<String>,
    stems: HashSet<String>,
    digits: HashSet<String>,
}

impl Words {
    fn of(text: &str) -> Words {
        let whole: HashSet<String> = runs(text).collect();
        let stems = whole.iter().map(|word| stem(word)).collect();
        let digits = digit_runs(text).map(|run| run.trim_start_matches('0').to_owned()).collect();
        Words { whole, stems, digits }
    }

    fn has_stem(&self, word: &str) -> bool {
        self.stems.contains(&stem(word))
    }
}

fn runs(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()).map(str::to_lowercase)
}

fn digit_runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty())
}

fn stem(word: &str) -> String {
    word.chars().take(STEM).collect()
}

/// Whether a name is one that somebody or something was given: "Imke" and "Meridian Lines" are, "PRs" and "UI" are words.
fn is_proper(name: &str) -> bool {
    let (capitals, small) =
        (name.chars().filter(|c| c.is_uppercase()).count(), name.chars().filter(|c| c.is_lowercase()).count());
    small > capitals && small > 1
}

/// How many of the words inside sentences begin with a capital.
fn share_of_capitals(text: &str) -> f32 {
    let (mut words, mut capitals, mut inside) = (0, 0, false);
    for word in text.split_whitespace() {
        let first = word.trim_start_matches(|c: char| !c.is_alphanumeric()).chars().next();
        if let Some(first) = first.filter(|first| inside && first.is_alphabetic()) {
            words += 1;
            capitals += usize::from(first.is_uppercase());
        }
        inside = !word.ends_with(['.', '!', '?', ':']);
    }
    capitals as f32 / words.max(1) as f32
}

#[cfg(test)]
mod tests {
    use super::Unsaid;

    #[test]
    fn k1_a_value_that_nowhere_stands_is_not_known() {
        for (known, statement, unsaid) in [
            ("Orders from the shops are taken until 17:00.", "orders from the shops close at 15:30", Unsaid::Another),
            ("Orders from the shops are taken until 17:00.", "the shops can order up to 17.00", Unsaid::Nothing),
            ("Keep two replicas of the index.", "the index has 2 replicas", Unsaid::Nothing),
            ("Keep 3 replicas of the index.", "the index has 2 replicas", Unsaid::Another),
            ("The rota is run by the front desk.", "the front desk runs the rota, ext. 4417", Unsaid::More),
            ("Scans are kept on nas-02/scans.", "scans live under nas-03/scans these days", Unsaid::Another),
            ("We ask Imke about the beamline.", "questions on the beamline go to Rafael", Unsaid::Another),
            ("Imke decides on the beamline.", "it is up to Imke what happens at the beamline", Unsaid::Nothing),
            ("Pull requests are small, says Imke.", "keep the PRs small", Unsaid::Nothing),
            ("Die Anlage steht in Halle 4.", "In Halle 4 ist der Standort der Anlage zu finden", Unsaid::Nothing),
            ("夜间温度设为18度", "晚上温度调到15.5度", Unsaid::Another),
        ] {
            assert_eq!(Unsaid::in_memory(statement, known), unsaid, "{known} / {statement}");
        }
    }
}
