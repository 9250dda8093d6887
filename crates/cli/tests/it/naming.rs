//! What a memory is called where people see it: a slug is what its index calls it.

use memdir_testkit::TestEnv;
use serde_json::json;

use super::env;
use super::serving::Page;

const TITLE: &str = "How the factor command rounds";
const PROMPT: &str = "which way does the factor command round halves?";

fn slugs() -> TestEnv {
    let env = env();
    env.write_memory(
        "factor-command-semantics.md",
        "---\nname: factor-command-semantics\ndescription: The factor command rounds halves to even\n\
         metadata:\n  type: reference\n---\n\nThe factor command rounds halves to even.\n",
    );
    env.write_memory(
        "feedback_small_diffs.md",
        "---\nname: feedback_small_diffs\ntype: feedback\n---\n\nKeep diffs small.\n",
    );
    env.write_memory("MEMORY.md", format!("# Mine\n\n- [{TITLE}](factor-command-semantics.md) — halves go to even\n"));
    env
}

#[test]
fn where_a_name_is_a_slug_people_see_the_title_of_the_index() {
    let env = slugs();
    let list = env.json(&["list"]);
    let row = |file: &str| {
        let rows = list["memories"].as_array().unwrap();
        rows.iter().find(|row| row["file"] == file).unwrap().clone()
    };
    let factor = row("factor-command-semantics.md");
    assert_eq!((&factor["name"], &factor["title"]), (&json!("factor-command-semantics"), &json!(TITLE)));
    assert_eq!(row("feedback_small_diffs.md")["title"], "Small diffs");
    env.run(&["list"]).ok().prints(TITLE).prints("Small diffs");
    assert_eq!(env.json(&["recall", PROMPT])["selected"][0]["title"], TITLE);
    env.run(&["recall", PROMPT]).ok().prints(TITLE);
    assert_eq!(env.json(&["show", "factor-command-semantics"])["title"], TITLE);
    assert_eq!(env.json(&["search", "rounds halves"])["hits"][0]["title"], TITLE);
    let page = Page::open(&env);
    let answer = page.get("/api/memories?q=rounds").json();
    assert_eq!(answer["memories"][0]["title"], TITLE, "{answer}");
    assert_eq!(page.get("/api/memory?file=factor-command-semantics.md").json()["title"], TITLE);
}

#[test]
fn another_line_in_the_index_is_seen_at_once_and_no_file_changes() {
    let env = slugs();
    let before = env.read_memory("factor-command-semantics.md");
    assert_eq!(env.json(&["recall", PROMPT])["selected"][0]["title"], TITLE);
    let index = env.read_memory("MEMORY.md");
    // In place, as an editor does: the directory does not change.
    env.write_memory("MEMORY.md", index.replace(TITLE, "Rounding in factor"));
    assert_eq!(env.json(&["recall", PROMPT])["selected"][0]["title"], "Rounding in factor");
    env.write_memory("MEMORY.md", "# Mine\n");
    assert_eq!(env.json(&["recall", PROMPT])["selected"][0]["title"], "Factor command semantics");
    assert_eq!(env.read_memory("factor-command-semantics.md"), before);
}
