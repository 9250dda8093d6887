//! The page: plain files, part of the program. They hold nothing private.

use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::guard::refusal;

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const FILES: [(&str, &str, &str); 15] = [
    ("/", HTML, include_str!("../../page/index.html")),
    ("/style.css", "text/css; charset=utf-8", include_str!("../../page/style.css")),
    ("/icon.svg", "image/svg+xml", include_str!("../../page/icon.svg")),
    ("/app.js", SCRIPT, include_str!("../../page/app.js")),
    ("/api.js", SCRIPT, include_str!("../../page/api.js")),
    ("/dom.js", SCRIPT, include_str!("../../page/dom.js")),
    ("/list.js", SCRIPT, include_str!("../../page/list.js")),
    ("/markdown.js", SCRIPT, include_str!("../../page/markdown.js")),
    ("/numbers.js", SCRIPT, include_str!("../../page/numbers.js")),
    ("/overview.js", SCRIPT, include_str!("../../page/overview.js")),
    ("/plots.js", SCRIPT, include_str!("../../page/plots.js")),
    ("/reader.js", SCRIPT, include_str!("../../page/reader.js")),
    ("/sentence.js", SCRIPT, include_str!("../../page/sentence.js")),
    ("/told.js", SCRIPT, include_str!("../../page/told.js")),
    ("/views.js", SCRIPT, include_str!("../../page/views.js")),
];

/// One file, or nothing.
pub(super) fn answer(method: &Method, path: &str) -> Response {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return refusal(StatusCode::METHOD_NOT_ALLOWED, "the page is read-only");
    }
    match FILES.iter().find(|(name, ..)| *name == path) {
        Some((_, kind, text)) => ([(header::CONTENT_TYPE, *kind)], *text).into_response(),
        None => refusal(StatusCode::NOT_FOUND, "there is nothing here"),
    }
}
