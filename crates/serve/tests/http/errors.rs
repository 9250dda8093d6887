//! What the API says of itself, and of what does not work.

use serde_json::json;

use super::page::Page;

#[test]
fn the_api_describes_itself() {
    let page = Page::open();
    let document = page.get("/api/openapi.json").json();
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() > 15);
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().unwrap() {
            assert!(operation["summary"].as_str().is_some_and(|words| !words.is_empty()), "{method} {path}");
            let reply = if method == "get" && path != "/api/events" { page.get(path) } else { continue };
            assert!(reply.status < 500, "{path}: {reply:?}");
        }
    }
}

#[test]
fn an_error_says_what_can_be_done_and_names_no_command() {
    let page = Page::open();
    let unknown = page.get("/api/memory?file=none.md");
    assert_eq!((unknown.status, &unknown.json()["hints"]), (404, &json!(["list the memories there are"])));
    let team = page.post("/api/team/sync", &json!({}));
    assert_eq!((team.status, &team.json()["hints"]), (400, &json!(["begin to share with a team"])), "{team:?}");
    // Where nothing can be done there is nothing to say.
    let empty = page.post("/api/remember", &json!({ "text": "" }));
    assert!(empty.status == 400 && empty.json().get("hints").is_none(), "{empty:?}");
    for reply in [unknown, team, empty] {
        assert!(!reply.body.contains("`memdir ") && !reply.body.contains("--"), "{reply:?}");
    }
}
