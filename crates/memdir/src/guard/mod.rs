//! What must never get in: paths that leave their root, secrets, commands that do more than read.
//!
//! Enters: paths and text from anywhere. Leaves: a checked path, findings, or a plan. Never touches a
//! file and never writes.

pub mod confine;
pub mod secrets;
pub mod shell;
