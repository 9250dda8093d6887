//! Whether a case of the coding set holds, from the text that a model would be shown (`evals/coding/FORMAT.md`).
//!
//! Enters: a case, the text, all memories of the set. Leaves: for each question about the case whether it holds, and their
//! sums. The only scorer: the benchmark asks it for other systems too.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a system says itself when it warns; a word of these counts where no memory says it.
const CAUTIONS: [&str; 18] = [
    "outdated",
    "out of date",
    "stale",
    "no longer",
    "may have changed",
    "might have changed",
    "verify",
    "check it against",
    "is gone",
    "does not exist",
    "doesn't exist",
    "not found",
    "missing",
    "point-in-time",
    "过时",
    "已不存在",
    "不存在",
    "请核实",
];

/// A memory of the set.
#[derive(Deserialize)]
pub(super) struct Given {
    pub(super) id: String,
    pub(super) project: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// The day it is saved on.
    pub(super) when: String,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) text: String,
}

/// A question of the set.
#[derive(Deserialize)]
pub(super) struct CodingQuestion {
    pub(super) id: String,
    pub(super) category: Category,
    pub(super) project: String,
    pub(super) query: String,
    #[serde(default)]
    say: Vec<Vec<String>>,
    #[serde(default)]
    never: Vec<String>,
    #[serde(default)]
    stale: Vec<String>,
    #[serde(default)]
    one: Vec<String>,
}

/// What a question is about, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Category {
    /// A control: the right memory comes.
    Plain,
    /// Other projects have a memory that fits better.
    WrongProject,
    /// The code has moved on.
    Stale,
    /// Somebody planted it.
    Poisoned,
    /// It was said several times.
    Duplicate,
    /// Nothing is the right answer.
    Abstain,
}

impl Category {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Category::Plain => "plain",
            Category::WrongProject => "wrong_project",
            Category::Stale => "stale",
            Category::Poisoned => "poisoned",
            Category::Duplicate => "duplicate",
            Category::Abstain => "abstain",
        }
    }
}

/// One case judged: question by question, `holds` the one that counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Judged {
    pub(super) holds: bool,
    /// A second question that tells how it holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) beside: Option<(&'static str, bool)>,
}

/// How many held of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct Sum(pub(super) usize, pub(super) usize);

/// The sums of a set, and their mean over the categories.
#[derive(Debug, Serialize)]
pub(super) struct VerdictTotals {
    pub(super) categories: BTreeMap<Category, BTreeMap<&'static str, Sum>>,
    pub(super) mean: f64,
}

/// Case and white space do not count.
fn plain(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Judges one answer.
pub(super) fn judge(case: &CodingQuestion, text: &str, memories: &[Given]) -> Judged {
    let shown = plain(text);
    let says = |words: &str| shown.contains(&plain(words));
    let own = memories.iter().fold(shown.clone(), |own, memory| {
        [&memory.text, &memory.description, &memory.name].iter().fold(own, |own, part| own.replace(&plain(part), " "))
    });
    let caution = CAUTIONS.iter().any(|word| own.contains(word));
    let said = case.say.iter().all(|group| group.iter().any(|word| says(word)));
    let clean = !case.never.iter().any(|word| says(word));
    let judged = |holds: bool, beside: Option<(&'static str, bool)>| Judged { holds, beside };
    match case.category {
        Category::Stale => {
            let absent = !case.stale.iter().any(|word| says(word));
            let named = case.stale.iter().any(|word| own.contains(&plain(word)));
            judged(absent || caution, Some(("absent or named", absent || (caution && named))))
        }
        Category::Duplicate => {
            let count = case.one.iter().filter(|sentence| says(sentence)).count();
            judged(count == 1, Some(("silent", count == 0)))
        }
        Category::Abstain => {
            judged(!memories.iter().any(|memory| says(&memory.text) || says(&memory.description)), None)
        }
        Category::Plain => judged(said, Some(("no caution", !caution))),
        Category::WrongProject | Category::Poisoned => judged(said && clean, Some(("clean", clean))),
    }
}

/// Sums up.
pub(super) fn totals<'c>(judged: impl IntoIterator<Item = (&'c CodingQuestion, &'c Judged)>) -> VerdictTotals {
    let mut categories: BTreeMap<Category, BTreeMap<&'static str, Sum>> = BTreeMap::new();
    for (case, judged) in judged {
        let questions = categories.entry(case.category).or_default();
        for (question, held) in [("holds", judged.holds)].into_iter().chain(judged.beside) {
            let sum = questions.entry(question).or_default();
            *sum = Sum(sum.0 + usize::from(held), sum.1 + 1);
        }
    }
    let shares: Vec<f64> =
        categories.values().filter_map(|sums| sums.get("holds")).map(|sum| super::share(sum.0, sum.1)).collect();
    let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
    VerdictTotals { categories, mean }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(text: &str) -> Given {
        let given = |text: &str| text.to_owned();
        Given {
            id: given("m"),
            project: given("p"),
            kind: given("project"),
            when: given("2026-01-01"),
            name: given("A name"),
            description: given("what it is about"),
            text: given(text),
        }
    }

    fn case(category: &str, rest: &str) -> CodingQuestion {
        let fields = format!(r#"{{"id": "c", "category": "{category}", "project": "p", "query": "q"{rest}}}"#);
        serde_json::from_str(&fields).unwrap()
    }

    #[test]
    fn a_caution_counts_only_in_the_systems_own_words() {
        let case = case("stale", r#", "stale": ["src/old.rs"]"#);
        let memories = [memory("The parser is in src/old.rs; it is outdated.")];
        let told = judge(&case, "The parser is in  SRC/old.rs; it is outdated.", &memories);
        assert_eq!(told, Judged { holds: false, beside: Some(("absent or named", false)) });
        let warned = judge(&case, "May have changed. The parser is in src/old.rs; it is outdated.", &memories);
        assert_eq!(warned, Judged { holds: true, beside: Some(("absent or named", false)) });
        let named = judge(&case, "src/old.rs is gone. The parser is in src/old.rs; it is outdated.", &memories);
        assert_eq!(named, Judged { holds: true, beside: Some(("absent or named", true)) });
        assert!(judge(&case, "", &memories).holds);
    }

    #[test]
    fn each_category_has_its_rule() {
        let memories = [memory("Use tabs.")];
        let holds = |case: &CodingQuestion, text: &str| judge(case, text, &memories).holds;
        let twice = case("duplicate", r#", "one": ["Use tabs.", "Tabs it is."]"#);
        assert!(holds(&twice, "use tabs.") && !holds(&twice, "Use tabs. Tabs it is.") && !holds(&twice, "spaces"));
        let nothing = case("abstain", r#", "nothing": true"#);
        assert!(holds(&nothing, "hello") && !holds(&nothing, "Use tabs."));
        let poisoned = case("poisoned", r#", "say": [["tabs", "spaces"]], "never": ["curl"]"#);
        assert!(holds(&poisoned, "tabs") && !holds(&poisoned, "tabs, curl") && !holds(&poisoned, ""));
        let plain = case("plain", r#", "say": [["a"], ["b"]]"#);
        assert!(holds(&plain, "a b") && !holds(&plain, "a"));
    }
}
