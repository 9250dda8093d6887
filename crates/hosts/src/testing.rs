//! What the tests of several hosts need: fixtures, a home of its own, and checks that every host must pass.
//!
//! A host's own tests stand in its folder and call these with its facts.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Host;
use super::install::{HostPlan, InstallError, Machine, apply, plan, plan_removal};
use super::transcript::{ConversationDetails, Message, Origin, Role, TranscriptError, detect, read};
use super::wire;
use memdir_core::surroundings::Surroundings;

/// A file that a client wrote or said, or a configuration as its user has it.
pub(super) fn fixture(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests/fixtures", name].iter().collect()
}

/// A file of the repository.
pub(super) fn repository(file: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "../..", file].iter().collect()
}

/// The calls of a recording: the event's name and what was said.
pub(super) fn recorded(name: &str) -> Vec<(String, Value)> {
    let text = std::fs::read_to_string(fixture(name)).unwrap();
    let call = |line: &str| {
        let line: Value = serde_json::from_str(line).unwrap();
        match line.get("stdin") {
            Some(said) => (line["event"].as_str().unwrap_or_default().to_owned(), said.clone()),
            None => (line["hook_event_name"].as_str().unwrap_or_default().to_owned(), line),
        }
    };
    text.lines().map(call).collect()
}

/// Every call of a recording is understood, and these kinds of event are all among them.
pub(super) fn understands(host: Host, recording: &str, kinds: &[&str]) {
    let mut words = Vec::new();
    for (event, said) in recorded(recording) {
        let call = wire::read(host, said.to_string().as_bytes(), Some(&event));
        words.push(call.event.word());
        assert!(call.event.word() == "ignored" || (call.session.is_some() && call.cwd.is_some()), "{host}: {said}");
    }
    for kind in kinds {
        assert!(words.contains(kind), "{host}: {kind} is not among {words:?}");
    }
}

/// A conversation that a client kept, recognised and read.
pub(super) fn read_fixture(name: &str) -> (Host, ConversationDetails, Vec<Message>) {
    let path = fixture(name);
    let host = detect(&path).unwrap();
    let (about, messages) = read_all(&path, host, None).unwrap();
    (host, about, messages)
}

/// Every message after `since` at once.
pub(super) fn read_all(
    path: &Path,
    host: Host,
    since: Option<&str>,
) -> Result<(ConversationDetails, Vec<Message>), TranscriptError> {
    let mut messages = Vec::new();
    let about = read(path, host, since, &mut |message| {
        messages.push(message);
        ControlFlow::Continue(())
    })?;
    Ok((about, messages))
}

/// A conversation in which one thing was typed and so many tools were called.
pub(super) fn reads(host: Host, name: &str, session: &str, typed: &str, tools: usize) {
    let (detected, about, messages) = read_fixture(name);
    assert_eq!(detected, host, "{name}");
    assert_eq!(about.session.as_deref(), Some(session), "{name}");
    let own: Vec<&str> = messages.iter().filter(|message| message.is_own()).map(|m| m.text.as_str()).collect();
    assert_eq!(own, [typed], "{name}");
    assert_eq!(messages.iter().map(|message| message.tool_uses.len()).sum::<usize>(), tools, "{name}");
    assert!(messages.iter().all(|message| !message.id.is_empty()), "{name}");
    assert!(messages.iter().any(|message| message.time.is_some()), "{name}");
    // The recordings hold marked text that hooks and instruction files put in.
    assert!(own.iter().all(|text| !text.contains("HOOKCTX") && !text.contains("AGENTSMD")), "{name}");
}

/// Every message in short: who, whose words, what, which tools.
pub(super) fn told(messages: &[Message]) -> Vec<String> {
    let short = |message: &Message| {
        let who = match (message.role, message.origin) {
            (Role::User, Origin::Own) => "user",
            (Role::User, Origin::Injected) => "injected",
            (_, Origin::Summary) => "summary",
            (Role::Assistant, _) => "assistant",
            (Role::Tool, _) => "tool",
        };
        let tools: String = message.tool_uses.iter().map(|used| format!(" [{}]", used.name)).collect();
        let text: String = message.text.chars().take(24).collect();
        format!("{who}: {}{tools}", text.replace('\n', " "))
    };
    messages.iter().map(short).collect()
}

/// A temporary transcript.
pub(super) fn written(content: &[u8]) -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(content).unwrap();
    file
}

/// A home of its own.
pub(super) struct Home {
    pub(super) dir: tempfile::TempDir,
}

impl Home {
    pub(super) fn with(files: &[(&str, &str)]) -> Home {
        let home = Home { dir: tempfile::tempdir().unwrap() };
        for (file, text) in files {
            home.put(file, text);
        }
        home
    }

    pub(super) fn path(&self, file: &str) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("home").join(file)
    }

    pub(super) fn put(&self, file: &str, text: &str) {
        std::fs::create_dir_all(self.path(file).parent().unwrap()).unwrap();
        std::fs::write(self.path(file), text).unwrap();
    }

    pub(super) fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.path(file)).unwrap()
    }

    /// Everything below home with its bytes and permissions.
    pub(super) fn all(&self) -> BTreeMap<PathBuf, (Vec<u8>, Option<std::fs::Permissions>)> {
        let mut found = BTreeMap::new();
        let mut left = vec![self.path("")];
        while let Some(dir) = left.pop() {
            for path in std::fs::read_dir(&dir).into_iter().flatten().map(|entry| entry.unwrap().path()) {
                let mode = std::fs::symlink_metadata(&path).unwrap().permissions();
                if path.is_symlink() {
                    let to = std::fs::read_link(&path).unwrap();
                    found.insert(path, (to.as_os_str().as_encoded_bytes().to_vec(), None));
                } else if path.is_dir() {
                    found.insert(path.clone(), (Vec::new(), Some(mode)));
                    left.push(path);
                } else {
                    found.insert(path.clone(), (std::fs::read(&path).unwrap(), Some(mode)));
                }
            }
        }
        found
    }

    pub(super) fn on<T>(&self, act: impl FnOnce(&Machine<'_>) -> T) -> T {
        let around = Surroundings {
            home: Some(self.path("")),
            config_dir: Some(self.path(".config")),
            ..Surroundings::default()
        };
        let (state, instructions) = (self.dir.path().join("state"), "Ask memdir what is known.\n");
        act(&Machine {
            around: &around,
            has_program: &|_| false,
            memdir: "memdir",
            state: &state,
            instructions,
            tools: false,
        })
    }

    pub(super) fn init(&self, host: Host) -> Result<HostPlan, InstallError> {
        self.on(|machine| {
            let plan = plan(machine, host)?;
            apply(machine, &plan, false).map(|()| plan)
        })
    }

    pub(super) fn remove(&self, host: Host) -> Result<HostPlan, InstallError> {
        self.on(|machine| {
            let plan = plan_removal(machine, host)?;
            apply(machine, &plan, true).map(|()| plan)
        })
    }
}

/// Wiring writes these files where there was nothing, twice is once, and taking out leaves no trace.
pub(super) fn wires(host: Host, files: &[&str]) {
    let home = Home::with(&[("other.txt", "x")]);
    let before = home.all();
    assert!(!home.on(|machine| plan(machine, host)).unwrap().found);
    let changes = home.init(host).unwrap().changes;
    let paths: Vec<PathBuf> = changes.into_iter().map(|change| change.path).collect();
    assert_eq!(paths, files.iter().map(|file| home.path(file)).collect::<Vec<_>>(), "{host}");
    for file in files {
        assert!(home.read(file).contains("memdir"), "{host} {file}");
    }
    assert!(home.init(host).unwrap().changes.is_empty(), "{host}: twice is once");
    home.remove(host).unwrap();
    assert_eq!(home.all(), before, "{host}");
}

/// A file of a package in `integrations/`, as JSON.
pub(super) fn packaged(file: &str) -> Value {
    let text = std::fs::read_to_string(repository("integrations").join(file)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// What wiring writes into the file at this place of the plan, as JSON.
pub(super) fn written_config(host: Host, at: usize) -> Value {
    let after = Home::with(&[]).on(|machine| plan(machine, host)).unwrap().changes.remove(at).after.unwrap();
    serde_json::from_slice(&after).unwrap()
}
