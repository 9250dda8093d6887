//! What a prompt asks to be done, as the calls that would do it.
//!
//! Enters: a prompt. Leaves: for each activity that it speaks of, the operations that programs are known to do it with. "Install lodash"
//! has no word in common with "use pnpm, never npm"; one of the calls it leads to has. A rule about such a call is told with the
//! prompt, before anything is planned. Never guesses which of the calls it will be, and never holds one.

use std::collections::{BTreeSet, HashSet};

use memdir_core::kind::Type;
use memdir_core::limits::ACTION_CANDIDATES;
use memdir_lexicon::programs;
use memdir_reader::subjects::{Stance, Subjects};
use memdir_search::lexical::Searcher;

use super::operation::Operation;
use super::understood;
use super::verdict::{is_plain, judge_any};

/// A longer prompt holds pasted text, which speaks of everything.
const INTENT_BYTES: usize = 400;
/// How sure a rule has to be that such a call is its own.
const SURE: f32 = 0.8;

/// The calls that a prompt may lead to.
pub(in crate::engine::recall) struct Intent {
    operations: Vec<Operation>,
    keys: HashSet<u32>,
}

impl Intent {
    /// Reads a prompt; nothing where it names no activity that programs are known for.
    pub(in crate::engine::recall) fn of(prompt: &str) -> Option<Intent> {
        if prompt.len() > INTENT_BYTES {
            return None;
        }
        let asked = Subjects::of("", "", prompt);
        let wanted: BTreeSet<&str> = asked
            .clauses
            .iter()
            .filter(|clause| !matches!(clause.stance, Stance::Forbids | Stance::Disfavours | Stance::Exempts))
            .flat_map(|clause| clause.activities.iter().map(String::as_str))
            .filter(|activity| !is_plain(activity))
            .collect();
        let operations: Vec<Operation> = programs::DOES
            .iter()
            .filter(|(_, does)| does.iter().any(|activity| wanted.contains(activity)))
            .map(|(form, does)| operation(form, does))
            .filter(|operation| !runs_script(operation))
            .collect();
        let keys = understood::keys(&operations);
        (!operations.is_empty()).then_some(Intent { operations, keys })
    }

    /// The memories that name one of the programs, the likeliest first.
    pub(in crate::engine::recall) fn candidates(&self, searcher: &Searcher<'_>) -> Vec<u32> {
        let named: BTreeSet<&str> = self.operations.iter().filter_map(Operation::called).collect();
        let words = named.into_iter().collect::<Vec<_>>().join(" ");
        let lookup = searcher.lookup(&words, &|_| true);
        lookup.map_or_else(|_| Vec::new(), |lookup| lookup.top(ACTION_CANDIDATES).iter().map(|hit| hit.doc).collect())
    }

    /// What a rule says about one of the calls, in the rule's own words; most memories are passed over by their keys.
    pub(in crate::engine::recall) fn ruled_by(&self, understood: &[u8], kind: Option<Type>) -> Option<String> {
        if understood::shared(understood, &self.keys) == 0 {
            return None;
        }
        let subjects = understood::subjects(understood)?;
        let verdict = judge_any(&subjects, kind, &self.operations).filter(|verdict| verdict.score >= SURE)?;
        Some(verdict.words)
    }
}

/// Whether a program runs what the project gave a name to: that says nothing about the program, whatever it does.
fn runs_script(operation: &Operation) -> bool {
    let runner =
        operation.called().is_some_and(|name| programs::RUNS_SCRIPTS.iter().any(|(runner, _)| *runner == name));
    let packages = |told: &String| programs::TAKES_PACKAGES.binary_search(&told.as_str()).is_ok();
    runner && !operation.told.first().is_some_and(packages)
}

/// The operation of a command as the table writes it: a program, what it is told, options.
fn operation(form: &str, does: &'static [&'static str]) -> Operation {
    let mut words = form.split(' ').map(str::to_owned);
    let called: Vec<String> = words.next().into_iter().collect();
    let (options, told): (Vec<String>, Vec<String>) = words.partition(|word| word.starts_with('-'));
    Operation {
        pieces: told.iter().cloned().collect(),
        programs: called,
        told,
        options: options.into_iter().collect(),
        activities: does.iter().copied().collect(),
        ..Operation::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn v1_a_rule_about_a_program_meets_a_prompt_that_asks_for_what_it_does() {
        let rule = |prompt: &str, memory: &str| {
            let bytes = understood::understand("", "", memory);
            Intent::of(prompt).is_some_and(|intent| intent.ruled_by(&bytes, Some(Type::Feedback)).is_some())
        };
        for (prompt, memory, told) in [
            ("install lodash please", "Use pnpm, never npm.", true),
            ("which package manager do we use", "Use pnpm, never npm.", true),
            ("add a dependency on serde", "Dependencies are added with `just dep`, not with cargo add.", true),
            ("run the tests", "Run tests with `just test`, never with bare pytest.", true),
            ("run the tests", "Use pnpm, never npm.", false),
            ("deploy it to staging", "Use pnpm, never npm.", false),
            ("rename this function", "Use pnpm, never npm.", false),
            ("install lodash please", "Deploys go out on Thursdays.", false),
        ] {
            assert_eq!(rule(prompt, memory), told, "{prompt} / {memory}");
        }
    }
}
