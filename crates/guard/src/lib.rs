//! What must never get in: paths that leave their root, secrets, prompt injections, commands that do more than read;
//! and how what is in is shown.
//!
//! Enters: paths and text from anywhere. Leaves: a checked path, findings, or a plan. Never touches a
//! file and never writes.

pub mod confine;
pub mod markup;
pub mod prompt_injection;
pub mod secrets;
pub mod shell;
pub mod shown;
