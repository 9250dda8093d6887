//! Memory as resources: `memdir://private/MEMORY.md` is an index, `memdir://team/x.md` a memory,
//! `memdir://notes/SESSION` the notes of a session.
//!
//! Enters: a page to list, an address to read. Leaves: what there is, or the file. An address
//! names a scope and a file in it and nothing else; what escapes is refused by the library.

use memdir::engine::{Error, Memory};
use memdir::kind::Scope;
use memdir::limits::{MCP_NOTES, MCP_PAGE};
use rmcp::model::{Resource, ResourceContents, ResourceTemplate};

const SCHEME: &str = "memdir://";
const NOTES: &str = "memdir://notes/";
const MARKDOWN: &str = "text/markdown";

/// One page of what there is: the indexes first, then notes, then memories, each newest first.
pub(super) fn list(memory: &Memory, cursor: Option<&str>) -> Result<(Vec<Resource>, Option<String>), Error> {
    let from: usize = match cursor {
        None => 0,
        Some(cursor) => {
            cursor.parse().map_err(|_| Error::Refused(format!("{cursor} is not a cursor that this server gave out")))?
        }
    };
    let listing = memory.files().list()?;
    let indexes = [Scope::Private, Scope::Team, Scope::User].into_iter().filter_map(|scope| {
        let there = memory_ref(memory, scope, "MEMORY.md").is_ok();
        let words = format!("The index of {scope} memory");
        there.then(|| resource(scope, "MEMORY.md", "MEMORY.md").with_description(words))
    });
    let memories = listing.memories().map(|listed| {
        let file = within(listed.scope, &listed.file);
        let resource = resource(listed.scope, file, &listed.title);
        let from = listed.from.as_ref().map(|from| format!("from {from}"));
        let words: Vec<&str> = [listed.description.as_deref(), from.as_deref()].into_iter().flatten().collect();
        if words.is_empty() { resource } else { resource.with_description(words.join("; ")) }
    });
    let notes = memory.sessions().noted_sessions(MCP_NOTES)?.into_iter().map(|session| {
        let title = format!("Notes of session {session}");
        Resource::new(notes_address(&session), session).with_title(title).with_mime_type(MARKDOWN)
    });
    let mut page: Vec<Resource> = indexes.chain(notes).chain(memories).skip(from).take(MCP_PAGE + 1).collect();
    let more = page.len() > MCP_PAGE;
    page.truncate(MCP_PAGE);
    Ok((page, more.then(|| (from + MCP_PAGE).to_string())))
}

/// How an address is made.
pub(super) fn templates() -> Vec<ResourceTemplate> {
    let words = "A memory by its scope (private, team or user) and its file; MEMORY.md is the index";
    let notes = "The notes of a session: what was asked, what is true now, what failed";
    vec![
        ResourceTemplate::new("memdir://{scope}/{+file}", "memory").with_description(words).with_mime_type(MARKDOWN),
        ResourceTemplate::new("memdir://notes/{session}", "notes").with_description(notes).with_mime_type(MARKDOWN),
    ]
}

/// Reads one.
pub(super) fn read(memory: &Memory, uri: &str) -> Result<ResourceContents, Error> {
    let unknown = || Error::Unknown(uri.to_owned());
    if let Some(session) = uri.strip_prefix(NOTES) {
        let session = decoded(session).ok_or_else(unknown)?;
        if !memory.sessions().notes_path(&session)?.is_file() {
            return Err(unknown());
        }
        let text = memory.sessions().notes(&session)?.text;
        return Ok(ResourceContents::text(text, uri).with_mime_type(MARKDOWN));
    }
    memory.history().notice()?;
    let (scope, file) = parse(uri).ok_or_else(unknown)?;
    let memory_ref = memory_ref(memory, scope, &file)?;
    let bytes = memory_ref.store.root().read(&memory_ref.file)?.ok_or_else(unknown)?;
    if !memory_ref.file.is_index() {
        memory.files().note_use(&memory_ref);
    }
    Ok(ResourceContents::text(String::from_utf8_lossy(&bytes), uri).with_mime_type(MARKDOWN))
}

/// The address of a file that a change names, relative to its store.
pub(super) fn address(scope: Scope, file: &str) -> String {
    let scope = if scope == Scope::Private && file.starts_with("team/") { Scope::Team } else { scope };
    format!("{SCHEME}{scope}/{}", encoded(within(scope, file)))
}

/// The address of a session's notes.
pub(super) fn notes_address(session: &str) -> String {
    format!("{NOTES}{}", encoded(session))
}

fn resource(scope: Scope, file: &str, title: &str) -> Resource {
    Resource::new(format!("{SCHEME}{scope}/{}", encoded(file)), file).with_title(title).with_mime_type(MARKDOWN)
}

/// A file without the folder that its scope stands for already.
fn within(scope: Scope, file: &str) -> &str {
    if scope == Scope::Team { file.strip_prefix("team/").unwrap_or(file) } else { file }
}

fn parse(uri: &str) -> Option<(Scope, String)> {
    let (scope, file) = uri.strip_prefix(SCHEME)?.split_once('/')?;
    let scope = [Scope::Private, Scope::Team, Scope::User].into_iter().find(|known| known.as_str() == scope)?;
    Some((scope, decoded(file)?))
}

fn memory_ref<'m>(memory: &'m Memory, scope: Scope, file: &str) -> Result<memdir::engine::MemoryRef<'m>, Error> {
    let typed = match scope {
        Scope::User => format!("user:{file}"),
        Scope::Team => format!("private:team/{file}"),
        _ => format!("private:{file}"),
    };
    let memory_ref = memory.files().find(&typed)?;
    if memory_ref.scope == scope { Ok(memory_ref) } else { Err(Error::Unknown(typed)) }
}

/// A path with everything that means something in an address written as `%XX`.
fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The other way; `None` for what is not an address.
pub(super) fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let code = std::str::from_utf8(after.get(..2)?).ok()?;
            bytes.push(u8::from_str_radix(code, 16).ok()?);
            rest = &after[2..];
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_go_there_and_back() {
        for file in ["a.md", "deep/er/ä b%.md", "中文.md", "logs/2026/04/2026-04-14.md"] {
            assert_eq!(decoded(&encoded(file)).as_deref(), Some(file));
            assert_eq!(parse(&address(Scope::User, file)), Some((Scope::User, file.to_owned())));
        }
        assert_eq!(address(Scope::Private, "team/x.md"), "memdir://team/x.md");
        for uri in
            ["", "memdir://", "memdir://agent/x.md", "memdir://private", "file:///etc/passwd", "memdir://user/%zz"]
        {
            assert_eq!(parse(uri), None, "{uri}");
        }
    }
}
