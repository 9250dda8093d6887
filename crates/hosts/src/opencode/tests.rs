//! opencode: what the real client keeps, and our plugin in it.

use serde_json::json;

use crate::event::{Action, Event};
use crate::testing::{fixture, read_all, reads, repository, wires};
use crate::{Host, wire};

#[test]
fn what_our_plugin_says_is_understood() {
    for (event, more, kind) in [
        ("prompt", json!({ "prompt": "fix it" }), Event::Prompt("fix it".into())),
        ("before-tool", json!({ "input": { "command": "make" } }), Event::BeforeTool(Action::Command("make".into()))),
        ("after-tool", json!({ "input": { "filePath": "b.rs" } }), Event::AfterTool(Action::Read("b.rs".into()))),
        ("turn-end", json!({}), Event::TurnEnd { again: false }),
        ("before-compact", json!({}), Event::BeforeCompact),
        ("after-compact", json!({}), Event::AfterCompact),
        ("anything", json!({}), Event::Ignored("memdir has nothing to do then")),
    ] {
        let mut said = json!({ "event": event, "session": "s", "cwd": "/w" });
        said.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let call = wire::read(Host::Opencode, said.to_string().as_bytes(), None);
        assert_eq!((call.event, call.session.as_deref()), (kind, Some("s")), "{event}");
    }
}

#[test]
fn its_conversations_are_read() {
    let session = "ses_e221bb646ffedXMoubkXMaIrnW";
    reads(Host::Opencode, "opencode/export.json", session, "please run the tools", 2);
    reads(Host::Opencode, "opencode/db-rows.jsonl", session, "please run the tools", 0);
}

#[test]
fn what_the_person_took_back_is_not_read() {
    let (_, messages) = read_all(&fixture("opencode/opencode.db").join("ses_reverted"), Host::Opencode, None).unwrap();
    assert_eq!(messages.iter().map(|message| message.text.as_str()).collect::<Vec<_>>(), ["keep this"]);
}

#[test]
fn what_is_written_into_its_configuration() {
    wires(Host::Opencode, &[".config/opencode/plugins/memdir.js"]);
    let packaged = std::fs::read_to_string(repository("integrations/opencode/memdir.js")).unwrap();
    assert_eq!(packaged, super::install::PLUGIN);
}
