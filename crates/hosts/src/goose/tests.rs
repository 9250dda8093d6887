//! goose: what the real client keeps.

use crate::Host;
use crate::testing::{fixture, read_all, reads, wires};
use crate::transcript::Role;

#[test]
fn its_conversations_are_read() {
    reads(Host::Goose, "goose/session-export.json", "20261115_1", "please run the tools", 1);
}

/// Newer versions say what time it is after each prompt, under the person's name.
#[test]
fn what_it_says_in_the_persons_place_is_not_theirs() {
    let (_, messages) = read_all(&fixture("goose/sessions-1.52.db").join("20261115_1"), Host::Goose, None).unwrap();
    let own: Vec<&str> = messages.iter().filter(|one| one.is_own()).map(|one| one.text.as_str()).collect();
    assert_eq!(own, ["Please remember what I said of the ledger service"]);
    assert!(messages.iter().any(|one| one.role == Role::User && one.text.starts_with("<turn-context>")));
    assert_eq!(
        messages.iter().flat_map(|one| &one.tool_uses).map(|used| &*used.name).collect::<Vec<_>>(),
        ["memdir__remember"]
    );
}

#[test]
fn what_is_written_into_its_configuration() {
    wires(Host::Goose, &[".config/goose/config.yaml", ".config/goose/.goosehints"]);
}
