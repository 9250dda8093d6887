//! One judge for every way into memory: what something said anew is to what is known (K1–K4, K7).
//!
//! Enters: a statement, and the memories nearest to it. Leaves: a verdict — new, the same, a change of one memory, more detail of
//! one, the end of one, or undecided — and, for a change, the memory as it reads afterwards. `remember`, extraction, import, dreams and
//! the doctor all ask here, so they decide alike. Never writes, and never decides by a list of phrases: the reader reads the statement
//! and each near memory together.

mod body;
mod claims;
mod exchange;
mod habit;
mod known;
mod land;
mod readings;
mod revise;
mod scope;
mod standing;
mod swap;
mod unsaid;
mod values;
mod verdict;

pub(super) use body::with_label;
pub(super) use habit::is_habit_of;
pub(super) use known::KnownMemory;
pub(super) use readings::Readings;
pub(super) use revise::{NewStatement, Revised, refine, revise};
pub(super) use standing::{BothWays, ComparedMemory, differ_in_one_value};
pub(super) use verdict::{Between, Judge, Verdict};
