//! The main agent's own Edit and Write in the memory directory, as transactions.
//!
//! Enters: a tool call as the model made it. Leaves: what the model is told. The call is carried out
//! on a copy of the one file, checked like any proposal (place, format, pin, secrets, likeness) and
//! landed as one change with its pointer. Never writes into the directory itself.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::proposal::{AllowedRemovals, Bounds, FileEffect, LossLimit};
use super::{Error, Files, Signature};
use memdir_core::kind::Scope;
use memdir_core::limits;
use memdir_model::Cancel;
use memdir_model::tools::{
    AllowedCall, CallLimit, JobOutput, Permissions, RefusedCall, Shell, ShellJob, ToolError, ToolOutcome, Toolbox,
    Writes,
};
use memdir_store::staging::Staging;

/// Nothing is run to write a file.
struct NoPrograms;

impl Shell for NoPrograms {
    fn run(&self, _: &ShellJob) -> Result<JobOutput, ToolError> {
        Err("no program runs here".into())
    }
}

impl Files<'_> {
    /// What a model's own tools may do in the project's memory.
    pub fn agent_permissions(&self) -> Result<Permissions, Error> {
        self.memory.permissions(self.memory.writable(Scope::Private)?, Writes::Memories)
    }

    /// Carries out an Edit or Write below the memory directory. What is wrong with it is told to the model.
    pub fn agent_edit(&self, tool: &str, input: &Value, signature: &Signature) -> Result<ToolOutcome, Error> {
        let failed = |text: String| Ok(ToolOutcome { text, is_error: true, touched: None });
        let store = self.memory.writable(Scope::Private)?;
        store.notice(self.memory.now.timestamp())?;
        let permissions = self.agent_permissions()?;
        let file = match permissions.judge(tool, input) {
            Ok(AllowedCall::Edit(file, _) | AllowedCall::Write(file, _)) => file,
            Ok(_) => return failed(format!("{tool} writes nothing")),
            Err(RefusedCall::Input(reason)) => return failed(reason),
            Err(RefusedCall::Denied(denied)) => return failed(format!("Not allowed: {}", denied.reason)),
        };
        let staging = Staging::of_file(store.root(), &file, store.state_dir())?;
        let until = Instant::now() + Duration::from_secs(limits::TOOL_SECONDS);
        let patience = CallLimit { cancel: Cancel::default(), until };
        let done = Toolbox::new(permissions, &staging, &NoPrograms).call(tool, input, &patience);
        if done.is_error {
            return Ok(done);
        }
        let bounds = Bounds {
            new_files: 1,
            removals: AllowedRemovals::These(vec![file.clone()]),
            loss: LossLimit::Rewrites(1),
            grounds: None,
            dated: true,
        };
        let verdict = self.memory.check_proposal(store, &staging.changes(store.root())?, &bounds)?;
        let landed = self.memory.land_proposal(store, &verdict, signature, "saved in the conversation", None)?;
        if let Some(rejection) = verdict.rejected.iter().chain(&landed.rejected).next() {
            return failed(format!("Not saved ({}): {}", rejection.rule.as_str(), rejection.reason));
        }
        let Some((name, effect)) = landed.files.first() else {
            let text = format!("{file} stays as it is; memdir keeps the index itself, and pointers follow the files");
            return Ok(ToolOutcome { text, is_error: false, touched: None });
        };
        let notes: Vec<&str> =
            verdict.accepted.iter().flat_map(|accepted| &accepted.notes).map(String::as_str).collect();
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        let text = match effect {
            FileEffect::Removed => format!("{name} and its pointer are in the archive"),
            FileEffect::Created | FileEffect::Updated => format!("saved {name}, its pointer included{notes}"),
        };
        Ok(ToolOutcome { text, is_error: false, touched: Some(file) })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::test_memory::{TestMemory, topic};
    use super::*;
    use memdir_store::history::Actor;

    fn call(bench: &TestMemory, tool: &str, input: &Value) -> ToolOutcome {
        let signature = Signature { actor: Actor::Agent, session: Some("s".into()), message: None };
        bench.memory().files().agent_edit(tool, input, &signature).unwrap()
    }

    #[test]
    fn x6_the_main_agents_writes_land_with_pointer_and_history_or_not_at_all() {
        let pinned = topic("user", "who", "Knows Go.").replace("type: user", "type: user\npinned: true");
        let bench = TestMemory::with(&[("old.md", &topic("user", "old", "Knows Rust well.")), ("pinned.md", &pinned)]);
        let path = |file: &str| bench.dir().join(file).display().to_string();
        let new = topic("feedback", "Real database", "Tests use a real database.");
        let saved = call(&bench, "Write", &json!({ "file_path": path("db.md"), "content": new }));
        assert!(!saved.is_error, "{saved:?}");
        assert!(bench.read("MEMORY.md").contains("(db.md)"));
        let event = &bench.memory().history().events(None, 1).unwrap()[0];
        assert_eq!((event.actor, event.session.as_deref()), ("agent", Some("s")));
        let before = bench.bytes();
        let token = ["ghp_", &"aB3dE5gH7j".repeat(3), "kLmN0p"].concat();
        for (tool, input, words) in [
            ("Write", json!({ "file_path": path("../out.md"), "content": new }), "not go up"),
            ("Write", json!({ "file_path": path("note.txt"), "content": new }), ".md"),
            ("Edit", json!({ "file_path": path("pinned.md"), "old_string": "Go", "new_string": "C" }), "pinned"),
            ("Write", json!({ "file_path": path("t.md"), "content": topic("reference", "t", &token) }), "secret"),
            (
                "Edit",
                json!({ "file_path": path("old.md"), "old_string": "Python", "new_string": "C" }),
                "is not in old.md",
            ),
            ("Read", json!({ "file_path": path("old.md") }), "writes nothing"),
        ] {
            let outcome = call(&bench, tool, &input);
            assert!(outcome.is_error && outcome.text.contains(words), "{words}: {outcome:?}");
            assert_eq!(bench.bytes(), before, "{words}");
        }
        let index = call(
            &bench,
            "Write",
            &json!({ "file_path": path("MEMORY.md"), "content": bench.read("MEMORY.md") + "- x\n" }),
        );
        assert!(!index.is_error && bench.bytes() == before, "{index:?}");
        let gone = call(&bench, "Write", &json!({ "file_path": path("old.md"), "content": "" }));
        assert!(!gone.is_error && !bench.read("MEMORY.md").contains("old.md"), "{gone:?}");
        assert!(bench.rubbish().is_empty());
    }
}
