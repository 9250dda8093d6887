//! Ctrl-C: work that has begun is stopped where it can stop, and not cut off.
//!
//! Enters: nothing. Leaves: a switch that the first signal to end (Ctrl-C, a closed terminal, `kill`) turns,
//! for as long as it is held. A second signal ends the process as ever, and so does the first when nothing is
//! held; whoever comes next finds what was left and takes over.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use memdir::model::Cancel;
use signal_hook::flag;

use crate::system::ENDING;

/// What the handlers look at; they are put in once and stay.
struct SignalFlags {
    /// Nothing wants to be stopped gently: a signal does what it always does.
    idle: Arc<AtomicBool>,
    /// A signal came.
    turned: Arc<AtomicBool>,
}

static FLAGS: OnceLock<SignalFlags> = OnceLock::new();

/// Stops what it is handed to; while it lives, one signal does not end the process.
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From here on the first signal turns the switch.
    pub(crate) fn hold() -> Interrupt {
        let flags = FLAGS.get_or_init(|| {
            let (idle, turned) = (Arc::new(AtomicBool::new(true)), Arc::new(AtomicBool::new(false)));
            for &signal in ENDING {
                // In this order: the first signal finds the switch off. One that cannot be caught ends the process.
                let _ = flag::register_conditional_default(signal, Arc::clone(&idle));
                let _ = flag::register_conditional_default(signal, Arc::clone(&turned));
                let _ = flag::register(signal, Arc::clone(&turned));
            }
            SignalFlags { idle, turned }
        });
        flags.turned.store(false, Ordering::Release);
        flags.idle.store(false, Ordering::Release);
        Interrupt(Arc::clone(&flags.turned))
    }

    /// The switch.
    pub(crate) fn cancel(&self) -> Cancel {
        Cancel::on(Arc::clone(&self.0))
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        if let Some(flags) = FLAGS.get() {
            flags.idle.store(true, Ordering::Release);
        }
    }
}
