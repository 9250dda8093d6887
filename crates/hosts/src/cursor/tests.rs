//! Cursor: a configuration as its documentation describes it.

use crate::Host;
use crate::testing::{Home, fixture, wires};

#[test]
fn what_is_written_into_its_configuration() {
    wires(Host::Cursor, &[".cursor/mcp.json"]);
}

#[test]
fn the_servers_that_a_user_has_stay() {
    let own = std::fs::read_to_string(fixture("cursor/mcp.json")).unwrap();
    let home = Home::with(&[(".cursor/mcp.json", &own)]);
    home.init(Host::Cursor).unwrap();
    let wired = home.read(".cursor/mcp.json");
    let parsed = jsonc_parser::cst::CstRootNode::parse(&wired, &jsonc_parser::ParseOptions::default()).unwrap();
    let servers = &parsed.to_serde_value().unwrap()["mcpServers"];
    assert_eq!(servers["memdir"]["args"][0], "mcp", "{wired}");
    assert_eq!(servers["weather"]["command"], "weather-server", "{wired}");
    home.remove(Host::Cursor).unwrap();
    assert_eq!(home.read(".cursor/mcp.json"), own);
}
