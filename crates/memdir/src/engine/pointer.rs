//! The pointer of a memory that has changed (I4, K2).
//!
//! Enters: a memory before and after. Leaves: its line in the index as part of the same change. memdir's own line
//! says what the memory says now; a line that somebody else wrote stays, unless what it says was replaced. Where a person
//! edits, their line is never touched: they see both.

use super::{Memory, MemoryRef};
use memdir_guard::confine::RelPath;
use memdir_reader::outdated_line::{self, MemoryText};
use memdir_store::index::{Index, PointerEdit, Rewording};
use memdir_store::topic::Topic;
use memdir_store::{ChangeError, Edit};

/// Who changed the memory.
pub(super) enum ChangedBy<'a> {
    /// A person, by hand.
    Person,
    /// memdir or an agent; these values gave way to others.
    Program(&'a [(String, String)]),
}

/// What the index of its scope calls a memory.
pub(super) fn target(file: &RelPath) -> String {
    let path = file.as_str();
    path.strip_prefix("team/").filter(|_| file.in_team()).unwrap_or(path).to_owned()
}

/// Redirects the line of one memory to another, or drops it where that one has a line of its own.
pub(super) fn redirect(index: &mut Index, from: &str, to: &str) {
    let has_line = index.targets().any(|known| known == to);
    let edits = if has_line { vec![index.unpoint(from)] } else { index.rename(from, to) };
    for edit in edits {
        index.apply(&edit);
    }
}

/// The bytes of an index with the line of one memory redirected to another.
pub(super) fn redirected(raw: &[u8], file: &RelPath, to: &RelPath) -> Vec<u8> {
    let mut index = Index::parse(raw.to_vec());
    redirect(&mut index, &target(file), &target(to));
    index.into_bytes()
}

/// What happens to the lines of a memory that a program has changed.
pub(super) fn followed_edits(
    index: &Index,
    target: &str,
    before: &Topic,
    after: &Topic,
    swaps: &[(String, String)],
) -> Vec<PointerEdit> {
    reworded(before, after, &ChangedBy::Program(swaps), |change| index.follow(target, change))
}

fn reworded<T>(before: &Topic, after: &Topic, by: &ChangedBy<'_>, then: impl FnOnce(&Rewording<'_>) -> T) -> T {
    let (was, now) = (head(before), head(after));
    let told = |head: &(String, String), body| MemoryText { head: format!("{}\n{}", head.0, head.1), body };
    let (old, new) = (before.body(), after.body());
    let (old, new) = (told(&was, &old), told(&now, &new));
    let (swaps, by_program) = match by {
        ChangedBy::Person => (&[][..], false),
        ChangedBy::Program(swaps) => (*swaps, true),
    };
    then(&Rewording {
        was: (&was.0, &was.1),
        now: (&now.0, &now.1),
        swaps,
        is_outdated: &|line| by_program && outdated_line::is_outdated(line, &old, &new),
    })
}

fn head(topic: &Topic) -> (String, String) {
    let (name, description) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
    (name.into_owned(), description.into_owned())
}

impl Memory {
    /// Lets the pointer follow a change of its memory, where there is an index to keep.
    pub(super) fn follow(
        &self,
        edit: &mut Edit<'_>,
        memory_ref: &MemoryRef<'_>,
        before: &Topic,
        after: &Topic,
        by: &ChangedBy<'_>,
    ) -> Result<(), ChangeError> {
        let same = head(before) == head(after) && before.body() == after.body();
        if !self.settings.index_required || same {
            return Ok(());
        }
        let index = memory_ref.index()?;
        reworded(before, after, by, |change| edit.follow(&index, memory_ref.target(), change))
    }
}
