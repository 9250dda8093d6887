//! Whether the agents that were wired still are: an update or an edit may have cut a wire.
//!
//! Enters: the machine. Leaves: which agents are wired, for `status`; a finding for each agent of which only a part is wired, and for whatever keeps one from
//! running what is wired (B4), for `doctor` and for `status`; and what concerns an agent of which one hook still runs, for its user, once. An
//! agent that was never wired is not a fault: nobody asked for it.

use super::group::grouped;
use super::{Checkup, Level};
use crate::engine::{Advice, Announcement, Error, Hint, Next, Sessions};
use memdir_hosts::Host;
use memdir_hosts::install::{self, Machine, Obstacle};
use memdir_store::fs::{self, Durability};

impl Checkup {
    /// Looks at every agent's configuration.
    pub fn look_at_wiring(&mut self, machine: &Machine<'_>) {
        for WiringFault { message, advice } in faults(machine) {
            self.push("wiring", Level::Warning, None, message, advice);
        }
        self.findings = grouped(std::mem::take(&mut self.findings));
    }
}

/// What is wrong with the wiring of one agent.
pub(in crate::engine) struct WiringFault {
    /// What it is.
    pub(in crate::engine) message: String,
    /// What to do about it.
    pub(in crate::engine) advice: Advice,
}

/// Looks at every agent that was wired.
pub(in crate::engine) fn faults(machine: &Machine<'_>) -> Vec<WiringFault> {
    Host::ALL.into_iter().flat_map(|host| faults_of(machine, host)).collect()
}

/// An agent that memdir was wired into.
#[derive(Clone, Debug, serde::Serialize)]
pub struct WiredAgent {
    /// Which one.
    pub name: Host,
    /// Its name for people.
    pub title: &'static str,
    /// Whether it runs what is wired, as far as that can be told.
    pub runs: bool,
}

/// The agents that memdir was wired into.
pub fn wired_agents(machine: &Machine<'_>) -> Vec<WiredAgent> {
    let wired = |host: &Host| install::plan_removal(machine, *host).is_ok_and(|there| !there.changes.is_empty());
    let agent = |host: Host| WiredAgent {
        name: host,
        title: host.profile().title,
        runs: install::plan(machine, host)
            .is_ok_and(|plan| plan.problem.is_none() && plan.changes.is_empty() && plan.obstacles.is_empty()),
    };
    Host::ALL.into_iter().filter(wired).map(agent).collect()
}

fn faults_of(machine: &Machine<'_>, host: Host) -> Vec<WiringFault> {
    let (Ok(missing), Ok(there)) = (install::plan(machine, host), install::plan_removal(machine, host)) else {
        return Vec::new();
    };
    // What we cannot read any more, the agent cannot read either.
    if let Some(problem) = missing.problem.as_ref().filter(|_| missing.known) {
        let message = format!("{} does not run memdir's hooks as it should: {problem}", host.profile().title);
        return vec![WiringFault { message, advice: "repair that file".into() }];
    }
    if there.changes.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let cut: Vec<String> = missing.changes.iter().map(|change| change.path.display().to_string()).collect();
    if !cut.is_empty() {
        let message = format!("memdir is wired into {host} only in part; {} lacks it", cut.join(", "));
        let advice = Advice::new(format!("wire {host} again"), Hint::Wire(host));
        found.push(WiringFault { message, advice });
    }
    let obstacles = missing.obstacles.into_iter();
    found.extend(obstacles.map(|Obstacle { message, remedy }| WiringFault { message, advice: remedy.into() }));
    found
}

impl Sessions<'_> {
    /// What is wrong with the wiring of an agent that is speaking to us all the same, and was not said yet: what was put right and
    /// comes back is said again (B2, B4).
    pub fn new_wiring_faults(&self, machine: &Machine<'_>, host: Host) -> Result<Vec<Announcement>, Error> {
        let found = faults_of(machine, host);
        let file = self.memory.extract_dir()?.join(format!("wiring-{host}.json"));
        let bytes = fs::read_beside(&file)?;
        let said: Vec<String> = serde_json::from_slice(&bytes).unwrap_or_default();
        let now: Vec<&str> = found.iter().map(|fault| fault.message.as_str()).collect();
        if now.is_empty() && !bytes.is_empty() {
            fs::remove(&file)?;
        } else if now != said {
            if let Some(dir) = file.parent() {
                fs::create_private_dir(dir)?;
            }
            fs::replace(&file, &serde_json::to_vec(&now).unwrap_or_default(), Durability::Cache)?;
        }
        let new = found.into_iter().filter(|fault| !said.contains(&fault.message));
        Ok(new
            .map(|WiringFault { message, advice }| Announcement {
                text: message,
                next: match advice.hint {
                    Some(Hint::Wire(host)) => Next::Rewire(host.to_string()),
                    _ => Next::ByHand(advice.text),
                },
            })
            .collect())
    }
}
