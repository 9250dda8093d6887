//! The surroundings: environment, home, clock, programs. The only room of the command line that looks at them; what a program
//! that embeds memdir needs too is in [`memdir::here`].

#![allow(clippy::disallowed_methods)] // this is where they may be looked at

mod background;
mod editor;
mod installed_copy;
mod variables;

pub(crate) use background::{
    choose_in_background, note_in_background, refresh_in_background, take_in_change, work_in_background,
};
pub(crate) use editor::{drop_copy, editor, editor_is_explicit, read_copy, run_editor, scratch_copy};
pub(crate) use installed_copy::{copy_program, lasting_place};
pub(crate) use variables::VARIABLES;

use background::{in_background, take_in_here};

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use memdir::engine::{Memory, Signature};
use memdir::here;
pub(crate) use memdir::here::git;
use memdir::store::history::Actor;
use memdir::surroundings::{Flags, Surroundings};

use crate::args::Global;
use crate::failure::Failure;
use crate::hint;
use crate::system;

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
    let now = here::now(global.now.as_deref(), &around)?;
    let clock = here::clock(global.now.as_deref(), &around)?;
    Ok(Memory::open(around, git, now, signature)?.with_clock(clock).with_own_texts(own_texts))
}

/// What a server opens memory with, for every request again.
pub(crate) fn serve_context(global: &Global) -> Result<memdir_serve::ServeContext, Failure> {
    let around = surroundings(global)?;
    let session = session(global, &around);
    let clock = here::clock(global.now.as_deref(), &around)?;
    Ok(memdir_serve::ServeContext {
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
        runner: Arc::new(crate::runner::Processes),
        shell: Arc::new(|memory| Box::new(programs(memory))),
        team_git: Arc::new(crate::git_program::UserGit { attended: false }),
        moment,
        pause: crate::commands::team::pause,
        own_texts,
        session,
        hooked: false,
        session_caches: memdir_serve::context::SessionCaches::default(),
    })
}

fn session(global: &Global, around: &Surroundings) -> Option<String> {
    global.for_session.clone().or_else(|| around.var("MEMDIR_SESSION").map(str::to_owned))
}

/// Opens memory for a call of a hook: for the project that the host names, else where it works.
pub(crate) fn open_for_hook(
    global: &Global,
    project_variable: Option<&str>,
    call: &memdir::hosts::HookCall,
) -> Result<Memory, Failure> {
    let mut around = surroundings(global)?;
    let named = project_variable.and_then(|name| around.var(name)).map(PathBuf::from);
    let dir = [named, call.cwd.clone()].into_iter().flatten().find(|dir| dir.is_absolute() && dir.is_dir());
    if let Some(dir) = dir {
        around.cwd = dir;
    }
    let signature = Signature { actor: Actor::User, session: call.session.clone(), message: None };
    let now = here::now(global.now.as_deref(), &around)?;
    Ok(Memory::open(around, git, now, signature)?.with_own_texts(own_texts))
}

/// Whether memdir itself started the agent that calls.
pub(crate) fn is_inside() -> bool {
    std::env::var_os(memdir::model::command::INSIDE).is_some_and(|value| !value.is_empty())
}

/// The working directory and what `~` means, for a check that opens nothing.
pub(crate) fn here_and_home() -> (PathBuf, Option<PathBuf>) {
    (std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")), here::home())
}

/// What an agent that memdir sent may do, as its hook is told; empty: nothing was said.
pub(crate) fn agent_run_terms() -> String {
    std::env::var(memdir::model::command::gate::TERMS).unwrap_or_default()
}

/// Where this program is.
pub(crate) fn own_path() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// How others start this program: by its name where that leads here, else by its path. What runs from a cache is started
/// by the path of its copy.
pub(crate) fn own_program(around: &Surroundings) -> Result<String, Failure> {
    let path =
        std::env::current_exe().map_err(|error| Failure::Fault(format!("where memdir is, is not known: {error}")))?;
    if let Some(place) = lasting_place(around, &path) {
        return Ok(place.to_string_lossy().into_owned());
    }
    let here = memdir::store::fs::canonical(&path).unwrap_or_else(|_| path.clone());
    let by_name = find_program(around, "memdir").and_then(|found| memdir::store::fs::canonical(&found).ok());
    Ok(if by_name == Some(here) { "memdir".to_owned() } else { path.to_string_lossy().into_owned() })
}

/// Whether a program can be started by its name.
pub(crate) fn has_program(around: &Surroundings, name: &str) -> bool {
    find_program(around, name).is_some()
}

fn find_program(around: &Surroundings, name: &str) -> Option<PathBuf> {
    std::env::split_paths(around.var("PATH")?).find_map(|dir| memdir::store::fs::program_in(&dir, name))
}

/// Whether the hook of a host runs, says nothing to an event that asks for nothing, and ends well.
pub(crate) fn hook_answers(program: &str, host: memdir::hosts::Host) -> bool {
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
    let new = memdir::settings::set(&old, key, value).map_err(|error| Failure::refused(hint::about_setting(&error)))?;
    if let Some(dir) = file.parent() {
        memdir::store::fs::create_private_dir(dir)?;
    }
    memdir::store::fs::replace(&file, new.as_bytes(), memdir::store::fs::Durability::Synced)?;
    Ok(file)
}

fn surroundings(global: &Global) -> Result<Surroundings, Failure> {
    let flags = Flags {
        project: global.project.clone(),
        memory_dir: global.memory_dir.clone(),
        bare: global.bare,
        offline: global.offline,
        settings: Vec::new(),
    };
    Ok(Surroundings { flags, ..here::surroundings()? })
}

/// The machine's own clock, whatever `--now` says: signatures of requests hold for minutes.
pub(crate) fn moment() -> jiff::Timestamp {
    jiff::Timestamp::now()
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
) -> memdir::hosts::install::Machine<'m> {
    let state = &memory.dirs().state;
    let instructions = memdir::context::prompts::PromptTemplate::Instructions.built_in();
    memdir::hosts::install::Machine {
        around: &memory.around,
        has_program,
        memdir: program,
        state,
        instructions,
        tools: false,
    }
}

/// The programs that a forked agent may read with.
pub(crate) fn programs(memory: &Memory) -> crate::shell::Programs {
    let path = std::env::var_os("PATH").unwrap_or_default();
    crate::shell::Programs::from(&path, &memory.place.project.checkout)
}

/// Shows an address in the user's browser, where there is one.
pub(crate) fn open_in_browser(url: &str) {
    let mut command = system::browser(url);
    if let Ok(mut child) = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
        std::thread::spawn(move || child.wait());
    }
}

/// Whether the terminal cannot do more than print.
pub(crate) fn terminal_is_dumb() -> bool {
    std::env::var("TERM").is_ok_and(|term| term == "dumb")
}

/// A path for reading: the home directory is `~`.
pub(crate) fn below_home(path: &Path) -> String {
    let below = std::env::var_os(here::HOME).and_then(|home| path.strip_prefix(home).ok().map(Path::to_path_buf));
    match below {
        Some(rest) if rest.as_os_str().is_empty() => "~".to_owned(),
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    }
}
