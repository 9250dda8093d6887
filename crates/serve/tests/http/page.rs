//! A server with a memory of its own, in this process. It ends with the process.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use memdir::model::CallLimits;
use memdir::model::command::{OnLine, ProgramEnd, ProgramStart, RunError, Runner};
use memdir::model::tools::{Printed, Shell, ShellJob, ToolError};
use memdir::surroundings::{Flags, Surroundings};
use memdir::team::git::{GitFailure, GitProgram};
use memdir_serve::ServeContext;
use memdir_serve::context::SessionCaches;
use serde_json::{Value, json};

/// So long a test waits for an answer that never comes.
const LONG: Duration = Duration::from_mins(1);

/// A machine without programs: whatever is started is not there.
struct NoPrograms;

impl Shell for NoPrograms {
    fn run(&self, _: &ShellJob) -> Result<Printed, ToolError> {
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
    pub(crate) port: u16,
    pub(crate) token: String,
    _dir: tempfile::TempDir,
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
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
        Page { port: address.port, token: address.token, _dir: dir }
    }

    /// Saves a memory.
    pub(crate) fn remember(&self, text: &str) {
        let saved = self.post("/api/remember", &json!({ "text": text }));
        assert_eq!(saved.status, 200, "{saved:?}");
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(LONG)).unwrap();
        stream
    }

    pub(crate) fn raw(&self, request: &[u8]) -> Reply {
        let mut stream = self.connect();
        // A server that refuses early may have closed before all was sent.
        let _ = stream.write_all(request);
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Reply { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    /// A request with these headers and no others but the length.
    pub(crate) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        self.raw(
            format!("{method} {path} HTTP/1.1\r\n{lines}connection: close\r\ncontent-length: {length}\r\n\r\n{body}")
                .as_bytes(),
        )
    }

    pub(crate) fn host(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        let bearer = format!("Bearer {}", self.token);
        self.send("GET", path, &[("host", &self.host()), ("authorization", &bearer)], "")
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Reply {
        let bearer = format!("Bearer {}", self.token);
        let headers = [("host", &*self.host()), ("authorization", &bearer), ("content-type", "application/json")];
        self.send("POST", path, &headers, &body.to_string())
    }
}
