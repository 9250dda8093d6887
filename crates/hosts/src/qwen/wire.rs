//! Qwen Code's hooks: Claude Code's words. It says the prompt again, empty, after each round of tools, and an empty
//! prompt is ignored.

pub(super) use crate::wire::claude_like::read;
