//! The API's own description, made from its table.

use serde_json::{Map, Value, json};

use super::api::{Field, Kind, Route};
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
            "400": { "description": "the request does not fit" },
            "401": { "description": "no token" },
            "404": { "description": "no such memory or change" },
            "409": { "description": "somebody else was faster" },
        },
    });
    if route.post {
        let open = route.fields.iter().any(|field| matches!(field.kind, Kind::Any));
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

fn schema(field: &Field) -> Value {
    let mut schema = match field.kind {
        Kind::Text => json!({ "type": "string" }),
        Kind::Number => json!({ "type": "integer", "minimum": 0 }),
        Kind::Switch => json!({ "type": "boolean" }),
        Kind::OneOf(words) => json!({ "type": "string", "enum": words }),
        Kind::Any => {
            json!({ "type": "string", "enum": ["view", "create", "str_replace", "insert", "delete", "rename"] })
        }
    };
    schema["description"] = json!(field.words);
    schema
}
