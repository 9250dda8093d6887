//! Zed: a configuration as its documentation describes it.

use crate::Host;
use crate::testing::{Home, fixture, wires};

#[test]
fn what_is_written_into_its_configuration() {
    wires(Host::Zed, &[".config/zed/settings.json", ".config/zed/AGENTS.md"]);
}

#[test]
fn the_servers_that_a_user_has_stay() {
    let own = std::fs::read_to_string(fixture("zed/settings.json")).unwrap();
    let home = Home::with(&[(".config/zed/settings.json", &own)]);
    home.init(Host::Zed).unwrap();
    let wired = home.read(".config/zed/settings.json");
    let parsed = jsonc_parser::cst::CstRootNode::parse(&wired, &jsonc_parser::ParseOptions::default()).unwrap();
    let servers = &parsed.to_serde_value().unwrap()["context_servers"];
    assert_eq!(servers["memdir"]["args"][0], "mcp", "{wired}");
    assert_eq!(servers["weather"]["command"], "weather-server", "{wired}");
    home.remove(Host::Zed).unwrap();
    assert_eq!(home.read(".config/zed/settings.json"), own);
}
