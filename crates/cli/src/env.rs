//! The surroundings: environment, home, clock, programs. The only file that looks at them.

#![allow(clippy::disallowed_methods)] // this is where they may be looked at

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use memdir::engine::{Memory, Signature};
use memdir::store::history::Actor;
use memdir::surroundings::{Flags, Surroundings};

use crate::args::Global;
use crate::failure::Failure;

/// Every variable memdir looks at besides `MEMDIR_<KEY>` for each setting, with what it does.
pub(crate) const VARIABLES: &[(&str, &str)] = &[
    ("CLAUDE_CONFIG_DIR", "the config home, instead of ~/.claude"),
    ("CLAUDE_COWORK_MEMORY_PATH_OVERRIDE", "the memory directory, whole path"),
    ("CLAUDE_CODE_REMOTE_MEMORY_DIR", "the base of the default directory, instead of the config home"),
    ("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "truthy: memory is off; falsy: it is on"),
    ("CLAUDE_CODE_SIMPLE", "bare mode: memory is off"),
    ("CODEX_HOME", "where Codex keeps its configuration, instead of ~/.codex"),
    ("CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR", "the project, in hooks of Claude Code and Gemini CLI"),
    ("CLAUDE_CODE_REMOTE", "remote mode: memory is off without a remote memory directory"),
    ("CI, CLAUDE_CODE_ENTRYPOINT", "whether a person is there: see the setting extract.non_interactive"),
    ("CLAUDE_COWORK_MEMORY_EXTRA_GUIDELINES", "text appended to the manual"),
    ("MEMDIR_GATES", "gate names and values, separated by commas"),
    ("MEMDIR_NOW", "the clock, for tests and replays (RFC 3339)"),
    ("MEMDIR_OFFLINE", "1: no model, only the built-in engine"),
    ("MEMDIR_NO_BACKGROUND", "1: start no process in the background; a command that saves a memory encodes it itself"),
    ("MEMDIR_INSIDE", "set by memdir for an agent it starts: no model is asked, hooks keep still"),
    (
        "ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, ANTHROPIC_MODEL",
        "the key, the address and the model of the driver `anthropic`",
    ),
    (
        "OPENAI_API_KEY, OPENAI_BASE_URL, OPENAI_MODEL",
        "the same for the driver `openai` and servers that speak like it",
    ),
    ("SSL_CERT_FILE", "the certificate authorities to trust, as PEM, instead of the usual ones"),
    ("HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY", "the proxy to a model's provider; none for this machine"),
    (
        "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN",
        "the credentials of a team's bucket; else those of ~/.aws/credentials",
    ),
    ("AWS_PROFILE, AWS_SHARED_CREDENTIALS_FILE", "which profile of which credentials file"),
    (
        "AWS_REGION, AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL",
        "where a new bucket is, where no flag says it",
    ),
    ("USER", "your name to a team, where git knows none"),
    ("MEMDIR_SESSION", "the session a change belongs to, for the history"),
    ("XDG_DATA_HOME", "where opencode and goose keep their conversations, instead of ~/.local/share"),
    ("XDG_CONFIG_HOME", "where memdir/config.toml is, instead of ~/.config"),
    ("XDG_STATE_HOME", "where history is kept, instead of ~/.local/state"),
    ("XDG_CACHE_HOME", "where caches are kept, instead of ~/.cache"),
    ("VISUAL, EDITOR", "the editor that `memdir edit` opens"),
    ("NO_COLOR", "set: no colours"),
    ("TERM", "`dumb`: no list on the whole screen"),
];

/// Opens memory as the surroundings and the flags say.
pub(crate) fn open(global: &Global) -> Result<Memory, Failure> {
    open_with(global, &[])
}

/// The same with some settings given as flags.
pub(crate) fn open_with(global: &Global, settings: &[(String, String)]) -> Result<Memory, Failure> {
    let mut around = surroundings(global)?;
    around.flags.settings.extend_from_slice(settings);
    let session = session(global, &around);
    let signature = Signature { actor: Actor::User, session, message: None };
    let now = now(global, &around)?;
    let clock = clock(global, &around)?;
    Ok(Memory::open(around, git, now, signature)?.with_clock(clock))
}

/// What time it is whenever it is asked; it stands still where `--now` or `MEMDIR_NOW` stop it.
fn clock(global: &Global, around: &Surroundings) -> Result<memdir::engine::Clock, Failure> {
    if clock_is_fixed(global, around) {
        let fixed = now(global, around)?;
        return Ok(Arc::new(move || fixed.clone()));
    }
    let zone = time_zone(around).unwrap_or_else(TimeZone::system);
    Ok(Arc::new(move || Timestamp::now().to_zoned(zone.clone())))
}

/// What a server opens memory with, for every request anew.
pub(crate) fn house(global: &Global) -> Result<memdir_serve::House, Failure> {
    let around = surroundings(global)?;
    let session = session(global, &around);
    let clock = clock(global, &around)?;
    Ok(memdir_serve::House {
        around,
        git,
        clock,
        refresh: Arc::new(|memory| {
            // A server lives longer than what it starts, and has to take note of its end.
            match in_background(memory, &["refresh"]) {
                Some(mut child) => drop(std::thread::spawn(move || child.wait())),
                None => take_in_here(memory),
            }
        }),
        dream: Arc::new(|memory, wish, cancel, tell| {
            let memdir_serve::house::DreamWish { force, dry_run, accept_loss } = *wish;
            let wanted = crate::commands::dream::Wanted { force, dry_run, yes: accept_loss };
            crate::commands::dream::answer(memory, &wanted, cancel, tell)
        }),
        own_texts: Arc::new(own_texts),
        session,
        warmth: memdir_serve::house::Warmth::default(),
    })
}

fn session(global: &Global, around: &Surroundings) -> Option<String> {
    global.for_session.clone().or_else(|| around.var("MEMDIR_SESSION").map(str::to_owned))
}

/// Opens memory for a call of a hook: for the project that the host names, else where it works.
pub(crate) fn open_for_hook(
    global: &Global,
    project_variable: Option<&str>,
    call: &memdir::host::HookCall,
) -> Result<Memory, Failure> {
    let mut around = surroundings(global)?;
    let named = project_variable.and_then(|name| around.var(name)).map(PathBuf::from);
    let dir = [named, call.cwd.clone()].into_iter().flatten().find(|dir| dir.is_absolute() && dir.is_dir());
    if let Some(dir) = dir {
        around.cwd = dir;
    }
    let signature = Signature { actor: Actor::User, session: call.session.clone(), message: None };
    let now = now(global, &around)?;
    Ok(Memory::open(around, git, now, signature)?)
}

/// Whether memdir itself started the agent that calls.
pub(crate) fn is_inside() -> bool {
    std::env::var_os(memdir::model::command::INSIDE).is_some_and(|value| !value.is_empty())
}

/// The working directory and what `~` means, for a check that opens nothing.
pub(crate) fn here_and_home() -> (PathBuf, Option<PathBuf>) {
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    (std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")), home)
}

/// Where this program is.
pub(crate) fn own_path() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// How others start this program: by its name where that leads here, else by its path.
pub(crate) fn own_program(around: &Surroundings) -> Result<String, Failure> {
    let path =
        std::env::current_exe().map_err(|error| Failure::Fault(format!("where memdir is, is not known: {error}")))?;
    let here = path.canonicalize().unwrap_or_else(|_| path.clone());
    let by_name = find_program(around, "memdir").and_then(|found| found.canonicalize().ok());
    Ok(if by_name == Some(here) { "memdir".to_owned() } else { path.to_string_lossy().into_owned() })
}

/// Whether a program can be started by its name.
pub(crate) fn has_program(around: &Surroundings, name: &str) -> bool {
    find_program(around, name).is_some()
}

fn find_program(around: &Surroundings, name: &str) -> Option<PathBuf> {
    std::env::split_paths(around.var("PATH")?).map(|dir| dir.join(name)).find(|path| path.is_file())
}

/// Whether the hook of a host runs, says nothing to an event that asks for nothing, and ends well.
pub(crate) fn hook_answers(program: &str, host: memdir::host::Host) -> bool {
    use std::io::Write as _;
    let started = Command::new(program)
        .args(["hook", host.as_str()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = started else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(b"{}");
    }
    child.wait_with_output().is_ok_and(|output| output.status.success() && output.stdout.is_empty())
}

/// Whether the server of memdir's tools starts and says who it is.
pub(crate) fn server_answers(program: &str) -> bool {
    use std::io::Write as _;
    let started =
        Command::new(program).arg("mcp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = started else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        let hello = serde_json::json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "memdir init", "version": "1" } } });
        let _ = writeln!(stdin, "{hello}");
    }
    child.wait_with_output().is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("serverInfo"))
}

/// Writes one setting into the user's file, keeping the rest of it as it is.
pub(crate) fn set_setting(global: &Global, key: &str, value: &str) -> Result<PathBuf, Failure> {
    let around = surroundings(global)?;
    let Some(file) = memdir::settings::user_file(&around) else {
        return Err(Failure::refused("no configuration directory is known; set HOME or XDG_CONFIG_HOME"));
    };
    let old = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::Fault(format!("could not read {}: {error}", file.display()))),
    };
    let new = memdir::settings::set(&old, key, value).map_err(|error| Failure::refused(error.to_string()))?;
    if let Some(dir) = file.parent() {
        memdir::store::fs::create_private_dir(dir)?;
    }
    memdir::store::fs::replace(&file, new.as_bytes(), memdir::store::fs::Durability::Synced)?;
    Ok(file)
}

fn surroundings(global: &Global) -> Result<Surroundings, Failure> {
    let vars: BTreeMap<String, String> = std::env::vars_os()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
        .collect();
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let platform = |name: &str, below: &str| {
        let set = std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        set.or_else(|| home.as_ref().map(|home| home.join(below)))
    };
    let cwd =
        std::env::current_dir().map_err(|error| Failure::refused(format!("the working directory is gone: {error}")))?;
    Ok(Surroundings {
        config_dir: platform("XDG_CONFIG_HOME", ".config"),
        state_dir: platform("XDG_STATE_HOME", ".local/state"),
        cache_dir: platform("XDG_CACHE_HOME", ".cache"),
        managed_settings: vec![PathBuf::from("/etc/claude-code/managed-settings.json")],
        managed_rules: Some(PathBuf::from("/etc/claude-code/CLAUDE.md")),
        flags: Flags {
            project: global.project.clone(),
            memory_dir: global.memory_dir.clone(),
            bare: global.bare,
            offline: global.offline,
            settings: Vec::new(),
        },
        cwd,
        home,
        vars,
    })
}

fn clock_is_fixed(global: &Global, around: &Surroundings) -> bool {
    global.now.is_some() || around.var("MEMDIR_NOW").is_some()
}

/// The machine's own clock, whatever `--now` says: signatures of requests hold for minutes.
pub(crate) fn moment() -> Timestamp {
    Timestamp::now()
}

/// The clock, or what `--now` and `MEMDIR_NOW` say it is.
fn now(global: &Global, around: &Surroundings) -> Result<Zoned, Failure> {
    let timestamp = match global.now.as_deref().or_else(|| around.var("MEMDIR_NOW")) {
        None => Timestamp::now(),
        Some(given) => given
            .parse()
            .map_err(|_| Failure::refused(format!("{given} is not a time; write it as 2026-04-30T12:00:00Z")))?,
    };
    Ok(timestamp.to_zoned(time_zone(around).unwrap_or_else(TimeZone::system)))
}

/// The time zone from its one file. Only where that is not so simple is the whole database of
/// zones looked through, which takes longer than everything else a command does.
fn time_zone(around: &Surroundings) -> Option<TimeZone> {
    let zones = Path::new("/usr/share/zoneinfo");
    let file = match around.vars.get("TZ") {
        None => zones.join(std::fs::read_link("/etc/localtime").ok()?.to_str()?.split_once("zoneinfo/")?.1),
        Some(name) => zones.join(name.strip_prefix(':').unwrap_or(name)),
    };
    let name = file.strip_prefix(zones).ok()?.to_str()?;
    let usual = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '/' | '_' | '-' | '+');
    if around.vars.contains_key("TZDIR") || name.is_empty() || !name.chars().all(usual) {
        return None;
    }
    TimeZone::tzif(name, &std::fs::read(&file).ok()?).ok()
}

/// Runs `git` without letting the environment choose another repository for it.
pub(crate) fn git(dir: &Path, args: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(dir).args(args).stdin(Stdio::null()).stderr(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    let output = command.env("GIT_OPTIONAL_LOCKS", "0").output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Starts a process of our own that makes what is missing, and does not wait for it.
pub(crate) fn refresh_in_background(memory: &Memory) {
    drop(in_background(memory, &["refresh"]));
}

/// Lets search take in what was changed just now: in the background, or where nothing may run there, at once.
pub(crate) fn take_in_change(memory: &Memory) {
    if memory.settings.recall_enabled && in_background(memory, &["refresh"]).is_none() {
        take_in_here(memory);
    }
}

/// Makes the vectors of what was just written; a backlog is left to `memdir refresh`.
fn take_in_here(memory: &Memory) {
    // It is saved, and found by its words; that search is not up to date is no failure of the command.
    let _ = memory.refresh_search(memdir::limits::ENCODED_AT_ONCE, &|| false);
}

/// Starts a process that brings the notes of a session up to date, and does not wait for it.
pub(crate) fn note_in_background(memory: &Memory, session: &str, transcript: &Path) {
    let Some(transcript) = transcript.to_str() else { return };
    drop(in_background(memory, &["notes", "update", transcript, "--session", session]));
}

/// Starts a worker that learns from what waits, and does not wait for it.
pub(crate) fn work_in_background(memory: &Memory) {
    drop(in_background(memory, &["work", "--settle"]));
}

/// Starts a process that lets a model choose for a session's last prompt, and does not wait for it.
pub(crate) fn choose_in_background(memory: &Memory, session: &str) {
    drop(in_background(memory, &["choose", &format!("--session={session}")]));
}

fn in_background(memory: &Memory, verb: &[&str]) -> Option<Child> {
    if memory.around.switch("MEMDIR_NO_BACKGROUND") == Some(true) {
        return None;
    }
    let program = std::env::current_exe().ok()?;
    let mut command = Command::new(program);
    command.args(verb).arg("--quiet").current_dir(&memory.place.project.cwd);
    if let Some(dir) = &memory.around.flags.memory_dir {
        command.arg("--memory-dir").arg(memory.around.below_cwd(dir));
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}

/// Leaves the session of whoever started this process: an agent that ends takes everything in its own with it.
pub(crate) fn leave_session() {
    // It fails for the first process of a job in a shell, which nobody ends but the shell.
    let _ = rustix::process::setsid();
}

/// The user's own texts in place of memdir's prompts: `memdir/prompts/*.md` in the config directory.
pub(crate) fn own_texts(memory: &Memory) -> Vec<(String, String)> {
    let Some(dir) = memory.around.config_dir.as_ref().map(|dir| dir.join("memdir").join("prompts")) else {
        return Vec::new();
    };
    let Ok(entries) = std::fs::read_dir(dir) else { return Vec::new() };
    let mut texts: Vec<(String, String)> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().strip_suffix(".md")?.to_owned();
            Some((name, std::fs::read_to_string(entry.path()).ok()?))
        })
        .collect();
    texts.sort();
    texts
}

/// The machine, for wiring agents.
pub(crate) fn machine<'m>(
    memory: &'m Memory,
    program: &'m str,
    has_program: &'m dyn Fn(&str) -> bool,
) -> memdir::host::install::Machine<'m> {
    let state = &memory.dirs().state;
    memdir::host::install::Machine { around: &memory.around, has_program, memdir: program, state }
}

/// The programs that a forked agent may read with.
pub(crate) fn programs(memory: &Memory) -> crate::shell::Programs {
    let path = std::env::var_os("PATH").unwrap_or_default();
    crate::shell::Programs::from(&path, &memory.place.project.checkout)
}

/// Shows an address in the user's browser, where there is one.
pub(crate) fn open_in_browser(url: &str) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    let mut command = Command::new(program);
    if let Ok(mut child) = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
        std::thread::spawn(move || child.wait());
    }
}

/// Whether the terminal cannot do more than print.
pub(crate) fn terminal_is_dumb() -> bool {
    std::env::var("TERM").is_ok_and(|term| term == "dumb")
}

/// A path for reading: the home directory is `~`.
pub(crate) fn below_home(path: &Path) -> String {
    let below = std::env::var_os("HOME").and_then(|home| path.strip_prefix(home).ok().map(Path::to_path_buf));
    match below {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    }
}

/// The editor, as most programs choose it.
pub(crate) fn editor() -> Option<String> {
    ["VISUAL", "EDITOR"]
        .iter()
        .find_map(|name| std::env::var(name).ok().filter(|value| !value.trim().is_empty()))
        .or_else(|| Some("vi".to_owned()))
}

/// Whether the user chose an editor, which may then be a program that needs no terminal.
pub(crate) fn editor_is_explicit() -> bool {
    ["VISUAL", "EDITOR"].iter().any(|name| std::env::var(name).is_ok_and(|value| !value.trim().is_empty()))
}

/// A private copy of a memory for an editor, with the name that editors colour by.
pub(crate) fn scratch_copy(memory: &Memory, name: &str, content: &[u8]) -> Result<PathBuf, Failure> {
    let dir = memory.dirs().state.join("edit").join(std::process::id().to_string());
    memdir::store::fs::create_private_dir(&dir)?;
    let copy = dir.join(name);
    memdir::store::fs::replace(&copy, content, memdir::store::fs::Durability::Cache)?;
    Ok(copy)
}

/// Lets the user edit a file; the editor may be a command with arguments.
pub(crate) fn run_editor(editor: &str, file: &Path) -> Result<(), Failure> {
    let status = Command::new("sh")
        .arg("-c")
        .arg(format!("{editor} \"$1\""))
        .arg("memdir-edit")
        .arg(file)
        .status()
        .map_err(|error| Failure::Fault(format!("could not start the editor {editor}: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::refused(format!("the editor {editor} ended with {status}; nothing was changed")))
    }
}

/// What the user made of the copy.
pub(crate) fn read_copy(copy: &Path) -> Result<Vec<u8>, Failure> {
    std::fs::read(copy).map_err(|error| Failure::Fault(format!("could not read {}: {error}", copy.display())))
}

/// Removes the copy and its directory.
pub(crate) fn drop_copy(copy: &Path) {
    let _ = std::fs::remove_file(copy);
    if let Some(dir) = copy.parent() {
        let _ = std::fs::remove_dir(dir);
    }
}
