//! The API as one table: from it come the routes, the checks of what is sent, and the OpenAPI document.
//!
//! Enters: a method, a path, a query, a body. Leaves: a JSON document, with the status that says
//! whose fault it is: 400 and 404 the request's, 409 somebody else's faster hand, 500 the machine's.

use std::collections::BTreeMap;
use std::path::PathBuf;

use axum::extract::{Query, Request};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use memdir::engine::{Error, Memory};
use memdir::model::Cancel;
use memdir::store::history::Actor;
use serde_json::{Value, json};

use super::guard::refusal;
pub(super) use super::long::WorkWatcher;
use super::long::{CancelOnDrop, EVENT_STREAM, VerbCall, carry_out, stream};
use super::{openapi, verbs};
use crate::ServeContext;

/// What a field is.
#[derive(Clone, Copy)]
pub(super) enum FieldKind {
    Text,
    Number,
    Switch,
    OneOf(&'static [&'static str]),
    /// Any object: the verb itself says what it takes.
    Any,
}

/// A field of a query or a body.
pub(super) struct ApiField {
    pub(super) name: &'static str,
    pub(super) kind: FieldKind,
    pub(super) required: bool,
    pub(super) words: &'static str,
}

/// One verb of the API.
pub(super) struct Route {
    pub(super) post: bool,
    pub(super) path: &'static str,
    pub(super) words: &'static str,
    pub(super) fields: &'static [ApiField],
    pub(super) actor: Actor,
    pub(super) run: Handler,
}

/// A verb that is done at once.
pub(super) type Quick = fn(&ServeContext, &Memory, &SentFields) -> Result<Value, VerbFailure>;
/// A verb that takes a while.
pub(super) type Long = fn(&ServeContext, &Memory, &SentFields, &WorkWatcher) -> Result<Value, VerbFailure>;

/// How a verb is carried out.
#[derive(Clone, Copy)]
pub(super) enum Handler {
    Quick(Quick),
    Long(Long),
}

/// What was sent.
pub(super) struct SentFields(pub(super) serde_json::Map<String, Value>);

impl SentFields {
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    pub(super) fn needed(&self, name: &str) -> &str {
        // Required fields were checked against the table.
        self.text(name).unwrap_or_default()
    }

    pub(super) fn number(&self, name: &str) -> Option<usize> {
        self.0.get(name).and_then(Value::as_u64).map(|number| number as usize)
    }

    pub(super) fn switch(&self, name: &str) -> Option<bool> {
        self.0.get(name).and_then(Value::as_bool)
    }

    /// A word of a closed set, as the library knows it.
    pub(super) fn word<T: serde::de::DeserializeOwned>(&self, name: &str) -> Option<T> {
        self.0.get(name).and_then(|value| serde_json::from_value(value.clone()).ok())
    }
}

/// Why a verb gave no answer.
pub(super) enum VerbFailure {
    Engine(Error),
    /// Somebody else was faster; what is there now.
    Conflict(Value),
}

impl<E: Into<Error>> From<E> for VerbFailure {
    fn from(error: E) -> VerbFailure {
        VerbFailure::Engine(error.into())
    }
}

/// Answers one request.
pub(super) async fn answer(context: &ServeContext, request: Request) -> Response {
    let (path, method) = (request.uri().path().to_owned(), request.method().clone());
    if path == "/api/openapi.json" && method == Method::GET {
        return axum::Json(openapi::document()).into_response();
    }
    let route = match route_of(&method, &path) {
        Ok(route) => route,
        Err(refused) => return *refused,
    };
    let Ok(Query(mut query)) = Query::<BTreeMap<String, String>>::try_from_uri(request.uri()) else {
        return refusal(StatusCode::BAD_REQUEST, "the query cannot be read");
    };
    query.remove("token");
    let wants_events = |accept: &header::HeaderValue| accept.to_str().is_ok_and(|accept| accept.contains(EVENT_STREAM));
    let accepts = request.headers().get_all(header::ACCEPT).iter().any(wants_events);
    let streams = accepts && matches!(route.run, Handler::Long(_));
    let project = query.remove("project").map(PathBuf::from);
    let fields = if route.post {
        let bytes = axum::body::to_bytes(request.into_body(), usize::MAX).await.unwrap_or_default();
        match serde_json::from_slice(&bytes) {
            Ok(Value::Object(fields)) => fields,
            _ => return refusal(StatusCode::BAD_REQUEST, "the body must be a JSON object"),
        }
    } else {
        match from_query(route, query) {
            Ok(fields) => fields,
            Err(words) => return refusal(StatusCode::BAD_REQUEST, &words),
        }
    };
    if let Err(words) = check(route, &fields) {
        return refusal(StatusCode::BAD_REQUEST, &words);
    }
    let job = VerbCall { project, actor: route.actor, run: route.run, fields: SentFields(fields) };
    if streams {
        return stream(context.clone(), job);
    }
    // Whoever goes away before the answer drops this, and the work stops where it can.
    let waiting = CancelOnDrop(Cancel::default());
    let watcher = WorkWatcher { cancel: waiting.0.clone(), events: None };
    let (status, value) = carry_out(context, job, watcher).await;
    (status, axum::Json(value)).into_response()
}

fn route_of(method: &Method, path: &str) -> Result<&'static Route, Box<Response>> {
    let Some(route) = verbs::ROUTES.iter().find(|route| route.path == path) else {
        let words = "there is nothing here; /api/openapi.json lists what there is";
        return Err(Box::new(refusal(StatusCode::NOT_FOUND, words)));
    };
    let wanted = if route.post { Method::POST } else { Method::GET };
    if *method == wanted {
        return Ok(route);
    }
    let mut response = refusal(StatusCode::METHOD_NOT_ALLOWED, "this path takes another method");
    let allowed = header::HeaderValue::from_static(if route.post { "POST" } else { "GET" });
    response.headers_mut().insert(header::ALLOW, allowed);
    Err(Box::new(response))
}

/// An error as JSON: what is the matter, and what can be done about it.
pub(super) fn document_of(error: &Error) -> Value {
    let hints: Vec<String> = error.hint().iter().map(ToString::to_string).collect();
    if hints.is_empty() {
        json!({ "error": error.to_string() })
    } else {
        json!({ "error": error.to_string(), "hints": hints })
    }
}

pub(super) fn status_of(error: &Error) -> StatusCode {
    match error {
        Error::Unknown(_) | Error::NotExactly { .. } | Error::Find(_) if error.is_refusal() => StatusCode::NOT_FOUND,
        Error::Off(_) => StatusCode::FORBIDDEN,
        error if error.is_refusal() => StatusCode::BAD_REQUEST,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// A query's words as what the table says they are.
fn from_query(route: &Route, query: BTreeMap<String, String>) -> Result<serde_json::Map<String, Value>, String> {
    let mut fields = serde_json::Map::new();
    for (name, value) in query {
        let kind = route.fields.iter().find(|field| field.name == name).map(|field| field.kind);
        let value = match kind {
            Some(FieldKind::Number) => {
                json!(value.parse::<u64>().map_err(|_| format!("{name} must be a whole number"))?)
            }
            Some(FieldKind::Switch) => {
                json!(value.parse::<bool>().map_err(|_| format!("{name} must be true or false"))?)
            }
            _ => json!(value),
        };
        fields.insert(name, value);
    }
    Ok(fields)
}

/// Every field known and of its kind, every needed one there.
fn check(route: &Route, fields: &serde_json::Map<String, Value>) -> Result<(), String> {
    if route.fields.iter().any(|field| matches!(field.kind, FieldKind::Any)) {
        return Ok(());
    }
    for (name, value) in fields {
        let Some(field) = route.fields.iter().find(|field| field.name == name) else {
            return Err(format!("{name} is not known here; /api/openapi.json lists what is"));
        };
        let fits = match field.kind {
            FieldKind::Text => value.is_string(),
            FieldKind::Number => value.is_u64(),
            FieldKind::Switch => value.is_boolean(),
            FieldKind::OneOf(words) => value.as_str().is_some_and(|value| words.contains(&value)),
            FieldKind::Any => true,
        };
        if !fits {
            return Err(format!("{name} does not fit: {}", field.words));
        }
    }
    let missing = route.fields.iter().find(|field| field.required && !fields.contains_key(field.name));
    missing.map_or(Ok(()), |field| Err(format!("{} is missing: {}", field.name, field.words)))
}
