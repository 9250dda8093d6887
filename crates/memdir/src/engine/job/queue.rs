//! Which transcripts wait: one small file each.
//!
//! Putting one there replaces what was there (the latest wins, X5) and counts the turns. Taking one away
//! happens only if nobody put it there again meanwhile; both under a lock that is held for microseconds.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use memdir_core::limits;
use memdir_hosts::Host;
use memdir_store::fs::{self, Durability, FsError};

/// A transcript that waits.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct QueuedTranscript {
    host: String,
    /// Which file.
    pub(super) transcript: PathBuf,
    /// Turns that ended since it was last learned from.
    pub(super) turns: u64,
    /// How often it was tried.
    pub(super) attempts: u32,
    /// What went wrong the last time.
    pub(super) error: Option<String>,
    /// Tells two requests for one transcript apart.
    token: String,
}

impl QueuedTranscript {
    pub(super) fn new(host: Host, transcript: &Path) -> QueuedTranscript {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let token = format!("{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        QueuedTranscript {
            host: host.as_str().to_owned(),
            transcript: transcript.to_path_buf(),
            turns: 1,
            attempts: 0,
            error: None,
            token,
        }
    }

    pub(super) fn host(&self) -> Option<Host> {
        Host::named(&self.host)
    }

    /// It failed too often; only a new turn brings it back.
    pub(super) fn given_up(&self) -> bool {
        self.attempts >= limits::EXTRACT_ATTEMPTS
    }
}

/// The waiting transcripts of one memory.
#[derive(Debug)]
pub(super) struct Queue {
    dir: PathBuf,
}

impl Queue {
    pub(super) fn at(extract: &Path) -> Queue {
        Queue { dir: extract.join("queue") }
    }

    /// The same, made if need be.
    pub(super) fn open(extract: &Path) -> Result<Queue, FsError> {
        let queue = Queue::at(extract);
        fs::create_private_dir(&queue.dir)?;
        Ok(queue)
    }

    /// Notes a turn.
    pub(super) fn put(&self, request: &QueuedTranscript) -> Result<(), FsError> {
        let _alone = self.alone()?;
        let file = self.file(&request.transcript);
        let before: Option<QueuedTranscript> = serde_json::from_slice(&fs::read_beside(&file)?).ok();
        let turns = before.map_or(0, |before| before.turns) + request.turns;
        self.write(&QueuedTranscript { turns, ..request.clone() })
    }

    /// Takes a request away; `false` when a newer one has taken its place.
    pub(super) fn done(&self, request: &QueuedTranscript) -> Result<bool, FsError> {
        let _alone = self.alone()?;
        let same = self.still(request)?.is_some();
        if same {
            fs::remove(&self.file(&request.transcript))?;
        }
        Ok(same)
    }

    /// Notes that a request failed.
    pub(super) fn failed(&self, request: &QueuedTranscript, error: &str) -> Result<(), FsError> {
        let _alone = self.alone()?;
        match self.still(request)? {
            Some(now) => {
                self.write(&QueuedTranscript { attempts: now.attempts + 1, error: Some(error.to_owned()), ..now })
            }
            None => Ok(()),
        }
    }

    /// Everything that waits, by name.
    pub(super) fn all(&self) -> Result<Vec<QueuedTranscript>, FsError> {
        let mut names = fs::names(&self.dir)?;
        names.retain(|name| name.ends_with(".json"));
        names.sort();
        let read = |name: &String| serde_json::from_slice(&fs::read_beside(&self.dir.join(name)).ok()?).ok();
        Ok(names.iter().filter_map(read).collect())
    }

    fn still(&self, request: &QueuedTranscript) -> Result<Option<QueuedTranscript>, FsError> {
        let now: Option<QueuedTranscript> =
            serde_json::from_slice(&fs::read_beside(&self.file(&request.transcript))?).ok();
        Ok(now.filter(|now| now.token == request.token))
    }

    fn write(&self, request: &QueuedTranscript) -> Result<(), FsError> {
        let bytes = serde_json::to_vec(request).unwrap_or_default();
        // A power cut may lose it: then the next turn puts it there again.
        fs::replace(&self.file(&request.transcript), &bytes, Durability::Cache)
    }

    fn file(&self, transcript: &Path) -> PathBuf {
        self.dir.join(format!("{}.json", memdir_store::key(transcript)))
    }

    fn alone(&self) -> Result<File, FsError> {
        fs::hold(&self.dir.join("lock"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x5_the_latest_wins_and_turns_add_up() {
        let dir = tempfile::tempdir().unwrap();
        let queue = Queue::open(dir.path()).unwrap();
        let first = QueuedTranscript::new(Host::Codex, Path::new("/t/a.jsonl"));
        queue.put(&first).unwrap();
        let taken = queue.all().unwrap().remove(0);
        queue.put(&QueuedTranscript::new(Host::Codex, Path::new("/t/a.jsonl"))).unwrap();
        // A turn ended during the run: the request stays, and one trailing run follows.
        assert!(!queue.done(&taken).unwrap());
        queue.failed(&taken, "late").unwrap();
        let now = queue.all().unwrap();
        assert_eq!((now.len(), now[0].turns, now[0].attempts), (1, 2, 0));
        assert!(queue.done(&now[0]).unwrap() && queue.all().unwrap().is_empty());
    }

    #[test]
    fn a_request_is_given_up_after_a_few_attempts_and_comes_back_with_a_turn() {
        let dir = tempfile::tempdir().unwrap();
        let queue = Queue::open(dir.path()).unwrap();
        queue.put(&QueuedTranscript::new(Host::Qwen, Path::new("/t/b.jsonl"))).unwrap();
        for _ in 0..limits::EXTRACT_ATTEMPTS {
            let request = queue.all().unwrap().remove(0);
            assert!(!request.given_up());
            queue.failed(&request, "no such file").unwrap();
        }
        let request = queue.all().unwrap().remove(0);
        assert!(request.given_up() && request.error.as_deref() == Some("no such file"));
        queue.put(&QueuedTranscript::new(Host::Qwen, Path::new("/t/b.jsonl"))).unwrap();
        assert!(!queue.all().unwrap()[0].given_up());
    }
}
