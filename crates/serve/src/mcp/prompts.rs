//! What a person can ask for by name: remember, recall, dream.
//!
//! Enters: a prompt's name and arguments. Leaves: words for the model. A dream is planned here by rule and
//! carried out by the model with its tools, one undoable change after the other; planning takes a while, so
//! it says how far it is and stops when the host does not want it any more.

use std::path::PathBuf;

use memdir::engine::{DreamChange, DreamRequest, PossibleContradiction};
use memdir::store::history::Actor;
use rmcp::model::{ErrorData, GetPromptRequestParams, Prompt, PromptArgument};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Value, json};

use super::progress::Progress;
use super::{fault, tools};
use crate::ServeContext;
use crate::model_texts::{filled, words};

/// Name, argument, whether it must be given.
const PROMPTS: [(&str, &str, bool); 3] =
    [("remember", "text", false), ("recall", "query", true), ("dream", "about", false)];

/// All of them, as hosts list them.
pub(super) fn list() -> Vec<Prompt> {
    let prompt = |&(name, argument, required): &(&str, &str, bool)| {
        let about = words(&format!("prompt.{name}.{argument}"));
        let argument = PromptArgument::new(argument).with_description(about).with_required(required);
        Prompt::new(name, Some(words(&format!("prompt.{name}"))), Some(vec![argument]))
    };
    PROMPTS.iter().map(prompt).collect()
}

/// The words of one.
pub(super) async fn get(
    context: &ServeContext,
    project: Option<PathBuf>,
    request: &GetPromptRequestParams,
    call: &RequestContext<RoleServer>,
) -> Result<String, ErrorData> {
    let argument = |name: &str| {
        let given = request.arguments.as_ref().and_then(|arguments| arguments.get(name)).and_then(Value::as_str);
        given.map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    match request.name.as_str() {
        "remember" => Ok(argument("text")
            .map_or_else(|| words("ask.remember.last").to_owned(), |text| filled("ask.remember", "text", &text))),
        "recall" => {
            let query = argument("query").ok_or_else(|| ErrorData::invalid_params("query is missing", None))?;
            recall(context, project, query).await
        }
        "dream" => dream(context, project, argument("about"), call).await,
        other => Err(ErrorData::invalid_params(format!("there is no prompt {other}"), None)),
    }
}

async fn recall(context: &ServeContext, project: Option<PathBuf>, query: String) -> Result<String, ErrorData> {
    let arguments = json!({ "query": query });
    let recalled = context.with(project, Actor::Agent, move |context, memory| {
        tools::call("recall", arguments, context, memory).transpose()
    });
    let found = recalled.await.map_err(|error| fault(&error))?.map(|answer| answer.data["text"].clone());
    Ok(match found.as_ref().and_then(Value::as_str) {
        Some(text) if !text.is_empty() => text.to_owned(),
        _ => filled("ask.recall.none", "query", &query),
    })
}

async fn dream(
    context: &ServeContext,
    project: Option<PathBuf>,
    about: Option<String>,
    call: &RequestContext<RoleServer>,
) -> Result<String, ErrorData> {
    let (progress, tell) = Progress::of(call);
    let cancel = progress.cancel.clone();
    let planned = context.with(project, Actor::Agent, move |context, memory| {
        let request = DreamRequest { dry_run: true, ..DreamRequest::default() };
        context.dream(memory, &request, &mut |part, text| tell.tell(part, text), &cancel)
    });
    let plan = progress.beside(planned).await.map_err(|error| fault(&error))?;
    let mut text = match steps(plan.changes().chain(plan.waiting()), plan.unsure()) {
        steps if steps.is_empty() => words("ask.dream.none").to_owned(),
        steps => filled("ask.dream", "plan", &steps),
    };
    if let Some(about) = about {
        text = format!("{text}\n\n{}", filled("ask.dream.about", "about", &about));
    }
    Ok(text)
}

/// What a plan says, a line each.
fn steps<'p>(
    changes: impl Iterator<Item = &'p DreamChange>,
    unsure: impl Iterator<Item = &'p PossibleContradiction>,
) -> String {
    let changes = changes.map(|change| {
        let into = change.into.as_ref().map(|into| format!(" into {into}")).unwrap_or_default();
        format!("- {} {}{into}: {}\n", change.action, change.file, change.why)
    });
    changes.chain(unsure.map(|pair| format!("- compare {}: {}\n", pair.files.join(" and "), pair.why))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_prompt_has_words() {
        for prompt in list() {
            assert!(prompt.description.is_some_and(|words| !words.is_empty()), "{}", prompt.name);
            let arguments = prompt.arguments.unwrap_or_default();
            assert!(arguments.iter().all(|one| one.description.as_ref().is_some_and(|words| !words.is_empty())));
        }
        for key in ["ask.remember.last", "ask.dream.none"] {
            assert!(!words(key).is_empty(), "{key}");
        }
    }

    #[test]
    fn a_plan_is_told_step_by_step() {
        let change = |action, file: &str, into: Option<&str>, why: &str| DreamChange {
            file: file.to_owned(),
            action,
            into: into.map(str::to_owned),
            why: why.to_owned(),
        };
        let changes = [change("remove", "a.md", Some("b.md"), "both say it"), change("update", "c.md", None, "a date")];
        let unsure = PossibleContradiction {
            files: vec!["d.md".to_owned(), "e.md".to_owned()],
            why: "they may contradict".to_owned(),
        };
        let steps = steps(changes.iter(), std::iter::once(&unsure));
        assert_eq!(
            steps,
            "- remove a.md into b.md: both say it\n- update c.md: a date\n- compare d.md and e.md: they may contradict\n"
        );
        assert!(filled("ask.dream", "plan", &steps).contains("- remove a.md"));
        assert!(filled("ask.dream.about", "about", "tests").ends_with("tests"));
    }
}
