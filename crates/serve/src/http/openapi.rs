//! The API's own description, made from its table.

use serde_json::{Map, Value, json};

use super::api::{ApiField, FieldKind, Handler, Route};
use super::verbs::ROUTES;

/// The OpenAPI document.
pub(super) fn document() -> Value {
    let mut paths = Map::new();
    for route in ROUTES {
        let method = if route.post { "post" } else { "get" };
        paths.insert(route.path.to_owned(), json!({ method: operation(route) }));
    }
    paths.insert(
        "/api/events".to_owned(),
        json!({ "get": {
            "operationId": "events",
            "summary": "What changed, as it happens (server-sent events; each holds the changes since the last)",
            "responses": { "200": { "description": "a stream", "content": { "text/event-stream": {} } } },
        } }),
    );
    json!({
        "openapi": "3.1.0",
        "info": { "title": "memdir", "version": env!("CARGO_PKG_VERSION"),
            "description": "Long-term memory for coding agents. Loopback only; every request carries the token." },
        "security": [{ "token": [] }],
        "components": { "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } } },
        "paths": paths,
    })
}

fn operation(route: &Route) -> Value {
    let project = json!({
        "name": "project", "in": "query", "required": false, "schema": { "type": "string" },
        "description": "the project's directory; the one the server was started in when left out",
    });
    let mut parameters = vec![project];
    let mut operation = json!({
        "operationId": route.path.trim_start_matches("/api/").replace('/', "-"),
        "summary": route.words,
        "responses": {
            "200": { "description": "done", "content": { "application/json": { "schema": { "type": "object" } } } },
            "400": refused("the request does not fit"),
            "401": refused("no token"),
            "403": refused("a stranger's request, or memory is off"),
            "404": refused("no such memory or change"),
            "409": refused("somebody else was faster"),
            "413": refused("too large"),
            "415": refused("not JSON"),
            "429": refused("too many at once; try again in a second"),
        },
    });
    if matches!(route.run, Handler::Long(_)) {
        let words = "events: `progress` with phase and text, then `done` or `failed`; closing stops the work";
        operation["responses"]["200"]["content"]["text/event-stream"] =
            json!({ "schema": { "type": "string", "description": words } });
    }
    if route.post {
        let open = route.fields.iter().any(|field| matches!(field.kind, FieldKind::Any));
        let properties: Map<String, Value> =
            route.fields.iter().map(|field| (field.name.to_owned(), schema(field))).collect();
        let required: Vec<&str> = route.fields.iter().filter(|field| field.required).map(|field| field.name).collect();
        let body =
            json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": open });
        operation["requestBody"] = json!({ "required": true, "content": { "application/json": { "schema": body } } });
    } else {
        parameters.extend(route.fields.iter().map(
            |field| json!({ "name": field.name, "in": "query", "required": field.required, "schema": schema(field) }),
        ));
    }
    operation["parameters"] = json!(parameters);
    operation
}

/// Every refusal says why.
fn refused(words: &str) -> Value {
    let hints = json!({ "type": "array", "items": { "type": "string" }, "description": "what can be done about it" });
    let error = json!({
        "type": "object",
        "properties": { "error": { "type": "string" }, "hints": hints },
        "required": ["error"],
    });
    json!({ "description": words, "content": { "application/json": { "schema": error } } })
}

fn schema(field: &ApiField) -> Value {
    let mut schema = match field.kind {
        FieldKind::Text => json!({ "type": "string" }),
        FieldKind::Number => json!({ "type": "integer", "minimum": 0 }),
        FieldKind::Switch => json!({ "type": "boolean" }),
        FieldKind::OneOf(words) => json!({ "type": "string", "enum": words }),
        // The verb itself answers what does not fit, in words for whoever sent it.
        FieldKind::Any => json!({}),
    };
    schema["description"] = json!(field.words);
    schema
}
