//! A dream with a model: the forked agent works on a copy, code checks what comes of it (D3, D4).
//!
//! Enters: a model, its budget, and what changed since the last dream. Leaves: what it did, as one change; what
//! waits in the inbox, because too much would be lost or somebody wants to see everything; or why nothing was
//! changed. A result that breaks another rule is refused whole: nobody looks at a dream while it lands, and
//! half of one says things twice.

use std::path::PathBuf;
use std::time::Duration;

use super::audit::{Audit, Losing};
use super::{Phase, STOPPED};
use crate::context::book::{Book, Prompt};
use crate::engine::fork::ForkJob;
use crate::engine::inbox::{NewProposal, ProposedFile};
use crate::engine::proposal::{Accepted, Bounds, Deed, Landed, Rule, Verdict};
use crate::engine::{Error, Memory, Signature};
use crate::kind::Scope;
use crate::limits;
use crate::model::fork::{Budget, Ended, Progress};
use crate::model::tools::{Shell, specs};
use crate::model::{Cancel, Model, Request, Usage};
use crate::store::Store;
use crate::store::consolidate::Hold;
use crate::store::history::{Actor, ChangeId};
use crate::store::topic::Topic;

/// How a dream with a model is run.
pub struct DreamJob<'j> {
    /// Which memory: the project's or the user's.
    pub scope: Scope,
    /// Conversations since the last dream, the newest first.
    pub transcripts: &'j [PathBuf],
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
    /// What waits in the inbox instead, and why.
    pub waits: Option<(String, String)>,
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
        progress: &mut dyn FnMut(Phase, &str),
    ) -> Result<ModelDream, Error> {
        let store = self.writable(job.scope)?;
        let prompt = self.dream_prompt(store, job, hold)?;
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
            // How much may go is looked at below: what is too much waits for a yes.
            bounds: Bounds::dream(1.0),
            shell: job.shell,
            cancel: job.cancel.clone(),
            signature: signature.clone(),
            reason: "dream",
            group: job.group.clone(),
            land: false,
        };
        let mut teller = Teller { phase: Phase::Orient, text: String::new(), progress };
        let mut hear = |event: Progress<'_>| teller.hear(event);
        let outcome = match job.scope {
            Scope::User => self.run_fork_in(store, &fork, &mut hear)?,
            _ => self.run_fork(&fork, &mut hear)?,
        };
        if !matches!(outcome.run.ended, Ended::Done) {
            return Err(unfinished(&outcome.run.ended));
        }
        let refused = |reason: String| Error::Refused(format!("the dream was refused, nothing was changed: {reason}"));
        if let Some(reason) = fault(&outcome.verdict) {
            return Err(refused(reason));
        }
        let (said, usage) = (outcome.run.said, outcome.run.usage);
        let audit = Audit::of(self, store, &outcome.verdict, &said, job.transcripts)?;
        let share = audit.share();
        let percent = |share: f64| (share * 100.0).round();
        let waits = if outcome.verdict.accepted.is_empty() {
            None
        } else if self.settings.review {
            Some("everything waits for a yes (the setting review)".to_owned())
        } else if share > self.settings.dream_max_loss {
            Some(format!(
                "loss: {} of {} memories would lose something that nothing else says ({} %); {} % may without a yes",
                audit.losing.len(),
                audit.known,
                percent(share),
                percent(self.settings.dream_max_loss)
            ))
        } else if let Some(lost) = audit.losing.iter().find(|losing| losing.reason.is_none() && losing.source.is_none())
        {
            let told = "nothing says it any more, and no reason was given (no-fact-lost)";
            return Err(refused(format!("{}: “{}”: {told}", lost.file, lost.line)));
        } else {
            audit.unborne().map(|lost| {
                let told = "no memory, log or conversation that the reason names speaks of it";
                format!("source: {}: “{}”: {told}", lost.file, lost.line)
            })
        };
        if let Some(why) = waits {
            if !hold.is_mine() {
                return Err(overtaken());
            }
            let id = self.propose(job.scope, proposal(&outcome.verdict, &audit, &why))?;
            return Ok(ModelDream { landed: Landed::default(), waits: Some((id, why)), said, usage });
        }
        // The history keeps why each lost line went.
        let reasons: Vec<String> = audit.losing.iter().filter_map(Losing::told).collect();
        let reason = if reasons.is_empty() { "dream".to_owned() } else { format!("dream: {}", reasons.join("; ")) };
        let landed = self.land_proposal_if(store, &outcome.verdict, &signature, &reason, job.group.clone(), &|| {
            if hold.may_land() { Ok(()) } else { Err("another dream took over; this one lands nothing".to_owned()) }
        })?;
        Ok(ModelDream { landed, waits: None, said, usage })
    }

    /// What the model is asked.
    fn dream_prompt(&self, store: &Store, job: &DreamJob<'_>, hold: &Hold<'_>) -> Result<String, Error> {
        let directory = if job.scope == Scope::User { self.place.user_dir()? } else { self.private_dir()? };
        let values = [
            ("directory", directory.display().to_string()),
            ("today", self.now.date().to_string()),
            ("changes", self.changes_since(job.scope, hold.last())?),
            ("signals", self.signals(store, job.scope, job.transcripts)?),
            ("indexLines", limits::INDEX_LINES.to_string()),
            ("indexBytes", limits::INDEX_BYTES.to_string()),
        ];
        let values: Vec<(&str, &str)> = values.iter().map(|(slot, value)| (*slot, value.as_str())).collect();
        Book::built_in().render(Prompt::Dream, &values).map_err(|error| Error::Refused(error.to_string()))
    }
}

fn overtaken() -> Error {
    Error::Refused("another dream took over; this one lands nothing".to_owned())
}

/// What the inbox keeps of a result.
fn proposal(verdict: &Verdict, audit: &Audit, why: &str) -> NewProposal {
    let text = |bytes: &Option<Vec<u8>>| bytes.as_ref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let files = verdict.accepted.iter().map(|accepted| {
        let losing = audit.losing.iter().find(|losing| losing.file == accepted.file);
        let why = losing.map(|losing| losing.reason.clone().unwrap_or_else(|| format!("loses “{}”", losing.line)));
        ProposedFile {
            file: accepted.file.to_string(),
            before: text(&accepted.before),
            after: text(&accepted.after),
            why: why.unwrap_or_else(|| accepted.notes.join("; ")),
        }
    });
    NewProposal { kind: "dream", reason: format!("dream; {why}"), files: files.collect() }
}

/// Tells what a model does as the phases of a dream: it looks, it searches, it writes, it removes.
struct Teller<'t> {
    phase: Phase,
    text: String,
    progress: &'t mut dyn FnMut(Phase, &str),
}

impl Teller<'_> {
    fn hear(&mut self, event: Progress<'_>) {
        match event {
            Progress::Turn(_) => self.flush(),
            Progress::Text(text) => self.text.push_str(text),
            Progress::Tool(tool) => {
                self.flush();
                if matches!(tool, "Grep" | "Glob" | "Bash") {
                    self.reach(Phase::Gather);
                }
            }
            Progress::Touched(file) => {
                self.reach(Phase::Consolidate);
                (self.progress)(self.phase, file.as_str());
            }
        }
    }

    /// A dream does not go back to an earlier phase.
    fn reach(&mut self, phase: Phase) {
        if self.phase.number() < phase.number() {
            self.phase = phase;
        }
    }

    /// The first line of what was said since.
    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if let Some(line) = text.lines().map(str::trim).find(|line| !line.is_empty()) {
            (self.progress)(self.phase, line);
        }
    }
}

fn unfinished(ended: &Ended) -> Error {
    let why = match ended {
        Ended::Failed(error) => error.to_string(),
        Ended::Cancelled => return Error::Refused(STOPPED.to_owned()),
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
    use crate::team::merge::{EITHER, END, OR};

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

    fn job(model: &Script, cancel: Cancel) -> DreamJob<'_> {
        DreamJob { scope: Scope::Private, transcripts: &[], model, shell: &NoShell, cancel, group: None }
    }

    fn dream(bench: &Workbench, model: &Script) -> Result<ModelDream, Error> {
        let memory = bench.memory();
        let hold = memory.begin_dream(Scope::Private, true)?;
        let job = job(model, Cancel::default());
        let made = memory.dream_with(&job, &hold, &mut |_, _| {});
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
                "no-fact-lost",
                Box::new(|bench| {
                    vec![
                        Act::Say(calls(&[read(bench, "project_0.md")])),
                        Act::Say(calls(&[write(bench, "project_0.md", "")])),
                        Act::Say(says("tidied")),
                    ]
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

    fn deletes(bench: &Workbench, files: &[&str], said: &str) -> Script {
        let reads: Vec<_> = files.iter().map(|file| read(bench, file)).collect();
        let writes: Vec<_> = files.iter().map(|file| write(bench, file, "")).collect();
        Script::of([Act::Say(calls(&reads)), Act::Say(calls(&writes)), Act::Say(says(said))])
    }

    #[test]
    fn d3_a_third_of_the_store_waits_in_the_inbox_and_a_yes_lands_it() {
        let bench = bench();
        let before = bench.bytes();
        let model = deletes(&bench, &["project_0.md", "project_1.md", "project_2.md", "project_3.md"], "tidied");
        let made = dream(&bench, &model).unwrap();
        let (id, why) = made.waits.unwrap();
        assert!(why.starts_with("loss: 4 of 11"), "{why}");
        assert!(made.landed.change.is_none());
        let kept: Vec<_> = bench.bytes().into_iter().filter(|(file, _)| !file.starts_with('.')).collect();
        assert_eq!(kept, before.into_iter().collect::<Vec<_>>(), "nothing was changed");
        let memory = bench.memory();
        assert_eq!(memory.proposals().unwrap()[0].reason, format!("dream; {why}"));
        assert_eq!(memory.accept(&id).unwrap().files.len(), 4);
        assert!(!bench.dir().join("project_3.md").exists());
    }

    #[test]
    fn d3_what_goes_for_a_reason_lands_and_the_history_has_the_reason() {
        let bench = bench();
        let model =
            deletes(&bench, &["project_0.md"], "- project_0.md: the service was shut down, project_1.md says so");
        let made = dream(&bench, &model).unwrap();
        assert_eq!(made.landed.files.len(), 1);
        let memory = bench.memory();
        let event = &memory.history(None, 1).unwrap()[0];
        assert!(event.reason.contains("the service was shut down"), "{}", event.reason);
        memory.undo(Some(made.landed.change.as_deref().unwrap())).unwrap();
        assert!(bench.dir().join("project_0.md").exists());
    }

    #[test]
    fn d3_a_reason_without_a_source_that_speaks_of_it_waits_for_a_yes() {
        for said in [
            "- project_0.md: nobody needs this any more, it is old",
            // There is no such memory, it is the file itself, or it says nothing of the kind.
            "- project_0.md: the service was shut down, project_99.md says so",
            "- project_0.md: the service was shut down, project_0.md says so",
            "- project_0.md: the service was shut down, feedback_tabs.md says so",
        ] {
            let bench = bench();
            let before = bench.bytes();
            let made = dream(&bench, &deletes(&bench, &["project_0.md"], said)).unwrap();
            let (_, why) = made.waits.unwrap();
            assert!(why.starts_with("source: project_0.md"), "{said}: {why}");
            assert!(before.iter().all(|(file, bytes)| bench.bytes().get(file) == Some(bytes)), "{said}");
        }
        // The name of a file inside another name, or behind another name, gives no reason for it.
        for said in ["- my_project_0.md: the service was shut down", "- project_1.md: project_0.md said so before"] {
            let bench = bench();
            let error = dream(&bench, &deletes(&bench, &["project_0.md"], said)).unwrap_err().to_string();
            assert!(error.contains("no-fact-lost"), "{said}: {error}");
        }
    }

    #[test]
    fn d3_a_log_that_speaks_of_it_bears_a_loss_out_and_what_the_model_wrote_itself_does_not() {
        let log = "- 09:00 user: service number 0 of the shop was shut down\n";
        let bench = bench();
        bench.put("logs/2026/04/2026-04-13.md", log);
        let said = "- project_0.md: it was shut down, logs/2026/04/2026-04-13.md";
        let made = dream(&bench, &deletes(&bench, &["project_0.md"], said)).unwrap();
        assert!(made.waits.is_none() && made.landed.files.len() == 1);
        let reason = &bench.memory().history(None, 1).unwrap()[0].reason;
        assert!(reason.contains("[logs/2026/04/2026-04-13.md]"), "{reason}");

        let bench = self::bench();
        let new = topic("project", "Shut down", "Service number 0 of the shop was shut down for good.");
        let model = Script::of([
            Act::Say(calls(&[read(&bench, "project_0.md")])),
            Act::Say(calls(&[write(&bench, "project_0.md", ""), write(&bench, "project_shut_down.md", &new)])),
            Act::Say(says("- project_0.md: the service was shut down, project_shut_down.md says so")),
        ]);
        assert!(dream(&bench, &model).unwrap().waits.is_some_and(|(_, why)| why.starts_with("source:")));
    }

    #[test]
    fn t1_a_model_is_told_of_two_versions_and_may_keep_one() {
        let bench = bench();
        let both = topic(
            "project",
            "Releases",
            &format!("{EITHER}\n\nJon cuts releases.\n\n{OR}\n\nAda cuts releases.\n\n{END}"),
        );
        bench.put("team/project_releases.md", &both);
        let memory = bench.memory();
        store(&memory).notice(memory.now.timestamp()).unwrap();
        let signals = memory.signals(store(&memory), Scope::Private, &[]).unwrap();
        assert!(signals.contains("two versions in: team/project_releases.md"), "{signals}");
        let one = topic("project", "Releases", "Jon cuts releases.");
        let model = Script::of([
            Act::Say(calls(&[read(&bench, "team/project_releases.md")])),
            Act::Say(calls(&[write(&bench, "team/project_releases.md", &one)])),
            Act::Say(says("- team/project_releases.md: Jon has cut them since March, as he said himself")),
        ]);
        let made = dream(&bench, &model).unwrap();
        assert!(made.waits.is_none(), "{:?}", made.waits);
        assert_eq!(bench.read("team/project_releases.md"), one);
        memory.undo(Some(made.landed.change.as_deref().unwrap())).unwrap();
        assert_eq!(bench.read("team/project_releases.md"), both);
    }

    #[test]
    fn d3_with_review_a_models_dream_waits_whole() {
        let bench = bench().set("MEMDIR_REVIEW", "true");
        let new = topic("reference", "Boards", "Latency boards are in the Grafana folder checkout.");
        let good = Script::of([Act::Say(calls(&[write(&bench, "reference_boards.md", &new)])), Act::Say(says("ok"))]);
        let made = dream(&bench, &good).unwrap();
        assert!(made.waits.is_some() && made.landed.change.is_none());
        assert!(!bench.dir().join("reference_boards.md").exists());
    }

    #[test]
    fn d4_a_dream_has_the_permissions_of_an_extraction() {
        let bench = bench();
        let outside = bench.project().join("src.rs").display().to_string();
        let model = Script::of([
            Act::Say(calls(&[
                ("Write", json!({ "file_path": outside, "content": "x" })),
                ("Bash", json!({ "command": format!("touch {outside}") })),
            ])),
            Act::Say(says("ok")),
        ]);
        assert!(dream(&bench, &model).is_ok_and(|made| made.landed.files.is_empty()));
        assert!(!bench.project().join("src.rs").exists());
    }

    #[test]
    fn d2_a_model_that_was_overtaken_lands_nothing() {
        let bench = bench();
        let memory = bench.memory();
        let hold = memory.begin_dream(Scope::Private, true).unwrap();
        let new = topic("reference", "Boards", "Latency boards are in the Grafana folder checkout.");
        let good = Script::of([Act::Say(calls(&[write(&bench, "reference_boards.md", &new)])), Act::Say(says("ok"))]);
        let later = "2026-04-14T12:30:00Z".parse().unwrap();
        let other = store(&memory).hold_dream(later, None).unwrap();
        let error = memory.dream_with(&job(&good, Cancel::default()), &hold, &mut |_, _| {}).unwrap_err();
        assert!(error.to_string().contains("took over"), "{error}");
        assert!(other.is_mine() && !bench.dir().join("reference_boards.md").exists());
    }

    #[test]
    fn d3_the_prompt_tells_what_changed_and_where_to_look() {
        let bench = bench();
        bench.put("logs/2026/04/2026-04-13.md", "- 09:00 user: the demo moved to 2026-05-02\n");
        let memory = bench.memory();
        store(&memory).notice(memory.now.timestamp()).unwrap();
        let hold = memory.begin_dream(Scope::Private, true).unwrap();
        let model = Script::of([Act::Say(says("x"))]);
        let prompt = memory.dream_prompt(store(&memory), &job(&model, Cancel::default()), &hold).unwrap();
        assert!(prompt.contains("+The vendor is Northwind.") && prompt.contains("log: the demo moved"), "{prompt}");
    }

    #[test]
    fn d5_a_stop_leaves_everything_and_the_lock_as_it_was() {
        let bench = bench();
        let memory = bench.memory();
        let hold = memory.begin_dream(Scope::Private, true).unwrap();
        let cancel = Cancel::default();
        cancel.cancel();
        let model = Script::of([Act::Say(says("x"))]);
        let error = memory.dream_with(&job(&model, cancel), &hold, &mut |_, _| {}).unwrap_err();
        assert!(error.to_string().contains("stopped"), "{error}");
        hold.roll_back();
        assert!(store(&memory).consolidated().is_none());
    }
}
