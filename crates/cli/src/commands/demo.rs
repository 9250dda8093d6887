//! `demo`: the whole story in a scratch directory, offline, in seconds.
//!
//! Every line that is shown is a real run of this very binary on real files; the scratch
//! directory is removed at the end.

#![allow(clippy::disallowed_methods)] // it makes and removes its own scratch directory

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::Outcome;
use crate::failure::Failure;
use crate::ui::{Style, Ui};

/// A scratch machine: a home with one project.
struct Stage<'u> {
    root: PathBuf,
    ui: &'u mut Ui,
    steps: Vec<Value>,
}

pub(super) fn run(ui: &mut Ui) -> Outcome {
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

fn tell(stage: &mut Stage<'_>) -> Outcome {
    stage.heading("Monday. You correct your agent, and it sticks.")?;
    stage.memdir(
        "2026-04-13T09:12:00Z",
        &[
            "remember",
            "Integration tests use a real database, never mocks",
            "--type",
            "feedback",
            "--name",
            "No database mocks",
            "--why",
            "mocked tests passed while a migration was broken",
            "--apply",
            "any test that touches SQL",
        ],
        0,
    )?;
    stage.memdir(
        "2026-04-13T09:15:00Z",
        &[
            "remember",
            "The merge freeze for the mobile release starts on Thursday",
            "--type",
            "project",
            "--name",
            "Merge freeze",
        ],
        0,
    )?;
    stage.heading("A secret is refused, whoever asks.")?;
    let token = ["ghp", "_", "x7Kq2mVb9TzR4nWc8YdL1sHf6GjP3aEu5oXi"].concat();
    stage.memdir("2026-04-13T09:20:00Z", &["remember", &format!("deploy with {token}")], 1)?;

    stage.heading("Tuesday, a new session. This is what it starts with.")?;
    stage.memdir("2026-04-14T08:30:00Z", &["context", "--part", "index"], 0)?;
    stage.heading("You edit a memory by hand, with any editor. It is noticed.")?;
    stage.edit_by_hand("project_merge_freeze.md", "mobile release", "2.0 release")?;
    stage.memdir("2026-04-14T08:40:00Z", &["history"], 0)?;
    stage.heading("Forgotten by mistake, and brought back.")?;
    stage.memdir("2026-04-14T08:41:00Z", &["forget", "real database", "--yes"], 0)?;
    stage.memdir("2026-04-14T08:42:00Z", &["undo"], 0)?;
    stage.memdir("2026-04-14T08:43:00Z", &["list"], 0)?;
    stage.heading("All of it is plain files.")?;
    stage.memdir("2026-04-14T08:44:00Z", &["show", "feedback_no_database_mocks"], 0)
}

impl Stage<'_> {
    fn heading(&mut self, text: &str) -> Outcome {
        self.steps.push(json!({ "heading": text }));
        if self.ui.json {
            return Ok(());
        }
        let painted = self.ui.paint(Style::Bold, text);
        Ok(self.ui.line(format!("\n{painted}"))?)
    }

    /// Runs this binary on the stage and shows what it was told and what it said.
    fn memdir(&mut self, now: &str, args: &[&str], expected: i32) -> Outcome {
        let home = self.root.join("home");
        let program = std::env::current_exe()?;
        let output = Command::new(program)
            .args(args)
            .args(["--now", now])
            .current_dir(home.join("shop"))
            .env_clear()
            .env("HOME", &home)
            .env("TZ", "UTC")
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .stdin(Stdio::null())
            .output()?;
        let said = format!("{}{}", String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
        let said = said.replace(&home.display().to_string(), "~");
        let shown: Vec<String> =
            args.iter().map(|arg| if arg.contains(' ') { format!("\"{arg}\"") } else { (*arg).to_owned() }).collect();
        let command = format!("memdir {}", shown.join(" "));
        self.steps.push(json!({ "command": command, "exit": output.status.code(), "output": said }));
        if !self.ui.json {
            let line = self.ui.paint(Style::Good, &format!("$ {command}"));
            self.ui.line(line)?;
            self.ui.raw(&said)?;
        }
        if output.status.code() == Some(expected) {
            return Ok(());
        }
        Err(Failure::Fault(format!("the demo expected exit {expected} from `{command}` and got {}", output.status)))
    }

    /// Changes a word in a memory behind memdir's back, as an editor would.
    fn edit_by_hand(&mut self, begins: &str, from: &str, to: &str) -> Outcome {
        let Some(file) = find(&self.root.join("home"), begins) else {
            return Err(Failure::Fault(format!("the demo did not find the memory {begins}")));
        };
        let text = std::fs::read_to_string(&file)?;
        std::fs::write(&file, text.replace(from, to))?;
        self.steps.push(json!({ "edited": file.file_name().map(|name| name.to_string_lossy().into_owned()) }));
        if !self.ui.json {
            let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let line = self.ui.paint(Style::Good, &format!("$ sed -i 's/{from}/{to}/' {name}"));
            self.ui.line(line)?;
        }
        Ok(())
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
