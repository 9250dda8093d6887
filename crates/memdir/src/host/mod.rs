//! What a host says: which agents there are, and what was said in their conversations.
//!
//! Enters: files that other programs wrote. Leaves: messages, each with who spoke and whether the
//! words are that person's own. Never writes, and never trusts: a line that makes no sense is
//! stepped over, text that a host or a hook put in is marked as such.
//!
//! - [`transcript`]: conversations as the hosts keep them.

pub mod transcript;
