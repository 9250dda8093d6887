//! A run of dreaming from its gates to its end, the same for every front end.
//!
//! Enters: what is asked for, what the library cannot do itself, and somebody to tell how far it is. Leaves: a
//! [`DreamReport`]. The project's memory and the user's are dreamt one after the other, each with its own gate and lock; both are
//! one group in the history, and `undo` takes all of it back. A run that is stopped or fails changes nothing in the scope it was
//! at, and its lock is as before.

use std::cell::RefCell;

use super::model::{DreamJob, ModelDream};
use super::report::{DreamFailed, DreamReport, DreamResult, DreamScope};
use super::request::{DreamEnvironment, DreamProgress, DreamRequest, TellDream};
use super::{DreamInput, DreamPlan};
use crate::engine::{Announcement, Error, Memory};
use memdir_core::kind::Scope;
use memdir_model::Cancel;
use memdir_store::dream_lock::DreamLock;
use memdir_store::history::ChangeId;

/// Dreaming in one memory: [`Memory::dream`] hands it out.
pub struct Dreaming<'m> {
    pub(super) memory: &'m Memory,
}

impl Memory {
    /// Dreaming: whether it is time, and a run of it.
    pub fn dream(&self) -> Dreaming<'_> {
        Dreaming { memory: self }
    }
}

impl Dreaming<'_> {
    /// What is dreamt, each on its own: the project's memory with the team's, and the user's.
    pub(super) const SCOPES: [Scope; 2] = [Scope::Private, Scope::User];

    /// Whether a run would do something by itself now.
    pub fn is_due(&self) -> bool {
        Self::SCOPES.into_iter().any(|scope| self.gate(scope).run)
    }

    /// Dreams every scope whose turn it is. Without an environment no model is asked, and the rules dream alone.
    pub fn run(
        &self,
        request: &DreamRequest,
        environment: Option<&DreamEnvironment<'_>>,
        progress: &mut dyn FnMut(DreamProgress<'_>),
        stop: &Cancel,
    ) -> Result<DreamReport, DreamFailed> {
        let mut report = DreamReport { scopes: Vec::new(), forced: request.force };
        if let Err(error) = self.memory.require_on() {
            return Err(DreamFailed { error, report });
        }
        let mut due = Vec::new();
        for scope in Self::SCOPES {
            let gate = self.gate(scope);
            let there = gate.reason != "no-memories" || scope == Scope::Private;
            if there && (gate.run || request.force || request.dry_run) {
                due.push(report.scopes.len());
            }
            report.scopes.push(DreamScope { scope, gate: gate.reason, result: None });
        }
        let (now, process) = (self.memory.now.timestamp().to_string(), std::process::id().to_le_bytes());
        let group = ChangeId::derive(&[b"dream", now.as_bytes(), &process]);
        let run = Run { dreaming: self, request, environment, stop, group };
        let shown = RefCell::new(if due.is_empty() || request.dry_run { None } else { self.shown(stop) });
        let mut tell = |step: DreamProgress<'_>| {
            if let Some(shown) = shown.borrow_mut().as_mut() {
                shown.step(&step);
            }
            progress(step);
        };
        let planned = |plan: &DreamPlan| {
            if let Some(shown) = shown.borrow_mut().as_mut() {
                shown.planned(plan);
            }
        };
        for at in &due {
            let scope = report.scopes[*at].scope;
            if due.len() > 1 {
                tell(DreamProgress::Scope(scope));
            }
            match run.one(scope, &mut tell, &planned) {
                Ok(result) => report.scopes[*at].result = Some(result),
                Err(error) => return Err(DreamFailed { error, report }),
            }
        }
        if request.announce
            && let Err(error) = self.memory.announce(announcements(&report))
        {
            return Err(DreamFailed { error, report });
        }
        Ok(report)
    }
}

/// What the user should hear of a dream that nobody watched.
fn announcements(report: &DreamReport) -> impl Iterator<Item = Announcement> {
    let files: Vec<&str> = report.done().flat_map(|done| &done.files).map(String::as_str).collect();
    let changed = (!files.is_empty()).then(|| {
        let text = format!("put memory in order in the background: {}", files.join(", "));
        Announcement::changed(text, report.change())
    });
    let waiting = if report.ran() { report.proposals().count() } else { 0 };
    changed.into_iter().chain(Announcement::waiting(waiting))
}

/// What every scope of a run shares.
struct Run<'r> {
    dreaming: &'r Dreaming<'r>,
    request: &'r DreamRequest,
    environment: Option<&'r DreamEnvironment<'r>>,
    stop: &'r Cancel,
    /// The one group in the history.
    group: ChangeId,
}

impl Run<'_> {
    /// Dreams one scope.
    fn one(&self, scope: Scope, tell: TellDream<'_>, planned: &dyn Fn(&DreamPlan)) -> Result<DreamResult, Error> {
        // Before the lock is taken: that writes a new time into it.
        let since_last = || self.dreaming.recent_transcripts(self.dreaming.last(scope));
        let input = DreamInput {
            transcripts: self.request.transcripts.clone().unwrap_or_else(since_last),
            yes: self.request.yes,
            cancel: self.stop.clone(),
            ..DreamInput::of(scope)
        };
        if self.request.dry_run {
            return Ok(DreamResult { plan: self.plan(&input, tell)?, done: None });
        }
        let hold = self.dreaming.begin(scope, self.request.force)?;
        match self.held(&input, &hold, tell, planned) {
            Ok(result) => {
                hold.finish()?;
                Ok(result)
            }
            Err(error) => {
                hold.roll_back();
                Err(error)
            }
        }
    }

    /// Dreams while the lock is held: a model first, where the user agreed to one, then the rules.
    fn held(
        &self,
        input: &DreamInput,
        hold: &DreamLock<'_>,
        tell: TellDream<'_>,
        planned: &dyn Fn(&DreamPlan),
    ) -> Result<DreamResult, Error> {
        let model = self.with_model(input, hold, tell)?;
        // Both together are one dream.
        let spent = model.as_ref().map_or(0, ModelDream::changed);
        let plan = self.plan(&DreamInput { spent, ..input.clone() }, tell)?;
        planned(&plan);
        input.go_on()?;
        let mut done = self.dreaming.land(&plan, Some(self.group.clone()), &|| hold.may_land())?;
        if let Some(model) = model {
            done.model_waits = model.waits;
            if model.landed.change.is_some() {
                done.files.splice(0..0, model.landed.files.into_iter().map(|(file, _)| file));
                done.change = Some(self.group.to_string());
            }
        }
        if done.change.is_some() {
            done.change = Some(self.group.to_string());
        }
        Ok(DreamResult { plan, done: Some(done) })
    }

    fn with_model(
        &self,
        input: &DreamInput,
        hold: &DreamLock<'_>,
        tell: TellDream<'_>,
    ) -> Result<Option<ModelDream>, Error> {
        let Some(environment) = self.environment else { return Ok(None) };
        // The user's own agent works on the project's directory; it is not sent into another.
        if input.scope != Scope::Private && !self.dreaming.memory.models().is_quick() {
            return Ok(None);
        }
        let Ok(model) = self.dreaming.memory.models().get(Some(environment.runner.clone())) else { return Ok(None) };
        tell(DreamProgress::Thinking(&model.name()));
        let job = DreamJob {
            scope: input.scope,
            transcripts: &input.transcripts,
            model: &*model,
            shell: environment.shell,
            cancel: input.cancel.clone(),
            yes: input.yes,
            group: Some(self.group.clone()),
        };
        let dreamt = self.dreaming.run_model(&job, hold, tell)?;
        tell(DreamProgress::Said(&dreamt.said));
        Ok(Some(dreamt))
    }

    fn plan(&self, input: &DreamInput, tell: TellDream<'_>) -> Result<DreamPlan, Error> {
        self.dreaming.plan(input, tell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::test_memory::{TestMemory, topic};

    /// The same twice, in the project's memory and in the user's.
    fn twice() -> TestMemory {
        let rule = topic("feedback", "No mocks", "Never mock the database in integration tests.");
        let bench = TestMemory::with(&[("feedback_a.md", &rule), ("feedback_b.md", &rule)]);
        bench.put("../../.claude/memory/feedback_a.md", &rule);
        bench.put("../../.claude/memory/feedback_b.md", &rule);
        bench
    }

    fn forced() -> DreamRequest {
        DreamRequest { force: true, yes: true, ..DreamRequest::default() }
    }

    #[test]
    fn d5_a_run_that_is_stopped_in_the_second_scope_tells_what_the_first_came_to() {
        let bench = twice();
        let memory = bench.memory();
        let user =
            || bench.read("../../.claude/memory/feedback_a.md") + &bench.read("../../.claude/memory/feedback_b.md");
        let (stop, before) = (Cancel::default(), user());
        let mut parts = Vec::new();
        let failed = memory.dream().run(
            &forced(),
            None,
            &mut |step| {
                parts.push(step.part());
                if matches!(step, DreamProgress::Scope(Scope::User)) {
                    stop.cancel();
                }
            },
            &stop,
        );
        let DreamFailed { error, report } = failed.unwrap_err();
        assert_eq!(error.to_string(), super::super::STOPPED);
        assert_eq!(parts.iter().filter(|part| **part == "memory").count(), 2);
        let [private, of_user] = report.scopes.as_slice() else { panic!("{:?}", report.scopes) };
        let done = private.result.as_ref().unwrap().done.as_ref().unwrap();
        assert!(done.change.is_some() && !done.files.is_empty());
        assert!(of_user.result.is_none());
        assert_eq!(user(), before);
        assert!(memory.dream().last(Scope::Private).is_some() && memory.dream().last(Scope::User).is_none());
    }

    #[test]
    fn d6_both_scopes_are_one_act_and_one_undo_takes_it_back() {
        let bench = twice();
        let memory = bench.memory();
        let before = bench.bytes();
        let report = memory.dream().run(&forced(), None, &mut |_| {}, &Cancel::default()).unwrap();
        let changes: Vec<_> = report.done().map(|done| done.change.as_deref()).collect();
        assert!(changes.len() == 2 && changes[0].is_some() && changes[0] == changes[1], "{changes:?}");
        assert!(bench.bytes() != before);
        memory.history().undo(report.change()).unwrap();
        let of = |bytes: std::collections::BTreeMap<String, Vec<u8>>| {
            bytes.into_iter().filter(|(file, _)| file.ends_with(".md")).collect::<Vec<_>>()
        };
        assert_eq!(of(bench.bytes()), of(before));
    }

    #[test]
    fn the_document_has_all_its_keys_once_something_was_looked_at() {
        let bench = twice();
        let memory = bench.memory();
        let keys = |request: &DreamRequest| {
            let report = memory.dream().run(request, None, &mut |_| {}, &Cancel::default()).unwrap();
            let document = serde_json::to_value(&report).unwrap();
            let keys: Vec<String> = document.as_object().unwrap().keys().cloned().collect();
            (keys.join(" "), document["reason"].as_str().unwrap().to_owned())
        };
        let (not_now, reason) = keys(&DreamRequest::default());
        assert_eq!(not_now, "ran reason phases changes checks change scopes");
        assert_eq!(reason, "few-sessions:0-of-5");
        let all = "ran first reason phases changes waiting checks unsure left_out overtaken change proposal proposals scopes diff";
        let dry = DreamRequest { dry_run: true, ..DreamRequest::default() };
        assert_eq!(keys(&dry), (all.to_owned(), "dry-run".to_owned()));
        assert_eq!(keys(&forced()), (all.to_owned(), "by-hand".to_owned()));
    }
}
