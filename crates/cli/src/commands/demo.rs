//! `demo`: the whole story in a scratch directory, offline, in seconds.
//!
//! Every line that is shown is a real run of this very binary on real files; the scratch
//! directory is removed at the end.

#![allow(clippy::disallowed_methods)] // it makes and removes its own scratch directory

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::CommandResult;
use crate::failure::Failure;
use crate::ui::{Style, Ui};

/// A scratch machine: a home with one project.
struct Stage<'u> {
    root: PathBuf,
    ui: &'u mut Ui,
    steps: Vec<Value>,
}

pub(super) fn run(ui: &mut Ui) -> CommandResult {
    let root = std::env::temp_dir().join(format!("memdir-demo-{}", std::process::id()));
    memdir::store::fs::create_private_dir(&root.join("home/shop"))?;
    let mut stage = Stage { root: root.clone(), ui, steps: Vec::new() };
    let told = tell(&mut stage);
    let steps = std::mem::take(&mut stage.steps);
    let _ = std::fs::remove_dir_all(&root);
    told?;
    if ui.json {
        ui.print_json(&json!({ "steps": steps }))?;
    }
    Ok(())
}

fn tell(stage: &mut Stage<'_>) -> CommandResult {
    stage.heading("Monday. You correct your agent in the middle of its work.")?;
    stage.conversation(
        "monday.jsonl",
        "2026-04-13T09:12:00Z",
        &[
            ("user", "add a test for the refund path"),
            ("assistant", "Done. I mocked the database so that it runs fast."),
            (
                "user",
                "no, never mock the database in integration tests: mocked tests passed while a migration was broken",
            ),
            ("assistant", "Understood, it uses a real database now."),
        ],
    )?;
    stage.heading("After the turn memdir learns from it: no key, no network. Small talk it leaves alone.")?;
    stage.memdir("2026-04-13T09:15:00Z", &["extract", "monday.jsonl"], 0)?;
    stage.heading("You can say it yourself. Dates become dates, a secret is refused.")?;
    let freeze = "The merge freeze for the mobile release starts on Thursday";
    stage.memdir("2026-04-13T09:20:00Z", &["remember", freeze, "--type", "project", "--name", "Merge freeze"], 0)?;
    let token = ["ghp", "_", "x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat();
    stage.memdir("2026-04-13T09:21:00Z", &["remember", &format!("deploy with {token}")], 1)?;

    stage.heading("Tuesday, a new session. The correction comes back when it matters, and only then.")?;
    stage.quietly("2026-04-14T08:29:00Z", &["refresh"])?;
    stage.memdir("2026-04-14T08:30:00Z", &["recall", "write an integration test for the payouts", "--explain"], 0)?;
    stage.memdir("2026-04-14T08:31:00Z", &["recall", "rename this variable to snake case"], 0)?;

    stage.heading("Somebody notes the freeze a second time. A dream would make one memory of two, and asks first.")?;
    stage.note_by_hand(
        "project_mobile_freeze.md",
        "---\nname: Mobile freeze\ndescription: The merge freeze for the mobile release\ntype: project\n---\n\n\
         The merge freeze for the mobile release starts on Thursday (2026-04-16)\n",
    )?;
    stage.memdir("2026-04-14T20:00:00Z", &["dream", "--force"], 0)?;
    stage.heading("Nothing changes before a yes.")?;
    stage.memdir("2026-04-14T20:01:00Z", &["inbox"], 0)?;
    stage.heading("All of it is plain files, with a history.")?;
    stage.memdir("2026-04-14T20:02:00Z", &["list"], 0)?;
    stage.memdir("2026-04-14T20:03:00Z", &["history"], 0)?;
    if !stage.ui.json {
        stage.ui.line("")?;
        stage.ui.say("None of this is kept. For your own agents: `memdir init`, then work as ever.");
    }
    Ok(())
}

impl Stage<'_> {
    fn heading(&mut self, text: &str) -> CommandResult {
        self.steps.push(json!({ "heading": text }));
        if self.ui.json {
            return Ok(());
        }
        let painted = self.ui.paint(Style::Bold, text);
        Ok(self.ui.line(format!("\n{painted}"))?)
    }

    /// A conversation as an agent keeps it, shown and written down.
    fn conversation(&mut self, file: &str, time: &str, said: &[(&str, &str)]) -> CommandResult {
        let mut lines = String::new();
        for (at, (role, text)) in said.iter().enumerate() {
            let parent = at.checked_sub(1).map(|before| format!("m{before}"));
            let line = json!({
                "type": role, "uuid": format!("m{at}"), "parentUuid": parent, "sessionId": "monday", "timestamp": time,
                "isSidechain": false, "cwd": self.root.join("home/shop"), "message": { "role": role, "content": text },
            });
            lines.push_str(&format!("{line}\n"));
            self.steps.push(json!({ "role": role, "text": text }));
            if !self.ui.json {
                let who = self.ui.paint(Style::Dim, &format!("{role:>9}"));
                self.ui.line(format!("{who}  {text}"))?;
            }
        }
        Ok(std::fs::write(self.root.join("home/shop").join(file), lines)?)
    }

    /// Runs this binary without a word.
    fn quietly(&self, now: &str, args: &[&str]) -> CommandResult {
        self.command(now, args)?.output()?;
        Ok(())
    }

    fn command(&self, now: &str, args: &[&str]) -> Result<Command, Failure> {
        let home = self.root.join("home");
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(args)
            .args(["--now", now])
            .current_dir(home.join("shop"))
            .env_clear()
            .env(memdir::here::HOME, &home)
            // Windows finds its own libraries by it.
            .envs(std::env::var_os("SYSTEMROOT").map(|root| ("SYSTEMROOT", root)))
            .env("TZ", "UTC")
            .env("MEMDIR_NO_BACKGROUND", "1")
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .stdin(Stdio::null());
        Ok(command)
    }

    /// Runs this binary on the stage and shows what it was told and what it said.
    fn memdir(&mut self, now: &str, args: &[&str], expected: i32) -> CommandResult {
        let home = self.root.join("home");
        // One pipe for both, so that what was said is in the order in which a terminal shows it.
        let (mut said_by, to_us) = std::io::pipe()?;
        let mut child = self.command(now, args)?.stdout(to_us.try_clone()?).stderr(to_us).spawn()?;
        let mut said = Vec::new();
        said_by.read_to_end(&mut said)?;
        let status = child.wait()?;
        let said = String::from_utf8_lossy(&said).into_owned();
        let said = said.replace(&home.display().to_string(), "~");
        let shown: Vec<String> =
            args.iter().map(|arg| if arg.contains(' ') { format!("\"{arg}\"") } else { (*arg).to_owned() }).collect();
        let command = format!("memdir {}", shown.join(" "));
        self.steps.push(json!({ "command": command, "exit": status.code(), "output": said }));
        if !self.ui.json {
            let line = self.ui.paint(Style::Good, &format!("$ {command}"));
            self.ui.line(line)?;
            self.ui.raw(&said)?;
        }
        if status.code() == Some(expected) {
            return Ok(());
        }
        Err(Failure::Fault(format!("the demo expected exit {expected} from `{command}` and got {status}")))
    }

    /// Puts a memory there behind memdir's back, as an editor would.
    fn note_by_hand(&mut self, name: &str, text: &str) -> CommandResult {
        let Some(index) = find(&self.root.join("home/.claude"), "MEMORY.md") else {
            return Err(Failure::Fault("the demo did not find its memory directory".into()));
        };
        std::fs::write(index.with_file_name(name), text)?;
        self.steps.push(json!({ "written": name }));
        if self.ui.json {
            return Ok(());
        }
        let line = self.ui.paint(Style::Good, &format!("$ $EDITOR {name}"));
        Ok(self.ui.line(line)?)
    }
}

/// The first file below a directory whose name begins like this.
fn find(dir: &Path, begins: &str) -> Option<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir).ok()?.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.iter().find_map(|path| {
        let name = path.file_name()?.to_string_lossy();
        if path.is_dir() { find(path, begins) } else { name.starts_with(begins).then(|| path.clone()) }
    })
}
