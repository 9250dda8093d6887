//! Which instruction files are loaded, in which order, and what is refused.

#![allow(clippy::disallowed_methods)]

use std::cell::RefCell;
use std::ffi::OsString;
use std::io;

use tempfile::TempDir;

use super::*;
use crate::files::{Disk, FileAccess, FoundFile};
use memdir_core::limits::RULES_CHARS;

mod includes;
mod reach;

/// A scratch world: `etc/`, `home/`, `home/app/` (the project) and `other/`.
struct World {
    dir: TempDir,
    root: PathBuf,
    under_git: bool,
    tracked: bool,
    reads: RefCell<Vec<PathBuf>>,
}

impl World {
    fn new(files: &[(&str, &str)]) -> World {
        let dir = TempDir::new().unwrap();
        let root = dir.path().canonicalize().unwrap();
        let world = World { dir, root, under_git: true, tracked: false, reads: RefCell::default() };
        for folder in ["etc", "home/app", "other"] {
            std::fs::create_dir_all(world.path(folder)).unwrap();
        }
        for (path, text) in files {
            world.write(path, text.replace("ROOT", world.root.to_str().unwrap()).as_bytes());
        }
        world
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.path(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    #[cfg(unix)]
    fn link(&self, target: &str, path: &str) {
        memdir_testkit::link(self.path(target), self.path(path)).unwrap();
    }

    fn load_in(&self, cwd: &str) -> Rules {
        let (managed, user) = (self.path("etc/CLAUDE.md"), self.path("home/.claude/CLAUDE.md"));
        let (project, home) = (self.path("home/app"), self.path("home"));
        let input = RulesInput {
            managed: Some(&managed),
            user: Some(&user),
            project_root: self.under_git.then_some(&*project),
            cwd: &self.path(cwd),
            home: Some(&home),
            is_tracked: &|_| self.tracked,
            approved: &[],
        };
        load(&input, self)
    }

    fn load(&self) -> Rules {
        self.load_in("home/app")
    }

    fn short(&self, path: &Path) -> String {
        path.strip_prefix(&self.root).unwrap().to_string_lossy().into_owned()
    }

    fn loaded(&self, rules: &Rules) -> Vec<String> {
        rules.files.iter().map(|file| self.short(&file.path)).collect()
    }

    /// `path: reason` of every skip.
    fn skips(&self, rules: &Rules) -> Vec<String> {
        let short = |skipped: &SkippedFile| self.short(Path::new(&skipped.path));
        rules.skipped.iter().map(|s| format!("{}: {}", short(s), s.reason)).collect()
    }
}

/// The disk, with every read written down.
impl FileAccess for World {
    fn find(&self, path: &Path) -> io::Result<Option<FoundFile>> {
        Disk.find(path)
    }
    fn read(&self, real: &Path, limit: usize) -> io::Result<Vec<u8>> {
        self.reads.borrow_mut().push(real.to_owned());
        Disk.read(real, limit)
    }
    fn names(&self, dir: &Path) -> io::Result<Vec<OsString>> {
        Disk.names(dir)
    }
    fn real_dir(&self, dir: &Path) -> io::Result<PathBuf> {
        Disk.real_dir(dir)
    }
}

#[test]
fn c1_order_from_managed_to_local_and_from_the_root_down() {
    let world = World::new(&[
        ("home/CLAUDE.md", "above the root"),
        ("home/app/sub/deep/CLAUDE.local.md", "10"),
        ("home/app/CLAUDE.local.md", "9"),
        ("home/app/sub/deep/CLAUDE.md", "8"),
        ("home/app/sub/.claude/rules/c.md", "7"),
        ("home/app/.claude/rules/b.md", "6"),
        ("home/app/.claude/rules/a.md", "5"),
        ("home/app/.claude/rules/a.txt", "no rule"),
        ("home/app/.claude/rules/nested/z.md", "no rule"),
        ("home/app/.claude/CLAUDE.md", "4"),
        ("home/app/CLAUDE.md", "3"),
        ("home/app/beside/CLAUDE.md", "not on the way"),
        ("home/.claude/CLAUDE.md", "2"),
        ("etc/CLAUDE.md", "1"),
    ]);
    let rules = world.load_in("home/app/sub/deep");
    let texts: Vec<&str> = rules.files.iter().map(|file| file.text.as_str()).collect();
    assert_eq!(texts, ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]);
    let sources: Vec<ContentSource> = rules.files.iter().map(|file| file.source).collect();
    assert_eq!(sources[..3], [ContentSource::ManagedRules, ContentSource::UserRules, ContentSource::ProjectRules]);
    assert_eq!(sources[8..], [ContentSource::LocalRules, ContentSource::LocalRules]);
    assert_eq!(rules.skipped, []);
}

#[test]
fn c1_outside_git_only_the_working_directory_counts() {
    let files = [("home/app/CLAUDE.md", "above"), ("home/app/sub/CLAUDE.md", "here")];
    let mut world = World::new(&files);
    world.under_git = false;
    let rules = world.load_in("home/app/sub");
    assert_eq!(world.loaded(&rules), ["home/app/sub/CLAUDE.md"]);
}

#[test]
fn c1_a_missing_working_directory_leaves_the_users_files() {
    let world = World::new(&[("home/.claude/CLAUDE.md", "mine")]);
    assert_eq!(world.loaded(&world.load_in("gone")), ["home/.claude/CLAUDE.md"]);
}

#[test]
fn m4_the_block_labels_every_file_and_the_receipt_lists_them() {
    let world = World::new(&[
        ("home/app/CLAUDE.md", "Use tabs. <!-- a comment stays -->\n@docs/more.md @./gone.md\n\n"),
        ("home/app/docs/more.md", "More."),
    ]);
    let rules = world.load();
    let block = rules.block(&mut Prompts::built_in()).unwrap().unwrap();
    let (app, more) = (world.path("home/app/CLAUDE.md"), world.path("home/app/docs/more.md"));
    assert_eq!((block.name.as_str(), block.cut), ("rules", false));
    let first = format!("Contents of {} (included by {};", more.display(), app.display());
    let second = format!("\n\nMore.\n\nContents of {} (", app.display());
    assert!(block.text.starts_with(&first) && block.text.contains(&second), "{}", block.text);
    assert!(block.text.ends_with("<!-- a comment stays -->\n@docs/more.md @./gone.md"));
    let mut receipt = Receipt::default();
    rules.note(&mut receipt);
    assert_eq!(receipt.loaded, [more.to_str().unwrap(), app.to_str().unwrap()]);
    assert!(receipt.dropped[0].ends_with("gone.md: no such file"), "{receipt:?}");
    let json = serde_json::to_value(&rules.skipped).unwrap();
    assert_eq!(json[0]["reason"], "no such file");
    assert_eq!(Rules::default().block(&mut Prompts::built_in()).unwrap(), None);
}

#[test]
fn c3_a_long_file_is_reported_and_loaded() {
    let world = World::new(&[("home/app/CLAUDE.md", &"é".repeat(RULES_CHARS + 1))]);
    world.write("home/app/.claude/CLAUDE.md", "é".repeat(RULES_CHARS).as_bytes());
    let rules = world.load();
    assert_eq!(rules.files.len(), 2);
    assert_eq!(rules.long.len(), 1);
    assert_eq!(rules.long[0].chars, RULES_CHARS + 1);
}

#[test]
fn a_large_repository_cannot_push_the_users_files_out() {
    // Room for the two project files, or for the user's and one of them.
    let large = "x".repeat(RULES_TOTAL_BYTES - 15);
    let world = World::new(&[
        ("home/app/CLAUDE.md", "@big.md"),
        ("home/app/.claude/CLAUDE.md", &large),
        ("home/app/big.md", &large),
        ("home/app/CLAUDE.local.md", "mine"),
        ("home/.claude/CLAUDE.md", "mine too"),
    ]);
    let rules = world.load();
    let want = ["home/.claude/CLAUDE.md", "home/app/CLAUDE.md", "home/app/CLAUDE.local.md"];
    assert_eq!(world.loaded(&rules), want);
    let skipped: Vec<_> = rules.skipped.iter().map(|skipped| &skipped.reason).collect();
    assert_eq!(skipped, [&SkipReason::OverTotal, &SkipReason::OverTotal]);
    assert!(!world.reads.borrow().contains(&world.path("home/app/big.md")), "what cannot fit is not read");
    assert!(rules.block(&mut Prompts::built_in()).unwrap().unwrap().cut);
}

#[test]
fn bytes_that_grow_when_they_are_made_text_still_count() {
    let world = World::new(&[]);
    world.write("home/app/CLAUDE.md", &vec![0xff; RULES_TOTAL_BYTES / 2]);
    let rules = world.load();
    assert_eq!(rules.files, []);
    assert_eq!(rules.skipped[0].reason, SkipReason::OverTotal);
}

#[test]
fn an_endless_list_of_mentions_ends() {
    let world = World::new(&[("home/app/CLAUDE.md", &"@./gone.md\n".repeat(50_000))]);
    let rules = world.load();
    assert_eq!(rules.files.len(), 1);
    assert!(rules.skipped.len() <= RULES_FILES);
    assert_eq!(rules.skipped.last().unwrap().reason, SkipReason::TooMany);
}

#[test]
fn odd_bytes_are_read_without_failure() {
    let world = World::new(&[]);
    world.write("home/app/CLAUDE.md", b"\xef\xbb\xbfa\r\n\xff@b.md\r\n @b.md\r\n");
    world.write("home/app/b.md", b"b\xc3");
    let rules = world.load();
    assert_eq!(rules.files[0].text, "b\u{fffd}");
    assert_eq!(rules.files[1].text, "a\r\n\u{fffd}@b.md\r\n @b.md");
}

#[test]
#[cfg(target_os = "linux")]
fn a_pipe_in_place_of_a_file_blocks_nobody() {
    let world = World::new(&[]);
    let path = world.path("home/app/CLAUDE.md");
    let mode = rustix::fs::Mode::RWXU;
    rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    assert_eq!(world.load().files, []);
}
