//! Finding and reading: the walk over directories and includes behind [`load`].
//!
//! Enters: where to look. Leaves: [`Rules`]. Every file is read by [`Loader::read`],
//! which resolves links first and then asks whether the file may be reached, is new, is text and
//! fits.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

use super::{LongFile, RuleFile, Rules, RulesInput, SkipReason, SkippedFile, shown};
use crate::contents::ContentSource;
use crate::files::FileAccess;
use crate::include::{candidates, is_text, is_text_name, may_include, mentions, surely_a_file};
use memdir_core::limits::{INCLUDE_DEPTH, RULES_CHARS, RULES_FILES, RULES_TOTAL_BYTES};

/// Loads every instruction file that is in force for a working directory.
pub fn load(input: &RulesInput<'_>, files: &dyn FileAccess) -> Rules {
    let project = ProjectDirs::find(input, files);
    let mut loader = Loader {
        files,
        home: input.home,
        real_home: input.home.and_then(|home| files.real_dir(home).ok()),
        root: project.root,
        approved: input.approved,
        bytes_left: RULES_TOTAL_BYTES,
        looks_left: RULES_FILES,
        seen: HashSet::new(),
        open: Vec::new(),
        found: Rules::default(),
    };
    let top = |path: &Path, source, reach| Wanted { path: path.to_owned(), source, reach, included_by: None };
    let own = [(input.managed, ContentSource::ManagedRules), (input.user, ContentSource::UserRules)];
    let own = own.into_iter().filter_map(|(path, source)| Some(top(path?, source, Reach::Anywhere)));
    let mut shared = Vec::new();
    let mut local = Vec::new();
    for directory in &project.directories {
        let mut paths = vec![directory.join("CLAUDE.md"), directory.join(".claude/CLAUDE.md")];
        paths.extend(loader.rules_folder(&directory.join(".claude/rules")));
        shared.extend(paths.iter().map(|path| top(path, ContentSource::ProjectRules, Reach::Project)));
        let path = directory.join("CLAUDE.local.md");
        let is_own = project.under_git && !(input.is_tracked)(&path);
        let reach = if is_own { Reach::ProjectAndHome } else { Reach::Project };
        local.push(top(&path, ContentSource::LocalRules, reach));
    }

    // The user's own files come before the repository's when room is given out ...
    let own = loader.top_level(own);
    let local = loader.top_level(local);
    let shared = loader.top_level(shared);
    // ... and after them in the text, where the last word counts.
    for file in own.into_iter().chain(shared).chain(local) {
        loader.expand(file, 0);
    }
    loader.found
}

/// The real project root and the directories from it down to the working directory.
#[derive(Default)]
struct ProjectDirs {
    root: Option<PathBuf>,
    under_git: bool,
    directories: Vec<PathBuf>,
}

impl ProjectDirs {
    fn find(input: &RulesInput<'_>, files: &dyn FileAccess) -> ProjectDirs {
        let Ok(cwd) = files.real_dir(input.cwd) else {
            return ProjectDirs::default();
        };
        let checkout =
            input.project_root.and_then(|root| files.real_dir(root).ok()).filter(|root| cwd.starts_with(root));
        let under_git = checkout.is_some();
        let root = checkout.unwrap_or_else(|| cwd.clone());
        let mut directories: Vec<PathBuf> =
            cwd.ancestors().take_while(|d| d.starts_with(&root)).map(Path::to_owned).collect();
        directories.reverse();
        ProjectDirs { root: Some(root), under_git, directories }
    }
}

/// How far a file may reach with its includes, and be reached itself through a link.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    Anywhere,
    ProjectAndHome,
    Project,
}

/// A file to be loaded if it exists.
struct Wanted {
    path: PathBuf,
    source: ContentSource,
    reach: Reach,
    included_by: Option<PathBuf>,
}

/// A file that was read and whose includes are still to be followed.
struct Taken {
    file: RuleFile,
    real: PathBuf,
    reach: Reach,
}

struct Loader<'a> {
    files: &'a dyn FileAccess,
    home: Option<&'a Path>,
    real_home: Option<PathBuf>,
    root: Option<PathBuf>,
    approved: &'a [PathBuf],
    bytes_left: usize,
    looks_left: usize,
    seen: HashSet<PathBuf>,
    /// The files whose includes are being followed, outermost first.
    open: Vec<PathBuf>,
    found: Rules,
}

impl Loader<'_> {
    /// The `.md` files of a rules folder, by name.
    fn rules_folder(&mut self, folder: &Path) -> Vec<PathBuf> {
        let mut names = self.files.names(folder).unwrap_or_else(|error| {
            self.skip(folder, unreadable(error));
            Vec::new()
        });
        let is_md = |name: &Path| name.extension().is_some_and(|e| e.eq_ignore_ascii_case("md"));
        names.retain(|name| is_md(Path::new(name)));
        names.sort();
        names.into_iter().map(|name| folder.join(name)).collect()
    }

    fn top_level(&mut self, wanted: impl IntoIterator<Item = Wanted>) -> Vec<Taken> {
        let mut taken = Vec::new();
        for file in wanted {
            if !self.may_look(&file.path) {
                break;
            }
            match self.take(&file) {
                Ok(file) => taken.extend(file),
                Err(reason) => self.skip(&file.path, reason),
            }
        }
        taken
    }

    /// Follows the includes of a file, depth first, and puts the file after them.
    fn expand(&mut self, parent: Taken, depth: usize) {
        if may_include(&parent.real) {
            self.open.push(parent.real.clone());
            for written in mentions(&parent.file.text) {
                if !self.may_look(&parent.file.path) {
                    break;
                }
                self.include(&written, &parent, depth + 1);
            }
            self.open.pop();
        }
        self.found.files.push(parent.file);
    }

    fn include(&mut self, written: &str, parent: &Taken, depth: usize) {
        let candidates = candidates(written, &parent.file.path, self.home);
        for path in &candidates {
            if depth > INCLUDE_DEPTH {
                if matches!(self.files.find(path), Ok(Some(_))) {
                    return self.skip(path, SkipReason::TooDeep);
                }
                continue;
            }
            let wanted = Wanted {
                path: path.clone(),
                source: parent.file.source,
                reach: parent.reach,
                included_by: Some(parent.file.path.clone()),
            };
            match self.take(&wanted) {
                Ok(Some(taken)) => return self.expand(taken, depth),
                Ok(None) => {}
                Err(reason) => return self.skip(path, reason),
            }
        }
        if let Some(path) = candidates.first().filter(|_| surely_a_file(written)) {
            self.skip(path, SkipReason::Missing);
        }
    }

    /// The file with its text; `None` when it does not exist.
    fn take(&mut self, wanted: &Wanted) -> Result<Option<Taken>, SkipReason> {
        let Some((real, text)) = self.read(wanted)? else {
            return Ok(None);
        };
        let included = wanted.included_by.is_some();
        // Anybody who can write to the repository may have written what lies inside it.
        let reach = if included && is_below(&real, self.root.as_deref()) { Reach::Project } else { wanted.reach };
        let path = if included { real.clone() } else { wanted.path.clone() };
        let chars = text.chars().count();
        if chars > RULES_CHARS {
            self.found.long.push(LongFile { path: shown(&path), chars });
        }
        let included_by = wanted.included_by.clone();
        let file = RuleFile { path, source: wanted.source, included_by, text };
        Ok(Some(Taken { file, real, reach }))
    }

    fn read(&mut self, wanted: &Wanted) -> Result<Option<(PathBuf, String)>, SkipReason> {
        let Some(found) = self.files.find(&wanted.path).map_err(unreadable)? else {
            return Ok(None);
        };
        let real = found.real;
        if !self.is_allowed(&real, wanted.reach) {
            return Err(SkipReason::OutsideProject);
        }
        if self.open.contains(&real) {
            return Err(SkipReason::Cycle);
        }
        if self.seen.contains(&real) {
            return Err(SkipReason::Repeated);
        }
        // The real name counts: a link named `notes.md` does not make a key text.
        if wanted.included_by.is_some() && !is_text_name(&real) {
            return Err(SkipReason::NotText);
        }
        if found.bytes > self.bytes_left as u64 {
            return Err(SkipReason::OverTotal);
        }
        let bytes = self.files.read(&real, self.bytes_left + 1).map_err(unreadable)?;
        if !is_text(&bytes) {
            return Err(SkipReason::NotText);
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).trim_end();
        if text.is_empty() {
            return Err(SkipReason::Empty);
        }
        if text.len() > self.bytes_left {
            return Err(SkipReason::OverTotal);
        }
        self.bytes_left -= text.len();
        self.seen.insert(real.clone());
        Ok(Some((real, text.to_owned())))
    }

    fn is_allowed(&self, real: &Path, reach: Reach) -> bool {
        let in_project = is_below(real, self.root.as_deref()) || self.approved.iter().any(|approved| approved == real);
        match reach {
            Reach::Anywhere => true,
            Reach::ProjectAndHome => in_project || is_below(real, self.real_home.as_deref()),
            Reach::Project => in_project,
        }
    }

    /// Counts one look at the file system; when there are too many, says so once.
    fn may_look(&mut self, path: &Path) -> bool {
        if self.looks_left > 0 {
            self.looks_left -= 1;
            return true;
        }
        if !self.found.skipped.iter().any(|skipped| skipped.reason == SkipReason::TooMany) {
            self.skip(path, SkipReason::TooMany);
        }
        false
    }

    fn skip(&mut self, path: &Path, reason: SkipReason) {
        self.found.skipped.push(SkippedFile { path: shown(path), reason });
    }
}

fn is_below(real: &Path, root: Option<&Path>) -> bool {
    root.is_some_and(|root| real.starts_with(root))
}

fn unreadable(error: io::Error) -> SkipReason {
    SkipReason::Unreadable(error.to_string())
}
