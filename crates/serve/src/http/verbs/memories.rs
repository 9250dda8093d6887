//! Memories themselves: looking, finding, writing, and Anthropic's memory tool.

use memdir::engine::{Error, Listed, Memory, MemoryOrigin, MemoryRef, Remember};
use memdir::kind::{Rating, Scope, Type};
use memdir::limits::{HTTP_HITS, HTTP_PAGE, HTTP_PAGE_MOST};
use memdir::store::history::Hash;
use serde_json::{Value, json};

use super::super::api::{SentFields, VerbFailure};
use super::{Done, value};
use crate::ServeContext;

pub(super) fn memories(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let listing = memory.files().list()?;
    let (kind, scope): (Option<Type>, Option<Scope>) = (fields.word("type"), fields.word("scope"));
    let words: Vec<String> = fields.text("q").unwrap_or_default().split_whitespace().map(str::to_lowercase).collect();
    let wanted = |listed: &Listed<'_>| {
        kind.is_none_or(|kind| listed.kind == Some(kind))
            && scope.is_none_or(|scope| listed.scope == scope)
            && (words.is_empty() || {
                let parts =
                    [Some(&*listed.file), listed.name.as_deref(), Some(&*listed.title), listed.description.as_deref()];
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
fn read(memory_ref: &MemoryRef<'_>, typed: &str) -> Result<(String, String), Error> {
    let bytes = memory_ref.store.root().read(&memory_ref.file)?.ok_or_else(|| Error::Unknown(typed.to_owned()))?;
    Ok((String::from_utf8_lossy(&bytes).into_owned(), String::from(Hash::of(&bytes))))
}

pub(super) fn memory(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let opened = memory.files().open(fields.needed("file"))?;
    let mut card = opened.card();
    card.insert("index".into(), json!(opened.memory_ref.file.is_index()));
    card.insert("from".into(), json!(opened.origin.as_ref().map(MemoryOrigin::shown)));
    card.insert("body".into(), json!(opened.topic.body()));
    card.insert("text".into(), json!(opened.text()));
    card.insert("version".into(), json!(String::from(Hash::of(opened.topic.as_bytes()))));
    Ok(card.into())
}

pub(super) fn search(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let limit = fields.number("limit").unwrap_or(HTTP_HITS).min(HTTP_HITS);
    let mut hits = Vec::new();
    let mut more = false;
    memory.recall().search(fields.needed("term"), fields.switch("regex").unwrap_or(false), false, &mut |hit| {
        more = hits.len() >= limit;
        if !more {
            hits.push(hit);
        }
        !more
    })?;
    Ok(json!({ "hits": hits, "more": more }))
}

pub(super) fn recall(context: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    value(&context.recall(memory, fields.needed("query"))?)
}

pub(super) fn rate(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let rating = fields.word("rating").unwrap_or(Rating::NotUseful);
    let rated = memory.recall().rate(fields.needed("file"), rating)?;
    Ok(json!({ "file": rated.file, "rating": rated.rating, "change": rated.id }))
}

pub(super) fn remember(context: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let owned = |name: &str| fields.text(name).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned);
    let done = memory.files().remember(&Remember {
        text: fields.needed("text").to_owned(),
        kind: fields.word("type"),
        name: owned("name"),
        description: owned("description"),
        why: owned("why"),
        apply: owned("apply"),
        scope: fields.word("scope"),
    })?;
    context.changed(memory);
    value(&done)
}

pub(super) fn edit(context: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let (typed, version) = (fields.needed("file"), fields.needed("version"));
    memory.history().notice()?;
    let memory_ref = memory.files().find(typed)?;
    let bytes = memory_ref.store.root().read(&memory_ref.file)?.ok_or_else(|| Error::Unknown(typed.to_owned()))?;
    let conflict = || -> Done {
        let (text, version) = read(&memory_ref, typed)?;
        let error = format!("{} was changed meanwhile by somebody else", memory_ref.file);
        Err(VerbFailure::Conflict(json!({ "error": error, "version": version, "text": text })))
    };
    if String::from(Hash::of(&bytes)) != version {
        return conflict();
    }
    match memory.files().replace(typed, &bytes, fields.needed("text").as_bytes().to_vec()) {
        Ok((file, change)) => {
            context.changed(memory);
            let (_, version) = read(&memory_ref, typed)?;
            Ok(json!({ "file": file, "change": change, "version": version }))
        }
        // Faster than we looked.
        Err(_) if read(&memory_ref, typed).is_ok_and(|(_, now)| now != version) => conflict(),
        Err(error) => Err(error.into()),
    }
}

pub(super) fn pin(_: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let pinned = fields.switch("pinned").unwrap_or(true);
    let (file, change) = memory.files().set_pinned(fields.needed("file"), pinned)?;
    Ok(json!({ "file": file, "change": change, "pinned": pinned }))
}

pub(super) fn move_to(context: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let scope = fields.word("scope").unwrap_or(Scope::Private);
    let (file, change) = memory.files().move_to(fields.needed("file"), scope)?;
    context.changed(memory);
    Ok(json!({ "file": file, "scope": scope, "change": change }))
}

pub(super) fn forget(context: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let typed = fields.needed("file");
    // A file and nothing that merely sounds like it.
    memory.files().find(typed)?;
    let found = memory.files().meant(typed)?.memories;
    if found.is_empty() {
        return Err(Error::Refused(format!("{typed} is not a memory that can be forgotten")).into());
    }
    let done = memory.files().forget(&found)?;
    context.changed(memory);
    value(&done)
}

#[expect(clippy::unnecessary_wraps, reason = "it stands in the table beside verbs that fail")]
pub(super) fn memory_tool(context: &ServeContext, memory: &Memory, fields: &SentFields) -> Done {
    let answer = memory.files().memory_tool(&Value::Object(fields.0.clone()));
    context.changed(memory);
    let (content, is_error) = match answer {
        Ok(content) => (content, false),
        Err(error) => (error.to_string(), true),
    };
    Ok(json!({ "content": content, "is_error": is_error }))
}
