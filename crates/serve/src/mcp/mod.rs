//! The Model Context Protocol: memory for any agent that speaks it.
//!
//! Enters: a host's messages on stdio (or HTTP). Leaves: tools, resources and prompts over the
//! verbs of the library. Speaks the protocol with a handshake (2024-11-05 to 2025-11-25) and the
//! one without (2026-07-28). Never holds memory open between two requests.
//!
//! - `tools`: the seven tools.
//! - `resources`: indexes, memories and notes as resources.
//! - `prompts`, `progress`: what a person can ask for by name; how far long work is.
//! - `roots`: which project a host works in.
//! - `notifications`: telling subscribers what changed.
//! - `handshake`: messages that come before it is done.

mod handshake;
mod notifications;
mod progress;
mod prompts;
mod resources;
mod roots;
mod tools;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use memdir::engine::Error;
use memdir::settings::Mode;
use memdir::store::history::Actor;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, ErrorData,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation, JsonObject, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, MetaObject, PaginatedRequestParams,
    PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Role, ServerCapabilities,
    ServerConfig, SubscribeRequestParams, SubscriptionFilter, Tool, ToolAnnotations, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer, SubscriptionContext};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::{ServerHandler, ServiceExt as _};
use serde_json::{Value, json};

use crate::model_texts::{filled, words};
use crate::{ServeContext, ServeError};

/// The hint of hosts that load tools only when a model looks for one.
const ALWAYS_LOAD: &str = "anthropic/alwaysLoad";

/// Serves on standard input and output until the host closes them.
pub fn on_stdio(context: ServeContext) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Start)?;
    let result = runtime.block_on(async {
        let (input, output) = rmcp::transport::stdio();
        let transport = AsyncRwTransport::new(input, output).with_max_line_length(memdir::limits::MCP_LINE_BYTES);
        let running = match McpSession::new(context).serve(handshake::Handshake::new(transport)).await {
            Ok(running) => running,
            // A host that only looked and left is not a fault.
            Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
            Err(error) => return Err(ServeError::Broken(error.to_string())),
        };
        running.waiting().await.map(drop).map_err(|error| ServeError::Broken(error.to_string()))
    });
    // A read of standard input cannot be taken back; the process ends without waiting for it.
    runtime.shutdown_background();
    result
}

/// One host's session.
#[derive(Clone)]
pub(crate) struct McpSession {
    context: ServeContext,
    roots: roots::Roots,
    /// The resources that a host with a handshake wants to hear of.
    subscribed: Arc<Mutex<BTreeSet<String>>>,
}

impl McpSession {
    pub(crate) fn new(context: ServeContext) -> McpSession {
        McpSession { context, roots: roots::Roots::default(), subscribed: Arc::default() }
    }

    /// A tool as this host is told of it.
    fn tool(&self, spec: &tools::Spec) -> Tool {
        let hooked = words(&format!("{}.hooked", spec.name));
        let about = if self.context.hooked && !hooked.is_empty() { hooked } else { words(spec.name) };
        tool(spec, about)
    }

    /// Where the daily logs are, in log mode: a host without hooks hears of them nowhere else (L1).
    fn log_dir(&self) -> Option<String> {
        let memory = self.context.open(None, Actor::Agent).ok()?;
        let is_kept = memory.place.enabled && memory.settings.mode == Mode::Log;
        let dir = memory.place.memory_dir.as_ref().ok().filter(|_| is_kept)?;
        Some(dir.display().to_string().trim_end_matches('/').to_owned())
    }

    /// The project of a request that names none: what the command line said, else the host's first directory.
    async fn project(&self, call: &RequestContext<RoleServer>) -> Option<PathBuf> {
        let flags = &self.context.around.flags;
        if flags.project.is_some() || flags.memory_dir.is_some() {
            return None;
        }
        self.roots.first(call).await
    }
}

impl ServerHandler for McpSession {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_prompts()
            .enable_resources()
            .enable_resources_list_changed()
            .enable_resources_subscribe()
            .build();
        let recall = words(if self.context.hooked { "instructions.hooked" } else { "instructions.recall" });
        let mut told = filled("instructions", "recall", recall);
        if let Some(dir) = self.log_dir() {
            told = format!("{told} {}", filled("instructions.log", "dir", &dir));
        }
        let mut config = ServerConfig::new(capabilities).with_instructions(told);
        config.server_info = Implementation::new("memdir", env!("CARGO_PKG_VERSION"));
        config
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::SPECS.iter().map(|spec| self.tool(spec)).collect()))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools::SPECS.iter().find(|spec| spec.name == name).map(|spec| self.tool(spec))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        call: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.into_owned();
        let mut arguments = Value::Object(request.arguments.unwrap_or_default());
        let project = match tools::project_of(&mut arguments) {
            Ok(Some(project)) => Some(project),
            Ok(None) => self.project(&call).await,
            Err(error) => return Ok(refusal(&error).into()),
        };
        let tool = name.clone();
        let answer = self
            .context
            .with(project, Actor::Agent, move |context, memory| {
                tools::call(&tool, arguments, context, memory).transpose()
            })
            .await;
        match answer {
            Ok(Some(answer)) => {
                let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
                result.structured_content = Some(answer.data);
                Ok(result.into())
            }
            Ok(None) => Err(ErrorData::invalid_params(format!("there is no tool {name}"), None)),
            // The model reads it and can do better; it is not a fault of the protocol.
            Err(error) => Ok(refusal(&error).into()),
        }
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        call: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let cursor = request.and_then(|request| request.cursor);
        let project = self.project(&call).await;
        let page =
            self.context.with(project, Actor::Agent, move |_, memory| resources::list(memory, cursor.as_deref()));
        let (resources, next) = page.await.map_err(|error| fault(&error))?;
        let mut result = ListResourcesResult::with_all_items(resources);
        result.next_cursor = next;
        Ok(result)
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        call: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let project = self.project(&call).await;
        let uri = request.uri.clone();
        let contents = self.context.with(project, Actor::Agent, move |_, memory| resources::read(memory, &uri)).await;
        match contents {
            Ok(contents) => Ok(ReadResourceResult::new(vec![contents]).into()),
            Err(error) if error.is_refusal() => {
                Err(ErrorData::resource_not_found(error.to_string(), Some(json!({ "uri": request.uri }))))
            }
            Err(error) => Err(fault(&error)),
        }
    }

    async fn subscribe(&self, request: SubscribeRequestParams, _: RequestContext<RoleServer>) -> Result<(), ErrorData> {
        self.subscribed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(request.uri);
        Ok(())
    }

    async fn unsubscribe(
        &self,
        request: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.subscribed.lock().unwrap_or_else(std::sync::PoisonError::into_inner).remove(&request.uri);
        Ok(())
    }

    fn accepted_subscription_filter(&self, requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(requested.clone())
    }

    async fn listen(&self, call: SubscriptionContext) -> Result<(), ErrorData> {
        let project = self.project(call.request_context()).await;
        tokio::select! {
            () = notifications::tell_sink(&self.context, project, call.sink()) => {}
            () = call.cancelled() => {}
        }
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::list()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        call: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let project = self.project(&call).await;
        let text = prompts::get(&self.context, project, &request, &call).await?;
        Ok(GetPromptResult::new(vec![PromptMessage::new_text(Role::User, text)]).into())
    }

    async fn on_initialized(&self, call: NotificationContext<RoleServer>) {
        let (context, subscribed, peer) = (self.context.clone(), Arc::clone(&self.subscribed), call.peer);
        tokio::spawn(async move { notifications::tell_peer(&context, &subscribed, &peer).await });
    }

    async fn on_roots_list_changed(&self, _: NotificationContext<RoleServer>) {
        self.roots.forget().await;
    }
}

/// A tool as hosts list it.
fn tool(spec: &tools::Spec, about: &'static str) -> Tool {
    let mut properties = JsonObject::new();
    for (parameter, choices, _) in spec.parameters {
        let mut property = json!({ "type": "string", "description": words(&format!("{}.{parameter}", spec.name)) });
        if !choices.is_empty() {
            property["enum"] = json!(choices);
        }
        properties.insert((*parameter).to_owned(), property);
    }
    properties.insert("project".to_owned(), json!({ "type": "string", "description": words("project") }));
    let required: Vec<&str> =
        spec.parameters.iter().filter(|(_, _, required)| *required).map(|(name, _, _)| *name).collect();
    let mut input = JsonObject::new();
    input.insert("type".to_owned(), json!("object"));
    input.insert("properties".to_owned(), Value::Object(properties));
    input.insert("required".to_owned(), json!(required));
    input.insert("additionalProperties".to_owned(), json!(false));
    let annotations = ToolAnnotations::from_raw(
        Some(spec.title.to_owned()),
        Some(spec.read_only),
        Some(spec.destructive),
        Some(spec.read_only),
        Some(false),
    );
    let mut tool = Tool::new(spec.name, about, input)
        .with_title(spec.title)
        .with_annotations(annotations)
        .with_raw_output_schema((spec.output)());
    if spec.always {
        let mut meta = JsonObject::new();
        meta.insert(ALWAYS_LOAD.to_owned(), json!(true));
        tool = tool.with_meta(MetaObject(meta));
    }
    tool
}

fn refusal(error: &Error) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(with_hint(error))])
}

/// What is the matter, and what can be done about it.
fn with_hint(error: &Error) -> String {
    error.hint().map_or_else(|| error.to_string(), |hint| format!("{error}; {hint}"))
}

fn fault(error: &Error) -> ErrorData {
    let code = if error.is_refusal() { ErrorCode::INVALID_PARAMS } else { ErrorCode::INTERNAL_ERROR };
    ErrorData::new(code, with_hint(error), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_and_parameter_has_words() {
        for spec in &tools::SPECS {
            assert!(!words(spec.name).is_empty(), "{}", spec.name);
            for (parameter, ..) in spec.parameters {
                assert!(!words(&format!("{}.{parameter}", spec.name)).is_empty(), "{}.{parameter}", spec.name);
            }
            assert_eq!(tool(spec, "").output_schema.unwrap()["type"], "object");
        }
        for key in ["instructions", "project"] {
            assert!(!words(key).is_empty(), "{key}");
        }
    }
}
