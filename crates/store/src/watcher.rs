//! Watches a store: which of its files were touched since the last look.
//!
//! Enters: the directories of a store. Leaves: the names that somebody touched, or that it cannot be told. For a process that
//! answers many questions about a large store: a look at every file for each of them would be most of the work. Trusted only
//! on file systems of this machine's own, and never for long: the kernel does not report everything. Linux; elsewhere there is
//! no watcher, and every look is a whole one.

#[cfg(target_os = "linux")]
pub(super) use linux::Watcher;
#[cfg(not(target_os = "linux"))]
pub(super) use nowhere::Watcher;

#[cfg(target_os = "linux")]
mod linux {
    use std::collections::{BTreeSet, HashMap};
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::path::Path;

    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
    use rustix::io::Errno;

    /// Names that are taken in one by one; more are a reason to look at everything.
    const NAMES: usize = 256;
    /// Bytes of events read at a time.
    const BUFFER: usize = 8 * 1024;
    /// ext4, XFS, Btrfs, tmpfs, F2FS, ZFS, overlay, bcachefs: nobody writes there but through this kernel.
    const OWN: [u32; 8] =
        [0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0xF2F5_2010, 0x2FC1_2FC1, 0x794C_7630, 0xCA45_1A4E];

    /// A watch over the directories of one store.
    #[derive(Debug)]
    pub(crate) struct Watcher {
        events: OwnedFd,
        /// What each watch is for, relative to the root.
        directories: HashMap<i32, String>,
    }

    impl Watcher {
        /// Watches directories below a root; `None` where that is not possible or not to be trusted.
        pub(crate) fn over(root: &Path, directories: &[String]) -> Option<Watcher> {
            let kind = rustix::fs::statfs(root).ok()?.f_type;
            if !OWN.iter().any(|own| i128::from(*own) == i128::from(kind) & 0xFFFF_FFFF) {
                return None;
            }
            let events = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            let touched = WatchFlags::MODIFY
                | WatchFlags::ATTRIB
                | WatchFlags::CLOSE_WRITE
                | WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MOVE
                | WatchFlags::DELETE_SELF
                | WatchFlags::MOVE_SELF
                | WatchFlags::ONLYDIR
                | WatchFlags::DONT_FOLLOW;
            let mut watched = HashMap::new();
            for directory in directories {
                let path = if directory.is_empty() { root.to_path_buf() } else { root.join(directory) };
                watched.insert(inotify::add_watch(&events, &path, touched).ok()?, directory.clone());
            }
            Some(Watcher { events, directories: watched })
        }

        /// The Markdown files that were touched since it was last asked; `None`: look at everything.
        pub(crate) fn news(&mut self) -> Option<BTreeSet<String>> {
            let mut names = BTreeSet::new();
            let mut buffer = [MaybeUninit::uninit(); BUFFER];
            let mut reader = inotify::Reader::new(&self.events, &mut buffer);
            loop {
                let event = match reader.next() {
                    Ok(event) => event,
                    Err(Errno::WOULDBLOCK) => return Some(names),
                    Err(Errno::INTR) => continue,
                    Err(_) => return None,
                };
                let lost = ReadFlags::QUEUE_OVERFLOW | ReadFlags::IGNORED | ReadFlags::UNMOUNT;
                let moved = ReadFlags::DELETE_SELF | ReadFlags::MOVE_SELF;
                if event.events().intersects(lost | moved) || names.len() >= NAMES {
                    return None;
                }
                // Without a name it is the directory itself: its times change with every file.
                let Some(name) = event.file_name() else { continue };
                let name = name.to_str().ok()?;
                if name.starts_with('.') {
                    continue;
                }
                if event.events().contains(ReadFlags::ISDIR) {
                    return None;
                }
                if name.ends_with(".md") {
                    let directory = self.directories.get(&event.wd())?;
                    names.insert(if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") });
                }
            }
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod nowhere {
    use std::collections::BTreeSet;
    use std::path::Path;

    /// No watch.
    #[derive(Debug)]
    pub(crate) enum Watcher {}

    impl Watcher {
        /// Not here.
        pub(crate) fn over(_: &Path, _: &[String]) -> Option<Watcher> {
            None
        }

        /// Nobody has one to ask.
        pub(crate) fn news(&mut self) -> Option<BTreeSet<String>> {
            match *self {}
        }
    }
}
