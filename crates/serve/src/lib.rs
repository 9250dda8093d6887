//! memdir for other programs: MCP on stdio and HTTP, a JSON API, and the page.
//!
//! Enters: requests of agents and browsers. Leaves: what the verbs of [`memdir::engine`] say, in
//! the words of each protocol. Nothing is decided here that the library does not decide; this
//! is the only crate with an asynchronous runtime, and the library's blocking work runs beside it.
//!
//! - [`context`]: how memory is opened for a request.
//! - [`mcp`]: the Model Context Protocol.
//! - [`http`]: the API, the page, and MCP over HTTP.

pub mod change_token;
pub mod context;
pub mod http;
pub mod mcp;
mod model_texts;

pub use context::ServeContext;

/// Why a server ended, or never began.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// No runtime, no socket.
    #[error("the server could not be started: {0}")]
    Start(#[source] std::io::Error),
    /// The conversation broke off.
    #[error("the connection to the agent broke off: {0}")]
    Broken(String),
}
