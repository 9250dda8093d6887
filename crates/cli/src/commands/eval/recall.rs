//! `eval recall`: score recall on a labelled set, with the engine as it ships.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use memdir::engine::RecallRequest;
use memdir::hosts::Host;
use serde::{Deserialize, Serialize};

use super::transcript::{SessionStep, transcript};
use super::{Scratch, open};
use crate::commands::CommandResult;
use crate::failure::Failure;
use crate::ui::Ui;

/// One query of a set (`evals/FORMAT.md`).
#[derive(Deserialize)]
struct RecallCase {
    id: String,
    store: String,
    query: String,
    now: String,
    #[serde(default)]
    recent_tools: Vec<String>,
    #[serde(default)]
    already_surfaced: Vec<String>,
    #[serde(default)]
    relevant: Vec<String>,
    #[serde(default)]
    acceptable: Vec<String>,
    #[serde(default)]
    must_not: Vec<String>,
    kind: String,
    /// What was said and done before the prompt.
    #[serde(default)]
    session: Vec<SessionStep>,
}

/// The metrics, as `evals/README.md` defines them.
#[derive(Default, Serialize)]
struct Metrics {
    queries: usize,
    recall_at_5: f64,
    recall_macro: f64,
    recall_by_kind: BTreeMap<String, f64>,
    precision: f64,
    nothing_right: f64,
    tool_suppression_right: f64,
    must_not_violations: usize,
    must_not_share: f64,
}

#[derive(Default)]
struct RecallTally {
    recall: BTreeMap<String, (f64, usize)>,
    hits: usize,
    shown: usize,
    quiet: BTreeMap<&'static str, (usize, usize)>,
    forbidden: (usize, usize),
    queries: usize,
}

pub(crate) fn recall(dir: &Path, with_session: bool, misses: bool, ui: &mut Ui) -> CommandResult {
    let text = std::fs::read_to_string(dir.join("queries.jsonl"))
        .map_err(|error| Failure::refused(format!("{} has no queries.jsonl: {error}", dir.display())))?;
    let scratch = Scratch::new();
    let metrics = score(dir, &text, &scratch.0, with_session, misses, ui)?;
    if ui.json {
        return Ok(ui.print_json(&metrics)?);
    }
    ui.line(format!("queries                {}", metrics.queries))?;
    ui.line(format!(
        "recall@5               {:.3}  (macro over kinds {:.3})",
        metrics.recall_at_5, metrics.recall_macro
    ))?;
    for (kind, recall) in &metrics.recall_by_kind {
        ui.line(format!("  {kind:<20} {recall:.3}"))?;
    }
    ui.line(format!("precision              {:.3}", metrics.precision))?;
    ui.line(format!("nothing right          {:.3}", metrics.nothing_right))?;
    ui.line(format!("tool suppression right {:.3}", metrics.tool_suppression_right))?;
    ui.line(format!(
        "must_not violations    {} ({:.1} %)",
        metrics.must_not_violations,
        100.0 * metrics.must_not_share
    ))?;
    Ok(())
}

fn score(
    dir: &Path,
    text: &str,
    scratch: &Path,
    with_session: bool,
    misses: bool,
    ui: &mut Ui,
) -> Result<Metrics, Failure> {
    let mut stores: HashMap<String, PathBuf> = HashMap::new();
    let mut tally = RecallTally::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let query: RecallCase = serde_json::from_str(line)
            .map_err(|error| Failure::refused(format!("a query is not as FORMAT.md says: {error}")))?;
        if !stores.contains_key(&query.store) {
            ui.say(format!("reading {} …", query.store));
            stores.insert(query.store.clone(), lay_out(dir, &query.store, scratch)?);
        }
        let memory = open(&stores[&query.store], scratch, &query.now, &[])?;
        if tally.queries == 0 || !scratch.join(format!("{}.done", query.store)).exists() {
            memory.recall().refresh(usize::MAX, &|| false)?;
            std::fs::write(scratch.join(format!("{}.done", query.store)), "")?;
        }
        let has_session = with_session && !query.session.is_empty();
        let session = has_session.then_some(query.id.as_str());
        let mut earlier = None;
        // The agent whose transcripts the set is written like.
        if let (Some(session), Some(host)) = (session, Host::named("claude-code")) {
            let talk = scratch.join("talk.jsonl");
            std::fs::write(&talk, transcript(&query.session, session, scratch))?;
            earlier = memory.recall().read_on(session, host, &talk, &query.query)?;
        }
        let answer = memory.recall().for_prompt(RecallRequest {
            recent_tools: &query.recent_tools,
            surfaced: &query.already_surfaced,
            session,
            earlier: earlier.as_deref(),
            room: usize::MAX,
            ..RecallRequest::new(&query.query)
        })?;
        let selected: Vec<String> = answer.selected.iter().map(|one| one.file.clone()).collect();
        let wrong = tally.add(&query, &selected);
        if misses && wrong {
            ui.line(format!(
                "{} [{}] {}\n    got {selected:?}\n    want {:?} not {:?}",
                query.id, query.kind, query.query, query.relevant, query.must_not
            ))?;
        }
    }
    Ok(tally.metrics())
}

impl RecallTally {
    /// Counts one answer. Returns whether something was wrong with it.
    fn add(&mut self, query: &RecallCase, selected: &[String]) -> bool {
        self.queries += 1;
        let hits = selected.iter().filter(|file| query.relevant.contains(file)).count();
        let counted = selected.iter().filter(|file| !query.acceptable.contains(file)).count();
        let forbidden = selected.iter().any(|file| query.must_not.contains(file));
        if !query.must_not.is_empty() {
            self.forbidden.0 += usize::from(forbidden);
            self.forbidden.1 += 1;
        }
        if query.relevant.is_empty() {
            let kind = if query.kind == "nothing" { "nothing" } else { "tool" };
            let quiet = self.quiet.entry(kind).or_default();
            quiet.0 += usize::from(counted == 0);
            quiet.1 += 1;
            return forbidden || counted > 0;
        }
        let recall = self.recall.entry(query.kind.clone()).or_default();
        recall.0 += hits as f64 / query.relevant.len() as f64;
        recall.1 += 1;
        self.hits +=
            selected.iter().filter(|file| query.relevant.contains(file) && !query.acceptable.contains(file)).count();
        self.shown += counted;
        forbidden || hits < query.relevant.len()
    }

    fn metrics(&self) -> Metrics {
        let share = |(part, all): (usize, usize)| if all == 0 { 1.0 } else { part as f64 / all as f64 };
        let by_kind: BTreeMap<String, f64> =
            self.recall.iter().map(|(kind, (sum, count))| (kind.clone(), sum / *count as f64)).collect();
        let (sum, count) = self.recall.values().fold((0.0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
        Metrics {
            queries: self.queries,
            recall_at_5: sum / f64::from(u32::try_from(count.max(1)).unwrap_or(1)),
            recall_macro: by_kind.values().sum::<f64>() / by_kind.len().max(1) as f64,
            recall_by_kind: by_kind,
            precision: share((self.hits, self.shown)),
            nothing_right: share(self.quiet.get("nothing").copied().unwrap_or_default()),
            tool_suppression_right: share(self.quiet.get("tool").copied().unwrap_or_default()),
            must_not_violations: self.forbidden.0,
            must_not_share: if self.forbidden.1 == 0 { 0.0 } else { self.forbidden.0 as f64 / self.forbidden.1 as f64 },
        }
    }
}

/// Copies a store of the set, with the ages that its `mtimes.json` gives.
fn lay_out(dir: &Path, store: &str, scratch: &Path) -> Result<PathBuf, Failure> {
    let from = dir.join("stores").join(store);
    let to = scratch.join("stores").join(store);
    std::fs::create_dir_all(&to)?;
    let times: HashMap<String, String> = std::fs::read(from.join("mtimes.json"))
        .ok()
        .and_then(|bytes| serde_json::from_slice(&bytes).ok())
        .unwrap_or_default();
    for entry in std::fs::read_dir(&from)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !name.ends_with(".md") {
            continue;
        }
        let copy = to.join(&name);
        std::fs::copy(entry.path(), &copy)?;
        if let Some(time) = times.get(&name).and_then(|time| time.parse::<jiff::Timestamp>().ok()) {
            std::fs::File::options().write(true).open(&copy)?.set_modified(time.into())?;
        }
    }
    Ok(to)
}
