//! A memory directory that comes in as it is: every file byte for byte, and the lines of its index (I4).
//!
//! Enters: the files of one folder. Leaves: one change with all of them. A name that another memory has gets a number,
//! and the line that points to it says so. What stands here already is not written twice; a secret or a planted order
//! keeps a file out, and its line. The lines of the index come as they are, in their order; in an index that has lines
//! already they come behind those. Nothing is dated, wrapped or worded again.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Imported;
use crate::engine::{Error, Memory, index_of};
use crate::import::{ImportedMemory, VerbatimFile};
use memdir_core::kind::Scope;
use memdir_guard::confine::RelPath;
use memdir_guard::prompt_injection::PromptInjection;
use memdir_guard::secrets;
use memdir_reader::sentences::said;
use memdir_store::history::ChangeId;
use memdir_store::index::Index;
use memdir_store::topic::Topic;
use memdir_store::{ChangeError, Edit, Intent};

const BOM: char = '\u{feff}';

/// What comes into one store.
#[derive(Default)]
struct Arrivals<'f> {
    /// Where a file goes, by the name it had.
    files: BTreeMap<&'f str, (RelPath, &'f VerbatimFile)>,
    /// Where a memory is that says the same, by the name it would have had.
    known: HashMap<&'f str, String>,
    /// Those that stay out.
    refused: BTreeSet<&'f str>,
    indexes: Vec<&'f VerbatimFile>,
}

impl Memory {
    /// Saves the files that come in as they are; what became of each, in the order they were found.
    pub(super) fn import_folder(
        &self,
        source: &str,
        found: &[&ImportedMemory],
        group: &ChangeId,
        dry_run: bool,
    ) -> Result<Vec<Imported>, Error> {
        let mut rows = Vec::new();
        for scope in [Scope::Private, Scope::User] {
            let mine: Vec<(&ImportedMemory, &VerbatimFile)> = found
                .iter()
                .filter(|one| one.scope.unwrap_or(Scope::Private) == scope)
                .filter_map(|one| Some((*one, one.kept.as_ref()?)))
                .collect();
            if mine.is_empty() {
                continue;
            }
            let (mut arrivals, mut here) = (Arrivals::default(), self.bodies()?);
            for (one, kept) in mine {
                if one.is_index() {
                    arrivals.indexes.push(kept);
                } else {
                    rows.push(self.place(one, kept, scope, &mut arrivals, &mut here)?);
                }
            }
            let nothing = arrivals.files.is_empty() && arrivals.indexes.is_empty();
            if !dry_run && !nothing {
                let intent = Intent { group: Some(group.clone()), ..Intent::new(format!("import from {source}")) };
                let store = self.writable(scope)?;
                store.change(&self.author(), &intent, |edit| self.take_in(edit, scope, &arrivals))?;
            }
        }
        Ok(rows)
    }

    /// Decides what becomes of one file.
    fn place<'f>(
        &self,
        one: &ImportedMemory,
        kept: &'f VerbatimFile,
        scope: Scope,
        arrivals: &mut Arrivals<'f>,
        here: &mut HashMap<String, String>,
    ) -> Result<Imported, Error> {
        let topic = Topic::parse(kept.bytes.clone());
        let name = topic.name().map_or_else(|| one.name.clone().unwrap_or_default(), std::borrow::Cow::into_owned);
        let (origin, kind) = (one.origin.clone(), topic.kind());
        let row = |action, file, reason| Imported {
            origin,
            name,
            kind,
            scope: Some(scope),
            action,
            file,
            reason,
            may_contradict: None,
        };
        let text = String::from_utf8_lossy(&kept.bytes).into_owned();
        let refusal = match (secrets::scan(&text).first(), PromptInjection::read(&text)) {
            (Some(secret), _) => Some(format!("line {} holds what looks like a secret ({})", secret.line, secret.rule)),
            (None, orders) if orders.is_planted() => {
                Some(format!("it reads like an order planted for a model: it {}", orders.reasons()))
            }
            _ => None,
        };
        if let Some(reason) = refusal {
            arrivals.refused.insert(&kept.path);
            return Ok(row("refused", None, Some(reason)));
        }
        // What is in a team's folder there is nobody's team here.
        let wanted = kept.path.strip_prefix("team/").unwrap_or(&kept.path);
        let body = topic.body().trim().to_owned();
        let known = match here.get(&body).filter(|_| !body.is_empty()) {
            Some(known) => Some(known.clone()),
            None => self.says_already(scope, wanted, &text)?,
        };
        if let Some(known) = known {
            arrivals.known.insert(&kept.path, known.clone());
            return Ok(row("known", Some(known), None));
        }
        let Some(file) = self.free_path(scope, wanted, arrivals)? else {
            arrivals.refused.insert(&kept.path);
            return Ok(row("refused", None, Some("its name cannot be used here".into())));
        };
        here.insert(body, file.to_string());
        arrivals.files.insert(&kept.path, (file.clone(), kept));
        Ok(row("created", Some(file.to_string()), None))
    }

    /// Every text that is remembered, in whatever scope, with its file.
    fn bodies(&self) -> Result<HashMap<String, String>, Error> {
        let mut all = HashMap::new();
        for listed in self.files().list()?.memories() {
            let Ok(memory_ref) = self.files().find(&listed.path()) else { continue };
            if let Some(bytes) = memory_ref.store.root().read(&memory_ref.file)? {
                all.insert(Topic::parse(bytes).body().trim().to_owned(), memory_ref.file.to_string());
            }
        }
        Ok(all)
    }

    /// The file of that very name, if it says all of it.
    fn says_already(&self, scope: Scope, path: &str, text: &str) -> Result<Option<String>, Error> {
        let there = self.there(scope, path)?;
        Ok(there.filter(|there| said(text).is_subset(&said(there))).map(|_| path.to_owned()))
    }

    fn there(&self, scope: Scope, path: &str) -> Result<Option<String>, Error> {
        let store = match scope {
            Scope::User => self.user_store()?,
            _ => self.private_store()?,
        };
        let (Some(store), Ok(file)) = (store, RelPath::parse(path)) else { return Ok(None) };
        Ok(store.root().read(&file)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// The name that a file gets here: its own, with a number where another memory has it.
    fn free_path(&self, scope: Scope, wanted: &str, arrivals: &Arrivals<'_>) -> Result<Option<RelPath>, Error> {
        let stem = wanted.strip_suffix(".md").unwrap_or(wanted);
        for at in 1..=1_000 {
            let name = if at == 1 { wanted.to_owned() } else { format!("{stem}_{at}.md") };
            let Ok(path) = RelPath::parse(&name) else { return Ok(None) };
            let taken = arrivals.files.values().any(|(file, _)| *file == path);
            if !taken && self.there(scope, &name)?.is_none() {
                return Ok(Some(path));
            }
        }
        Ok(None)
    }

    /// Writes the files and what the index says of them.
    fn take_in(&self, edit: &mut Edit<'_>, scope: Scope, arrivals: &Arrivals<'_>) -> Result<(), ChangeError> {
        for (file, kept) in arrivals.files.values() {
            if edit.read(file)?.is_some_and(|there| there != kept.bytes) {
                return Err(ChangeError::Contended(file.to_string()));
            }
            edit.write(file, kept.bytes.clone())?;
        }
        let index = index_of(scope)?;
        for kept in &arrivals.indexes {
            let there = edit.read(&index)?.unwrap_or_default();
            let after = with_lines(&there, kept, arrivals);
            if after != there {
                edit.write(&index, after)?;
            }
        }
        if !self.settings.index_required {
            return Ok(());
        }
        for (file, kept) in arrivals.files.values() {
            let standing = Index::parse(edit.read(&index)?.unwrap_or_default());
            if standing.mentions(file.as_str()) {
                continue;
            }
            let topic = Topic::parse(kept.bytes.clone());
            let (title, hook) = (topic.name().unwrap_or_default(), topic.description().unwrap_or_default());
            let mut standing = standing;
            let added = standing.keep(file.as_str(), &title, &hook);
            standing.apply(&added);
            edit.write(&index, standing.into_bytes())?;
        }
        Ok(())
    }
}

/// An index with the lines of another one. They come as they are; only where a memory got another name its link leads
/// there.
fn with_lines(there: &[u8], other: &VerbatimFile, arrivals: &Arrivals<'_>) -> Vec<u8> {
    let folder = other.path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let mut index = Index::parse(other.bytes.clone());
    for target in Index::parse(other.bytes.clone()).targets() {
        let path = format!("{folder}{target}");
        let now = arrivals.files.get(&*path).map(|(file, _)| file.as_str());
        let edits = match now.or_else(|| arrivals.known.get(&*path).map(String::as_str)) {
            _ if arrivals.refused.contains(&*path) => vec![index.unpoint(&target)],
            Some(now) if now != target => index.rename(&target, now),
            _ => Vec::new(),
        };
        edits.iter().filter(|edit| !edit.is_empty()).for_each(|edit| index.apply(edit));
    }
    let text = String::from_utf8_lossy(index.as_bytes()).into_owned();
    let leaks: BTreeSet<usize> = secrets::scan(&text).iter().map(|finding| finding.line).collect();
    if there.is_empty() && leaks.is_empty() {
        return index.into_bytes();
    }
    let standing = Index::parse(there.to_vec());
    let here = String::from_utf8_lossy(there).into_owned();
    let standing_lines: BTreeSet<&str> = here.trim_start_matches(BOM).lines().map(str::trim_end).collect();
    let pointed: BTreeSet<String> = standing.targets().map(std::borrow::Cow::into_owned).collect();
    let pointers: HashMap<usize, String> = index.pointers().into_iter().map(|one| (one.line, one.target)).collect();
    let mut out = there.to_vec();
    for (at, line) in text.trim_start_matches(BOM).lines().enumerate() {
        let double = standing_lines.contains(line.trim_end()) && !line.trim().is_empty();
        if leaks.contains(&(at + 1)) || double || pointers.get(&(at + 1)).is_some_and(|file| pointed.contains(file)) {
            continue;
        }
        if !out.is_empty() && !out.ends_with(b"\n") {
            out.push(b'\n');
        }
        out.extend_from_slice(line.as_bytes());
        out.push(b'\n');
    }
    // Blank lines alone are nothing to add.
    if out[there.len()..].trim_ascii().is_empty() { there.to_vec() } else { out }
}
