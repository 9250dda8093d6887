//! What is known about the command or file that a tool is about to use.
//!
//! Enters: the action. Leaves: at most two memories that name it literally, as one reminder. The
//! search cache brings candidates by words; a memory counts only when it says the very words
//! ([`Mentions`]), since nobody asked. Never shows what the session has seen, and stays inside its budget.

use memdir_core::kind::Scope;
use memdir_core::limits::{ACTION_BYTES, ACTION_CANDIDATES, ACTION_FILES, SESSION_BYTES};
use memdir_hosts::Action;
use memdir_reader::mention::Mentions;
use memdir_store::Store;
use memdir_store::topic::Topic;

use super::{Budget, Error, Memory, Recalled, Selected};
use memdir_guard::confine::RelPath;

impl Memory {
    /// Finds the memories that name what a tool is about to do.
    pub(crate) fn recall_action(&self, action: &Action, session: Option<&str>, room: usize) -> Result<Recalled, Error> {
        let root = self.place.project.cwd.display().to_string();
        let mentions = match action {
            Action::Command(command) => Mentions::of_command(command, &root),
            Action::File(path) => Mentions::of_file(&path.display().to_string(), &root),
            Action::Other => Mentions::default(),
        };
        let mut answer = Recalled {
            selected: Vec::new(),
            skipped: Vec::new(),
            reminder: String::new(),
            bytes: 0,
            budget: Budget { used: 0, limit: SESSION_BYTES },
            reason: self.no_action(&mentions),
            selector: "local",
            behind: false,
        };
        if answer.reason.is_some() {
            return Ok(answer);
        }
        let mut seen = session.map(|session| self.seen(session)).transpose()?;
        answer.budget.used = seen.as_ref().map_or(0, |file| file.seen.bytes);
        let known = |path: &str| seen.as_ref().is_some_and(|file| file.seen.files.contains(path));
        for (scope, store) in self.stores()? {
            self.find_mentions(&mentions, scope, store, &known, &mut answer)?;
        }
        answer.selected.sort_by(|a, b| b.score.total_cmp(&a.score));
        answer.selected.truncate(ACTION_FILES);
        self.surface(room.min(ACTION_BYTES).min(SESSION_BYTES.saturating_sub(answer.budget.used)), &mut answer)?;
        match &mut seen {
            Some(file) if !answer.selected.is_empty() => self.keep_seen(file, &mut answer)?,
            _ => {}
        }
        if answer.selected.is_empty() {
            answer.reason = Some("no memory names it");
        }
        Ok(answer)
    }

    fn no_action(&self, mentions: &Mentions) -> Option<&'static str> {
        if !self.place.enabled {
            Some("memory is off")
        } else if !self.settings.recall_enabled {
            Some("recall.enabled is false")
        } else if !self.settings.recall_actions {
            Some("recall.actions is false")
        } else if mentions.is_empty() {
            Some("it has nothing that a memory could name")
        } else {
            None
        }
    }

    fn find_mentions(
        &self,
        mentions: &Mentions,
        scope: Scope,
        store: &Store,
        known: &dyn Fn(&str) -> bool,
        answer: &mut Recalled,
    ) -> Result<(), Error> {
        let cache = self.search_cache_of(store, &mut answer.behind)?;
        answer.behind |= cache.lacks_vectors();
        let Some(searcher) = cache.searcher() else { return Ok(()) };
        // A command has no typing mistakes: what no memory says is not bent into something they say.
        let Ok(lookup) = searcher.lookup(&mentions.query(), &|_| true) else { return Ok(()) };
        for found in lookup.top(ACTION_CANDIDATES) {
            let Some(doc) = cache.doc(found.doc) else { continue };
            let path = store.root().path().join(doc.path).display().to_string();
            let Ok(file) = RelPath::parse(doc.path) else { continue };
            if known(&path) {
                continue;
            }
            let Ok(Some(bytes)) = store.root().read(&file) else { continue };
            let head = format!("{} {}", doc.name, doc.description);
            let Some(words) = mentions.found_in(&head, &Topic::parse(bytes).body()) else { continue };
            let team = scope == Scope::Private && doc.path.starts_with("team/");
            answer.selected.push(Selected {
                file: doc.path.to_owned(),
                path,
                scope: if team { Scope::Team } else { scope },
                kind: doc.kind,
                title: doc.name.to_owned(),
                description: doc.description.to_owned(),
                age_days: self.files().age(&doc.written),
                score: found.score,
                why: format!("it names {words}"),
                evidence: Vec::new(),
                from: None,
                written: doc.written,
                passage: 0,
            });
        }
        Ok(())
    }
}
