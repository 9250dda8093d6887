//! What must never get in: paths that leave their root, and secrets.
//!
//! Enters: paths and text from anywhere. Leaves: a checked path, or findings. Never touches a
//! file and never writes.

pub mod confine;
pub mod secrets;
