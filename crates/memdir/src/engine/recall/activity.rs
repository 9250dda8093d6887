//! What the model of a session knows and uses without us (R4, R5, B1).
//!
//! Enters: the conversation as its host keeps it, read on from where the last look ended; a call that a host reports, with what a
//! tool of ours handed out; memories that were made of what was said. Leaves: in the record of the session, the memories that the conversation holds already and the tools
//! in use. What comes before a summary is gone from the conversation, and counts no more. Never fails a prompt: a
//! conversation that cannot be read tells nothing.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::session::SessionSeen;
use crate::engine::uses::Counted;
use crate::engine::{Error, Memory};
use memdir_core::kind::Scope;
use memdir_core::limits::{ACTION_COMMAND_BYTES, ACTIVITY_BYTES, ACTIVITY_FILES, RECENT_TOOLS};
use memdir_guard::shell::calls;
use memdir_hosts::transcript::{self, Message, Origin};
use memdir_hosts::{Action, Host};
use memdir_store::fs;

/// Programs that print of a file no more than its name, its size or a line that matches.
const NO_READERS: [&str; 7] = ["find", "grep", "ls", "rg", "rm", "stat", "wc"];

impl Memory {
    /// Reads on in a conversation. Returns what a person asked in it before `prompt`, as far as that was not read before.
    pub(in crate::engine) fn catch_up(
        &self,
        session: &str,
        host: Host,
        talk: &Path,
        prompt: &str,
    ) -> Result<Option<String>, Error> {
        let mut earlier = None;
        let mut file = self.seen(session)?;
        let before = file.seen.read.clone();
        let known = file.seen.cursor.clone();
        let mut hear = |message: Message| {
            if message.origin == Origin::Summary {
                file.seen.read.clear();
                file.seen.tools.clear();
            }
            // The prompt itself may be there already.
            if message.is_own() && !message.text.trim().is_empty() && message.text.trim() != prompt.trim() {
                earlier = Some(message.text.clone());
            }
            for call in &message.tool_uses {
                self.note(&mut file.seen, &call.name, &call.action(), &self.place.project.cwd);
                self.note_own_tool(&mut file.seen, &call.name, &call.input);
            }
            file.seen.cursor = Some(message.id);
            ControlFlow::Continue(())
        };
        let read = match &known {
            Some(cursor) => transcript::read(talk, host, Some(cursor), &mut hear).map(drop),
            None => transcript::recent(talk, Some(host), ACTIVITY_BYTES)
                .map(|messages| messages.into_iter().for_each(|message| _ = hear(message))),
        };
        if read.is_ok() && file.seen.cursor != known {
            self.count_followed(&file.seen, &before);
            file.save()?;
        }
        Ok(earlier)
    }

    /// Takes note of a call that a host reports.
    pub(in crate::engine) fn note_call(
        &self,
        session: &str,
        tool: &str,
        action: &Action,
        cwd: &Path,
        handed_out: &[String],
    ) -> Result<(), Error> {
        let mut file = self.seen(session)?;
        let (read, tools) = (file.seen.read.clone(), file.seen.tools.clone());
        self.note(&mut file.seen, tool, action, cwd);
        file.seen.read.extend(handed_out.iter().filter_map(|named| match Path::new(named) {
            path if path.is_absolute() => self.path_of_memory(path),
            _ => self.full_path(named),
        }));
        if read.len() != file.seen.read.len() || tools != file.seen.tools {
            self.count_followed(&file.seen, &read);
            file.save()?;
        }
        Ok(())
    }

    /// A host puts a file that the person names with `@` beside the prompt.
    pub(in crate::engine) fn note_mentions(&self, session: &str, prompt: &str, cwd: &Path) -> Result<(), Error> {
        let words =
            prompt.split_whitespace().filter_map(|word| word.trim_end_matches([',', '.', ':', '?']).strip_prefix('@'));
        let named: Vec<String> = words.filter_map(|word| self.path_of_memory(&self.spoken_path(word, cwd))).collect();
        if named.is_empty() {
            return Ok(());
        }
        let mut file = self.seen(session)?;
        file.seen.read.extend(named);
        Ok(file.save()?)
    }

    /// What was made of a conversation is in it already, in the person's own words.
    pub(in crate::engine) fn taught<'f>(
        &self,
        session: &str,
        files: impl Iterator<Item = (Scope, &'f str)>,
    ) -> Result<(), Error> {
        let named = |(scope, file): (Scope, &str)| match scope {
            Scope::User => self.full_path(&format!("user:{file}")),
            _ => self.full_path(file),
        };
        let paths: Vec<String> = files.filter_map(named).collect();
        if paths.is_empty() {
            return Ok(());
        }
        let mut file = self.seen(session)?;
        file.seen.read.extend(paths);
        Ok(file.save()?)
    }

    /// Counts the memories that were told here and that the model has gone to since.
    fn count_followed(&self, seen: &SessionSeen, before: &BTreeSet<String>) {
        let followed = seen.read.iter().filter(|path| !before.contains(*path) && seen.files.contains(*path));
        self.count_uses(Counted::Followed, followed.map(String::as_str));
    }

    fn note(&self, seen: &mut SessionSeen, tool: &str, action: &Action, cwd: &Path) {
        match action {
            Action::Command(command) => {
                let command = &command[..command.floor_char_boundary(ACTION_COMMAND_BYTES)];
                let mut base = cwd.to_path_buf();
                for words in simple_commands(command) {
                    let Some((program, rest)) = words.split_first() else { continue };
                    let program = program.rsplit('/').next().unwrap_or(program);
                    if program == "cd" {
                        base = rest.first().map_or(base.clone(), |dir| self.spoken_path(dir, &base));
                    }
                    if !NO_READERS.contains(&program) {
                        let named = words.iter().map(|word| word.rsplit('=').next().unwrap_or(*word));
                        let named = named.flat_map(|word| expanded(self.spoken_path(word, &base)));
                        seen.read.extend(named.filter_map(|path| self.path_of_memory(&path)));
                    }
                    if let ("memdir", ["show", named, ..]) = (program, rest) {
                        seen.read.extend(self.full_path(named));
                    }
                }
                for program in programs(command) {
                    used(seen, &format!("{tool}({program})"));
                }
            }
            Action::Read(path) | Action::Write { path, .. } => {
                seen.read.extend(self.path_of_memory(&cwd.join(path)));
                used(seen, tool);
            }
            Action::Fetch(_) | Action::Tool { .. } | Action::Other => used(seen, tool),
        }
    }

    /// Our own tool hands out a memory under its name.
    fn note_own_tool(&self, seen: &mut SessionSeen, tool: &str, input: &serde_json::Value) {
        if tool.contains("memdir")
            && let Some(path) = input.get("file").and_then(|file| self.full_path(file.as_str()?))
        {
            seen.read.insert(path);
        }
    }

    /// A memory as it is named in listings, by its full path.
    fn full_path(&self, file: &str) -> Option<String> {
        let found = self.files().find(file).ok()?;
        Some(found.store.root().path().join(found.file.as_str()).display().to_string())
    }

    /// The full path of a memory, by any path that leads to it.
    fn path_of_memory(&self, path: &Path) -> Option<String> {
        if path.extension().is_none_or(|extension| extension != "md") {
            return None;
        }
        let real = fs::canonical(path).ok()?;
        let stores = self.stores().ok()?;
        stores.iter().any(|(_, store)| real.starts_with(store.root().path())).then(|| real.display().to_string())
    }

    /// A word of a command as a path.
    fn spoken_path(&self, word: &str, base: &Path) -> PathBuf {
        let home = ["~/", "$HOME/", "${HOME}/"].iter().find_map(|home| word.strip_prefix(home));
        match (home, &self.around.home) {
            (Some(rest), Some(home)) => home.join(rest),
            _ => base.join(word),
        }
    }
}

/// The files that a path with `*` or `?` in its last part stands for; any other stands for itself.
fn expanded(path: PathBuf) -> Vec<PathBuf> {
    let pattern = path.file_name().and_then(|name| name.to_str()).filter(|name| name.contains(['*', '?']));
    let (Some(pattern), Some(dir)) = (pattern, path.parent()) else { return vec![path] };
    let names = fs::names(dir).unwrap_or_default();
    let fitting = names.iter().filter(|name| fits(pattern.as_bytes(), name.as_bytes()));
    fitting.take(ACTIVITY_FILES).map(|name| dir.join(name)).collect()
}

/// Whether a name fits a pattern of a shell. A `*` that took too little takes one letter more.
fn fits(pattern: &[u8], name: &[u8]) -> bool {
    let (mut at, mut from, mut star) = (0, 0, None);
    while from < name.len() {
        match (pattern.get(at), star) {
            (Some(b'*'), _) => {
                star = Some((at, from));
                at += 1;
            }
            (Some(letter), _) if *letter == b'?' || *letter == name[from] => {
                at += 1;
                from += 1;
            }
            (_, Some((behind, taken))) => {
                star = Some((behind, taken + 1));
                (at, from) = (behind + 1, taken + 1);
            }
            _ => return false,
        }
    }
    pattern[at..].iter().all(|letter| *letter == b'*')
}

/// The programs that a command line calls, by what a shell would take for one: not what is set for them (`PGPASSWORD=…`), and
/// nothing that stands in quotes.
fn programs(command: &str) -> Vec<String> {
    let called = calls(command).into_iter().filter_map(|call| call.words.into_iter().next());
    let bare = called.map(|word| word.rsplit('/').next().unwrap_or_default().to_owned());
    bare.filter(|word| is_program_name(word)).collect()
}

/// Letters, and digits only behind them: a word that is kept must not be able to be a password.
fn is_program_name(word: &str) -> bool {
    const LONGEST: usize = 40;
    let name = word.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
    let plain = |letter: u8| letter.is_ascii_alphabetic() || matches!(letter, b'_' | b'+' | b'-');
    (1..=LONGEST).contains(&word.len()) && !name.is_empty() && name.bytes().all(plain) && word.len() - name.len() <= 4
}

/// A tool becomes the newest of those in use.
fn used(seen: &mut SessionSeen, tool: &str) {
    if tool.is_empty() || seen.tools.last().is_some_and(|last| last == tool) {
        return;
    }
    seen.tools.retain(|known| known != tool);
    seen.tools.push(tool.to_owned());
    let over = seen.tools.len().saturating_sub(RECENT_TOOLS);
    seen.tools.drain(..over);
}

/// The commands of a line, each as its words without quotes.
fn simple_commands(line: &str) -> impl Iterator<Item = Vec<&str>> {
    line.split(['\n', ';', '|', '&', '(', ')', '`', '<', '>']).map(|simple| {
        let words = simple.split(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | ','));
        words.filter(|word| !word.is_empty()).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_used_again_is_the_newest_and_the_oldest_goes() {
        let mut seen = SessionSeen::default();
        for at in 0..RECENT_TOOLS + 2 {
            used(&mut seen, &format!("tool{at}"));
        }
        used(&mut seen, "tool3");
        assert_eq!((seen.tools.len(), seen.tools[0].as_str()), (RECENT_TOOLS, "tool2"));
        assert_eq!(seen.tools.last().unwrap(), "tool3");
    }

    #[test]
    fn only_names_of_programs_are_kept_of_a_command() {
        for (command, names) in [
            ("PGPASSWORD=kiln7fire psql -h shop", &["psql"][..]),
            ("A=1 B='x y' /usr/bin/python3.12 -c 'run; kiln7fire'", &["python3.12"]),
            ("mysql -pkiln7fire && docker-compose up", &["mysql", "docker-compose"]),
            ("kiln7fire", &[]),
            ("q4W7zP2mX9rT", &[]),
        ] {
            assert_eq!(programs(command), names, "{command}");
        }
    }

    #[test]
    fn a_pattern_fits_what_a_shell_would_take() {
        for (pattern, name, want) in [
            ("*.md", "a.md", true),
            ("*.md", "a.mdx", false),
            ("project_*", "project_a.md", true),
            ("a?c*e", "abcdde", true),
            ("a?c*e", "ace", false),
            ("**", "", true),
            ("a", "ab", false),
        ] {
            assert_eq!(fits(pattern.as_bytes(), name.as_bytes()), want, "{pattern} {name}");
        }
    }

    #[test]
    fn a_line_is_its_commands() {
        let words: Vec<_> =
            simple_commands("cd '/a b' && cat \"x.md\" | head -3").filter(|one| !one.is_empty()).collect();
        assert_eq!(words, [vec!["cd", "/a", "b"], vec!["cat", "x.md"], vec!["head", "-3"]]);
        let words: Vec<_> = simple_commands("python3 -c \"print(open('/a/x.md').read())\"").flatten().collect();
        assert!(words.contains(&"/a/x.md"), "{words:?}");
    }
}
