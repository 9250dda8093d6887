//! Configurations as people really have them, and worse: in and out leaves every byte.

use saphyr::{LoadableYamlNode, Yaml};

use super::*;

pub(super) const JSON: &[&str] = &[
    "{}",
    "{}\n",
    "",
    "\n",
    "{\"model\":\"opus\"}",
    "\u{feff}{\"model\":\"opus\"}\n",
    "{\r\n  \"model\": \"opus\"\r\n}\r\n",
    "{\n\t// tabs, comments\n\t\"a\": 1, /* and */\n\t\"b\": [1, 2,],\n}\n",
    "{\n  \"hooks\": {}\n}",
    "{\n  \"hooks\": { \"SessionStart\": [] }, // none yet\n}",
    "{\n  \"hooks\": {\n    \"SessionStart\": [\n      { \"hooks\": [ { \"type\": \"command\", \"command\": \"echo hi\" } ] } // mine\n    ],\n    \"Stop\": [{\"matcher\":\"x\",\"hooks\":[]}]\n  },\n  \"z\": null\n}\n",
    "// nothing but a comment first\n{ \"a\": { \"b\": { } } }",
    "{ \"mcpServers\": {}, \"context_servers\": {} }",
    "{\n  // servers of mine\n  \"mcpServers\": {\n    \"one\": { \"command\": \"one\", \"args\": [] }, // first\n  },\n  \"context_servers\": { \"one\": { \"command\": \"one\" } }\n}\n",
    "{\"mcpServers\":{\"one\":{\"command\":\"one\"}},\"hooks\":{\"Stop\":[]}}",
];

const TOML: &[&str] = &[
    "",
    "\n",
    "# only a comment",
    "model = \"m\"",
    "\u{feff}model = \"m\"\n",
    "model = \"m\"\r\n\r\n[a]\r\nb = 1\r\n",
    "# odd order\n[tui]\ntheme = \"x\"\n\n[mcp_servers.b]\ncommand = \"b\"\n\n[a.b.c]\nd = 1 # why\n\n[mcp_servers.a]\ncommand = \"a\"\nargs = [\n  \"x\", # one\n]\n\n[tui.more]\nz = 2\n# end\n",
    "mcp_servers = { a = { command = \"a\" } } # inline\n[x]\ny = 1\n",
    "mcp_servers.a.command = \"a\"\nmcp_servers.a.args = []\n\n[x]\ny = 1",
    "[mcp_servers]\na = { command = \"a\" }\n\n[[list]]\nn = 1\n[[list]]\nn = 2\n",
    "[mcp_servers]\n",
    "[hooks.state.\"/home/me/.codex/hooks.json:stop:0:0\"]\ntrusted_hash = \"sha256:00\"\n",
    "text = \"\"\"\n[mcp_servers.memdir]\nnot a table\n\"\"\"\n",
];

const YAML: &[&str] = &[
    "",
    "\n",
    "# only a comment",
    "GOOSE_PROVIDER: openai",
    "\u{feff}GOOSE_PROVIDER: openai\n",
    "---\nGOOSE_PROVIDER: openai\r\nextensions:\r\n  developer:\r\n    enabled: true\r\n",
    "extensions: {} # none\nread: []   # none\n",
    "extensions:\nread:\nx: 1",
    "extensions: ~\nread: null\n",
    "# mine\nextensions:\n    developer: # four blanks\n        enabled: true\n        args: []\n\n    # the other one\n    memory:\n        enabled: false\n# after\nGOOSE_MODEL: m\n",
    "extensions:\n  a:\n    text: |\n      extensions:\n      # not a comment\n\n      more\nz: 1\n",
    "read: CONVENTIONS.md # mine\nextensions:\n  a: {enabled: true}",
    "read: [a.md, 'b c.md'] # mine\nmodel: x\n",
    "read:\n- a.md\n- \"b.md\" # two\nmodel: x\nextensions:\n  a:\n    args:\n    - x\n",
    "read:\n    - a.md\n\n    # last\n    - b.md\n\nmodel: x",
    "\"read\": 'a.md'\n\"extensions\":\n  \"a\": {}\n",
];

fn configs(file: &str) -> Vec<&'static str> {
    match file.rsplit('.').next().unwrap_or_default() {
        "json" => JSON.to_vec(),
        "toml" => TOML.to_vec(),
        "yaml" | "yml" => YAML.to_vec(),
        _ => ["", "x\n", "x\r\ny", "\u{feff}x\n\n"].to_vec(),
    }
}

#[test]
fn in_and_out_leaves_every_byte() {
    for host in Host::ALL {
        let files = files_of(host);
        for file in &files {
            for config in configs(file) {
                let home = Home::with(&[(file, config), ("other.txt", "x")]);
                let before = home.all();
                let plan = home.init(host).unwrap_or_else(|error| panic!("{host} {config:?}: {error}"));
                assert!(plan.problem.is_none(), "{host} {file} {config:?}: {plan:?}");
                assert_eq!(plan.changes.len(), files.len(), "{host} {file} {config:?}");
                let once = home.read(file);
                assert!(once.contains("memdir"), "{host} {config:?}");
                assert!(home.init(host).unwrap().changes.is_empty(), "{host} {config:?}: twice is once\n{once}");
                home.remove(host).unwrap();
                assert_eq!(home.all(), before, "{host} {file} {config:?}");
            }
        }
    }
}

/// A person adds a line of their own: what is ours goes, theirs stays, and so does what the file said before.
#[test]
fn in_an_edit_and_out_leaves_what_the_file_said_and_the_edit() {
    for (host, file, more) in [
        (Host::Codex, ".codex/config.toml", "\n[later]\nb = 2\n"),
        (Host::Goose, ".config/goose/config.yaml", "\nlater: 2\n"),
        (Host::Aider, ".aider.conf.yml", "\nlater: 2\n"),
    ] {
        for config in configs(file) {
            let home = Home::with(&[(file, config)]);
            home.init(host).unwrap();
            let wired = home.read(file);
            home.put(file, &(wired.clone() + more));
            home.remove(host).unwrap();
            let after = home.read(file);
            assert!(!after.contains("memdir") || config.contains("memdir"), "{file} {config:?}: {after}");
            let wanted = format!("{config}{more}");
            assert_eq!(said(file, &after), said(file, &wanted), "{file} {config:?}\nwired {wired}\nafter {after}");
            for comment in config.lines().filter_map(|line| line.split_once('#')) {
                assert!(after.contains(comment.1), "{file} {config:?}: {after}");
            }
            // The machine reads what we wrote as we meant it.
            assert!(said(file, &wired).contains("memdir"), "{wired}");
        }
    }
}

/// What a file says, whatever its style; nothing, an empty list and a list of one are what they hold.
fn said(file: &str, text: &str) -> String {
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    if file.ends_with("toml") {
        let document: toml_edit::DocumentMut = text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut lines: Vec<String> = Vec::new();
        flat("", document.as_item(), &mut lines);
        lines.sort();
        return lines.join("\n");
    }
    let documents = Yaml::load_from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let mut lines = Vec::new();
    for document in documents.iter().take(1) {
        leaves("", document, &mut lines);
    }
    lines.sort();
    lines.join("\n")
}

fn flat(path: &str, item: &toml_edit::Item, lines: &mut Vec<String>) {
    match item.as_table_like() {
        Some(table) => table.iter().for_each(|(key, value)| flat(&format!("{path}.{key}"), value, lines)),
        None => lines.push(format!("{path} = {}", item.to_string().trim())),
    }
}

fn leaves(path: &str, node: &Yaml<'_>, lines: &mut Vec<String>) {
    if let Some(map) = node.as_mapping() {
        for (key, value) in map {
            leaves(&format!("{path}.{}", key.as_str().unwrap_or("?")), value, lines);
        }
    } else if let Some(items) = node.as_sequence() {
        for item in items {
            leaves(path, item, lines);
        }
    } else if !node.is_null() {
        lines.push(format!("{path} = {node:?}"));
    }
}

#[test]
fn what_cannot_be_edited_is_refused_and_nothing_changes() {
    for (host, file, text, words) in [
        (Host::Codex, ".codex/config.toml", "a = ", "cannot be read as TOML"),
        (Host::Codex, ".codex/config.toml", "mcp_servers = 7\n", "`mcp_servers`"),
        (Host::Codex, ".codex/config.toml", "[[mcp_servers]]\na = 1\n", "`mcp_servers`"),
        (Host::Codex, ".codex/config.toml", "[mcp_servers.memdir]\ncommand = \"other\"\n", "does not start memdir"),
        (Host::Goose, ".config/goose/config.yaml", "extensions: [a]\n", "`extensions`"),
        (Host::Goose, ".config/goose/config.yaml", "extensions: {a: {enabled: true}}\n", "`extensions`"),
        (Host::Goose, ".config/goose/config.yaml", "extensions:\n  - a\n", "`extensions`"),
        (Host::Goose, ".config/goose/config.yaml", "{\"extensions\": {}}\n", "(the file)"),
        (Host::Goose, ".config/goose/config.yaml", "a: 1\n---\nb: 2\n", "more than one document"),
        (Host::Goose, ".config/goose/config.yaml", "extensions:\n\ta: 1\n", "tab"),
        (Host::Goose, ".config/goose/config.yaml", "extensions:\nextensions:\n", "twice"),
        (Host::Goose, ".config/goose/config.yaml", "just words\n", "no key"),
        (Host::Goose, ".config/goose/config.yaml", "extensions:\n  memdir:\n    cmd: other\n", "does not start memdir"),
        (Host::Aider, ".aider.conf.yml", "read: {a: b}\n", "`read`"),
        (Host::Aider, ".aider.conf.yml", "read: |\n  a\n", "`read`"),
        (Host::Cursor, ".cursor/mcp.json", "{ \"mcpServers\": [] }", "`mcpServers`"),
        (
            Host::Cursor,
            ".cursor/mcp.json",
            "{ \"mcpServers\": { \"memdir\": { \"command\": \"x\" } } }",
            "does not start memdir",
        ),
        (Host::Zed, ".config/zed/settings.json", "{ \"context_servers\": ", "cannot be read as JSON"),
    ] {
        let home = Home::with(&[(file, text)]);
        let before = home.all();
        let plan = home.init(host).unwrap();
        let problem = plan.problem.unwrap_or_else(|| panic!("{text}")).to_string();
        assert!(problem.contains(words) && problem.contains(file), "{text}: {problem}");
        assert_eq!(home.all(), before, "{text}");
        assert!(home.remove(host).is_ok() && home.all() == before, "{text}");
    }
}

#[test]
fn a_server_that_moved_is_renewed_and_what_a_person_set_in_its_entry_stays() {
    for (host, file, from, to) in [
        (Host::Codex, ".codex/config.toml", "startup_timeout_sec", "enabled = false\nstartup_timeout_sec"),
        (Host::Goose, ".config/goose/config.yaml", "enabled: true", "enabled: false"),
        (Host::Cursor, ".cursor/mcp.json", "\"command\"", "\"enabled\": false, \"command\""),
        (Host::Cline, ".cline/data/settings/cline_mcp_settings.json", "\"disabled\": false", "\"disabled\": true"),
    ] {
        let home = Home::with(&[]);
        home.init(host).unwrap();
        let mine = home.read(file).replacen(from, to, 1);
        assert_ne!(mine, home.read(file), "{host}");
        home.put(file, &mine);
        assert!(home.init(host).unwrap().changes.is_empty(), "{host}: {mine}");
        home.on(|machine| {
            let machine = Machine { memdir: "/opt/new/memdir", ..*machine };
            let plan = plan(&machine, host).unwrap();
            apply(&machine, &plan, false).unwrap();
        });
        let moved = home.read(file);
        assert!(moved.contains("/opt/new/memdir"), "{host}: {moved}");
        assert!(moved.contains("false") || moved.contains("\"disabled\": true"), "{host}: {moved}");
        home.remove(host).unwrap();
        assert!(!home.path(file).exists() || !home.read(file).contains("memdir"), "{host}");
    }
}
