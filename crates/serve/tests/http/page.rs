//! A server with a memory of its own, in this process. It ends with the process.

use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;

use memdir::model::CallLimits;
use memdir::model::command::{OnLine, ProgramEnd, ProgramStart, RunError, Runner};
use memdir::model::tools::{JobOutput, Shell, ShellJob, ToolError};
use memdir::surroundings::{Flags, Surroundings};
use memdir::team::git::{GitFailure, GitProgram};
use memdir_serve::ServeContext;
use memdir_serve::context::SessionCaches;
use memdir_testkit::HttpClient;
use serde_json::json;

/// A machine without programs: whatever is started is not there.
struct NoPrograms;

impl Shell for NoPrograms {
    fn run(&self, _: &ShellJob) -> Result<JobOutput, ToolError> {
        Err("there are no programs here".into())
    }
}

impl GitProgram for NoPrograms {
    fn run(&self, _: &std::path::Path, _: &[&str], _: &[u8]) -> Result<Vec<u8>, GitFailure> {
        Err(GitFailure::default())
    }
}

impl Runner for NoPrograms {
    fn run(&self, _: &ProgramStart, _: &CallLimits, _: OnLine<'_>) -> Result<ProgramEnd, RunError> {
        unreachable!("no agent is configured")
    }

    fn gate(&self) -> Option<PathBuf> {
        None
    }
}

/// A running server.
pub(crate) struct Page {
    client: HttpClient,
    _dir: tempfile::TempDir,
}

impl Deref for Page {
    type Target = HttpClient;

    fn deref(&self) -> &HttpClient {
        &self.client
    }
}

impl Page {
    pub(crate) fn open() -> Page {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let project = home.join("work/app");
        std::fs::create_dir_all(&project).unwrap();
        let around = Surroundings {
            cwd: project,
            config_dir: Some(home.join("config")),
            state_dir: Some(home.join("state")),
            cache_dir: Some(home.join("cache")),
            flags: Flags { memory_dir: Some(home.join("memories/app")), ..Flags::default() },
            home: Some(home),
            ..Surroundings::default()
        };
        let context = ServeContext {
            around,
            git: |_, _| None,
            clock: Arc::new(|| "2026-04-14T10:00:00[UTC]".parse().unwrap()),
            refresh: Arc::new(|_| {}),
            runner: Arc::new(NoPrograms),
            shell: Arc::new(|_| Box::new(NoPrograms)),
            team_git: Arc::new(NoPrograms),
            moment: || "2026-04-14T10:00:00Z".parse().unwrap(),
            pause: |_| {},
            own_texts: |_| Vec::new(),
            session: None,
            hooked: false,
            session_caches: SessionCaches::default(),
        };
        let (tell, told) = channel();
        std::thread::spawn(move || {
            memdir_serve::http::serve(context, 0, |address| tell.send(address.clone()).unwrap()).unwrap();
        });
        let address = told.recv().unwrap();
        Page { client: HttpClient { port: address.port, token: address.token }, _dir: dir }
    }

    /// Saves a memory.
    pub(crate) fn remember(&self, text: &str) {
        let saved = self.post("/api/remember", &json!({ "text": text }));
        assert_eq!(saved.status, 200, "{saved:?}");
    }
}
