//! Whether the agents that were wired still are: an update or an edit may have cut a wire.
//!
//! Enters: the machine. Leaves: a finding for each agent of which only a part is wired, and for whatever keeps one from
//! running what is wired (B4), for `doctor` and for `status`. An agent that was never wired is no fault: nobody asked for it.

use super::group::grouped;
use super::{Checkup, Level};
use crate::engine::{Advice, Hint};
use memdir_hosts::Host;
use memdir_hosts::install::{self, Machine, Obstacle};

impl Checkup {
    /// Looks at every agent's configuration.
    pub fn look_at_wiring(&mut self, machine: &Machine<'_>) {
        for Fault { message, advice } in faults(machine) {
            self.push("wiring", Level::Warning, None, message, advice);
        }
        self.findings = grouped(std::mem::take(&mut self.findings));
    }
}

/// What is wrong with the wiring of one agent.
pub(in crate::engine) struct Fault {
    /// What it is.
    pub(in crate::engine) message: String,
    /// What to do about it.
    pub(in crate::engine) advice: Advice,
}

/// Looks at every agent that was wired.
pub(in crate::engine) fn faults(machine: &Machine<'_>) -> Vec<Fault> {
    let mut found = Vec::new();
    for host in Host::ALL {
        let (Ok(missing), Ok(there)) = (install::plan(machine, host), install::plan_removal(machine, host)) else {
            continue;
        };
        // What we cannot read any more, the agent cannot read either.
        if let Some(problem) = missing.problem.as_ref().filter(|_| missing.known) {
            let message = format!("{} does not run memdir's hooks as it should: {problem}", host.profile().title);
            found.push(Fault { message, advice: "repair that file".into() });
            continue;
        }
        if there.changes.is_empty() {
            continue;
        }
        let cut: Vec<String> = missing.changes.iter().map(|change| change.path.display().to_string()).collect();
        if !cut.is_empty() {
            let message = format!("memdir is wired into {host} only in part; {} lacks it", cut.join(", "));
            let advice = Advice::new(format!("wire {host} again"), Hint::Wire(host));
            found.push(Fault { message, advice });
        }
        found.extend(
            missing.obstacles.into_iter().map(|Obstacle { message, remedy }| Fault { message, advice: remedy.into() }),
        );
    }
    found
}
