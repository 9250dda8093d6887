//! Which project a host works in, by the directories it names (`roots`).
//!
//! Enters: a request of a host that can be asked. Leaves: its first directory on this machine.
//! Asked once, and again when the host says that it changed; a host that does not answer in time
//! is not asked again.

// The newest protocol has no roots; those before it do, and so do today's hosts.
#![allow(deprecated)]

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use memdir::limits::MCP_ROOTS_SECONDS;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use tokio::sync::Mutex;

/// What is known of a host's directories.
#[derive(Clone, Default)]
pub(super) struct Roots(Arc<Mutex<Answer>>);

#[derive(Default)]
enum Answer {
    #[default]
    NotAsked,
    Given(Option<PathBuf>),
}

impl Roots {
    /// The first directory.
    pub(super) async fn first(&self, call: &RequestContext<RoleServer>) -> Option<PathBuf> {
        let mut known = self.0.lock().await;
        if let Answer::Given(root) = &*known {
            return root.clone();
        }
        let has_roots = call.client_capabilities().is_some_and(|capabilities| capabilities.roots.is_some());
        let root = if has_roots {
            let patience = Duration::from_secs(MCP_ROOTS_SECONDS);
            let answer = tokio::time::timeout(patience, call.peer.list_roots()).await;
            let roots = answer.ok().and_then(Result::ok).map(|answer| answer.roots).unwrap_or_default();
            roots.iter().find_map(|root| directory(&root.uri))
        } else {
            None
        };
        *known = Answer::Given(root.clone());
        root
    }

    /// The host has other directories now.
    pub(super) async fn forget(&self) {
        *self.0.lock().await = Answer::NotAsked;
    }
}

/// The directory of a `file://` address, if it is there.
fn directory(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = PathBuf::from(super::resources::decoded(path)?);
    (path.is_absolute() && path.is_dir()).then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directories_of_this_machine_count() {
        let dir = tempfile::tempdir().unwrap();
        let odd = dir.path().join("a b%");
        assert!(std::process::Command::new("mkdir").arg(&odd).status().unwrap().success());
        let shown = odd.display().to_string().replace('%', "%25").replace(' ', "%20");
        assert_eq!(directory(&format!("file://{shown}")), Some(odd.clone()));
        assert_eq!(directory(&format!("file://localhost{shown}")), Some(odd));
        for uri in ["https://example.org/", "file:///no/such/directory", "file://other/host", "file://%ff", ""] {
            assert_eq!(directory(uri), None, "{uri}");
        }
    }
}
