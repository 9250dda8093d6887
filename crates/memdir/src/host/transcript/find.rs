//! Where the hosts keep the conversations of a project.
//!
//! Enters: the directories of the machine and of the project. Leaves: every transcript that belongs to it,
//! oldest first. A host that keys its files by directory is asked for that directory; the others are looked
//! through, and a file counts when it says that it happened here. A conversation in a database (opencode, goose) is
//! named `<database>/<session>`. Never reads more than a file's beginning.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::database::{self, written};
use super::json::text;
use super::{Host, about};

/// Files of one host that are looked at; a machine has thousands of old conversations.
const FILES: usize = 20_000;
/// Bytes of a conversation of Cline that are looked at for where it happened.
const HEAD: u64 = 256 * 1024;
/// Folders below which Codex keeps its days.
const DEPTH: usize = 4;

/// Where to look.
#[derive(Clone, Debug, Default)]
pub struct Machine {
    /// The user's home.
    pub home: Option<PathBuf>,
    /// Claude Code's config home.
    pub claude: Option<PathBuf>,
    /// Codex's home, where it is not `~/.codex`.
    pub codex: Option<PathBuf>,
    /// Where programs keep data, where it is not `~/.local/share`.
    pub data: Option<PathBuf>,
    /// Where programs keep configuration, where it is not `~/.config`.
    pub config: Option<PathBuf>,
}

impl Machine {
    fn below(&self, path: &str) -> Option<PathBuf> {
        self.home.as_ref().map(|home| home.join(path))
    }

    /// The database in which a host keeps all conversations.
    fn database(&self, host: Host) -> Option<PathBuf> {
        let data = self.data.clone().or_else(|| self.below(".local/share"))?;
        match host {
            Host::Opencode => Some(data.join("opencode/opencode.db")),
            Host::Goose => Some(data.join("goose/sessions/sessions.db")),
            _ => None,
        }
    }

    /// The folders in which Cline keeps its conversations: those of its command line, and those of the editors it lives in.
    fn cline(&self) -> (Option<PathBuf>, Vec<PathBuf>) {
        const EDITORS: &[&str] = &["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];
        let config = self.config.clone().or_else(|| self.below(".config"));
        let roots = [config, self.below("Library/Application Support"), self.below(".vscode-server/data")];
        let storages = roots.into_iter().flatten().flat_map(|root| {
            let editors = EDITORS.iter().map(|editor| root.join(editor).join("User")).chain([root.join("User")]);
            editors.map(|user| user.join("globalStorage/saoudrizwan.claude-dev/tasks")).collect::<Vec<_>>()
        });
        (self.below(".cline/data/sessions"), storages.filter(|tasks| tasks.is_dir()).collect())
    }
}

/// The path of a session whose host says no more than its name: one in a database. Looks at no more than whether it is there.
pub fn kept_at(machine: &Machine, host: Host, session: &str) -> Option<PathBuf> {
    let plain = !session.is_empty() && session.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    machine.database(host).filter(|file| plain && file.is_file()).map(|file| file.join(session))
}

/// Which project.
#[derive(Clone, Debug)]
pub struct Whereabouts {
    /// Its roots (the main checkout, a worktree); conversations below them count.
    pub roots: Vec<PathBuf>,
    /// The names Claude Code may keep it under: slugs of the working directory, the checkout, the root.
    pub slugs: Vec<String>,
    /// Only what was written after this; nothing else is opened.
    pub since: Option<SystemTime>,
}

impl Whereabouts {
    fn wants(&self, file: &Path) -> bool {
        self.since.is_none_or(|since| changed(file) > since)
    }
}

/// Every transcript of a project on this machine, oldest first.
pub fn transcripts(machine: &Machine, project: &Whereabouts) -> Vec<(Host, PathBuf)> {
    let mut found: Vec<(Host, PathBuf)> = Vec::new();
    let below = |path: &str| machine.below(path);
    if let Some(claude) = &machine.claude {
        for folder in names(&claude.join("projects")) {
            let named = project.slugs.contains(&folder);
            let inside = project.slugs.iter().any(|slug| folder.starts_with(&format!("{slug}-")));
            if named || inside {
                let mut files = files(&claude.join("projects").join(&folder), "jsonl");
                files.retain(|file| project.wants(file));
                // A folder that only begins like ours may be somebody else's: its files say where they happened.
                let ours =
                    files.into_iter().filter(|file| named || happened_in(file, Host::ClaudeCode, &project.roots));
                found.extend(ours.map(|file| (Host::ClaudeCode, file)));
            }
        }
    }
    if let Some(codex) = machine.codex.clone().or_else(|| below(".codex")) {
        let mut all = Vec::new();
        walk(&codex.join("sessions"), DEPTH, &mut all);
        found.extend(of_host(all, Host::Codex, project, |name| {
            name.starts_with("rollout-") && name.ends_with(".jsonl")
        }));
    }
    if let Some(gemini) = below(".gemini") {
        for slug in gemini_slugs(&gemini.join("projects.json"), &project.roots) {
            let chats = files(&gemini.join("tmp").join(slug).join("chats"), "jsonl");
            found.extend(chats.into_iter().filter(|file| project.wants(file)).map(|file| (Host::Gemini, file)));
        }
    }
    if let Some(copilot) = below(".copilot/session-state") {
        let all: Vec<PathBuf> =
            names(&copilot).into_iter().map(|session| copilot.join(session).join("events.jsonl")).collect();
        found.extend(of_host(all, Host::Copilot, project, |_| true));
    }
    if let Some(qwen) = below(".qwen/projects") {
        for folder in names(&qwen) {
            let chats = files(&qwen.join(folder).join("chats"), "jsonl");
            found.extend(of_host(chats, Host::Qwen, project, |_| true));
        }
    }
    for host in [Host::Opencode, Host::Goose] {
        let kept = machine.database(host).map(|file| database::sessions(&file, host, &project.roots));
        found.extend(kept.into_iter().flatten().map(|session| (host, session)));
    }
    let (sessions, tasks) = machine.cline();
    let of_program = sessions.into_iter().flat_map(|dir| {
        let own = names(&dir).into_iter().map(move |id| dir.join(&id).join(format!("{id}.messages.json")));
        own.filter(|file| file.is_file()).collect::<Vec<_>>()
    });
    let of_editors = tasks.into_iter().flat_map(|dir| {
        let own = names(&dir).into_iter().map(move |id| dir.join(id).join("api_conversation_history.json"));
        own.filter(|file| file.is_file()).collect::<Vec<_>>()
    });
    let ours = of_program.chain(of_editors).filter(|file| cline_in(file, &project.roots));
    found.extend(ours.map(|file| (Host::Cline, file)));
    let aider = project.roots.iter().map(|root| root.join(".aider.chat.history.md"));
    found.extend(aider.filter(|file| file.is_file() && project.wants(file)).map(|file| (Host::Aider, file)));
    // Those in databases and of Cline were not asked yet.
    found.retain(|(_, file)| project.wants(file));
    found.sort_by_cached_key(|(host, path)| (changed(path), *host, path.clone()));
    found.dedup();
    found
}

/// The files that say they happened in the project.
fn of_host(
    files: Vec<PathBuf>,
    host: Host,
    project: &Whereabouts,
    fits: impl Fn(&str) -> bool,
) -> Vec<(Host, PathBuf)> {
    let named = |file: &PathBuf| file.file_name().is_some_and(|name| fits(&name.to_string_lossy()));
    let ours = files
        .into_iter()
        .filter(named)
        .filter(|file| project.wants(file))
        .filter(|file| happened_in(file, host, &project.roots));
    ours.map(|file| (host, file)).collect()
}

/// Whether a conversation happened in a directory or below it.
fn happened_in(file: &Path, host: Host, roots: &[PathBuf]) -> bool {
    let cwd = about(file, host).ok().and_then(|about| about.cwd);
    cwd.is_some_and(|cwd| roots.iter().any(|root| cwd.starts_with(root)))
}

/// Whether a conversation of Cline happened here: its messages tell the working directory in so many words, or a file
/// beside them does.
fn cline_in(file: &Path, roots: &[PathBuf]) -> bool {
    // Everything happened below the root of all directories.
    if roots.iter().any(|root| root.parent().is_none()) {
        return true;
    }
    let mut head = Vec::new();
    for beside in
        [Some(file.to_path_buf()), file.parent().map(|dir| dir.join("task_metadata.json"))].into_iter().flatten()
    {
        // One that is not there or cannot be read says nothing.
        let _ = File::open(beside).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    }
    roots.iter().any(|root| {
        let name = root.to_string_lossy();
        let ends =
            |rest: &[u8]| rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"-_.".contains(byte));
        memchr::memmem::find_iter(&head, name.as_bytes()).any(|at| ends(&head[at + name.len()..]))
    })
}

/// The names under which Gemini keeps a directory and those below it.
fn gemini_slugs(file: &Path, roots: &[PathBuf]) -> Vec<String> {
    let mut bytes = Vec::new();
    let opened = File::open(file).and_then(|file| file.take(1024 * 1024).read_to_end(&mut bytes));
    let Ok(value) =
        opened.map_err(drop).and_then(|_| serde_json::from_slice::<serde_json::Value>(&bytes).map_err(drop))
    else {
        return Vec::new();
    };
    let projects = value.get("projects").and_then(serde_json::Value::as_object);
    let ours =
        projects.into_iter().flatten().filter(|(path, _)| roots.iter().any(|root| Path::new(path).starts_with(root)));
    ours.filter_map(|(path, _)| text(value.get("projects")?, path).map(str::to_owned)).collect()
}

fn walk(dir: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    for name in names(dir) {
        let path = dir.join(name);
        if found.len() >= FILES {
            return;
        }
        match fs::symlink_metadata(&path) {
            Ok(facts) if facts.is_dir() && depth > 0 => walk(&path, depth - 1, found),
            Ok(facts) if facts.is_file() => found.push(path),
            _ => {}
        }
    }
}

fn files(dir: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = names(dir).into_iter().map(|name| dir.join(name)).collect();
    found.retain(|path| path.extension().is_some_and(|own| own == extension) && path.is_file());
    found
}

/// The names in a directory, sorted; one that cannot be read has none.
fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().take(FILES);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    names
}

fn changed(path: &Path) -> SystemTime {
    written(path).map_or(SystemTime::UNIX_EPOCH, |(_, time)| time)
}

#[cfg(test)]
mod tests;
