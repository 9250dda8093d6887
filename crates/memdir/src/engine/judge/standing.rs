//! What two memories that stand are to each other, and one memory to itself (H5, K7).
//!
//! Enters: two short texts. Leaves: whether they contradict each other. Read both ways: what stands was not said in answer to what
//! stands beside it, so one reading is not enough, and the reader alone cannot tell another value from another thing ("batch 11",
//! "batch 12"). So the two must be about one thing by their names, or be one sentence with another value in one place. A false
//! alarm costs more than a contradiction that is found later: when in doubt, nothing is said.

use memdir_encoder::{Relation, RelationScores};

use super::Judge;
use memdir_reader::han::is_unspaced;
use memdir_reader::likeness::words;

/// From here a reading of a change is clear, and up to here another thing is out of the question; in hundredths.
const CLEAR: u8 = 85;
const OTHER_THING: u8 = 15;
/// Words that one sentence with another value in one place has in common with the first at least.
const COMMON: usize = 3;
/// Words that such a value has at most.
const VALUE: usize = 4;

/// A memory as it is compared with another.
#[derive(Clone, Debug, Default)]
pub(in crate::engine) struct ComparedMemory {
    pub(in crate::engine) name: String,
    pub(in crate::engine) description: String,
    /// What it states, without its reasons.
    pub(in crate::engine) statement: String,
}

/// Both readings of a pair: each text as if it were said after the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::engine) struct BothWays {
    pub(in crate::engine) first_later: Reading,
    pub(in crate::engine) second_later: Reading,
}

/// One reading of a pair, in hundredths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::engine) struct Reading {
    pub(in crate::engine) update: u8,
    pub(in crate::engine) apart: u8,
}

impl Reading {
    fn of(scores: &RelationScores) -> Reading {
        let share = |relation: Relation| (scores.of(relation) * 100.0).round() as u8;
        Reading { update: share(Relation::Update), apart: share(Relation::Apart) }
    }
}

impl BothWays {
    /// Whether the two are about different things, whichever was said later.
    pub(in crate::engine) fn are_apart(self) -> bool {
        self.first_later.apart.min(self.second_later.apart) >= CLEAR
    }

    /// Whether the two contradict each other: a change for sure one way, and no other thing either way.
    pub(in crate::engine) fn contradict(self) -> bool {
        let (one, other) = (self.first_later, self.second_later);
        one.update.max(other.update) >= CLEAR && one.apart.max(other.apart) <= OTHER_THING
    }
}

impl ComparedMemory {
    fn words(&self) -> Vec<String> {
        words(&format!("{} {} {}", self.name, self.description, self.statement))
    }

    /// Whether its name says nothing but what it states.
    fn name_repeats(&self) -> bool {
        let own = words(&format!("{} {}", self.statement, self.description));
        words(&self.name).iter().all(|word| own.contains(word))
    }

    /// Whether two are about one thing, as far as their names and sentences tell.
    pub(in crate::engine) fn is_about_the_same_as(&self, other: &ComparedMemory) -> bool {
        let named = |one: &ComparedMemory, other: &ComparedMemory| {
            let (name, own) = (words(&one.name), other.words());
            !name.is_empty() && name.iter().all(|word| own.contains(word))
        };
        named(self, other) || named(other, self) || self.differs_in_one_value(other)
    }

    /// Whether the statements are one sentence with another value in one place, and the names tell nothing else.
    pub(in crate::engine) fn differs_in_one_value(&self, other: &ComparedMemory) -> bool {
        self.name_repeats() && other.name_repeats() && differ_in_one_value(&self.statement, &other.statement)
    }
}

/// Whether two sentences are one with another value in one place.
pub(in crate::engine) fn differ_in_one_value(one: &str, other: &str) -> bool {
    let (one, other) = (tokens(one), tokens(other));
    let before = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let rest = one.len().min(other.len()) - before;
    let after = one.iter().rev().zip(other.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let values = (one.len() - before - after, other.len() - before - after);
    before + after >= COMMON && (1..=VALUE).contains(&values.0) && (1..=VALUE).contains(&values.1)
}

/// The words of a text in order; characters where there are no spaces between words.
fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for run in text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|run| !run.is_empty()) {
        if run.chars().any(is_unspaced) {
            found.extend(run.chars().map(String::from));
        } else {
            found.push(run.to_owned());
        }
    }
    found
}

impl Judge {
    /// Reads two memories both ways: what they state, and what their descriptions say. A terse note has its subject in its description;
    /// the clearer reading of a change counts.
    pub(in crate::engine) fn both_ways(self, one: &ComparedMemory, other: &ComparedMemory) -> BothWays {
        let under = |told: &ComparedMemory, said: &str| {
            if told.name.is_empty() { said.to_owned() } else { format!("{}. {said}", told.name) }
        };
        let read = |later: &ComparedMemory, earlier: &ComparedMemory| {
            // The same words change nothing, whatever the reader, which never met such a pair, makes of them.
            if tokens(&later.statement) == tokens(&earlier.statement) {
                return Reading::default();
            }
            let stated = Reading::of(&self.reader().relation(&later.statement, &under(earlier, &earlier.statement)));
            if later.description.is_empty() || earlier.description.is_empty() {
                return stated;
            }
            let described = self.reader().relation(&later.description, &under(earlier, &earlier.description));
            let described = Reading::of(&described);
            if described.update > stated.update { described } else { stated }
        };
        BothWays { first_later: read(one, other), second_later: read(other, one) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(name: &str, statement: &str) -> ComparedMemory {
        ComparedMemory { name: name.into(), description: String::new(), statement: statement.into() }
    }

    #[test]
    fn k4_another_thing_is_told_from_another_value() {
        for (one, other, same) in [
            (told("Rota", "Ben runs the rota."), told("Rota", "Dana runs the rota."), true),
            (told("Ben runs the rota", "Ben runs the rota."), told("Dana", "Dana runs the rota."), true),
            (told("发版", "发版固定在每周四。"), told("发版", "发版固定在每周二。"), true),
            (told("Builds", "Jenkins builds all."), told("CI", "The builds moved to Buildkite."), true),
            (told("Batch 11", "Batch 11 is in tank 111."), told("Batch 12", "Batch 12 is in tank 112."), false),
            (
                told("Board north", "noc/d/alarms-n is the board"),
                told("Board south", "noc/d/alarms-s is the board"),
                false,
            ),
        ] {
            assert_eq!(one.is_about_the_same_as(&other), same, "{one:?} {other:?}");
            assert_eq!(other.is_about_the_same_as(&one), same, "{one:?} {other:?}");
        }
    }

    #[test]
    fn h5_a_contradiction_is_clear_one_way_and_no_other_thing_either_way() {
        let judge = Judge::default();
        let (trello, linear) = (told("Bugs", "Bugs are filed in Trello."), told("Bugs", "Bugs are filed in Linear."));
        assert!(judge.both_ways(&trello, &linear).contradict());
        let tea = told("Tea", "The tea kitchen is on the second floor.");
        assert!(!judge.both_ways(&trello, &tea).contradict());
        assert!(!judge.both_ways(&trello, &trello).contradict());
    }
}
