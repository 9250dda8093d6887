//! A model whose tokens are counted, and that stops when it was enough for a day.

use super::ledger::Ledger;
use memdir_model::command::{Errands, Heard, Sending, Told};
use memdir_model::{Call, Model, ModelError, Reply, Request, SharedModel};

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

    fn ask(&self, request: &Request, call: &Call, on_text: &mut dyn FnMut(&str)) -> Result<Reply, ModelError> {
        self.ledger.meter(request, || self.inner.ask(request, call, on_text), |reply| reply)
    }

    fn as_agent(&self) -> Option<&dyn Errands> {
        self.inner.as_agent().map(|_| self as &dyn Errands)
    }
}

impl Errands for Metered {
    fn is_branch(&self) -> bool {
        self.inner.as_agent().is_some_and(Errands::is_branch)
    }

    fn send(&self, sending: &Sending<'_>, on_heard: &mut dyn FnMut(Heard<'_>)) -> Result<Told, ModelError> {
        let Some(agent) = self.inner.as_agent() else {
            return Err(ModelError::NotConfigured(format!("{} is no agent", self.inner.name())));
        };
        self.ledger.meter(sending.request, || agent.send(sending, on_heard), |told| &told.reply)
    }
}
