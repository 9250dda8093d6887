//! What must never get in: paths that leave their root, secrets, planted orders, commands that do more than read.
//!
//! Enters: paths and text from anywhere. Leaves: a checked path, findings, or a plan. Never touches a
//! file and never writes.

pub mod confine;
pub mod orders;
pub mod secrets;
pub mod shell;
