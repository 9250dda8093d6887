//! Claude Code's hooks: the words that other hosts took over.

pub(super) use crate::wire::claude_like::read;
