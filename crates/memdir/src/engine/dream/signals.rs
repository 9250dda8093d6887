//! What a model is told before it dreams: what changed, and where to look.
//!
//! Enters: the history since the last dream, logs, use counts, evidence and the newest conversations.
//! Leaves: two short texts, the changes as a diff and the signals as lines. Bounded: what does not fit is
//! counted. Never a whole transcript: only sentences in which somebody says that something is otherwise now.

use std::path::PathBuf;

use jiff::Timestamp;

use super::Dreaming;
use super::wording::tells_of_change;
use super::{land, raw_statements, versions};
use crate::engine::Error;
use crate::engine::uses::Uses;
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_guard::confine::RelPath;
use memdir_guard::secrets;
use memdir_guard::shown::one_line;
use memdir_store::Store;

impl Dreaming<'_> {
    /// What changed since the last dream, the newest first: a line a change, and its diff while there is room.
    pub(super) fn changes_since(&self, scope: Scope, last: Option<Timestamp>) -> Result<String, Error> {
        let of_scope = |of: Scope| (of == Scope::User) == (scope == Scope::User);
        let mut told = String::new();
        let mut diffs = String::new();
        for event in self.memory.history().events(None, limits::DREAM_CHANGES)? {
            if last.is_some_and(|last| event.time < last) {
                break;
            }
            if !of_scope(event.scope) {
                continue;
            }
            let day = event.time.to_zoned(self.memory.now.time_zone().clone()).date();
            let line = format!("- {day} {}: {} ({})", event.actor, event.reason, event.files.join(", "));
            told.push_str(&one_line(&line));
            told.push('\n');
            let (_, diff) = self.memory.history().diff(&event.id)?;
            if diffs.len() + diff.len() <= limits::DREAM_DIFF_BYTES {
                diffs.push_str(&diff);
            }
        }
        if told.is_empty() {
            return Ok("Nothing that memdir knows of.".to_owned());
        }
        Ok(if diffs.is_empty() {
            told
        } else {
            format!("{told}\n```diff\n{}\n```\n", secrets::redact(diffs.trim_end()).0)
        })
    }

    /// Where a look may be worth it.
    pub(super) fn signals(&self, store: &Store, scope: Scope, transcripts: &[PathBuf]) -> Result<String, Error> {
        let mut lines: Vec<String> = Vec::new();
        let (logged, _) = raw_statements::logs(self.memory, store, scope, &land::distilled(store))?;
        let said = raw_statements::conversations(self.memory, transcripts);
        let told = |lines: &mut Vec<String>, head: &str, found: Vec<String>| {
            let more = found.len().saturating_sub(limits::DREAM_SIGNALS);
            lines.extend(
                found.into_iter().take(limits::DREAM_SIGNALS).map(|one| format!("- {head} {}", one_line(&one))),
            );
            if more > 0 {
                lines.push(format!("- {head} and {more} more"));
            }
        };
        told(&mut lines, "log:", logged.into_iter().map(|one| format!("{} ({})", one.text, one.source)).collect());
        let changed = said.into_iter().filter(|one| tells_of_change(&one.text));
        told(&mut lines, "said:", changed.map(|one| format!("{} ({}, {})", one.text, one.day, one.source)).collect());
        if scope != Scope::User {
            let known = store.known()?;
            let torn = known.paths().into_iter().filter_map(|path| {
                let file = RelPath::parse(path).ok().filter(RelPath::in_team)?;
                let text = String::from_utf8_lossy(&store.root().read(&file).ok()??).into_owned();
                versions::is_torn(&file, &text).then(|| file.to_string())
            });
            told(&mut lines, "two versions in:", torn.collect());
            let stale = self.memory.stale(&self.memory.files().list()?)?;
            let gone = stale.memories.into_iter().map(|one| format!("{} names {}", one.file, one.gone.join(", ")));
            told(&mut lines, "gone from the project:", gone.collect());
        }
        let uses = Uses::of(store);
        let known = store.known()?;
        let mut opened: Vec<(u32, &str)> =
            known.paths().into_iter().map(|path| (uses.opened(path), path)).filter(|(count, _)| *count > 0).collect();
        opened.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(b.1)));
        told(
            &mut lines,
            "opened often:",
            opened.iter().map(|(count, path)| format!("{path}, {count} times")).collect(),
        );
        Ok(if lines.is_empty() { "None.".to_owned() } else { secrets::redact(&lines.join("\n")).0 })
    }
}
