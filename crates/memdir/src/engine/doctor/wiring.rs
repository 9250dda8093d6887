//! Whether the agents that were wired still are: an update or an edit may have cut a wire.
//!
//! Enters: the machine. Leaves: a finding for each agent of which only a part is wired. An agent that
//! was never wired is no fault: nobody asked for it.

use super::group::grouped;
use super::{Checkup, Level};
use crate::engine::{Advice, Hint};
use memdir_hosts::Host;
use memdir_hosts::install::{self, Machine};

impl Checkup {
    /// Looks at every agent's configuration.
    pub fn look_at_wiring(&mut self, machine: &Machine<'_>) {
        for host in Host::ALL {
            let (Ok(missing), Ok(there)) = (install::plan(machine, host), install::plan_removal(machine, host)) else {
                continue;
            };
            let cut: Vec<String> = missing.changes.iter().map(|change| change.path.display().to_string()).collect();
            if !there.changes.is_empty() && !cut.is_empty() {
                let message = format!("memdir is wired into {host} only in part; {} lacks it", cut.join(", "));
                self.push(
                    "wiring",
                    Level::Warning,
                    None,
                    message,
                    Advice::new(format!("wire {host} again"), Hint::Wire(host)),
                );
            }
        }
        self.findings = grouped(std::mem::take(&mut self.findings));
    }
}
