//! The verbs of the API, each a few lines over the library.

use memdir::engine::{Error, Listed, Memory, RecallRequest, Remember, Spot};
use memdir::kind::{Scope, Type};
use memdir::limits::{HTTP_HISTORY, HTTP_HITS, HTTP_PAGE, HTTP_PAGE_MOST, INLINE_BYTES};
use memdir::store::history::{Actor, Hash};
use memdir::store::topic::Topic;
use serde_json::{Value, json};

use super::api::{Failed, Field, Fields, Kind, Route};
use crate::House;

type Done = Result<Value, Failed>;

const TYPES: Kind = Kind::OneOf(&["user", "feedback", "project", "reference"]);
const SCOPES: Kind = Kind::OneOf(&["private", "team", "user"]);

const fn field(name: &'static str, kind: Kind, required: bool, words: &'static str) -> Field {
    Field { name, kind, required, words }
}

const fn get(path: &'static str, words: &'static str, fields: &'static [Field], run: Run) -> Route {
    Route { post: false, path, words, fields, actor: Actor::User, run }
}

const fn post(path: &'static str, words: &'static str, fields: &'static [Field], run: Run) -> Route {
    Route { post: true, path, words, fields, actor: Actor::User, run }
}

type Run = fn(&House, &Memory, &Fields) -> Done;

const FILE: Field =
    field("file", Kind::Text, true, "the file, relative to its memory directory; user:FILE for user memory");

const ID: Field = field("id", Kind::Text, true, "the proposal");

/// Everything that can be asked for.
pub(super) const ROUTES: &[Route] = &[
    get("/api/status", "Where memory is, whether it is on, and which rule decided", &[], status),
    get("/api/projects", "The projects that memory is kept for", &[], projects),
    get(
        "/api/memories",
        "Memories of every scope, newest first",
        &[
            field("type", TYPES, false, "only this type"),
            field("scope", SCOPES, false, "only this scope"),
            field("q", Kind::Text, false, "only those whose file, name or description contain all these words"),
            field("offset", Kind::Number, false, "how many to pass over"),
            field("limit", Kind::Number, false, "how many to give"),
        ],
        memories,
    ),
    get("/api/memory", "One memory in full, with the version that an edit must name", &[FILE], memory),
    get(
        "/api/search",
        "Lines of memories that contain a text",
        &[
            field("term", Kind::Text, true, "the text, or a pattern"),
            field("regex", Kind::Switch, false, "whether it is a regular expression"),
            field("limit", Kind::Number, false, "how many lines"),
        ],
        search,
    ),
    post(
        "/api/recall",
        "What a prompt would bring back, what it would not, and why",
        &[field("query", Kind::Text, true, "the prompt")],
        recall,
    ),
    post(
        "/api/remember",
        "Save a memory",
        &[
            field("text", Kind::Text, true, "the rule or fact"),
            field("type", TYPES, false, "what it is about; guessed when left out"),
            field("name", Kind::Text, false, "a short name"),
            field("description", Kind::Text, false, "one line on what it is about"),
            field("why", Kind::Text, false, "the reason behind it"),
            field("apply", Kind::Text, false, "when and where it applies"),
            field("scope", SCOPES, false, "whose memory"),
        ],
        remember,
    ),
    post(
        "/api/edit",
        "Put a new text in the place of a version; 409 when the memory is another by now",
        &[
            FILE,
            field("version", Kind::Text, true, "the version that was read"),
            field("text", Kind::Text, true, "the whole new file"),
        ],
        edit,
    ),
    post(
        "/api/pin",
        "Protect a memory from automation, or let it go",
        &[FILE, field("pinned", Kind::Switch, true, "true or false")],
        pin,
    ),
    post("/api/move", "Move a memory to another scope", &[FILE, field("scope", SCOPES, true, "where to")], move_to),
    post("/api/forget", "Archive a memory; undo brings it back", &[FILE], forget),
    get(
        "/api/history",
        "Changes, newest first",
        &[
            field("file", Kind::Text, false, "only changes of this file"),
            field("limit", Kind::Number, false, "how many"),
        ],
        history,
    ),
    get("/api/diff", "A change as a diff", &[field("change", Kind::Text, true, "the change")], diff),
    post("/api/undo", "Take back a change, or the last one", &[field("change", Kind::Text, false, "the change")], undo),
    get("/api/inbox", "Proposals that wait for a yes", &[], inbox),
    post("/api/inbox/accept", "Carry a proposal out", &[ID], accept),
    post("/api/inbox/reject", "Drop a proposal", &[ID], reject),
    get("/api/doctor", "What is wrong, and what a repair would change", &[], doctor),
    post("/api/doctor/fix", "Repair what can be repaired without judgement", &[], fix),
    Route {
        post: true,
        path: "/api/memory-tool",
        words: "Anthropic's memory tool (memory_20250818): send the tool's input, give `content` and `is_error` back",
        fields: &[field(
            "command",
            Kind::Any,
            true,
            "view, create, str_replace, insert, delete or rename, with its fields",
        )],
        actor: Actor::Agent,
        run: memory_tool,
    },
];

fn value(data: &impl serde::Serialize) -> Done {
    Ok(serde_json::to_value(data).map_err(|error| Error::Refused(error.to_string()))?)
}

fn status(_: &House, memory: &Memory, _: &Fields) -> Done {
    value(&memory.status()?)
}

fn projects(_: &House, memory: &Memory, _: &Fields) -> Done {
    Ok(json!({ "projects": memory.projects()? }))
}

fn memories(_: &House, memory: &Memory, fields: &Fields) -> Done {
    let listing = memory.list()?;
    let (kind, scope): (Option<Type>, Option<Scope>) = (fields.word("type"), fields.word("scope"));
    let words: Vec<String> = fields.text("q").unwrap_or_default().split_whitespace().map(str::to_lowercase).collect();
    let wanted = |listed: &Listed<'_>| {
        kind.is_none_or(|kind| listed.kind == Some(kind))
            && scope.is_none_or(|scope| listed.scope == scope)
            && (words.is_empty() || {
                let parts = [Some(&*listed.file), listed.name.as_deref(), listed.description.as_deref()];
                let about = parts.into_iter().flatten().collect::<Vec<_>>().join("\n").to_lowercase();
                words.iter().all(|word| about.contains(word))
            })
    };
    let (offset, limit) = (fields.number("offset").unwrap_or(0), fields.number("limit").unwrap_or(HTTP_PAGE));
    let mut total = 0;
    let mut page = Vec::new();
    for listed in listing.memories().filter(wanted) {
        if total >= offset && page.len() < limit.min(HTTP_PAGE_MOST) {
            page.push(serde_json::to_value(&listed).map_err(|error| Error::Refused(error.to_string()))?);
        }
        total += 1;
    }
    let unreadable: Vec<Value> =
        listing.unreadable.iter().map(|(file, why)| json!({ "file": file, "reason": why })).collect();
    Ok(json!({ "memories": page, "total": total, "all": listing.len(), "unreadable": unreadable }))
}

/// Text and version of what is there now.
fn read(spot: &Spot<'_>, typed: &str) -> Result<(String, String), Error> {
    let bytes = spot.store.root().read(&spot.file)?.ok_or_else(|| Error::Unknown(typed.to_owned()))?;
    Ok((String::from_utf8_lossy(&bytes).into_owned(), String::from(Hash::of(&bytes))))
}

fn memory(_: &House, memory: &Memory, fields: &Fields) -> Done {
    let typed = fields.needed("file");
    memory.notice()?;
    let spot = memory.find(typed)?;
    let (text, version) = read(&spot, typed)?;
    memory.note_use(&spot);
    let topic = Topic::parse(text.clone().into_bytes());
    Ok(json!({
        "file": spot.file.as_str(),
        "path": spot.store.root().show(&spot.file),
        "scope": spot.scope,
        "type": topic.kind(),
        "name": topic.name(),
        "description": topic.description(),
        "pinned": topic.pinned(),
        "index": spot.file.is_index(),
        "body": topic.body(),
        "text": text,
        "version": version,
    }))
}

fn search(_: &House, memory: &Memory, fields: &Fields) -> Done {
    let limit = fields.number("limit").unwrap_or(HTTP_HITS).min(HTTP_HITS);
    let mut hits = Vec::new();
    let mut more = false;
    memory.search(fields.needed("term"), fields.switch("regex").unwrap_or(false), false, &mut |hit| {
        more = hits.len() >= limit;
        if !more {
            hits.push(hit);
        }
        !more
    })?;
    Ok(json!({ "hits": hits, "more": more }))
}

fn recall(house: &House, memory: &Memory, fields: &Fields) -> Done {
    let recalled = memory.recall(RecallRequest {
        query: fields.needed("query"),
        recent_tools: &[],
        surfaced: &[],
        session: None,
        room: INLINE_BYTES,
        model: None,
        model_only: false,
    })?;
    if recalled.behind {
        (house.refresh)(memory);
    }
    value(&recalled)
}

fn remember(house: &House, memory: &Memory, fields: &Fields) -> Done {
    let owned = |name: &str| fields.text(name).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let done = memory.remember(&Remember {
        text: fields.needed("text").to_owned(),
        kind: fields.word("type"),
        name: owned("name"),
        description: owned("description"),
        why: owned("why"),
        apply: owned("apply"),
        scope: fields.word("scope"),
    })?;
    house.changed(memory);
    value(&done)
}

fn edit(house: &House, memory: &Memory, fields: &Fields) -> Done {
    let (typed, version) = (fields.needed("file"), fields.needed("version"));
    memory.notice()?;
    let spot = memory.find(typed)?;
    let bytes = spot.store.root().read(&spot.file)?.ok_or_else(|| Error::Unknown(typed.to_owned()))?;
    let conflict = || -> Done {
        let (text, version) = read(&spot, typed)?;
        let error = format!("{} was changed meanwhile by somebody else", spot.file);
        Err(Failed::Conflict(json!({ "error": error, "version": version, "text": text })))
    };
    if String::from(Hash::of(&bytes)) != version {
        return conflict();
    }
    match memory.replace(typed, &bytes, fields.needed("text").as_bytes().to_vec()) {
        Ok((file, change)) => {
            house.changed(memory);
            let (_, version) = read(&spot, typed)?;
            Ok(json!({ "file": file, "change": change, "version": version }))
        }
        // Faster than we looked.
        Err(_) if read(&spot, typed).is_ok_and(|(_, now)| now != version) => conflict(),
        Err(error) => Err(error.into()),
    }
}

fn pin(_: &House, memory: &Memory, fields: &Fields) -> Done {
    let pinned = fields.switch("pinned").unwrap_or(true);
    let (file, change) = memory.set_pinned(fields.needed("file"), pinned)?;
    Ok(json!({ "file": file, "change": change, "pinned": pinned }))
}

fn move_to(house: &House, memory: &Memory, fields: &Fields) -> Done {
    let scope = fields.word("scope").unwrap_or(Scope::Private);
    let (file, change) = memory.move_to(fields.needed("file"), scope)?;
    house.changed(memory);
    Ok(json!({ "file": file, "scope": scope, "change": change }))
}

fn forget(house: &House, memory: &Memory, fields: &Fields) -> Done {
    let typed = fields.needed("file");
    // A file and nothing that merely sounds like it.
    memory.find(typed)?;
    let found = memory.forget_candidates(typed)?;
    if found.is_empty() {
        return Err(Error::Refused(format!("{typed} is no memory that could be forgotten")).into());
    }
    let done = memory.forget(&found)?;
    house.changed(memory);
    value(&done)
}

fn history(_: &House, memory: &Memory, fields: &Fields) -> Done {
    let limit = fields.number("limit").unwrap_or(HTTP_HISTORY).min(HTTP_HISTORY);
    Ok(json!({ "changes": memory.history(fields.text("file"), limit)? }))
}

fn diff(_: &House, memory: &Memory, fields: &Fields) -> Done {
    let (changes, diff) = memory.diff(fields.needed("change"))?;
    Ok(json!({ "changes": changes, "diff": diff }))
}

fn undo(house: &House, memory: &Memory, fields: &Fields) -> Done {
    let undone = memory.undo(fields.text("change"))?;
    house.changed(memory);
    value(&undone)
}

fn inbox(_: &House, memory: &Memory, _: &Fields) -> Done {
    let proposals: Vec<Value> = memory
        .proposals()?
        .iter()
        .map(|proposal| {
            json!({
                "id": proposal.id,
                "kind": proposal.kind,
                "created": proposal.created,
                "reason": proposal.reason,
                "files": proposal.files,
                "diff": proposal.diff(),
            })
        })
        .collect();
    Ok(json!({ "proposals": proposals }))
}

fn accept(house: &House, memory: &Memory, fields: &Fields) -> Done {
    let landed = memory.accept(fields.needed("id"))?;
    house.changed(memory);
    value(&landed)
}

fn reject(_: &House, memory: &Memory, fields: &Fields) -> Done {
    Ok(json!({ "rejected": memory.reject(fields.needed("id"))?.id }))
}

fn doctor(_: &House, memory: &Memory, _: &Fields) -> Done {
    value(&memory.checkup()?)
}

fn fix(_: &House, memory: &Memory, _: &Fields) -> Done {
    value(&memory.repair()?)
}

#[expect(clippy::unnecessary_wraps, reason = "it stands in the table beside verbs that fail")]
fn memory_tool(house: &House, memory: &Memory, fields: &Fields) -> Done {
    let answer = memory.memory_tool(&Value::Object(fields.0.clone()));
    house.changed(memory);
    let (content, is_error) = match answer {
        Ok(content) => (content, false),
        Err(content) => (content, true),
    };
    Ok(json!({ "content": content, "is_error": is_error }))
}
