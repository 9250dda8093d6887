//! What there is: every memory with its title, scope, type, age and marks.
//!
//! Enters: what the stores know after a look at their directories. Leaves: rows that point into
//! that knowledge; nothing is copied, so a hundred thousand memories are listed as fast as they
//! are looked at.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::titles::{Titles, needs_title, title};
use super::{Error, Files, Memory, MemoryOrigin};
use memdir_context::age::age_days;
use memdir_core::kind::{Scope, Type};
use memdir_guard::confine::RelPath;
use memdir_store::catalog::{Catalog, KnownFile};
use memdir_store::daily_log::is_daily_log;
use memdir_store::{Noticed, Store, Written};

/// One memory in a listing.
#[derive(Clone, Debug)]
pub struct Listed<'l> {
    /// Relative to the memory directory of its scope; team files begin with `team/`.
    pub file: Cow<'l, str>,
    /// Whose it is.
    pub scope: Scope,
    /// What it is about; `None`: untyped.
    pub kind: Option<Type>,
    /// Its name, from the frontmatter.
    pub name: Option<Cow<'l, str>>,
    /// What people call it: the name, or what its index says where that is a slug.
    pub title: Cow<'l, str>,
    /// Its description, from the frontmatter.
    pub description: Option<Cow<'l, str>>,
    /// Calendar days since it was written; `None` if unknown.
    pub age_days: Option<i64>,
    /// Whether automation keeps its hands off.
    pub pinned: bool,
    /// What is worth knowing about it: `untyped`, `no-description`, `not-in-index`, `log`.
    pub flags: &'static [&'static str],
    /// The team and the author it came from, where it was shared.
    pub from: Option<String>,
    /// When it was written.
    pub written: Written,
    root: Cow<'l, str>,
}

impl Listed<'_> {
    /// Where it is.
    pub fn path(&self) -> String {
        format!("{}/{}", self.root, self.file)
    }

    /// The same, on its own.
    pub fn into_owned(self) -> Listed<'static> {
        let own = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Listed {
            file: own(self.file),
            name: self.name.map(own),
            title: own(self.title),
            description: self.description.map(own),
            root: own(self.root),
            ..Listed {
                file: Cow::Borrowed(""),
                name: None,
                title: Cow::Borrowed(""),
                description: None,
                root: Cow::Borrowed(""),
                ..self
            }
        }
    }
}

impl Serialize for Listed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Listed", 11)?;
        out.serialize_field("file", &self.file)?;
        out.serialize_field("path", &format_args!("{}/{}", self.root, self.file))?;
        out.serialize_field("scope", &self.scope)?;
        out.serialize_field("type", &self.kind)?;
        out.serialize_field("name", &self.name)?;
        out.serialize_field("title", &self.title)?;
        out.serialize_field("description", &self.description)?;
        out.serialize_field("age_days", &self.age_days)?;
        out.serialize_field("pinned", &self.pinned)?;
        out.serialize_field("flags", &self.flags)?;
        out.serialize_field("from", &self.from)?;
        out.end()
    }
}

/// All memories, newest first, and what could not be read.
#[derive(Debug, Default)]
pub struct Listing {
    stores: Vec<ListedStore>,
    rows: Vec<ListingRow>,
    /// Where shared memories came from.
    origins: HashMap<String, MemoryOrigin>,
    /// Files that are there and no use, with the reason.
    pub unreadable: Vec<(String, String)>,
}

/// What one store knows.
#[derive(Debug)]
struct ListedStore {
    scope: Scope,
    root: String,
    catalog: Arc<Catalog>,
    /// What an index calls memories whose names are slugs, by path.
    titles: HashMap<String, String>,
}

#[derive(Clone, Debug)]
struct ListingRow {
    /// When it was written, never after now; `None` if unknown.
    written: Option<jiff::Timestamp>,
    age_days: Option<i64>,
    flags: &'static [&'static str],
    number: u32,
    store: u32,
}

impl Listing {
    /// How many memories there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The memories, newest first.
    pub fn memories(&self) -> impl Iterator<Item = Listed<'_>> + Clone {
        self.rows.iter().map(|row| {
            let store = &self.stores[row.store as usize];
            let known = store.catalog.at(row.number);
            let team = store.scope == Scope::Private && known.path.starts_with("team/");
            Listed {
                file: known.path.into(),
                scope: if team { Scope::Team } else { store.scope },
                kind: known.kind,
                name: known.name.map(Cow::Borrowed),
                title: title(known.name, known.path, store.titles.get(known.path).map(String::as_str)),
                description: known.description.map(Cow::Borrowed),
                age_days: row.age_days,
                pinned: known.pinned,
                flags: row.flags,
                from: if team { self.origins.get(known.path).map(MemoryOrigin::shown) } else { None },
                written: known.written,
                root: Cow::Borrowed(&store.root),
            }
        })
    }

    fn path(&self, row: &ListingRow) -> &str {
        self.stores[row.store as usize].catalog.at(row.number).path
    }
}

/// What a file below a root is to a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileRole {
    Topic,
    Log,
    Index,
}

/// Tells topics from logs (L1, L3) and indexes by their path.
pub(crate) fn role(path: &str) -> FileRole {
    let folder = memchr::memrchr(b'/', path.as_bytes());
    let name = folder.map_or(path, |end| &path[end + 1..]);
    if name.eq_ignore_ascii_case("MEMORY.md") {
        return FileRole::Index;
    }
    if folder.is_none() {
        return FileRole::Topic;
    }
    if is_daily_log(path) { FileRole::Log } else { FileRole::Topic }
}

impl Files<'_> {
    /// Lists every memory of every scope, newest first.
    pub fn list(&self) -> Result<Listing, Error> {
        // Without teams, or when their state is gone, nothing is known of where memories came from.
        let mut listing = Listing { origins: self.memory.origins().unwrap_or_default(), ..Listing::default() };
        for (scope, store) in self.memory.stores()? {
            let Noticed { odd, unreadable, .. } = store.notice(self.memory.now.timestamp())?;
            listing.unreadable.extend(unreadable);
            listing.unreadable.extend(odd.into_iter().map(|odd| (odd.path, odd.why.as_str().to_owned())));
            self.memory.list_store(scope, store, &mut listing)?;
        }
        let mut rows = std::mem::take(&mut listing.rows);
        rows.sort_unstable_by(|a, b| {
            let by_path = || listing.path(a).cmp(listing.path(b)).then(a.store.cmp(&b.store));
            // What has no known age comes last.
            b.written.cmp(&a.written).then_with(by_path)
        });
        self.memory.tell_ages(&mut rows);
        listing.rows = rows;
        Ok(listing)
    }

    /// How many calendar days ago a memory was written; `None` if unknown.
    pub fn age(&self, written: &Written) -> Option<i64> {
        written.time(self.memory.now.timestamp()).map(|at| age_days(at, &self.memory.now))
    }
}

impl Memory {
    fn list_store(&self, scope: Scope, store: &Store, listing: &mut Listing) -> Result<(), Error> {
        let mut indexes = Titles::of(store);
        let mut titles = HashMap::new();
        let now = self.now.timestamp();
        let number_of_store = listing.stores.len() as u32;
        let catalog = store.known()?;
        listing.rows.reserve(catalog.len());
        for number in catalog.numbers() {
            let known = catalog.at(number);
            let role = role(known.path);
            if role == FileRole::Index {
                continue;
            }
            // Not known since our own write of it: it may be gone by now.
            let there =
                || RelPath::parse(known.path).is_ok_and(|path| matches!(store.root().facts(&path), Ok(Some(_))));
            if known.facts.is_none() && !there() {
                continue;
            }
            let team = scope == Scope::Private && known.path.starts_with("team/");
            let pointed = indexes.pointed(if team { Scope::Team } else { scope }, known.path);
            if let Some(pointed) = pointed.filter(|_| needs_title(known.name, known.path)) {
                titles.insert(known.path.to_owned(), pointed.to_owned());
            }
            let missing = pointed.is_none() && self.settings.index_required;
            listing.rows.push(ListingRow {
                written: known.written.time(now),
                age_days: None,
                flags: flags(role, &known, missing),
                number,
                store: number_of_store,
            });
        }
        listing.stores.push(ListedStore { scope, root: store.root().path().display().to_string(), catalog, titles });
        Ok(())
    }

    /// Says how old each memory is. Memories of one day stand together, and a day is looked up
    /// in the calendar once.
    fn tell_ages(&self, rows: &mut [ListingRow]) {
        let (mut since, mut age) = (jiff::Timestamp::MAX, 0);
        for row in rows {
            let Some(written) = row.written else { break };
            if written < since {
                age = age_days(written, &self.now);
                let zoned = written.to_zoned(self.now.time_zone().clone());
                since = zoned.start_of_day().map_or(written, |midnight| midnight.timestamp());
            }
            row.age_days = Some(age);
        }
    }
}

/// What is worth knowing about a memory.
fn flags(role: FileRole, known: &KnownFile<'_>, missing: bool) -> &'static [&'static str] {
    match (role, known.kind.is_none(), known.description.is_none(), missing) {
        (FileRole::Log, ..) => &["log"],
        (_, false, false, false) => &[],
        (_, true, false, false) => &["untyped"],
        (_, false, true, false) => &["no-description"],
        (_, false, false, true) => &["not-in-index"],
        (_, true, true, false) => &["untyped", "no-description"],
        (_, true, false, true) => &["untyped", "not-in-index"],
        (_, false, true, true) => &["no-description", "not-in-index"],
        (_, true, true, true) => &["untyped", "no-description", "not-in-index"],
    }
}

pub(crate) use memdir_store::written::timestamp;
