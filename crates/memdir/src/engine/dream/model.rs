//! A dream with a model: the forked agent works on a copy, code checks what comes of it (D3, D4).
//!
//! Enters: a model, its budget, and what changed since the last dream. Leaves: what it did, as one change, or
//! why nothing was changed. A result that breaks one rule is refused whole: nobody looks at a dream while it
//! lands, and half of one says things twice.

use std::time::Duration;

use crate::context::book::{Book, Prompt};
use crate::context::render;
use crate::engine::fork::ForkJob;
use crate::engine::proposal::{Accepted, Bounds, Deed, Landed, Rule, Verdict};
use crate::engine::{Error, Memory, Signature};
use crate::kind::Scope;
use crate::limits;
use crate::model::fork::{Budget, Ended, Progress};
use crate::model::tools::{Shell, specs};
use crate::model::{Cancel, Model, Request, Usage};
use crate::store::consolidate::Hold;
use crate::store::history::{Actor, ChangeId};
use crate::store::topic::Topic;

/// How a dream with a model is run.
pub struct DreamJob<'j> {
    /// Who thinks.
    pub model: &'j dyn Model,
    /// Runs its read-only commands.
    pub shell: &'j dyn Shell,
    /// Stops it.
    pub cancel: Cancel,
    /// The act it belongs to, with what the rules do afterwards.
    pub group: Option<ChangeId>,
}

/// What a model's dream came to.
#[derive(Debug)]
pub struct ModelDream {
    /// What landed.
    pub landed: Landed,
    /// What it said about it.
    pub said: String,
    /// What it cost.
    pub usage: Usage,
}

impl Memory {
    /// Lets a model dream. An error says why nothing was changed; the caller rolls the lock back then.
    pub fn dream_with(
        &self,
        job: &DreamJob<'_>,
        hold: &Hold<'_>,
        progress: &mut dyn FnMut(Progress<'_>),
    ) -> Result<ModelDream, Error> {
        let store = self.writable(Scope::Private)?;
        let prompt = self.dream_prompt()?;
        let parent = Request { tools: specs(), max_output_tokens: limits::DREAM_OUTPUT_TOKENS, ..Request::default() };
        let budget = Budget {
            turns: limits::DREAM_TURNS,
            time: Duration::from_secs(limits::DREAM_SECONDS),
            tokens: limits::DREAM_TOKENS,
        };
        let signature = Signature { actor: Actor::Dream, ..self.signature.clone() };
        let fork = ForkJob {
            model: job.model,
            parent: &parent,
            prompt: &prompt,
            budget,
            bounds: Bounds::dream(self.settings.dream_max_loss),
            shell: job.shell,
            cancel: job.cancel.clone(),
            signature: signature.clone(),
            reason: "dream",
            group: job.group.clone(),
            land: false,
        };
        let outcome = self.run_fork(&fork, progress)?;
        if !matches!(outcome.run.ended, Ended::Done) {
            return Err(unfinished(&outcome.run.ended));
        }
        if let Some(reason) = fault(&outcome.verdict) {
            return Err(Error::Refused(format!("the dream was refused, nothing was changed: {reason}")));
        }
        if !hold.is_mine() {
            return Err(Error::Refused("another dream took over; this one lands nothing".to_owned()));
        }
        let landed = self.land_proposal(store, &outcome.verdict, &signature, "dream", job.group.clone())?;
        Ok(ModelDream { landed, said: outcome.run.said, usage: outcome.run.usage })
    }

    /// What the model is asked.
    fn dream_prompt(&self) -> Result<String, Error> {
        let changes = self.changes_since_dream()?;
        let values = [
            ("directory", self.private_dir()?.display().to_string()),
            ("today", self.now.date().to_string()),
            ("changes", changes),
            ("indexLines", limits::INDEX_LINES.to_string()),
            ("indexBytes", limits::INDEX_BYTES.to_string()),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(slot, value)| (*slot, value.as_str())).collect();
        Book::built_in().render(Prompt::Dream, &values).map_err(|error| Error::Refused(error.to_string()))
    }

    /// A line a change since the last dream, the newest first, made from the history.
    fn changes_since_dream(&self) -> Result<String, Error> {
        let last = self.private_store()?.and_then(crate::store::Store::consolidated).map(|standing| standing.time);
        let mut lines = String::new();
        for event in self.history(None, limits::DREAM_CHANGES)? {
            if last.is_some_and(|last| event.time < last) {
                break;
            }
            let day = event.time.to_zoned(self.now.time_zone().clone()).date();
            let line = format!("- {day} {}: {} ({})\n", event.actor, event.reason, event.files.join(", "));
            lines.push_str(&render::one_line(&line));
            lines.push('\n');
        }
        Ok(if lines.is_empty() { "Nothing that memdir knows of.".to_owned() } else { lines })
    }
}

fn unfinished(ended: &Ended) -> Error {
    let why = match ended {
        Ended::Failed(error) => error.to_string(),
        Ended::Cancelled => "it was stopped".to_owned(),
        other => format!("it did not come to an end ({})", other.as_str()),
    };
    Error::Refused(format!("the dream failed, nothing was changed: {why}"))
}

/// The first rule that a result breaks, in words.
fn fault(verdict: &Verdict) -> Option<String> {
    // The index is memdir's own, and what somebody else changed meanwhile only stays as it is.
    let broken = verdict
        .rejected
        .iter()
        .find(|rejection| !matches!(rejection.rule, Rule::Index | Rule::ChangedMeanwhile | Rule::Duplicate));
    if let Some(broken) = broken {
        return Some(format!("{}: {} ({})", broken.file, broken.reason, broken.rule.as_str()));
    }
    let secret = verdict.accepted.iter().find(|accepted| accepted.notes.iter().any(|note| note.contains("secret")));
    if let Some(accepted) = secret {
        return Some(format!("{}: it would have held a secret (no-secrets)", accepted.file));
    }
    let sourceless = verdict.accepted.iter().find_map(|accepted| Some((accepted, lost_key(accepted)?)));
    sourceless.map(|(accepted, key)| format!("{}: it would lose its {key} (sources-kept)", accepted.file))
}

/// A frontmatter key that an update would drop.
fn lost_key(accepted: &Accepted) -> Option<String> {
    if accepted.action != Deed::Updated {
        return None;
    }
    let now = Topic::parse(accepted.after.clone()?).keys();
    Topic::parse(accepted.before.clone()?).keys().into_iter().find(|key| !now.contains(key))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::engine::workbench::{Workbench, store, topic};
    use crate::model::ModelError;
    use crate::model::script::{Act, Script, calls, says};
    use crate::model::tools::{Errand, Printed};

    struct NoShell;

    impl Shell for NoShell {
        fn run(&self, _: &Errand) -> Result<Printed, String> {
            Err("there are no programs here".to_owned())
        }
    }

    fn bench() -> Workbench {
        let mut files: Vec<(String, String)> = (0..9)
            .map(|at| {
                let text =
                    format!("Service number {at} of the shop is owned by the team called crew{at} in hall {at}.");
                (format!("project_{at}.md"), topic("project", &format!("Service {at}"), &text))
            })
            .collect();
        let sourced = "---\nname: Sourced\ndescription: From a session\ntype: project\nmetadata:\n  originSessionId: abc\n---\n\nThe vendor is Northwind.\n";
        files.push(("project_sourced.md".into(), sourced.into()));
        let pinned = topic("feedback", "Tabs", "Indent with tabs.")
            .replace("type: feedback\n", "type: feedback\npinned: true\n");
        files.push(("feedback_tabs.md".into(), pinned));
        let files: Vec<(&str, &str)> = files.iter().map(|(file, text)| (file.as_str(), text.as_str())).collect();
        Workbench::with(&files)
    }

    fn write(bench: &Workbench, file: &str, content: &str) -> (&'static str, Value) {
        ("Write", json!({ "file_path": bench.dir().join(file).display().to_string(), "content": content }))
    }

    fn read(bench: &Workbench, file: &str) -> (&'static str, Value) {
        ("Read", json!({ "file_path": bench.dir().join(file).display().to_string() }))
    }

    fn dream(bench: &Workbench, model: &Script) -> Result<ModelDream, Error> {
        let memory = bench.memory();
        let hold = memory.begin_dream(true)?;
        let job = DreamJob { model, shell: &NoShell, cancel: Cancel::default(), group: None };
        let made = memory.dream_with(&job, &hold, &mut |_| {});
        match &made {
            Ok(_) => hold.finish()?,
            Err(_) => hold.roll_back(),
        }
        made
    }

    #[test]
    fn d3_what_a_model_must_not_do_changes_nothing_and_is_named() {
        let secret = format!("ghp_{}", "FAKEfake".repeat(5).chars().take(36).collect::<String>());
        let table: Vec<(&str, Box<dyn Fn(&Workbench) -> Vec<Act>>)> = vec![
            (
                "loss",
                Box::new(|bench| {
                    let files: Vec<String> = (0..4).map(|at| format!("project_{at}.md")).collect();
                    let reads: Vec<_> = files.iter().map(|file| read(bench, file)).collect();
                    let writes: Vec<_> = files.iter().map(|file| write(bench, file, "")).collect();
                    vec![Act::Say(calls(&reads)), Act::Say(calls(&writes)), Act::Say(says("tidied"))]
                }),
            ),
            (
                "pinned",
                Box::new(|bench| {
                    let new = topic("feedback", "Tabs", "Indent with spaces.");
                    vec![
                        Act::Say(calls(&[read(bench, "feedback_tabs.md")])),
                        Act::Say(calls(&[write(bench, "feedback_tabs.md", &new)])),
                        Act::Say(says("ok")),
                    ]
                }),
            ),
            (
                "sources-kept",
                Box::new(|bench| {
                    let new = topic("project", "Sourced", "The vendor is Northwind.");
                    vec![
                        Act::Say(calls(&[read(bench, "project_sourced.md")])),
                        Act::Say(calls(&[write(bench, "project_sourced.md", &new)])),
                        Act::Say(says("ok")),
                    ]
                }),
            ),
            (
                "secret",
                Box::new(move |bench| {
                    let new = topic(
                        "reference",
                        "Deploys",
                        &format!("Deploys go through the vendor portal with {secret} as the token."),
                    );
                    vec![Act::Say(calls(&[write(bench, "reference_deploys.md", &new)])), Act::Say(says("ok"))]
                }),
            ),
            ("turns", Box::new(|bench| (0..200).map(|_| Act::Say(calls(&[read(bench, "project_0.md")]))).collect())),
            (
                "busy",
                Box::new(|bench| {
                    let new = topic("project", "Service 0", "Service number 0 moved.");
                    vec![
                        Act::Say(calls(&[read(bench, "project_0.md")])),
                        Act::Say(calls(&[write(bench, "project_0.md", &new)])),
                        Act::Fail(ModelError::Busy { driver: "anthropic", status: 529, attempts: 4 }),
                    ]
                }),
            ),
        ];
        for (reason, acts) in table {
            let bench = bench();
            let memory = bench.memory();
            store(&memory).notice(memory.now.timestamp()).unwrap();
            let before = bench.bytes();
            let error = dream(&bench, &Script::of(acts(&bench))).unwrap_err().to_string();
            assert!(error.contains("nothing was changed") && error.contains(reason), "{reason}: {error}");
            assert_eq!(bench.bytes(), before, "{reason}");
            // The next run works.
            let new = topic("reference", "Boards", "Latency boards are in the Grafana folder checkout.");
            let good =
                Script::of([Act::Say(calls(&[write(&bench, "reference_boards.md", &new)])), Act::Say(says("ok"))]);
            let made = dream(&bench, &good).unwrap();
            assert_eq!(made.landed.files.len(), 1, "{reason}");
        }
    }

    #[test]
    fn d5_a_stop_leaves_everything_and_the_lock_as_it_was() {
        let bench = bench();
        let memory = bench.memory();
        let hold = memory.begin_dream(true).unwrap();
        let cancel = Cancel::default();
        cancel.cancel();
        let model = Script::of([Act::Say(says("x"))]);
        let job = DreamJob { model: &model, shell: &NoShell, cancel, group: None };
        let error = memory.dream_with(&job, &hold, &mut |_| {}).unwrap_err();
        assert!(error.to_string().contains("stopped"), "{error}");
        hold.roll_back();
        assert!(store(&memory).consolidated().is_none());
    }
}
