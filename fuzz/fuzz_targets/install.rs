//! Agents' configuration: whatever stands in it is kept, and what is planned for a file that has it all is nothing.
//!
//! Input: a configuration file, as the one of each host.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use memdir::hosts::Host;
use memdir::hosts::install::{Machine, plan};
use memdir::surroundings::Surroundings;
use memdir_fuzz::scratch;

static DIR: LazyLock<PathBuf> = LazyLock::new(|| scratch("install"));

fuzz_target!(|data: &[u8]| {
    let home = DIR.join("home");
    let around = Surroundings {
        cwd: home.clone(),
        home: Some(home.clone()),
        config_dir: Some(home.join(".config")),
        state_dir: Some(DIR.join("state")),
        ..Surroundings::default()
    };
    let machine = Machine {
        around: &around,
        has_program: &|_| true,
        memdir: "memdir",
        state: &DIR.join("state"),
        instructions: "Ask memdir.\n",
    };
    for host in Host::ALL {
        let _ = std::fs::remove_dir_all(&*DIR);
        std::fs::create_dir_all(&home).expect("a home");
        let Ok(first) = plan(&machine, host) else { continue };
        // The same bytes wherever it would write.
        for change in &first.changes {
            std::fs::create_dir_all(change.path.parent().expect("a directory")).expect("a directory");
            std::fs::write(&change.path, data).expect("a configuration");
        }
        let Ok(planned) = plan(&machine, host) else { continue };
        for change in &planned.changes {
            if let Some(after) = &change.after {
                std::fs::write(&change.path, after).expect("as planned");
            }
        }
        if !planned.changes.is_empty() {
            let again = plan(&machine, host).expect("what was planned can be read");
            assert!(again.problem.is_none(), "{host:?}: {:?}", again.problem);
            assert!(again.changes.is_empty(), "{host:?}: planned twice");
        }
    }
});
