//! What a prompt asks to be done, as the calls that would do it.
//!
//! Enters: a prompt. Leaves: for each activity that it speaks of, the operations that programs are known to do it with. "Install lodash"
//! has no word in common with "use pnpm, never npm"; the calls it may lead to have. Which program does a job is told with the prompt,
//! before anything is planned; any other rule waits for the call itself. Never guesses which call it will be, and never holds one.

use std::collections::{BTreeSet, HashSet};

use memdir_core::limits::ACTION_CANDIDATES;
use memdir_lexicon::programs;
use memdir_reader::subjects::{Clause, Stance, Subjects};
use memdir_search::lexical::Searcher;

use super::operation::Operation;
use super::understood;
use super::verdict::is_plain;

/// A longer prompt holds pasted text, which speaks of everything.
const INTENT_BYTES: usize = 400;
/// "Use pnpm", "never npm": a longer clause is about more than which program to use.
const CHOICE_WORDS: usize = 2;

/// The calls that a prompt may lead to.
pub(in crate::engine::recall) struct PromptIntent {
    operations: Vec<Operation>,
    keys: HashSet<u32>,
}

impl PromptIntent {
    /// Reads a prompt; nothing where it names no activity that programs are known for.
    pub(in crate::engine::recall) fn of(prompt: &str) -> Option<PromptIntent> {
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
        (!operations.is_empty()).then_some(PromptIntent { operations, keys })
    }

    /// The memories that name one of the programs, the likeliest first.
    pub(in crate::engine::recall) fn candidates(&self, searcher: &Searcher<'_>) -> Vec<u32> {
        let named: BTreeSet<&str> = self.operations.iter().filter_map(Operation::called).collect();
        let words = named.into_iter().collect::<Vec<_>>().join(" ");
        let lookup = searcher.lookup(&words, &|_| true);
        lookup.map_or_else(|_| Vec::new(), |lookup| lookup.top(ACTION_CANDIDATES).iter().map(|hit| hit.doc).collect())
    }

    /// The program that a memory chooses or rules out for the job, where a clause of it says nothing else; most memories are passed over
    /// by their keys.
    pub(in crate::engine::recall) fn ruled_by(&self, understood: &[u8]) -> Option<String> {
        if understood::shared(understood, &self.keys) == 0 {
            return None;
        }
        let subjects = understood::subjects(understood)?;
        let chooses = |clause: &&Clause| {
            matches!(clause.stance, Stance::Prescribes | Stance::Forbids | Stance::Disfavours)
                && clause.words.len() <= CHOICE_WORDS
        };
        let mut named = subjects.clauses.iter().filter(chooses).flat_map(|clause| &clause.words);
        named.find(|word| self.does_the_job_of(&word.text)).map(|word| word.text.clone())
    }

    /// Whether one of the calls is made by a program that does the same job as another.
    fn does_the_job_of(&self, program: &str) -> bool {
        programs::FAMILY.iter().filter(|(_, members)| members.contains(&program)).any(|(_, members)| {
            self.operations.iter().filter_map(Operation::called).any(|called| members.contains(&called))
        })
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
            PromptIntent::of(prompt).is_some_and(|intent| intent.ruled_by(&bytes).is_some())
        };
        for (prompt, memory, told) in [
            ("install lodash please", "Use pnpm, never npm.", true),
            ("which package manager do we use", "Use pnpm, never npm.", true),
            ("add a dependency on httpx", "Use uv, not pip.", true),
            ("format the code", "Never prettier. Biome does it.", true),
            ("bump the wait to ten seconds", "No jest snapshots in new tests.", false),
            ("run the tests", "Use pnpm, never npm.", false),
            ("deploy it to staging", "Use pnpm, never npm.", false),
            ("rename this function", "Use pnpm, never npm.", false),
            ("install lodash please", "Deploys go out on Thursdays.", false),
        ] {
            assert_eq!(rule(prompt, memory), told, "{prompt} / {memory}");
        }
    }
}
