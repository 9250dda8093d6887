//! Ctrl-C: work that has begun is stopped where it can stop, and not cut off.
//!
//! Enters: nothing. Leaves: a switch that the first signal to end (Ctrl-C, a closed terminal, `kill`) turns.
//! The second one ends the process at once; whoever comes next finds what it held and takes over.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use memdir::model::Cancel;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// What a shell says of a process that was ended by Ctrl-C.
const ENDED: i32 = 130;

/// The switch. From here on a signal turns it, for as long as the process lives.
pub(crate) fn switch() -> Cancel {
    let turned = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // In this order: the first signal finds the switch off. One that cannot be caught ends the process, as ever.
        let _ = flag::register_conditional_shutdown(signal, ENDED, Arc::clone(&turned));
        let _ = flag::register(signal, Arc::clone(&turned));
    }
    Cancel::on(turned)
}
