//! What hosts and models are told about each tool: its parameters, what it answers, whether it changes anything.

use super::history::{HistoryAnswer, UndoAnswer};
use super::read::{ReadAnswer, RecallAnswer, SearchAnswer};
use super::write::{ForgetAnswer, RememberAnswer};

/// A tool's parameters: name, allowed words (none: any text), whether it must be given.
type Parameters = &'static [(&'static str, &'static [&'static str], bool)];

/// What hosts and models are told about a tool.
pub(in crate::mcp) struct Spec {
    pub(in crate::mcp) name: &'static str,
    pub(in crate::mcp) title: &'static str,
    pub(in crate::mcp) parameters: Parameters,
    pub(in crate::mcp) output: fn() -> std::sync::Arc<rmcp::model::JsonObject>,
    pub(in crate::mcp) read_only: bool,
    pub(in crate::mcp) destructive: bool,
    /// Worth having at hand in hosts that load tools only when they look for one.
    pub(in crate::mcp) always: bool,
}

const TYPES: &[&str] = &["user", "feedback", "project", "reference"];
const REACHES: &[&str] = &["user", "project", "local"];
const SCOPES: &[&str] = &["private", "team", "user"];

/// The tools, in the order they are listed.
pub(in crate::mcp) const SPECS: [Spec; 7] = [
    Spec {
        name: "recall",
        title: "Recall memories",
        parameters: &[("query", &[], true)],
        output: rmcp::handler::server::common::schema_for_output::<RecallAnswer>,
        read_only: true,
        destructive: false,
        always: true,
    },
    Spec {
        name: "search",
        title: "Search memories",
        parameters: &[("term", &[], true)],
        output: rmcp::handler::server::common::schema_for_output::<SearchAnswer>,
        read_only: true,
        destructive: false,
        always: false,
    },
    Spec {
        name: "read",
        title: "Read a memory",
        parameters: &[("file", &[], true)],
        output: rmcp::handler::server::common::schema_for_output::<ReadAnswer>,
        read_only: true,
        destructive: false,
        always: false,
    },
    Spec {
        name: "remember",
        title: "Remember",
        parameters: &[
            ("text", &[], true),
            ("type", TYPES, false),
            ("name", &[], false),
            ("description", &[], false),
            ("why", &[], false),
            ("apply", &[], false),
            ("scope", SCOPES, false),
            ("agent", &[], false),
            ("agent_scope", REACHES, false),
        ],
        output: rmcp::handler::server::common::schema_for_output::<RememberAnswer>,
        read_only: false,
        destructive: false,
        always: true,
    },
    Spec {
        name: "forget",
        title: "Forget a memory",
        parameters: &[("file", &[], true)],
        output: rmcp::handler::server::common::schema_for_output::<ForgetAnswer>,
        read_only: false,
        destructive: true,
        always: false,
    },
    Spec {
        name: "history",
        title: "History of memory",
        parameters: &[("file", &[], false)],
        output: rmcp::handler::server::common::schema_for_output::<HistoryAnswer>,
        read_only: true,
        destructive: false,
        always: false,
    },
    Spec {
        name: "undo",
        title: "Undo a change of memory",
        parameters: &[("change", &[], false)],
        output: rmcp::handler::server::common::schema_for_output::<UndoAnswer>,
        read_only: false,
        destructive: true,
        always: false,
    },
];
