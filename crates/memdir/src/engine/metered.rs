//! A model whose tokens are counted, and that stops when it was enough for a day.

use super::ledger::Ledger;
use memdir_model::command::{AgentEvent, AgentOutput, AgentRequest, CodingAgent};
use memdir_model::{CallLimits, Model, ModelError, Reply, Request, SharedModel};

/// A model whose tokens are counted.
pub(crate) struct Metered {
    inner: SharedModel,
    ledger: Ledger,
}

impl Metered {
    pub(crate) fn new(inner: SharedModel, ledger: Ledger) -> Metered {
        Metered { inner, ledger }
    }
}

impl Model for Metered {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn ask(&self, request: &Request, call: &CallLimits, on_text: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        self.ledger.meter(request, || self.inner.ask(request, call, on_text), |reply| reply)
    }

    fn as_agent(&self) -> Option<&dyn CodingAgent> {
        self.inner.as_agent().map(|_| self as &dyn CodingAgent)
    }
}

impl CodingAgent for Metered {
    fn is_branch(&self) -> bool {
        self.inner.as_agent().is_some_and(CodingAgent::is_branch)
    }

    fn send(
        &self,
        sending: &AgentRequest<'_>,
        on_event: &mut dyn FnMut(AgentEvent<'_>),
    ) -> Result<AgentOutput, ModelError> {
        let Some(agent) = self.inner.as_agent() else {
            return Err(ModelError::NotConfigured(format!("{} is not an agent", self.inner.name())));
        };
        self.ledger.meter(sending.request, || agent.send(sending, on_event), |output| &output.reply)
    }
}
