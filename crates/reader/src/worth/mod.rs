//! What should not become a memory (F7).
//!
//! Enters: a statement. Leaves: nothing, or why it is not worth keeping and what to ask back. Two things speak against a
//! statement: that something else says it already, and how it was said. The first is slow to judge, since it also speaks
//! of memories that are there: a rule, a reason, or a pointer to the outside world makes any statement worth keeping.
//! Never looks at code or history to check.

use super::code_words::{bare, is_branch, is_hash, is_identifier, is_path, is_ticket};
use super::cues::ClauseCues;
use super::han::is_unspaced;
use super::phrase_match::PhraseMatcher;
use super::plain::{Label, statement};
use super::sentences::sentences;
use memdir_lexicon as lexicon;

/// Why a statement is not worth keeping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DiscardReason {
    /// What modules, classes and functions there are and what they do.
    CodeStructure,
    /// Where in the repository something is.
    FilePath,
    /// What was committed, merged or reviewed.
    GitHistory,
    /// How one bug was fixed.
    DebugRecipe,
    /// How far the work of this conversation has come.
    TaskState,
    /// That somebody was polite.
    Courtesy,
    /// Nothing but small words.
    SmallTalk,
    /// It was taken back, or the opposite is meant.
    NotMeant,
    /// It is not decided, or not so.
    Undecided,
    /// A page or a program says it.
    Hearsay,
    /// It only says that something will be said.
    Announcement,
    /// It asks.
    Question,
    /// It holds for what is being done, and no longer.
    ForNow,
}

impl DiscardReason {
    /// One sentence that says why it is not kept.
    pub const fn why(self) -> &'static str {
        match self {
            DiscardReason::CodeStructure => {
                "The code itself says how it is built, and goes on saying it when it changes."
            }
            DiscardReason::FilePath => "A search finds where things are; a remembered path goes stale.",
            DiscardReason::GitHistory => "Git keeps what was committed, merged and by whom.",
            DiscardReason::DebugRecipe => "The fix is in the code and its commit says why.",
            DiscardReason::TaskState => "The state of a task is only true in this conversation.",
            DiscardReason::Courtesy => "A thank you says nothing about how to work.",
            DiscardReason::SmallTalk => "It says nothing that could be looked up later.",
            DiscardReason::NotMeant => "It was not meant.",
            DiscardReason::Undecided => "It is not decided yet.",
            DiscardReason::Hearsay => "Somebody else says it, and nobody here has said that it holds.",
            DiscardReason::Announcement => "It only says that something will be explained.",
            DiscardReason::Question => "It asks, and tells nothing.",
            DiscardReason::ForNow => "It only holds for what is being done now.",
        }
    }

    /// What to ask back, since part of it may be worth keeping.
    pub const fn question(self) -> &'static str {
        match self {
            DiscardReason::CodeStructure | DiscardReason::FilePath => {
                "What in it is surprising, or could not be read from the code?"
            }
            DiscardReason::GitHistory => "What in it is surprising, or would not be found in the history?",
            DiscardReason::DebugRecipe => "What did it teach that the code does not show?",
            DiscardReason::TaskState => "What in it will still matter in another conversation?",
            DiscardReason::Courtesy => "What was it that worked, and should be done again?",
            DiscardReason::SmallTalk | DiscardReason::Announcement => "What exactly should be remembered?",
            DiscardReason::NotMeant | DiscardReason::Undecided | DiscardReason::Question => "What of it is decided?",
            DiscardReason::Hearsay => "Does it hold here, and who says so?",
            DiscardReason::ForNow => "What in it will still hold next month?",
        }
    }

    /// Whether something else says it for as long as it is true: the code, git, or this conversation. That holds however it
    /// was said; the other reasons are about how.
    pub const fn stands_elsewhere(self) -> bool {
        matches!(
            self,
            DiscardReason::CodeStructure
                | DiscardReason::FilePath
                | DiscardReason::GitHistory
                | DiscardReason::DebugRecipe
                | DiscardReason::TaskState
                | DiscardReason::Courtesy
        )
    }
}

/// Whether something is worth keeping: nothing, or the reason why not. The one judge of all who ask: of what was said, of
/// what a model wants to write, and of memories that are there.
pub fn not_worth(text: &str) -> Option<DiscardReason> {
    if ClauseCues::new(text).retracts() {
        return Some(DiscardReason::NotMeant);
    }
    stands_elsewhere(text).or_else(|| {
        // A text is only as unworthy as its best sentence.
        let reasons: Option<Vec<DiscardReason>> = sentences(text).into_iter().map(how_it_was_said).collect();
        reasons.and_then(|reasons| reasons.first().copied())
    })
}

/// What the way in which a sentence is said speaks against keeping it.
fn how_it_was_said(sentence: &str) -> Option<DiscardReason> {
    let clause = ClauseCues::new(sentence);
    if clause.is_acknowledgement() || clause.length() == 0 || clause.text.ends_with([':', '：']) {
        Some(DiscardReason::SmallTalk)
    } else if clause.is_doubtful() {
        Some(DiscardReason::Undecided)
    } else if clause.is_hearsay() {
        Some(DiscardReason::Hearsay)
    } else if clause.announces() {
        Some(DiscardReason::Announcement)
    } else if clause.asks() {
        Some(DiscardReason::Question)
    } else if clause.is_ephemeral() || clause.opens(&lexicon::THIS_PLACE_OPENING) {
        Some(DiscardReason::ForNow)
    } else {
        None
    }
}

/// Judges a statement, or the body of a memory by what comes before its **Why**.
fn stands_elsewhere(text: &str) -> Option<DiscardReason> {
    let line = statement(&text[..text.floor_char_boundary(LONG * 8)]);
    if line.len() > LONG {
        return None;
    }
    let spoken = PhraseMatcher::new(&line);
    if spoken.task_state() {
        Some(DiscardReason::TaskState)
    } else if spoken.is_rule() || spoken.points_outside() {
        None
    } else if spoken.courtesy() {
        Some(DiscardReason::Courtesy)
    } else if spoken.git_history() {
        Some(DiscardReason::GitHistory)
    } else if spoken.debug_recipe() {
        Some(DiscardReason::DebugRecipe)
    } else if spoken.has_reason() || is_explained(text) {
        None
    } else if spoken.code_structure() {
        Some(DiscardReason::CodeStructure)
    } else if spoken.file_path() {
        Some(DiscardReason::FilePath)
    } else {
        None
    }
}

/// Whether a statement tells how to work.
pub fn is_rule(text: &str) -> bool {
    PhraseMatcher::new(text).is_rule()
}

/// Whether a statement names something outside the repository.
pub fn points_outside(text: &str) -> bool {
    PhraseMatcher::new(text).points_outside()
}

/// Whether a **Why** line says more than "helps to find files".
fn is_explained(text: &str) -> bool {
    text.lines().any(|line| match Label::of(line) {
        Some((Label::Why, why)) => {
            why.split_whitespace().count() >= 5 || why.chars().filter(|c| is_unspaced(*c)).count() >= 6
        }
        _ => false,
    })
}

/// A statement longer than this says more than one thing, and some of it may be worth keeping.
const LONG: usize = 400;

impl PhraseMatcher<'_> {
    /// It tells how to work, which no code does.
    fn is_rule(&self) -> bool {
        self.says(&lexicon::RULE)
    }

    fn has_reason(&self) -> bool {
        self.says(&lexicon::BECAUSE)
    }

    /// It names something that is not in the repository.
    fn points_outside(&self) -> bool {
        self.says(&lexicon::OUTSIDE_PLACE)
    }

    fn task_state(&self) -> bool {
        let numbered = self.words.windows(2).any(|pair| {
            bare(pair[0]).eq_ignore_ascii_case("step") && bare(pair[1]).starts_with(|c: char| c.is_ascii_digit())
        });
        let working = self.says(&lexicon::WORK_IN_PROGRESS);
        let opened = self.opens(&lexicon::TO_DO_OPENING);
        let step = numbered && self.says(&lexicon::STEP_STATE);
        let stage = self.says(&lexicon::NUMBERED_STEP) && self.says(&lexicon::STEP_STATE);
        // A date or a deadline makes it a plan of the project.
        let dated = self.words.iter().any(|w| is_iso_date(bare(w)));
        (working || opened || step || stage) && !dated && !(opened && self.is_rule())
    }

    /// Thanks and praise that name nothing which could be done again.
    fn courtesy(&self) -> bool {
        let polite = self.opens(&lexicon::COURTESY_OPENING);
        polite && self.words.len() <= 10 && !self.has_reason() && self.count(is_identifier) == 0
    }

    fn git_history(&self) -> bool {
        let hash = self
            .words
            .windows(2)
            .any(|pair| lexicon::BEFORE_HASH.contains(&bare(pair[0]).to_lowercase()) && is_hash(pair[1], 6))
            || self.words.iter().any(|w| is_hash(w, 7));
        let done = self.says(&lexicon::GIT_DONE);
        let request = |w: &str| lexicon::MERGE_REQUEST.contains(&bare(w).to_lowercase());
        let number = |w: &str| is_ticket(w) || is_number(bare(w));
        let named = self.words.windows(2).any(|pair| request(pair[0]) && number(pair[1]));
        let listed = self.words.iter().any(|w| request(w))
            && self.words.windows(2).any(|pair| pair[0].ends_with(',') && number(pair[0]) && number(pair[1]));
        let told = self.words.iter().any(|w| request(w)) && self.says(&lexicon::MERGED_IT);
        let branches = self.count(is_branch) >= 2;
        (hash && (done || self.says(&lexicon::COMMIT)))
            || ((named || listed) && done)
            || branches
            || told
            || self.says(&lexicon::GIT_TALK)
    }

    fn debug_recipe(&self) -> bool {
        let fixed = self.says(&lexicon::FIXED);
        let how = self.says(&lexicon::FIX_STEP);
        let added = self.opens(&lexicon::ADDED_OPENING) && self.says(&lexicon::FIX_OBJECT);
        (fixed && how) || added
    }

    fn code_structure(&self) -> bool {
        let verbs = self.says(&lexicon::STRUCTURE_VERB);
        let parts = self.says(&lexicon::CODE_PART);
        let paths = self.count(is_path);
        let names = self.count(is_identifier);
        let located = self.located();
        verbs && !located && (paths >= 2 || (names + paths >= 1 && parts) || names >= 3)
    }

    /// A path that the words before it make the answer to "where?".
    fn located(&self) -> bool {
        self.words.iter().enumerate().any(|(at, word)| {
            let before = at.checked_sub(1).map(|b| bare(self.words[b]));
            is_path(word)
                && before.is_some_and(|b| {
                    lexicon::BEFORE_PATH.contains(&b.to_lowercase()) || b.ends_with(['在', '见', '看', '到', '于'])
                })
        })
    }

    fn file_path(&self) -> bool {
        let opens = self.words.first().is_some_and(|w| is_path(w)) && self.words.len() <= 8;
        let place = self.says(&lexicon::LOCATED_IN);
        opens || (self.located() && place && self.words.len() <= 16)
    }
}

fn is_number(word: &str) -> bool {
    word.len() >= 2 && word.bytes().all(|b| b.is_ascii_digit())
}

fn is_iso_date(word: &str) -> bool {
    word.len() == 10 && word.parse::<jiff::civil::Date>().is_ok()
}

#[cfg(test)]
mod tests;
