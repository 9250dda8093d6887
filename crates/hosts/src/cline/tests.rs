//! Cline: what the real client keeps.

use std::path::Path;

use crate::Host;
use crate::testing::{reads, wires};

#[test]
fn its_conversations_are_read() {
    reads(Host::Cline, "cline/messages.json", "1794724481455_9pz12", "please run the tools", 1);
}

#[test]
fn a_session_is_named_by_its_file_or_in_an_editor_by_its_folder() {
    let kept = Host::Cline.definition().transcripts.as_ref().unwrap();
    for path in ["/h/.cline/data/sessions/c1/c1.messages.json", "/h/tasks/c1/api_conversation_history.json"] {
        assert_eq!((kept.session_of)(Path::new(path)).as_deref(), Some("c1"), "{path}");
    }
}

#[test]
fn what_is_written_into_its_configuration() {
    let files = [".cline/data/settings/cline_mcp_settings.json", "Documents/Cline/Rules/memdir.md"];
    wires(Host::Cline, &files);
}
