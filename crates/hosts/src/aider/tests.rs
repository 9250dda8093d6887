//! aider: what the real program keeps.

use crate::Host;
use crate::install::plan;
use crate::testing::{Home, reads, wires};

#[test]
fn its_conversations_are_read() {
    reads(Host::Aider, "aider/chat.history.md", "chat.history", "hello aider", 0);
}

#[test]
fn what_is_written_into_its_configuration() {
    wires(Host::Aider, &[".aider/memdir.md", ".aider.conf.yml"]);
}

#[test]
fn its_settings_file_says_that_it_is_there() {
    let home = Home::with(&[(".aider.conf.yml", "model: x\n")]);
    assert!(home.on(|machine| plan(machine, Host::Aider)).unwrap().found);
}
