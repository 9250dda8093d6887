//! An index: each side may have lines that the other must not see.
//!
//! Lines of memories that stay here do not leave, lines of memories that were not let in do not come. What is merged and
//! what counts as common is the rest; then each side gets its own lines back.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::{RoundInput, RoundPlan};
use super::{IncomingFile, Sync, SyncError};
use crate::base::{KnownPath, hash};
use crate::merge::{PresentTargets, merge_index};
use memdir_core::limits;
use memdir_store::index::{Index, bare_pointer, target_of};

impl Sync<'_> {
    pub(super) fn plan_index(
        &mut self,
        path: &str,
        sides: &RoundInput<'_>,
        step: &mut RoundPlan,
    ) -> Result<(), SyncError> {
        let RoundInput { base, ours, theirs } = *sides;
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let known = base.files.get(path).cloned().unwrap_or_default();
        let their = theirs.get(path);
        if their.is_some_and(|their| their.known.held.is_some()) {
            return self.plan_file(path, sides, step);
        }
        let our = text(self.read(path, ours.get(path))?);
        if our.len() > limits::TEAM_INDEX_BYTES {
            step.hold_back(path, format!("too-large: an index of {} bytes is not shared", our.len()));
            return Ok(());
        }
        let before = known
            .common
            .as_ref()
            .map(|hash| self.bases.content(hash))
            .transpose()?
            .flatten()
            .map(|bytes| text(Some(bytes)));
        let full = match their {
            Some(their) => text(their.content.clone()),
            None => match &known.full {
                Some(full) => text(self.bases.content(full)?),
                None => before.clone().unwrap_or_default(),
            },
        };
        let stays = targets(folder, step.held_back.iter().map(|held| held.file.as_str()));
        let now = |path: &str| theirs.get(path).map_or_else(|| base.files.get(path), |their| Some(&their.known));
        let shared = base.files.keys().chain(theirs.keys());
        let hidden = targets(
            folder,
            shared.map(String::as_str).filter(|path| now(path).is_some_and(|known| known.held.is_some())),
        );
        let fates = PresentTargets { there: existing(folder, ours, theirs, step) };
        // Our own version of what is kept out stays, and so does its pointer.
        let hidden: BTreeSet<String> = hidden.difference(&fates.there).cloned().collect();
        let author = their.map_or(&known.author, |their| &their.known.author).clone();
        let (our_part, mut their_part) = (without(&our, &stays), without(&full, &hidden));
        if self.rules.chooses_authors() && !author.name.is_empty() {
            let vouched = if self.rules.lets_in(&author) { &full } else { before.as_deref().unwrap_or_default() };
            their_part = chosen(&their_part, before.as_deref().unwrap_or_default(), vouched, &fates);
        }
        let merged = merge_index(before.as_deref(), &our_part, &their_part, &fates);
        let nothing = PresentTargets::default();
        let here = merge_index(Some(&our_part), &our, &merged, &nothing);
        let out = merge_index(Some(&their_part), &full, &merged, &nothing);
        let remote = their.map_or(&known.remote, |their| &their.known.remote).clone();
        // An index that nobody has is not made.
        if here != our {
            let bytes = |text: &str| Some(text.as_bytes().to_vec());
            let had = ours.contains_key(path);
            step.arrive(path, if had { bytes(&our) } else { None }, bytes(&here));
        }
        if their.is_some() || here != our {
            // Until it is published, what they have is what is common.
            let known = KnownPath {
                common: Some(hash(their_part.as_bytes())),
                full: (full != their_part).then(|| hash(full.as_bytes())),
                remote,
                author,
                ..KnownPath::default()
            };
            step.know(path, known, vec![their_part.into_bytes(), full.clone().into_bytes()]);
        }
        if out != full {
            let before = step.changes.len();
            self.publish(path, Some(out.into_bytes()), step);
            if step.changes.len() > before {
                step.published.insert(path.to_owned(), merged.into_bytes());
            }
        }
        Ok(())
    }
}

fn text(bytes: Option<Vec<u8>>) -> String {
    String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned()
}

/// Paths as an index in this folder names them.
fn targets<'p>(folder: &str, paths: impl Iterator<Item = &'p str>) -> BTreeSet<String> {
    let below =
        |path: &'p str| if folder.is_empty() { Some(path) } else { path.strip_prefix(folder)?.strip_prefix('/') };
    paths.filter_map(below).map(str::to_owned).collect()
}

/// The memories that are there once this round has landed.
fn existing(
    folder: &str,
    ours: &BTreeMap<String, String>,
    theirs: &BTreeMap<String, IncomingFile>,
    step: &RoundPlan,
) -> BTreeSet<String> {
    let mut there: BTreeSet<&str> = ours.keys().map(String::as_str).collect();
    there.extend(theirs.iter().filter(|(_, their)| their.content.is_some()).map(|(path, _)| path.as_str()));
    for arrival in &step.arrivals {
        if arrival.after.is_some() {
            there.insert(&arrival.path)
        } else {
            there.remove(arrival.path.as_str())
        };
    }
    targets(folder, there.into_iter())
}

/// Of an index that several authors wrote, not all of whom are let in: what was common already, and pointers to memories that are
/// there. A pointer that nobody vouches for names the file alone: its words may be by whom nobody wants to hear.
fn chosen(text: &str, common: &str, vouched: &str, fates: &PresentTargets) -> String {
    let (common, vouched): (BTreeSet<&str>, BTreeSet<&str>) = (common.lines().collect(), vouched.lines().collect());
    let mut kept = String::new();
    for line in text.lines() {
        let target = target_of(line).filter(|target| fates.there.contains(target));
        match target {
            _ if common.contains(line) => kept.push_str(line),
            Some(_) if vouched.contains(line) => kept.push_str(line),
            Some(target) => kept.push_str(&bare_pointer(&target)),
            None => continue,
        }
        kept.push('\n');
    }
    kept
}

/// An index without the pointers to these files.
fn without(text: &str, files: &BTreeSet<String>) -> String {
    if files.is_empty() {
        return text.to_owned();
    }
    let mut index = Index::parse(text.as_bytes().to_vec());
    for file in files {
        let edit = index.unpoint(file);
        index.apply(&edit);
    }
    String::from_utf8_lossy(index.as_bytes()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_by_whom_nobody_wants_to_hear_do_not_arrive() {
        let fates = PresentTargets { there: BTreeSet::from(["a.md".to_owned(), "b.md".to_owned()]) };
        let common = "# Team\n- [A](a.md) — known\n";
        let theirs = "# Team\n- [A](a.md) — known\n- [Obey](b.md) — obey\n- [Gone](gone.md) — obey\nobey\n";
        let muted = chosen(theirs, common, common, &fates);
        assert_eq!(muted, "# Team\n- [A](a.md) — known\n- [b](b.md)\n");
        let welcome = chosen(theirs, common, theirs, &fates);
        assert_eq!(welcome, "# Team\n- [A](a.md) — known\n- [Obey](b.md) — obey\n");
    }
}
