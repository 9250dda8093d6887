//! The six tools on the real project, and Anthropic's memory tool where it is offered.
//!
//! Looking is free. A command that only reads runs without a shell; any other is shown and asked
//! about, and without a person it is refused. Edit and Write below the memory directory are
//! transactions of the library; in the project they are asked about (or `--yes`) and change one file,
//! by handle, following no link, only if it still is what was read. Nothing outside is written.

use std::ffi::OsString;
use std::path::Path;
use std::time::Duration;

use memdir::engine::{Memory, Signature};
use memdir::guard::confine::RelPath;
use memdir::limits;
use memdir::model::tools::{
    self, AllowedCall, CallLimit, EditInput, JobOutput, Permissions, RefusedCall, ShellJob, ToolOutcome, Writes,
};
use memdir::store::fs::{Root, Swapped};
use serde_json::Value;

use super::screen::ChatScreen;
use crate::shell::Programs;
use crate::ui::clip;

/// The name of Anthropic's memory tool.
pub(super) const MEMORY_TOOL: &str = "memory";

/// The tools of one turn.
pub(super) struct ToolRunner<'h> {
    memory: &'h Memory,
    permissions: Permissions,
    programs: Programs,
    signature: Signature,
    /// Memory as the model signs it, where it has Anthropic's memory tool.
    by_model: Option<Memory>,
    /// Whether a person sits here.
    interactive: bool,
}

impl<'h> ToolRunner<'h> {
    pub(super) fn new(memory: &'h Memory, signature: Signature, interactive: bool) -> ToolRunner<'h> {
        let cwd = memory.place.project.cwd.clone();
        // Where memory is off, or another project's, the project can still be worked on.
        let kept = memory.files().agent_permissions().ok();
        let (writes, roots) = kept.map_or((Writes::Nothing, Vec::new()), |kept| (kept.writes, kept.roots));
        let permissions = Permissions { writes, roots, cwd, home: memory.around.home.clone() };
        let path = memory.around.vars.get("PATH").map(OsString::from).unwrap_or_default();
        let programs = Programs::from(&path, &memory.place.project.checkout);
        ToolRunner { memory, permissions, programs, signature, by_model: None, interactive }
    }

    /// With Anthropic's memory tool.
    pub(super) fn with_memory_tool(mut self, by_model: Option<Memory>) -> ToolRunner<'h> {
        self.by_model = by_model.map(|mut memory| {
            memory.signature = self.signature.clone();
            memory
        });
        self
    }

    /// Calls a tool. Whatever is wrong with the call is told to the model and stops nothing.
    pub(super) fn call(
        &self,
        tool: &str,
        input: &Value,
        patience: &CallLimit,
        screen: &mut ChatScreen<'_>,
    ) -> ToolOutcome {
        let done = match (tool, input["file_path"].as_str()) {
            (MEMORY_TOOL, _) if self.by_model.is_some() => self
                .by_model
                .as_ref()
                .map_or_else(|| Err(String::new()), |memory| memory.files().memory_tool(input).map_err(String::from)),
            ("Edit" | "Write", Some(path)) if self.permissions.is_in_memory(path) => {
                return self
                    .memory
                    .files()
                    .agent_edit(tool, input, &self.signature)
                    .unwrap_or_else(|error| failed(error.to_string()));
            }
            ("Edit" | "Write", Some(path)) => self.change(tool, path, input, screen),
            _ => match self.permissions.judge(tool, input) {
                Ok(
                    granted @ (AllowedCall::Read(_)
                    | AllowedCall::Grep(_)
                    | AllowedCall::Glob(_)
                    | AllowedCall::Bash(_)),
                ) => {
                    return tools::look(&self.permissions, granted, &self.programs, patience);
                }
                Ok(AllowedCall::Edit(..) | AllowedCall::Write(..)) => Err("a file is needed".to_owned()),
                Err(RefusedCall::Input(reason)) => Err(reason),
                Err(RefusedCall::Denied(denied)) => match input["command"].as_str().filter(|_| tool == "Bash") {
                    Some(command) => self.command(command, &denied.reason, patience, screen),
                    None => Err(format!("Not allowed: {}", denied.reason)),
                },
            },
        };
        match done {
            Ok(text) => ToolOutcome { text, is_error: false, touched: None },
            Err(text) => failed(text),
        }
    }

    /// A command that may change something, if the person agrees.
    fn command(
        &self,
        command: &str,
        why: &str,
        patience: &CallLimit,
        screen: &mut ChatScreen<'_>,
    ) -> Result<String, String> {
        if !self.interactive || !screen.ui.interactive() {
            return Err(format!("Not allowed: {why}; only commands that read run without a person to ask"));
        }
        if !screen.ask(&format!("Run `{}`?", clip(command, 400))) {
            return Err("The user said no.".to_owned());
        }
        let job = ShellJob {
            steps: Vec::new(),
            cwd: self.permissions.cwd.clone(),
            timeout: Duration::from_secs(limits::CHAT_COMMAND_SECONDS),
            output_bytes: limits::TOOL_RESULT_BYTES,
            cancel: patience.cancel.clone(),
        };
        let JobOutput { text, status, cut, timed_out } = self.programs.run_agreed(command, &job)?;
        let mut text = String::from_utf8_lossy(&text).into_owned();
        if cut {
            text.push_str("\n[cut: there was more output]");
        }
        match status {
            _ if timed_out => Err(format!("{text}\n[stopped: the command took too long]")),
            Some(0) if text.is_empty() => Ok("(no output)".to_owned()),
            Some(0) => Ok(text),
            Some(status) => Ok(format!("{text}\n[exit status {status}]")),
            None => Err(format!("{text}\n[stopped]")),
        }
    }

    /// Edit or Write in the project.
    fn change(&self, tool: &str, typed: &str, input: &Value, screen: &mut ChatScreen<'_>) -> Result<String, String> {
        let checkout = &self.memory.place.project.checkout;
        let path = self.permissions.full_path(typed);
        let outside =
            || format!("Not allowed: only files of the project may be changed, which is {}", checkout.display());
        let below = path.strip_prefix(checkout).ok().and_then(Path::to_str).ok_or_else(outside)?;
        let file = RelPath::parse(below).map_err(|refusal| format!("Not allowed: {refusal}"))?;
        if file.components().any(|part| part == ".git") {
            return Err("Not allowed: git's own files are changed by git".to_owned());
        }
        let root = Root::open(checkout).map_err(|error| error.to_string())?;
        let before = root.read(&file).map_err(|error| error.to_string())?;
        let after = match (tool, &before) {
            ("Write", _) => input["content"].as_str().ok_or("Write needs content")?.as_bytes().to_vec(),
            (_, None) => {
                let edit = EditInput::read(input)?;
                if !edit.old.is_empty() {
                    return Err(format!("{file} does not exist"));
                }
                edit.new.into_bytes()
            }
            (_, Some(bytes)) => {
                let text = std::str::from_utf8(bytes).map_err(|_| format!("{file} is not a text file"))?;
                EditInput::read(input)?.apply(&file, text)?.0.into_bytes()
            }
        };
        if self.interactive {
            let gone = input["old_string"].as_str().unwrap_or_default();
            screen.preview(gone, input["new_string"].as_str().or(input["content"].as_str()).unwrap_or_default());
        }
        let verb = if before.is_some() { "Change" } else { "Make" };
        if !screen.confirm(&format!("{verb} {file}?")) {
            return Err("Not done: the user did not agree to this change.".to_owned());
        }
        put(&root, &file, before.as_deref(), &after)?;
        if before.is_none() {
            // New files of a project are for everybody, as an editor would make them.
            crate::system::let_others_read(&checkout.join(below));
        }
        Ok(format!("wrote {} bytes to {file}", after.len()))
    }
}

/// Swaps new content in, if the file still is what it was.
fn put(root: &Root, file: &RelPath, before: Option<&[u8]>, after: &[u8]) -> Result<(), String> {
    let staged = root.stage(file, after, "chat").map_err(|error| error.to_string())?;
    let swapped = root.swap_in(&staged, before);
    root.discard(&staged);
    match swapped.map_err(|error| error.to_string())? {
        Swapped::Done => Ok(()),
        Swapped::Changed => Err(format!("{file} was changed meanwhile; read it again")),
    }
}

fn failed(text: String) -> ToolOutcome {
    ToolOutcome { text, is_error: true, touched: None }
}
