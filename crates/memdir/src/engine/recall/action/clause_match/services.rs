//! What a clause means outside the machine: hosts, sites, and the servers of tools.
//!
//! Enters: a clause and an operation. Leaves: in the match, the host or the tool that both speak of, by its address or by its plain name.

use memdir_lexicon::programs;
use memdir_reader::subjects::{Clause, ClauseWord};

use super::super::operation::{Operation, host_of};
use super::{ClauseMatch, say};

/// Words of servers' names that say nothing about them.
const ANY_SERVER: [&str; 9] = ["server", "mcp", "api", "app", "plugin", "tools", "tool", "service", "claude"];

pub(super) fn host(said: &str, operation: &Operation, at: usize, matched: &mut ClauseMatch) -> bool {
    let said = said.to_lowercase();
    let said = host_of(&said).unwrap_or_else(|| said.split(['/', ':']).next().unwrap_or(&said).to_owned());
    let said = said.trim_start_matches("*.").trim_start_matches("www.");
    let same = |host: &String| {
        host.trim_start_matches("www.") == said || host.strip_suffix(said).is_some_and(|rest| rest.ends_with('.'))
    };
    if said.is_empty() || !operation.hosts.iter().any(same) {
        return false;
    }
    matched.host = Some(at);
    matched.named_host = true;
    true
}

/// A site by its plain name: "Stack Overflow" is `stackoverflow.com`.
pub(super) fn sites(clause: &Clause, operation: &Operation, matched: &mut ClauseMatch) {
    if matched.host.is_some() {
        return;
    }
    for host in &operation.hosts {
        let labels: Vec<&str> = host.split('.').collect();
        let labels = if labels.len() > 1 { &labels[..labels.len() - 1] } else { &labels[..] };
        let label = |text: &str| {
            text.len() > 2
                && !matches!(text, "www" | "docs" | "api" | "com" | "app" | "the" | "github")
                && labels.contains(&text)
        };
        for (at, word) in clause.words.iter().enumerate() {
            let joined = clause.words.get(at + 1).map(|next| format!("{}{}", word.text, next.text));
            if label(&word.text) || joined.is_some_and(|joined| label(&joined)) {
                matched.host = Some(at);
                say(matched, host);
                return;
            }
        }
    }
}

/// A server, and what its tool is about.
pub(super) fn servers(clause: &Clause, operation: &Operation, matched: &mut ClauseMatch) {
    let Some(tool) = &operation.tool else { return };
    let is = |word: &ClauseWord, name: &String| {
        word.text == *name
            || word.text.strip_suffix('s') == Some(name)
            || name.strip_suffix('s') == Some(word.text.as_str())
    };
    let said = |name: &&String| {
        name.len() > 2 && !ANY_SERVER.contains(&name.as_str()) && clause.words.iter().any(|word| is(word, name))
    };
    let whole = tool.server.join("");
    let server = clause.words.iter().position(|word| {
        let one =
            tool.server.iter().any(|name| name.len() > 2 && !ANY_SERVER.contains(&name.as_str()) && is(word, name));
        one || word.text.replace(['-', '_'], "") == whole
    });
    matched.verb = tool.words.iter().any(|word| {
        programs::TOOL_CHANGES.contains(&word.as_str()) && clause.words.iter().any(|said| said.text == *word)
    });
    let own = tool.words.iter().filter(|word| word.len() > 3).any(|word| said(&word));
    if let Some(at) = server.filter(|_| matched.tool.is_none()) {
        matched.tool = Some((at, own));
        say(matched, &clause.words[at].text);
    }
}
