//! What the program does differently on each system: process families, signals, the terminal, a shell, an editor.
//!
//! `unix.rs` and `windows.rs` have the same functions; nobody else in this crate asks which system it is. Files
//! are not in here: they are the library's.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(crate) use windows::*;

/// What came of waiting for somebody to type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum InputState {
    /// There is something to read, or nothing yet.
    Maybe,
    /// The terminal is gone, and nobody will type any more.
    Gone,
}

/// How a family of processes is ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopMode {
    /// Asked to, where the system has a way to ask.
    Gently,
    /// Made to.
    AtOnce,
}
