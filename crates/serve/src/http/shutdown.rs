//! Signals that ask the server to shut down.
//!
//! The signals are listened for from the call on, not from the first wait on: whoever is told the address may end the
//! server at once.

/// Waits for an interrupt or a request to end.
#[cfg(unix)]
pub(super) fn asked() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    let signals = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    async move {
        let (Ok(mut interrupt), Ok(mut end)) = signals else { return std::future::pending().await };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = end.recv() => {}
        }
    }
}

/// Waits for Ctrl-C or a console that is closed.
#[cfg(windows)]
pub(super) fn asked() -> impl Future<Output = ()> {
    use tokio::signal::windows::{ctrl_break, ctrl_c, ctrl_close};
    let signals = (ctrl_c(), ctrl_break(), ctrl_close());
    async move {
        let (Ok(mut interrupt), Ok(mut pause), Ok(mut close)) = signals else { return std::future::pending().await };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = pause.recv() => {}
            _ = close.recv() => {}
        }
    }
}
