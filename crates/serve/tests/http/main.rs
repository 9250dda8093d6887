//! The server in this process, on a port of its own, and raw requests to it.

#![allow(clippy::disallowed_methods, clippy::unwrap_used, reason = "tests set up their own files")]

mod errors;
mod load;
mod page;
mod strangers;
