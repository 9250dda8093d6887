//! How much a proposal may change at once.
//!
//! Enters: nothing but limits. Leaves: bounds for each kind of run. Checking them is for the rooms beside this one.

use std::sync::Arc;

use super::Support;
use memdir_core::limits;
use memdir_guard::confine::RelPath;

/// How much may change at once.
#[derive(Clone, Debug)]
pub(crate) struct Bounds {
    /// New memories; if there are more, none is saved.
    pub new_files: usize,
    /// Which memories may go.
    pub removals: AllowedRemovals,
    /// How much may be lost of what is known.
    pub loss: LossLimit,
    /// What was said, where new text must come from there; `None`: nobody asks where it comes from.
    pub grounds: Option<Arc<dyn Support>>,
    /// Whether new text was said just now, so that its relative dates have a day. A dream moves text that stands,
    /// which is never dated (H2).
    pub dated: bool,
}

/// Which memories may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AllowedRemovals {
    /// None.
    None,
    /// These, as somebody asked for it.
    These(Vec<RelPath>),
    /// Any, as far as the loss allows.
    Any,
}

/// How much may be lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LossLimit {
    /// This many memories may lose most of what they say.
    Rewrites(usize),
    /// So much of all that is known, from 0 to 1.
    Share(f64),
}

impl Bounds {
    /// What the extraction after a turn may do.
    pub(crate) fn extraction() -> Bounds {
        Bounds {
            new_files: limits::EXTRACT_NEW_FILES,
            removals: AllowedRemovals::None,
            loss: LossLimit::Rewrites(limits::EXTRACT_REWRITES),
            grounds: None,
            dated: true,
        }
    }

    /// What a dream may do (`dream.max_loss`).
    pub(crate) fn dream(max_loss: f64) -> Bounds {
        Bounds {
            new_files: limits::DREAM_NEW_FILES,
            removals: AllowedRemovals::Any,
            loss: LossLimit::Share(max_loss),
            grounds: None,
            dated: false,
        }
    }
}
